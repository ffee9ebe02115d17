//! The failure-window map of a run, and its point of no return.

use std::rc::Rc;

use super::edges::Turned;
use super::graph::{Backward, Inevitable};
use super::search::Search;
use super::ways::Ways;
use crate::machine::{Fault, Harm, Machine};

/// For every gap of a run and every kind of fault that can strike there: the worst harm over all
/// continuations, with the shortest run that shows it.
///
/// # Why it is exact
///
/// All states of the run are first states of one search, each with the whole budget of N faults. A
/// state that the search expands with m faults left has all its runs with at most m faults among the
/// recorded edges, and every recorded edge is a real step. A fault in a gap leads to a state that
/// has at least N - 1 faults left. So one search backwards from all states with a harm gives every
/// cell the fewest faults that it takes to come to that harm, right wherever it is N - 1 or less;
/// and the worst harm within N - 1 further faults is the worst one that takes no more. No cell is
/// explored by itself.
///
/// It does its [work](Map::advance) in slices, as [`Search`] does.
pub struct Map<M: Machine> {
    search: Search<M>,
    /// Its edges by where they lead, once it is finished.
    edges: Turned,
    /// The run's states.
    run: Vec<u32>,
    faults_max: u8,
    windows: Vec<Window<M::Action>>,
    /// The faults of each window.
    exits: Vec<Exit<M::Action>>,
    no_return: Option<usize>,
    stage: Stage,
}

/// A failure window: a gap of a run together with a kind of fault put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window<A> {
    /// After how many steps of the run.
    pub gap: usize,
    pub fault: Fault,
    /// The worst that can come of it.
    pub harm: Harm,
    /// The shortest run from the gap on that shows the harm; for [`Harm::Clean`], that comes to an
    /// end. It begins with the fault, and is nothing else where no end is reached.
    pub run: Vec<A>,
}

/// One action that is a fault of a window.
struct Exit<A> {
    window: usize,
    action: A,
    state: u32,
}

enum Stage {
    Searching,
    /// Sorting the edges by where they lead.
    Turning,
    /// Looking for the ways to a harm; the worst one comes first.
    Harm(Harm, Backward),
    /// Looking for the point of no return.
    NoReturn(Inevitable),
    Finished,
}

impl<M: Machine> Map<M> {
    /// The map of a run that passed through these states, within so many faults beside the run's
    /// own. Of no fault there is no window.
    pub fn new(
        machine: Rc<M>,
        states: impl IntoIterator<Item = M::State>,
        faults_max: u8,
        states_max: usize,
    ) -> Map<M> {
        let mut search = Search::begun_nowhere(machine, faults_max, states_max, true);
        let states = states.into_iter();
        let run = states.filter_map(|state| search.start(state)).collect();
        Map {
            edges: Turned::new(&search.edges, 0),
            search,
            run,
            faults_max,
            windows: Vec::new(),
            exits: Vec::new(),
            no_return: None,
            stage: Stage::Searching,
        }
    }

    /// Does so much work, and gives whether the map is finished. One unit looks at one state.
    pub fn advance(&mut self, work: usize) -> bool {
        let mut left = work;
        while left > 0 {
            let mut worked = 1;
            let edges = &self.search.edges;
            let done = match &mut self.stage {
                Stage::Searching => {
                    worked = self.search.work(left);
                    self.search.finished()
                }
                Stage::Turning => !self.edges.advance(edges),
                Stage::Harm(_, backward) => !backward.advance(&self.edges),
                Stage::NoReturn(inevitable) => !inevitable.advance(&self.edges),
                Stage::Finished => return true,
            };
            left -= worked;
            if done {
                let stage = std::mem::replace(&mut self.stage, Stage::Finished);
                self.stage = self.conclude(stage);
            }
        }
        matches!(self.stage, Stage::Finished)
    }

    /// Whether every state within the budget was seen. If not, each harm of the map is real, and
    /// there may be worse.
    pub fn complete(&self) -> bool {
        matches!(self.stage, Stage::Finished) && self.search.complete()
    }

    /// How many different states there are so far.
    pub fn states(&self) -> usize {
        self.search.states()
    }

    pub fn machine(&self) -> &M {
        self.search.machine()
    }

    /// How many gaps the run has: one more than steps.
    pub fn gaps(&self) -> usize {
        self.run.len()
    }

    /// The state in a gap.
    pub fn state(&self, gap: usize) -> Option<&M::State> {
        self.run.get(gap).map(|state| &self.search.known[*state])
    }

    /// One for each gap and each kind of fault that is possible there: by gap, then in the order of
    /// [`Fault::ALL`]. Right once the map is finished.
    pub fn windows(&self) -> &[Window<M::Action>] {
        &self.windows
    }

    /// The first state of the run from which protocol steps alone can no longer avoid the worst
    /// verdict that the run has, if that is a harm. Known once the map is finished, and only if it
    /// is [complete](Map::complete).
    pub fn no_return(&self) -> Option<usize> {
        self.no_return
    }

    fn conclude(&mut self, stage: Stage) -> Stage {
        match stage {
            Stage::Searching => {
                self.open_windows();
                self.edges = Turned::new(&self.search.edges, self.search.states());
                Stage::Turning
            }
            Stage::Turning => self.look_below(Harm::ALL.len()),
            Stage::Harm(harm, backward) => {
                self.close_windows(harm, &backward.ways);
                self.look_below(harm as usize)
            }
            Stage::NoReturn(inevitable) => {
                let sure = |state: &u32| inevitable.is_sure(*state);
                self.no_return = self.run.iter().position(sure);
                Stage::Finished
            }
            Stage::Finished => Stage::Finished,
        }
    }

    /// Lists the windows; what comes of them is open.
    fn open_windows(&mut self) {
        let gaps = self.run.iter().enumerate().filter(|_| self.faults_max > 0);
        for (gap, state) in gaps {
            let before = &self.search.known[*state];
            let kind = |action| self.search.machine.fault(before, action);
            let exits: Vec<_> = self.search.successors(*state, true).collect();
            for fault in Fault::ALL {
                let mut exits = exits
                    .iter()
                    .filter(|exit| kind(exit.0) == Some(fault))
                    .peekable();
                let Some((first, _)) = exits.peek() else {
                    continue;
                };
                self.windows.push(Window {
                    gap,
                    fault,
                    harm: Harm::Clean,
                    run: vec![*first],
                });
                let window = self.windows.len() - 1;
                let known = exits.filter_map(|(action, state)| {
                    let (action, state) = (*action, self.search.find(state)?);
                    Some(Exit {
                        window,
                        action,
                        state,
                    })
                });
                self.exits.extend(known);
            }
        }
    }

    /// Gives this harm to the windows that lead to it and to no worse one. [`Harm::Clean`] comes
    /// last: whoever still has it keeps it, and gets its way to an end.
    fn close_windows(&mut self, harm: Harm, ways: &Ways) {
        for exits in self.exits.chunk_by(|a, b| a.window == b.window) {
            let reaching = exits
                .iter()
                .filter(|exit| ways.length(exit.state).is_some());
            let nearest = reaching.min_by_key(|exit| ways.length(exit.state));
            if let Some(exit) = nearest
                && let window = &mut self.windows[exit.window]
                && window.harm == Harm::Clean
            {
                let rest = self.search.run_along(&ways.path(exit.state), ways);
                window.harm = harm;
                window.run = [exit.action].into_iter().chain(rest).collect();
            }
        }
    }

    /// Looks for the worst harm below so many that some window may still lead to.
    fn look_below(&self, harms: usize) -> Stage {
        let open = self.windows.iter().any(|window| window.harm == Harm::Clean);
        // What no state shows, no window leads to; and all that are left lead to no harm.
        let is_shown =
            |harm: &&Harm| **harm == Harm::Clean || self.search.graph.first(**harm).is_some();
        let mut milder = Harm::ALL[..harms].iter().rev().filter(is_shown);
        match milder.next() {
            Some(harm) if open => {
                let faults_left = self.faults_max.saturating_sub(1);
                Stage::Harm(*harm, Backward::new(&self.search.graph, *harm, faults_left))
            }
            _ => self.look_for_no_return(),
        }
    }

    fn look_for_no_return(&self) -> Stage {
        let graph = &self.search.graph;
        let worst = self.run.iter().map(|state| graph.harm(*state)).max();
        match worst.filter(|worst| *worst > Harm::Clean && self.search.complete()) {
            Some(worst) => Stage::NoReturn(Inevitable::new(graph, &self.edges, worst)),
            None => Stage::Finished,
        }
    }
}
