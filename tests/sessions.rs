//! A run under a person's hands: forward and back, branches, settings that change, links that open
//! at a cursor.

use effectively_once::labs::{self, LABS};
use effectively_once::machine::{Settings, Value};
use effectively_once::run::{ACTIONS_MAX, BRANCHES_MAX, Run, Session, Shown, Stopped};
use serde_json::json;

const DONE_ONCE: &[&str] = &["deliver 1 a", "step a", "step a", "step a"];

fn settings(changes: serde_json::Value) -> Settings {
    let lab = labs::find("balance").expect("the balance lab");
    let defaults = lab.presets().swap_remove(0).settings;
    defaults.read(&changes).expect("settings of the schema")
}

fn session() -> Session {
    Session::new(
        labs::find("balance").expect("the balance lab"),
        settings(json!({})),
    )
}

fn take(session: &mut Session, names: &[&str]) {
    for name in names {
        assert!(session.act(name), "{name}");
    }
}

fn actions(session: &Session) -> Vec<String> {
    (0..session.len())
        .map(|step| session.run().name(step))
        .collect()
}

#[test]
fn an_action_that_is_not_possible_changes_nothing() {
    let mut session = session();
    take(&mut session, DONE_ONCE);
    for name in ["deliver 1 a", "restart a", "nonsense", ""] {
        assert!(!session.act(name), "{name}");
    }
    assert_eq!(actions(&session), DONE_ONCE);
    assert_eq!((session.cursor(), session.branches().len()), (4, 1));
}

#[test]
fn seeking_stops_at_the_ends() {
    let mut session = session();
    take(&mut session, DONE_ONCE);
    session.seek(usize::MAX);
    assert_eq!(session.cursor(), 4);
    session.seek(0);
    assert_eq!(session.cursor(), 0);
    assert_eq!(session.len(), 4, "the run stays");
}

#[test]
fn going_forward_takes_the_recorded_step_and_at_the_end_the_protocols_own() {
    let mut session = session();
    take(&mut session, &["deliver 1 a", "crash a"]);
    session.seek(0);
    let mut fault_free = Vec::new();
    while session.len() < 40 && session.forward() {
        fault_free.push(session.run().name(session.cursor() - 1));
    }
    assert_eq!(
        fault_free[..4],
        ["deliver 1 a", "crash a", "restart a", "deliver 1 a"]
    );
    assert_eq!(session.run().verdict(session.len()).progress.id(), "done");
    assert!(
        session
            .choices()
            .iter()
            .all(|choice| choice.fault.is_some())
    );
    assert_eq!(session.branches().len(), 1);
}

#[test]
fn taking_the_recorded_action_opens_no_branch() {
    let mut session = session();
    take(&mut session, DONE_ONCE);
    session.seek(1);
    assert!(session.act("step a"));
    assert_eq!(
        (session.cursor(), session.len(), session.branches().len()),
        (2, 4, 1)
    );
}

#[test]
fn another_action_forks_and_both_branches_stay() {
    let mut session = session();
    take(&mut session, DONE_ONCE);
    session.seek(2);
    assert!(session.act("crash a"));
    assert_eq!(actions(&session), ["deliver 1 a", "step a", "crash a"]);
    assert_eq!((session.cursor(), session.open_branch()), (3, 1));
    let branches = session.branches();
    let shape: Vec<_> = branches
        .iter()
        .map(|b| (b.id, b.forked_at, b.len))
        .collect();
    assert_eq!(shape, [(1, 0, 4), (2, 2, 3)]);

    assert_eq!(session.switch(0), None);
    assert_eq!(actions(&session), DONE_ONCE);
    assert_eq!((session.cursor(), session.open_branch()), (4, 0));
    assert_eq!(session.switch(1), None);
    assert_eq!(actions(&session), ["deliver 1 a", "step a", "crash a"]);
    assert_eq!(session.run().diagram().rows().len(), 3);
    for out_of_place in [1, 2, usize::MAX] {
        assert_eq!(session.switch(out_of_place), None);
        assert_eq!(session.open_branch(), 1);
    }
}

#[test]
fn only_so_many_branches_are_kept_and_ids_are_not_used_again() {
    let mut session = session();
    take(&mut session, &["deliver 1 a"]);
    for round in 0..BRANCHES_MAX + 5 {
        session.seek(1);
        let next = if round % 2 == 0 { "crash a" } else { "step a" };
        let forked = session.len() == 1 || session.run().name(1) != next;
        assert!(session.act(next));
        assert!(forked, "round {round}");
    }
    let ids: Vec<_> = session.branches().iter().map(|branch| branch.id).collect();
    assert_eq!(ids.len(), BRANCHES_MAX);
    assert!(
        ids.is_sorted() && ids.windows(2).all(|pair| pair[0] < pair[1]),
        "{ids:?}"
    );
    assert_eq!(session.open_branch(), BRANCHES_MAX - 1);
}

#[test]
fn changed_settings_replay_the_run_as_far_as_it_goes_and_the_rest_comes_back() {
    let whole = ["deliver 1 a", "step a", "deliver 1 b", "step b", "step a"];
    let racing =
        settings(json!({ "workers": "threads", "handler": ["look_up", "write", "reply"] }));
    let mut session = session();
    assert_eq!(session.set(racing.clone()), None);
    take(&mut session, &whole);

    let one = racing
        .read(&json!({ "workers": "one" }))
        .expect("settings of the schema");
    let label = session.run().diagram().rows()[2].label.clone();
    let stopped = Stopped {
        at: 2,
        action: "deliver 1 b".into(),
        label: Some(label),
    };
    assert_eq!(session.set(one.clone()), Some(stopped));
    assert_eq!(actions(&session), whole[..2]);
    assert_eq!((session.cursor(), session.branches()[0].len), (2, 2));
    assert_eq!(session.save().actions, whole[..2]);

    assert_eq!(session.set(racing), None);
    assert_eq!(actions(&session), whole);
    assert_eq!(session.cursor(), 2, "where it was left");

    // An action at the place where it stopped is another line of action; the old one stays whole.
    session.set(one);
    assert!(session.act("step a"));
    assert_eq!(actions(&session), ["deliver 1 a", "step a", "step a"]);
    assert_eq!(session.branches().len(), 2);
    let stopped = session
        .switch(0)
        .expect("the second worker is still missing");
    assert_eq!(stopped.at, 2);
}

#[test]
fn another_name_for_an_operation_keeps_the_run() {
    let mut session = session();
    take(&mut session, DONE_ONCE);
    session.seek(2);
    let renamed = json!({ "operations": [{ "id": "renamed", "delta": 5 }] });
    assert_eq!(session.set(settings(renamed)), None);
    assert_eq!((session.cursor(), session.len()), (2, 4));
    let Value::Rows(rows) = session.settings().at(0) else {
        panic!("the operations come first")
    };
    assert_eq!(rows.len(), 1);
}

#[test]
fn a_link_opens_at_its_cursor_and_saving_gives_it_back() {
    let link = "v=1&lab=balance&run=deliver+1+a.step+a*2.crash+a&at=2";
    let session = Session::open(Run::from_link(link).expect("a link")).expect("a run");
    assert_eq!((session.cursor(), session.len()), (2, 4));
    assert_eq!(session.save().to_link(), link);

    let beyond = Session::open(Run::from_link(&link.replace("at=2", "at=99")).expect("a link"));
    assert_eq!(beyond.expect("a run").cursor(), 4);
    let at_end = Session::open(Run::from_link(&link.replace("&at=2", "")).expect("a link"));
    let at_end = at_end.expect("a run");
    assert_eq!(at_end.cursor(), 4);
    assert_eq!(at_end.save().at, None);
}

#[test]
fn a_run_ends_at_the_limit() {
    let name = |step: usize| {
        if step.is_multiple_of(2) {
            "crash a"
        } else {
            "restart a"
        }
        .to_owned()
    };
    let mut run = session().save();
    run.actions = (0..ACTIONS_MAX).map(name).collect();
    let link = run.to_link();
    let mut session = Session::open(Run::from_link(&link).expect("a link")).expect("a run");
    assert_eq!(session.len(), ACTIONS_MAX);
    assert!(!session.act("crash a"), "one more");
    assert!(!session.forward());
    session.seek(ACTIONS_MAX - 1);
    assert!(session.act("restart a"));
}

#[test]
fn a_fault_is_put_with_what_comes_of_it_and_the_cursor_stays_behind_it() {
    let mut session = session();
    take(&mut session, DONE_ONCE);
    let after = ["crash a", "restart a", "deliver 1 a"].map(str::to_owned);
    assert!(session.put(2, &after));
    assert_eq!(session.cursor(), 3, "just after the fault");
    let put = [&DONE_ONCE[..2], &["crash a", "restart a", "deliver 1 a"]].concat();
    assert_eq!(actions(&session), put);
    assert_eq!(session.branches()[1].forked_at, 2);
    session.switch(0);
    assert_eq!(actions(&session), DONE_ONCE, "the old run is kept");
}

#[test]
fn what_is_put_and_already_stands_there_opens_no_branch() {
    let mut session = session();
    take(&mut session, DONE_ONCE);
    let same = DONE_ONCE[1..3].iter().map(|name| (*name).to_owned());
    assert!(session.put(1, &same.collect::<Vec<_>>()));
    assert_eq!((session.cursor(), session.len()), (2, 4));
    assert_eq!(session.branches().len(), 1);
    assert!(!session.put(1, &["restart a".to_owned()]), "not possible");
    assert_eq!(actions(&session), DONE_ONCE);
}

#[test]
fn the_revision_is_that_of_run_and_settings_and_not_of_the_cursor() {
    let mut session = session();
    let mut seen = vec![session.revision()];
    take(&mut session, DONE_ONCE);
    seen.push(session.revision());
    session.seek(1);
    assert!(session.act("step a"), "the recorded step");
    assert_eq!(session.revision(), seen[1], "only the cursor moved");
    assert!(session.act("crash a"));
    seen.push(session.revision());
    session.switch(0);
    seen.push(session.revision());
    session.set(settings(json!({ "handler": ["write", "reply"] })));
    seen.push(session.revision());
    assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
}

#[test]
fn every_change_is_taken_back_and_made_again_and_the_cursor_alone_is_none() {
    let mut session = session();
    assert!(!session.undo() && !session.redo());
    take(&mut session, &["deliver 1 a", "step a"]);
    session.seek(0);
    assert!(session.undo());
    assert_eq!(
        (actions(&session), session.cursor()),
        (vec!["deliver 1 a".to_owned()], 1)
    );
    assert!(session.redo());
    assert_eq!((session.len(), session.cursor()), (2, 0), "as it was left");

    let before = session.settings().clone();
    session.set(settings(json!({ "workers": "threads" })));
    let after = session.settings().clone();
    assert!(session.undo());
    assert_eq!(session.settings(), &before);
    assert!(session.redo());
    assert_eq!(session.settings(), &after);

    assert!(session.undo());
    session.seek(usize::MAX);
    assert!(session.forward());
    assert!(!session.can_redo(), "another change was made instead");
}

#[test]
fn another_session_in_its_place_is_taken_back_with_all_branches() {
    let mut session = session();
    take(&mut session, &["deliver 1 a", "step a"]);
    assert!(session.start_over());
    assert!(!session.start_over(), "it is empty already");
    assert_eq!((session.len(), session.branches().len()), (0, 2));
    take(&mut session, &["deliver 1 a"]);
    let (branches, revision) = (session.branches(), session.revision());
    let other = labs::LABS[1];
    session.replace(Session::new(other, other.presets().swap_remove(0).settings));
    assert_eq!(
        (session.lab().id(), session.branches().len()),
        (other.id(), 1)
    );
    assert!(session.undo());
    assert_eq!(
        (session.lab().id(), session.branches()),
        ("balance", branches)
    );
    assert!(session.revision() > revision);
}

#[test]
fn a_repaired_run_goes_to_its_end_and_alternates_with_the_one_before() {
    let mut session = session();
    assert!(!session.alternate());
    take(&mut session, &["deliver 1 a", "step a"]);
    let (before, unfixed) = (session.settings().clone(), actions(&session));
    session.repair(settings(json!({ "receipts": "store" })));
    assert_eq!(
        (session.shown(), session.cursor()),
        (Some(Shown::WithFix), 2)
    );
    assert!(session.len() > 2);
    session.seek(usize::MAX);
    assert!(!session.forward(), "nothing is left to do");
    let end = session.cursor();
    assert!(session.alternate());
    assert_eq!(
        (session.shown(), session.cursor()),
        (Some(Shown::WithoutFix), 2)
    );
    assert_eq!((session.settings(), actions(&session)), (&before, unfixed));
    assert!(session.alternate());
    assert_eq!(session.cursor(), end);
    assert!(session.undo());
    assert_eq!(
        (session.settings(), session.len(), session.shown()),
        (&before, 2, None)
    );
}

#[test]
fn a_session_is_kept_as_text_with_its_branches() {
    for lab in LABS {
        let preset = lab.presets().swap_remove(1);
        let run = Run {
            lab: *lab,
            settings: preset.settings,
            actions: preset.run,
            at: Some(1),
        };
        let mut session = Session::open(run).expect("a preset");
        let fault = session.choices().into_iter().rfind(|c| c.fault.is_some());
        if let Some(fault) = fault {
            assert!(session.act(&fault.name));
        }
        session.start_over();
        session.forward();
        session.switch(0);
        session.seek(2);
        let again = Session::kept(&session.keep()).expect("what was kept");
        assert_eq!(again.branches(), session.branches());
        assert_eq!(again.open_branch(), session.open_branch());
        assert_eq!(again.save().to_link(), session.save().to_link());
        assert_eq!(again.keep(), session.keep());
    }
    for text in [
        "",
        "x",
        "v=1&lab=balance&at=0",
        "v=1&lab=balance&at=0\n1\n1 0 0 ",
        "v=1&lab=balance&at=0\n0\n1 0",
    ] {
        assert!(Session::kept(text).is_none(), "{text}");
    }
}
