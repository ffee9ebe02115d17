//! The permalink: a run in the part of the address after `#`, which no server ever sees.
//!
//! `v=1&lab=balance&workers=threads&run=deliver+1+a.step+a*3&at=2`: the version, the lab, the
//! settings that differ from their defaults, the actions with repetitions counted, the cursor.
//! Lists are joined by `.`, records by `_`, their fields by `~`; everything that a person typed is
//! percent-encoded, except letters, digits and `-`.
//!
//! `lang=en` says in which language a link is to be shown; it is no part of the run.
//!
//! Mail and chat programs change links. What they do is undone where no link that was written can
//! mean anything else: a full stop or a bracket at the end, `&amp;`, separators percent-encoded, and
//! fields added to count visitors.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::{ACTIONS_MAX, Run, RunError};
use crate::machine::{Cell, ColumnKind, Kind, Setting, Value};

pub fn write(run: &Run) -> String {
    let mut link = format!("v=1&lab={}", run.lab.id());
    let defaults = Run::defaults(run.lab);
    let changed = run.settings.iter().zip(defaults.iter());
    for ((setting, value), (_, default)) in changed {
        if value != default {
            link += &format!("&{}={}", setting.id, write_value(setting, value));
        }
    }
    if !run.actions.is_empty() {
        link += &format!("&run={}", write_actions(&run.actions));
    }
    if let Some(at) = run.at {
        link += &format!("&at={at}");
    }
    link
}

/// Turns a link into what would stand in a file, so that both are checked by the same code.
pub fn read(fragment: &str) -> Result<Json, RunError> {
    let mut fields = split(fragment)?;
    fields.remove("lang");
    let version = fields.remove("v").map(|v| number_or_text(&v));
    Run::check_version(version.as_ref())?;
    let lab = fields.remove("lab").map(|lab| plain(&lab)).transpose()?;
    let schema = Run::find_lab(lab.as_ref())?.schema();
    let mut file = Map::new();
    file.extend(version.map(|version| ("version".to_owned(), version)));
    file.extend(lab.map(|lab| ("lab".to_owned(), lab)));
    if let Some(Json::String(actions)) = fields.remove("run") {
        file.insert("actions".into(), read_actions(&actions)?);
    }
    if let Some(at) = fields.remove("at") {
        file.insert("at".into(), number_or_text(&plain(&at)?));
    }
    let mut settings = Map::new();
    for (name, value) in fields {
        let text = value.as_str().unwrap_or_default();
        let json = match schema.iter().find(|setting| setting.id == name) {
            Some(setting) => read_value(setting, text)?,
            // Refused by the check of the settings, which knows the place.
            None => Json::Null,
        };
        settings.insert(name, json);
    }
    file.insert("settings".into(), settings.into());
    Ok(file.into())
}

/// The language that a link asks for.
pub fn language(fragment: &str) -> Option<String> {
    let fields = split(fragment).ok()?;
    fields.get("lang")?.as_str().map(str::to_owned)
}

/// The fields of a link by name.
fn split(fragment: &str) -> Result<Map<String, Json>, RunError> {
    // No link that was written ends like this.
    const END: [char; 10] = ['.', ',', ';', ':', '!', ')', ']', '>', '"', '\''];
    let mut text = Cow::from(fragment.trim_end_matches(END));
    if text.starts_with("v%3D") && !text.contains(['&', '=']) {
        // Percent-encoded as a whole.
        text = decode(&text)?.into();
    } else if text.starts_with("v=") && !text.contains('&') {
        text = text.replace("%26", "&").into();
    }
    let only_encoded = !text.contains('=');
    let mut fields = Map::new();
    for part in text.split('&') {
        let equals = if only_encoded { "%3D" } else { "=" };
        let (name, value) = part.split_once(equals).ok_or_else(|| bad(part))?;
        // Left over from `&amp;`.
        let name = name.strip_prefix("amp;").unwrap_or(name);
        if counts_visitors(name) {
            continue;
        }
        if fields.insert(name.to_owned(), value.into()).is_some() {
            return Err(bad(part));
        }
    }
    Ok(fields)
}

/// Whether a field is one of those that others add to links.
fn counts_visitors(name: &str) -> bool {
    const ADDED: [&str; 5] = ["fbclid", "gclid", "msclkid", "mc_cid", "mc_eid"];
    name.starts_with("utm_") || ADDED.contains(&name)
}

/// A value in which nothing was typed, so that what is encoded in it was written as it is.
fn plain(json: &Json) -> Result<Json, RunError> {
    decode(json.as_str().unwrap_or_default()).map(Json::from)
}

fn write_value(setting: &Setting, value: &Value) -> String {
    match (setting.kind, value) {
        (Kind::Choice { options }, Value::Choice(index)) => options[*index as usize].into(),
        (Kind::Steps { all }, Value::Steps(steps)) => {
            let ids: Vec<_> = steps.iter().map(|step| all[*step as usize]).collect();
            ids.join(".")
        }
        (_, Value::Rows(rows)) => {
            let cell = |cell: &Cell| match cell {
                Cell::Text(text) => encode(text),
                Cell::Integer(number) => number.to_string(),
            };
            let record = |row: &Vec<Cell>| row.iter().map(cell).collect::<Vec<_>>().join("~");
            rows.iter().map(record).collect::<Vec<_>>().join("_")
        }
        _ => unreachable!("settings hold a value of the kind that their schema says"),
    }
}

fn read_value(setting: &Setting, text: &str) -> Result<Json, RunError> {
    let list = |separator: char| text.split(separator).filter(|_| !text.is_empty());
    Ok(match setting.kind {
        Kind::Choice { .. } => decode(text)?.into(),
        Kind::Steps { .. } => list('.')
            .map(|step| decode(step).map(Json::from))
            .collect::<Result<_, _>>()?,
        Kind::Rows { columns, .. } => {
            let record = |record: &str| {
                let record = &*separated(record, columns.len());
                let mut fields = Map::new();
                for (column, cell) in columns.iter().zip(record.split('~')) {
                    let json = match column.kind {
                        ColumnKind::Text { .. } => decode(cell)?.into(),
                        ColumnKind::Integer => number_or_text(&cell.into()),
                    };
                    fields.insert(column.id.to_owned(), json);
                }
                match record.split('~').count() > columns.len() {
                    true => Err(bad(record)),
                    false => Ok(Json::from(fields)),
                }
            };
            list('_').map(record).collect::<Result<_, _>>()?
        }
    })
}

/// A record in which the separators may be encoded. Where that many fields are not what comes of
/// it, a person typed one of them, and which one nobody knows.
fn separated(record: &str, fields: usize) -> Cow<'_, str> {
    if record.split('~').count() < fields {
        let separated = record.replace("%7E", "~").replace("%7e", "~");
        if separated.split('~').count() == fields {
            return separated.into();
        }
    }
    record.into()
}

/// Equal actions in a row are written once, with their number.
pub fn write_actions(actions: &[String]) -> String {
    let groups = actions.chunk_by(|a, b| a == b).map(|group| {
        let name = group[0].replace(' ', "+");
        match group.len() {
            1 => name,
            times => format!("{name}*{times}"),
        }
    });
    groups.collect::<Vec<_>>().join(".")
}

pub fn read_actions(text: &str) -> Result<Json, RunError> {
    let mut actions: Vec<Json> = Vec::new();
    for group in text.split('.') {
        let group = &*decode(group)?;
        let (name, times) = match group.split_once('*') {
            Some((name, times)) => (name, times.parse().map_err(|_| bad(group))?),
            None => (group, 1_usize),
        };
        if times > ACTIONS_MAX - actions.len().min(ACTIONS_MAX) {
            return Err(RunError::TooLong);
        }
        let name = Json::from(name.replace('+', " "));
        actions.extend(std::iter::repeat_n(name, times));
    }
    Ok(actions.into())
}

/// A number where the text is one, else the text, for the check that follows to refuse.
fn number_or_text(json: &Json) -> Json {
    let text = json.as_str().unwrap_or_default();
    match text.parse::<i64>() {
        Ok(number) => number.into(),
        Err(_) => text.into(),
    }
}

fn encode(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

fn decode(text: &str) -> Result<String, RunError> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = rest
            .get(..2)
            .filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.ok_or_else(|| bad(text))?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).map_err(|_| bad(text))
}

fn bad(part: &str) -> RunError {
    RunError::BadLink {
        part: part.to_owned(),
    }
}
