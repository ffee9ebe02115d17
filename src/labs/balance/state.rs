//! What the world of the ledger consists of, and which half of it a crash erases.

use super::settings::{Balance, Keep, OPERATIONS_MAX, Workers};

/// A value for every operation that a person can type.
pub type Each<T> = [T; OPERATIONS_MAX];

/// Worker (and process) number 0 or 1; `a` and `b` on the page.
pub type WorkerId = u8;
pub type ProcessId = u8;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Durable: kept in the store.
    pub store: Ledger,
    /// Who holds the lock in the store.
    pub store_lock: Option<WorkerId>,
    /// Volatile: what each process holds in memory.
    pub processes: [Process; 2],
    /// Volatile: what each worker is doing.
    pub tasks: [Option<Task>; 2],
    /// Outside: what the client knows of each operation.
    pub client: Each<Asked>,
}

/// The balance and its receipts. One copy is in the store, one in the memory of each process; the
/// settings say which copy is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    pub account: Account,
    /// By receipt key.
    pub receipts: Each<Option<Receipt>>,
}

/// A balance together with what it is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Account {
    pub balance: i64,
    /// The newest version that was set; 0 before the first.
    pub version: u8,
    /// How many times each operation is contained in the balance. No real ledger has this; it is
    /// the truth by which the run is judged, and it travels with the number: whoever overwrites
    /// the balance overwrites it too.
    pub applied: Each<u16>,
}

/// What was done under a key. Never changed once it is written, by a correct design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Receipt {
    /// The operation that was done, and with it its number.
    pub operation: u8,
    pub answer: Answer,
}

/// What the client is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Done; the balance right after it.
    Applied(i64),
    /// A newer version was set already; the balance as it stands.
    Superseded(i64),
    /// Done, says a handler that answers before it knows.
    Accepted,
    /// The balance would become negative.
    Insufficient,
    /// The balance would not fit 64 bits.
    Overflow,
    /// The id was used for something else.
    Conflict,
}

impl Answer {
    pub fn is_success(self) -> bool {
        matches!(
            self,
            Answer::Applied(_) | Answer::Superseded(_) | Answer::Accepted
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    pub life: Life,
    pub memory: Ledger,
    /// Which of its threads holds the lock in its memory.
    pub lock: Option<WorkerId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    NotStarted,
    Up,
    Down,
}

/// A delivery that a worker is handling: its local variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    pub operation: u8,
    /// Which step of the handler comes next, by its place in the handler.
    pub next: u8,
    /// The new balance that was computed.
    pub plan: Option<Account>,
    /// The answer, where it is known before the work is done: a stored one, or a refusal.
    pub decided: Option<Answer>,
    /// Whether the answer was read from a receipt, so that none must be written.
    pub found_receipt: bool,
    pub in_transaction: bool,
    /// Writes to the store that wait for the commit: a receipt under its key, and the balance.
    pub staged_receipt: Option<(u8, Receipt)>,
    pub staged_account: Option<Account>,
    pub holds_lock: bool,
}

/// What the client knows of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Asked {
    #[default]
    NotSent,
    /// Sent at least once; no answer yet.
    Waiting,
    Told(Answer),
}

impl Process {
    const fn new(life: Life) -> Process {
        const NOTHING: Ledger = Ledger {
            account: Account {
                balance: 0,
                version: 0,
                applied: [0; OPERATIONS_MAX],
            },
            receipts: [None; OPERATIONS_MAX],
        };
        Process {
            life,
            memory: NOTHING,
            lock: None,
        }
    }

    /// A crash: everything in memory is gone.
    pub fn crash(&mut self) {
        *self = Process::new(Life::Down);
    }
}

impl State {
    pub fn initial(lab: &Balance) -> State {
        let second = match lab.workers {
            Workers::Processes => Life::Up,
            Workers::One | Workers::Threads => Life::NotStarted,
        };
        State {
            store: Ledger::default(),
            store_lock: None,
            processes: [Process::new(Life::Up), Process::new(second)],
            tasks: [None; 2],
            client: [Asked::NotSent; OPERATIONS_MAX],
        }
    }
}

impl Balance {
    /// The process in which a worker runs.
    pub fn process_of(&self, worker: WorkerId) -> ProcessId {
        match self.workers {
            Workers::Threads => 0,
            Workers::One | Workers::Processes => worker,
        }
    }

    pub fn is_alive(&self, state: &State, worker: WorkerId) -> bool {
        state.processes[self.process_of(worker) as usize].life == Life::Up
    }

    /// The copy of the balance that a worker reads and writes.
    pub fn account<'s>(&self, state: &'s State, worker: WorkerId) -> &'s Account {
        match self.balance {
            Keep::Store => &state.store.account,
            Keep::Memory => {
                &state.processes[self.process_of(worker) as usize]
                    .memory
                    .account
            }
        }
    }

    pub fn account_mut<'s>(&self, state: &'s mut State, worker: WorkerId) -> &'s mut Account {
        match self.balance {
            Keep::Store => &mut state.store.account,
            Keep::Memory => {
                &mut state.processes[self.process_of(worker) as usize]
                    .memory
                    .account
            }
        }
    }

    /// The copy of the receipts that a worker reads and writes.
    pub fn receipts<'s>(&self, state: &'s State, worker: WorkerId) -> &'s Each<Option<Receipt>> {
        match self.receipts {
            Keep::Store => &state.store.receipts,
            Keep::Memory => {
                &state.processes[self.process_of(worker) as usize]
                    .memory
                    .receipts
            }
        }
    }

    pub fn receipts_mut<'s>(
        &self,
        state: &'s mut State,
        worker: WorkerId,
    ) -> &'s mut Each<Option<Receipt>> {
        match self.receipts {
            Keep::Store => &mut state.store.receipts,
            Keep::Memory => {
                &mut state.processes[self.process_of(worker) as usize]
                    .memory
                    .receipts
            }
        }
    }

    /// Every copy of the balance that counts: the one in the store, or one in each memory.
    pub fn books<'s>(&self, state: &'s State) -> impl Iterator<Item = &'s Account> {
        let (store, memories) = match self.balance {
            Keep::Store => (Some(&state.store.account), None),
            Keep::Memory => (None, Some(&state.processes)),
        };
        store
            .into_iter()
            .chain(memories.into_iter().flatten().map(|p| &p.memory.account))
    }

    /// How many times an operation is contained in the books.
    pub fn times_applied(&self, state: &State, operation: u8) -> u32 {
        let times = |account: &Account| u32::from(account.applied[operation as usize]);
        self.books(state).map(times).sum()
    }

    /// Whether some worker is still at work on an operation.
    pub fn is_under_way(&self, state: &State, operation: u8) -> bool {
        let same = |task: &Task| self.same_operation(task.operation) == operation;
        state.tasks.iter().flatten().any(same)
    }
}
