//! Named designs: what the product recommends, and the known-wrong ones with a run to their fault.

use serde_json::json;

use super::settings::SCHEMA;
use crate::labs::script;
use crate::machine::{Harm, Preset, Settings};

const ALL_STEPS: &[&str] = &[
    "lock", "look_up", "compute", "begin", "register", "write", "commit", "unlock", "reply",
];
/// All but the transaction: each write is durable by itself.
const NO_TRANSACTION: &[&str] = &[
    "lock", "look_up", "compute", "register", "write", "unlock", "reply",
];
const DEPOSIT: &[(&str, i64)] = &[("a", 100), ("b", -30), ("c", -30)];

/// The design of a preset: the correct one, with what the preset changes.
struct Design {
    operations: &'static [(&'static str, i64)],
    handler: &'static [&'static str],
    workers: &'static str,
    balance: &'static str,
    receipts: &'static str,
    lock: &'static str,
    identity: &'static str,
    refusals: &'static str,
    meaning: &'static str,
}

const CORRECT: Design = Design {
    operations: DEPOSIT,
    handler: ALL_STEPS,
    workers: "one",
    balance: "store",
    receipts: "store",
    lock: "store",
    identity: "id",
    refusals: "forgotten",
    meaning: "add",
};

impl Design {
    fn settings(self) -> Settings {
        let record = |(id, delta): &(&str, i64)| json!({ "id": id, "delta": delta });
        let operations: Vec<_> = self.operations.iter().map(record).collect();
        Settings::new(
            SCHEMA,
            [
                json!(operations),
                json!(self.handler),
                json!(self.workers),
                json!(self.balance),
                json!(self.receipts),
                json!(self.lock),
                json!(self.identity),
                json!(self.refusals),
                json!(self.meaning),
            ],
        )
    }
}

/// Each run is written as a list of actions between commas; `step a * 3` takes three steps.
pub fn all() -> Vec<Preset> {
    let correct = |id, design: Design, run| preset(id, true, Harm::Clean, design, run);
    let wrong = |id, claims, design: Design, run| preset(id, false, claims, design, run);
    vec![
        // The reply is lost after the commit; the retry gets the original receipt.
        correct(
            "correct",
            CORRECT,
            "deliver 1 a, step a * 8, lose-reply a, deliver 1 a, step a * 4",
        ),
        // Refused first, and refused for ever, although the balance would allow it now.
        correct(
            "remembered",
            Design {
                operations: &[("a", -30), ("b", 100)],
                refusals: "remembered",
                ..CORRECT
            },
            "deliver 1 a, step a * 6, deliver 2 a, step a * 9, deliver 1 a, step a * 4",
        ),
        // The same id with another number is no retry: it is refused, and nothing changes.
        correct(
            "conflict",
            Design {
                operations: &[("a", 100), ("a", 250)],
                ..CORRECT
            },
            "deliver 1 a, step a * 9, deliver 2 a, step a * 4",
        ),
        correct(
            "set_versioned",
            Design {
                operations: &[("price-1", 120), ("price-2", 150)],
                handler: &["write", "reply"],
                meaning: "set_versioned",
                ..CORRECT
            },
            "deliver 2 a, step a * 2, deliver 1 a, step a * 2",
        ),
        wrong(
            "plain",
            Harm::Duplicated,
            Design {
                handler: &["write", "reply"],
                ..CORRECT
            },
            "deliver 1 a, step a, lose-reply a, deliver 1 a, step a * 2",
        ),
        wrong(
            "check_then_act",
            Harm::Duplicated,
            Design {
                handler: &[
                    "look_up", "compute", "begin", "register", "write", "commit", "reply",
                ],
                workers: "threads",
                ..CORRECT
            },
            "deliver 1 a, step a, deliver 1 b, step b, step a * 6, step b * 6",
        ),
        wrong(
            "lock_late",
            Harm::Duplicated,
            Design {
                handler: &[
                    "look_up", "compute", "lock", "begin", "register", "write", "commit", "unlock",
                    "reply",
                ],
                workers: "threads",
                lock: "process",
                operations: &[("a", 100), ("b", 50)],
                ..CORRECT
            },
            "deliver 1 a, step a, deliver 1 b, step b, step a * 8, step b * 8",
        ),
        wrong(
            "two_processes",
            Harm::Duplicated,
            Design {
                workers: "processes",
                receipts: "memory",
                lock: "process",
                ..CORRECT
            },
            "deliver 1 a, step a * 8, lose-reply a, deliver 1 b, step b * 9",
        ),
        wrong(
            "memory_receipts",
            Harm::Duplicated,
            Design {
                receipts: "memory",
                ..CORRECT
            },
            "deliver 1 a, step a * 7, crash a, restart a, deliver 1 a, step a * 9",
        ),
        wrong(
            "receipt_first",
            Harm::Lost,
            Design {
                handler: NO_TRANSACTION,
                ..CORRECT
            },
            "deliver 1 a, step a * 4, crash a, restart a, deliver 1 a, step a * 4",
        ),
        wrong(
            "balance_first",
            Harm::Duplicated,
            Design {
                handler: &[
                    "lock", "look_up", "compute", "write", "register", "unlock", "reply",
                ],
                ..CORRECT
            },
            "deliver 1 a, step a * 4, crash a, restart a, deliver 1 a, step a * 7",
        ),
        // Everything in the memory of one process: right between its threads, until it dies.
        wrong(
            "in_memory",
            Harm::Lost,
            Design {
                handler: NO_TRANSACTION,
                workers: "threads",
                balance: "memory",
                receipts: "memory",
                lock: "process",
                ..CORRECT
            },
            "deliver 1 a, step a * 7, crash a",
        ),
        wrong(
            "reply_first",
            Harm::Lost,
            Design {
                handler: &[
                    "lock", "look_up", "compute", "reply", "begin", "register", "write", "commit",
                    "unlock",
                ],
                ..CORRECT
            },
            "deliver 1 a, step a * 4, crash a",
        ),
        wrong(
            "same_content",
            Harm::Lost,
            Design {
                identity: "content",
                ..CORRECT
            },
            "deliver 1 a, step a * 9, deliver 2 a, step a * 9, deliver 3 a, step a * 4",
        ),
        wrong(
            "set_unversioned",
            Harm::Lost,
            Design {
                operations: &[("price-1", 120), ("price-2", 150)],
                handler: &["write", "reply"],
                meaning: "set",
                ..CORRECT
            },
            "deliver 2 a, step a * 2, deliver 1 a, step a * 2",
        ),
    ]
}

fn preset(id: &'static str, correct: bool, claims: Harm, design: Design, run: &str) -> Preset {
    Preset {
        id,
        correct,
        claims,
        settings: design.settings(),
        run: script(run),
    }
}
