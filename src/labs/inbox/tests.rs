//! Laws of the inbox lab, tried on whole state spaces.

use serde_json::{Value as Json, json};

use super::database::{Receipt, Statement};
use super::state::Told;
use super::*;
use crate::explore::{STATES_MAX, Search};
use crate::labs::script;
use crate::machine::Harm;

fn preset(id: &str) -> Settings {
    let presets = Inbox::presets();
    let found = presets.iter().find(|preset| preset.id == id);
    found.expect("a preset of this id").settings.clone()
}

fn explored(settings: &Settings, faults_max: u8) -> Search<Inbox> {
    let mut search = Search::new(Inbox::new(settings), faults_max, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete(), "a search that is cut proves nothing");
    search
}

/// The state after a run.
fn after(id: &str, changes: Json, run: &str) -> (Inbox, State) {
    let settings = preset(id).read(&changes).expect("settings of the schema");
    let lab = Inbox::new(&settings);
    let mut state = lab.initial();
    for name in script(run).into_iter().filter(|name| !name.is_empty()) {
        let mut actions = Vec::new();
        lab.actions(&state, &mut actions);
        let found = actions.iter().find(|action| lab.name(**action) == name);
        let action = found.unwrap_or_else(|| panic!("{name} is not possible"));
        lab.step(&mut state, *action, &mut ());
    }
    (lab, state)
}

/// f(f(S, e), e) = f(S, e), for every state that two faults lead to and every event.
#[test]
fn handling_an_event_twice_is_handling_it_once() {
    for preset in Inbox::presets().iter().filter(|preset| preset.correct) {
        let search = explored(&preset.settings, 2);
        for state in search.iter() {
            for law in search.machine().laws(state) {
                assert_eq!(law.holds, Some(true), "{}: {law:?}", preset.id);
            }
        }
    }
}

/// The law can fail: without a receipt the second time counts.
#[test]
fn the_law_fails_without_a_receipt() {
    let search = explored(&preset("no_receipt"), 0);
    let laws = search.iter().flat_map(|state| search.machine().laws(state));
    assert!(laws.into_iter().any(|law| law.holds == Some(false)));
}

/// Both bounds, by counting: never more than one effect, and one once a sender was told so.
#[test]
fn the_correct_designs_keep_both_bounds_within_three_faults() {
    for id in ["correct", "unique_key", "lease_fenced", "call_with_key"] {
        let search = explored(&preset(id), 3);
        assert_eq!(search.worst(), Harm::Clean, "{id}");
        let lab = search.machine();
        for state in search.iter() {
            let effects = lab.effects(state, 0) + lab.effects(state, identity::OTHER_CONTENT);
            assert!(effects <= 1, "{id}");
            let is_told = state.told.contains(&Told::Done);
            assert!(!is_told || effects == 1, "{id}");
        }
    }
}

/// Every delivery is known to the broker, and no lock is held for nobody.
#[test]
fn nothing_is_left_behind() {
    for preset in Inbox::presets() {
        let search = explored(&preset.settings, 1);
        for state in search.iter() {
            for id in possible::CONSUMERS {
                let is_idle = state.consumer(id).task.is_none();
                let conns = [state::main_conn(id), state::other_conn(id)];
                let none = database::Transaction::None;
                let holds = conns.iter().any(|conn| state.transaction(*conn) != none);
                assert!(!is_idle || !holds, "{}: an idle consumer", preset.id);
            }
            let messages = state.messages.iter();
            let is_within = |message: &Message| message.deliveries <= state::DELIVERIES_MAX;
            assert!(messages.into_iter().all(is_within), "{}", preset.id);
        }
    }
}

/// Only somebody at work can be timed out as a fault; the same end is a step when nobody is.
#[test]
fn the_end_of_a_visibility_time_out_is_a_fault_only_for_somebody_at_work() {
    let fault = |run: &str| {
        let (lab, state) = after("correct", json!({}), run);
        lab.fault(&state, Action::VisibilityEnds(0))
    };
    assert_eq!(fault("deliver 1 a"), Some(Fault::TimeOut));
    assert_eq!(fault("deliver 1 a, crash a"), None);
    let lease = |run: &str| {
        let (lab, state) = after("lease_fenced", json!({}), run);
        lab.fault(&state, Action::LeaseEnds(0))
    };
    assert_eq!(lease("deliver 1 a, step a"), Some(Fault::LeaseExpired));
    assert_eq!(lease("deliver 1 a, step a, crash a"), None);
}

/// A younger message overtakes only as a fault.
#[test]
fn order_is_kept_unless_a_fault_breaks_it() {
    let (lab, state) = after("newest", json!({}), "");
    let deliver = |message| Action::Deliver {
        message,
        consumer: 0,
    };
    assert_eq!(lab.fault(&state, deliver(0)), None);
    assert_eq!(lab.fault(&state, deliver(2)), Some(Fault::Reorder));
}

/// The receipt keeps the digest, the result and the version of the handler that wrote it; a newer
/// version answers with what it says.
#[test]
fn a_receipt_says_who_did_what() {
    let (_, state) = after("old_version", json!({}), "deliver 1 a, step a * 6, deploy");
    let kept = state.database.receipts[0].committed;
    let expected = Receipt {
        status: Status::Done,
        digest: 1,
        version: 0,
        result: Some(database::Applied::Yes),
    };
    assert_eq!(kept, Some(expected));
    let run = "deliver 1 a, step a * 6, deploy, send-again, deliver 2 a, step a * 5";
    let (_, again) = after("old_version", json!({}), run);
    assert_eq!(again.database.receipts[0].committed, Some(expected));
    assert_eq!(again.told[0], Told::Done);
}

/// A business event, an attempt to send it and a delivery are three numbers.
#[test]
fn events_attempts_and_deliveries_are_counted_apart() {
    let run = "send-again, deliver 1 a, crash a, restart a, visibility-ends 1, deliver 1 a";
    let (lab, state) = after("correct", json!({}), run);
    let picture = lab.picture(&state);
    let broker = picture
        .tables
        .iter()
        .find(|table| table.lane == view::BROKER);
    let entries = &broker.expect("the broker's table").entries;
    let numbers: Vec<_> = entries[..3]
        .iter()
        .map(|entry| entry.value.clone())
        .collect();
    let number = |value| text::NUMBER.with([view::number(value)]);
    assert_eq!(numbers, [number(1), number(2), number(2)]);
}

/// A statement that waits is finished by the end of the other transaction, and says what it found.
#[test]
fn a_waiter_hears_what_the_other_transaction_has_left() {
    let waits = "deliver 1 a, step a * 4, visibility-ends 1, deliver 1 b, step b * 2";
    let sent = |run: &str| {
        let (lab, state) = after("correct", json!({}), run);
        lab.sends(&state, Action::Step(1)).map(|(_, sent)| sent)
    };
    assert!(matches!(sent(waits), Some(Statement::InsertOrNothing(..))));
    // Committed: the key is taken. Rolled back: it is free.
    let committed = sent(&format!("{waits}, step a, step b"));
    assert!(matches!(committed, Some(Statement::FindReceipt(_))));
    let rolled_back = sent(&format!("{waits}, commit-failed a, step b"));
    assert!(matches!(rolled_back, Some(Statement::Change(..))));
}

/// The call of a third party can be handed to another thread like any change.
#[test]
fn another_thread_calls_the_third_party_as_well() {
    let changes = json!({ "place": "other_thread", "change": "call" });
    let run = "deliver 1 a, step a * 6, thread a";
    let (lab, state) = after("correct", changes, run);
    assert_eq!((state.calls[0], state.told[0]), (1, Told::Done));
    assert_eq!(lab.verdict(&state).progress, crate::machine::Progress::Done);
}
