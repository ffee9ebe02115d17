//! What the actor takes an answer for: awaited, late, or none at all.

use super::actor::note;
use super::plan::{Outcome, Plan, Task};
use super::settings::{Ambiguous, InUse, KeyPolicy, Payment, Refusals, Retries};
use super::state::{ActorId, Answer, Call, Operation, ROUNDS_MAX, State, Status};
use super::text;
use crate::machine::{Mark, Observer};

impl Payment {
    /// Nobody answers in time. What the actor takes that for is its own decision.
    pub(super) fn time_out(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        state.stop_awaiting(id);
        observer.see(|| note(id, Mark::Wait, text::EFFECT_TIME_OUT.label()));
        self.take_for_ambiguous(state, id);
        self.settle_in(state, id);
    }

    /// A result comes back to the actor, awaited or late.
    pub(super) fn hear(&self, state: &mut State, call: Call, answer: Answer) {
        let id = call.actor;
        let waits = state.actor(id).waits();
        if call.awaited && waits {
            self.take_answer(state, id, call, answer);
        } else {
            self.take_late_answer(state, id, call, answer);
        }
        self.settle_in(state, id);
    }

    fn take_answer(&self, state: &mut State, id: ActorId, call: Call, answer: Answer) {
        match answer {
            Answer::Done(receipt) => self.conclude(state, id, Outcome::Done(receipt)),
            Answer::Refused { confirmed } => {
                let is_final = confirmed || self.refusals == Refusals::Final;
                let outcome = if is_final {
                    Outcome::Failed
                } else {
                    Outcome::Unknown
                };
                self.conclude(state, id, outcome);
            }
            Answer::OtherContent | Answer::NoKey => self.conclude(state, id, Outcome::Failed),
            Answer::InUse if self.in_use == InUse::Failed => {
                self.conclude(state, id, Outcome::Failed);
            }
            Answer::InUse => self.take_for_ambiguous(state, id),
            Answer::ServerError => {
                state.actor_mut(id).burnt |= self.stores_errors() && call.key.is_some();
                self.take_for_ambiguous(state, id);
            }
            // Nothing was done, and nothing more will be.
            Answer::NotFound if self.is_over(state, id, call.operation) => {
                self.conclude(state, id, Outcome::Failed);
            }
            // Not found yet: what was sent may still be on its way. The next step calls again.
            Answer::NotFound => {
                state.actor_mut(id).change_task(|task| {
                    task.waiting = false;
                    task.next += 1;
                });
            }
        }
    }

    /// Whether a key will do nothing more that it has not done yet: it only repeats its 5xx, or it
    /// is so old that all that was sent under it is dead. A home-made gateway forgets with the key
    /// also what was done under it.
    fn is_over(&self, state: &State, id: ActorId, operation: Operation) -> bool {
        let is_too_old = self.is_key_too_old(state, operation) && !self.gateway.is_home_made();
        state.actor(id).burnt || is_too_old
    }

    /// Whoever still needs the result takes it; a payment that counts as failed for good does not
    /// come back to life.
    fn take_late_answer(&self, state: &mut State, id: ActorId, call: Call, answer: Answer) {
        let outcome = match answer {
            Answer::Done(receipt) => Outcome::Done(receipt),
            Answer::Refused { confirmed: true } => Outcome::Failed,
            _ => return,
        };
        let status = self.view(state, id).status(call.operation);
        let is_wanted = match (outcome, status) {
            (_, Status::Completed(_)) => false,
            (Outcome::Done(_), Status::Failed) => self.refusals == Refusals::Confirm,
            (Outcome::Done(_), _) => true,
            (_, status) => status.is_open(),
        };
        match state.actor(id).task() {
            Some(task) if task.waiting && task.operation == call.operation => {
                state.stop_awaiting(id);
                self.conclude(state, id, outcome);
            }
            None if is_wanted => {
                let mut task = Task::new(Plan::Settle, call.operation);
                task.result = Some(outcome);
                self.begin(state, id, task);
            }
            _ => {}
        }
    }

    /// No answer, a 5xx, or a key in use: the work may have been done, or not.
    fn take_for_ambiguous(&self, state: &mut State, id: ActorId) {
        let actor = state.actor_mut(id);
        let Some(task) = actor.task() else {
            return;
        };
        if self.key == KeyPolicy::DeletedOnFailure && task.operation == Operation::Charge {
            actor.memory.key = None;
        }
        let again = (self.retries == Retries::Endless || task.retries < ROUNDS_MAX)
            && !self.calls_in_event_handler(&task);
        match self.ambiguous {
            _ if task.plan == Plan::Resolve => self.conclude(state, id, Outcome::Unknown),
            Ambiguous::Unknown => self.conclude(state, id, Outcome::Unknown),
            Ambiguous::Failed => self.conclude(state, id, Outcome::Failed),
            Ambiguous::Retry if again => {
                let retries = u8::from(self.retries == Retries::Bounded);
                actor.change_task(|task| {
                    task.waiting = false;
                    task.retries += retries;
                });
            }
            Ambiguous::Retry => self.conclude(state, id, Outcome::Unknown),
        }
    }

    /// The result is known, as far as it will be.
    pub(super) fn conclude(&self, state: &mut State, id: ActorId, outcome: Outcome) {
        state.actor_mut(id).change_task(|task| {
            task.waiting = false;
            task.result = Some(outcome);
            task.next += 1;
        });
    }
}
