//! Each wrong design fails in its own way, says why, and the right mechanism prevents it.

use std::collections::BTreeSet;

use super::*;
use crate::labs::balance::settings::Meaning;
use crate::labs::balance::text;
use crate::machine::{Belief, Outcome, Progress};

/// Every reason that a verdict can have, with a run that ends with it.
const REASONS: &[(&str, &str, &str)] = &[
    ("correct", "", "nothing_yet"),
    ("correct", "handle 1 a", "so_far"),
    ("correct", "deliver 1 a, step a * 2", "waiting"),
    ("correct", "handle 1 a, handle 2 a, handle 3 a", "done"),
    ("plain", "handle 1 a, handle 1 a", "duplicated"),
    ("reply_first", "deliver 1 a, step a * 4, crash a", "lost"),
    (
        "receipt_first",
        "deliver 1 a, step a * 4, crash a",
        "empty_receipt",
    ),
    (
        "plain",
        "handle 2 a, handle 1 a, deliver 2 a, step a, lose-reply a",
        "refused_for_now",
    ),
];

#[test]
fn reasons() {
    for (preset, run, expected) in REASONS {
        let lab = design(preset);
        let state = play(&lab, run);
        assert_eq!(
            reason(&lab, &state),
            format!("balance.reason.{expected}"),
            "{preset}: {run}"
        );
    }
}

/// The end of each wrong preset's stored run: the verdict, and why.
#[test]
fn stored_runs_end_with_the_claim_and_its_reason() {
    let expected = [
        ("plain", Outcome::Duplicated, text::REASON_DUPLICATED),
        (
            "check_then_act",
            Outcome::Duplicated,
            text::REASON_DUPLICATED,
        ),
        ("lock_late", Outcome::Duplicated, text::REASON_DUPLICATED),
        (
            "two_processes",
            Outcome::Duplicated,
            text::REASON_DUPLICATED,
        ),
        (
            "memory_receipts",
            Outcome::Duplicated,
            text::REASON_DUPLICATED,
        ),
        ("receipt_first", Outcome::Lost, text::REASON_LOST),
        (
            "balance_first",
            Outcome::Duplicated,
            text::REASON_DUPLICATED,
        ),
        ("in_memory", Outcome::Lost, text::REASON_LOST),
        ("reply_first", Outcome::Lost, text::REASON_LOST),
        ("same_content", Outcome::Lost, text::REASON_LOST),
        ("set_unversioned", Outcome::Lost, text::REASON_LOST),
    ];
    let wrong = presets::all().into_iter().filter(|preset| !preset.correct);
    let found: Vec<_> = wrong
        .map(|preset| {
            let lab = Balance::new(&preset.settings);
            let mut state = lab.initial();
            for name in &preset.run {
                play_on(&lab, &mut state, name);
                assert!(
                    lab.verdict(&state).harm() <= preset.claims,
                    "{} after {name}",
                    preset.id
                );
            }
            let verdict = lab.verdict(&state);
            assert_eq!(verdict.harm(), preset.claims, "{}", preset.id);
            (preset.id, verdict.outcome, lab.reason(&state, verdict).text)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn stored_runs_of_correct_presets_stay_clean_and_end_with_everything_told() {
    for preset in presets::all().into_iter().filter(|preset| preset.correct) {
        let lab = Balance::new(&preset.settings);
        let mut state = lab.initial();
        for name in &preset.run {
            play_on(&lab, &mut state, name);
            assert_eq!(
                lab.verdict(&state).harm(),
                Harm::Clean,
                "{} after {name}",
                preset.id
            );
        }
        assert!(!state.client.contains(&Asked::Waiting), "{}", preset.id);
    }
}

/// Two workers look up, both find nothing, both act. One lock around all four steps keeps the
/// second from looking.
#[test]
fn check_then_act_needs_the_lock_before_the_check() {
    let mut lab = design("check_then_act");
    let race = "deliver 1 a, step a, deliver 1 b, step b, step a * 6, step b * 6";
    let state = play(&lab, race);
    assert_eq!(state.store.account.balance, 200);
    assert_eq!(lab.verdict(&state).outcome, Outcome::Duplicated);

    lab.handler = design("correct").handler;
    let mut state = play(&lab, "deliver 1 a, step a, deliver 1 b");
    assert!(
        take(&lab, &mut state, "step b").is_break(),
        "b waits for the lock"
    );
    play_on(&lab, &mut state, "step a * 8, step b * 4");
    assert_eq!(state.store.account.balance, 100);
    assert_eq!(lab.verdict(&state).harm(), Harm::Clean);
}

/// The lock starts after the balance was read: both compute from the same one, and the second write
/// erases the first.
#[test]
fn a_lock_that_starts_after_the_read_loses_an_update() {
    let lab = design("lock_late");
    let state = play(
        &lab,
        "deliver 1 a, step a * 2, deliver 2 b, step b * 2, step a * 7, step b * 7",
    );
    assert_eq!(state.store.account.balance, 50);
    assert_eq!(told(&lab, &state), [Some(Applied(100)), Some(Applied(50))]);
    assert_eq!(lab.verdict(&state).outcome, Outcome::Lost);
    assert_eq!(reason(&lab, &state), text::REASON_LOST.key);
}

/// A lock in the memory of one process does not keep another process out; one in the store does.
#[test]
fn a_process_lock_excludes_no_other_process() {
    let both = "deliver 1 a, step a, deliver 1 b";
    for (preset, excludes) in [("two_processes", false), ("correct", true)] {
        let mut lab = design(preset);
        lab.workers = design("two_processes").workers;
        let mut state = play(&lab, both);
        assert_eq!(
            take(&lab, &mut state, "step b").is_break(),
            excludes,
            "{preset}"
        );
    }
}

/// A map of its own for each process: what one has done, the other does once more.
#[test]
fn two_processes_with_receipts_of_their_own_apply_twice() {
    let lab = design("two_processes");
    let state = play(&lab, "handle 1 a, handle 1 b");
    assert_eq!(state.store.account.balance, 200);
    assert_eq!(reason(&lab, &state), text::REASON_DUPLICATED.key);
}

#[test]
fn receipts_in_memory_do_not_outlive_a_crash_but_receipts_in_the_store_do() {
    let run = "handle 1 a, crash a, restart a, handle 1 a";
    for (preset, balance) in [("memory_receipts", 200), ("correct", 100)] {
        assert_eq!(
            play(&design(preset), run).store.account.balance,
            balance,
            "{preset}"
        );
    }
}

/// A crash at every step of a first delivery, then a retry by the client.
fn crash_everywhere(lab: &Balance) -> BTreeSet<(i64, Harm)> {
    let steps = 1..=lab.handler.len();
    let outcome = |steps: usize| {
        let mut state = play(
            lab,
            &format!("deliver 1 a, step a * {steps}, crash a, restart a"),
        );
        play_on(lab, &mut state, "handle 1 a");
        (state.store.account.balance, lab.verdict(&state).harm())
    };
    steps.map(outcome).collect()
}

/// Two durable writes instead of one transaction: in either order there is a gap.
#[test]
fn two_separate_writes_fail_in_either_order() {
    let expected = [
        ("receipt_first", vec![(0, Harm::Lost), (100, Harm::Clean)]),
        (
            "balance_first",
            vec![(100, Harm::Clean), (200, Harm::Duplicated)],
        ),
        ("correct", vec![(100, Harm::Clean)]),
    ];
    for (preset, expected) in expected {
        let found: Vec<_> = crash_everywhere(&design(preset)).into_iter().collect();
        assert_eq!(found, expected, "{preset}");
    }
}

/// A state that is set needs a version, or an older one overwrites a newer one.
#[test]
fn an_older_version_is_superseded_only_where_versions_are_compared() {
    let run = "handle 2 a, handle 1 a";
    let lab = design("set_versioned");
    let state = play(&lab, run);
    assert_eq!(state.store.account.balance, 150);
    assert_eq!(told(&lab, &state)[0], Some(Answer::Superseded(150)));
    assert_eq!(lab.verdict(&state).harm(), Harm::Clean);

    let lab = design("set_unversioned");
    let state = play(&lab, run);
    assert_eq!(state.store.account.balance, 120);
    assert_eq!(lab.verdict(&state).outcome, Outcome::Lost);
}

/// Setting a state is idempotent by itself, whatever its version.
#[test]
fn a_state_set_twice_is_set_once() {
    for preset in ["set_versioned", "set_unversioned"] {
        let lab = design(preset);
        let state = play(&lab, "handle 1 a, handle 2 a, handle 2 a");
        assert_eq!(state.store.account.balance, 150, "{preset}");
        assert_eq!(lab.verdict(&state).harm(), Harm::Clean, "{preset}");
    }
}

#[test]
fn a_negative_state_is_refused() {
    for meaning in [Meaning::Set, Meaning::SetVersioned] {
        let mut lab = with_operations(design("set_versioned"), &[("a", -1)]);
        lab.meaning = meaning;
        let state = play(&lab, "handle 1 a");
        assert_eq!(told(&lab, &state), [Some(Insufficient)]);
        assert_eq!(state.store.account.balance, 0);
    }
}

/// Two legal operations of equal content, taken for one by their content and for two by their ids.
#[test]
fn equal_content_is_not_the_same_operation() {
    let run = "handle 1 a, handle 2 a, handle 3 a";
    for (preset, balance, told_last) in [
        ("same_content", 70, Applied(70)),
        ("correct", 40, Applied(40)),
    ] {
        let lab = design(preset);
        let state = play(&lab, run);
        assert_eq!(state.store.account.balance, balance, "{preset}");
        assert_eq!(told(&lab, &state)[2], Some(told_last), "{preset}");
    }
    let lab = design("same_content");
    assert_eq!(reason(&lab, &play(&lab, run)), text::REASON_LOST.key);
}

#[test]
fn without_receipts_two_contents_under_one_id_both_count() {
    let lab = with_operations(design("plain"), &[("a", 100), ("a", 50)]);
    let state = play(&lab, "handle 1 a, handle 2 a");
    assert_eq!(state.store.account.balance, 150);
    assert_eq!(lab.verdict(&state).outcome, Outcome::Duplicated);
    assert_eq!(reason(&lab, &state), text::REASON_TWO_CONTENTS.key);
}

#[test]
fn a_lock_that_is_never_released_stops_everything() {
    let mut lab = design("correct");
    lab.handler.retain(|step| *step != Step::Unlock);
    let state = play(&lab, "handle 1 a, deliver 2 a");
    assert_eq!(lab.verdict(&state).progress, Progress::Stuck);
    assert_eq!(reason(&lab, &state), text::REASON_STUCK.key);
    // The lock ends with the connection of its owner.
    let mut state = state;
    play_on(&lab, &mut state, "crash a, restart a, handle 2 a");
    assert_eq!(told(&lab, &state)[1], Some(Applied(70)));
}

/// Where refusals count for ever, a refused operation that was applied after all is a wrong belief;
/// where they are forgotten, the client knows that it does not know.
#[test]
fn a_refusal_that_turns_into_an_effect_unseen() {
    let run = "handle 2 a, handle 1 a, deliver 2 a, step a, lose-reply a";
    let mut lab = design("plain");
    assert_eq!(lab.verdict(&play(&lab, run)).belief, Belief::Unknown);
    lab.refusals = Refusals::Remembered;
    let state = play(&lab, run);
    assert_eq!(lab.verdict(&state).belief, Belief::Wrong);
    assert_eq!(reason(&lab, &state), text::REASON_REFUSED_BUT_APPLIED.key);
}

#[test]
fn an_uncommitted_transaction_is_rolled_back() {
    let mut lab = design("correct");
    lab.handler.retain(|step| *step != Step::Commit);
    let state = play(&lab, "handle 1 a");
    assert_eq!(state.store.account.balance, 0);
    assert_eq!(receipts(&lab, &state), [None; 3]);
    assert_eq!(
        lab.verdict(&state).outcome,
        Outcome::Lost,
        "the client was told success"
    );
}

#[test]
fn a_handler_that_answers_before_it_knows_says_accepted() {
    let mut lab = with_operations(design("plain"), &[("a", -1)]);
    lab.handler = vec![Step::Reply, Step::Write];
    let state = play(&lab, "handle 1 a");
    assert_eq!(told(&lab, &state), [Some(Answer::Accepted)]);
    assert_eq!(lab.verdict(&state).outcome, Outcome::Lost);
}

/// An answer that comes too early is a false one only once nobody is at work any more.
#[test]
fn an_effect_is_not_lost_while_somebody_works_on_it() {
    let lab = design("reply_first");
    let mut state = play(&lab, "deliver 1 a, step a * 4");
    assert_eq!(told(&lab, &state)[0], Some(Applied(100)));
    assert_eq!(state.store.account.balance, 0);
    assert_eq!(lab.verdict(&state).harm(), Harm::Clean);
    play_on(&lab, &mut state, "crash a");
    assert_eq!(lab.verdict(&state).harm(), Harm::Lost);
}

/// Nobody was told anything yet, and the receipt claims already what is not so.
#[test]
fn a_receipt_without_its_effect_is_a_wrong_belief() {
    let lab = design("receipt_first");
    let verdict = lab.verdict(&play(&lab, "deliver 1 a, step a * 4, crash a"));
    assert_eq!(
        (verdict.outcome, verdict.belief),
        (Outcome::None, Belief::Wrong)
    );
}

#[test]
fn a_client_that_was_told_success_does_not_take_a_later_refusal_for_the_answer() {
    let lab = with_operations(design("plain"), &[("a", 30), ("b", -30)]);
    let state = play(&lab, "handle 1 a, handle 2 a, handle 2 a");
    assert_eq!(told(&lab, &state)[1], Some(Applied(0)));
}
