//! The state as it is shown, with what the last step changed.

use effectively_once::lab::AnyRun;
use effectively_once::labs;
use effectively_once::view::StateView;
use serde_json::json;

/// A run of the balance lab with these operations.
fn run(operations: serde_json::Value, actions: &[&str]) -> Box<dyn AnyRun> {
    let lab = labs::find("balance").expect("the balance lab");
    let defaults = lab.presets().swap_remove(0).settings;
    let settings = defaults
        .read(&json!({ "operations": operations }))
        .expect("settings");
    let mut run = lab.start(&settings);
    for name in actions {
        assert!(run.act(name), "{name}");
    }
    run
}

/// The changed entries of a state: table from the left, place in the table.
fn changed(view: &StateView) -> Vec<(usize, usize)> {
    let tables = view.tables.iter().enumerate();
    let entries = tables.flat_map(|(t, table)| {
        table
            .entries
            .iter()
            .enumerate()
            .map(move |(e, x)| (t, e, x))
    });
    entries
        .filter(|(_, _, entry)| entry.changed)
        .map(|(t, e, _)| (t, e))
        .collect()
}

const WHOLE: &[&str] = &[
    "deliver 1 a",
    "step a",
    "step a",
    "step a",
    "step a",
    "step a",
    "step a",
    "step a",
    "step a",
    "step a",
];

#[test]
fn what_a_step_changes_is_marked() {
    let run = run(json!([{ "id": "a", "delta": 100 }]), WHOLE);
    let (client, store, worker) = (0, 1, 2);
    let states: Vec<_> = (0..=run.len())
        .map(|at| StateView::new(&*run, at))
        .collect();
    assert_eq!(changed(&states[0]), [], "nothing led to the first state");
    assert_eq!(
        changed(&states[1]),
        [(client, 0), (worker, 0)],
        "sent, and worked on"
    );
    assert_eq!(changed(&states[2]), [(worker, 2)], "the lock");
    assert_eq!(
        changed(&states[8]),
        [(store, 0), (store, 1), (worker, 3)],
        "the commit"
    );
    let truths: Vec<_> = (0..states.len())
        .filter(|at| states[*at].truth_changed)
        .collect();
    assert_eq!(truths, [8], "committed");
    let beliefs: Vec<_> = (0..states.len())
        .filter(|at| states[*at].belief_changed)
        .collect();
    assert_eq!(beliefs, [10], "told");
}

#[test]
fn lines_of_the_same_name_are_told_apart() {
    let operation = json!({ "id": "a", "delta": 100 });
    let mut run = run(json!([operation, operation]), WHOLE);
    let told = StateView::new(&*run, run.len());
    assert_eq!(changed(&told)[..2], [(0, 0), (2, 0)]);
    assert!(run.act("deliver 2 a"));
    let sent_again = StateView::new(&*run, run.len());
    assert_eq!(changed(&sent_again), [(0, 1), (2, 0)]);
}
