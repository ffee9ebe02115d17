//! Named designs, and for each a run that reaches the verdict that it claims.

use super::settings::SCHEMA;
use crate::labs::Designs;
use crate::machine::{Harm, Preset};

/// What the presets have in common.
const TWO_DISPATCHERS: (&str, &str) = ("dispatchers", "two");
const TWO_ORDERS: (&str, &str) = ("orders", "two");
const NEITHER: (&str, &str) = ("provider", "neither");
const TO_A_PERSON: (&str, &str) = ("unknown", "person");
const RETRIES: (&str, &str) = ("person", "retries");

pub fn all() -> Vec<Preset> {
    let designs = Designs::new(
        SCHEMA,
        [
            "begin order outbox commit reply",
            "one",
            "broker",
            "one",
            "stable",
            "send_first",
            "lease",
            "own_claim",
            "status",
            "again",
            "again",
            "person",
            "table",
            "covers",
            "sent",
            "order_key",
            "absent",
        ],
    );
    let correct = |id, claims, changes, run| designs.correct(id, claims, changes, run);
    let wrong = |id, claims, changes, run| designs.wrong(id, claims, changes, run);
    vec![
        // Sound: never two mails for one order, none lost, nothing false believed.
        correct(
            "correct",
            Harm::Clean,
            &[],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, crash 1, receive 1, apply, \
             acknowledge, restart 1, lease-ends 1, dispatch 1 * 2, arrive 1, answer 1, \
             dispatch 1, receive 1, apply, acknowledge",
        ),
        correct(
            "two_dispatchers",
            Harm::Clean,
            &[TWO_DISPATCHERS],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lease-ends 1, dispatch 2 * 2, \
             arrive 2, answer 2, dispatch 2, answer 1, dispatch 1, receive 1, apply, \
             acknowledge, receive 1, apply, acknowledge",
        ),
        correct(
            "skip_locked",
            Harm::Clean,
            &[TWO_DISPATCHERS, ("claim", "skip_locked")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, crash 1, dispatch 2 * 2, arrive \
             2, answer 2, dispatch 2, receive 1, apply, acknowledge, receive 1, apply, \
             acknowledge, restart 1",
        ),
        correct(
            "unclaimed",
            Harm::Clean,
            &[TWO_DISPATCHERS, ("claim", "none")],
            "place 1, handle 1 * 5, dispatch 1, dispatch 2, dispatch 1, dispatch 2, arrive 1, \
             arrive 2, answer 1, answer 2, dispatch 1, dispatch 2, receive 1, apply, \
             acknowledge, receive 1, apply, acknowledge",
        ),
        correct(
            "two_orders",
            Harm::Clean,
            &[TWO_ORDERS],
            "place 1, handle 1 * 3, place 2, handle 2 * 5, dispatch 1 * 2, arrive 1, answer \
             1, dispatch 1, handle 1 * 2, dispatch 1 * 2, arrive 1, answer 1, dispatch 1, \
             receive 1, apply, acknowledge, receive 1, apply, acknowledge",
        ),
        correct(
            "context",
            Harm::Clean,
            &[("polling", "context")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, answer 1, dispatch 1, clean-up \
             1, receive 1, apply, acknowledge",
        ),
        correct(
            "oldest_running",
            Harm::Clean,
            &[TWO_ORDERS, ("polling", "oldest_running")],
            "place 1, handle 1 * 3, place 2, handle 2 * 5, handle 1 * 2, dispatch 1 * 2, \
             arrive 1, answer 1, dispatch 1 * 3, arrive 1, answer 1, dispatch 1, receive 1, \
             apply, acknowledge, receive 1, apply, acknowledge",
        ),
        correct(
            "gap_limit",
            Harm::Clean,
            &[TWO_ORDERS, ("polling", "gap_limit")],
            "place 1, handle 1 * 3, place 2, handle 2 * 5, write-rejected 1, gap-passes, \
             dispatch 1 * 2, arrive 1, answer 1, dispatch 1, receive 1, apply, acknowledge",
        ),
        correct(
            "business_key",
            Harm::Clean,
            &[("inbox", "business_key"), ("retention", "short")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lose 1, time-out 1, receive 1, \
             apply, acknowledge, dispatch 1, arrive 1, answer 1, dispatch 1, receive 1, \
             apply, acknowledge",
        ),
        correct(
            "operator",
            Harm::Stuck,
            &[TO_A_PERSON, RETRIES],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, receive 1, apply, acknowledge, \
             lose 1, time-out 1, dispatch 1, retry 1, dispatch 1 * 2, arrive 1, answer 1, \
             dispatch 1, receive 1, apply, acknowledge",
        ),
        correct(
            "record",
            Harm::Clean,
            &[("repeat", "outbox_row")],
            "place 1, handle 1 * 3, write-failed-stored 1, place 1, handle 1, dispatch 1 * 2, \
             arrive 1, answer 1, dispatch 1, receive 1, apply, acknowledge",
        ),
        correct(
            "error_queue",
            Harm::Stuck,
            &[TWO_DISPATCHERS, ("refusal", "error_queue")],
            "place 1, handle 1 * 5, dispatch 1 * 2, refuse 1, lease-ends 1, dispatch 2 * 2, \
             arrive 2, answer 2, dispatch 2, answer 1, dispatch 1, receive 1, apply, \
             acknowledge",
        ),
        correct(
            "provider",
            Harm::Stuck,
            &[("provider", "recognises")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lose 1, time-out 1, dispatch 1, \
             arrive 1, answer 1, dispatch 1",
        ),
        correct(
            "look_up",
            Harm::Stuck,
            &[("provider", "look_up"), ("unknown", "look_up")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lose 1, time-out 1, dispatch 1, \
             arrive 1, answer 1, dispatch 1",
        ),
        // The order and its message are not written together.
        wrong(
            "send_after",
            Harm::Lost,
            &[("handler", "begin order commit send reply")],
            "place 1, handle 1 * 3, crash-service, restart-service, place 1, handle 1 * 3",
        ),
        wrong(
            "send_before",
            Harm::WrongBelief,
            &[("handler", "begin order send commit reply")],
            "place 1, handle 1 * 3, service-arrives 1, service-hears 1, write-rejected 1, \
             receive 1, apply, acknowledge",
        ),
        wrong(
            "row_first",
            Harm::Lost,
            &[("handler", "order outbox reply")],
            "place 1, handle 1, crash-service, restart-service, place 1, handle 1 * 2",
        ),
        wrong(
            "message_first",
            Harm::WrongBelief,
            &[("handler", "outbox order reply")],
            "place 1, handle 1, write-rejected 1, dispatch 1 * 2, arrive 1, answer 1, \
             dispatch 1, receive 1, apply, acknowledge",
        ),
        wrong(
            "reply_first",
            Harm::Lost,
            &[("handler", "begin order outbox reply commit")],
            "place 1, handle 1 * 4, crash-service, restart-service",
        ),
        wrong(
            "late_row",
            Harm::Lost,
            &[
                ("polling", "context"),
                ("handler", "begin order commit outbox reply"),
            ],
            "place 1, handle 1 * 3, dispatch 1 * 2, handle 1 * 2, clean-up 1",
        ),
        // The mark, and by what a message is recognised.
        wrong(
            "mark_first",
            Harm::Lost,
            &[("sequence", "mark_first")],
            "place 1, handle 1 * 5, dispatch 1 * 2, crash 1, restart 1",
        ),
        wrong(
            "new_id",
            Harm::Duplicated,
            &[("message_id", "per_attempt")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, crash 1, receive 1, apply, \
             acknowledge, restart 1, lease-ends 1, dispatch 1 * 2, arrive 1, receive 1, apply",
        ),
        wrong(
            "no_inbox",
            Harm::Duplicated,
            &[("inbox", "none")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, crash 1, receive 1, apply, \
             acknowledge, restart 1, lease-ends 1, dispatch 1 * 2, arrive 1, receive 1, apply",
        ),
        wrong(
            "memory_inbox",
            Harm::Duplicated,
            &[("inbox", "memory")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, answer 1, dispatch 1, receive \
             1, apply, crash-receiver, restart-receiver, receive 1, apply",
        ),
        // Two dispatchers.
        wrong(
            "no_claim",
            Harm::Duplicated,
            &[TWO_DISPATCHERS, ("claim", "none"), ("inbox", "none")],
            "place 1, handle 1 * 5, dispatch 1, dispatch 2, dispatch 1, dispatch 2, arrive 1, \
             arrive 2, answer 1, answer 2, dispatch 1, dispatch 2, receive 1, apply, \
             acknowledge, receive 1, apply",
        ),
        wrong(
            "lease_alone",
            Harm::Duplicated,
            &[TWO_DISPATCHERS, ("inbox", "none")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lease-ends 1, dispatch 2 * 2, \
             arrive 2, answer 2, dispatch 2, answer 1, dispatch 1, receive 1, apply, \
             acknowledge, receive 1, apply",
        ),
        wrong(
            "claim_for_ever",
            Harm::Stuck,
            &[TWO_DISPATCHERS, ("claim", "for_ever")],
            "place 1, handle 1 * 5, dispatch 1, crash 1, restart 1",
        ),
        wrong(
            "unfenced",
            Harm::WrongBelief,
            &[
                TWO_DISPATCHERS,
                ("refusal", "error_queue"),
                ("fence", "any"),
            ],
            "place 1, handle 1 * 5, dispatch 1 * 2, refuse 1, lease-ends 1, dispatch 2 * 2, \
             arrive 2, answer 2, dispatch 2, answer 1, dispatch 1, receive 1, apply, \
             acknowledge",
        ),
        wrong(
            "lock_no_trace",
            Harm::Duplicated,
            &[
                TWO_DISPATCHERS,
                ("claim", "skip_locked"),
                ("provider", "look_up"),
                ("unknown", "look_up"),
            ],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, crash 1, dispatch 2 * 2, arrive \
             2",
        ),
        // A cursor, and numbers that commit in another order than they were taken in.
        wrong(
            "highest_id",
            Harm::Lost,
            &[TWO_ORDERS, ("polling", "highest_id")],
            "place 1, handle 1 * 3, place 2, handle 2 * 5, dispatch 1 * 2, arrive 1, answer \
             1, dispatch 1, handle 1 * 2, receive 1, apply, acknowledge",
        ),
        wrong(
            "gap_short",
            Harm::Lost,
            &[TWO_ORDERS, ("polling", "gap_short")],
            "place 1, handle 1 * 3, place 2, handle 2 * 5, gap-passes, dispatch 1 * 2, arrive \
             1, answer 1, dispatch 1, handle 1 * 2, receive 1, apply, acknowledge",
        ),
        wrong(
            "gap_for_ever",
            Harm::Stuck,
            &[TWO_ORDERS, ("polling", "gap_for_ever")],
            "place 1, handle 1 * 3, place 2, handle 2 * 5, write-rejected 1",
        ),
        // What is not known, and what is forgotten.
        wrong(
            "late_retry",
            Harm::Duplicated,
            &[("provider", "recognises"), ("late", "sent")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lose 1, time-out 1, expire, \
             dispatch 1, arrive 1",
        ),
        wrong(
            "look_up_again",
            Harm::Duplicated,
            &[("provider", "look_up"), ("unknown", "look_up_again")],
            "place 1, handle 1 * 5, dispatch 1 * 2, time-out 1, dispatch 1, arrive 1, answer \
             1, dispatch 1, arrive 1, late 1",
        ),
        wrong(
            "short_retention",
            Harm::Duplicated,
            &[("retention", "short"), TO_A_PERSON, RETRIES],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, receive 1, apply, acknowledge, \
             lose 1, time-out 1, dispatch 1, expire, retry 1, dispatch 1 * 2, arrive 1, \
             receive 1, apply",
        ),
        wrong(
            "record_expired",
            Harm::Duplicated,
            &[("repeat", "outbox_row"), ("clean_up", "all")],
            "place 1, handle 1 * 3, write-failed-stored 1, expire, place 1, handle 1 * 4",
        ),
        wrong(
            "cleaned_unsent",
            Harm::Lost,
            &[("clean_up", "all"), TO_A_PERSON],
            "place 1, handle 1 * 5, dispatch 1 * 2, lose 1, time-out 1, dispatch 1, expire",
        ),
        // A provider with which no design is safe: what each choice accepts.
        wrong(
            "neither_again",
            Harm::Duplicated,
            &[NEITHER],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lose 1, time-out 1, dispatch 1, \
             arrive 1",
        ),
        wrong(
            "neither_person",
            Harm::Stuck,
            &[NEITHER, TO_A_PERSON],
            "place 1, handle 1 * 5, dispatch 1 * 2, lose 1, time-out 1, dispatch 1",
        ),
        wrong(
            "neither_sent",
            Harm::Lost,
            &[NEITHER, ("unknown", "sent")],
            "place 1, handle 1 * 5, dispatch 1 * 2, lose 1, time-out 1, dispatch 1",
        ),
        wrong(
            "neither_retries",
            Harm::Duplicated,
            &[NEITHER, TO_A_PERSON, RETRIES],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lose 1, time-out 1, dispatch 1, \
             retry 1, dispatch 1 * 2, arrive 1",
        ),
        wrong(
            "neither_checks",
            Harm::Stuck,
            &[NEITHER, TO_A_PERSON, ("person", "checks")],
            "place 1, handle 1 * 5, dispatch 1 * 2, arrive 1, lose 1, time-out 1, dispatch 1, \
             check 1",
        ),
    ]
}
