//! Which designs are tried, and what is made of them: on a lab that only says how bad a design is.

use super::*;
use crate::explore::Lasso;
use crate::lab::AnyRun;
use crate::machine::{Fault, Preset, Setting, Text};

/// Choices `a` to `c`, and a list of steps; what a design shows is a function of its values.
struct Paper {
    shows: fn(&[u8], &[u8]) -> Harm,
    /// From which choice of the first setting on a search is cut.
    cut_from: u8,
}

const OPTIONS: &[&str] = &["0", "1", "2"];
const SCHEMA: &[Setting] = &[
    choice("a"),
    choice("b"),
    choice("c"),
    Setting {
        id: "steps",
        kind: Kind::Steps { all: OPTIONS },
        given: false,
    },
    Setting {
        id: "typed",
        kind: Kind::Rows {
            columns: &[],
            rows_max: 1,
        },
        given: false,
    },
    Setting {
        given: true,
        ..choice("given")
    },
];
const STATES: usize = 3000;

const fn choice(id: &'static str) -> Setting {
    Setting {
        id,
        kind: Kind::Choice { options: OPTIONS },
        given: false,
    }
}

fn design(choices: [&str; 3], steps: &[&str]) -> Settings {
    let [a, b, c] = choices.map(|choice| choice.into());
    let typed = serde_json::json!([]);
    Settings::new(SCHEMA, [a, b, c, steps.into(), typed, "0".into()])
}

/// Shows a clean face until the last state.
struct Reading {
    read: usize,
    shows: Harm,
    cut: bool,
}

impl AnySearch for Reading {
    fn advance(&mut self, work: usize) -> bool {
        self.read = STATES.min(self.read + work);
        self.read == STATES
    }
    fn complete(&self) -> bool {
        self.read == STATES && !self.cut
    }
    fn states(&self) -> usize {
        self.read
    }
    fn transitions(&self) -> u64 {
        0
    }
    fn worst(&self) -> Harm {
        match self.read == STATES {
            true => self.shows,
            false => Harm::Clean.max(self.shows.min(Harm::Stuck)),
        }
    }
    fn ends(&self, _: Harm) -> usize {
        0
    }
    fn shortest(&self, _: Harm) -> Option<Vec<String>> {
        None
    }
    fn lasso(&self) -> Option<Lasso<String>> {
        None
    }
}

impl AnyLab for Paper {
    fn id(&self) -> &'static str {
        "paper"
    }
    fn schema(&self) -> &'static [Setting] {
        SCHEMA
    }
    fn faults(&self) -> &'static [Fault] {
        &[]
    }
    fn texts(&self) -> &'static [Text] {
        &[]
    }
    fn actions(&self) -> &'static [&'static str] {
        &[]
    }
    fn presets(&self) -> Vec<Preset> {
        let preset = |correct, steps: &[&str]| Preset {
            id: "",
            correct,
            claims: Harm::Clean,
            settings: design(["0"; 3], steps),
            run: Vec::new(),
        };
        vec![
            preset(true, &["0", "1"]),
            preset(true, &["1"]),
            preset(true, &["0", "1"]),
            preset(false, &["2"]),
        ]
    }
    fn start(&self, _: &Settings) -> Box<dyn AnyRun> {
        unreachable!("nobody runs a design on paper")
    }
    fn explore(&self, settings: &Settings, faults_max: u8) -> Box<dyn AnySearch> {
        assert_eq!(faults_max, 2);
        let choice = |setting| match settings.at(setting) {
            Value::Choice(option) => *option,
            _ => unreachable!("a choice"),
        };
        let Value::Steps(steps) = settings.at(3) else {
            unreachable!("steps")
        };
        Box::new(Reading {
            read: 0,
            shows: (self.shows)(&[choice(0), choice(1), choice(2)], steps),
            cut: choice(0) >= self.cut_from,
        })
    }
}

/// What is found from the design 0, 0, 0 without steps, as `a=1 b=2 clean`.
fn fixes(paper: &'static Paper, work: usize) -> (Vec<String>, Fixes) {
    let mut fixes = Fixes::new(paper, &design(["0"; 3], &[]), 2);
    let mut before = (0, 1);
    while !fixes.advance(work) {
        let (tried, total) = fixes.progress();
        assert!(
            before.0 <= tried && tried <= total,
            "{before:?} {tried} {total}"
        );
        before = (tried, total);
    }
    let (tried, total) = fixes.progress();
    assert_eq!(tried, total);
    let written = fixes.found().iter().map(|fix| {
        assert_eq!(fix.states, STATES);
        let changes = fix.changes.iter().map(|change| {
            assert_eq!(*fix.settings.at(change.setting), change.value);
            let value = match &change.value {
                Value::Choice(option) => option.to_string(),
                Value::Steps(steps) => format!("{steps:?}"),
                Value::Rows(_) => unreachable!("what a person types stays"),
            };
            format!("{}={value} ", SCHEMA[change.setting].id)
        });
        changes.collect::<String>() + fix.harm.id()
    });
    (written.collect(), fixes)
}

fn found(paper: &'static Paper) -> Vec<String> {
    let (whole, _) = fixes(paper, usize::MAX);
    assert_eq!(fixes(paper, 1).0, whole, "slices make no difference");
    whole
}

#[test]
fn a_clean_design_needs_no_fix() {
    static PAPER: Paper = Paper {
        shows: |_, _| Harm::Clean,
        cut_from: 9,
    };
    let (found, fixes) = fixes(&PAPER, 100);
    assert_eq!(
        (found.len(), fixes.harm(), fixes.progress()),
        (0, Harm::Clean, (1, 1))
    );
}

#[test]
fn every_clean_single_change_is_found_and_no_pair() {
    static PAPER: Paper = Paper {
        shows: |choices, steps| match (choices, steps) {
            ([1, _, _] | [_, _, 2], _) | (_, [0, 1] | [2]) => Harm::Clean,
            _ => Harm::Lost,
        },
        cut_from: 9,
    };
    assert_eq!(
        found(&PAPER),
        ["steps=[0, 1] clean", "a=1 clean", "c=2 clean"]
    );
    let (_, fixes) = fixes(&PAPER, 100);
    assert_eq!(fixes.harm(), Harm::Lost);
    assert_eq!(
        fixes.progress(),
        (9, 9),
        "the design, six options, two lists of steps"
    );
}

#[test]
fn pairs_are_tried_where_no_single_change_is_enough() {
    static FEW: Paper = Paper {
        shows: |choices, steps| match (choices, steps) {
            ([1, _, 1], []) | ([0, 2, 0], [1]) => Harm::Clean,
            _ => Harm::Duplicated,
        },
        cut_from: 9,
    };
    assert_eq!(found(&FEW), ["a=1 c=1 clean", "b=2 steps=[1] clean"]);
    // The design, 8 single changes, and 28 pairs less the 4 that change one setting twice.
    assert_eq!(fixes(&FEW, 100).1.progress(), (33, 33));
    static MANY: Paper = Paper {
        shows: |choices, _| match choices.iter().filter(|option| **option > 0).count() {
            2 => Harm::Clean,
            _ => Harm::Duplicated,
        },
        cut_from: 9,
    };
    assert_eq!(found(&MANY).len(), FIXES_MAX);
}

#[test]
fn the_least_harm_is_found_where_nothing_is_clean() {
    static PAPER: Paper = Paper {
        shows: |choices, _| match choices {
            [1, 0, 0] => Harm::WrongBelief,
            [2, 1, 0] => Harm::Stuck,
            [2, 2, 0] => Harm::Stuck,
            [0, 1, 0] => Harm::Lost,
            _ => Harm::Duplicated,
        },
        cut_from: 9,
    };
    assert_eq!(found(&PAPER), ["a=2 b=1 stuck"], "the first of the best");
    static HOPELESS: Paper = Paper {
        shows: |_, _| Harm::Lost,
        cut_from: 9,
    };
    assert_eq!(found(&HOPELESS), [""; 0], "as bad is not better");
}

#[test]
fn a_search_that_is_cut_proves_nothing() {
    static PAPER: Paper = Paper {
        shows: |choices, _| match choices {
            [1, _, _] => Harm::Clean,
            [2, _, _] | [_, 1, _] => Harm::Stuck,
            _ => Harm::Lost,
        },
        cut_from: 1,
    };
    assert_eq!(found(&PAPER), ["b=1 stuck"]);
}
