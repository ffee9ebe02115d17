//! What each step of the handler does.

use super::settings::{Balance, Keep, Lock, Meaning, Refusals, Step};
use super::state::{Account, Answer, Asked, Receipt, State, Task, WorkerId};
use super::text;
use super::view::{self, CLIENT, STORE, lane_of};
use crate::machine::{Effect, Label, Mark, Observer, Text};

impl Balance {
    /// A worker takes the next step of its handler.
    pub(super) fn work(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        let Some(task) = state.tasks[worker as usize] else {
            return;
        };
        match self.handler[task.next as usize] {
            Step::Lock => self.lock(state, worker, observer),
            Step::LookUp => self.look_up(state, worker, observer),
            Step::Compute => self.compute(state, worker, observer),
            Step::Begin => begin(task_of(state, worker), worker, observer),
            Step::Register => self.register(state, worker, observer),
            Step::Write => self.write(state, worker, observer),
            Step::Commit => self.commit(state, worker, observer),
            Step::Unlock => self.unlock(state, worker, observer),
            Step::Reply => self.reply(state, worker, true, observer),
        }
        self.advance(state, worker);
    }

    fn lock(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        *self.lock_owner(state, worker) = Some(worker);
        task_of(state, worker).holds_lock = true;
        self.mark_lock(worker, text::EFFECT_LOCK, observer);
    }

    fn unlock(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        *self.lock_owner(state, worker) = None;
        task_of(state, worker).holds_lock = false;
        self.mark_lock(worker, text::EFFECT_UNLOCK, observer);
    }

    /// A receipt decides at once: the same operation gets its original answer, another operation
    /// under the same key is a conflict.
    fn look_up(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        let operation = task_of(state, worker).operation;
        let found = self.receipts(state, worker)[self.receipt_key(operation) as usize];
        let decided = found.map(|receipt| {
            let wanted = self.operations[operation as usize].delta;
            match self.operations[receipt.operation as usize].delta == wanted {
                true => receipt.answer,
                false => Answer::Conflict,
            }
        });
        let task = task_of(state, worker);
        task.decided = decided;
        task.found_receipt = decided.is_some();
        self.read(self.receipts, worker, observer, || match decided {
            None => text::EFFECT_NO_RECEIPT.label(),
            Some(Answer::Conflict) => text::EFFECT_RECEIPT_CONFLICT.label(),
            Some(answer) => text::EFFECT_RECEIPT.with([view::answer(answer).into()]),
        });
    }

    /// Reads the balance and checks everything before anything is changed.
    fn compute(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        let before = self.current(state, worker);
        let operation = task_of(state, worker).operation;
        let planned = self.plan(&before, operation);
        let task = task_of(state, worker);
        match planned {
            Ok(plan) => task.plan = Some(plan),
            Err(refusal) => task.decided = Some(refusal),
        }
        self.read(self.balance, worker, observer, || {
            let read = view::number(before.balance);
            match planned {
                Ok(plan) => text::EFFECT_COMPUTE.with([read, view::number(plan.balance)]),
                Err(refusal) => text::EFFECT_REFUSE.with([read, view::answer(refusal).into()]),
            }
        });
    }

    /// Writes the receipt. A handler that has not computed the new balance yet does it here.
    fn register(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        self.make_plan(state, worker);
        let task = *task_of(state, worker);
        let answer = match (task.decided, task.plan) {
            (Some(refusal), _) if self.refusals == Refusals::Forgotten => {
                return observer.see(|| refused(worker, refusal));
            }
            (Some(refusal), _) => refusal,
            (None, Some(plan)) => Answer::Applied(plan.balance),
            (None, None) => unreachable!("a plan is made, or the operation refused"),
        };
        let receipt = Receipt {
            operation: self.same_operation(task.operation),
            answer,
        };
        let key = self.receipt_key(task.operation);
        let staged = task.in_transaction && self.receipts == Keep::Store;
        if staged {
            task_of(state, worker).staged_receipt = Some((key, receipt));
        } else {
            self.receipts_mut(state, worker)[key as usize] = Some(receipt);
        }
        let mark = match (staged, self.receipts) {
            (true, _) => Mark::Staged,
            (false, Keep::Store) => Mark::Durable,
            (false, Keep::Memory) => Mark::Volatile,
        };
        self.wrote(self.receipts, mark, worker, observer, || {
            text::EFFECT_REGISTER.with([view::answer(answer).into()])
        });
    }

    /// Writes the new balance: the one that was computed, however old it is. A handler that has
    /// not computed it yet reads, computes and writes in this one step.
    fn write(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        self.make_plan(state, worker);
        let task = *task_of(state, worker);
        let current = self.current(state, worker);
        let Some(plan) = task.plan.filter(|_| task.decided.is_none()) else {
            let refusal = task.decided.expect("a refusal where no plan is made");
            return observer.see(|| refused(worker, refusal));
        };
        if self.meaning == Meaning::SetVersioned && plan.version < current.version {
            let answer = Answer::Superseded(current.balance);
            task_of(state, worker).decided = Some(answer);
            return observer.see(|| refused(worker, answer));
        }
        let staged = task.in_transaction && self.balance == Keep::Store;
        if staged {
            task_of(state, worker).staged_account = Some(plan);
        } else {
            *self.account_mut(state, worker) = plan;
        }
        let mark = match staged {
            true => Mark::Staged,
            false => balance_mark(&current, &plan),
        };
        self.wrote(self.balance, mark, worker, observer, || {
            text::EFFECT_WRITE.with([view::number(plan.balance)])
        });
    }

    /// Makes the staged writes durable, all at once.
    fn commit(&self, state: &mut State, worker: WorkerId, observer: &mut impl Observer) {
        let before = state.store.account;
        let task = task_of(state, worker);
        task.in_transaction = false;
        let receipt = task.staged_receipt.take();
        let account = task.staged_account.take();
        if let Some((key, receipt)) = receipt {
            state.store.receipts[key as usize] = Some(receipt);
        }
        if let Some(account) = account {
            state.store.account = account;
        }
        let mark = account.map_or(Mark::Durable, |after| balance_mark(&before, &after));
        self.wrote(Keep::Store, mark, worker, observer, || {
            match (receipt, account) {
                (Some(_), Some(account)) => {
                    text::EFFECT_COMMIT_BOTH.with([view::number(account.balance)])
                }
                (Some(_), None) => text::EFFECT_COMMIT_RECEIPT.label(),
                (None, Some(account)) => {
                    text::EFFECT_COMMIT_BALANCE.with([view::number(account.balance)])
                }
                (None, None) => text::EFFECT_COMMIT_NOTHING.label(),
            }
        });
    }

    /// Answers the client; `arrives` is false where the reply is lost on its way.
    pub(super) fn reply(
        &self,
        state: &mut State,
        worker: WorkerId,
        arrives: bool,
        observer: &mut impl Observer,
    ) {
        let task = task_of(state, worker);
        let answer = task.decided.unwrap_or(match task.plan {
            Some(plan) => Answer::Applied(plan.balance),
            None => Answer::Accepted,
        });
        let operation = task.operation;
        observer.see(|| Effect::Passed {
            from: lane_of(worker),
            to: CLIENT,
            label: view::answer(answer),
            lost: !arrives,
        });
        if !arrives {
            return;
        }
        let known = &mut state.client[operation as usize];
        // A success stands; a refusal can still turn into one.
        if !matches!(known, Asked::Told(told) if told.is_success()) {
            *known = Asked::Told(answer);
        }
    }

    /// Moves on to the next step that there is something to do for; after the last one the worker
    /// is free, and what was staged and never committed is rolled back.
    pub(super) fn advance(&self, state: &mut State, worker: WorkerId) {
        let task = task_of(state, worker);
        task.next += 1;
        self.skip(state, worker);
    }

    /// Passes over the steps that have nothing to do: once the answer is decided, only what is
    /// open must still be closed.
    pub(super) fn skip(&self, state: &mut State, worker: WorkerId) {
        let task = task_of(state, worker);
        let refused = task.decided.is_some_and(|answer| !answer.is_success());
        let open = |step: &Step| match step {
            Step::Lock | Step::LookUp | Step::Compute | Step::Begin | Step::Write => {
                task.decided.is_none()
            }
            Step::Register => {
                task.decided.is_none()
                    || refused && !task.found_receipt && self.refusals == Refusals::Remembered
            }
            Step::Commit => task.in_transaction,
            Step::Unlock => task.holds_lock,
            Step::Reply => true,
        };
        let rest = &self.handler[task.next as usize..];
        match rest.iter().position(open) {
            Some(skipped) => task.next += skipped as u8,
            None => state.tasks[worker as usize] = None,
        }
    }

    /// Whether a worker must wait: its next step is to take a lock that somebody holds.
    pub(super) fn is_blocked(&self, state: &State, worker: WorkerId) -> bool {
        let takes_lock = |task: &Task| self.handler[task.next as usize] == Step::Lock;
        let owner = match self.lock {
            Lock::Store => state.store_lock,
            Lock::Process => state.processes[self.process_of(worker) as usize].lock,
        };
        owner.is_some()
            && state.tasks[worker as usize]
                .as_ref()
                .is_some_and(takes_lock)
    }

    /// The balance after an operation, or why it is refused. Nothing is changed here.
    fn plan(&self, before: &Account, operation: u8) -> Result<Account, Answer> {
        let number = self.operations[operation as usize].delta;
        let operation = self.same_operation(operation);
        let mut after = *before;
        match self.meaning {
            Meaning::Add => {
                // `i64::MIN` too: added to a balance that is not negative it cannot overflow.
                after.balance = match before.balance.checked_add(number) {
                    None => return Err(Answer::Overflow),
                    Some(balance) if balance < 0 => return Err(Answer::Insufficient),
                    Some(balance) => balance,
                };
                let times = &mut after.applied[operation as usize];
                *times = times.saturating_add(1);
            }
            Meaning::Set | Meaning::SetVersioned => {
                if number < 0 {
                    return Err(Answer::Insufficient);
                }
                after.balance = number;
                after.version = operation + 1;
                // A state contains every older version, and none of the newer ones.
                for (index, one) in self.operations.iter().enumerate() {
                    let contained = index <= operation as usize && one.delta >= 0;
                    after.applied[index] = u16::from(contained);
                }
            }
        }
        Ok(after)
    }

    fn make_plan(&self, state: &mut State, worker: WorkerId) {
        let before = self.current(state, worker);
        let task = task_of(state, worker);
        if task.plan.is_none() && task.decided.is_none() {
            match self.plan(&before, task.operation) {
                Ok(plan) => task.plan = Some(plan),
                Err(refusal) => task.decided = Some(refusal),
            }
        }
    }

    /// The balance as a worker sees it: its own staged write, else what everybody sees.
    fn current(&self, state: &State, worker: WorkerId) -> Account {
        let task = state.tasks[worker as usize].as_ref();
        let staged = task.and_then(|task| task.staged_account);
        staged.unwrap_or(*self.account(state, worker))
    }

    fn lock_owner<'s>(&self, state: &'s mut State, worker: WorkerId) -> &'s mut Option<WorkerId> {
        match self.lock {
            Lock::Store => &mut state.store_lock,
            Lock::Process => &mut state.processes[self.process_of(worker) as usize].lock,
        }
    }

    fn mark_lock(&self, worker: WorkerId, what: Text, observer: &mut impl Observer) {
        let place = match self.lock {
            Lock::Store => text::LOCK_IN_STORE,
            Lock::Process => text::LOCK_IN_PROCESS,
        };
        observer.see(|| Effect::Marked {
            lane: lane_of(worker),
            mark: Mark::Note,
            label: Some(what.with([place.into()])),
        });
    }

    /// A read is an arrow from the store, or a note beside the worker that reads its own memory.
    fn read(
        &self,
        place: Keep,
        worker: WorkerId,
        observer: &mut impl Observer,
        label: impl FnOnce() -> Label,
    ) {
        match place {
            Keep::Store => observer.see(|| Effect::Passed {
                from: STORE,
                to: lane_of(worker),
                label: label(),
                lost: false,
            }),
            Keep::Memory => observer.see(|| Effect::Marked {
                lane: lane_of(worker),
                mark: Mark::Note,
                label: Some(label()),
            }),
        }
    }

    /// A write is an arrow to the store with a mark there, or a mark beside the worker that writes
    /// to its own memory.
    fn wrote(
        &self,
        place: Keep,
        mark: Mark,
        worker: WorkerId,
        observer: &mut impl Observer,
        label: impl FnOnce() -> Label,
    ) {
        match place {
            Keep::Store => {
                observer.see(|| Effect::Passed {
                    from: lane_of(worker),
                    to: STORE,
                    label: label(),
                    lost: false,
                });
                observer.see(|| Effect::Marked {
                    lane: STORE,
                    mark,
                    label: None,
                });
            }
            Keep::Memory => observer.see(|| Effect::Marked {
                lane: lane_of(worker),
                mark,
                label: Some(label()),
            }),
        }
    }
}

/// Whether a write of the balance does what it should, or counts an operation twice or erases one.
fn balance_mark(before: &Account, after: &Account) -> Mark {
    let mut times = before.applied.iter().zip(&after.applied);
    match times.any(|(before, after)| after < before || *after > 1 && after > before) {
        true => Mark::Harm,
        false => Mark::Applied,
    }
}

fn begin(task: &mut Task, worker: WorkerId, observer: &mut impl Observer) {
    task.in_transaction = true;
    observer.see(|| Effect::Marked {
        lane: lane_of(worker),
        mark: Mark::Note,
        label: Some(text::EFFECT_BEGIN.label()),
    });
}

fn refused(worker: WorkerId, answer: Answer) -> Effect {
    Effect::Marked {
        lane: lane_of(worker),
        mark: Mark::Refused,
        label: Some(view::answer(answer)),
    }
}

/// The task of a worker that is at work.
fn task_of(state: &mut State, worker: WorkerId) -> &mut Task {
    let task = &mut state.tasks[worker as usize];
    task.as_mut().expect("a worker with a task takes its steps")
}
