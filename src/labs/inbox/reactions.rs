//! What a consumer makes of the database's answers.

use super::consumer::{advance, follow, open_conn};
use super::database::{Answer, Applied, Error, Receipt, Statement, Status};
use super::settings::{Change, Exceptions, Inbox, NoRow, Place, Progress, Violations};
use super::state::{ConsumerId, Plan, State, Task, Told, Work, other_conn};

/// What goes wrong inside the callback of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The key of the receipt is there.
    KeyTaken,
    /// Another constraint is violated.
    OtherConstraint,
    /// A deadlock, or somebody else was quicker: run again, and it may work.
    Transient,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        match error {
            Error::UniqueViolation => Problem::KeyTaken,
            Error::CheckViolation => Problem::OtherConstraint,
            Error::InFailedTransaction | Error::Deadlock => Problem::Transient,
        }
    }
}

impl Inbox {
    /// What a consumer makes of the answer to its statement.
    pub(super) fn hear(&self, state: &mut State, id: ConsumerId, step: Work, answer: Answer) {
        if let Answer::Error(error) = answer {
            return self.throw(state, id, error.into());
        }
        match (step, answer) {
            (Work::Begin, _) => {
                if self.place == Place::OtherDatabase {
                    state.database.execute(other_conn(id), Statement::Begin);
                }
                advance(state, id);
            }
            (Work::Look, Answer::Receipt(None)) => advance(state, id),
            // It has gone in the meantime: rolled back, or deleted.
            (Work::Read, Answer::Receipt(None)) => follow(state, id, Plan::Again),
            (_, Answer::Receipt(Some(receipt))) => self.judge_receipt(state, id, receipt),
            (Work::Register, Answer::Receipt(None)) => self.miss(state, id, NoRow::Absent),
            (Work::Register, Answer::Rows(0)) => self.miss(state, id, self.no_row),
            (Work::Register, _) => {
                if let Some(task) = &mut state.consumer_mut(id).task {
                    task.token = task.takes_over.map_or(1, |token| token + 1);
                }
                advance(state, id);
            }
            (Work::Change, answer) => self.go_on_changing(state, id, answer),
            // The lease has been taken over: the work of this consumer must not count.
            (Work::Result, Answer::Rows(0)) if self.progress == Progress::LeaseFenced => {
                self.throw(state, id, Problem::Transient);
            }
            (Work::Result, _) => advance(state, id),
            // Nobody is told that it was rolled back, unless the transaction manager asks.
            (Work::Commit, Answer::Done) if is_rollback_only(state, id) => {
                follow(state, id, Plan::GiveBack);
            }
            // Two databases have two commits.
            (Work::Commit | Work::Close, _) if open_conn(state, id).is_some() => {}
            _ => advance(state, id),
        }
    }

    fn go_on_changing(&self, state: &mut State, id: ConsumerId, answer: Answer) {
        let Some(task) = &mut state.consumer_mut(id).task else {
            return;
        };
        match answer {
            Answer::Row(row) => task.job.read = row,
            // The row has another version by now.
            Answer::Rows(0) if self.change == Change::SetVersioned => {
                return self.throw(state, id, Problem::Transient);
            }
            Answer::Rows(0) if self.change.reserves() => task.tells = Told::Refused,
            _ => {}
        }
        task.job.part += 1;
        if self.change_statement(&task.job).is_none() {
            advance(state, id);
        }
    }

    /// A receipt was found: what it says is what the sender is told.
    fn judge_receipt(&self, state: &mut State, id: ConsumerId, receipt: Receipt) {
        let Some(task) = state.consumer(id).task else {
            return;
        };
        let is_same = self.is_same_content(&receipt, state.message(task.message), task.event());
        match receipt.status {
            _ if !is_same => self.skip(state, id, Told::Conflict),
            Status::Done => {
                let result = receipt.result.unwrap_or(Applied::Yes);
                self.skip(state, id, result.into());
            }
            Status::InProgress {
                token,
                lease_is_over: true,
            } => self.take_over(state, id, token),
            Status::InProgress { .. } => follow(state, id, Plan::BackOff),
        }
    }

    /// Begins anew with the receipt, as whoever takes the lease over.
    fn take_over(&self, state: &mut State, id: ConsumerId, token: u8) {
        let steps = &self.handler;
        let place = steps.iter().position(|step| *step == Work::Register);
        let (Some(place), Some(task)) = (place, &mut state.consumer_mut(id).task) else {
            return follow(state, id, Plan::BackOff);
        };
        *task = Task {
            next: place as u8,
            takes_over: Some(token),
            ..Task::new(task.message)
        };
    }

    fn skip(&self, state: &mut State, id: ConsumerId, tells: Told) {
        if let Some(task) = &mut state.consumer_mut(id).task {
            task.tells = tells;
        }
        follow(state, id, Plan::Skip);
    }

    /// No row was inserted.
    fn miss(&self, state: &mut State, id: ConsumerId, taken_for: NoRow) {
        match taken_for {
            NoRow::Read => follow(state, id, Plan::Read),
            NoRow::Fresh => advance(state, id),
            NoRow::Absent => self.skip(state, id, Told::Failed),
        }
    }

    /// An exception inside the callback.
    pub(super) fn throw(&self, state: &mut State, id: ConsumerId, problem: Problem) {
        let Some(task) = &mut state.consumer_mut(id).task else {
            return;
        };
        if task.plan != Plan::Handler {
            return follow(state, id, Plan::GiveBack);
        }
        match (self.exceptions, problem) {
            (Exceptions::Swallowed | Exceptions::RollbackOnly, _) => {
                task.is_rollback_only = self.exceptions == Exceptions::RollbackOnly;
                let steps = &self.handler;
                let is_left = |next: u8| {
                    steps
                        .get(usize::from(next))
                        .is_some_and(|s| s.is_in_callback())
                };
                while is_left(task.next) {
                    task.next += 1;
                }
            }
            (Exceptions::RolledBack, Problem::Transient) => follow(state, id, Plan::Again),
            (Exceptions::RolledBack, problem) => match (self.violations, problem) {
                (Violations::Duplicate, _) => self.skip(state, id, Told::Done),
                (Violations::Classified, Problem::KeyTaken) => {
                    follow(state, id, Plan::ReadAnew);
                }
                (Violations::SameTransaction, Problem::KeyTaken) => follow(state, id, Plan::Read),
                _ => follow(state, id, Plan::GiveBack),
            },
        }
    }
}

fn is_rollback_only(state: &State, id: ConsumerId) -> bool {
    let task = state.consumer(id).task;
    task.is_some_and(|task| task.is_rollback_only)
}
