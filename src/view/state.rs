//! The state that is shown, with what the last step changed.

use crate::lab::{AnyRun, Entry, Figure, Law, NextStep, Picture, Table};
use crate::machine::{Belief, Durability, Harm, Label, LaneId, Outcome, Progress, Verdict};

/// Everything about one state of a run that is not in the diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateView {
    pub truth: Figure,
    pub truth_changed: bool,
    pub belief: Figure,
    pub belief_changed: bool,
    pub verdict: Verdict,
    pub reason: Label,
    pub tables: Vec<ShownTable>,
    pub next_steps: Vec<NextStep>,
    pub laws: Vec<Law>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownTable {
    pub lane: LaneId,
    pub name: Label,
    pub durability: Durability,
    /// Whether the owner is down: what stood here is gone.
    pub gone: bool,
    pub entries: Vec<ShownEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShownEntry {
    pub name: Label,
    pub value: Label,
    /// Whether the step that led here changed it.
    pub changed: bool,
}

impl StateView {
    /// The state after `at` actions, compared with the one before.
    pub fn new(run: &dyn AnyRun, at: usize) -> StateView {
        let picture = run.picture(at);
        let before = match at {
            0 => picture.clone(),
            _ => run.picture(at - 1),
        };
        let table = |table: &Table| {
            let old = before.tables.iter().find(|t| t.lane == table.lane);
            let entry = |(place, entry): (usize, &Entry)| ShownEntry {
                name: entry.name.clone(),
                value: entry.value.clone(),
                changed: old.is_some_and(|old| is_changed(old, table, place)),
            };
            ShownTable {
                lane: table.lane,
                name: run.lanes()[table.lane as usize].name.clone(),
                durability: table.durability,
                gone: table.gone,
                entries: table.entries.iter().enumerate().map(entry).collect(),
            }
        };
        let tables = picture.tables.iter().map(table).collect();
        let Picture {
            truth,
            belief,
            reason,
            next_steps,
            ..
        } = picture;
        StateView {
            truth_changed: truth.value != before.truth.value,
            truth,
            belief_changed: belief.value != before.belief.value,
            belief,
            verdict: run.verdict(at),
            reason,
            tables,
            next_steps,
            laws: run.laws(at),
        }
    }
}

impl StateView {
    /// The verdict in one word: the worst part, or how far the run has come. It is the end of a
    /// text key, `headline.…`.
    pub fn headline(&self) -> &'static str {
        let Verdict {
            outcome,
            belief,
            progress,
        } = self.verdict;
        match (self.verdict.harm(), belief, progress, outcome) {
            (Harm::Clean, Belief::Unknown, _, _) => "unknown",
            (Harm::Clean, _, Progress::Done, _) => "done",
            (Harm::Clean, _, _, Outcome::None) => "nothing",
            (Harm::Clean, _, _, _) => "running",
            (harm, _, _, _) => harm.id(),
        }
    }
}

/// An entry is compared with the one of the same name; of several, such as an operation that was
/// typed twice, with the one at the same place among them.
fn is_changed(before: &Table, now: &Table, place: usize) -> bool {
    let entry = &now.entries[place];
    let same_name = |other: &&Entry| other.name == entry.name;
    let among = now.entries[..place].iter().filter(same_name).count();
    let old = before.entries.iter().filter(same_name).nth(among);
    old.is_none_or(|old| old.value != entry.value)
}
