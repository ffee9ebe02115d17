//! Named designs, and for each a run that reaches the verdict that it claims.

use super::settings::SCHEMA;
use crate::labs::Designs;
use crate::machine::{Harm, Preset};

/// Without keys an actor that never stops asking may ask for ever.
const LOOK_UP: (&str, &str) = ("gateway", "look_up");
const BOUNDED: (&str, &str) = ("retries", "bounded");
/// The handler without its first step.
const NO_CHECK: (&str, &str) = ("handler", "intent call outcome reply");

pub fn all() -> Vec<Preset> {
    let designs = Designs::new(
        SCHEMA,
        [
            "check intent call outcome reply",
            "first_answer",
            "stable",
            "unknown",
            "resolve",
            "five",
            "step",
            "endless",
            "retry",
            "confirm",
            "not_used",
            "event",
            "none",
            "committed",
            "one",
            "expected_version",
            "kept",
            "one",
            "never",
            "remembered",
            "own_id",
            "absent",
        ],
    );
    let correct = |id, claims, changes, run| designs.correct(id, claims, changes, run);
    let wrong = |id, claims, changes, run| designs.wrong(id, claims, changes, run);
    vec![
        // Sound: never charged twice, nothing lost, nothing false believed.
        correct(
            "correct",
            Harm::Clean,
            &[],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a \
             * 4, deliver 1 * 4, step a * 2",
        ),
        correct(
            "ietf",
            Harm::Stuck,
            &[("gateway", "ietf")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a \
             * 4, deliver 1 * 4, step a * 2",
        ),
        correct(
            "look_up",
            Harm::Stuck,
            &[LOOK_UP, BOUNDED],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a \
             * 4, deliver 1 * 4, step a * 2",
        ),
        correct(
            "operations_table",
            Harm::Stuck,
            &[("gateway", "operations_table"), BOUNDED],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, crash-gateway, time-out a, \
             step a * 4, deliver 1 * 4, step a * 2, deliver 1 * 4",
        ),
        correct(
            "two_nodes",
            Harm::Clean,
            &[("paths", "two_nodes")],
            "pay a, arrive a, arrive b, step a * 3, step b * 2, deliver 1 * 2, process 1, \
             deliver 1 * 2, step a * 2",
        ),
        correct(
            "cancel",
            Harm::Stuck,
            &[("cancel", "other_sender")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, deliver 1 * 2, step a * 2, \
             cancel, cancel-arrives a, step a * 5, deliver 1 * 2, process 1, deliver 1 * 2, \
             step a * 2",
        ),
        correct(
            "snapshot",
            Harm::Clean,
            &[("snapshots", "current")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, crash a, lose-snapshot, \
             restart a, recover a, deliver 1 * 2, step a * 2",
        ),
        correct(
            "stale_snapshot",
            Harm::Clean,
            &[("snapshots", "stale")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, deliver 1 * 2, step a, \
             crash a, restart a, recover a, pay a, arrive a, step a * 2",
        ),
        // The call at the wrong place.
        wrong(
            "call_first",
            Harm::Duplicated,
            &[
                LOOK_UP,
                BOUNDED,
                ("handler", "check call intent outcome reply"),
            ],
            "pay a, arrive a, step a * 2, deliver 1 * 2, process 1, deliver 1 * 2, crash a, \
             restart a, recover a, pay a, arrive a, step a * 2, deliver 1 * 2, process 1",
        ),
        wrong(
            "outcome_first",
            Harm::Lost,
            &[("handler", "check intent outcome call reply")],
            "pay a, arrive a, step a * 3, crash a, restart a, recover a, pay a, arrive a, step \
             a * 2",
        ),
        wrong(
            "reply_first",
            Harm::Lost,
            &[("handler", "check intent reply call outcome")],
            "pay a, arrive a, step a * 4, deliver 1, duplicate 1, deliver 2, refuse 2, deliver \
             1 * 3, step a",
        ),
        wrong(
            "replay_calls",
            Harm::Duplicated,
            &[("call_in", "every_event"), LOOK_UP, BOUNDED],
            "pay a, arrive a, step a * 2, deliver 1 * 2, process 1, crash a, restart a, recover \
             a, deliver 2 * 2, process 2",
        ),
        wrong(
            "replay_last",
            Harm::Duplicated,
            &[("call_in", "live_and_last"), LOOK_UP, BOUNDED],
            "pay a, arrive a, step a * 2, deliver 1 * 2, process 1, crash a, restart a, recover \
             a, deliver 2 * 2, process 2",
        ),
        // Status.
        wrong(
            "one_bool",
            Harm::Duplicated,
            &[("status", "bool"), LOOK_UP, BOUNDED],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, crash a, deliver 1 * 2, \
             restart a, recover a, pay a, arrive a, step a * 3, deliver 1 * 2, process 1",
        ),
        wrong(
            "no_check",
            Harm::Duplicated,
            &[NO_CHECK, LOOK_UP, BOUNDED],
            "pay a, duplicate-pay a, arrive a, step a * 2, deliver 1 * 2, process 1, deliver 1 \
             * 2, step a * 2, arrive a, step a * 2, deliver 1 * 2, process 1",
        ),
        wrong(
            "flag_only",
            Harm::Duplicated,
            &[("record", "flag"), ("status", "bool"), LOOK_UP, BOUNDED],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, deliver 1 * 2, step a, \
             crash a, restart a, recover a, pay a, arrive a, step a * 3, deliver 1 * 2, process \
             1",
        ),
        wrong(
            "snapshot_only",
            Harm::Duplicated,
            &[
                ("record", "flag"),
                ("snapshots", "current"),
                ("status", "bool"),
                LOOK_UP,
                BOUNDED,
            ],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, deliver 1 * 2, step a, \
             crash a, lose-snapshot, restart a, recover a, pay a, arrive a, step a * 3, deliver \
             1 * 2, process 1",
        ),
        // The key.
        wrong(
            "no_key",
            Harm::Duplicated,
            &[("key", "none"), ("ambiguous", "retry")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, time-out a, step a, deliver \
             2 * 2, process 2",
        ),
        wrong(
            "new_key",
            Harm::Duplicated,
            &[("key", "per_attempt")],
            "pay a, arrive a, step a * 3, deliver 1, time-out a, step a * 4, deliver 2 * 4, \
             step a, deliver 2 * 2, process 2, deliver 1, process 1",
        ),
        wrong(
            "deleted_key",
            Harm::Duplicated,
            &[("key", "deleted_on_failure"), ("ambiguous", "retry")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, time-out a, step a, deliver \
             2 * 2, process 2",
        ),
        wrong(
            "coarse_key",
            Harm::Lost,
            &[
                ("key", "coarse"),
                ("orders", "two"),
                ("gateway", "operations_table"),
                BOUNDED,
            ],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1 * 2, neighbour",
        ),
        wrong(
            "old_key",
            Harm::Duplicated,
            &[("old_key", "used"), ("gateway", "ietf")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a \
             * 2, expire-keys, step a * 2, deliver 1 * 2, process 1",
        ),
        // What an answer means.
        wrong(
            "time_out_fails",
            Harm::WrongBelief,
            &[("ambiguous", "failed")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a * 2",
        ),
        wrong(
            "pay_anew",
            Harm::Duplicated,
            &[("ambiguous", "failed"), ("key", "per_attempt")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a \
             * 2, pay a, arrive a, step a * 3, deliver 1 * 2, process 1",
        ),
        wrong(
            "blind_retry",
            Harm::Duplicated,
            &[("ambiguous", "retry"), ("old_key", "used")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, \
             expire-keys, step a, deliver 1 * 2, process 1",
        ),
        wrong(
            "retry_for_ever",
            Harm::Endless,
            &[("ambiguous", "retry")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, server-error 1, deliver 1 * 2, step a, \
             deliver 1 * 4, step a, deliver 1 * 4",
        ),
        wrong(
            "in_use_fails",
            Harm::WrongBelief,
            &[("in_use", "failed"), ("paths", "two_nodes")],
            "pay a, arrive b, step b * 2, step a * 2, step b, deliver 1, deliver 2 * 2, deliver \
             1 * 3, step a * 2, process 1, deliver 1 * 2, step b",
        ),
        wrong(
            "refusal_final",
            Harm::WrongBelief,
            &[("refusals", "final")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, refuse 1, deliver 1 * 2, step a * 2, \
             contradict, deliver 1",
        ),
        // Recovery.
        wrong(
            "from_the_top",
            Harm::Duplicated,
            &[("recovery", "restart"), NO_CHECK, LOOK_UP, BOUNDED],
            "pay a, arrive a, step a * 2, deliver 1 * 2, process 1, crash a, deliver 1 * 2, \
             restart a, recover a, step a * 3, deliver 1 * 2, process 1",
        ),
        wrong(
            "no_recovery",
            Harm::Stuck,
            &[("recovery", "nothing")],
            "pay a, arrive a, step a * 3, lose 1, time-out a, step a * 2",
        ),
        // Two writers.
        wrong(
            "hidden_guard",
            Harm::WrongBelief,
            &[
                ("guard", "open_transaction"),
                ("paths", "two_nodes"),
                ("in_use", "failed"),
                ("append", "unchecked"),
                ("completion", "overwritten"),
            ],
            "pay a, arrive a, step a * 3, deliver 1 * 2, arrive b, step b * 3, deliver 2 * 2, \
             process 1, deliver 1 * 2, step a * 2, deliver 1 * 2, step b * 2",
        ),
        wrong(
            "zero_is_any",
            Harm::Duplicated,
            &[("append", "zero_is_any"), LOOK_UP, BOUNDED],
            "pay a, second-incarnation, recover b, duplicate-pay b, arrive a, step a * 3, \
             deliver 1 * 2, process 1, arrive b, step b * 3, deliver 2 * 2, process 2",
        ),
        wrong(
            "no_version",
            Harm::Duplicated,
            &[
                ("append", "unchecked"),
                LOOK_UP,
                BOUNDED,
                ("paths", "two_nodes"),
            ],
            "pay a, arrive a, step a, arrive b, step a * 2, step b * 3, deliver 1 * 2, process \
             1, deliver 2 * 2, process 2",
        ),
        wrong(
            "select_insert",
            Harm::Duplicated,
            &[("gateway", "select_insert"), BOUNDED],
            "pay a, arrive a, step a * 3, deliver 1, duplicate 1, deliver 1, process 1, deliver \
             2, process 2",
        ),
        // Giving back.
        wrong(
            "new_refund_id",
            Harm::Duplicated,
            &[("cancel", "same_sender"), ("refund", "new_id")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, deliver 1 * 2, step a * 2, \
             cancel, cancel-arrives a, step a * 5, deliver 1, duplicate 1, deliver 1, process \
             1, deliver 2, process 2",
        ),
        wrong(
            "forgotten_cancel",
            Harm::WrongBelief,
            &[("cancel", "other_sender"), ("early_cancel", "forgotten")],
            "pay a, cancel, cancel-arrives a, step a * 2, arrive a, step a * 3, deliver 1 * 2, \
             process 1, deliver 1 * 2, step a * 2",
        ),
        // A gateway with which no design is safe: what each choice accepts.
        wrong(
            "neither_unknown",
            Harm::Stuck,
            &[("gateway", "neither")],
            "pay a, arrive a, step a * 3, lose 1, time-out a, step a * 2",
        ),
        wrong(
            "neither_person",
            Harm::Stuck,
            &[("gateway", "neither"), ("person", "reconciles")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a \
             * 2, reconcile a, step a * 2",
        ),
        wrong(
            "neither_retry",
            Harm::Duplicated,
            &[("gateway", "neither"), ("ambiguous", "retry")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, time-out a, step a, deliver \
             2 * 2, process 2",
        ),
        wrong(
            "neither_failed",
            Harm::Duplicated,
            &[("gateway", "neither"), ("ambiguous", "failed")],
            "pay a, arrive a, step a * 3, deliver 1 * 2, process 1, lose 1, time-out a, step a \
             * 2, pay a, arrive a, step a * 3, deliver 1 * 2, process 1",
        ),
    ]
}
