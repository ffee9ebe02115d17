//! The fixes of every wrong preset, each proved once more by a search of its own.

use effectively_once::explore::{STATES_MAX, Search};
use effectively_once::lab::{AnyLab, Fix, Fixes, Lab};
use effectively_once::labs::{LABS, balance::Balance};
use effectively_once::machine::{Harm, Kind, Value};

const FAULTS_MAX: u8 = 1;

/// A fix as `setting=value, …`.
fn write(lab: &dyn AnyLab, fix: &Fix) -> String {
    let changes = fix.changes.iter().map(|change| {
        let setting = lab.schema()[change.setting];
        let value = match (setting.kind, &change.value) {
            (Kind::Choice { options }, Value::Choice(option)) => options[*option as usize].into(),
            (Kind::Steps { .. }, Value::Steps(steps)) => format!("{} steps", steps.len()),
            _ => panic!("{} has another kind of value", setting.id),
        };
        format!("{}={value}", setting.id)
    });
    changes.collect::<Vec<_>>().join(", ")
}

#[test]
fn fixes_of_the_balance_lab() {
    let lab = *LABS
        .iter()
        .find(|lab| lab.id() == Balance::ID)
        .expect("the lab");
    let mut found = Vec::new();
    for preset in Balance::presets() {
        let mut fixes = Fixes::new(lab, &preset.settings, FAULTS_MAX);
        fixes.advance(usize::MAX);
        for fix in fixes.found() {
            let mut search = Search::new(Balance::new(&fix.settings), FAULTS_MAX, STATES_MAX);
            search.advance(usize::MAX);
            assert!(
                search.complete() && search.worst() == fix.harm,
                "{}",
                preset.id
            );
            assert_eq!(search.states(), fix.states, "{}", preset.id);
            assert_eq!(fix.harm, Harm::Clean, "{}", preset.id);
        }
        let fixes: Vec<_> = fixes.found().iter().map(|fix| write(lab, fix)).collect();
        assert_eq!(fixes.is_empty(), preset.correct, "{}", preset.id);
        if !preset.correct {
            found.push((preset.id, fixes));
        }
    }
    let meanings = ["meaning=set", "meaning=set_versioned"];
    let with_meanings = |fix: &'static str| [&[fix][..], &meanings[..]].concat();
    let expected = [
        ("plain", with_meanings("handler=9 steps")),
        ("check_then_act", with_meanings("handler=9 steps")),
        (
            "lock_late",
            vec!["handler=9 steps", "meaning=set_versioned"],
        ),
        ("two_processes", meanings.to_vec()),
        ("memory_receipts", with_meanings("receipts=store")),
        ("receipt_first", vec!["handler=9 steps"]),
        ("balance_first", with_meanings("handler=9 steps")),
        (
            "in_memory",
            vec![
                "balance=store, meaning=set",
                "balance=store, meaning=set_versioned",
            ],
        ),
        ("reply_first", vec!["handler=9 steps"]),
        ("same_content", with_meanings("identity=id")),
        ("set_unversioned", vec!["meaning=set_versioned"]),
    ];
    let expected = expected.map(|(id, fixes)| (id, fixes.into_iter().map(String::from).collect()));
    assert_eq!(found, expected);
}
