//! The payment lab against its twin: a model written from `docs/payment.md` alone, which shares no
//! code with the lab and is explored by another explorer.

#[path = "common/designs.rs"]
mod designs;
#[path = "common/odd.rs"]
mod odd;
#[path = "common/random.rs"]
mod random;
#[path = "payment_twin/space.rs"]
mod space;
#[path = "payment_twin/twin.rs"]
mod twin;

use std::collections::BTreeSet;

use effectively_once::explore::Search;
use effectively_once::lab::Lab;
use effectively_once::labs::payment::Payment;
use effectively_once::machine::{self, Machine, Preset, Settings};
use random::Random;
use serde_json::{Value as Json, json};
use space::Space;
use twin::{Belief, Design, Effect, Harm, Progress, Twin, Verdict};

const FAULTS_MAX: u8 = 2;
/// Presets with more states than this at two faults are compared at one.
const STATES_OF_PRESET_MAX: usize = 150_000;
/// Mixed designs with more states than this are compared with fewer faults.
const STATES_OF_MIX_MAX: usize = 120_000;
/// How many random walks there are for each preset, and how long they are.
const WALKS_EACH: u64 = 200;
const ACTIONS_MAX: usize = 60;

fn written(settings: &Settings) -> Json {
    serde_json::to_value(settings).expect("settings can be written")
}

fn design(settings: &Settings) -> Design {
    Design::read(&written(settings))
}

/// What the lab's own explorer finds; `None` if there are too many states.
fn space_of_lab(settings: &Settings, faults_max: u8, states_max: usize) -> Option<Space> {
    let mut search = Search::new(Payment::new(settings), faults_max, states_max);
    search.advance(usize::MAX);
    let ends = machine::Harm::ALL.map(|harm| search.ends(harm));
    search.complete().then(|| Space {
        states: search.states(),
        worst: Harm::ALL[search.worst() as usize],
        ends: Harm::ALL.into_iter().zip(ends).collect(),
    })
}

/// Compares with the most faults that do not lead to too many states.
fn compare_spaces(name: &str, settings: &Settings, states_max: usize) {
    let most_faults = (1..=FAULTS_MAX).rev().find_map(|faults_max| {
        let lab = space_of_lab(settings, faults_max, states_max)?;
        Some((faults_max, lab))
    });
    let (faults_max, lab) = most_faults.expect("one fault leads to few states");
    let twin = Space::explore(design(settings), faults_max);
    assert_eq!(twin, lab, "{name} with {faults_max} faults");
}

#[test]
fn every_preset_has_the_states_and_the_worst_verdict_of_its_twin() {
    for Preset { id, settings, .. } in Payment::presets() {
        compare_spaces(id, &settings, STATES_OF_PRESET_MAX);
    }
}

/// Designs that no preset has: mechanisms side by side, as what they differ in from the first
/// preset.
fn mixed_designs() -> Vec<Json> {
    vec![
        json!({
            "gateway": "operations_table", "paths": "two_nodes", "append": "zero_is_any",
            "retries": "bounded", "snapshots": "current",
        }),
        json!({
            "gateway": "look_up", "cancel": "other_sender", "snapshots": "current",
            "retries": "bounded", "person": "reconciles",
        }),
        json!({
            "gateway": "ietf", "call_in": "every_event", "snapshots": "current", "retries": "bounded",
        }),
        json!({
            "gateway": "select_insert", "key": "coarse", "orders": "two", "cancel": "same_sender",
            "person": "reconciles",
        }),
        json!({
            "gateway": "first_answer", "key": "coarse", "orders": "two", "snapshots": "stale",
            "call_in": "live_and_last", "ambiguous": "retry", "retries": "bounded",
        }),
        json!({
            "gateway": "neither", "person": "reconciles", "ambiguous": "retry",
            "retries": "bounded", "cancel": "other_sender", "in_use": "failed",
        }),
        json!({
            "gateway": "first_answer", "paths": "two_nodes", "guard": "open_transaction",
            "append": "unchecked", "completion": "overwritten", "key": "deleted_on_failure",
        }),
        json!({
            "gateway": "look_up", "status": "bool", "record": "flag", "snapshots": "stale",
            "recovery": "restart", "cancel": "other_sender", "append": "zero_is_any",
        }),
        json!({
            "handler": ["intent", "call", "reply", "outcome"], "call_in": "live_events",
            "key": "per_attempt", "guard": "open_transaction", "recovery": "restart",
        }),
        json!({
            "gateway": "operations_table", "key": "deleted_on_failure", "refusals": "final",
            "in_use": "failed", "retries": "bounded",
        }),
        json!({
            "paths": "two_nodes", "cancel": "other_sender", "early_cancel": "forgotten",
            "recovery": "nothing", "gateway": "ietf", "key": "none",
        }),
        json!({
            "old_key": "used", "ambiguous": "failed", "person": "reconciles",
            "cancel": "same_sender", "refund": "new_id", "gateway": "operations_table",
        }),
    ]
}

fn mixed_settings() -> Vec<Settings> {
    let presets = Payment::presets();
    let base = &presets[0].settings;
    let mixed = mixed_designs().into_iter();
    mixed
        .map(|changes| base.read(&changes).expect("settings of the schema"))
        .collect()
}

#[test]
fn mixed_designs_have_the_states_of_their_twins() {
    for settings in mixed_settings() {
        let name = written(&settings).to_string();
        compare_spaces(&name, &settings, STATES_OF_MIX_MAX);
    }
}

#[test]
fn mixed_designs_have_every_option() {
    let mixed: Vec<Json> = mixed_settings().iter().map(written).collect();
    for setting in Payment::SCHEMA {
        let machine::Kind::Choice { options } = setting.kind else {
            continue;
        };
        for option in options {
            let has_it = |design: &Json| design[setting.id] == *option;
            assert!(mixed.iter().any(has_it), "{} {option}", setting.id);
        }
    }
}

/// What both can say of a state: the enabled steps, the enabled faults, and the verdict.
type Said = (BTreeSet<String>, BTreeSet<String>, Verdict);

fn said_by_lab(lab: &Payment, state: &<Payment as Machine>::State) -> Said {
    let mut actions = Vec::new();
    lab.actions(state, &mut actions);
    let is_fault = |action: &_| lab.fault(state, *action).is_some();
    let (faults, steps): (Vec<_>, Vec<_>) = actions.into_iter().partition(is_fault);
    let names = |actions: Vec<_>| actions.into_iter().map(|action| lab.name(action)).collect();
    (
        names(steps),
        names(faults),
        verdict_of_lab(lab.verdict(state)),
    )
}

fn verdict_of_lab(verdict: machine::Verdict) -> Verdict {
    Verdict {
        effect: match verdict.outcome {
            machine::Outcome::None => Effect::None,
            machine::Outcome::Once => Effect::Once,
            machine::Outcome::Lost => Effect::Lost,
            machine::Outcome::Duplicated => Effect::Duplicated,
        },
        belief: match verdict.belief {
            machine::Belief::Agrees => Belief::Agrees,
            machine::Belief::Unknown => Belief::Unknown,
            machine::Belief::Wrong => Belief::Wrong,
        },
        progress: match verdict.progress {
            machine::Progress::Running => Progress::Running,
            machine::Progress::Done => Progress::Done,
            machine::Progress::Stuck => Progress::Stuck,
        },
    }
}

fn said_by_twin(twin: &Twin, state: &twin::State) -> Said {
    let names = |list: fn(&Twin, &twin::State, &mut Vec<twin::Action>)| {
        let mut actions = Vec::new();
        list(twin, state, &mut actions);
        actions.iter().map(ToString::to_string).collect()
    };
    (names(Twin::steps), names(Twin::faults), twin.verdict(state))
}

/// Takes the same random actions in both; gives their names.
fn walk_in_step(name: &str, settings: &Settings, random: &mut Random) -> Vec<String> {
    let (lab, twin) = (Payment::new(settings), Twin::new(design(settings)));
    let (mut in_lab, mut in_twin) = (lab.initial(), twin.initial());
    let mut run = Vec::new();
    let one_fault_in = 2 + random.below(8);
    while run.len() < ACTIONS_MAX {
        let said = said_by_lab(&lab, &in_lab);
        let where_it_is = || format!("{name} {} after {run:?}", written(settings));
        assert_eq!(
            said_by_twin(&twin, &in_twin),
            said,
            "twin and lab: {}",
            where_it_is()
        );
        let (steps, faults, _) = said;
        let fails = steps.is_empty() || random.below(one_fault_in) == 0 && !faults.is_empty();
        let names = Vec::from_iter(if fails { faults } else { steps });
        if names.is_empty() {
            break;
        }
        let chosen = random.pick(&names).clone();
        act_in_lab(&lab, &mut in_lab, &chosen);
        act_in_twin(&twin, &mut in_twin, &chosen);
        run.push(chosen);
    }
    run
}

fn act_in_lab(lab: &Payment, state: &mut <Payment as Machine>::State, name: &str) {
    let mut actions = Vec::new();
    lab.actions(state, &mut actions);
    let mut actions = actions.into_iter();
    let action = actions.find(|action| lab.name(*action) == name);
    lab.step(state, action.expect("an action of this name"), &mut ());
}

fn act_in_twin(twin: &Twin, state: &mut twin::State, name: &str) {
    let mut actions = Vec::new();
    twin.steps(state, &mut actions);
    twin.faults(state, &mut actions);
    let mut actions = actions.into_iter();
    let action = actions.find(|action| action.to_string() == name);
    twin.act(state, action.expect("an action of this name"));
}

/// Every third walk is of a design that is like the preset's, but for some settings.
#[test]
fn lab_and_twin_walk_in_step() {
    let mut taken = BTreeSet::new();
    for (number, preset) in (0..).zip(Payment::presets()) {
        for seed in 0..WALKS_EACH {
            let mut random = Random::new(number * WALKS_EACH + seed);
            let settings = match seed % 3 {
                0 => designs::vary(&preset.settings, &mut random),
                _ => preset.settings.clone(),
            };
            let run = walk_in_step(preset.id, &settings, &mut random);
            taken.extend(
                run.iter()
                    .filter_map(|name| name.split(' ').next())
                    .map(String::from),
            );
        }
    }
    let forms = Payment::ACTIONS
        .iter()
        .filter_map(|form| form.split(' ').next());
    let forms: BTreeSet<String> = forms.map(String::from).collect();
    assert_eq!(taken, forms, "every action is taken on some walk");
}
