//! Fixes: which small change of the settings closes the failure windows of a design.

use super::{AnyLab, AnySearch};
use crate::machine::{Harm, Kind, Settings, Value};

/// How many fixes of two changes are looked for.
pub const FIXES_MAX: usize = 6;
/// How many states of a candidate are explored before its worst harm is looked at.
const SLICE: usize = 256;

/// Tries changes of a design by exploring each changed design within the fault budget.
///
/// First every single change. Only if none of them makes the design clean, every pair; and only if
/// none of those does, all of them once more, for the least harm. What is given, and what a person
/// types, is never changed. A list of steps is replaced by that of a correct preset. A candidate is given up as soon
/// as it shows that it is no better; one whose search is cut proves nothing and is no fix.
///
/// It works in slices, as [`AnySearch`] does, and is dropped to stop.
pub struct Fixes {
    lab: &'static dyn AnyLab,
    settings: Settings,
    faults_max: u8,
    /// What each candidate is compared with.
    harm: Harm,
    singles: usize,
    /// The single changes, and then the pairs.
    candidates: Vec<Candidate>,
    round: Round,
    /// The candidate that is tried, or comes next.
    next: usize,
    search: Option<Box<dyn AnySearch>>,
    tried: usize,
    found: Vec<Fix>,
}

/// Another value for one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The place of the setting in the schema.
    pub setting: usize,
    pub value: Value,
}

/// A change that makes a design better, with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// One or two.
    pub changes: Vec<Change>,
    pub settings: Settings,
    /// The worst harm that remains, in all states within the fault budget.
    pub harm: Harm,
    /// How many states that are.
    pub states: usize,
}

struct Candidate {
    changes: Vec<Change>,
    /// It is no better than this: a harm that it showed, or the worst if nothing can be proved.
    floor: Harm,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// The design as it is.
    Before,
    Singles,
    Pairs,
    LeastHarm,
    Finished,
}

impl Fixes {
    /// Fixes of a design within so many faults.
    pub fn new(lab: &'static dyn AnyLab, settings: &Settings, faults_max: u8) -> Fixes {
        let single = |change| Candidate {
            changes: vec![change],
            floor: Harm::Clean,
        };
        let candidates: Vec<_> = changes(lab, settings).into_iter().map(single).collect();
        Fixes {
            search: Some(lab.explore(settings, faults_max)),
            lab,
            settings: settings.clone(),
            faults_max,
            harm: Harm::Clean,
            singles: candidates.len(),
            candidates,
            round: Round::Before,
            next: 0,
            tried: 0,
            found: Vec::new(),
        }
    }

    /// Explores about so many states; gives whether all is tried that has to be.
    pub fn advance(&mut self, mut work: usize) -> bool {
        while work > 0 && self.round != Round::Finished {
            let slice = work.min(SLICE);
            work -= slice;
            match &mut self.search {
                Some(search) => {
                    let finished = search.advance(slice);
                    if finished || search.worst() >= self.bar() {
                        self.conclude(finished);
                    }
                }
                None => self.try_next(),
            }
        }
        self.round == Round::Finished
    }

    /// How many designs were explored, and how many there are to explore as far as is known.
    pub fn progress(&self) -> (usize, usize) {
        let left = match self.round {
            Round::Before => 1 + self.singles,
            Round::Singles => self.singles - self.next,
            Round::Pairs => self.candidates.len() - self.next,
            Round::LeastHarm => self.open().count(),
            Round::Finished => 0,
        };
        (self.tried, self.tried + left)
    }

    /// The worst harm of the design as it is: known once the first design is explored.
    pub fn harm(&self) -> Harm {
        self.harm
    }

    /// What was found so far. In the end: every clean single change; else some clean pairs, at most
    /// [`FIXES_MAX`]; else the one candidate with the least harm, if it is less than before.
    pub fn found(&self) -> &[Fix] {
        &self.found
    }

    /// From which harm on a candidate is of no use.
    fn bar(&self) -> Harm {
        match self.round {
            Round::Before => Harm::Duplicated,
            Round::LeastHarm => self.found.first().map_or(self.harm, |fix| fix.harm),
            _ => Harm::Stuck,
        }
    }

    /// The candidates that may still have less harm than the best.
    fn open(&self) -> impl Iterator<Item = usize> {
        let rest = self.candidates.iter().enumerate().skip(self.next);
        rest.filter(|(_, candidate)| candidate.floor < self.bar())
            .map(|(place, _)| place)
    }

    /// Begins with the next candidate of this round, or with the next round.
    fn try_next(&mut self) {
        let all = match self.round {
            Round::Singles => self.singles,
            _ => self.candidates.len(),
        };
        let next = match self.round {
            Round::Pairs if self.found.len() >= FIXES_MAX => None,
            Round::LeastHarm => self.open().next(),
            _ => (self.next < all).then_some(self.next),
        };
        match next {
            Some(next) => {
                self.next = next;
                let settings = self.changed(&self.candidates[next].changes);
                self.search = Some(self.lab.explore(&settings, self.faults_max));
            }
            None => self.next_round(),
        }
    }

    fn next_round(&mut self) {
        self.round = match self.round {
            _ if !self.found.is_empty() => Round::Finished,
            Round::Singles => {
                self.add_pairs();
                Round::Pairs
            }
            Round::Pairs => {
                self.next = 0;
                Round::LeastHarm
            }
            _ => Round::Finished,
        };
    }

    /// Takes what is known of the design that was explored, and leaves it.
    fn conclude(&mut self, finished: bool) {
        let Some(search) = self.search.take() else {
            return;
        };
        self.tried += 1;
        let worst = search.worst();
        let proved = finished && search.complete();
        if self.round == Round::Before {
            self.harm = worst;
            self.round = match proved && worst == Harm::Clean {
                true => Round::Finished,
                false => Round::Singles,
            };
            return;
        }
        let bar = self.bar();
        let candidate = &mut self.candidates[self.next];
        self.next += 1;
        candidate.floor = match finished && !proved {
            true => Harm::Duplicated,
            false => worst,
        };
        if candidate.floor >= bar {
            return;
        }
        let changes = candidate.changes.clone();
        let fix = Fix {
            settings: self.changed(&changes),
            changes,
            harm: worst,
            states: search.states(),
        };
        match self.round {
            Round::LeastHarm => self.found = vec![fix],
            _ => self.found.push(fix),
        }
    }

    fn add_pairs(&mut self) {
        for first in 0..self.singles {
            for second in first + 1..self.singles {
                let pair = [first, second].map(|place| self.candidates[place].changes[0].clone());
                if pair[0].setting != pair[1].setting {
                    self.candidates.push(Candidate {
                        changes: pair.into(),
                        floor: Harm::Clean,
                    });
                }
            }
        }
    }

    fn changed(&self, changes: &[Change]) -> Settings {
        changes
            .iter()
            .fold(self.settings.clone(), |settings, change| {
                let changed = settings.with(change.setting, change.value.clone());
                changed.unwrap_or(settings)
            })
    }
}

/// Every single change that is tried: first those to what the lab recommends, then the others, each
/// in the order of the schema.
fn changes(lab: &dyn AnyLab, settings: &Settings) -> Vec<Change> {
    let presets = lab.presets();
    let mut changes: Vec<Change> = Vec::new();
    for (setting, (schema, now)) in settings.iter().enumerate() {
        let values: Vec<Value> = match schema.kind {
            _ if schema.given => Vec::new(),
            Kind::Choice { options } => (0..options.len() as u8).map(Value::Choice).collect(),
            Kind::Steps { .. } => {
                let correct = presets.iter().filter(|preset| preset.correct);
                correct
                    .map(|preset| preset.settings.at(setting).clone())
                    .collect()
            }
            Kind::Rows { .. } => Vec::new(),
        };
        for value in values {
            let change = Change { setting, value };
            if change.value != *now && !changes.contains(&change) {
                changes.push(change);
            }
        }
    }
    let is_recommended = |change: &Change| {
        let first = presets.first();
        first.is_some_and(|preset| *preset.settings.at(change.setting) == change.value)
    };
    let (mut ordered, others): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_recommended);
    ordered.extend(others);
    ordered
}

#[cfg(test)]
mod tests;
