//! Every preset's claim, tried on all states that at most two faults lead to.

use effectively_once::explore::{STATES_MAX, Search};
use effectively_once::lab::Lab;
use effectively_once::labs::{LABS, balance::Balance};
use effectively_once::machine::{Harm, Settings};
use serde_json::json;

const FAULTS_MAX: u8 = 2;

/// The worst verdict of a design, and the number of its states.
fn worst<L: Lab>(settings: &Settings) -> (Harm, usize) {
    let mut search = Search::new(L::new(settings), FAULTS_MAX, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete(), "a search that is cut proves nothing");
    (search.worst(), search.states())
}

/// Presets with the number of their states: a change of the machine shows here even where it
/// changes no claim. A correct design may need a person, and says so: that is honest, not wrong.
fn try_claims<L: Lab>(expected: &[(&str, usize)]) {
    let mut found = Vec::new();
    for preset in L::presets() {
        let (worst, states) = worst::<L>(&preset.settings);
        assert_eq!(worst, preset.claims, "{} {}", L::ID, preset.id);
        assert_eq!(
            worst <= Harm::Stuck,
            preset.correct,
            "{} {}",
            L::ID,
            preset.id
        );
        found.push((preset.id, states));
    }
    assert_eq!(found, expected, "{}", L::ID);
}

#[test]
fn claims_of_the_balance_lab() {
    try_claims::<Balance>(&[
        ("correct", 3970),
        ("remembered", 977),
        ("conflict", 300),
        ("set_versioned", 269),
        ("plain", 2222),
        ("check_then_act", 29_672),
        ("lock_late", 6202),
        ("two_processes", 482_564),
        ("memory_receipts", 15_056),
        ("receipt_first", 4555),
        ("balance_first", 6162),
        ("in_memory", 10_548),
        ("reply_first", 2804),
        ("same_content", 3365),
        ("set_unversioned", 256),
    ]);
}

#[test]
fn every_lab_is_tried() {
    let ids: Vec<_> = LABS.iter().map(|lab| lab.id()).collect();
    assert_eq!(ids, [Balance::ID], "a test of the claims for each lab");
}

/// What the presets do not have: an id with two contents, an operation typed twice, an overflow,
/// and two workers.
#[test]
fn the_correct_designs_of_the_balance_lab_stay_clean_with_hard_operations() {
    let operations = json!([
        { "id": "a", "delta": i64::MAX },
        { "id": "a", "delta": 1 },
        { "id": "b", "delta": i64::MIN },
        { "id": "a", "delta": i64::MAX },
    ]);
    for preset in Balance::presets()
        .into_iter()
        .filter(|preset| preset.correct)
    {
        for workers in ["one", "threads", "processes"] {
            let changes = json!({ "operations": operations, "workers": workers });
            let settings = preset
                .settings
                .read(&changes)
                .expect("settings of the schema");
            let (worst, _) = worst::<Balance>(&settings);
            assert_eq!(worst, Harm::Clean, "{} with {workers}", preset.id);
        }
    }
}
