//! The rules of the ledger, each tried on the machine.

mod bounds;
mod mechanisms;
mod model;

use std::ops::ControlFlow;

use super::settings::{Operation, Refusals, Step};
use super::state::{Answer, Asked, State};
use super::{Action, Balance, presets};
use crate::lab::Lab;
use crate::labs::script;
use crate::machine::{Fault, Harm, Machine};
use Answer::{Applied, Conflict, Insufficient, Overflow};

/// The design of a preset.
fn design(preset: &str) -> Balance {
    let mut presets = presets::all().into_iter();
    let found = presets.find(|p| p.id == preset).expect("a preset");
    Balance::new(&found.settings)
}

/// The correct design with operations of the test's own.
fn ledger(list: &[(&str, i64)]) -> Balance {
    with_operations(design("correct"), list)
}

fn with_operations(mut lab: Balance, list: &[(&str, i64)]) -> Balance {
    let operation = |(id, delta): &(&str, i64)| Operation {
        id: (*id).into(),
        delta: *delta,
    };
    lab.operations = list.iter().map(operation).collect();
    lab
}

fn play(lab: &Balance, run: &str) -> State {
    let mut state = lab.initial();
    play_on(lab, &mut state, run);
    state
}

/// Takes the actions of a run that is written as in `presets.rs`. Beside them, `handle 1 a` delivers
/// operation 1 to worker a and lets it finish.
fn play_on(lab: &Balance, state: &mut State, run: &str) {
    for name in script(run).into_iter().filter(|name| !name.is_empty()) {
        match name.strip_prefix("handle ") {
            None => assert!(take(lab, state, &name).is_continue(), "{name} in {run}"),
            Some(rest) => {
                assert!(
                    take(lab, state, &format!("deliver {rest}")).is_continue(),
                    "{name} in {run}"
                );
                let worker = rest.chars().last().expect("a worker");
                while take(lab, state, &format!("step {worker}")).is_continue() {}
            }
        }
    }
}

fn take(lab: &Balance, state: &mut State, name: &str) -> ControlFlow<()> {
    let mut actions = Vec::new();
    lab.actions(state, &mut actions);
    match actions.into_iter().find(|action| lab.name(*action) == name) {
        Some(action) => {
            lab.step(state, action, &mut ());
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    }
}

/// What the client was told of each operation; `None` where it was told nothing.
fn told(lab: &Balance, state: &State) -> Vec<Option<Answer>> {
    let asked = &state.client[..lab.operations.len()];
    let answer = |asked: &Asked| match asked {
        Asked::Told(answer) => Some(*answer),
        Asked::NotSent | Asked::Waiting => None,
    };
    asked.iter().map(answer).collect()
}

/// The receipts in the store: for each operation, the answer kept under its key.
fn receipts(lab: &Balance, state: &State) -> Vec<Option<Answer>> {
    let keys = (0..lab.operations.len() as u8).map(|o| lab.receipt_key(o) as usize);
    keys.map(|key| state.store.receipts[key].map(|receipt| receipt.answer))
        .collect()
}

fn reason(lab: &Balance, state: &State) -> &'static str {
    lab.reason(state, lab.verdict(state)).text.key
}

#[test]
fn the_first_use_of_an_id_applies_and_stores_a_receipt() {
    let lab = ledger(&[("a", 100)]);
    let state = play(&lab, "handle 1 a");
    assert_eq!(state.store.account.balance, 100);
    assert_eq!(receipts(&lab, &state), [Some(Applied(100))]);
    assert_eq!(told(&lab, &state), [Some(Applied(100))]);
    assert_eq!(
        state.store.receipts[0].expect("a receipt").operation,
        0,
        "and with it the number"
    );
}

#[test]
fn a_repeated_operation_gets_its_original_receipt_although_the_balance_has_moved_on() {
    let lab = ledger(&[("a", 100), ("b", -30)]);
    let state = play(&lab, "deliver 1 a, step a * 8, lose-reply a, handle 2 a");
    assert_eq!(told(&lab, &state), [None, Some(Applied(70))]);
    let mut again = state.clone();
    play_on(&lab, &mut again, "handle 1 a");
    assert_eq!(told(&lab, &again), [Some(Applied(100)), Some(Applied(70))]);
    assert_eq!(again.store, state.store);
}

#[test]
fn the_same_content_typed_twice_is_one_operation() {
    let lab = ledger(&[("a", 100), ("a", 100)]);
    let state = play(&lab, "handle 1 a, handle 2 a");
    assert_eq!(state.store.account.balance, 100);
    assert_eq!(told(&lab, &state), [Some(Applied(100)); 2]);
}

#[test]
fn the_same_id_with_another_number_is_a_conflict() {
    let lab = ledger(&[("a", 100), ("a", 50)]);
    let first = play(&lab, "handle 1 a");
    let mut state = first.clone();
    play_on(&lab, &mut state, "handle 2 a");
    assert_eq!(told(&lab, &state), [Some(Applied(100)), Some(Conflict)]);
    assert_eq!(state.store, first.store);
}

#[test]
fn a_refusal_changes_nothing_and_the_same_id_may_succeed_later() {
    for refused in [-100, i64::MIN + 1, i64::MIN] {
        let lab = ledger(&[("a", 50), ("b", refused), ("c", i64::MAX - 50)]);
        let before = play(&lab, "handle 1 a");
        let mut state = before.clone();
        play_on(&lab, &mut state, "handle 2 a");
        assert_eq!(told(&lab, &state)[1], Some(Insufficient));
        assert_eq!(state.store, before.store);
        play_on(&lab, &mut state, "handle 3 a, handle 2 a");
        // Only the smallest number exceeds even the largest balance.
        let (balance, answer) = match refused {
            i64::MIN => (i64::MAX, Insufficient),
            _ => (i64::MAX + refused, Applied(i64::MAX + refused)),
        };
        assert_eq!(state.store.account.balance, balance);
        assert_eq!(told(&lab, &state)[1], Some(answer));
    }
}

#[test]
fn the_smallest_number_is_insufficient_and_never_an_overflow() {
    for lab in [
        ledger(&[("a", i64::MIN)]),
        with_operations(design("plain"), &[("a", i64::MIN)]),
    ] {
        let state = play(&lab, "handle 1 a");
        assert_eq!(told(&lab, &state), [Some(Insufficient)]);
        assert_eq!(state.store, lab.initial().store);
    }
}

#[test]
fn an_overflow_is_told_apart_changes_nothing_and_the_same_id_may_succeed_later() {
    let lab = ledger(&[("a", i64::MAX - 5), ("b", 10), ("c", -5)]);
    let before = play(&lab, "handle 1 a");
    let mut state = before.clone();
    play_on(&lab, &mut state, "handle 2 a");
    assert_eq!(told(&lab, &state)[1], Some(Overflow));
    assert_eq!(state.store, before.store);
    play_on(&lab, &mut state, "handle 3 a, handle 2 a");
    assert_eq!(state.store.account.balance, i64::MAX);
    assert_eq!(told(&lab, &state)[1], Some(Applied(i64::MAX)));
}

/// A refused operation leaves its id free: with another number it is no conflict.
#[test]
fn a_refused_id_may_come_back_with_another_number() {
    let lab = ledger(&[("a", i64::MAX - 5), ("b", 10), ("b", 5)]);
    let state = play(&lab, "handle 1 a, handle 2 a, handle 3 a");
    assert_eq!(
        told(&lab, &state)[1..],
        [Some(Overflow), Some(Applied(i64::MAX))]
    );
}

/// Refused for lack of funds, retried when funds are there: two legal contracts, opposite answers.
#[test]
fn a_retry_after_a_refusal_succeeds_or_fails_by_contract() {
    let run = "handle 1 a, deliver 2 a, step a * 4, lose-reply a, handle 3 a, handle 2 a";
    let mut lab = ledger(&[("a", 50), ("b", -100), ("c", 200)]);
    let forgotten = play(&lab, run);
    assert_eq!(told(&lab, &forgotten)[1], Some(Applied(150)));

    lab.refusals = Refusals::Remembered;
    let remembered = play(&lab, &run.replace("step a * 4", "step a * 5"));
    assert_eq!(told(&lab, &remembered)[1], Some(Insufficient));
    assert_eq!(remembered.store.account.balance, 250);
}

#[test]
fn remembered_refusals_keep_failing_for_every_reason() {
    for (first, refused, last, answer) in
        [(50, -100, 100, Insufficient), (i64::MAX, 1, -1, Overflow)]
    {
        let mut lab = ledger(&[("a", first), ("b", refused), ("c", last)]);
        lab.refusals = Refusals::Remembered;
        let state = play(&lab, "handle 1 a, handle 2 a, handle 3 a");
        assert_eq!(receipts(&lab, &state)[1], Some(answer));
        let mut again = state.clone();
        play_on(&lab, &mut again, "handle 2 a, handle 2 a");
        assert_eq!(again.store, state.store);
        assert_eq!(told(&lab, &again)[1], Some(answer));
    }
}

#[test]
fn a_conflict_is_never_remembered_over_a_receipt() {
    let mut lab = ledger(&[("a", 100), ("a", 50)]);
    lab.refusals = Refusals::Remembered;
    let state = play(&lab, "handle 1 a, handle 2 a, handle 1 a");
    assert_eq!(receipts(&lab, &state)[0], Some(Applied(100)));
    assert_eq!(told(&lab, &state), [Some(Applied(100)), Some(Conflict)]);
}

#[test]
fn the_law_holds_in_the_correct_design_in_every_state_and_for_every_operation() {
    for preset in presets::all().into_iter().filter(|preset| preset.correct) {
        let lab = Balance::new(&preset.settings);
        let mut state = lab.initial();
        for name in &preset.run {
            play_on(&lab, &mut state, name);
            let laws = lab.try_laws(&state);
            assert_eq!(laws.len(), lab.operations.len());
            assert!(
                laws.iter().all(|law| law.holds == Some(true)),
                "{} after {name}",
                preset.id
            );
        }
    }
}

#[test]
fn the_law_fails_without_receipts_except_for_what_is_refused() {
    let lab = design("plain");
    let state = play(&lab, "handle 1 a");
    let holds: Vec<_> = lab
        .try_laws(&state)
        .into_iter()
        .map(|law| law.holds)
        .collect();
    assert_eq!(holds, [Some(false), Some(false), Some(false)]);
    let empty = lab.initial();
    let holds: Vec<_> = lab
        .try_laws(&empty)
        .into_iter()
        .map(|law| law.holds)
        .collect();
    assert_eq!(
        holds,
        [Some(false), Some(true), Some(true)],
        "nothing to take from"
    );
}

#[test]
fn the_law_is_not_tried_where_a_lock_is_never_released() {
    let mut lab = design("correct");
    lab.handler.retain(|step| *step != Step::Unlock);
    let holds = |state: &State| lab.try_laws(state)[0].holds;
    assert_eq!(holds(&lab.initial()), None);
    assert_eq!(holds(&play(&lab, "handle 1 a")), None);
}

/// A delivery is the protocol's own in order and where no answer came; else it is a fault.
#[test]
fn which_delivery_is_which_fault() {
    let lab = ledger(&[("a", 1), ("b", 2), ("a", 3)]);
    let cases = [
        ("", "deliver 1 a", None),
        ("", "deliver 2 a", Some(Fault::Reorder)),
        ("", "deliver 3 a", Some(Fault::OtherContent)),
        ("handle 1 a", "deliver 1 a", Some(Fault::Duplicate)),
        ("handle 1 a", "deliver 2 a", None),
        (
            "handle 1 a, handle 2 a",
            "deliver 3 a",
            Some(Fault::OtherContent),
        ),
        ("deliver 1 a, crash a, restart a", "deliver 1 a", None),
        ("deliver 1 a, step a * 8, lose-reply a", "deliver 1 a", None),
        (
            "second-process, deliver 1 a",
            "deliver 1 b",
            Some(Fault::Duplicate),
        ),
        ("second-process, deliver 1 a", "deliver 2 b", None),
    ];
    for (run, name, fault) in cases {
        let state = play(&lab, run);
        let mut actions = Vec::new();
        lab.actions(&state, &mut actions);
        let mut found = actions
            .into_iter()
            .filter(|action| lab.name(*action) == name);
        let action = found.next().expect("a possible delivery");
        assert_eq!(lab.fault(&state, action), fault, "{name} after {run}");
    }
}
