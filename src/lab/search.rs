//! What the explorer finds, with actions by their names.

use super::Lab;
use crate::explore::{Lasso, Map, Search};
use crate::machine::{Fault, Harm, Label};

/// A [`Search`] of some lab.
pub trait AnySearch {
    /// Expands about so many states; gives whether the search is finished. Drop it to stop.
    fn advance(&mut self, work: usize) -> bool;
    /// Whether every state within the budget was seen. Only then does absence prove anything.
    fn complete(&self) -> bool;
    /// How many different states there are so far.
    fn states(&self) -> usize;
    /// How many steps were taken between them.
    fn transitions(&self) -> u64;
    /// The worst harm so far; [`Harm::Endless`] is known in the end only.
    fn worst(&self) -> Harm;
    /// How many end states have this harm; for [`Harm::Endless`], how many states reach no end.
    fn ends(&self, harm: Harm) -> usize;
    /// The shortest run to a state with this harm: fewest faults first, then fewest steps.
    fn shortest(&self, harm: Harm) -> Option<Vec<String>>;
    /// How a run goes on for ever, if one can that never reaches an end.
    fn lasso(&self) -> Option<Lasso<String>>;
}

impl<L: Lab> AnySearch for Search<L> {
    fn advance(&mut self, work: usize) -> bool {
        self.advance(work)
    }
    fn complete(&self) -> bool {
        self.complete()
    }
    fn states(&self) -> usize {
        self.states()
    }
    fn transitions(&self) -> u64 {
        self.transitions()
    }
    fn worst(&self) -> Harm {
        self.worst()
    }
    fn ends(&self, harm: Harm) -> usize {
        self.ends(harm)
    }
    fn shortest(&self, harm: Harm) -> Option<Vec<String>> {
        self.shortest(harm).map(|run| names(self.machine(), &run))
    }
    fn lasso(&self) -> Option<Lasso<String>> {
        self.lasso().map(|lasso| Lasso {
            run: names(self.machine(), &lasso.run),
            cycle: names(self.machine(), &lasso.cycle),
        })
    }
}

/// A [`Map`] of some lab's run.
pub trait AnyMap {
    /// Looks at about so many states; gives whether the map is finished. Drop it to stop.
    fn advance(&mut self, work: usize) -> bool;
    /// How many different states there are so far.
    fn states(&self) -> usize;
    /// The map; right once it is finished.
    fn read(&self) -> WindowMap;
}

/// A failure-window map as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowMap {
    /// One more than the run has steps; gap `i` comes after `i` steps.
    pub gaps: usize,
    /// The faults that the lab offers.
    pub faults: Vec<Fault>,
    /// By gap, then in the order of [`Fault::ALL`]. A fault that is not possible in a gap has none.
    pub cells: Vec<Cell>,
    /// After how many steps protocol steps alone can no longer avoid the run's worst verdict; `None`
    /// if that is clean, or not known because the map is not complete.
    pub no_return: Option<usize>,
    /// If not, each harm is real and there may be worse.
    pub complete: bool,
    /// In how many different states it was found.
    pub states: usize,
}

/// One failure window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub gap: usize,
    pub fault: Fault,
    /// The worst that can come of it.
    pub harm: Harm,
    /// What the fault does in this gap.
    pub label: Label,
    /// The shortest run from the gap on that shows the harm, or that comes to an end without one.
    /// It begins with the fault.
    pub run: Vec<String>,
}

impl<L: Lab> AnyMap for Map<L> {
    fn advance(&mut self, work: usize) -> bool {
        self.advance(work)
    }
    fn states(&self) -> usize {
        self.states()
    }
    fn read(&self) -> WindowMap {
        let lab = self.machine();
        let cells = self.windows().iter().filter_map(|window| {
            Some(Cell {
                gap: window.gap,
                fault: window.fault,
                harm: window.harm,
                label: lab.describe(self.state(window.gap)?, *window.run.first()?),
                run: names(lab, &window.run),
            })
        });
        WindowMap {
            gaps: self.gaps(),
            faults: L::FAULTS.to_vec(),
            cells: cells.collect(),
            no_return: self.no_return(),
            complete: self.complete(),
            states: self.states(),
        }
    }
}

fn names<L: Lab>(lab: &L, run: &[L::Action]) -> Vec<String> {
    run.iter().map(|action| lab.name(*action)).collect()
}
