//! Settings are data with a schema, so that the page can draw their panel and a file can be checked
//! without knowing the lab.

use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::{Arg, Harm, Label, text::problem};

/// One thing that a person can choose. Its words are in the catalogues under
/// `<lab>.setting.<id>`, its help under `<lab>.setting.<id>.help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub id: &'static str,
    pub kind: Kind,
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
#[error("{place}: {problem:?}")]
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

    /// The value as it stands in a file.
    pub fn write(&self, value: &Value) -> Json {
        match (self.kind, value) {
            (Kind::Choice { options }, Value::Choice(index)) => options[*index as usize].into(),
            (Kind::Steps { all }, Value::Steps(steps)) => {
                steps.iter().map(|step| all[*step as usize]).collect()
            }
            (Kind::Rows { columns, .. }, Value::Rows(rows)) => {
                let record = |row: &Row| -> Json {
                    let cells = columns.iter().zip(row).map(|(column, cell)| {
                        let json = match cell {
                            Cell::Text(text) => Json::from(&**text),
                            Cell::Integer(number) => Json::from(*number),
                        };
                        (column.id.to_owned(), json)
                    });
                    cells.collect::<Map<_, _>>().into()
                };
                rows.iter().map(record).collect()
            }
            _ => unreachable!("settings hold a value of the kind that their schema says"),
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

    /// Reads what a person typed into a field. A number may carry a plus sign or a typographic
    /// minus and spaces around it.
    pub fn parse(self, typed: &str) -> Result<Cell, SettingsProblem> {
        match self {
            ColumnKind::Text { chars_max } => match typed.chars().count() {
                0 => Err(SettingsProblem::EmptyText),
                count if count > chars_max => Err(SettingsProblem::TextTooLong(chars_max)),
                _ => Ok(Cell::Text(typed.into())),
            },
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

    /// All settings as they stand in a file.
    pub fn write(&self) -> Json {
        let fields = self.iter().map(|(s, v)| (s.id.to_owned(), s.write(v)));
        fields.collect::<Map<_, _>>().into()
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
    /// where the value is not of the setting's kind.
    pub fn with(&self, index: usize, value: Value) -> Result<Settings, SettingsError> {
        let setting = &self.schema[index];
        let same_kind = matches!(
            (setting.kind, &value),
            (Kind::Choice { .. }, Value::Choice(_))
                | (Kind::Steps { .. }, Value::Steps(_))
                | (Kind::Rows { .. }, Value::Rows(_))
        );
        assert!(same_kind, "a value of the setting's kind");
        let value = setting.read(&setting.write(&value), setting.id)?;
        let mut settings = self.clone();
        settings.values[index] = value;
        Ok(settings)
    }

    /// The chosen option of a [`Kind::Choice`] setting.
    pub fn choice<T: Copy>(&self, id: &str, options: &[T]) -> T {
        match self.get(id) {
            Value::Choice(index) => options[*index as usize],
            other => unreachable!("{id} is a choice, not {other:?}"),
        }
    }

    /// The steps of a [`Kind::Steps`] setting in their order.
    pub fn steps<T: Copy>(&self, id: &str, all: &[T]) -> Vec<T> {
        match self.get(id) {
            Value::Steps(steps) => steps.iter().map(|step| all[*step as usize]).collect(),
            other => unreachable!("{id} is a list of steps, not {other:?}"),
        }
    }

    /// The records of a [`Kind::Rows`] setting.
    pub fn rows(&self, id: &str) -> &[Row] {
        match self.get(id) {
            Value::Rows(rows) => rows,
            other => unreachable!("{id} is a list of records, not {other:?}"),
        }
    }

    fn get(&self, id: &str) -> &Value {
        let found = self.iter().find(|(setting, _)| setting.id == id);
        found.expect("a setting of this schema").1
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
