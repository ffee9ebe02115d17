//! Laws of the delivery lab, tried on whole state spaces.

use serde_json::{Value as Json, json};

use super::memory::{Found, filter_bits};
use super::settings::Step;
use super::state::{Effects, IDS, INTENTS_MAX, Id};
use super::*;
use crate::explore::{STATES_MAX, Search};
use crate::labs::script;
use crate::machine::{Belief, Harm, Kind, Outcome, Progress, Value};

/// The correct design with changes.
fn design(changes: Json) -> Settings {
    let correct = Delivery::presets().swap_remove(0).settings;
    correct.read(&changes).expect("settings of the schema")
}

fn explored(settings: &Settings, faults_max: u8) -> Search<Delivery> {
    let mut search = Search::new(Delivery::new(settings), faults_max, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete(), "a search that is cut proves nothing");
    search
}

/// The state after a run.
fn after(changes: Json, run: &str) -> (Delivery, State) {
    let lab = Delivery::new(&design(changes));
    let mut state = lab.initial();
    for name in script(run) {
        let actions = actions(&lab, &state);
        let found = actions.iter().find(|action| lab.name(**action) == name);
        let action = found.unwrap_or_else(|| panic!("{name} is not possible"));
        lab.step(&mut state, *action, &mut ());
    }
    (lab, state)
}

fn actions(lab: &Delivery, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    lab.actions(state, &mut actions);
    actions
}

/// The names of what is possible after a run.
fn possible(changes: Json, run: &str) -> Vec<String> {
    let (lab, state) = after(changes, run);
    let actions = actions(&lab, &state);
    actions.into_iter().map(|action| lab.name(action)).collect()
}

/// Sent, taken, done and acknowledged.
const DONE: &str = "deliver 1, step c * 5";

/// Four faults of any kind, with every recommended way to bound the memory and to keep an order:
/// never twice, never missing once it is reported.
#[test]
fn the_correct_designs_are_sound_within_four_faults() {
    for preset in Delivery::presets().iter().filter(|preset| preset.correct) {
        let faults_max = if preset.id == "filter_in_front" { 3 } else { 4 };
        let search = explored(&preset.settings, faults_max);
        assert_eq!(search.worst(), preset.claims, "{}", preset.id);
        for state in search.iter() {
            let effects = state.effects();
            assert!(
                effects.times.iter().all(|times| *times <= 1),
                "{}",
                preset.id
            );
            let is_there = |intent| {
                effects.times(intent) == 1 || preset.id == "newest" && effects.current > intent
            };
            assert!(state.reported.iter().all(is_there), "{}", preset.id);
        }
    }
}

/// The same with three messages.
#[test]
fn the_correct_designs_are_sound_with_three_messages() {
    for preset in Delivery::presets().iter().filter(|preset| preset.correct) {
        let settings = preset.settings.read(&json!({ "messages": "three" }));
        let search = explored(&settings.expect("settings of the schema"), 2);
        assert_eq!(search.worst(), preset.claims, "{}", preset.id);
    }
}

/// Of all orders of all choices of the receiver's steps, those that are safe look first, write
/// effect and id together, and acknowledge last.
#[test]
fn which_orders_of_the_steps_are_safe() {
    let mut safe = Vec::new();
    let mut tried = 0;
    for handler in ordered_choices(Step::IDS) {
        let search = explored(&design(json!({ "handler": handler, "messages": "one" })), 2);
        tried += 1;
        if search.worst() == Harm::Clean {
            safe.push(handler.join(" "));
        }
    }
    assert_eq!(tried, 326, "every order of every choice of steps");
    safe.sort();
    let expected = [
        "look_up apply remember persist ack",
        "look_up remember apply persist ack",
    ];
    assert_eq!(safe, expected);
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

/// f(f(S,e),e) = f(S,e) in every state that the correct designs reach, for every message; and not
/// everywhere where an attempt has an id of its own, or nothing is remembered.
#[test]
fn what_is_applied_twice_is_applied_once() {
    for preset in Delivery::presets() {
        let search = explored(&preset.settings, if preset.correct { 2 } else { 1 });
        let laws = search.iter().flat_map(|state| search.machine().laws(state));
        let (mut tried, mut broken) = (0, 0);
        for law in laws {
            tried += 1;
            broken += u32::from(law.holds != Some(true));
        }
        assert!(tried > 20, "{}", preset.id);
        let is_lawless = matches!(preset.id, "new_id" | "no_memory");
        if preset.correct || is_lawless {
            assert_eq!(broken > 0, is_lawless, "{}", preset.id);
        }
    }
}

/// The law shows the state before, after once and after twice.
#[test]
fn the_law_shows_its_chain() {
    let run = format!("intend, send, {DONE}");
    for (memory, chain) in [("with_effect", [1, 1, 1]), ("none", [1, 2, 3])] {
        let run = if memory == "none" {
            "intend, send, deliver 1, step c * 3"
        } else {
            &run
        };
        let (lab, state) = after(json!({ "memory": memory }), run);
        let laws = lab.laws(&state);
        let shown: Vec<_> = laws[0]
            .chain
            .iter()
            .map(|label| label.args.clone())
            .collect();
        let expected = chain.map(|total| vec![crate::machine::Arg::Number(total)]);
        assert_eq!(shown, expected);
        assert_eq!(laws[0].holds, Some(memory == "with_effect"));
    }
}

/// Bounds that the state must keep; and a running state has a protocol step, while a done or stuck
/// one has none but that time passes.
fn try_bounds(search: &Search<Delivery>) {
    let lab = search.machine();
    let mut steps = Vec::new();
    for state in search.iter() {
        let places = state.flights.iter().map(Option::is_some);
        assert!(
            places.is_sorted_by(|a, b| a >= b),
            "the oldest message stands first"
        );
        assert!(usize::from(state.intended) <= INTENTS_MAX);
        let forgotten = state.sender.sent.without(state.sender.unconfirmed);
        assert!(forgotten.is_empty(), "what was sent is unconfirmed");
        let mut ids = state.flights().map(|(_, flight)| flight.message.id);
        assert!(ids.all(|id| usize::from(id) < IDS));
        steps.clear();
        lab.protocol_steps(state, &mut steps);
        steps.retain(|action| *action != Action::Tick);
        let is_running = lab.verdict(state).progress == Progress::Running;
        assert_eq!(is_running, !steps.is_empty(), "{lab:?} {state:?}");
    }
}

#[test]
fn every_preset_keeps_its_bounds() {
    for preset in Delivery::presets() {
        try_bounds(&explored(&preset.settings, 2));
    }
}

/// The protocol steps are the actions that are no faults.
#[test]
fn protocol_steps_are_no_faults() {
    for preset in Delivery::presets() {
        let search = explored(&preset.settings, 1);
        let lab = search.machine();
        for state in search.iter() {
            let mut protocol = actions(lab, state);
            protocol.retain(|action| lab.fault(state, *action).is_none());
            let mut steps = Vec::new();
            lab.protocol_steps(state, &mut steps);
            assert_eq!(steps, protocol, "{}", preset.id);
        }
    }
}

/// Any two settings away from the correct design: the bounds hold, and so does what progress says.
#[test]
fn no_two_settings_break_a_bound() {
    let choices = settings::SCHEMA
        .iter()
        .filter_map(|setting| match setting.kind {
            Kind::Choice { options } => Some((setting.id, options)),
            _ => None,
        });
    let choices: Vec<_> = choices
        .flat_map(|(id, options)| options.iter().map(move |option| (id, *option)))
        .collect();
    let mut tried = 0;
    for (first, option) in &choices {
        for (second, other) in choices.iter().filter(|(second, _)| second > first) {
            let search = explored(&design(json!({ *first: option, *second: other })), 1);
            try_bounds(&search);
            tried += 1;
        }
    }
    assert!(tried > 800);
}

/// Every option is what some preset is about.
#[test]
fn every_option_stands_in_a_preset() {
    let presets = Delivery::presets();
    for (place, setting) in settings::SCHEMA.iter().enumerate() {
        let Kind::Choice { options } = setting.kind else {
            continue;
        };
        for option in 0..options.len() as u8 {
            let value = Value::Choice(option);
            let mut chosen = presets.iter().map(|preset| preset.settings.at(place));
            let name = options[usize::from(option)];
            assert!(chosen.any(|one| *one == value), "{} {name}", setting.id);
        }
    }
}

/// Akka.NET: numbers are strictly ascending, one by one, whatever is lost and whoever crashes.
#[test]
fn numbers_ascend_one_by_one() {
    for sender in ["persisted", "volatile", "epoch"] {
        let search = explored(&design(json!({ "sender": sender, "messages": "three" })), 2);
        for state in search.iter().filter(|state| state.sender.life == Life::Up) {
            let numbers = (1 + state.sender.forgotten..=state.intended)
                .map(|intent| state.sender.number_of(intent));
            let numbers: Vec<_> = numbers.collect();
            assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]));
            let first = state::number(state.sender.epoch, 1);
            assert!(numbers.first().is_none_or(|number| *number == first));
            if sender == "persisted" {
                assert_eq!(
                    numbers.len(),
                    usize::from(state.intended),
                    "none is used twice"
                );
            }
        }
    }
}

/// Akka.NET: after recovery what is unconfirmed is sent again, in ascending order, before anything
/// new; and a sender that dies while it recovers sends nothing.
#[test]
fn what_is_unconfirmed_is_resent_before_anything_new() {
    let three = json!({ "messages": "three" });
    let crashed = "intend, send, intend, send, lose 1, lose 1, crash a, restart a";
    let recovering = possible(three.clone(), crashed);
    assert_eq!(recovering, ["recover a", "crash a", "crash c"]);
    let (_, state) = after(three.clone(), &format!("{crashed}, crash a, restart a"));
    assert_eq!(state.flights().count(), 0, "nothing was sent");

    let recovered = format!("{crashed}, recover a");
    assert_eq!(possible(three.clone(), &recovered)[0], "send");
    assert!(!possible(three.clone(), &recovered).contains(&"intend".to_owned()));
    let (_, state) = after(three.clone(), &format!("{recovered}, send * 2"));
    let intents = state.flights().map(|(_, flight)| flight.message.intent);
    assert_eq!(intents.collect::<Vec<_>>(), [1, 2], "ascending");
    assert!(possible(three, &format!("{recovered}, send * 2")).contains(&"intend".to_owned()));
}

/// Akka.NET: a number is confirmed once; a second acknowledgement changes nothing but that it is
/// gone.
#[test]
fn a_number_is_confirmed_once() {
    let search = explored(&design(json!({})), 2);
    let lab = search.machine();
    let mut late = 0;
    for state in search.iter() {
        for action in actions(lab, state) {
            let Action::Deliver(id) = action else {
                continue;
            };
            let flight = state.flight(id).expect("what can be delivered");
            if !flight.hop.is_ack() {
                continue;
            }
            let mut next = *state;
            lab.step(&mut next, action, &mut ());
            if state.reported.has(flight.message.intent) {
                let mut same = *state;
                same.remove_flight(id);
                assert!(next == same, "nothing else changes");
                late += 1;
            } else {
                assert!(next.reported.has(flight.message.intent));
            }
        }
    }
    assert!(late > 50, "there are late acknowledgements");
}

/// Where numbers start over, an acknowledgement of the old number 1 is taken for one of the new: what
/// was never sent is reported. An epoch tells them apart.
#[test]
fn an_old_acknowledgement_confirms_nothing_in_a_new_epoch() {
    let run = format!("intend, send, {DONE}, crash a, restart a, recover a, intend, deliver 1");
    for (sender, is_reported) in [("volatile", true), ("epoch", false)] {
        let (_, state) = after(json!({ "sender": sender }), &run);
        assert!(
            state.sender.sent.is_empty() && state.intended == 2,
            "{sender}"
        );
        assert_eq!(state.reported.has(2), is_reported, "{sender}");
    }
}

/// Order holds for each pair of sender and receiver, where the network keeps it.
#[test]
fn a_message_overtakes_only_on_another_way() {
    let both = "intend, send, intend, send";
    let direct = possible(json!({}), both);
    assert!(direct.contains(&"deliver 1".to_owned()) && !direct.contains(&"deliver 2".to_owned()));
    let (lab, state) = after(json!({ "network": "any_order" }), both);
    assert_eq!(lab.fault(&state, Action::Deliver(0)), None);
    assert_eq!(lab.fault(&state, Action::Deliver(1)), Some(Fault::Reorder));
    let relayed = format!("{both}, deliver 2, forward");
    let (lab, state) = after(json!({ "route": "relayed" }), &relayed);
    assert!(actions(&lab, &state).contains(&Action::Deliver(1)));
    assert_eq!(lab.fault(&state, Action::Deliver(1)), Some(Fault::Reorder));
}

/// A redelivery is a time-out only where something of the message is still under way.
#[test]
fn a_redelivery_that_is_too_early_is_a_fault() {
    for (run, fault) in [
        ("intend, send", Some(Fault::TimeOut)),
        ("intend, send, deliver 1", Some(Fault::TimeOut)),
        ("intend, send, deliver 1, step c * 5", Some(Fault::TimeOut)),
        ("intend, send, lose 1", None),
        ("intend, send, deliver 1, step c * 5, lose 1", None),
        ("intend, send, deliver 1, crash c", None),
    ] {
        let (lab, state) = after(json!({}), run);
        assert!(
            actions(&lab, &state).contains(&Action::Redeliver(1)),
            "{run}"
        );
        assert_eq!(lab.fault(&state, Action::Redeliver(1)), fault, "{run}");
    }
}

/// What a crash takes with it: all that is in memory, and nothing that is written.
#[test]
fn a_crash_keeps_what_is_written() {
    let receiver = |memory: &str, steps: usize| {
        let run = format!("intend, send, deliver 1, step c * {steps}, crash c");
        let (_, state) = after(json!({ "memory": memory }), &run);
        (state.store.times[0], state.known[1])
    };
    assert_eq!(receiver("with_effect", 3), (0, 0));
    assert_eq!(receiver("with_effect", 4), (1, 1));
    assert_eq!(receiver("own_write", 3), (0, 1));
    assert_eq!(receiver("volatile", 4), (1, 0));
    let sender = |keep: &str| {
        let (_, state) = after(
            json!({ "sender": keep }),
            "intend, crash a, restart a, recover a",
        );
        (
            state.sender.unconfirmed.has(1),
            state.sender.forgotten,
            state.sender.epoch,
        )
    };
    assert_eq!(sender("persisted"), (true, 0, 0));
    assert_eq!(sender("volatile"), (false, 1, 0));
    assert_eq!(sender("epoch"), (false, 1, 1));
}

/// What is remembered may be taken for unknown by no filter, whatever it holds.
#[test]
fn a_filter_forgets_nothing() {
    let lab = Delivery::new(&design(json!({ "judge": "bloom_only" })));
    for remembered in 0..1_u32 << IDS {
        let mut state = lab.initial();
        for id in (0..IDS).filter(|id| remembered & 1 << id != 0) {
            state.known[id] = 1;
        }
        let known = (0..IDS as Id).filter(|id| remembered & 1 << id != 0);
        assert!(
            known
                .into_iter()
                .all(|id| lab.find(&state, id) == Found::Known)
        );
    }
}

/// The more a filter holds, the more new ids it takes for known: of 200 that were never used, in
/// per cent after each insertion.
#[test]
fn a_filter_errs_more_as_it_fills() {
    let unused = 56..=255;
    let mut bits = 0;
    let rates = (1..=8).map(|id: Id| {
        bits |= filter_bits(id);
        let taken = unused
            .clone()
            .filter(|id| bits & filter_bits(*id) == filter_bits(*id));
        taken.count() / 2
    });
    let rates: Vec<_> = rates.collect();
    assert!(rates.is_sorted(), "{rates:?}");
    assert_eq!(rates, [5, 25, 25, 40, 58, 58, 79, 100]);
    assert_eq!(filter_bits(1) & filter_bits(2), 0);
    assert_eq!(
        (filter_bits(1) | filter_bits(2)) & filter_bits(3),
        filter_bits(3)
    );
}

/// A filter in front of a table decides like the table alone.
#[test]
fn a_filter_in_front_changes_nothing() {
    let three = |judge: &str| explored(&design(json!({ "judge": judge, "messages": "three" })), 2);
    let (exact, front) = (three("exact"), three("bloom_front"));
    assert_eq!(
        (exact.states(), exact.worst()),
        (front.states(), front.worst())
    );
    let perhaps = front
        .iter()
        .filter(|state| front.machine().find(state, 3) == Found::NewAfterAll);
    assert!(
        perhaps.count() > 100,
        "the filter errs, and the table does not"
    );
}

/// The verdict has both bounds: too often, and not at all although it was reported.
#[test]
fn both_bounds_are_judged() {
    let (lab, state) = after(
        json!({ "messages": "one" }),
        &format!("intend, send, {DONE}, deliver 1"),
    );
    let good = lab.verdict(&state);
    assert_eq!(
        (good.outcome, good.belief, good.progress),
        (Outcome::Once, Belief::Agrees, Progress::Done)
    );
    let mut twice = state;
    twice.store.times[0] = 2;
    assert_eq!(lab.verdict(&twice).outcome, Outcome::Duplicated);
    let mut never = state;
    never.store = Effects::default();
    assert_eq!(lab.verdict(&never).harm(), Harm::Lost);
    let mut silent = never;
    silent.reported = Intents::NONE;
    assert_eq!(lab.verdict(&silent).harm(), Harm::Stuck);
}
