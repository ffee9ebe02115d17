//! Laws of the outbox lab, tried on whole state spaces.

mod rules;

use serde_json::{Value as Json, json};

use super::settings::Step;
use super::state::{
    ATTEMPTS_MAX, COUNT_MAX, DISPATCHERS, Holder, ORDERS, ROW_ID_MAX, Row, Stage, Status, Told,
};
use super::*;
use crate::explore::{STATES_MAX, Search};
use crate::labs::script;
use crate::machine::{Belief, Harm, Kind, Outcome, Progress, Value};

/// The correct design with changes.
fn design(changes: &Json) -> Settings {
    let correct = Outbox::presets().swap_remove(0).settings;
    correct.read(changes).expect("settings of the schema")
}

fn explored(settings: &Settings, faults_max: u8) -> Search<Outbox> {
    let mut search = Search::new(Outbox::new(settings), faults_max, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete(), "a search that is cut proves nothing");
    search
}

/// The state after a run.
fn after(changes: &Json, run: &str) -> (Outbox, State) {
    let lab = Outbox::new(&design(changes));
    let mut state = lab.initial();
    for name in script(run) {
        let mut actions = Vec::new();
        lab.actions(&state, &mut actions);
        let found = actions.iter().find(|action| lab.name(**action) == name);
        let action = found.unwrap_or_else(|| panic!("{name} is not possible"));
        lab.step(&mut state, *action, &mut ());
    }
    (lab, state)
}

const WRITTEN: &str = "place 1, handle 1 * 5";
const SENT: &str = "place 1, handle 1 * 5, dispatch 1 * 2";

/// Three faults of any kind, with one dispatcher and with two, however they claim: never two mails
/// for one order, never none for one that was accepted unless somebody is called, nothing false
/// believed.
#[test]
fn the_correct_design_is_sound_within_three_faults() {
    for changes in [
        json!({}),
        json!({ "claim": "skip_locked", "dispatchers": "two" }),
        json!({ "dispatchers": "two" }),
        json!({ "inbox": "business_key", "retention": "short" }),
        json!({ "polling": "context" }),
        json!({ "provider": "recognises" }),
        json!({ "provider": "recognises", "dispatchers": "two" }),
        json!({ "provider": "look_up", "unknown": "look_up" }),
        json!({ "provider": "look_up", "unknown": "look_up", "dispatchers": "two" }),
    ] {
        let search = explored(&design(&changes), 3);
        assert!(
            search.worst() <= Harm::Stuck,
            "{changes}: {:?}",
            search.worst()
        );
        let lab = search.machine();
        for state in search.iter() {
            let mails = state.effects[0].mails;
            assert!(mails <= 1, "{changes} {state:?}");
            let is_over = lab.verdict(state).progress == Progress::Done;
            let is_accepted = state.told[0] == Told::Accepted;
            assert!(
                !is_over || !is_accepted || mails == 1,
                "{changes} {state:?}"
            );
        }
    }
}

/// Every recommended design, with one dispatcher and with two.
#[test]
fn a_second_dispatcher_does_no_harm_to_a_correct_design() {
    for preset in Outbox::presets().iter().filter(|preset| preset.correct) {
        for dispatchers in ["one", "two"] {
            let changes = json!({ "dispatchers": dispatchers });
            let settings = preset
                .settings
                .read(&changes)
                .expect("settings of the schema");
            let is_large = Outbox::new(&settings).has_order(1) && dispatchers == "two";
            let search = explored(&settings, if is_large { 1 } else { 2 });
            assert!(
                search.worst() <= Harm::Stuck,
                "{} with {dispatchers}",
                preset.id
            );
        }
    }
}

/// With a provider that neither recognises a message nor can be asked, no order of the steps, no
/// claim and no reading of a time-out is safe.
#[test]
fn with_neither_no_setting_is_safe() {
    let mut designs = 0;
    let mut accepted = [false; 6];
    let mut try_design = |changes: Json| {
        let mut search = Search::new(Outbox::new(&design(&changes)), 2, STATES_MAX);
        while search.worst() == Harm::Clean && !search.advance(100) {}
        let worst = search.worst();
        assert!(worst > Harm::Clean, "{changes}");
        accepted[worst as usize] = true;
        designs += 1;
    };
    let unknowns = ["again", "look_up", "look_up_again", "person", "sent"];
    let claims = ["none", "lease", "skip_locked", "for_ever"];
    for handler in ordered_choices(Step::IDS) {
        for unknown in unknowns {
            try_design(json!({ "provider": "neither", "handler": handler, "unknown": unknown }));
        }
    }
    for (unknown, claim) in unknowns
        .iter()
        .flat_map(|u| claims.map(|claim| (*u, claim)))
    {
        for sequence in ["send_first", "mark_first"] {
            for polling in [
                "status",
                "context",
                "highest_id",
                "oldest_running",
                "gap_limit",
            ] {
                for person in ["absent", "retries", "checks"] {
                    for dispatchers in ["one", "two"] {
                        try_design(json!({
                            "provider": "neither", "unknown": unknown, "claim": claim,
                            "sequence": sequence, "polling": polling, "person": person,
                            "dispatchers": dispatchers,
                        }));
                    }
                }
            }
        }
    }
    assert_eq!(
        designs,
        1957 * 5 + 5 * 4 * 2 * 5 * 3 * 2,
        "every combination"
    );
    let all = [Harm::Stuck, Harm::WrongBelief, Harm::Lost, Harm::Duplicated];
    let is_accepted = |harm: &Harm| accepted[*harm as usize];
    assert!(all.iter().all(is_accepted), "each choice has its price");
}

/// Every order of every selection.
fn ordered_choices<'a>(all: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while next < found.len() {
        let chosen = found[next].clone();
        for one in all.iter().filter(|one| !chosen.contains(*one)) {
            found.push([chosen.as_slice(), &[*one]].concat());
        }
        next += 1;
    }
    found
}

#[test]
fn every_choice_has_a_preset_that_shows_it() {
    let presets = Outbox::presets();
    for (index, setting) in settings::SCHEMA.iter().enumerate() {
        let Kind::Choice { options } = setting.kind else {
            continue;
        };
        for (option, id) in (0..).zip(options) {
            let shows = |preset: &Preset| *preset.settings.at(index) == Value::Choice(option);
            assert!(presets.iter().any(shows), "{} {id}", setting.id);
        }
    }
}

/// f(f(S,e),e) = f(S,e), in every state that can be reached and for every message that can be there.
#[test]
fn the_law_holds_in_the_correct_designs_in_every_state() {
    for changes in [
        json!({}),
        json!({ "orders": "two", "sequence": "mark_first", "claim": "none" }),
        json!({ "inbox": "business_key" }),
        json!({ "inbox": "business_key", "message_id": "per_attempt" }),
        json!({ "provider": "recognises" }),
    ] {
        let search = explored(&design(&changes), 1);
        let lab = search.machine();
        for state in search.iter() {
            for law in lab.try_laws(state) {
                assert_eq!(law.holds, Some(true), "{changes} {state:?}");
            }
            let queued = state
                .queue
                .iter()
                .chain(state.parcels.iter().map(|of| of.message));
            for message in queued {
                let mut once = *state.effects(message.order);
                lab.apply(&mut once, message);
                let mut twice = once;
                lab.apply(&mut twice, message);
                assert_eq!(once, twice, "{changes} {state:?}");
            }
        }
    }
}

/// The law can fail; and a new id for each attempt is a new message, to which it says nothing.
#[test]
fn the_law_fails_where_nothing_is_recognised() {
    for changes in [json!({ "inbox": "none" }), json!({ "provider": "neither" })] {
        let (lab, state) = after(&changes, WRITTEN);
        let laws = lab.try_laws(&state);
        assert_eq!(laws.len(), 1);
        assert_eq!(laws[0].holds, Some(false), "{changes}");
        assert_eq!(laws[0].chain.len(), 3);
    }
    // However many mails there are already.
    let lab = Outbox::new(&design(&json!({ "inbox": "none" })));
    let mut state = lab.initial();
    for mails in 0..=COUNT_MAX {
        state.effects[0].mails = mails;
        assert_eq!(lab.try_laws(&state)[0].holds, Some(false), "{mails}");
    }
    let changes = json!({ "message_id": "per_attempt" });
    let twice = format!("{SENT}, arrive 1, time-out 1, dispatch 1, arrive 1");
    let (_, state) = after(&changes, &twice);
    assert_eq!(state.queue.distinct().count(), 2, "two ids");
    let (_, state) = after(&json!({}), &twice);
    assert_eq!((state.queue.distinct().count(), state.queue.len()), (1, 2));
}

/// Bounds that the state must keep, whatever is chosen.
#[test]
fn no_preset_leaves_its_bounds() {
    for preset in Outbox::presets() {
        let search = explored(&preset.settings, 1);
        for state in search.iter() {
            assert!(state.database.last_id <= ROW_ID_MAX);
            assert!(state.database.cursor <= state.database.last_id);
            for effects in state.effects {
                assert!(effects.attempts <= ATTEMPTS_MAX);
                assert!(effects.deliveries.max(effects.mails) <= COUNT_MAX);
            }
            let is_sorted = state.queue.iter().is_sorted() && state.parcels.iter().is_sorted();
            assert!(is_sorted, "equal bags are equal states");
            let held = usize::from(state.receiver.delivery.is_some());
            assert!(state.queue.len() + held <= state::QUEUE_MAX);
        }
    }
}

/// A running state has a protocol step; a done or stuck one has none but what a person does.
#[test]
fn progress_says_whether_a_step_is_left() {
    for preset in Outbox::presets() {
        let search = explored(&preset.settings, 1);
        let lab = search.machine();
        for state in search.iter() {
            let mut actions = Vec::new();
            lab.actions(state, &mut actions);
            actions.retain(|action| lab.fault(state, *action).is_none());
            let mut steps = Vec::new();
            lab.protocol_steps(state, &mut steps);
            assert_eq!(
                steps, actions,
                "the protocol steps are the actions that are no faults"
            );
            let is_person = |action: &Action| matches!(action, Action::Retry(_) | Action::Check(_));
            let automatic = actions.iter().any(|action| !is_person(action));
            let is_running = lab.verdict(state).progress == Progress::Running;
            assert_eq!(is_running, automatic, "{} {state:?}", preset.id);
        }
    }
}

/// At most one dispatcher holds a claim on the row.
#[test]
fn a_claim_has_one_holder() {
    for claim in ["lease", "skip_locked"] {
        let search = explored(&design(&json!({ "dispatchers": "two", "claim": claim })), 2);
        for state in search.iter() {
            let holds = |id: &DispatcherId| {
                ORDERS
                    .iter()
                    .any(|order| state.entry(*order).claim == Holder::Held(*id))
            };
            assert!(DISPATCHERS.iter().filter(|id| holds(id)).count() <= 1);
        }
    }
}
