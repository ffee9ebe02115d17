//! Random settings of any lab, from its schema.

use effectively_once::machine::{Cell, ColumnKind, Kind, Setting, Settings, Value};

use super::odd::ODD_TEXTS;
use super::random::Random;

const ODD_NUMBERS: [i64; 9] = [
    0,
    1,
    -1,
    100,
    -30,
    i64::MAX,
    i64::MIN,
    i64::MAX - 5,
    i64::MIN + 1,
];

/// The settings with about every third value replaced.
pub fn vary(settings: &Settings, random: &mut Random) -> Settings {
    let mut varied = settings.clone();
    for (index, (setting, _)) in settings.iter().enumerate() {
        if random.below(3) == 0 {
            let value = value(setting, random);
            varied = varied.with(index, value).expect("a value of the schema");
        }
    }
    varied
}

fn value(setting: &Setting, random: &mut Random) -> Value {
    match setting.kind {
        Kind::Choice { options } => Value::Choice(random.below(options.len()) as u8),
        Kind::Steps { all } => {
            let mut left: Vec<u8> = (0..all.len() as u8).collect();
            let count = random.below(all.len() + 1);
            Value::Steps(
                (0..count)
                    .map(|_| left.swap_remove(random.below(left.len())))
                    .collect(),
            )
        }
        Kind::Rows { columns, rows_max } => {
            let count = random.below(rows_max + 1);
            let mut cell = |kind: ColumnKind| match kind {
                ColumnKind::Text { .. } => Cell::Text((*random.pick(&ODD_TEXTS)).into()),
                ColumnKind::Integer => Cell::Integer(*random.pick(&ODD_NUMBERS)),
            };
            let mut row = || columns.iter().map(|column| cell(column.kind)).collect();
            Value::Rows((0..count).map(|_| row()).collect())
        }
    }
}
