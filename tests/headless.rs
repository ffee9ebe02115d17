//! The headless command, run as a person runs it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use effectively_once::labs::LABS;
use serde_json::{Value as Json, json};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_effectively-once"));
    command.args(args);
    command
}

fn output(args: &[&str], input: &[u8]) -> Output {
    let mut command = command(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // A command that does not read its input is done before it is written.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the command ends")
}

fn printed(args: &[&str], input: &str) -> Json {
    let output = output(args, input.as_bytes());
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && complaint.is_empty(),
        "{args:?}: {complaint}"
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// One line on standard error, nothing on standard output, exit status 2.
fn complaint(args: &[&str], input: &[u8]) -> String {
    let output = output(args, input);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(
        text.ends_with('\n') && text.lines().count() == 1,
        "{text:?}"
    );
    text.trim_end().to_owned()
}

#[test]
fn labs_says_all_that_a_run_file_may_contain() {
    let labs = printed(&["labs"], "");
    let ids: Vec<_> = LABS.iter().map(|lab| json!(lab.id())).collect();
    let found: Vec<_> = labs
        .as_array()
        .expect("a list")
        .iter()
        .map(|lab| lab["id"].clone())
        .collect();
    assert_eq!(found, ids);
    let balance = &labs[0];
    assert_eq!(balance["faults"][0], "crash");
    assert!(
        balance["actions"]
            .as_array()
            .expect("forms")
            .contains(&json!("crash <process>"))
    );
    let setting = |id: &str| {
        let mut settings = balance["settings"].as_array().expect("settings").iter();
        settings
            .find(|setting| setting["id"] == id)
            .expect("a setting")
            .clone()
    };
    let workers = json!({ "id": "workers", "kind": "choice", "default": "one",
                          "options": ["one", "threads", "processes"] });
    assert_eq!(setting("workers"), workers);
    assert_eq!(setting("handler")["kind"], "steps");
    let operations = setting("operations");
    assert_eq!(operations["default"][0], json!({ "id": "a", "delta": 100 }));
    assert_eq!(
        operations["columns"][0],
        json!({ "id": "id", "kind": "text", "chars_max": 200 })
    );
    assert_eq!(
        operations["columns"][1],
        json!({ "id": "delta", "kind": "integer" })
    );
    assert_eq!(operations["rows_max"], 12);
    for preset in balance["presets"].as_array().expect("presets") {
        let harmless = preset["claims"] == "clean" || preset["claims"] == "stuck";
        assert_eq!(preset["correct"] == true, harmless, "{preset}");
    }
}

/// Every preset can be taken from `labs` and put into `run`.
#[test]
fn run_shows_each_presets_claim() {
    let labs = printed(&["labs"], "");
    for lab in labs.as_array().expect("labs") {
        for preset in lab["presets"].as_array().expect("presets") {
            let file = json!({ "version": 1, "lab": lab["id"], "settings": preset["settings"],
                               "actions": preset["run"] });
            let run = printed(&["run", "-"], &file.to_string());
            assert_eq!(run["settings"], preset["settings"]);
            let steps = run["steps"].as_array().expect("steps");
            assert_eq!(
                steps.len(),
                preset["run"].as_array().expect("actions").len() + 1
            );
            // A sound design's run is one worth seeing. What never ends shows in no single state.
            let shows = |step: &Json| step["verdict"]["harm"] == preset["claims"];
            let is_excused = preset["correct"] == true || preset["claims"] == "endless";
            assert!(is_excused || steps.iter().any(shows), "{}", preset["id"]);
        }
    }
}

#[test]
fn run_shows_action_fault_state_and_verdict_of_each_step() {
    let file = r#"{ "version": 1, "lab": "balance", "settings": { "handler": ["write", "reply"] },
                    "actions": ["deliver 1 a", "step a", "crash a"] }"#;
    let run = printed(&["run", "-"], file);
    let steps = run["steps"].as_array().expect("steps");
    let actions: Vec<_> = steps.iter().map(|step| step["action"].clone()).collect();
    assert_eq!(
        json!(actions),
        json!([null, "deliver 1 a", "step a", "crash a"])
    );
    let faults: Vec<_> = steps.iter().map(|step| step["fault"].clone()).collect();
    assert_eq!(json!(faults), json!([null, null, null, "crash"]));
    assert_eq!(steps[0]["label"], Json::Null);
    let last = &steps[3];
    assert!(last["label"].as_str().expect("words").contains(' '));
    assert_eq!(last["state"]["truth"]["value"], "100");
    assert_eq!(last["state"]["belief"]["value"], "0");
    let tables = last["state"]["tables"].as_array().expect("tables");
    let kinds: Vec<_> = tables
        .iter()
        .map(|t| (&t["durability"], &t["gone"]))
        .collect();
    assert_eq!(
        json!(kinds),
        json!([["outside", false], ["durable", false], ["volatile", true]])
    );
    let verdict = &last["verdict"];
    let parts = ["effect", "belief", "progress", "harm"].map(|part| &verdict[part]);
    assert_eq!(json!(parts), json!(["once", "unknown", "running", "clean"]));
    assert!(verdict["reason"].as_str().expect("words").contains(' '));
}

#[test]
fn run_reads_a_file_by_its_name() {
    let path = format!(
        "{}/tests/golden/balance-plain.json",
        env!("CARGO_MANIFEST_DIR")
    );
    assert_eq!(printed(&["run", &path], "")["lab"], "balance");
}

#[test]
fn bad_input_gets_one_line_with_the_place() {
    let file = |rest: &str| format!(r#"{{ "version": 1, "lab": "balance"{rest} }}"#);
    for (input, place) in [
        ("{ nonsense".to_owned(), "line 1"),
        (r#"{ "version": 2 }"#.to_owned(), "version:"),
        (r#"{ "version": "1\n2" }"#.to_owned(), "version:"),
        (r#"{ "version": 1, "lab": "tea" }"#.to_owned(), "lab:"),
        (
            file(r#", "settings": { "workers": "nine" }"#),
            "settings.workers:",
        ),
        (
            file(r#", "settings": { "a\r\nb": 1 }"#),
            "settings.a\\r\\nb:",
        ),
        (
            file(r#", "actions": ["deliver 1 a", "crash\n b"]"#),
            "actions[1]:",
        ),
        (
            file(&format!(r#", "actions": ["{}"]"#, "x".repeat(100_000))),
            "actions[0]:",
        ),
    ] {
        let line = complaint(&["run", "-"], input.as_bytes());
        assert!(
            line.contains(&format!("standard input: {place}")) || line.contains(place),
            "{line}"
        );
        assert!(line.len() < 1000, "{line}");
    }
}

/// The names of the actions in a list.
fn names(list: &Json) -> Vec<&str> {
    let list = list.as_array().expect("a list").iter();
    list.map(|name| name.as_str().expect("a name")).collect()
}

#[test]
fn explore_shows_the_whole_state_space() {
    let found = printed(&["explore", "balance"], "");
    let head = ["lab", "preset", "faults", "worst", "complete", "lasso"].map(|key| &found[key]);
    assert_eq!(
        json!(head),
        json!(["balance", "correct", 2, "clean", true, null])
    );
    assert_eq!(
        json!([found["states"], found["transitions"]]),
        json!([3970, 8267])
    );
    let ends = json!({ "clean": 23, "stuck": 0, "endless": 0, "wrong_belief": 0, "lost": 0,
                       "duplicated": 0 });
    assert_eq!(found["verdicts"], ends);
    assert_eq!(found["shortest"], json!({ "clean": [] }));
    assert!(found["seconds"].is_f64() && found["states_per_second"].as_f64() > Some(0.0));
}

/// A shortest run can be taken from `explore` and put into `run`.
#[test]
fn explore_shows_a_run_to_each_harm() {
    let found = printed(
        &["explore", "balance", "--preset", "plain", "--faults", "1"],
        "",
    );
    assert_eq!(
        json!([found["preset"], found["faults"]]),
        json!(["plain", 1])
    );
    assert_eq!(found["worst"], "duplicated");
    let actions = &found["shortest"]["duplicated"];
    // One action shorter than with a crash.
    let again = ["deliver 1 a", "step a", "step a", "deliver 1 a", "step a"];
    assert_eq!(names(actions), again);
    let file = json!({ "version": 1, "lab": "balance", "settings": found["settings"],
                       "actions": actions });
    let run = printed(&["run", "-"], &file.to_string());
    assert_eq!(run["steps"][again.len()]["verdict"]["harm"], "duplicated");
}

#[test]
fn explore_takes_the_settings_of_a_preset_with_changes() {
    let settings = r#"{ "handler": ["write", "reply"], "operations": [] }"#;
    let args = [
        "explore",
        "balance",
        "--faults",
        "0",
        "--settings",
        settings,
        "--preset",
        "lock_late",
    ];
    let found = printed(&args, "");
    assert_eq!(found["settings"]["lock"], "process", "the preset's own");
    assert_eq!(found["settings"]["handler"], json!(["write", "reply"]));
    assert_eq!(found["states"], 1);
}

#[test]
fn map_shows_the_windows_of_a_presets_run() {
    let map = printed(&["map", "balance", "--preset", "plain"], "");
    let head = [
        "preset",
        "faults",
        "gaps",
        "no_return",
        "complete",
        "not_possible",
    ];
    let head = head.map(|key| &map[key]);
    assert_eq!(json!(head), json!(["plain", 1, 7, 3, true, null]));
    assert_eq!(map["columns"][0], "crash");
    let cells = map["cells"].as_array().expect("cells");
    let crash = cells
        .iter()
        .find(|cell| cell["gap"] == 2 && cell["fault"] == "crash");
    let crash = crash.expect("a window");
    assert_eq!(crash["harm"], "duplicated");
    assert_eq!(
        names(&crash["run"]),
        ["crash a", "restart a", "deliver 1 a", "step a"]
    );
    assert!(
        crash["label"]
            .as_str()
            .is_some_and(|label| label.contains(' '))
    );

    let taken = names(&map["run"])
        .into_iter()
        .take(2)
        .chain(names(&crash["run"]));
    let file = json!({ "version": 1, "lab": "balance", "settings": map["settings"],
                       "actions": taken.collect::<Vec<_>>() });
    let run = printed(&["run", "-"], &file.to_string());
    assert_eq!(run["steps"][6]["verdict"]["harm"], "duplicated");
}

#[test]
fn map_follows_the_run_as_far_as_the_settings_allow() {
    let settings = r#"{ "handler": ["reply"] }"#;
    let map = printed(
        &[
            "map",
            "balance",
            "--preset",
            "plain",
            "--settings",
            settings,
        ],
        "",
    );
    assert_eq!(names(&map["run"]), ["deliver 1 a", "step a"]);
    assert_eq!(
        json!([map["gaps"], map["not_possible"]]),
        json!([3, "lose-reply a"])
    );
}

#[test]
fn a_map_can_be_read() {
    let output = output(&["map", "balance", "--preset", "plain", "--text"], b"");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    let expected = "\
gap  after                           crash       duplicate   lose_reply  reorder     other_content  second_incarnation
0                                    ·                                   ·                          ·
1    send a: +100 → Process A        ·                                                              ·
2    write the balance · Process A   duplicated              duplicated                             ·
3    lose the reply · Process A      duplicated                          duplicated                 duplicated
4    send again a: +100 → Process A  duplicated                                                     duplicated
5    write the balance · Process A   duplicated              duplicated                             duplicated
6    reply · Process A               duplicated  duplicated              duplicated                 duplicated
point of no return: gap 3
";
    assert_eq!(text, expected);
}

#[test]
fn questions_that_make_no_sense_get_one_line() {
    let twice = ["balance", "--faults", "1", "--faults", "1"];
    let cases: [(&[&str], &str); 14] = [
        (&[], "a lab is missing"),
        (&["tea"], "there is no lab “tea”"),
        (
            &["balance", "--preset", "nine"],
            "--preset: balance has no preset “nine”",
        ),
        (&["balance", "--preset"], "--preset: a value is missing"),
        (
            &["balance", "--faults", "6"],
            "--faults: must be a whole number from 0 to 5",
        ),
        (&["balance", "--faults", "-1"], "--faults: must be"),
        (&["balance", "--faults", "two"], "--faults: must be"),
        (&["balance", "--faults"], "--faults: a value is missing"),
        (&twice, "--faults: stands there twice"),
        (
            &["balance", "--settings", "{ \"a\" "],
            "--settings: not readable as JSON at line 1, column 6",
        ),
        (
            &["balance", "--settings", "[]"],
            "--settings: must be an object",
        ),
        (
            &["balance", "--settings", r#"{"workers":"9"}"#],
            "--settings.workers: “9”",
        ),
        (&["balance", "--colour"], "--colour: is not an option"),
        (&["balance", "more"], "more: is not an option"),
    ];
    for command in ["explore", "map"] {
        for (args, expected) in cases {
            let line = complaint(&[&[command], args].concat(), b"");
            assert!(line.contains(&format!(": {command}: {expected}")), "{line}");
        }
    }
    let line = complaint(&["explore", "balance", "--text"], b"");
    assert!(
        line.contains("--text: is not an option"),
        "only a map can be read: {line}"
    );
    let line = complaint(&["map", "balance", "--text", "--text"], b"");
    assert!(line.contains("--text: stands there twice"), "{line}");
}

#[test]
fn input_that_cannot_be_read_gets_one_line() {
    for name in ["/no/such/file", env!("CARGO_MANIFEST_DIR")] {
        assert!(complaint(&["run", name], b"").contains(name));
    }
    assert!(complaint(&["run", "-"], b"\xff").contains("UTF-8"));
    assert!(complaint(&["run", "-"], &vec![b' '; (16 << 20) + 1]).contains("16 MiB"));
}

#[test]
fn wrong_commands_get_one_line() {
    for args in [
        &["explode"][..],
        &["run"],
        &["run", "a", "b"],
        &["labs", "balance"],
    ] {
        assert!(complaint(args, b"").contains("--help"), "{args:?}");
    }
}

#[test]
fn usage_is_printed_when_asked_for() {
    for args in [&[][..], &["--help"], &["-h"], &["help"]] {
        let output = output(args, b"");
        assert!(output.status.success());
        let usage = String::from_utf8_lossy(&output.stdout);
        for command in ["labs", "run FILE|-", "explore LAB", "map LAB"] {
            assert!(usage.contains(command), "{usage}");
        }
    }
}

/// As in `labs | head -0`.
#[test]
fn a_closed_pipe_is_not_a_failure() {
    let mut child = command(&["labs"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a start");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}
