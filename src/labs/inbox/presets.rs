//! Named designs, and for each a run that reaches the verdict that it claims.

use super::settings::SCHEMA;
use crate::labs::Designs;
use crate::machine::{Harm, Preset};

const UNIQUE: (&str, &str) = ("receipt", "unique_key");
const SAME_CONTENT: (&str, &str) = ("traffic", "same_content");
const FORBIDDEN: (&str, &str) = ("traffic", "forbidden");
const VERSIONS: (&str, &str) = ("traffic", "versions");
const CROSSED: (&str, &str) = ("traffic", "crossed");
const ENDLESS: (&str, &str) = ("redelivery", "endless");
/// The receipt says "in progress" before the work begins.
const REGISTER_FIRST: (&str, &str) = ("handler", "register begin change result commit ack");

pub fn all() -> Vec<Preset> {
    let designs = Designs::new(
        SCHEMA,
        [
            "begin register change result commit ack",
            "one",
            "two",
            "on_conflict",
            "tenant_handler_event",
            "context",
            "canonical",
            "one_transaction",
            "add",
            "rolled_back",
            "classified",
            "read",
            "look_up",
            "none",
            "in_order",
            "kept",
            "bounded",
            "none",
        ],
    );
    let correct = |id, claims, changes, run| designs.correct(id, claims, changes, run);
    let wrong = |id, claims, changes, run| designs.wrong(id, claims, changes, run);
    vec![
        // Sound: no event counts twice, none is lost, nobody is told anything false.
        correct(
            "correct",
            Harm::Clean,
            &[],
            "deliver 1 a, step a * 5, lose-ack a, visibility-ends 1, deliver 1 b, step b * 5",
        ),
        correct(
            "unique_key",
            Harm::Clean,
            &[UNIQUE],
            "deliver 1 a, step a * 2, visibility-ends 1, deliver 1 b, step b * 2, step a * 4, \
             step b * 4",
        ),
        correct(
            "look_first",
            Harm::Clean,
            &[("handler", "begin look register change result commit ack")],
            "deliver 1 a, step a * 6, lose-ack a, visibility-ends 1, deliver 1 b, step b * 4",
        ),
        correct(
            "lease_fenced",
            Harm::Clean,
            &[REGISTER_FIRST, ("progress", "lease_fenced")],
            "deliver 1 a, step a * 3, lease-ends 1, visibility-ends 1, deliver 1 b, step b * 4, \
             step a * 2, step b * 4, step a * 3",
        ),
        correct(
            "call_with_key",
            Harm::Clean,
            &[
                REGISTER_FIRST,
                ("progress", "lease"),
                ("change", "call_with_key"),
            ],
            "deliver 1 a, step a * 3, crash a, lease-ends 1, visibility-ends 1, deliver 1 b, \
             step b * 8",
        ),
        correct(
            "same_content",
            Harm::Clean,
            &[SAME_CONTENT],
            "deliver 1 a, step a * 6, deliver 3 b, step b * 6",
        ),
        correct(
            "other_tenant",
            Harm::Clean,
            &[("traffic", "other_tenant")],
            "deliver 1 a, step a * 6, deliver 3 b, step b * 6",
        ),
        correct(
            "other_handler",
            Harm::Clean,
            &[("traffic", "other_handler")],
            "deliver 1 a, step a * 6, deliver 3 b, step b * 6",
        ),
        correct(
            "forged",
            Harm::Clean,
            &[("traffic", "forged")],
            "deliver 1 a, step a * 6, deliver 3 b, step b * 6",
        ),
        correct(
            "set_versioned",
            Harm::Clean,
            &[SAME_CONTENT, ("change", "set_versioned")],
            "deliver 1 a, step a * 3, deliver 3 b, step b * 4, step a, step b * 3, step a * 9",
        ),
        correct(
            "newest",
            Harm::Clean,
            &[VERSIONS, ("change", "newest")],
            "deliver 1 a, step a * 2, deliver 3 b, step b * 6, step a * 4",
        ),
        correct(
            "reserve_of_available",
            Harm::Clean,
            &[SAME_CONTENT, ("change", "reserve_of_available")],
            "deliver 1 a, step a * 6, deliver 3 b, step b * 6",
        ),
        correct(
            "crossed",
            Harm::Clean,
            &[CROSSED],
            "deliver 1 a, step a * 3, deliver 3 b, step b * 3, step a * 4, step b * 5",
        ),
        correct(
            "deadlock",
            Harm::Clean,
            &[CROSSED, ("locks", "as_named")],
            "deliver 1 a, step a * 3, deliver 3 b, step b * 3, step a, step b, victim a, step b \
             * 4, step a * 8",
        ),
        correct(
            "forbidden",
            Harm::Stuck,
            &[FORBIDDEN],
            "deliver 1 a, step a * 5, deliver 1 a, step a * 5, deliver 1 a, step a * 5, deliver \
             1 a, step a * 5, deliver 1 a, step a * 5",
        ),
        correct(
            "run_again",
            Harm::Clean,
            &[("unknown_commit", "run_again")],
            "deliver 1 a, step a * 4, commit-unknown-done a, step a * 5",
        ),
        correct(
            "old_version",
            Harm::Clean,
            &[("deploys", "once")],
            "deliver 1 a, step a * 6, deploy, send-again, deliver 2 a, step a * 5",
        ),
        // How the receipt is found.
        wrong(
            "check_then_act",
            Harm::Duplicated,
            &[
                ("receipt", "select"),
                ("handler", "begin look change register result commit ack"),
            ],
            "deliver 1 a, step a * 5, visibility-ends 1, deliver 1 b, step b * 2, step a, step \
             b * 4",
        ),
        wrong(
            "no_receipt",
            Harm::Duplicated,
            &[("handler", "begin change commit ack")],
            "deliver 1 a, step a * 2, commit-unknown-done a, step a * 4",
        ),
        wrong(
            "no_row_fresh",
            Harm::Duplicated,
            &[("no_row", "fresh")],
            "deliver 1 a, step a * 5, visibility-ends 1, deliver 1 b, step b * 5",
        ),
        wrong(
            "no_row_absent",
            Harm::WrongBelief,
            &[("no_row", "absent")],
            "deliver 1 a, step a * 6, send-again, deliver 2 a, step a * 4",
        ),
        wrong(
            "one_statement",
            Harm::WrongBelief,
            &[("receipt", "one_statement")],
            "deliver 1 a, step a * 4, visibility-ends 1, deliver 1 b, step b * 2, step a * 2, \
             step b * 3",
        ),
        // What makes two messages the same event.
        wrong(
            "event_only",
            Harm::Lost,
            &[("traffic", "other_handler"), ("scope", "event")],
            "deliver 1 a, step a * 5, deliver 3 b, step b * 5",
        ),
        wrong(
            "no_tenant",
            Harm::Lost,
            &[("traffic", "other_tenant"), ("scope", "handler_event")],
            "deliver 1 a, step a * 5, deliver 3 b, step b * 5",
        ),
        wrong(
            "tenant_of_message",
            Harm::Lost,
            &[("traffic", "forged"), ("tenant", "message")],
            "deliver 1 a, step a * 5, deliver 3 b, step b * 5",
        ),
        wrong(
            "content_as_key",
            Harm::Lost,
            &[SAME_CONTENT, ("scope", "content")],
            "deliver 1 a, step a * 5, deliver 3 b, step b * 5",
        ),
        wrong(
            "version_in_key",
            Harm::Duplicated,
            &[("deploys", "once"), ("scope", "with_version")],
            "deliver 1 a, step a * 6, deploy, send-again, deliver 2 a, step a * 5",
        ),
        wrong(
            "new_id",
            Harm::Duplicated,
            &[("scope", "per_attempt"), ("unknown_commit", "run_again")],
            "deliver 1 a, step a * 3, commit-unknown-done a, step a * 4",
        ),
        wrong(
            "digest_ignored",
            Harm::Lost,
            &[("digest", "ignored")],
            "deliver 1 a, step a * 5, send-other, deliver 4 b, step b * 5",
        ),
        wrong(
            "digest_raw",
            Harm::WrongBelief,
            &[("digest", "raw")],
            "deliver 1 a, step a * 6, send-again-reencoded, deliver 2 a, step a * 5",
        ),
        wrong(
            "short_retention",
            Harm::Duplicated,
            &[("retention", "short")],
            "deliver 1 a, step a * 4, commit-unknown-done a, expire-receipts, step a * 6",
        ),
        // Whether receipt and change are one.
        wrong(
            "autocommit",
            Harm::Lost,
            &[("handler", "register change result ack")],
            "deliver 1 a, step a, crash a, visibility-ends 1, deliver 1 b, step b * 3",
        ),
        wrong(
            "receipt_apart_first",
            Harm::Lost,
            &[("place", "other_connection")],
            "deliver 1 a, step a * 4, commit-unknown-lost a, step a * 2",
        ),
        wrong(
            "receipt_apart_last",
            Harm::Duplicated,
            &[
                ("place", "other_connection"),
                ("handler", "begin look change commit register result ack"),
            ],
            "deliver 1 a, step a * 3, commit-unknown-done a, step a * 5",
        ),
        wrong(
            "other_thread",
            Harm::Duplicated,
            &[("place", "other_thread")],
            "deliver 1 a, step a * 4, thread a, commit-unknown-lost a, step a * 7, thread a",
        ),
        wrong(
            "other_database",
            Harm::Duplicated,
            &[("place", "other_database")],
            "deliver 1 a, step a * 5, commit-unknown-lost a, step a * 6",
        ),
        // Exceptions and constraints.
        wrong(
            "swallowed",
            Harm::Lost,
            &[FORBIDDEN, ("exceptions", "swallowed")],
            "deliver 1 a, step a * 5",
        ),
        wrong(
            "deadlock_swallowed",
            Harm::Lost,
            &[CROSSED, ("locks", "as_named"), ("exceptions", "swallowed")],
            "deliver 1 a, step a * 3, deliver 3 b, step b * 3, step a, step b, victim a, step a \
             * 2",
        ),
        wrong(
            "rollback_only",
            Harm::Endless,
            &[UNIQUE, ENDLESS, ("exceptions", "rollback_only")],
            "deliver 1 a, step a * 6, send-again, deliver 2 b, step b * 4, deliver 2 b, step b * 4",
        ),
        wrong(
            "every_violation",
            Harm::Lost,
            &[FORBIDDEN, UNIQUE, ("violations", "duplicate")],
            "deliver 1 a, step a * 5",
        ),
        wrong(
            "same_transaction",
            Harm::Endless,
            &[UNIQUE, ENDLESS, ("violations", "same_transaction")],
            "deliver 1 a, step a * 6, send-again, deliver 2 b, step b * 5, deliver 2 b, step b * 5",
        ),
        // Ack and commit.
        wrong(
            "ack_first",
            Harm::Lost,
            &[("handler", "ack begin register change result commit")],
            "deliver 1 a, step a, crash a",
        ),
        wrong(
            "ack_in_callback",
            Harm::Lost,
            &[("handler", "begin register change result ack commit")],
            "deliver 1 a, step a * 5, crash a",
        ),
        wrong(
            "assume_committed",
            Harm::Lost,
            &[("unknown_commit", "assume_done")],
            "deliver 1 a, step a * 4, commit-unknown-lost a, step a",
        ),
        // In progress.
        wrong(
            "no_lease",
            Harm::Endless,
            &[REGISTER_FIRST, ("progress", "no_lease")],
            "deliver 1 a, step a, crash a, visibility-ends 1, deliver 1 b, step b * 3, deliver \
             1 b, step b * 3",
        ),
        wrong(
            "lease_unfenced",
            Harm::Duplicated,
            &[REGISTER_FIRST, ("progress", "lease")],
            "deliver 1 a, step a * 3, visibility-ends 1, deliver 1 b, step b, lease-ends 1, \
             step b * 2, step a * 2, step b * 4",
        ),
        wrong(
            "call_under_lease",
            Harm::Duplicated,
            &[
                REGISTER_FIRST,
                ("progress", "lease_fenced"),
                ("change", "call"),
            ],
            "deliver 1 a, step a * 3, crash a, visibility-ends 1, deliver 1 b, step b, \
             lease-ends 1, step b * 4",
        ),
        wrong(
            "call_in_transaction",
            Harm::Duplicated,
            &[("change", "call")],
            "deliver 1 a, step a * 4, commit-unknown-lost a, step a * 4",
        ),
        // The business change.
        wrong(
            "set_unversioned",
            Harm::Lost,
            &[SAME_CONTENT, ("change", "set")],
            "deliver 1 a, step a * 5, deliver 3 b, step b * 3, step a * 2, step b * 3",
        ),
        wrong(
            "older_overwrites",
            Harm::Lost,
            &[VERSIONS, ("change", "target")],
            "deliver 1 a, step a * 2, deliver 3 b, step b * 5, step a * 3, step b",
        ),
        wrong(
            "reserve_of_posted",
            Harm::WrongBelief,
            &[SAME_CONTENT, ("change", "reserve_of_posted")],
            "deliver 1 a, step a * 5, deliver 3 b, step b * 5",
        ),
    ]
}
