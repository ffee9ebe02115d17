//! The executor that calls the gateway, the network between them, and the gateway's own rules.

use super::books::{Books, Neighbour, Record, Refused};
use super::records::{FIRST_KEY, NEW_REFUND};
use super::settings::{Gateway, KeyPolicy, Payment, Refund};
use super::state::{
    Answer, Ask, CALLS_MAX, CHARGES_MAX, Call, CallId, FIRST_RECEIPT, GIVEN_BACK, Hop, Key, Life,
    Operation, PRICE, ReceiptId, State,
};
use super::text;
use super::view::{self, EXECUTOR, GATEWAY, lane_of};
use crate::machine::{Effect, Label, Mark, Observer};

/// The key under which the other order pays, where the two are told apart.
const KEY_OF_NEIGHBOUR: Key = Key::MAX;

impl Payment {
    /// Whether a message can arrive now. What goes to an actor waits until it is free to listen.
    pub(super) fn can_deliver(&self, state: &State, call: &Call) -> bool {
        match call.hop {
            Hop::ToExecutor | Hop::ToGateway | Hop::Back(_) => true,
            Hop::AtGateway | Hop::Charged(_) => false,
            Hop::ToActor(_) => {
                let actor = state.actor(call.actor);
                match actor.life {
                    Life::Up => actor.task().is_none_or(|task| task.waiting),
                    // A dead letter.
                    Life::Down | Life::NotStarted => true,
                    Life::Recovering => false,
                }
            }
        }
    }

    /// A message arrives, and whoever gets it sends the next.
    pub(super) fn deliver(&self, state: &mut State, id: CallId, observer: &mut impl Observer) {
        let Some(call) = state.call(id) else {
            return;
        };
        let message = view::message(&call);
        match call.hop {
            Hop::ToExecutor => {
                observer.see(|| Effect::Arrived { message });
                hop(state, id, Hop::ToGateway, observer);
            }
            Hop::ToGateway => {
                observer.see(|| Effect::Arrived { message });
                self.receive(state, id, call, observer);
            }
            Hop::AtGateway | Hop::Charged(_) => {}
            Hop::Back(answer) => {
                observer.see(|| Effect::Arrived { message });
                hop(state, id, Hop::ToActor(answer), observer);
            }
            Hop::ToActor(_) if state.actor(call.actor).life != Life::Up => {
                observer.see(|| Effect::Lost { message });
                state.remove_call(id);
            }
            Hop::ToActor(answer) => {
                observer.see(|| Effect::Arrived { message });
                state.remove_call(id);
                self.hear(state, call, answer);
            }
        }
    }

    /// The gateway gets a request, and recognises it or begins to work on it.
    fn receive(&self, state: &mut State, id: CallId, call: Call, observer: &mut impl Observer) {
        if call.ask == Ask::LookUp {
            let answer = self.find(state, &call);
            return answer_call(state, id, answer, observer);
        }
        let Some(key) = call.key.filter(|key| self.is_recorded(*key)) else {
            if self.gateway == Gateway::Ietf && call.key.is_none() {
                return answer_call(state, id, Answer::NoKey, observer);
            }
            return state.set_hop(id, Hop::AtGateway);
        };
        match state.gateway.record(call.operation, key) {
            Record::Free => {
                // The select that finds nothing leaves nothing behind.
                if self.gateway != Gateway::SelectInsert {
                    state
                        .gateway
                        .set_record(call.operation, key, Record::Processing);
                    observer.see(|| {
                        note(
                            Mark::Durable,
                            text::EFFECT_KEY_TAKEN.with([view::key(call.operation, key)]),
                        )
                    });
                }
                state.set_hop(id, Hop::AtGateway);
            }
            Record::Processing => answer_call(state, id, Answer::InUse, observer),
            Record::OfNeighbour(_) if self.gateway.compares_content() => {
                answer_call(state, id, Answer::OtherContent, observer);
            }
            record @ (Record::Answered(answer) | Record::OfNeighbour(answer)) => {
                let answer = confirm(&mut state.gateway, call.operation, answer);
                let record = match record {
                    Record::OfNeighbour(_) => Record::OfNeighbour(answer),
                    _ => Record::Answered(answer),
                };
                state.gateway.set_record(call.operation, key, record);
                answer_call(state, id, answer, observer);
            }
        }
    }

    /// Whether the gateway can recognise a key; a new refund id never comes twice.
    fn is_recorded(&self, key: Key) -> bool {
        key != NEW_REFUND
    }

    /// Look-up: by the merchant's order id; at a home-made gateway by its own row.
    fn find(&self, state: &mut State, call: &Call) -> Answer {
        if self.gateway.is_home_made() {
            return match record_of(state, call) {
                Record::Free => Answer::NotFound,
                Record::Processing => Answer::InUse,
                Record::Answered(answer) | Record::OfNeighbour(answer) => {
                    confirm(&mut state.gateway, call.operation, answer)
                }
            };
        }
        let is_worked_on =
            |other: &Call| other.operation == call.operation && matches!(other.hop, Hop::AtGateway);
        let books = &state.gateway;
        match call.operation {
            Operation::Charge if books.charges > 0 => Answer::Done(FIRST_RECEIPT),
            // Under an id that is made anew for each attempt there is nothing to look for.
            Operation::Refund if self.known_refund() && books.refunds > 0 => {
                Answer::Done(FIRST_RECEIPT)
            }
            _ if state.calls().any(|(_, other)| is_worked_on(&other)) => Answer::InUse,
            Operation::Charge if books.refused != Refused::No => confirm(
                &mut state.gateway,
                call.operation,
                Answer::Refused { confirmed: false },
            ),
            Operation::Charge | Operation::Refund => Answer::NotFound,
        }
    }

    fn known_refund(&self) -> bool {
        self.refund == Refund::OwnId
    }

    /// The gateway does what it was asked for. A home-made one charges first and records it in
    /// another step; the others do both at once.
    pub(super) fn process(&self, state: &mut State, id: CallId, observer: &mut impl Observer) {
        let Some(call) = state.call(id) else {
            return;
        };
        if let Hop::Charged(receipt) = call.hop {
            return self.keep_answer(state, id, &call, Answer::Done(receipt), observer);
        }
        let Some(receipt) = execute(&mut state.gateway, call.operation) else {
            let refused = Answer::Refused { confirmed: true };
            return self.keep_answer(state, id, &call, refused, observer);
        };
        let is_home_made = self.gateway.is_home_made();
        let said = call.connected && !is_home_made;
        show_done(call.operation, receipt, said, observer);
        match is_home_made {
            true => state.set_hop(id, Hop::Charged(receipt)),
            false => self.keep_answer(state, id, &call, Answer::Done(receipt), observer),
        }
    }

    /// Keeps the answer under the key, and sends it.
    fn keep_answer(
        &self,
        state: &mut State,
        id: CallId,
        call: &Call,
        answer: Answer,
        observer: &mut impl Observer,
    ) {
        self.keep(state, call, Record::Answered(answer));
        answer_call(state, id, answer, observer);
    }

    fn keep(&self, state: &mut State, call: &Call, record: Record) {
        if let Some(key) = call.key.filter(|key| self.is_recorded(*key)) {
            state.gateway.set_record(call.operation, key, record);
        }
    }

    /// The request itself fails with a 5xx, before or after the work was done. What is kept under
    /// the key differs: the first answer, whatever it was; or only what was really done.
    pub(super) fn fail(
        &self,
        state: &mut State,
        id: CallId,
        is_done: bool,
        observer: &mut impl Observer,
    ) {
        let Some(call) = state.call(id) else {
            return;
        };
        let receipt = match is_done {
            true => execute(&mut state.gateway, call.operation),
            false => None,
        };
        if let Some(receipt) = receipt {
            show_done(call.operation, receipt, call.connected, observer);
        }
        let kept = match (self.gateway, receipt) {
            (Gateway::FirstAnswer, _) => Record::Answered(Answer::ServerError),
            (_, Some(receipt)) => Record::Answered(Answer::Done(receipt)),
            (_, None) => Record::Free,
        };
        self.keep(state, &call, kept);
        answer_call(state, id, Answer::ServerError, observer);
    }

    /// The payment is refused; for now.
    pub(super) fn refuse(&self, state: &mut State, id: CallId, observer: &mut impl Observer) {
        let Some(call) = state.call(id) else {
            return;
        };
        state.gateway.refused = Refused::Open;
        observer.see(|| Effect::Marked {
            lane: GATEWAY,
            mark: Mark::Refused,
            label: (!call.connected).then(|| text::EFFECT_REFUSED.label()),
        });
        self.keep_answer(
            state,
            id,
            &call,
            Answer::Refused { confirmed: false },
            observer,
        );
    }

    /// What was refused succeeds after all, and the gateway says so by webhook.
    pub(super) fn contradict(&self, state: &mut State, observer: &mut impl Observer) {
        let Some(receipt) = execute(&mut state.gateway, Operation::Charge) else {
            return;
        };
        show_done(Operation::Charge, receipt, true, observer);
        state.gateway.refused = Refused::No;
        state.gateway.replace_charge_records(|record| match record {
            Record::Answered(Answer::Refused { .. }) => Record::Answered(Answer::Done(receipt)),
            other => other,
        });
        let webhook = Call {
            operation: Operation::Charge,
            ask: Ask::Execute,
            key: None,
            actor: 0,
            awaited: false,
            connected: false,
            hop: Hop::ToActor(Answer::Done(receipt)),
        };
        observer.see(|| Effect::Sent {
            message: view::message(&webhook),
            from: GATEWAY,
            to: lane_of(0),
            label: text::WEBHOOK.with([view::number(receipt)]),
        });
        state.add_call(webhook);
    }

    /// The executor dies and is started again: what it holds and the connections on which it waits
    /// are gone. What the gateway has got it works on all the same.
    pub(super) fn crash_executor(&self, state: &mut State, observer: &mut impl Observer) {
        let is_gone = |call: &Call| matches!(call.hop, Hop::ToExecutor | Hop::Back(_));
        for (_, call) in state.calls().filter(|(_, call)| is_gone(call)) {
            let message = view::message(&call);
            observer.see(|| Effect::Lost { message });
        }
        state.keep_calls(|call| !is_gone(call));
        for id in 0..CALLS_MAX as CallId {
            state.change_call(id, |call| {
                if is_held(call) {
                    call.connected = false;
                    call.awaited = false;
                }
            });
        }
        observer.see(|| Effect::Down { lane: EXECUTOR });
        observer.see(|| Effect::Up { lane: EXECUTOR });
    }

    /// The gateway dies while it works, and is started again. A real one undoes what it had begun;
    /// a home-made one leaves its row as it stands.
    pub(super) fn crash_gateway(&self, state: &mut State, observer: &mut impl Observer) {
        let works = |call: &Call| matches!(call.hop, Hop::AtGateway | Hop::Charged(_));
        if !self.gateway.is_home_made() {
            let before = *state;
            for (_, call) in before.calls().filter(|(_, call)| works(call)) {
                self.keep(state, &call, Record::Free);
            }
        }
        state.keep_calls(|call| !works(call));
        observer.see(|| Effect::Down { lane: GATEWAY });
        observer.see(|| Effect::Up { lane: GATEWAY });
    }

    /// Time passes the retention. Whatever was in the network is long dead by then.
    pub(super) fn expire_keys(&self, state: &mut State, observer: &mut impl Observer) {
        state.gateway.forget_records();
        observer.see(|| note(Mark::Wait, text::EFFECT_KEYS_EXPIRED.label()));
    }

    /// The other order pays: with its own key, or with the same one if that is made from too
    /// little.
    pub(super) fn pay_neighbour(&self, state: &mut State, observer: &mut impl Observer) {
        let key = match self.key {
            KeyPolicy::Coarse => FIRST_KEY,
            _ => KEY_OF_NEIGHBOUR,
        };
        let is_shared = self.gateway.takes_keys() && key == FIRST_KEY;
        let books = &mut state.gateway;
        let found = match is_shared {
            true => books.record(Operation::Charge, key),
            false => Record::Free,
        };
        books.neighbour = match found {
            Record::Free => Neighbour::Charged,
            Record::Answered(Answer::Done(_)) if !self.gateway.compares_content() => {
                Neighbour::ToldPaid
            }
            _ => Neighbour::ToldFailed,
        };
        if is_shared && found == Record::Free {
            let record = Record::OfNeighbour(Answer::Done(OF_NEIGHBOUR));
            books.set_record(Operation::Charge, key, record);
        }
        let now = books.neighbour;
        let (mark, words) = match now {
            Neighbour::Charged => (Mark::Applied, text::EFFECT_NEIGHBOUR_CHARGED),
            Neighbour::ToldPaid => (Mark::Harm, text::EFFECT_NEIGHBOUR_TOLD_PAID),
            Neighbour::NotSent | Neighbour::ToldFailed => {
                (Mark::Refused, text::EFFECT_NEIGHBOUR_FAILED)
            }
        };
        observer.see(|| note(mark, words.label()));
    }
}

/// The payment id of the other order's charge.
const OF_NEIGHBOUR: ReceiptId = 9;

/// Whether the executor holds this call or its connection.
pub fn is_held(call: &Call) -> bool {
    call.connected
}

/// Does it once more. `None` where the gateway refuses: nothing is given back twice over.
fn execute(books: &mut Books, operation: Operation) -> Option<ReceiptId> {
    match operation {
        Operation::Charge => {
            books.charges = (books.charges + 1).min(CHARGES_MAX);
            Some(books.charges)
        }
        Operation::Refund => {
            let given = i64::from(books.refunds + 1) * GIVEN_BACK;
            if given > i64::from(books.charges) * PRICE {
                return None;
            }
            books.refunds += 1;
            Some(books.refunds)
        }
    }
}

/// Money moves; in words where no message of the same step says so.
fn show_done(operation: Operation, receipt: ReceiptId, said: bool, observer: &mut impl Observer) {
    let mark = match receipt {
        1 => Mark::Applied,
        _ => Mark::Harm,
    };
    let words = match operation {
        Operation::Charge => text::EFFECT_CHARGED,
        Operation::Refund => text::EFFECT_REFUNDED,
    };
    observer.see(|| Effect::Marked {
        lane: GATEWAY,
        mark,
        label: (!said).then(|| words.with([view::number(receipt)])),
    });
}

/// Whoever asks about a refusal, or repeats the refused request, learns that it is final, and from
/// then on it is.
fn confirm(books: &mut Books, operation: Operation, answer: Answer) -> Answer {
    match answer {
        Answer::Refused { .. } => {
            if operation == Operation::Charge {
                books.refused = Refused::Confirmed;
            }
            Answer::Refused { confirmed: true }
        }
        other => other,
    }
}

/// What stands under the key of a call.
fn record_of(state: &State, call: &Call) -> Record {
    match call.key.filter(|key| *key != NEW_REFUND) {
        Some(key) => state.gateway.record(call.operation, key),
        None => Record::Free,
    }
}

/// Sends the answer, if the connection still stands; else nobody hears of it.
fn answer_call(state: &mut State, id: CallId, answer: Answer, observer: &mut impl Observer) {
    match state.call(id).is_some_and(|call| call.connected) {
        true => hop(state, id, Hop::Back(answer), observer),
        false => state.remove_call(id),
    }
}

/// Sends a call on its next way.
fn hop(state: &mut State, id: CallId, to: Hop, observer: &mut impl Observer) {
    state.change_call(id, |call| {
        call.hop = to;
        // Past the executor, no connection is held for it.
        call.connected &= !matches!(to, Hop::ToActor(_));
    });
    let Some(call) = state.call(id) else {
        return;
    };
    observer.see(|| {
        let (from, to) = view::way(&call);
        Effect::Sent {
            message: view::message(&call),
            from,
            to,
            label: view::content(&call),
        }
    });
}

fn note(mark: Mark, label: Label) -> Effect {
    Effect::Marked {
        lane: GATEWAY,
        mark,
        label: Some(label),
    }
}
