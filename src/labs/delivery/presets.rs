//! Named designs, and for each a run that reaches the verdict that it claims.

use super::settings::SCHEMA;
use crate::labs::Designs;
use crate::machine::{Harm, Preset};

const THREE: (&str, &str) = ("messages", "three");
const ONE: (&str, &str) = ("messages", "one");
const LAST_ATTEMPT: (&str, &str) = ("attempts", "last");
const RELAYED: (&str, &str) = ("route", "relayed");
const STATES: (&str, &str) = ("meaning", "state");
const BROKER: (&str, &str) = ("filter", "at_publish");

pub fn all() -> Vec<Preset> {
    let designs = Designs::new(
        SCHEMA,
        [
            "look_up apply remember persist ack",
            "at_least_once",
            "persisted",
            "kept",
            "with_effect",
            "for_ever",
            "forgotten",
            "exact",
            "none",
            "per_send",
            "endless",
            "absent",
            "two",
            "in_order",
            "direct",
            "effect",
            "as_it_comes",
        ],
    );
    let correct = |id, claims, changes, run| designs.correct(id, claims, changes, run);
    let wrong = |id, claims, changes, run| designs.wrong(id, claims, changes, run);
    vec![
        // Sound: nothing twice, nothing lost, nothing false believed.
        correct(
            "correct",
            Harm::Clean,
            &[],
            "intend, send, deliver 1, step c * 5, lose 1, redeliver 1, deliver 1, step c * 2, \
             deliver 1, intend, send, deliver 1, step c * 5, deliver 1",
        ),
        correct(
            "in_sequence",
            Harm::Clean,
            &[RELAYED, STATES, ("order", "in_sequence")],
            "intend, send, intend, send, deliver 2, forward, deliver 2, step c, deliver 1, step c \
             * 5, deliver 1, redeliver 2, deliver 1, forward, deliver 1, step c * 5, deliver 1",
        ),
        correct(
            "newest",
            Harm::Clean,
            &[RELAYED, STATES, ("order", "newest")],
            "intend, send, intend, send, deliver 2, forward, deliver 2, step c * 5, deliver 2, \
             deliver 1, step c * 5, deliver 1",
        ),
        correct(
            "covering",
            Harm::Clean,
            &[("retention", "covering")],
            "intend, send, deliver 1, step c * 5, lose 1, redeliver 1, deliver 1, step c * 2, \
             deliver 1, tick, intend, send, deliver 1, step c * 5, deliver 1",
        ),
        correct(
            "filter_in_front",
            Harm::Clean,
            &[("judge", "bloom_front"), THREE],
            "intend, send, deliver 1, step c * 5, deliver 1, intend, send, deliver 1, step c * 5, \
             deliver 1, intend, send, deliver 1, step c * 5, deliver 1",
        ),
        correct(
            "new_transport_id",
            Harm::Clean,
            &[BROKER],
            "intend, send, lose 1, redeliver 1, deliver 1, step c * 5, deliver 1",
        ),
        correct(
            "operator",
            Harm::Clean,
            &[LAST_ATTEMPT, ("operator", "same_id")],
            "intend, send, deliver 1, step c * 5, lose 1, give-up 1, retry 1, deliver 1, step c * \
             2, deliver 1",
        ),
        correct(
            "dead_letters",
            Harm::Stuck,
            &[LAST_ATTEMPT],
            "intend, send, lose 1, give-up 1, intend, send, deliver 1, step c * 5, deliver 1",
        ),
        // The guarantee.
        wrong(
            "at_most_once",
            Harm::Stuck,
            &[("guarantee", "at_most_once")],
            "intend, send, lose 1, intend, send, deliver 1, step c * 4",
        ),
        wrong(
            "sent_is_done",
            Harm::Lost,
            &[("guarantee", "sent_is_done")],
            "intend, send, lose 1",
        ),
        wrong(
            "no_ack",
            Harm::Endless,
            &[("handler", "look_up apply remember persist"), ONE],
            "intend, send, deliver 1, step c * 4, redeliver 1, deliver 1, step c, redeliver 1, \
             deliver 1, step c",
        ),
        // The sender's state.
        wrong(
            "volatile_sender",
            Harm::Lost,
            &[("sender", "volatile")],
            "intend, send, deliver 1, step c * 5, deliver 1, crash a, restart a, recover a, \
             intend, send, deliver 1, step c * 2, deliver 1",
        ),
        wrong(
            "epoch",
            Harm::Stuck,
            &[("sender", "epoch")],
            "intend, send, lose 1, crash a, restart a, recover a, intend, send, deliver 1, step c \
             * 5, deliver 1",
        ),
        // The id.
        wrong(
            "new_id",
            Harm::Duplicated,
            &[("id", "per_attempt")],
            "intend, send, deliver 1, step c * 5, lose 1, redeliver 1, deliver 1, step c * 2",
        ),
        wrong(
            "zero_id",
            Harm::Lost,
            &[("id", "zero"), THREE],
            "intend, send, deliver 1, step c * 5, deliver 1, intend, send, deliver 1, step c * 2, \
             deliver 1, intend, send, deliver 1, step c * 2, deliver 1",
        ),
        wrong(
            "time_bucket",
            Harm::Lost,
            &[("id", "bucket"), THREE],
            "intend, send, deliver 1, step c * 5, deliver 1, intend, send, deliver 1, step c * 2, \
             deliver 1, intend, send, deliver 1, step c * 5, deliver 1",
        ),
        wrong(
            "reused_transport_id",
            Harm::Endless,
            &[BROKER, ("transport_id", "reused"), ONE],
            "intend, send, deliver 1, crash c, restart c, redeliver 1 * 2",
        ),
        // The order of the receiver's steps.
        wrong(
            "ack_first",
            Harm::Lost,
            &[("handler", "look_up ack apply remember persist")],
            "intend, send, deliver 1, step c * 2, deliver 1, crash c",
        ),
        wrong(
            "remember_first",
            Harm::Lost,
            &[
                ("memory", "own_write"),
                ("handler", "look_up remember apply persist ack"),
            ],
            "intend, send, deliver 1, step c * 2, crash c, restart c, redeliver 1, deliver 1, \
             step c * 2, deliver 1",
        ),
        wrong(
            "effect_first",
            Harm::Duplicated,
            &[
                ("memory", "own_write"),
                ("handler", "look_up apply persist remember ack"),
            ],
            "intend, send, deliver 1, step c * 3, crash c, restart c, redeliver 1, deliver 1, \
             step c * 2",
        ),
        wrong(
            "never_persisted",
            Harm::Lost,
            &[("handler", "look_up apply remember ack")],
            "intend, send, deliver 1, step c * 4, deliver 1, crash c",
        ),
        // What the receiver remembers, and how long.
        wrong(
            "no_memory",
            Harm::Duplicated,
            &[("memory", "none")],
            "intend, send, deliver 1, step c * 3, lose 1, redeliver 1, deliver 1, step c",
        ),
        wrong(
            "volatile_memory",
            Harm::Duplicated,
            &[("memory", "volatile")],
            "intend, send, deliver 1, step c * 4, crash c, restart c, redeliver 1, deliver 1, \
             step c * 2",
        ),
        wrong(
            "fixed_window",
            Harm::Duplicated,
            &[("retention", "fixed"), ONE],
            "intend, send, deliver 1, step c * 5, lose 1, tick, redeliver 1, deliver 1, step c * \
             2, lose 1, tick, redeliver 1, deliver 1, step c * 2",
        ),
        wrong(
            "sliding_window",
            Harm::Duplicated,
            &[("retention", "sliding"), ("border", "known"), ONE],
            "intend, send, deliver 1, step c * 5, lose 1, tick, redeliver 1, deliver 1, step c * \
             2, lose 1, tick * 3, redeliver 1, deliver 1, step c * 2",
        ),
        wrong(
            "late_operator",
            Harm::Duplicated,
            &[
                LAST_ATTEMPT,
                ("operator", "same_id"),
                ("retention", "fixed"),
                ("border", "known"),
                ONE,
            ],
            "intend, send, deliver 1, step c * 5, lose 1, give-up 1, tick * 3, retry 1, deliver 1, \
             step c * 2",
        ),
        wrong(
            "operators_new_id",
            Harm::Duplicated,
            &[LAST_ATTEMPT, ("operator", "new_id")],
            "intend, send, deliver 1, step c * 5, lose 1, give-up 1, retry 1, deliver 1, step c * 2",
        ),
        wrong(
            "filter_alone",
            Harm::Lost,
            &[("judge", "bloom_only"), THREE],
            "intend, send, deliver 1, step c * 5, deliver 1, intend, send, deliver 1, step c * 5, \
             deliver 1, intend, send, deliver 1, step c * 2, deliver 1",
        ),
        // Order.
        wrong(
            "relayed",
            Harm::WrongBelief,
            &[RELAYED, STATES],
            "intend, send, intend, send, deliver 2, forward, deliver 2, step c * 5, deliver 1, \
             step c * 5, deliver 1 * 2",
        ),
        wrong(
            "any_order",
            Harm::WrongBelief,
            &[("network", "any_order"), STATES],
            "intend, send, intend, send, deliver 2, step c * 5, deliver 1, step c * 5, deliver 1 * 2",
        ),
        wrong(
            "redelivered_late",
            Harm::WrongBelief,
            &[STATES],
            "intend, send, intend, send, lose 1, deliver 1, step c * 5, redeliver 1, deliver 1 * \
             2, step c * 5, deliver 1",
        ),
    ]
}
