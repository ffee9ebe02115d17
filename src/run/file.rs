//! The run file: versioned JSON, and what can be wrong with it.
//!
//! ```json
//! { "version": 1, "lab": "balance", "settings": { "workers": "threads" },
//!   "actions": ["deliver 1 a", "step a"], "at": 1 }
//! ```
//!
//! A setting that is left out has the lab's default; `at` is the cursor, left out at the end.

use serde::Serialize;
use serde_json::Value as Json;

use super::{ACTIONS_MAX, FILE_BYTES_MAX, link};
use crate::lab::AnyLab;
use crate::labs;
use crate::machine::text::problem;
use crate::machine::{Arg, Label, Settings, SettingsError};

/// The only version of the format so far.
const VERSION: u64 = 1;
/// More commas than the longest run needs, with all its settings.
const COMMAS_MAX: usize = 2 * ACTIONS_MAX;
/// Enough of what was refused to recognise it by.
const SHOWN_CHARS_MAX: usize = 200;

#[derive(Serialize)]
struct File<'a> {
    version: u64,
    lab: &'a str,
    settings: &'a Settings,
    actions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

/// A run as it is written down.
#[derive(Clone)]
pub struct Run {
    pub lab: &'static dyn AnyLab,
    pub settings: Settings,
    pub actions: Vec<String>,
    /// The cursor; `None` at the end.
    pub at: Option<usize>,
}

/// Why a file or a link cannot be opened. Each says where.
///
/// As text it is the place and the key of the sentence; the words are in the catalogues.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", self.place(), self.problem().text.key)]
pub enum RunError {
    NotJson { line: usize, column: usize },
    BadLink { part: String },
    UnknownVersion { found: String },
    UnknownLab { found: String },
    Missing { place: String },
    Unknown { place: String },
    NotACount { place: String },
    NotTexts { place: String },
    TooLong,
    TooLarge,
    Settings(#[from] SettingsError),
    NotPossible { index: usize, action: String },
}

impl RunError {
    /// Where it is, as a path into the file; of a long one the beginning.
    pub fn place(&self) -> String {
        match self {
            RunError::NotJson { .. } | RunError::TooLarge => String::new(),
            RunError::BadLink { part } => begin(part),
            RunError::UnknownVersion { .. } => "version".into(),
            RunError::UnknownLab { .. } => "lab".into(),
            RunError::TooLong => "actions".into(),
            RunError::Missing { place }
            | RunError::Unknown { place }
            | RunError::NotACount { place }
            | RunError::NotTexts { place } => begin(place),
            RunError::Settings(error) => begin(&error.place),
            RunError::NotPossible { index, .. } => format!("actions[{index}]"),
        }
    }

    /// What is wrong there; of a long text that is refused, it has the beginning.
    pub fn problem(&self) -> Label {
        let typed = |text: &String| Arg::Typed(begin(text).into());
        let number = |number: usize| Arg::Number(number as i64);
        match self {
            RunError::NotJson { line, column } => {
                problem::NOT_JSON.with([number(*line), number(*column)])
            }
            RunError::BadLink { .. } => problem::BAD_LINK.label(),
            RunError::UnknownVersion { found } => problem::UNKNOWN_VERSION.with([typed(found)]),
            RunError::UnknownLab { found } => problem::UNKNOWN_LAB.with([typed(found)]),
            RunError::Missing { .. } => problem::MISSING.label(),
            RunError::Unknown { .. } => problem::UNKNOWN_SETTING.label(),
            RunError::NotACount { .. } => problem::NOT_A_COUNT.label(),
            RunError::NotTexts { .. } => problem::NOT_TEXTS.label(),
            RunError::TooLong => problem::TOO_LONG.with([number(ACTIONS_MAX)]),
            RunError::TooLarge => {
                let mebibytes = (FILE_BYTES_MAX >> 20) as usize;
                problem::TOO_LARGE.with([number(mebibytes), number(ACTIONS_MAX)])
            }
            RunError::Settings(error) => {
                let mut label = error.problem.label();
                for arg in &mut label.args {
                    if let Arg::Typed(text) = arg {
                        *text = begin(text).into();
                    }
                }
                label
            }
            RunError::NotPossible { action, .. } => problem::NOT_POSSIBLE.with([typed(action)]),
        }
    }
}

impl Run {
    /// Reads a file. Whether its actions are possible is found out by
    /// [`Session::open`](super::Session::open).
    ///
    /// # Errors
    ///
    /// Also if the text is larger than a run can be: it is not looked at more closely, for what it
    /// says would need many times its size.
    pub fn from_file(text: &str) -> Result<Run, RunError> {
        // Some editors put a byte-order mark in front.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() as u64 > FILE_BYTES_MAX || commas(text) > COMMAS_MAX {
            return Err(RunError::TooLarge);
        }
        let json = serde_json::from_str(text).map_err(|error| RunError::NotJson {
            line: error.line(),
            column: error.column(),
        })?;
        Run::read(&json)
    }

    pub fn to_file(&self) -> String {
        let file = File {
            version: VERSION,
            lab: self.lab.id(),
            settings: &self.settings,
            actions: &self.actions,
            at: self.at,
        };
        let text = serde_json::to_string_pretty(&file);
        text.expect("texts and numbers can be written") + "\n"
    }

    /// Reads the part of an address after `#`.
    pub fn from_link(fragment: &str) -> Result<Run, RunError> {
        Run::read(&link::read(fragment)?)
    }

    /// The language in which a link asks to be shown, by its tag, if it does.
    pub fn language_of_link(fragment: &str) -> Option<String> {
        link::language(fragment)
    }

    /// The part of an address after `#`: readable, and with the default settings left out.
    pub fn to_link(&self) -> String {
        link::write(self)
    }

    /// The settings of a lab that a file leaves out.
    pub(super) fn defaults(lab: &'static dyn AnyLab) -> Settings {
        let mut presets = lab.presets().into_iter();
        presets.next().expect("a lab has a first preset").settings
    }

    pub(super) fn find_lab(found: Option<&Json>) -> Result<&'static dyn AnyLab, RunError> {
        let id = match found {
            Some(found) => in_short(found),
            None => {
                return Err(RunError::Missing {
                    place: "lab".into(),
                });
            }
        };
        labs::find(&id).ok_or(RunError::UnknownLab { found: id })
    }

    pub(super) fn check_version(found: Option<&Json>) -> Result<(), RunError> {
        match found {
            Some(version) if version.as_u64() == Some(VERSION) => Ok(()),
            Some(other) => Err(RunError::UnknownVersion {
                found: in_short(other),
            }),
            None => Err(RunError::Missing {
                place: "version".into(),
            }),
        }
    }

    fn read(json: &Json) -> Result<Run, RunError> {
        const FIELDS: [&str; 5] = ["version", "lab", "settings", "actions", "at"];
        // The version first: a newer format may look different in everything else.
        Run::check_version(json.get("version"))?;
        let fields = json.as_object().into_iter().flatten();
        if let Some((field, _)) = fields
            .into_iter()
            .find(|(f, _)| !FIELDS.contains(&f.as_str()))
        {
            return Err(RunError::Unknown {
                place: field.clone(),
            });
        }
        let lab = Run::find_lab(json.get("lab"))?;
        let defaults = Run::defaults(lab);
        let settings = match json.get("settings") {
            Some(settings) => defaults.read(settings)?,
            None => defaults,
        };
        Ok(Run {
            lab,
            settings,
            actions: read_actions(json.get("actions"))?,
            at: match json.get("at") {
                None => None,
                Some(at) => Some(read_count(at, "at")?),
            },
        })
    }
}

/// A text that came from outside, or as much of it as is worth showing.
fn begin(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The commas outside texts: about as many as there are values.
fn commas(text: &str) -> usize {
    let (mut commas, mut in_text, mut escaped) = (0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b',' if !in_text => commas += 1,
            _ => {}
        }
    }
    commas
}

/// What stands where something else is expected, for the error. Numbers with a fraction are not
/// spelt out: the code that can would be a twentieth of the page.
fn in_short(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Number(number) => number
            .as_i64()
            .map_or("…".into(), |number| number.to_string()),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => "…".into(),
    }
}

fn read_actions(json: Option<&Json>) -> Result<Vec<String>, RunError> {
    let not_texts = |place: String| RunError::NotTexts { place };
    let actions = match json {
        None => &Vec::new(),
        Some(Json::Array(actions)) => actions,
        Some(_) => return Err(not_texts("actions".into())),
    };
    if actions.len() > ACTIONS_MAX {
        return Err(RunError::TooLong);
    }
    let action = |(index, action): (usize, &Json)| match action {
        Json::String(name) => Ok(name.clone()),
        _ => Err(not_texts(format!("actions[{index}]"))),
    };
    actions.iter().enumerate().map(action).collect()
}

fn read_count(json: &Json, place: &str) -> Result<usize, RunError> {
    let count = json.as_u64().and_then(|n| usize::try_from(n).ok());
    count.ok_or_else(|| RunError::NotACount {
        place: place.into(),
    })
}
