//! Settings are data with a schema, so that the page can draw their panel and a file can be checked
//! without knowing the lab.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};

use super::{Arg, Harm, Label, text::problem};

/// One thing that a person can choose. Its words are in the catalogues under
/// `<lab>.setting.<id>`, its help under `<lab>.setting.<id>.help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub id: &'static str,
    pub kind: Kind,
    /// Part of the problem rather than of the design: what the world does, what others offer. A
    /// person may change it, but nobody can mend a design by it.
    pub given: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of several mechanisms, by id; the words are under `<lab>.<setting>.<option>`.
    Choice { options: &'static [&'static str] },
    /// An ordered selection of named steps, each at most once; the words are under
    /// `<lab>.step.<id>`.
    Steps { all: &'static [&'static str] },
    /// What a person types, a record a row.
    Rows {
        columns: &'static [Column],
        rows_max: usize,
    },
}

/// One field of a record; its words are under `<lab>.column.<id>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub id: &'static str,
    pub kind: ColumnKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Any text of one to so many characters (Unicode scalar values).
    Text { chars_max: usize },
    /// Any whole number of 64 bits.
    Integer,
}

/// The value of one setting. Options and steps are kept by their place in the schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Choice(u8),
    Steps(Vec<u8>),
    Rows(Vec<Row>),
}

/// One record: a cell a column.
pub type Row = Vec<Cell>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    Text(Arc<str>),
    Integer(i64),
}

/// A value for every setting of a schema. There are no partial or unchecked settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    schema: &'static [Setting],
    values: Vec<Value>,
}

/// A named design with its claim. Its words are under `<lab>.preset.<id>` and `….story`.
#[derive(Clone, Debug)]
pub struct Preset {
    pub id: &'static str,
    /// A design that the product recommends; the others are known to be wrong.
    pub correct: bool,
    /// The worst verdict that any run with at most two faults reaches.
    pub claims: Harm,
    pub settings: Settings,
    /// A run that reaches the claim, as action names; for a correct preset, one worth seeing.
    pub run: Vec<String>,
}

/// Settings that a schema does not allow, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}", self.problem.label().text.key)]
pub struct SettingsError {
    /// The path to the offending value, such as `settings.operations[2].delta`.
    pub place: String,
    pub problem: SettingsProblem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsProblem {
    NotAnObject,
    UnknownSetting,
    Missing,
    NotAList,
    UnknownOption(Arc<str>),
    RepeatedStep(Arc<str>),
    TooManyRows(usize),
    NotText,
    EmptyText,
    TextTooLong(usize),
    NotAnInteger,
}

impl SettingsProblem {
    pub fn label(&self) -> Label {
        let count = |n: usize| Arg::Number(n as i64);
        match self {
            SettingsProblem::NotAnObject => problem::NOT_AN_OBJECT.label(),
            SettingsProblem::UnknownSetting => problem::UNKNOWN_SETTING.label(),
            SettingsProblem::Missing => problem::MISSING.label(),
            SettingsProblem::NotAList => problem::NOT_A_LIST.label(),
            SettingsProblem::UnknownOption(what) => {
                problem::UNKNOWN_OPTION.with([Arg::Typed(what.clone())])
            }
            SettingsProblem::RepeatedStep(what) => {
                problem::REPEATED_STEP.with([Arg::Typed(what.clone())])
            }
            SettingsProblem::TooManyRows(max) => problem::TOO_MANY_ROWS.with([count(*max)]),
            SettingsProblem::NotText => problem::NOT_TEXT.label(),
            SettingsProblem::EmptyText => problem::EMPTY_TEXT.label(),
            SettingsProblem::TextTooLong(max) => problem::TEXT_TOO_LONG.with([count(*max)]),
            SettingsProblem::NotAnInteger => problem::NOT_AN_INTEGER.label(),
        }
    }
}

impl Setting {
    /// One of several mechanisms of a design.
    pub const fn chosen(id: &'static str, options: &'static [&'static str]) -> Setting {
        Setting {
            id,
            kind: Kind::Choice { options },
            given: false,
        }
    }

    /// One of several ways of the world.
    pub const fn given(id: &'static str, options: &'static [&'static str]) -> Setting {
        Setting {
            given: true,
            ..Setting::chosen(id, options)
        }
    }

    /// The steps of a handler.
    pub const fn handler(all: &'static [&'static str]) -> Setting {
        Setting {
            id: "handler",
            kind: Kind::Steps { all },
            given: false,
        }
    }

    /// Checks one value that comes from outside. `place` is where it stands, for the error.
    pub fn read(&self, json: &Json, place: &str) -> Result<Value, SettingsError> {
        match self.kind {
            Kind::Choice { options } => {
                find(options, json, place).map(|index| Value::Choice(index as u8))
            }
            Kind::Steps { all } => {
                let mut steps = Vec::new();
                for (index, item) in list(json, place)?.iter().enumerate() {
                    let place = format!("{place}[{index}]");
                    let step = find(all, item, &place)? as u8;
                    if steps.contains(&step) {
                        return refuse(
                            &place,
                            SettingsProblem::RepeatedStep(all[step as usize].into()),
                        );
                    }
                    steps.push(step);
                }
                Ok(Value::Steps(steps))
            }
            Kind::Rows { columns, rows_max } => {
                let items = list(json, place)?;
                if items.len() > rows_max {
                    return refuse(place, SettingsProblem::TooManyRows(rows_max));
                }
                let rows = items.iter().enumerate().map(|(index, item)| {
                    let place = format!("{place}[{index}]");
                    let Json::Object(fields) = item else {
                        return refuse(&place, SettingsProblem::NotAnObject);
                    };
                    no_unknown(fields, columns.iter().map(|c| c.id), &place)?;
                    let cells = columns.iter().map(|column| {
                        let place = format!("{place}.{}", column.id);
                        match fields.get(column.id) {
                            Some(cell) => column.kind.read(cell, &place),
                            None => refuse(&place, SettingsProblem::Missing),
                        }
                    });
                    cells.collect()
                });
                rows.collect::<Result<_, _>>().map(Value::Rows)
            }
        }
    }

    /// Whether a value is one that this setting can have.
    fn check(&self, value: &Value) -> Result<(), SettingsProblem> {
        let unknown = || Err(SettingsProblem::UnknownOption(self.id.into()));
        match (self.kind, value) {
            (Kind::Choice { options }, Value::Choice(index)) => {
                match usize::from(*index) < options.len() {
                    true => Ok(()),
                    false => unknown(),
                }
            }
            (Kind::Steps { all }, Value::Steps(steps)) => {
                for (index, step) in steps.iter().enumerate() {
                    let Some(id) = all.get(usize::from(*step)) else {
                        return unknown();
                    };
                    if steps[..index].contains(step) {
                        return Err(SettingsProblem::RepeatedStep((*id).into()));
                    }
                }
                Ok(())
            }
            (Kind::Rows { columns, rows_max }, Value::Rows(rows)) => {
                if rows.len() > rows_max {
                    return Err(SettingsProblem::TooManyRows(rows_max));
                }
                let mut cells = rows.iter().flat_map(|row| columns.iter().zip(row));
                cells.try_for_each(|(column, cell)| column.kind.check(cell))
            }
            _ => unknown(),
        }
    }
}

impl ColumnKind {
    fn read(self, json: &Json, place: &str) -> Result<Cell, SettingsError> {
        match (self, json) {
            (ColumnKind::Text { .. }, Json::String(text)) => self.parse(text),
            (ColumnKind::Text { .. }, _) => Err(SettingsProblem::NotText),
            (ColumnKind::Integer, json) => match json.as_i64() {
                Some(number) => Ok(Cell::Integer(number)),
                None => Err(SettingsProblem::NotAnInteger),
            },
        }
        .or_else(|problem| refuse(place, problem))
    }

    fn check(self, cell: &Cell) -> Result<(), SettingsProblem> {
        match (self, cell) {
            (ColumnKind::Text { chars_max }, Cell::Text(text)) => match text.chars().count() {
                0 => Err(SettingsProblem::EmptyText),
                count if count > chars_max => Err(SettingsProblem::TextTooLong(chars_max)),
                _ => Ok(()),
            },
            (ColumnKind::Integer, Cell::Integer(_)) => Ok(()),
            (ColumnKind::Text { .. }, Cell::Integer(_)) => Err(SettingsProblem::NotText),
            (ColumnKind::Integer, Cell::Text(_)) => Err(SettingsProblem::NotAnInteger),
        }
    }

    /// Reads what a person typed into a field. A number may carry a plus sign or a typographic
    /// minus and spaces around it.
    pub fn parse(self, typed: &str) -> Result<Cell, SettingsProblem> {
        match self {
            ColumnKind::Text { .. } => {
                let cell = Cell::Text(typed.into());
                self.check(&cell).map(|()| cell)
            }
            ColumnKind::Integer => typed
                .trim()
                .replace('\u{2212}', "-")
                .parse()
                .map(Cell::Integer)
                .map_err(|_| SettingsProblem::NotAnInteger),
        }
    }
}

impl Settings {
    /// Settings written down in code, one value for each setting in the order of the schema.
    ///
    /// # Panics
    ///
    /// If a value does not fit; a test opens every preset.
    pub fn new<const N: usize>(schema: &'static [Setting], values: [Json; N]) -> Settings {
        assert_eq!(schema.len(), N, "one value for each setting");
        let values = schema.iter().zip(&values).map(|(setting, json)| {
            setting
                .read(json, setting.id)
                .expect("a value that the schema allows")
        });
        Settings {
            schema,
            values: values.collect(),
        }
    }

    /// Settings from a file: an object of settings by id. A setting that it does not name keeps
    /// the value that it has here, so that a file outlives the arrival of a new setting.
    pub fn read(&self, json: &Json) -> Result<Settings, SettingsError> {
        let Json::Object(fields) = json else {
            return refuse("settings", SettingsProblem::NotAnObject);
        };
        no_unknown(fields, self.schema.iter().map(|s| s.id), "settings")?;
        let values = self
            .iter()
            .map(|(setting, value)| match fields.get(setting.id) {
                Some(json) => setting.read(json, &format!("settings.{}", setting.id)),
                None => Ok(value.clone()),
            });
        Ok(Settings {
            schema: self.schema,
            values: values.collect::<Result<_, _>>()?,
        })
    }

    /// Every setting with its value, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Setting, &Value)> {
        self.schema.iter().zip(&self.values)
    }

    /// The value of a setting by its place in the schema.
    pub fn at(&self, index: usize) -> &Value {
        &self.values[index]
    }

    /// The same settings with another value for one setting, by its place in the schema; refused
    /// where the setting cannot have that value.
    pub fn with(&self, index: usize, value: Value) -> Result<Settings, SettingsError> {
        let setting = &self.schema[index];
        setting
            .check(&value)
            .or_else(|problem| refuse(setting.id, problem))?;
        let mut settings = self.clone();
        settings.values[index] = value;
        Ok(settings)
    }

    /// The chosen option of a [`Kind::Choice`] setting.
    pub fn choice<T: Copy>(&self, id: &str, options: &[T]) -> T {
        match self.get(id) {
            Value::Choice(index) => options[*index as usize],
            _ => unreachable!("{id} is a choice"),
        }
    }

    /// The steps of a [`Kind::Steps`] setting in their order.
    pub fn steps<T: Copy>(&self, id: &str, all: &[T]) -> Vec<T> {
        match self.get(id) {
            Value::Steps(steps) => steps.iter().map(|step| all[*step as usize]).collect(),
            _ => unreachable!("{id} is a list of steps"),
        }
    }

    /// The records of a [`Kind::Rows`] setting.
    pub fn rows(&self, id: &str) -> &[Row] {
        match self.get(id) {
            Value::Rows(rows) => rows,
            _ => unreachable!("{id} is a list of records"),
        }
    }

    fn get(&self, id: &str) -> &Value {
        let found = self.iter().find(|(setting, _)| setting.id == id);
        found.expect("a setting of this schema").1
    }
}

/// As settings stand in a file: an object, by id.
impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written =
            |(setting, value): (&'static Setting, _)| (setting.id, Written(setting, value));
        serializer.collect_map(self.iter().map(written))
    }
}

struct Written<'a>(&'static Setting, &'a Value);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0.kind, self.1) {
            (Kind::Choice { options }, Value::Choice(index)) => {
                serializer.serialize_str(options[usize::from(*index)])
            }
            (Kind::Steps { all }, Value::Steps(steps)) => {
                serializer.collect_seq(steps.iter().map(|step| all[usize::from(*step)]))
            }
            (Kind::Rows { columns, .. }, Value::Rows(rows)) => {
                serializer.collect_seq(rows.iter().map(|row| Record(columns, row)))
            }
            _ => unreachable!("settings hold a value of the kind that their schema says"),
        }
    }
}

struct Record<'a>(&'static [Column], &'a Row);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|column| column.id).zip(self.1))
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Integer(number) => serializer.serialize_i64(*number),
        }
    }
}

fn list<'a>(json: &'a Json, place: &str) -> Result<&'a [Json], SettingsError> {
    match json {
        Json::Array(items) => Ok(items),
        _ => refuse(place, SettingsProblem::NotAList),
    }
}

fn find(ids: &[&str], json: &Json, place: &str) -> Result<usize, SettingsError> {
    let Json::String(wanted) = json else {
        return refuse(place, SettingsProblem::NotText);
    };
    match ids.iter().position(|id| id == wanted) {
        Some(index) => Ok(index),
        None => refuse(
            place,
            SettingsProblem::UnknownOption(wanted.as_str().into()),
        ),
    }
}

fn no_unknown<'a>(
    fields: &Map<String, Json>,
    known: impl Iterator<Item = &'a str> + Clone,
    place: &str,
) -> Result<(), SettingsError> {
    match fields
        .keys()
        .find(|field| !known.clone().any(|k| k == *field))
    {
        Some(field) => refuse(&format!("{place}.{field}"), SettingsProblem::UnknownSetting),
        None => Ok(()),
    }
}

fn refuse<T>(place: &str, problem: SettingsProblem) -> Result<T, SettingsError> {
    Err(SettingsError {
        place: place.to_owned(),
        problem,
    })
}

/// Declares the options of a setting, or the steps of a handler, as an enum with stable ids.
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $option:ident = $id:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $option,)* }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$option),*];
            pub const IDS: &[&str] = &[$($id),*];
        }
    };
}
pub(crate) use choices;

#[cfg(test)]
mod tests;
