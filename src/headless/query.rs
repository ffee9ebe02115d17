//! Which design, and how far to look: the options of the commands that explore.

use effectively_once::lab::AnyLab;
use effectively_once::labs::LABS;
use effectively_once::machine::text::problem;
use effectively_once::machine::{Arg, Preset, Settings};
use serde_json::Value as Json;

use super::{Stop, refuse, say};

/// With more faults, whole state spaces fit no memory.
const FAULTS_MAX: u8 = 5;

pub struct Query {
    pub lab: &'static dyn AnyLab,
    pub preset: Preset,
    /// Those of the preset, with the changes that were asked for.
    pub settings: Settings,
    pub faults: u8,
    /// Every option that was given, with its value; empty for a flag.
    options: Vec<(String, String)>,
}

impl Query {
    /// Reads `LAB [--preset ID] [--settings JSON] [--faults N]`, and the flags of this command.
    /// `faults` is the budget unless another is given.
    pub fn read(command: &str, args: &[&str], faults: u8, flags: &[&str]) -> Result<Query, Stop> {
        try_read(args, faults, flags).or_else(|problem| refuse(&format!("{command}: {problem}")))
    }

    /// Whether a flag was given.
    pub fn has(&self, flag: &str) -> bool {
        self.options.iter().any(|(option, _)| option == flag)
    }
}

fn try_read(args: &[&str], faults: u8, flags: &[&str]) -> Result<Query, String> {
    let (id, rest) = args.split_first().ok_or("a lab is missing; see --help")?;
    let unknown = || say(&problem::UNKNOWN_LAB.with([Arg::Typed((*id).into())]));
    let lab = *LABS
        .iter()
        .find(|lab| lab.id() == *id)
        .ok_or_else(unknown)?;
    let options = read_options(rest, flags)?;
    let find = |wanted: &str| options.iter().find(|(option, _)| option == wanted);
    let value = |wanted: &str| find(wanted).map(|(_, value)| value.as_str());
    let preset = find_preset(lab, value("--preset"))?;
    let settings = match value("--settings") {
        Some(changes) => read_settings(&preset.settings, changes)?,
        None => preset.settings.clone(),
    };
    let faults = value("--faults").map_or(Ok(faults), read_faults)?;
    Ok(Query {
        lab,
        preset,
        settings,
        faults,
        options,
    })
}

fn read_options(mut args: &[&str], flags: &[&str]) -> Result<Vec<(String, String)>, String> {
    let mut options: Vec<(String, String)> = Vec::new();
    while let Some((option, rest)) = args.split_first() {
        if options.iter().any(|(given, _)| given == option) {
            return Err(format!("{option}: stands there twice"));
        }
        let (value, rest) = match *option {
            "--preset" | "--settings" | "--faults" => {
                let missing = || format!("{option}: a value is missing");
                rest.split_first().ok_or_else(missing)?
            }
            flag if flags.contains(&flag) => (&"", rest),
            other => return Err(format!("{other}: is not an option here; see --help")),
        };
        options.push(((*option).to_owned(), (*value).to_owned()));
        args = rest;
    }
    Ok(options)
}

/// The preset of that name; the first if none is named.
fn find_preset(lab: &dyn AnyLab, id: Option<&str>) -> Result<Preset, String> {
    let mut presets = lab.presets().into_iter();
    let found = presets.find(|preset| id.is_none_or(|id| preset.id == id));
    let id = id.unwrap_or_default();
    found.ok_or_else(|| format!("--preset: {} has no preset “{id}”", lab.id()))
}

fn read_settings(settings: &Settings, changes: &str) -> Result<Settings, String> {
    let json: Json = serde_json::from_str(changes).map_err(|error| {
        let place = [error.line(), error.column()].map(|number| Arg::Number(number as i64));
        format!("--settings: {}", say(&problem::NOT_JSON.with(place)))
    })?;
    let changed = settings.read(&json);
    changed.map_err(|error| format!("--{}: {}", error.place, say(&error.problem.label())))
}

fn read_faults(given: &str) -> Result<u8, String> {
    let faults = given.parse().ok().filter(|faults| *faults <= FAULTS_MAX);
    faults.ok_or_else(|| {
        format!("--faults: must be a whole number from 0 to {FAULTS_MAX}, not “{given}”")
    })
}
