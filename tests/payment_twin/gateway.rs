//! The gateway: what it does with a call, and what it keeps.

use super::Twin;
use super::design::{Gateway, KeySource};
use super::state::{
    Answer, Asks, Books, CHARGES_MAX, Call, Key, Neighbour, Operation, Place, Record, Refused,
    State,
};

const PRICE: u16 = 100;
const REFUND: u16 = 50;
const NEIGHBOURS_RECEIPT: u8 = 9;

impl Books {
    fn record_mut(&mut self, operation: Operation, key: Key) -> Option<&mut Record> {
        match (operation, key) {
            (Operation::Charge, Key::Number(number)) => {
                Some(&mut self.charge_records[usize::from(number) - 1])
            }
            (Operation::Refund, Key::Number(_)) => Some(&mut self.refund_record),
            (_, Key::None | Key::Once) => None,
        }
    }

    pub(super) fn record(&self, operation: Operation, key: Key) -> Option<Record> {
        let mut books = *self;
        books.record_mut(operation, key).copied()
    }

    pub(super) fn keep(&mut self, call: &Call, record: Record) {
        if let Some(kept) = self.record_mut(call.operation, call.key) {
            *kept = record;
        }
    }

    pub(super) fn records_mut(&mut self) -> impl Iterator<Item = &mut Record> {
        let charges = self.charge_records.iter_mut();
        charges.chain(std::iter::once(&mut self.refund_record))
    }

    /// Moves the money; gives the receipt.
    pub(super) fn execute(&mut self, operation: Operation) -> u8 {
        match operation {
            Operation::Charge => {
                self.charges = CHARGES_MAX.min(self.charges + 1);
                if self.first_receipt == 0 {
                    self.first_receipt = self.charges;
                }
                self.charges
            }
            Operation::Refund => {
                self.refunds += 1;
                self.refunds
            }
        }
    }

    /// A refusal that is said twice is meant.
    fn confirm(&mut self, operation: Operation, answer: Answer) -> Answer {
        if !matches!(answer, Answer::Refused { .. }) {
            return answer;
        }
        if operation == Operation::Charge {
            self.refused = Refused::Confirmed;
        }
        Answer::Refused { confirmed: true }
    }

    /// A refund beyond what was paid.
    pub(super) fn refuses_for_good(&self, operation: Operation) -> bool {
        let paid = u16::from(self.charges) * PRICE;
        operation == Operation::Refund && u16::from(self.refunds + 1) * REFUND > paid
    }
}

impl Twin {
    pub(super) fn arrive_at_gateway(&self, state: &mut State, index: usize) {
        match state.calls.get(index).asks {
            Asks::Execute => self.accept(state, index),
            Asks::LookUp => self.find(state, index),
        }
    }

    fn accept(&self, state: &mut State, index: usize) {
        let call = state.calls.get(index);
        match state.books.record(call.operation, call.key) {
            None if self.design.gateway == Gateway::Ietf && call.key == Key::None => {
                send_answer(state, index, Answer::NoKey);
            }
            None => state.calls.get_mut(index).place = Place::AtGateway,
            Some(Record::Free) => {
                if self.design.gateway != Gateway::SelectInsert {
                    state.books.keep(&call, Record::Processing);
                }
                state.calls.get_mut(index).place = Place::AtGateway;
            }
            Some(Record::Processing) => send_answer(state, index, Answer::InUse),
            Some(Record::OfNeighbour(_)) if self.design.gateway.compares_content() => {
                send_answer(state, index, Answer::OtherContent);
            }
            Some(Record::OfNeighbour(answer)) => send_answer(state, index, answer),
            Some(Record::Answered(answer)) => {
                let answer = state.books.confirm(call.operation, answer);
                answer_and_keep(state, index, answer);
            }
        }
    }

    fn find(&self, state: &mut State, index: usize) {
        let call = state.calls.get(index);
        let answer = match self.design.gateway.is_home_made() {
            true => match state.books.record(call.operation, call.key) {
                None | Some(Record::Free) => Answer::NotFound,
                Some(Record::Processing) => Answer::InUse,
                Some(Record::Answered(answer) | Record::OfNeighbour(answer)) => answer,
            },
            false => self.find_in_books(state, index),
        };
        let answer = state.books.confirm(call.operation, answer);
        send_answer(state, index, answer);
    }

    fn find_in_books(&self, state: &State, index: usize) -> Answer {
        let operation = state.calls.get(index).operation;
        let Books {
            charges,
            refunds,
            first_receipt,
            refused,
            ..
        } = state.books;
        let is_charge = operation == Operation::Charge;
        let is_in_work = |call: Call| call.operation == operation && call.place == Place::AtGateway;
        if is_charge && charges > 0 {
            Answer::Done(first_receipt)
        } else if !is_charge && !self.design.refund_has_new_id && refunds > 0 {
            Answer::Done(1)
        } else if state.calls.iter().any(is_in_work) {
            Answer::InUse
        } else if is_charge && refused != Refused::No {
            Answer::Refused { confirmed: true }
        } else {
            Answer::NotFound
        }
    }

    pub(super) fn process(&self, state: &mut State, index: usize) {
        let Call {
            operation, place, ..
        } = state.calls.get(index);
        if let Place::Charged(receipt) = place {
            return answer_and_keep(state, index, Answer::Done(receipt));
        }
        if state.books.refuses_for_good(operation) {
            return answer_and_keep(state, index, Answer::Refused { confirmed: true });
        }
        let receipt = state.books.execute(operation);
        match self.design.gateway.is_home_made() {
            true => state.calls.get_mut(index).place = Place::Charged(receipt),
            false => answer_and_keep(state, index, Answer::Done(receipt)),
        }
    }

    pub(super) fn neighbour_pays(&self, state: &mut State) {
        let shares_key = self.design.key == KeySource::Coarse && self.design.gateway.takes_keys();
        let compares = self.design.gateway.compares_content();
        let record = &mut state.books.charge_records[0];
        state.books.neighbour = match *record {
            _ if !shares_key => Neighbour::Charged,
            Record::Free => {
                *record = Record::OfNeighbour(Answer::Done(NEIGHBOURS_RECEIPT));
                Neighbour::Charged
            }
            Record::Answered(Answer::Done(_)) if !compares => Neighbour::ToldPaid,
            _ => Neighbour::ToldFailed,
        };
    }
}

pub(super) fn answer_and_keep(state: &mut State, index: usize, answer: Answer) {
    let call = state.calls.get(index);
    state.books.keep(&call, Record::Answered(answer));
    send_answer(state, index, answer);
}

/// The answer goes back where it came from, if anybody is still there.
pub(super) fn send_answer(state: &mut State, index: usize, answer: Answer) {
    match state.calls.get(index).connected {
        true => state.calls.get_mut(index).place = Place::Back(answer),
        false => state.calls.remove(index),
    }
}
