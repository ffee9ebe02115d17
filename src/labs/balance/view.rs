//! The state in labels: figures, tables, buttons, and the laws tried on it.

use super::settings::{Balance, Keep, Meaning, Operation, Step, Workers};
use super::state::{Answer, Asked, Life, Receipt, State, Task, WorkerId};
use super::{Action, WORKERS, text};
use crate::lab::{Entry, Figure, Law, NextStep, Picture, Table};
use crate::machine::{Arg, Durability, Fault, Label, Lane, LaneId, Machine, Text};

pub const CLIENT: LaneId = 0;
pub const STORE: LaneId = 3;

pub fn lane_of(worker: WorkerId) -> LaneId {
    1 + worker
}

pub fn number(value: i64) -> Arg {
    Arg::Number(value)
}

pub fn answer(answer: Answer) -> Label {
    match answer {
        Answer::Applied(balance) => text::ANSWER_APPLIED.with([number(balance)]),
        Answer::Superseded(balance) => text::ANSWER_SUPERSEDED.with([number(balance)]),
        Answer::Accepted => text::ANSWER_ACCEPTED.label(),
        Answer::Insufficient => text::ANSWER_INSUFFICIENT.label(),
        Answer::Overflow => text::ANSWER_OVERFLOW.label(),
        Answer::Conflict => text::ANSWER_CONFLICT.label(),
    }
}

fn step(step: Step) -> Text {
    match step {
        Step::Lock => text::STEP_LOCK,
        Step::LookUp => text::STEP_LOOK_UP,
        Step::Compute => text::STEP_COMPUTE,
        Step::Begin => text::STEP_BEGIN,
        Step::Register => text::STEP_REGISTER,
        Step::Write => text::STEP_WRITE,
        Step::Commit => text::STEP_COMMIT,
        Step::Unlock => text::STEP_UNLOCK,
        Step::Reply => text::STEP_REPLY,
    }
}

impl Balance {
    pub(super) fn all_lanes(&self) -> Vec<Lane> {
        let worker = |worker: WorkerId, present: bool| Lane {
            name: self.worker_label(worker),
            durability: Durability::Volatile,
            present,
        };
        vec![
            Lane {
                name: text::LANE_CLIENT.label(),
                durability: Durability::Outside,
                present: true,
            },
            worker(0, true),
            worker(1, self.workers != Workers::One),
            Lane {
                name: text::LANE_STORE.label(),
                durability: Durability::Durable,
                present: true,
            },
        ]
    }

    fn worker_label(&self, worker: WorkerId) -> Label {
        let letter = Arg::Typed(["A", "B"][worker as usize].into());
        match self.workers {
            Workers::Threads => text::LANE_THREAD.with([letter]),
            Workers::One | Workers::Processes => text::LANE_PROCESS.with([letter]),
        }
    }

    pub(super) fn operation_label(&self, operation: u8) -> Label {
        let Operation { id, delta } = &self.operations[operation as usize];
        let id = Arg::Typed(id.clone());
        match self.meaning {
            Meaning::Add => text::ADD.with([id, Arg::Signed(*delta)]),
            Meaning::Set | Meaning::SetVersioned => {
                let version = self.same_operation(operation) + 1;
                text::SET.with([id, number(*delta), number(version.into())])
            }
        }
    }

    pub(super) fn action_label(&self, state: &State, action: Action) -> Label {
        let worker = |id: WorkerId| Arg::Label(self.worker_label(id));
        match action {
            Action::Step(id) => {
                let next = state.tasks[id as usize].map(|task| self.handler[task.next as usize]);
                let words = next.map_or(text::NOTHING, step);
                text::ACTION_STEP.with([words.into(), worker(id)])
            }
            Action::Restart(id) => text::ACTION_RESTART.with([worker(id)]),
            Action::Deliver {
                operation,
                worker: id,
            } => {
                let words = match self.fault(state, action) {
                    Some(Fault::Duplicate) => text::ACTION_DUPLICATE,
                    Some(Fault::Reorder) => text::ACTION_REORDER,
                    Some(Fault::OtherContent) => text::ACTION_OTHER_CONTENT,
                    _ if state.client[operation as usize] == Asked::Waiting => text::ACTION_RETRY,
                    _ => text::ACTION_SEND,
                };
                words.with([self.operation_label(operation).into(), worker(id)])
            }
            Action::Crash(id) => text::ACTION_CRASH.with([worker(id)]),
            Action::LoseReply(id) => text::ACTION_LOSE_REPLY.with([worker(id)]),
            Action::SecondProcess => text::ACTION_SECOND_PROCESS.label(),
        }
    }

    pub(super) fn draw(&self, state: &State) -> Picture {
        let next = |worker: WorkerId| {
            let task = state.tasks[worker as usize]?;
            let step = self.handler[task.next as usize] as u8;
            Some(NextStep {
                lane: lane_of(worker),
                step,
            })
        };
        // What lasts stands above what a crash erases.
        let mut tables = vec![self.client_table(state), self.store_table(state)];
        let workers = WORKERS.into_iter();
        let started = workers.clone().filter(|worker| {
            let process = self.process_of(*worker);
            state.processes[process as usize].life != Life::NotStarted
        });
        tables.extend(started.map(|worker| self.worker_table(state, worker)));
        Picture {
            truth: self.truth(state),
            belief: self.client_belief(state),
            reason: self.reason(state, self.judge(state)),
            tables,
            next_steps: workers.filter_map(next).collect(),
        }
    }

    fn truth(&self, state: &State) -> Figure {
        let total = self
            .books(state)
            .fold(0, |sum: i64, a| sum.saturating_add(a.balance));
        let id = |operation: u8| Arg::Typed(self.operations[operation as usize].id.clone());
        let repeated = self.distinct().find(|o| self.times_applied(state, *o) > 1);
        let missing = self.distinct().find(|o| self.is_lost(state, *o));
        let detail = match (repeated, missing) {
            (Some(operation), _) => {
                let times = self.times_applied(state, operation);
                text::TRUTH_REPEATED.with([id(operation), number(times.into())])
            }
            (None, Some(operation)) => text::TRUTH_MISSING.with([id(operation)]),
            (None, None) => {
                let sent = |o: &u8| state.client[*o as usize] != Asked::NotSent;
                let contained = |o: &u8| sent(o) && self.times_applied(state, *o) > 0;
                let count = |n: usize| number(n as i64);
                text::TRUTH_CONTAINS.with([
                    count(self.distinct().filter(contained).count()),
                    count(self.distinct().filter(sent).count()),
                ])
            }
        };
        Figure {
            value: text::NUMBER.with([number(total)]),
            detail,
        }
    }

    /// The balance that the client expects from the successes that it was told.
    fn client_belief(&self, state: &State) -> Figure {
        let asked = || state.client[..self.operations.len()].iter();
        let answered = asked()
            .filter(|asked| matches!(asked, Asked::Told(_)))
            .count();
        let waiting = asked().filter(|asked| **asked == Asked::Waiting).count();
        let told = |operation: &u8| match state.client[*operation as usize] {
            Asked::Told(answer) => answer.is_success(),
            Asked::NotSent | Asked::Waiting => false,
        };
        let delta = |operation: u8| self.operations[operation as usize].delta;
        let expected = match self.meaning {
            Meaning::Add => {
                let sum: i128 = self
                    .distinct()
                    .filter(told)
                    .map(|o| i128::from(delta(o)))
                    .sum();
                sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64
            }
            Meaning::Set | Meaning::SetVersioned => {
                self.distinct().filter(told).last().map_or(0, delta)
            }
        };
        Figure {
            value: text::NUMBER.with([number(expected)]),
            detail: text::BELIEF_ANSWERS.with([number(answered as i64), number(waiting as i64)]),
        }
    }

    fn client_table(&self, state: &State) -> Table {
        let entries = (0..self.operations.len() as u8).map(|operation| Entry {
            name: self.operation_label(operation),
            value: match state.client[operation as usize] {
                Asked::NotSent => text::ASKED_NOT_SENT.label(),
                Asked::Waiting => text::ASKED_WAITING.label(),
                Asked::Told(told) => answer(told),
            },
        });
        Table {
            lane: CLIENT,
            durability: Durability::Outside,
            gone: false,
            entries: entries.collect(),
        }
    }

    fn worker_table(&self, state: &State, worker: WorkerId) -> Table {
        let task = state.tasks[worker as usize].as_ref();
        let nothing = || text::NOTHING.label();
        let entry = |name: Text, value: Option<Label>| Entry {
            name: name.label(),
            value: value.unwrap_or_else(nothing),
        };
        let plan = |task: &Task| match (task.decided, task.plan) {
            (Some(decided), _) => Some(answer(decided)),
            (None, Some(plan)) => Some(text::NUMBER.with([number(plan.balance)])),
            (None, None) => None,
        };
        let mut entries = vec![
            entry(
                text::ENTRY_WORKS_ON,
                task.map(|task| self.operation_label(task.operation)),
            ),
            entry(text::ENTRY_PLAN, task.and_then(plan)),
        ];
        if self.handler.contains(&Step::Lock) {
            let holds = task.is_some_and(|task| task.holds_lock);
            entries.push(entry(
                text::ENTRY_LOCK,
                holds.then(|| text::VALUE_HELD.label()),
            ));
        }
        if self.handler.contains(&Step::Begin) {
            entries.push(entry(text::ENTRY_STAGED, task.and_then(staged)));
        }
        let memory = &state.processes[self.process_of(worker) as usize].memory;
        if self.balance == Keep::Memory {
            entries.push(Entry {
                name: text::ENTRY_BALANCE.label(),
                value: text::NUMBER.with([number(memory.account.balance)]),
            });
        }
        if self.receipts == Keep::Memory {
            entries.extend(self.receipt_entries(&memory.receipts));
        }
        Table {
            lane: lane_of(worker),
            durability: Durability::Volatile,
            gone: !self.is_alive(state, worker),
            entries,
        }
    }

    fn store_table(&self, state: &State) -> Table {
        let mut entries = Vec::new();
        let account = &state.store.account;
        if self.balance == Keep::Store {
            entries.push(Entry {
                name: text::ENTRY_BALANCE.label(),
                value: match self.meaning {
                    Meaning::SetVersioned => text::VALUE_VERSIONED
                        .with([number(account.balance), number(account.version.into())]),
                    Meaning::Add | Meaning::Set => text::NUMBER.with([number(account.balance)]),
                },
            });
        }
        if self.receipts == Keep::Store {
            entries.extend(self.receipt_entries(&state.store.receipts));
        }
        Table {
            lane: STORE,
            durability: Durability::Durable,
            gone: false,
            entries,
        }
    }

    /// A line for each key under which a receipt can stand, so that lines never move.
    fn receipt_entries(&self, receipts: &[Option<Receipt>]) -> Vec<Entry> {
        if !self.handler.contains(&Step::Register) {
            return Vec::new();
        }
        let all = 0..self.operations.len() as u8;
        let keys = all.filter(|operation| self.receipt_key(*operation) == *operation);
        let entry = |key: u8| Entry {
            name: text::ENTRY_RECEIPT.with([Arg::Typed(self.operations[key as usize].id.clone())]),
            value: match receipts[key as usize] {
                None => text::NOTHING.label(),
                Some(receipt) => {
                    let delta = self.operations[receipt.operation as usize].delta;
                    text::VALUE_RECEIPT.with([Arg::Signed(delta), answer(receipt.answer).into()])
                }
            },
        };
        keys.map(entry).collect()
    }

    /// f(f(S,e),e) = f(S,e), tried with every operation as e. S is the state after everything that
    /// is under way has been finished, since a law about whole applications says nothing in the
    /// middle of one.
    pub(super) fn try_laws(&self, state: &State) -> Vec<Law> {
        let mut settled = state.clone();
        let settles = self.finish(&mut settled);
        let law = |operation: u8| {
            let mut once = settled.clone();
            let mut tried = settles && self.apply_whole(&mut once, operation);
            let mut twice = once.clone();
            tried = tried && self.apply_whole(&mut twice, operation);
            let total = |state: &State| {
                let sum = self
                    .books(state)
                    .fold(0, |sum: i64, a| sum.saturating_add(a.balance));
                text::NUMBER.with([number(sum)])
            };
            Law {
                subject: self.operation_label(operation),
                chain: vec![total(&settled), total(&once), total(&twice)],
                holds: tried.then(|| records(&once) == records(&twice)),
            }
        };
        self.distinct().map(law).collect()
    }

    /// Delivers an operation and lets everybody finish. `false` if somebody is blocked for good.
    fn apply_whole(&self, state: &mut State, operation: u8) -> bool {
        self.step(
            state,
            Action::Deliver {
                operation,
                worker: 0,
            },
            &mut (),
        );
        self.finish(state)
    }

    fn finish(&self, state: &mut State) -> bool {
        if state.processes[0].life == Life::Down {
            self.step(state, Action::Restart(0), &mut ());
        }
        let can_step = |state: &State| {
            let ready =
                |w: &WorkerId| state.tasks[*w as usize].is_some() && !self.is_blocked(state, *w);
            WORKERS.into_iter().find(ready)
        };
        while let Some(worker) = can_step(state) {
            self.step(state, Action::Step(worker), &mut ());
        }
        state.tasks.iter().all(Option::is_none)
    }
}

fn staged(task: &Task) -> Option<Label> {
    if !task.in_transaction {
        return None;
    }
    Some(match (task.staged_receipt, task.staged_account) {
        (Some(_), Some(account)) => text::VALUE_STAGED_BOTH.with([number(account.balance)]),
        (Some(_), None) => text::VALUE_STAGED_RECEIPT.label(),
        (None, Some(account)) => text::VALUE_STAGED_BALANCE.with([number(account.balance)]),
        (None, None) => text::VALUE_STAGED_EMPTY.label(),
    })
}

/// What the law compares: balances, versions and receipts, wherever they are kept.
fn records(state: &State) -> impl PartialEq {
    let ledgers = [
        &state.store,
        &state.processes[0].memory,
        &state.processes[1].memory,
    ];
    ledgers.map(|ledger| {
        (
            ledger.account.balance,
            ledger.account.version,
            ledger.receipts,
        )
    })
}
