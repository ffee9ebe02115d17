//! The state: what each participant holds, and the messages under way.

use std::num::NonZeroU8;

use super::plan::{Outcome, Task};

/// How many messages between actor, executor and gateway can be under way at once.
pub const CALLS_MAX: usize = 3;
/// How many events the journal holds; a further write is refused.
pub const EVENTS_MAX: usize = 10;
/// How many different keys one run can make; an actor that would need one more gives up.
pub const KEYS_MAX: usize = 6;
/// How often an actor takes up an open payment again, and how often it calls again at once, where
/// its retries are bounded.
pub const ROUNDS_MAX: u8 = 2;
/// From here on the gateway counts no further.
pub const CHARGES_MAX: u8 = 4;
/// How many copies of the order to pay can be under way to one actor.
pub const PAYS_MAX: u8 = 2;

/// The order's price, and what is given back when it is cancelled: the rest is a fee.
pub const PRICE: i64 = 100;
pub const GIVEN_BACK: i64 = 50;

/// An incarnation of the order actor, or a web node: A or B.
pub type ActorId = u8;
/// The place of a call among the calls under way.
pub type CallId = u8;
/// A payment id or refund id of the gateway, counted from 1; 0 where somebody assumes success
/// without having one.
pub type ReceiptId = u8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Volatile.
    pub actors: [Actor; 2],
    /// Durable.
    pub journal: Journal,
    /// Durable, and only an optimization: the state after so many events.
    pub snapshot: Option<Snapshot>,
    /// The messages under way, oldest first.
    pub calls: [Option<Call>; CALLS_MAX],
    /// Outside: what really happened.
    pub gateway: Books,
    /// Outside.
    pub customer: Customer,
    /// How many keys have been made.
    pub keys_made: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Actor {
    pub life: Life,
    pub memory: Memory,
    /// How many events of the journal it knows.
    pub seen: u8,
    pub task: Option<Task>,
    /// An intent written in a transaction that is still open.
    pub staged: Option<Event>,
    /// How often it has taken up the open payment or refund again.
    pub rounds: u8,
    /// Whether a 5xx was answered under the key, so that the gateway will do nothing more for it.
    pub burnt: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Life {
    #[default]
    NotStarted,
    Up,
    Down,
    /// Started again; the events are not replayed yet.
    Recovering,
}

/// What the events say: the fold of the journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    pub charge: Status,
    pub refund: Status,
    /// The key that was persisted with the intent, where it cannot be derived from the order.
    pub key: Option<Key>,
    pub cancelled: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    #[default]
    NotRequested,
    Pending,
    Completed(ReceiptId),
    Failed,
    Unknown,
}

/// What is done at the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Charge,
    Refund,
}

pub const OPERATIONS: [Operation; 2] = [Operation::Charge, Operation::Refund];

/// An idempotency key, counted from 1.
pub type Key = NonZeroU8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    Requested(Operation, Option<Key>),
    Settled(Operation, Outcome),
    Cancelled,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Journal {
    pub events: [Option<Event>; EVENTS_MAX],
    pub len: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// How many events it contains.
    pub seen: u8,
    pub memory: Memory,
}

/// One request to the gateway with its answer: a message, wherever on its way it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub operation: Operation,
    pub ask: Ask,
    pub key: Option<Key>,
    /// Who asked.
    pub actor: ActorId,
    /// Whether who asked still waits for it.
    pub awaited: bool,
    /// Whether the executor still holds the connection on which the answer would come.
    pub connected: bool,
    pub hop: Hop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// Charge, or refund.
    Execute,
    /// Tell what became of it.
    LookUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hop {
    /// From the actor to the executor.
    ToExecutor,
    /// From the executor to the gateway.
    ToGateway,
    /// The gateway works on it.
    AtGateway,
    /// A home-made gateway has charged, and not recorded it yet.
    Charged(ReceiptId),
    /// From the gateway to the executor.
    Back(Answer),
    /// From the executor to the actor; also the gateway's webhook.
    ToActor(Answer),
}

/// What the gateway answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    Done(ReceiptId),
    /// Refused; a refusal that is not confirmed can still be followed by a success.
    Refused {
        confirmed: bool,
    },
    /// 409: the first request with this key is still running.
    InUse,
    /// 422: the key was used for other content.
    OtherContent,
    /// 400: no key.
    NoKey,
    /// 5xx.
    ServerError,
    /// A look-up finds nothing.
    NotFound,
}

/// The gateway's books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Books {
    /// By key, for charges.
    pub records: [Record; KEYS_MAX],
    /// For the refund, which has one key.
    pub refund_record: Record,
    /// Charges and refunds of the order.
    pub charges: u8,
    pub refunds: u8,
    /// The id of the order's first charge.
    pub first_charge: ReceiptId,
    pub refused: Refused,
    pub neighbour: Neighbour,
    /// Whether time has passed the retention of the key that was used, for charge and refund.
    pub expired: [bool; 2],
}

/// What the gateway keeps under a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Record {
    #[default]
    Free,
    /// The first request is being worked on.
    Processing,
    Answered(Answer),
    /// Answered, to the other order.
    OfNeighbour(Answer),
}

/// Whether the gateway has refused the charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Refused {
    #[default]
    No,
    /// Refused, and the payment method can still say yes.
    Open,
    Confirmed,
}

/// The other order that pays at the same gateway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Neighbour {
    #[default]
    NotSent,
    Charged,
    /// It was told that it has paid, and was not charged.
    ToldPaid,
    ToldFailed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Customer {
    pub told: Told,
    /// Copies of the order to pay under way, by the actor to which they go.
    pub pays: [u8; 2],
    pub has_paid: bool,
    pub cancel: Asked,
    /// Whether the customer has paid anew after hearing that the payment failed.
    pub anew: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Told {
    #[default]
    Nothing,
    /// "We are looking into it."
    Pending,
    Paid,
    Failed,
    Cancelled,
}

/// A command of the customer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Asked {
    #[default]
    Not,
    UnderWay,
    Arrived,
}

impl Status {
    /// Somebody has to find out what became of it.
    pub fn is_open(self) -> bool {
        matches!(self, Status::Pending | Status::Unknown)
    }
}

impl Memory {
    pub fn status(&self, operation: Operation) -> Status {
        match operation {
            Operation::Charge => self.charge,
            Operation::Refund => self.refund,
        }
    }

    pub fn status_mut(&mut self, operation: Operation) -> &mut Status {
        match operation {
            Operation::Charge => &mut self.charge,
            Operation::Refund => &mut self.refund,
        }
    }
}

impl Journal {
    pub fn iter(&self) -> impl Iterator<Item = Event> {
        self.events.iter().copied().flatten()
    }

    pub fn has_room(&self, events: usize) -> bool {
        usize::from(self.len) + events <= EVENTS_MAX
    }

    /// Appends an event; one for which there is no room is dropped.
    pub fn push(&mut self, event: Event) {
        if let Some(place) = self.events.get_mut(usize::from(self.len)) {
            *place = Some(event);
            self.len += 1;
        }
    }
}

impl Books {
    /// What is kept under a key of this operation.
    pub fn record_mut(&mut self, operation: Operation, key: Key) -> &mut Record {
        match operation {
            Operation::Charge => &mut self.records[usize::from(key.get() - 1)],
            Operation::Refund => &mut self.refund_record,
        }
    }

    /// Whether anything of this order is kept under a key of this operation.
    pub fn keeps_key(&self, operation: Operation) -> bool {
        let is_kept = |record: &Record| matches!(record, Record::Processing | Record::Answered(_));
        match operation {
            Operation::Charge => self.records.iter().any(is_kept),
            Operation::Refund => is_kept(&self.refund_record),
        }
    }

    pub fn is_expired(&self, operation: Operation) -> bool {
        self.expired[operation as usize]
    }

    pub fn times(&self, operation: Operation) -> u8 {
        match operation {
            Operation::Charge => self.charges,
            Operation::Refund => self.refunds,
        }
    }
}

impl Actor {
    pub const fn new(life: Life) -> Actor {
        Actor {
            life,
            memory: Memory {
                charge: Status::NotRequested,
                refund: Status::NotRequested,
                key: None,
                cancelled: false,
            },
            seen: 0,
            task: None,
            staged: None,
            rounds: 0,
            burnt: false,
        }
    }
}

impl State {
    pub fn actor(&self, id: ActorId) -> &Actor {
        &self.actors[usize::from(id)]
    }

    pub fn actor_mut(&mut self, id: ActorId) -> &mut Actor {
        &mut self.actors[usize::from(id)]
    }

    pub fn call(&self, id: CallId) -> Option<&Call> {
        self.calls.get(usize::from(id))?.as_ref()
    }

    /// The calls under way, with their places.
    pub fn calls(&self) -> impl Iterator<Item = (CallId, &Call)> {
        (0..).zip(self.calls.iter().flatten())
    }

    /// The key that an intent brings with it has been made.
    pub fn count_key(&mut self, event: Event) {
        if let Event::Requested(_, Some(key)) = event {
            self.keys_made = self.keys_made.max(key.get());
        }
    }

    pub fn has_free_call(&self) -> bool {
        self.calls[CALLS_MAX - 1].is_none()
    }

    /// Adds a call; without room for it the message is lost.
    pub fn add_call(&mut self, call: Call) {
        if let Some(free) = self.calls.iter_mut().find(|call| call.is_none()) {
            *free = Some(call);
        }
    }

    /// Keeps only such calls; the others move up, so that the oldest stands first.
    pub fn keep_calls(&mut self, keep: impl Fn(&Call) -> bool) {
        let mut kept = [None; CALLS_MAX];
        let left = self.calls.into_iter().flatten().filter(keep);
        for (place, call) in kept.iter_mut().zip(left) {
            *place = Some(call);
        }
        self.calls = kept;
    }

    pub fn remove_call(&mut self, id: CallId) {
        self.calls[usize::from(id)] = None;
        self.keep_calls(|_| true);
    }

    /// Moves a call to its next hop.
    pub fn set_hop(&mut self, id: CallId, hop: Hop) {
        if let Some(call) = &mut self.calls[usize::from(id)] {
            call.hop = hop;
        }
    }

    /// Whether an answer can still come to an actor that waits for one.
    pub fn is_awaited_by(&self, actor: ActorId) -> bool {
        self.calls()
            .any(|(_, call)| call.awaited && call.actor == actor)
    }

    /// Whoever waited does so no longer; what comes now comes late.
    pub fn stop_awaiting(&mut self, actor: ActorId) {
        for call in self.calls.iter_mut().flatten() {
            if call.actor == actor {
                call.awaited = false;
            }
        }
    }
}
