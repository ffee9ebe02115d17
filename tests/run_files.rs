//! Run files and links: what is written can be read, and everything else is refused with its place.

#[path = "common/odd.rs"]
mod odd;

use std::collections::BTreeSet;

use effectively_once::labs::LABS;
use effectively_once::machine::{Cell, Text, Value, Verdict, text::problem};
use effectively_once::run::{ACTIONS_MAX, Run, RunError, Session};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn refused_file(text: &str) -> RunError {
    match Run::from_file(text).and_then(Session::open) {
        Ok(_) => panic!("opened: {text:.200}"),
        Err(error) => error,
    }
}

fn refused_link(link: &str) -> RunError {
    match Run::from_link(link).and_then(Session::open) {
        Ok(_) => panic!("opened: {link:.200}"),
        Err(error) => error,
    }
}

fn file(fields: Json) -> String {
    let mut file = json!({ "version": 1, "lab": "balance" });
    file.as_object_mut()
        .expect("an object")
        .extend(fields.as_object().expect("fields").clone());
    file.to_string()
}

fn settings(settings: Json) -> String {
    file(json!({ "settings": settings }))
}

fn operation(id: Json, delta: Json) -> String {
    settings(json!({ "operations": [{ "id": "a", "delta": 1 }, { "id": id, "delta": delta }] }))
}

/// Broken files: the text, the place of the fault, the problem.
fn broken_files() -> Vec<(String, &'static str, Text)> {
    let long = vec!["step a"; ACTIONS_MAX + 1];
    let rows = vec![json!({ "id": "a", "delta": 1 }); 13];
    let big = json!(9_223_372_036_854_775_808_u64);
    vec![
        (String::new(), "", problem::NOT_JSON),
        ("{\n  \"version\": 1,\n}".into(), "", problem::NOT_JSON),
        ("[".repeat(100_000), "", problem::NOT_JSON),
        ("[]".into(), "version", problem::MISSING),
        ("{}".into(), "version", problem::MISSING),
        (
            file(json!({ "version": 2 })),
            "version",
            problem::UNKNOWN_VERSION,
        ),
        (
            file(json!({ "version": "1" })),
            "version",
            problem::UNKNOWN_VERSION,
        ),
        (r#"{ "version": 1 }"#.into(), "lab", problem::MISSING),
        (file(json!({ "lab": "nope" })), "lab", problem::UNKNOWN_LAB),
        (file(json!({ "lab": 7 })), "lab", problem::UNKNOWN_LAB),
        (
            file(json!({ "extra": 1 })),
            "extra",
            problem::UNKNOWN_SETTING,
        ),
        (settings(json!([])), "settings", problem::NOT_AN_OBJECT),
        (
            settings(json!({ "colour": "red" })),
            "settings.colour",
            problem::UNKNOWN_SETTING,
        ),
        (
            settings(json!({ "workers": "many" })),
            "settings.workers",
            problem::UNKNOWN_OPTION,
        ),
        (
            settings(json!({ "workers": 1 })),
            "settings.workers",
            problem::NOT_TEXT,
        ),
        (
            settings(json!({ "handler": "write" })),
            "settings.handler",
            problem::NOT_A_LIST,
        ),
        (
            settings(json!({ "handler": ["jump"] })),
            "settings.handler[0]",
            problem::UNKNOWN_OPTION,
        ),
        (
            settings(json!({ "handler": [null] })),
            "settings.handler[0]",
            problem::NOT_TEXT,
        ),
        (
            settings(json!({ "handler": ["lock", "write", "lock"] })),
            "settings.handler[2]",
            problem::REPEATED_STEP,
        ),
        (
            settings(json!({ "operations": {} })),
            "settings.operations",
            problem::NOT_A_LIST,
        ),
        (
            settings(json!({ "operations": rows })),
            "settings.operations",
            problem::TOO_MANY_ROWS,
        ),
        (
            settings(json!({ "operations": [1] })),
            "settings.operations[0]",
            problem::NOT_AN_OBJECT,
        ),
        (
            settings(json!({ "operations": [{ "id": "a", "delta": 1, "note": "" }] })),
            "settings.operations[0].note",
            problem::UNKNOWN_SETTING,
        ),
        (
            settings(json!({ "operations": [{ "id": "a" }] })),
            "settings.operations[0].delta",
            problem::MISSING,
        ),
        (
            operation(json!(5), json!(1)),
            "settings.operations[1].id",
            problem::NOT_TEXT,
        ),
        (
            operation(json!(""), json!(1)),
            "settings.operations[1].id",
            problem::EMPTY_TEXT,
        ),
        (
            operation(json!("é".repeat(201)), json!(1)),
            "settings.operations[1].id",
            problem::TEXT_TOO_LONG,
        ),
        (
            operation(json!("b"), json!("1")),
            "settings.operations[1].delta",
            problem::NOT_AN_INTEGER,
        ),
        (
            operation(json!("b"), json!(1.5)),
            "settings.operations[1].delta",
            problem::NOT_AN_INTEGER,
        ),
        (
            operation(json!("b"), big),
            "settings.operations[1].delta",
            problem::NOT_AN_INTEGER,
        ),
        (
            file(json!({ "actions": "step a" })),
            "actions",
            problem::NOT_TEXTS,
        ),
        (
            file(json!({ "actions": ["deliver 1 a", 2] })),
            "actions[1]",
            problem::NOT_TEXTS,
        ),
        (
            file(json!({ "actions": long })),
            "actions",
            problem::TOO_LONG,
        ),
        (
            file(json!({ "actions": ["step a"] })),
            "actions[0]",
            problem::NOT_POSSIBLE,
        ),
        (
            file(json!({ "actions": ["deliver 1 a", "step a", "restart a", "step a"] })),
            "actions[2]",
            problem::NOT_POSSIBLE,
        ),
        (
            file(json!({ "actions": ["deliver 4 a"] })),
            "actions[0]",
            problem::NOT_POSSIBLE,
        ),
        (
            file(json!({ "actions": ["deliver 1 a "] })),
            "actions[0]",
            problem::NOT_POSSIBLE,
        ),
        (file(json!({ "at": -1 })), "at", problem::NOT_A_COUNT),
        (file(json!({ "at": 0.5 })), "at", problem::NOT_A_COUNT),
        (file(json!({ "at": null })), "at", problem::NOT_A_COUNT),
        (
            format!("[{}0]", "0,".repeat(20_001)),
            "",
            problem::TOO_LARGE,
        ),
        (" ".repeat((16 << 20) + 1), "", problem::TOO_LARGE),
    ]
}

/// Broken links: the link after `v=1&lab=balance`, the place of the fault, the problem.
const BROKEN_LINKS: &[(&str, &str, Text)] = &[
    ("&", "", problem::BAD_LINK),
    ("&run", "run", problem::BAD_LINK),
    ("&at=1&at=2", "at=2", problem::BAD_LINK),
    ("&colour=red", "settings.colour", problem::UNKNOWN_SETTING),
    ("&workers=many", "settings.workers", problem::UNKNOWN_OPTION),
    (
        "&handler=write.write",
        "settings.handler[1]",
        problem::REPEATED_STEP,
    ),
    (
        "&operations=a",
        "settings.operations[0].delta",
        problem::MISSING,
    ),
    (
        "&operations=a~1_b~x",
        "settings.operations[1].delta",
        problem::NOT_AN_INTEGER,
    ),
    (
        "&operations=~1",
        "settings.operations[0].id",
        problem::EMPTY_TEXT,
    ),
    ("&operations=a~1~2", "a~1~2", problem::BAD_LINK),
    ("&operations=%~1", "%", problem::BAD_LINK),
    ("&operations=a%4~1", "a%4", problem::BAD_LINK),
    ("&operations=%+1~1", "%+1", problem::BAD_LINK),
    ("&operations=%FF~1", "%FF", problem::BAD_LINK),
    ("&run=dance", "actions[0]", problem::NOT_POSSIBLE),
    ("&run=", "actions[0]", problem::NOT_POSSIBLE),
    (
        "&run=deliver+1+a.step+a*10",
        "actions[10]",
        problem::NOT_POSSIBLE,
    ),
    ("&run=step+a*x", "step+a*x", problem::BAD_LINK),
    ("&run=step+a*10001", "actions", problem::TOO_LONG),
    ("&run=step+a*9999.step+a*9999", "actions", problem::TOO_LONG),
    (
        "&run=step+a*18446744073709551615",
        "actions",
        problem::TOO_LONG,
    ),
    ("&at=x", "at", problem::NOT_A_COUNT),
];

#[test]
fn broken_files_are_refused_with_their_place() {
    for (text, place, problem) in broken_files() {
        let error = refused_file(&text);
        assert_eq!(
            (error.place().as_str(), error.problem().text),
            (place, problem),
            "{text:.200}"
        );
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn broken_links_are_refused_with_their_place() {
    for (rest, place, problem) in BROKEN_LINKS {
        let error = refused_link(&format!("v=1&lab=balance{rest}"));
        assert_eq!(
            (error.place().as_str(), error.problem().text),
            (*place, *problem),
            "{rest}"
        );
    }
    for (link, place, problem) in [
        ("", "", problem::BAD_LINK),
        ("lab=balance", "version", problem::MISSING),
        ("v=2&lab=balance", "version", problem::UNKNOWN_VERSION),
        ("v=one&lab=balance", "version", problem::UNKNOWN_VERSION),
        ("v=1", "lab", problem::MISSING),
        ("v=1&lab=nope", "lab", problem::UNKNOWN_LAB),
    ] {
        let error = refused_link(link);
        assert_eq!(
            (error.place().as_str(), error.problem().text),
            (place, problem),
            "{link}"
        );
    }
}

#[test]
fn every_problem_is_tried() {
    let files = broken_files();
    let files = files.iter().map(|(_, _, problem)| *problem);
    let tried: BTreeSet<_> = files
        .chain(BROKEN_LINKS.iter().map(|(_, _, problem)| *problem))
        .collect();
    assert_eq!(tried, problem::ALL.iter().copied().collect());
}

#[test]
fn what_is_wrong_is_named() {
    let error = refused_file("{\n  \"version\": 1,\n}");
    assert_eq!(error, RunError::NotJson { line: 3, column: 1 });
    let error = refused_file(&file(json!({ "actions": ["dance\n"] })));
    assert_eq!(
        error,
        RunError::NotPossible {
            index: 0,
            action: "dance\n".into()
        }
    );
    // Of a long text that is refused the beginning is enough.
    let shown = |error: RunError| error.place().chars().count() + error.to_string().chars().count();
    assert!(shown(refused_link(&"x".repeat(3_000))) < 500);
    let named = json!({ "version": 1, "lab": "<b>".repeat(100_000) });
    let problem = refused_file(&named.to_string()).problem();
    assert!(format!("{:?}", problem.args).chars().count() < 300);
}

#[test]
fn a_file_may_begin_with_a_byte_order_mark() {
    assert!(Run::from_file(&format!("\u{feff}{}", file(json!({})))).is_ok());
}

#[test]
fn a_file_may_leave_out_what_it_does_not_change() {
    for text in [
        r#"{ "version": 1, "lab": "balance" }"#,
        r#"{"version":1,"lab":"balance","settings":{}}"#,
    ] {
        let run = Run::from_file(text).expect("a run");
        assert_eq!(run.settings, run.lab.presets()[0].settings);
        assert_eq!((run.actions, run.at), (Vec::new(), None));
    }
}

#[test]
fn a_link_leaves_out_the_default_settings_and_counts_repetitions() {
    let mut run = Run::from_file(&settings(json!({ "workers": "threads" }))).expect("a run");
    run.actions = ["deliver 1 a", "step a", "step a", "lose-reply a"]
        .map(String::from)
        .into();
    run.at = Some(2);
    let link = "v=1&lab=balance&workers=threads&run=deliver+1+a.step+a*2.lose-reply+a&at=2";
    assert_eq!(run.to_link(), link);
}

#[test]
fn an_empty_list_survives() {
    let text = settings(json!({ "operations": [], "handler": [] }));
    let run = Run::from_file(&text).expect("a run");
    assert_eq!(
        Run::from_link(&run.to_link()).expect("a run").settings,
        run.settings
    );
}

/// A run of the balance lab with one operation of this id.
fn with_id(id: &str) -> Run {
    let mut run = Run::from_file(&file(json!({}))).expect("a run");
    let rows = Value::Rows(vec![vec![Cell::Text(id.into()), Cell::Integer(i64::MIN)]]);
    run.settings = run.settings.with(0, rows).expect("an id");
    run
}

fn survives(run: &Run) {
    let link = run.to_link();
    assert!(
        link.is_ascii() && !link.contains([' ', '#', '"', '<', '>']),
        "{link}"
    );
    for read in [Run::from_link(&link), Run::from_file(&run.to_file())] {
        assert_eq!(
            read.expect("what was written can be read").settings,
            run.settings
        );
    }
}

#[test]
fn odd_ids_survive() {
    for id in odd::ODD_TEXTS {
        survives(&with_id(id));
    }
    survives(&with_id(&"🧾".repeat(200)));
}

proptest! {
    #[test]
    fn any_id_survives(id in prop::collection::vec(any::<char>(), 1..=200)) {
        survives(&with_id(&id.into_iter().collect::<String>()));
    }

    #[test]
    fn any_text_is_opened_or_refused(text in any::<String>()) {
        let _ = Run::from_file(&text).and_then(Session::open);
        let _ = Run::from_link(&text).and_then(Session::open);
        let _ = Run::from_link(&format!("v=1&lab=balance&{text}")).and_then(Session::open);
    }

    /// Links that a person or a chat program has damaged.
    #[test]
    fn any_damaged_link_is_opened_or_refused(
        number in any::<usize>(),
        from in any::<usize>(),
        put in "[a-b0-9%&=~_.*+-]{0,3}",
    ) {
        let golden: Vec<_> = golden().collect();
        let (_, _, link) = golden[number % golden.len()];
        let from = from % link.len();
        let rest = link.get(from + put.len()..).unwrap_or_default();
        let damaged = format!("{}{put}{rest}", &link[..from]);
        if let Ok(session) = Run::from_link(&damaged).and_then(Session::open) {
            let again = Run::from_link(&session.save().to_link()).and_then(Session::open);
            prop_assert!(again.is_ok(), "{}", damaged);
        }
    }
}

/// Runs that must open for ever: name, verdict of the last state, link. The file is beside it.
fn golden() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("golden/runs.txt").lines().map(|line| {
        let mut words = line.split_whitespace();
        let mut word = || words.next().expect("a name, a verdict and a link");
        (word(), word(), word())
    })
}

fn short(verdict: Verdict) -> String {
    let Verdict {
        outcome,
        belief,
        progress,
    } = verdict;
    format!("{}/{}/{}", outcome.id(), belief.id(), progress.id())
}

#[test]
fn golden_runs_keep_opening() {
    for (name, verdict, link) in golden() {
        let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a file beside each link");
        for run in [Run::from_link(link), Run::from_file(&text)] {
            let session = run
                .and_then(Session::open)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(!session.is_empty(), "{name}");
            assert_eq!(
                short(session.run().verdict(session.len())),
                verdict,
                "{name}"
            );
        }
    }
}

#[test]
fn every_preset_has_a_golden_run() {
    for lab in LABS {
        for preset in lab.presets() {
            let name = format!("{}-{}", lab.id(), preset.id);
            let run = Run {
                lab: *lab,
                settings: preset.settings,
                actions: preset.run,
                at: None,
            };
            let (file, link) = (run.to_file(), run.to_link());
            let session = Session::open(run).expect("a preset's run is possible");
            let verdict = short(session.run().verdict(session.len()));
            assert!(
                golden().any(|(golden, _, _)| golden == name),
                "to tests/golden/runs.txt add\n{name} {verdict} {link}\nand to {name}.json\n{file}"
            );
        }
    }
}
