//! What a person can choose: the mechanisms of the ledger, the order of its steps, the operations.

use std::sync::Arc;

use crate::machine::{Cell, Column, ColumnKind, Kind, Setting, Settings, choices};

/// How many operations a person can type; states hold a place for each.
pub const OPERATIONS_MAX: usize = 12;
/// The longest id, in characters.
pub const ID_CHARS_MAX: usize = 200;

choices! {
    /// Who runs the handler.
    Workers {
        /// One process with one thread. (A second process can still be started by mistake: a fault.)
        One = "one",
        /// Two threads of one process: one memory, one lock, one crash for both.
        Threads = "threads",
        /// Two processes, each with its own memory and its own lock.
        Processes = "processes",
    }
}

choices! {
    /// Where something is kept.
    Keep {
        /// In the store, which a crash does not touch.
        Store = "store",
        /// In the memory of the process.
        Memory = "memory",
    }
}

choices! {
    /// What the lock excludes.
    Lock {
        /// A lock held in the store excludes every process. It ends with the connection of its owner.
        Store = "store",
        /// A lock in memory excludes the other threads of the same process, and nobody else.
        Process = "process",
    }
}

choices! {
    /// By what two deliveries are taken for the same operation.
    Identity {
        Id = "id",
        Content = "content",
    }
}

choices! {
    /// What becomes of a refusal.
    Refusals {
        /// Nothing is stored: the same id may succeed later.
        Forgotten = "forgotten",
        /// A receipt of the refusal is stored: an id that failed keeps failing.
        Remembered = "remembered",
    }
}

choices! {
    /// What the number in an operation means.
    Meaning {
        /// Add it to the balance.
        Add = "add",
        /// Set the balance to it.
        Set = "set",
        /// Set the balance to it unless a newer version was set; the version is the operation's
        /// place in the list.
        SetVersioned = "set_versioned",
    }
}

choices! {
    /// The steps of the handler. A crash can come between any two.
    Step {
        /// Take the lock, or wait for it.
        Lock = "lock",
        /// Look for a receipt of this operation.
        LookUp = "look_up",
        /// Read the balance, and compute and check the new one.
        Compute = "compute",
        /// From here to the commit, writes to the store are only staged.
        Begin = "begin",
        /// Write the receipt.
        Register = "register",
        /// Write the new balance.
        Write = "write",
        /// Make all staged writes durable at once.
        Commit = "commit",
        /// Release the lock.
        Unlock = "unlock",
        /// Answer the client.
        Reply = "reply",
    }
}

const fn chosen(id: &'static str, options: &'static [&'static str]) -> Setting {
    Setting {
        id,
        kind: Kind::Choice { options },
        given: false,
    }
}

pub const SCHEMA: &[Setting] = &[
    Setting {
        id: "operations",
        kind: Kind::Rows {
            columns: &[
                Column {
                    id: "id",
                    kind: ColumnKind::Text {
                        chars_max: ID_CHARS_MAX,
                    },
                },
                Column {
                    id: "delta",
                    kind: ColumnKind::Integer,
                },
            ],
            rows_max: OPERATIONS_MAX,
        },
        given: true,
    },
    Setting {
        id: "handler",
        kind: Kind::Steps { all: Step::IDS },
        given: false,
    },
    chosen("workers", Workers::IDS),
    chosen("balance", Keep::IDS),
    chosen("receipts", Keep::IDS),
    chosen("lock", Lock::IDS),
    chosen("identity", Identity::IDS),
    chosen("refusals", Refusals::IDS),
    chosen("meaning", Meaning::IDS),
];

/// One operation that the person typed.
#[derive(Clone, Debug)]
pub struct Operation {
    pub id: Arc<str>,
    pub delta: i64,
}

/// The lab with its settings.
#[derive(Clone, Debug)]
pub struct Balance {
    pub operations: Vec<Operation>,
    pub handler: Vec<Step>,
    pub workers: Workers,
    pub balance: Keep,
    pub receipts: Keep,
    pub lock: Lock,
    pub identity: Identity,
    pub refusals: Refusals,
    pub meaning: Meaning,
}

impl Balance {
    pub(super) fn from_settings(settings: &Settings) -> Balance {
        let operation = |row: &Vec<Cell>| match row.as_slice() {
            [Cell::Text(id), Cell::Integer(delta)] => Operation {
                id: id.clone(),
                delta: *delta,
            },
            _ => unreachable!("an operation is an id and a number"),
        };
        Balance {
            operations: settings.rows("operations").iter().map(operation).collect(),
            handler: settings.steps("handler", Step::ALL),
            workers: settings.choice("workers", Workers::ALL),
            balance: settings.choice("balance", Keep::ALL),
            receipts: settings.choice("receipts", Keep::ALL),
            lock: settings.choice("lock", Lock::ALL),
            identity: settings.choice("identity", Identity::ALL),
            refusals: settings.choice("refusals", Refusals::ALL),
            meaning: settings.choice("meaning", Meaning::ALL),
        }
    }

    /// The operation that a place in the list stands for: the first one with the same id and the
    /// same number. The same content typed twice is one operation, sent again.
    pub fn same_operation(&self, index: u8) -> u8 {
        let wanted = &self.operations[index as usize];
        let same = |o: &Operation| o.id == wanted.id && o.delta == wanted.delta;
        let first = self.operations.iter().position(same);
        first.expect("the operation itself") as u8
    }

    /// Whether an operation comes under an id that an earlier one has with another number.
    pub fn reuses_id(&self, index: u8) -> bool {
        let (earlier, rest) = self.operations.split_at(index as usize);
        let this = &rest[0];
        earlier
            .iter()
            .any(|o| o.id == this.id && o.delta != this.delta)
    }

    /// Under which key the receipt of an operation is kept: the first operation that is taken for
    /// the same.
    pub fn receipt_key(&self, index: u8) -> u8 {
        let wanted = &self.operations[index as usize];
        let same = |o: &Operation| match self.identity {
            Identity::Id => o.id == wanted.id,
            Identity::Content => o.delta == wanted.delta,
        };
        let first = self.operations.iter().position(same);
        first.expect("the operation itself") as u8
    }
}
