//! The headless command: the core without a browser, for authors of lessons, for CI, and for
//! anyone who wants numbers. What it prints is JSON; what it says in words is English.

mod query;
mod search;

use std::ffi::OsString;
use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;

use effectively_once::lab::{AnyLab, AnyRun, Figure, Table};
use effectively_once::labs::LABS;
use effectively_once::locale::Language;
use effectively_once::machine::{
    Column, ColumnKind, Fault, Kind, Label, Preset, Setting, Settings,
};
use effectively_once::run::{FILE_BYTES_MAX, Run, RunError, Session};
use serde_json::{Value as Json, json};

const USAGE: &str = "\
effectively-once: step through the failure windows of message processing, without a browser

  labs          the labs as JSON: id, settings, actions, faults, presets
  run FILE|-    a run file (- is standard input): each step, the state and the verdict, as JSON
  explore LAB [--preset ID] [--settings JSON] [--faults N]
                every state of a preset (else the first) within N faults (0 to 5, else 2), as
                JSON: verdicts, the worst harm, the shortest run to each, and what never ends
  map LAB [the same options] [--text]
                the failure-window map of the preset's run: the worst that a fault in each gap can
                lead to, within N faults in all (else 1); as JSON, or to read
";
/// Enough of a wrong input to recognise it by.
const COMPLAINT_CHARS_MAX: usize = 400;

/// Why the command ends early.
enum Stop {
    /// What is wrong with the input, and where.
    BadInput(String),
    Output(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    let done = command(&args, &mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough.
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stop::Output(error)) => complain(&format!("standard output: {error}")),
        Err(Stop::BadInput(problem)) => complain(&problem),
    }
}

/// One line, whatever the input contains.
fn complain(problem: &str) -> ExitCode {
    let mut line = String::from("effectively-once: ");
    for char in problem.chars().take(COMPLAINT_CHARS_MAX) {
        match char.is_control() {
            true => line.extend(char.escape_default()),
            false => line.push(char),
        }
    }
    // Nobody is left to tell if this fails.
    let _ = writeln!(io::stderr(), "{line}");
    ExitCode::from(2)
}

fn command(args: &[OsString], out: &mut impl Write) -> Result<(), Stop> {
    let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    match words.as_slice() {
        [] | ["--help" | "-h" | "help", ..] => Ok(write!(out, "{USAGE}")?),
        ["labs"] => {
            let labs: Json = LABS.iter().map(|lab| describe_lab(*lab)).collect();
            Ok(writeln!(out, "{labs:#}")?)
        }
        ["run", "-"] => run("standard input", read_all(io::stdin()), out),
        ["run", name] => run(name, std::fs::File::open(&args[1]).and_then(read_all), out),
        ["explore", query @ ..] => search::explore(query, out),
        ["map", query @ ..] => search::map(query, out),
        ["labs", ..] => refuse("labs: takes no arguments; see --help"),
        ["run", ..] => refuse("run: takes one file, or - for standard input; see --help"),
        [other, ..] => refuse(&format!("{other}: is not a command; see --help")),
    }
}

fn refuse<T>(problem: &str) -> Result<T, Stop> {
    Err(Stop::BadInput(problem.to_owned()))
}

fn read_all(source: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > FILE_BYTES_MAX {
        true => Err(io::Error::other("is larger than 16 MiB")),
        false => String::from_utf8(bytes).map_err(|_| io::Error::other("is not UTF-8 text")),
    }
}

fn describe_lab(lab: &dyn AnyLab) -> Json {
    let presets = lab.presets();
    let defaults = presets.first().map(|preset| json!(preset.settings));
    let describe = |setting: &Setting| {
        let mut json = describe_setting(setting);
        json["default"] = defaults
            .as_ref()
            .map_or(Json::Null, |all| all[setting.id].clone());
        json
    };
    json!({
        "id": lab.id(),
        "settings": lab.schema().iter().map(describe).collect::<Vec<_>>(),
        "actions": lab.actions(),
        "faults": lab.faults().iter().map(|fault| fault.id()).collect::<Vec<_>>(),
        "presets": presets.iter().map(describe_preset).collect::<Vec<_>>(),
    })
}

fn describe_setting(setting: &Setting) -> Json {
    let mut json = match setting.kind {
        Kind::Choice { options } => json!({ "kind": "choice", "options": options }),
        Kind::Steps { all } => json!({ "kind": "steps", "options": all }),
        Kind::Rows { columns, rows_max } => json!({
            "kind": "rows",
            "columns": columns.iter().map(describe_column).collect::<Vec<_>>(),
            "rows_max": rows_max,
        }),
    };
    json["id"] = setting.id.into();
    json
}

fn describe_column(column: &Column) -> Json {
    match column.kind {
        ColumnKind::Text { chars_max } => {
            json!({ "id": column.id, "kind": "text", "chars_max": chars_max })
        }
        ColumnKind::Integer => json!({ "id": column.id, "kind": "integer" }),
    }
}

fn describe_preset(preset: &Preset) -> Json {
    json!({
        "id": preset.id,
        "correct": preset.correct,
        "claims": preset.claims.id(),
        "settings": preset.settings,
        "run": preset.run,
    })
}

/// Prints a run, a line a state: long runs are read by other programs line by line.
fn run(name: &str, text: io::Result<String>, out: &mut impl Write) -> Result<(), Stop> {
    let text = text.or_else(|error| refuse(&format!("{name}: {error}")))?;
    let opened = Run::from_file(&text).and_then(Session::open);
    let session = opened.or_else(|error| refuse(&format!("{name}: {}", say_error(&error))))?;
    let run = session.run();
    write_head(session.lab(), session.settings(), out)?;
    for at in 0..=run.len() {
        let comma = if at < run.len() { "," } else { "" };
        writeln!(out, "  {}{comma}", describe_step(run, at))?;
    }
    Ok(writeln!(out, "]}}")?)
}

fn say_error(error: &RunError) -> String {
    let problem = say(&error.problem());
    match error.place().as_str() {
        "" => problem,
        place => format!("{place}: {problem}"),
    }
}

fn write_head(lab: &dyn AnyLab, settings: &Settings, out: &mut impl Write) -> io::Result<()> {
    let (id, settings) = (Json::from(lab.id()), json!(settings));
    writeln!(out, "{{\"lab\":{id},\"settings\":{settings},\"steps\":[")
}

/// The state number `at`, and the action that led to it; none led to the initial state.
fn describe_step(run: &dyn AnyRun, at: usize) -> Json {
    let picture = run.picture(at);
    let verdict = run.verdict(at);
    let taken = at.checked_sub(1);
    let row = taken.and_then(|step| run.diagram().rows().get(step));
    json!({
        "step": at,
        "action": taken.map(|step| run.name(step)),
        "label": row.map(|row| say(&row.label)),
        "fault": row.and_then(|row| row.fault).map(Fault::id),
        "state": {
            "truth": figure(&picture.truth),
            "belief": figure(&picture.belief),
            "tables": picture.tables.iter().map(|table| describe_table(run, table)).collect::<Vec<_>>(),
        },
        "verdict": {
            "effect": verdict.outcome.id(),
            "belief": verdict.belief.id(),
            "progress": verdict.progress.id(),
            "harm": verdict.harm().id(),
            "reason": say(&picture.reason),
        },
    })
}

fn figure(figure: &Figure) -> Json {
    json!({ "value": say(&figure.value), "detail": say(&figure.detail) })
}

fn describe_table(run: &dyn AnyRun, table: &Table) -> Json {
    let entries = table.entries.iter();
    let entries = entries.map(|e| json!({ "name": say(&e.name), "value": say(&e.value) }));
    json!({
        "lane": say(&run.lanes()[table.lane as usize].name),
        "durability": table.durability.id(),
        "gone": table.gone,
        "entries": entries.collect::<Vec<_>>(),
    })
}

fn say(label: &Label) -> String {
    Language::English.say(label)
}
