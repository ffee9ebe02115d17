//! What the gateway keeps: what it did, and what it has answered under which key.

use bytemuck::NoUninit;

use super::packed::{PackedFlags, PackedRecord};
use super::state::{Answer, KEYS_MAX, Key, OPERATIONS, Operation};

/// The gateway's books.
#[derive(Clone, Copy, Debug, Default, NoUninit)]
#[repr(C)]
pub struct Books {
    /// By key, for charges.
    records: [PackedRecord; KEYS_MAX],
    /// For the refund, which has one key.
    refund_record: PackedRecord,
    /// Charges and refunds of the order.
    pub charges: u8,
    pub refunds: u8,
    pub refused: Refused,
    pub neighbour: Neighbour,
    /// Whether time has passed the retention of the key that was used, for charge and refund.
    expired: PackedFlags,
}

/// What the gateway keeps under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    Free,
    /// The first request is being worked on.
    Processing,
    Answered(Answer),
    /// Answered, to the other order.
    OfNeighbour(Answer),
}

/// Whether the gateway has refused the charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, NoUninit)]
#[repr(u8)]
pub enum Refused {
    #[default]
    No,
    /// Refused, and the payment method can still say yes.
    Open,
    Confirmed,
}

/// The other order that pays at the same gateway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, NoUninit)]
#[repr(u8)]
pub enum Neighbour {
    #[default]
    NotSent,
    Charged,
    /// It was told that it has paid, and was not charged.
    ToldPaid,
    ToldFailed,
}

impl Books {
    fn place(&mut self, operation: Operation, key: Key) -> &mut PackedRecord {
        match operation {
            Operation::Charge => &mut self.records[usize::from(key.get() - 1)],
            Operation::Refund => &mut self.refund_record,
        }
    }

    /// What is kept under a key of this operation.
    pub fn record(&self, operation: Operation, key: Key) -> Record {
        match operation {
            Operation::Charge => self.records[usize::from(key.get() - 1)].get(),
            Operation::Refund => self.refund_record.get(),
        }
    }

    pub fn set_record(&mut self, operation: Operation, key: Key, record: Record) {
        self.place(operation, key).set(record);
    }

    /// What is kept under each key, for charges.
    pub fn charge_records(&self) -> impl Iterator<Item = Record> {
        self.records.iter().map(|record| record.get())
    }

    /// Replaces what is kept under the keys, for charges.
    pub fn replace_charge_records(&mut self, new: impl Fn(Record) -> Record) {
        for record in &mut self.records {
            record.set(new(record.get()));
        }
    }

    /// Time passes the retention: nothing is kept any more.
    pub fn forget_records(&mut self) {
        let is_expired = |operation| self.is_expired(operation) || self.keeps_key(operation);
        self.expired.set(OPERATIONS.map(is_expired));
        (self.records, self.refund_record) = Default::default();
    }

    /// Whether anything of this order is kept under a key of this operation.
    pub fn keeps_key(&self, operation: Operation) -> bool {
        let is_kept = |record: Record| matches!(record, Record::Processing | Record::Answered(_));
        match operation {
            Operation::Charge => self.charge_records().any(is_kept),
            Operation::Refund => is_kept(self.refund_record.get()),
        }
    }

    pub fn is_expired(&self, operation: Operation) -> bool {
        self.expired.get()[operation as usize]
    }

    pub fn times(&self, operation: Operation) -> u8 {
        match operation {
            Operation::Charge => self.charges,
            Operation::Refund => self.refunds,
        }
    }
}
