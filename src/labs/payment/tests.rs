//! Laws of the payment lab, tried on whole state spaces.

use serde_json::{Value as Json, json};

use super::settings::Step;
use super::state::{Memory, Status, Told};
use super::*;
use crate::explore::{STATES_MAX, Search};
use crate::labs::script;
use crate::machine::{Belief, Harm, Outcome, Progress};

/// The correct design with changes.
fn design(changes: Json) -> Settings {
    let correct = Payment::presets().swap_remove(0).settings;
    correct.read(&changes).expect("settings of the schema")
}

fn explored(changes: Json, faults_max: u8) -> Search<Payment> {
    let mut search = Search::new(Payment::new(&design(changes)), faults_max, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete(), "a search that is cut proves nothing");
    search
}

/// The state after a run.
fn after(changes: Json, run: &str) -> (Payment, State) {
    let lab = Payment::new(&design(changes));
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

/// The names of what is possible after a run.
fn possible(changes: Json, run: &str) -> Vec<String> {
    let (lab, state) = after(changes, run);
    let mut actions = Vec::new();
    lab.actions(&state, &mut actions);
    actions.into_iter().map(|action| lab.name(action)).collect()
}

const CHARGED: &str = "pay a, arrive a, step a * 3, deliver 1 * 2, process 1";

/// Three faults of any kind, at every gateway with keys or look-up: never charged twice, never
/// lost after success was told, nothing false believed. It may take a person; it says so.
#[test]
fn the_correct_design_is_sound_within_three_faults() {
    for (gateway, retries) in [
        ("first_answer", "endless"),
        ("ietf", "endless"),
        ("look_up", "bounded"),
        ("operations_table", "bounded"),
    ] {
        let search = explored(json!({ "gateway": gateway, "retries": retries }), 3);
        assert!(
            search.worst() <= Harm::Stuck,
            "{gateway}: {:?}",
            search.worst()
        );
        for state in search.iter() {
            assert!(state.gateway.charges <= 1, "{gateway}");
            let is_told = state.customer.told == Told::Paid;
            assert!(!is_told || state.gateway.charges == 1, "{gateway}");
        }
    }
}

/// With neither keys nor look-up no order of the steps and no reading of a time-out is safe.
#[test]
fn without_keys_and_look_up_no_setting_is_safe() {
    let mut designs = 0;
    let mut accepted = [false; 6];
    for handler in ordered_choices(Step::IDS) {
        for ambiguous in ["unknown", "failed", "retry"] {
            for recovery in ["resolve", "restart", "nothing"] {
                for status in ["five", "bool"] {
                    let changes = json!({
                        "gateway": "neither", "handler": handler, "ambiguous": ambiguous,
                        "recovery": recovery, "status": status, "retries": "bounded",
                    });
                    let lab = Payment::new(&design(changes));
                    let mut search = Search::new(lab, 2, STATES_MAX);
                    while search.worst() == Harm::Clean && !search.advance(100) {}
                    let worst = search.worst();
                    assert!(
                        worst > Harm::Clean,
                        "{handler:?} {ambiguous} {recovery} {status}"
                    );
                    accepted[worst as usize] = true;
                    designs += 1;
                }
            }
        }
    }
    assert_eq!(designs, 326 * 18, "every order of every choice of steps");
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

/// The state after recovery is the same from the first event, from a snapshot, and from an old one.
#[test]
fn a_snapshot_changes_nothing() {
    for cancel in ["never", "same_sender"] {
        for snapshots in ["current", "stale"] {
            let faults_max = if cancel == "never" { 2 } else { 1 };
            let search = explored(
                json!({ "snapshots": snapshots, "cancel": cancel }),
                faults_max,
            );
            let lab = search.machine();
            let mut with_snapshot = 0;
            for state in search.iter().filter(|state| state.snapshot().is_some()) {
                let mut memory = Memory::default();
                state
                    .journal
                    .iter()
                    .for_each(|event| lab.apply(&mut memory, event));
                assert_eq!(lab.recovered(state), memory);
                with_snapshot += 1;
            }
            assert!(with_snapshot > 1000, "there are snapshots to compare");
        }
    }
}

/// What only a flag says, a full replay does not know: the law above can fail.
#[test]
fn a_flag_in_a_snapshot_is_more_than_the_events_say() {
    let changes = json!({ "record": "flag", "snapshots": "current" });
    let (lab, state) = after(changes, &format!("{CHARGED}, deliver 1 * 2, step a"));
    assert_eq!(lab.recovered(&state).charge(), Status::Completed(1));
    let mut without = state;
    without.set_snapshot(None);
    assert_eq!(lab.recovered(&without).charge(), Status::Pending);
}

/// Bounds that the state must keep, whatever is chosen.
#[test]
fn no_preset_leaves_its_bounds() {
    for preset in Payment::presets() {
        let mut search = Search::new(Payment::new(&preset.settings), 1, STATES_MAX);
        search.advance(usize::MAX);
        for state in search.iter() {
            assert!(usize::from(state.journal.len()) <= journal::EVENTS_MAX);
            assert!(usize::from(state.keys_made) <= state::KEYS_MAX);
            assert!(state.gateway.charges <= state::CHARGES_MAX);
            let places = (0..state::CALLS_MAX as u8).map(|place| state.call(place).is_some());
            assert!(
                places.is_sorted_by(|a, b| a >= b),
                "the oldest call stands first"
            );
        }
    }
}

/// A running state has a protocol step, a done or stuck one has none but the customer's own wish.
#[test]
fn progress_says_whether_a_step_is_left() {
    for preset in Payment::presets() {
        let mut search = Search::new(Payment::new(&preset.settings), 1, STATES_MAX);
        search.advance(usize::MAX);
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
            let is_wish = |action: &Action| {
                matches!(
                    action,
                    Action::Pay(_) | Action::Cancel | Action::Neighbour | Action::Reconcile(_)
                )
            };
            match lab.verdict(state).progress {
                Progress::Running => assert!(!actions.is_empty(), "{} {state:?}", preset.id),
                Progress::Done | Progress::Stuck => {
                    assert!(actions.iter().all(is_wish), "{} {state:?}", preset.id);
                }
            }
        }
    }
}

#[test]
fn a_person_settles_what_no_step_does() {
    let changes = json!({ "gateway": "neither", "person": "reconciles" });
    let unknown = format!("{CHARGED}, lose 1, time-out a, step a * 2");
    let (lab, state) = after(changes.clone(), &unknown);
    assert_eq!(lab.verdict(&state).progress, Progress::Stuck);
    let (lab, state) = after(changes, &format!("{unknown}, reconcile a, step a * 2"));
    assert_eq!(lab.verdict(&state).progress, Progress::Done);
    assert_eq!(state.customer.told, Told::Paid);
    let absent = possible(json!({ "gateway": "neither" }), &unknown);
    assert!(!absent.contains(&"reconcile a".to_owned()));
}

/// Order holds between one sender and one receiver, and between no others.
#[test]
fn a_cancel_overtakes_only_from_another_sender() {
    let both = "pay a, cancel";
    let same = possible(json!({ "cancel": "same_sender" }), both);
    assert!(same.contains(&"arrive a".to_owned()));
    assert!(!same.contains(&"cancel-arrives a".to_owned()));
    let other = possible(json!({ "cancel": "other_sender" }), both);
    assert!(other.contains(&"arrive a".to_owned()));
    assert!(other.contains(&"cancel-arrives a".to_owned()));
}

/// Akka.NET: a failed write stops the actor, whatever became of the event; a rejected one does not,
/// and the step after it does not run.
#[test]
fn a_failed_write_stops_the_actor_and_a_rejected_one_does_not() {
    let intent = "pay a, arrive a, step a";
    for (fault, events, life) in [
        ("write-failed-stored a", 1, Life::Down),
        ("write-failed-lost a", 0, Life::Down),
        ("write-rejected a", 0, Life::Up),
    ] {
        let (_, state) = after(json!({}), &format!("{intent}, {fault}"));
        assert_eq!(
            (state.journal.len(), state.actor(0).life),
            (events, life),
            "{fault}"
        );
        assert_eq!(state.actor(0).task(), None, "{fault}");
        assert_eq!(state.calls().count(), 0, "{fault}");
    }
}

/// Two writers: the second finds that others have written, reloads, and says what they found out.
#[test]
fn a_stale_writer_is_refused() {
    let run = "pay a, arrive a, step a, second-incarnation, recover b, step a, step a, \
         deliver 1 * 2, process 1, deliver 1 * 2, step a";
    let (lab, state) = after(json!({}), run);
    assert!(lab.conflicts(&state, 1) && !lab.conflicts(&state, 0));
    let (lab, state) = after(json!({ "append": "unchecked" }), run);
    assert!(!lab.conflicts(&state, 1));
}

/// An answer that was stored is repeated, and a 5xx too where the first answer is kept.
#[test]
fn each_gateway_repeats_what_its_rules_say() {
    let failed = "pay a, arrive a, step a * 3, deliver 1 * 2, server-error 1, deliver 1 * 2, \
         step a, deliver 1 * 2";
    let retry = |gateway| json!({ "gateway": gateway, "ambiguous": "retry" });
    let (_, state) = after(retry("first_answer"), failed);
    assert_eq!(
        state.call(0).map(|call| call.hop),
        Some(Hop::Back(state::Answer::ServerError))
    );
    let (_, state) = after(retry("ietf"), failed);
    assert_eq!(state.call(0).map(|call| call.hop), Some(Hop::AtGateway));
    let (_, state) = after(
        json!({ "gateway": "ietf", "key": "none" }),
        "pay a, arrive a, step a * 3, deliver 1 * 2",
    );
    assert_eq!(
        state.call(0).map(|call| call.hop),
        Some(Hop::Back(state::Answer::NoKey))
    );
}

/// The verdict has both bounds: too often, and not at all although it was told.
#[test]
fn both_bounds_are_judged() {
    let (lab, state) = after(json!({}), &format!("{CHARGED}, deliver 1 * 2, step a * 2"));
    let good = lab.verdict(&state);
    assert_eq!(
        (good.outcome, good.belief, good.progress),
        (Outcome::Once, Belief::Agrees, Progress::Done)
    );
    let mut twice = state;
    twice.gateway.charges = 2;
    assert_eq!(lab.verdict(&twice).outcome, Outcome::Duplicated);
    let mut never = state;
    never.gateway.charges = 0;
    assert_eq!(lab.verdict(&never).harm(), Harm::Lost);
    let mut refused = state;
    refused.customer.told = Told::Failed;
    assert_eq!(lab.verdict(&refused).harm(), Harm::WrongBelief);
}
