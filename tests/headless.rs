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
        assert_eq!(
            preset["correct"] == true,
            preset["claims"] == "clean",
            "{preset}"
        );
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
            assert_eq!(
                steps[steps.len() - 1]["verdict"]["harm"],
                preset["claims"],
                "{}",
                preset["id"]
            );
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
        assert!(String::from_utf8_lossy(&output.stdout).contains("run FILE|-"));
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
