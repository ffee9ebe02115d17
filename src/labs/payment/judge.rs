//! The verdict on a state: what the gateway did against what the records and the customer hold for
//! true.

use super::books::{Neighbour, Refused};
use std::cell::LazyCell;
use std::ops::Deref;

use super::plan::{Outcome as Result, Plan, Task};
use super::settings::{Payment, Person};
use super::state::{ActorId, Asked, FIRST_RECEIPT, Life, Memory, Operation, State, Status, Told};
use super::text;
use crate::machine::{Belief, Label, Observer, Outcome, Progress, Verdict};

impl Payment {
    pub(super) fn judge(&self, state: &State) -> Verdict {
        let is_busy = self.is_busy(state);
        // Most states are busy ones for which the records need not be read.
        let records = LazyCell::new(|| self.recovered(state));
        Verdict {
            outcome: outcome(state, is_busy),
            belief: belief(state, &records, is_busy),
            progress: self.progress(state, &records, is_busy),
        }
    }

    /// A customer who has heard nothing asks again, and one who was put off asks again as long as
    /// that can bring news; but asking does not settle what is open.
    fn progress(
        &self,
        state: &State,
        records: &impl Deref<Target = Memory>,
        is_busy: bool,
    ) -> Progress {
        let customer = &state.customer;
        let is_under_way = customer.pays != [0, 0] || customer.cancel == Asked::UnderWay;
        if is_busy || is_under_way {
            return Progress::Running;
        }
        // An actor that has not seen what another wrote puts the customer off as well.
        let knows = |id: ActorId| self.is_free(state, id) && !is_open(&self.view(state, id));
        let will_hear = state.actors().any(knows);
        let will_ask = customer.cancel == Asked::Not
            && match customer.told {
                Told::Nothing => true,
                Told::Pending => will_hear,
                Told::Paid | Told::Failed | Told::Cancelled => false,
            };
        if will_ask {
            Progress::Running
        } else if is_open(records) || customer.told == Told::Pending {
            Progress::Stuck
        } else {
            Progress::Done
        }
    }

    /// Whether anybody is at work by themselves, or any message between them is under way.
    fn is_busy(&self, state: &State) -> bool {
        state.has_calls()
            || state.actors().any(|id| {
                let actor = state.actor(id);
                matches!(actor.life, Life::Down | Life::Recovering)
                    || actor.is_at_work()
                    || self.resumes(state, id).is_some()
            })
    }

    /// Whether a person takes over at this actor, since nothing else will.
    pub(super) fn can_reconcile(&self, state: &State, id: ActorId) -> bool {
        self.person == Person::Reconciles
            && self.is_free(state, id)
            && self.judge(state).progress == Progress::Stuck
            && open_operation(&self.view(state, id)).is_some()
    }

    /// A person asks the gateway for its statement, and has the actor record what it says.
    pub(super) fn reconcile(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let Some(operation) = open_operation(&self.view(state, id)) else {
            return;
        };
        if state.gateway.refused == Refused::Open {
            state.gateway.refused = Refused::Confirmed;
        }
        let books = &state.gateway;
        let mut task = Task::new(Plan::Settle, operation);
        task.result = Some(match (operation, books.times(operation)) {
            (_, 0) => Result::Failed,
            (Operation::Charge, _) => Result::Done(FIRST_RECEIPT),
            (Operation::Refund, _) => Result::Done(FIRST_RECEIPT),
        });
        observer.see(|| super::view::person(id));
        self.begin(state, id, task);
    }

    /// Why the verdict is what it is: the worst thing first.
    pub(super) fn reason(&self, state: &State) -> Label {
        let verdict = self.judge(state);
        let is_busy = self.is_busy(state);
        let records = LazyCell::new(|| self.recovered(state));
        let (books, told) = (&state.gateway, state.customer.told);
        let words = if books.charges > 1 {
            text::REASON_CHARGED_TWICE
        } else if books.refunds > 1 {
            text::REASON_REFUNDED_TWICE
        } else if books.neighbour == Neighbour::ToldPaid {
            text::REASON_NEIGHBOUR
        } else if verdict.outcome == Outcome::Lost {
            text::REASON_NEVER_CHARGED
        } else if verdict.belief == Belief::Wrong {
            match wrong_claim(state, &records, is_busy) {
                Some(Claim::ToldFailed) => text::REASON_TOLD_FAILED,
                Some(Claim::ToldCancelled) => text::REASON_TOLD_CANCELLED,
                _ => text::REASON_RECORDS_WRONG,
            }
        } else if verdict.progress == Progress::Stuck {
            text::REASON_STUCK
        } else if verdict.progress == Progress::Done {
            match told {
                Told::Paid => text::REASON_PAID,
                Told::Cancelled => text::REASON_CANCELLED,
                _ => text::REASON_FAILED,
            }
        } else if is_open(&records) {
            text::REASON_OPEN
        } else if told == Told::Nothing && state.customer.has_paid {
            text::REASON_WAITING
        } else if !state.customer.has_paid {
            text::REASON_NOTHING_YET
        } else {
            text::REASON_SO_FAR
        };
        words.label()
    }
}

/// What is open in the records of an order.
fn open_operation(memory: &Memory) -> Option<Operation> {
    let operations = [Operation::Charge, Operation::Refund];
    operations
        .into_iter()
        .find(|operation| memory.status(*operation).is_open())
}

/// Whether something is left to find out, or to give back.
fn is_open(records: &Memory) -> bool {
    let owes = records.cancelled
        && matches!(records.charge(), Status::Completed(_))
        && !matches!(records.refund(), Status::Completed(_));
    owes || open_operation(records).is_some()
}

/// Never more than one charge and one refund; and at least one charge once somebody was told so.
fn outcome(state: &State, is_busy: bool) -> Outcome {
    let books = &state.gateway;
    let is_lost = state.customer.told == Told::Paid && books.charges == 0 && !is_busy;
    if books.charges > 1 || books.refunds > 1 {
        Outcome::Duplicated
    } else if is_lost || books.neighbour == Neighbour::ToldPaid {
        Outcome::Lost
    } else if books.charges == 1 {
        Outcome::Once
    } else {
        Outcome::None
    }
}

/// Something false that is held for true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    ToldPaid,
    ToldFailed,
    ToldCancelled,
    Records,
}

/// What is claimed and not so, once nobody works on it any more.
fn wrong_claim(
    state: &State,
    records: &impl Deref<Target = Memory>,
    is_busy: bool,
) -> Option<Claim> {
    if is_busy {
        return None;
    }
    let books = &state.gateway;
    let is_paid = books.charges > 0;
    let contradicts = |status: Status, times: u8| match status {
        Status::Completed(_) => times == 0,
        Status::Failed => times > 0,
        Status::NotRequested | Status::Pending | Status::Unknown => false,
    };
    match state.customer.told {
        Told::Paid if !is_paid => Some(Claim::ToldPaid),
        Told::Failed if is_paid => Some(Claim::ToldFailed),
        Told::Cancelled if is_paid && books.refunds == 0 && !is_open(records) => {
            Some(Claim::ToldCancelled)
        }
        _ if contradicts(records.charge(), books.charges) => Some(Claim::Records),
        _ if contradicts(records.refund(), books.refunds) => Some(Claim::Records),
        _ => None,
    }
}

fn belief(state: &State, records: &impl Deref<Target = Memory>, is_busy: bool) -> Belief {
    let customer = &state.customer;
    let is_waiting = customer.has_paid && matches!(customer.told, Told::Nothing | Told::Pending);
    if wrong_claim(state, records, is_busy).is_some()
        || state.gateway.neighbour == Neighbour::ToldPaid
    {
        Belief::Wrong
    } else if is_waiting || is_open(records) {
        Belief::Unknown
    } else {
        Belief::Agrees
    }
}
