//! What an actor makes of an answer, and of none.

use super::Twin;
use super::design::Gateway;
use super::state::{Answer, Call, Key, Life, Operation, Outcome, Plan, State, Status, Task};

impl Twin {
    /// Whether an answer that has come to its actor is received, or lost, now.
    pub(super) fn can_receive(&self, state: &State, who: usize) -> bool {
        let actor = &state.actors[who];
        match actor.life {
            Life::Up => actor.task.is_none_or(|task| task.waits),
            Life::Down | Life::NotStarted => true,
            Life::Recovering => false,
        }
    }

    pub(super) fn receive(&self, state: &mut State, index: usize, answer: Answer) {
        let call = state.calls.get(index);
        let who = usize::from(call.actor);
        state.calls.remove(index);
        if state.actors[who].life != Life::Up {
            return;
        }
        match call.awaited && state.actors[who].waits() {
            true => self.take_answer(state, who, call, answer),
            false => self.hear_late(state, who, call.operation, answer),
        }
    }

    fn take_answer(&self, state: &mut State, who: usize, call: Call, answer: Answer) {
        match answer {
            Answer::Done(receipt) => self.conclude(state, who, Outcome::Done(receipt)),
            Answer::Refused { confirmed } => {
                let result = match confirmed || self.design.refusals_are_final {
                    true => Outcome::Failed,
                    false => Outcome::Unknown,
                };
                self.conclude(state, who, result);
            }
            Answer::OtherContent | Answer::NoKey => self.conclude(state, who, Outcome::Failed),
            Answer::InUse if self.design.in_use_is_failed => {
                self.conclude(state, who, Outcome::Failed);
            }
            Answer::InUse => self.ambiguous(state, who),
            Answer::ServerError => {
                let burns = self.design.gateway == Gateway::FirstAnswer && call.key != Key::None;
                state.actors[who].burnt |= burns;
                self.ambiguous(state, who);
            }
            Answer::NotFound => self.take_not_found(state, who, call.operation),
        }
    }

    fn take_not_found(&self, state: &mut State, who: usize, operation: Operation) {
        let can_never_come =
            self.is_key_too_old(state, operation) && !self.design.gateway.is_home_made();
        match state.actors[who].burnt || can_never_come {
            true => self.conclude(state, who, Outcome::Failed),
            false => self.pass_on(state, who),
        }
    }

    fn hear_late(&self, state: &mut State, who: usize, operation: Operation, answer: Answer) {
        let result = match answer {
            Answer::Done(receipt) => Outcome::Done(receipt),
            Answer::Refused { confirmed: true } => Outcome::Failed,
            _ => return,
        };
        match state.actors[who].task {
            Some(task) if task.operation == operation => {
                state.calls.are_no_longer_awaited_by(who);
                self.conclude(state, who, result);
            }
            Some(_) => {}
            None => {
                let status = self.view(state, who).status(operation);
                if self.is_late_news(status, result) {
                    self.settle(state, who, operation, result);
                }
            }
        }
    }

    fn is_late_news(&self, status: Status, result: Outcome) -> bool {
        match (status, result) {
            (Status::Completed(_), _) => false,
            (Status::Failed, Outcome::Done(_)) => !self.design.refusals_are_final,
            (_, Outcome::Done(_)) => true,
            (status, _) => status.is_open(),
        }
    }

    /// Begins to write down a result that is known without asking.
    pub(super) fn settle(
        &self,
        state: &mut State,
        who: usize,
        operation: Operation,
        result: Outcome,
    ) {
        let task = Task {
            result: Some(result),
            ..Task::new(operation, Plan::Settle)
        };
        self.begin(state, who, task);
    }

    pub(super) fn time_out(&self, state: &mut State, who: usize) {
        state.calls.are_no_longer_awaited_by(who);
        self.ambiguous(state, who);
    }
}
