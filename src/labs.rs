//! The labs, one folder each, and the one list of them.

pub mod balance;
pub mod delivery;
pub mod inbox;
pub mod outbox;
pub mod payment;

use serde_json::{Map, Value as Json};

use crate::lab::{AnyLab, Erased};
use crate::machine::{Harm, Kind, Preset, Setting, Settings};

/// Every lab, in the order in which the page offers them.
pub static LABS: &[&dyn AnyLab] = &[
    &Erased::<balance::Balance>::new(),
    &Erased::<payment::Payment>::new(),
    &Erased::<inbox::Inbox>::new(),
    &Erased::<outbox::Outbox>::new(),
    &Erased::<delivery::Delivery>::new(),
];

/// The lab of this id.
pub fn find(id: &str) -> Option<&'static dyn AnyLab> {
    LABS.iter().copied().find(|lab| lab.id() == id)
}

/// What a design changes of its lab's correct one, by setting and option.
type Changes = &'static [(&'static str, &'static str)];

/// The designs of a lab, by what each changes of the correct one.
struct Designs {
    correct: Settings,
}

impl Designs {
    /// A lab whose correct design has these options, one for each setting of the schema. Steps are
    /// written with spaces between them, here and in [`Changes`].
    fn new<const N: usize>(schema: &'static [Setting], options: [&str; N]) -> Designs {
        assert_eq!(schema.len(), N, "one option for each setting");
        let mut values = [const { Json::Null }; N];
        for ((value, setting), option) in values.iter_mut().zip(schema).zip(options) {
            *value = written(setting, option);
        }
        Designs {
            correct: Settings::new(schema, values),
        }
    }

    /// A design that the product recommends.
    fn correct(&self, id: &'static str, claims: Harm, changes: Changes, run: &str) -> Preset {
        self.preset(id, true, claims, changes, run)
    }

    /// A design that is known to be wrong.
    fn wrong(&self, id: &'static str, claims: Harm, changes: Changes, run: &str) -> Preset {
        self.preset(id, false, claims, changes, run)
    }

    fn preset(
        &self,
        id: &'static str,
        correct: bool,
        claims: Harm,
        changes: Changes,
        run: &str,
    ) -> Preset {
        let mut changed = Map::new();
        for (name, option) in changes {
            let setting = self.correct.iter().find(|(setting, _)| setting.id == *name);
            let (setting, _) = setting.unwrap_or_else(|| panic!("{id} changes no setting {name}"));
            changed.insert((*name).to_owned(), written(setting, option));
        }
        let settings = self.correct.read(&changed.into());
        Preset {
            id,
            correct,
            claims,
            settings: settings.expect("options of the schema; a test opens every preset"),
            run: script(run),
        }
    }
}

/// An option as it stands in a file.
fn written(setting: &Setting, option: &str) -> Json {
    match setting.kind {
        Kind::Steps { .. } => option.split_whitespace().collect(),
        Kind::Choice { .. } | Kind::Rows { .. } => option.into(),
    }
}

/// The actions of a preset's run, which is written as action names with commas between them;
/// `step a * 3` is three steps.
fn script(run: &str) -> Vec<String> {
    let repeated = run.split(", ").flat_map(|part| {
        let (name, times) = match part.split_once(" * ") {
            Some((name, times)) => (name, times.parse().expect("a number of steps")),
            None => (part, 1),
        };
        std::iter::repeat_n(name.to_owned(), times)
    });
    repeated.collect()
}
