//! What goes wrong.

use super::Twin;
use super::action::Failure;
use super::design::Gateway;
use super::gateway::{answer_and_keep, send_answer};
use super::state::{A, Answer, Asks, Call, Key, Life, Operation, Place, Record, Refused, State};

impl Twin {
    pub(super) fn can_be_duplicated(&self, call: &Call) -> bool {
        match call.place {
            Place::ToGateway => call.asks == Asks::Execute && call.key != Key::None,
            Place::ToActor(_) => true,
            _ => false,
        }
    }

    pub(super) fn duplicate(&self, state: &mut State, index: usize) {
        let copy = Call {
            awaited: false,
            connected: false,
            ..state.calls.get(index)
        };
        state.calls.push(copy);
    }

    pub(super) fn can_crash(&self, state: &State, who: usize) -> bool {
        matches!(state.actors[who].life, Life::Up | Life::Recovering)
    }

    pub(super) fn crash_actor(&self, state: &mut State, who: usize) {
        state.calls.are_no_longer_awaited_by(who);
        self.go_down(state, who);
    }

    pub(super) fn crash_executor(&self, state: &mut State) {
        let is_elsewhere = |call: &Call| !matches!(call.place, Place::ToExecutor | Place::Back(_));
        state.calls.retain(is_elsewhere);
        for call in state.calls.iter_mut().filter(|call| call.connected) {
            call.connected = false;
            call.awaited = false;
        }
    }

    pub(super) fn crash_gateway(&self, state: &mut State) {
        let calls = state.calls;
        for call in calls.iter().filter(|call| call.place.is_inside_gateway()) {
            if !self.design.gateway.is_home_made() {
                state.books.keep(&call, Record::Free);
            }
        }
        state.calls.retain(|call| !call.place.is_inside_gateway());
    }

    pub(super) fn server_error(&self, state: &mut State, index: usize, is_done: bool) {
        let call = state.calls.get(index);
        let executes = is_done && !state.books.refuses_for_good(call.operation);
        let receipt = executes.then(|| state.books.execute(call.operation));
        let record = match receipt {
            _ if self.design.gateway == Gateway::FirstAnswer => {
                Record::Answered(Answer::ServerError)
            }
            Some(receipt) => Record::Answered(Answer::Done(receipt)),
            None => Record::Free,
        };
        state.books.keep(&call, record);
        send_answer(state, index, Answer::ServerError);
    }

    pub(super) fn refuse(&self, state: &mut State, index: usize) {
        state.books.refused = Refused::Open;
        answer_and_keep(state, index, Answer::Refused { confirmed: false });
    }

    /// The gateway charges after all, and says so.
    pub(super) fn contradict(&self, state: &mut State) {
        let receipt = state.books.execute(Operation::Charge);
        state.books.refused = Refused::No;
        for record in &mut state.books.charge_records {
            if matches!(record, Record::Answered(Answer::Refused { .. })) {
                *record = Record::Answered(Answer::Done(receipt));
            }
        }
        state.calls.push(Call {
            operation: Operation::Charge,
            asks: Asks::Execute,
            key: Key::None,
            actor: A as u8,
            awaited: false,
            connected: false,
            place: Place::ToActor(Answer::Done(receipt)),
        });
    }

    pub(super) fn fail_write(&self, state: &mut State, who: usize, failure: Failure) {
        match failure {
            Failure::Stored => {
                let event = self.event_to_write(state, who);
                self.store(state, who, event);
                self.stop(state, who);
            }
            Failure::Lost => self.stop(state, who),
            Failure::Rejected => self.reject_write(state, who),
        }
    }

    pub(super) fn can_expire(&self, state: &State) -> bool {
        let can_expire = |operation| self.has_key_to_expire(state, operation);
        state.calls.is_empty() && Operation::ALL.into_iter().any(can_expire)
    }

    fn has_key_to_expire(&self, state: &State, operation: Operation) -> bool {
        let is_used = |record: &Record| matches!(record, Record::Processing | Record::Answered(_));
        let books = &state.books;
        !books.is_key_expired(operation)
            && match operation {
                Operation::Charge => books.charge_records.iter().any(is_used),
                Operation::Refund => is_used(&books.refund_record),
            }
    }

    pub(super) fn expire_keys(&self, state: &mut State) {
        let charge_key_expires = self.has_key_to_expire(state, Operation::Charge);
        let refund_key_expires = self.has_key_to_expire(state, Operation::Refund);
        state.books.charge_key_expired |= charge_key_expires;
        state.books.refund_key_expired |= refund_key_expires;
        let records = state.books.records_mut();
        records.for_each(|record| *record = Record::Free);
    }
}
