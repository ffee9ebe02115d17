//! What is known of the states, by their numbers alone: nothing here depends on the machine, so it
//! is compiled once and not once a lab.

use std::ops::Range;

use super::arena::Arena;
use super::edges::{Edges, Turned};
use super::ways::{NOWHERE, Ways};
use crate::machine::{Harm, Progress, Verdict};

/// The states that were found, and the edges between them.
pub(super) struct Graph {
    nodes: Arena<Node>,
    pub edges: Edges,
    /// Where the edges begin of states that take so many faults.
    layers: Vec<u32>,
    /// Which edges are recorded.
    record: Record,
    /// By harm: how many states have it for good, and the first that has it at all.
    tally: [Tally; Harm::ALL.len()],
    /// How many states have no known way to an end.
    without_end: usize,
}

/// Which edges a search remembers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Record {
    /// Protocol steps, as far as they are needed to find out from where an end is reached.
    Endings,
    /// Every edge.
    All,
}

struct Node {
    harm: Harm,
    life: Life,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    /// Not judged yet.
    Waiting,
    /// No way to an end is known. After the search: there is none.
    Running,
    /// An end is reached from here by protocol steps.
    Ending,
    /// The protocol is done or stuck.
    End,
}

#[derive(Clone, Copy)]
struct Tally {
    ends: usize,
    first: u32,
}

impl Graph {
    pub fn new(record: Record) -> Graph {
        Graph {
            nodes: Arena::new(),
            edges: Edges::new(),
            layers: Vec::new(),
            record,
            tally: [Tally {
                ends: 0,
                first: NOWHERE,
            }; Harm::ALL.len()],
            without_end: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A place for one more state.
    pub fn add(&mut self) {
        self.without_end += 1;
        self.nodes.push(Node {
            harm: Harm::Clean,
            life: Life::Waiting,
        });
    }

    /// Notes the verdict on a state. The states come in the order of their shortest runs.
    #[inline]
    pub fn judge(&mut self, state: u32, verdict: Verdict) {
        let harm = verdict.harm();
        let node = &mut self.nodes[state];
        (node.harm, node.life) = (harm, Life::Running);
        let tally = &mut self.tally[harm as usize];
        if tally.first == NOWHERE {
            tally.first = state;
        }
        if verdict.progress != Progress::Running {
            node.life = Life::End;
            tally.ends += 1;
            self.without_end -= 1;
        }
    }

    /// Notes where a state leads, after its verdict.
    #[inline]
    pub fn link(&mut self, from: u32, to: u32, fault: bool) {
        let is_needed = || !fault && self.nodes[from].life != Life::End;
        if self.record == Record::All || is_needed() {
            self.edges.push(to, fault);
        }
    }

    /// Everywhere that a state leads to was noted.
    pub fn linked(&mut self, from: u32) {
        self.edges.close(from);
    }

    /// From now on the states take so many faults.
    pub fn begin_layer(&mut self, faults: u8) {
        let begin = self.edges.len();
        let layers = self.layers.len().max(usize::from(faults) + 1);
        self.layers.resize(layers, begin);
    }

    /// The edges of the states that take so many faults.
    fn layer(&self, faults: usize) -> Range<u32> {
        let begin = |faults: usize| self.layers.get(faults).copied();
        let all = self.edges.len();
        begin(faults).unwrap_or(all)..begin(faults + 1).unwrap_or(all)
    }

    /// Goes back over the edges of one state, and gives whether it is known to reach an end.
    #[inline]
    fn follow(&mut self, place: &mut u32) -> bool {
        let from = self.edges.back_to_origin(place);
        let is_known = self.reaches_end(from);
        let mut is_found = is_known;
        while let Some((to, fault)) = self.edges.back(place) {
            is_found = is_found || !fault && self.reaches_end(to);
        }
        if is_found && !is_known {
            self.nodes[from].life = Life::Ending;
            self.without_end -= 1;
        }
        is_found
    }

    #[inline]
    fn reaches_end(&self, state: u32) -> bool {
        matches!(self.nodes[state].life, Life::Ending | Life::End)
    }

    /// Counts the states from which no end is reached, in a search that is complete and whose ends
    /// were followed back.
    pub fn tally_endless(&mut self, ways: &Ways) {
        if self.without_end == 0 {
            return;
        }
        let all = 0..self.len() as u32;
        let endless = all.filter(|state| self.nodes[*state].life == Life::Running);
        let first = endless.min_by_key(|state| ways.length(*state));
        self.tally[Harm::Endless as usize] = Tally {
            ends: self.without_end,
            first: first.unwrap_or(NOWHERE),
        };
    }

    pub fn ends(&self, harm: Harm) -> usize {
        self.tally[harm as usize].ends
    }

    /// The first state with a harm, by its shortest run.
    pub fn first(&self, harm: Harm) -> Option<u32> {
        Some(self.tally[harm as usize].first).filter(|state| *state != NOWHERE)
    }

    pub fn worst(&self) -> Harm {
        let mut harms = Harm::ALL.into_iter().rev();
        let found = harms.find(|harm| self.first(*harm).is_some());
        found.unwrap_or(Harm::Clean)
    }

    /// The verdict's harm, by the state alone.
    pub fn harm(&self, state: u32) -> Harm {
        self.nodes[state].harm
    }

    /// Whether a state shows a harm; for [`Harm::Clean`], whether it is an end without any.
    pub fn shows(&self, state: u32, harm: Harm) -> bool {
        let node = &self.nodes[state];
        match harm {
            Harm::Clean => node.life == Life::End && node.harm == Harm::Clean,
            Harm::Endless => node.life == Life::Running,
            _ => node.harm == harm,
        }
    }
}

/// Finds the states from which an end is reached.
///
/// A protocol step leads to a state that takes no more faults. So the states are gone through by how
/// many faults they take; and of those that take as many, the last that was expanded comes first, since
/// most steps lead to states that were expanded later. What leads back takes another round, as long as
/// a round finds anything.
pub(super) struct Ending {
    faults: usize,
    /// How many words of the edges there are up to where the first round has still to read.
    left: u32,
    /// Behind the edges of each state that was gone through in vain.
    open: Vec<u32>,
    /// How many of them this round has looked at, and how many of those it keeps.
    read: usize,
    kept: usize,
}

impl Ending {
    pub fn new(graph: &Graph) -> Ending {
        Ending {
            faults: 0,
            left: graph.layer(0).end,
            open: Vec::new(),
            read: 0,
            kept: 0,
        }
    }

    /// Looks at one state; `false` when what has no way to an end is known.
    pub fn advance(&mut self, graph: &mut Graph) -> bool {
        if self.left > graph.layer(self.faults).start {
            let place = self.left;
            if !graph.follow(&mut self.left) {
                self.open.push(place);
            }
        } else if let Some(place) = self.open.get(self.read).copied() {
            self.read += 1;
            if !graph.follow(&mut place.clone()) {
                self.open[self.kept] = place;
                self.kept += 1;
            }
        } else {
            let is_over = self.kept == self.read;
            self.open.truncate(self.kept);
            (self.read, self.kept) = (0, 0);
            if is_over {
                self.open.clear();
                self.faults += 1;
                self.left = graph.layer(self.faults).end;
            }
        }
        self.faults < graph.layers.len()
    }
}

/// The shortest ways from all states to those that show a harm: a search backwards over the edges.
pub(super) struct Backward {
    pub ways: Ways,
}

impl Backward {
    pub fn new(graph: &Graph, harm: Harm, faults_max: u8) -> Backward {
        let mut ways = Ways::new(graph.len(), faults_max);
        let goals = (0..graph.len() as u32).filter(|state| graph.shows(*state, harm));
        goals.for_each(|state| ways.start(state));
        Backward { ways }
    }

    /// Settles one state; `false` when none is left.
    pub fn advance(&mut self, edges: &Turned) -> bool {
        let Some(state) = self.ways.pop() else {
            return false;
        };
        for (from, fault) in edges.into(state) {
            self.ways.offer(from, state, fault);
        }
        true
    }
}

/// From which states a harm comes whatever the protocol does: the state shows it, or there is a
/// protocol step and every one of them leads to such a state. The least fixpoint: who can go round
/// for ever without harm avoids it.
pub(super) struct Inevitable {
    /// How many protocol steps of a state may still avoid it; the mark [`SURE`] where none can.
    left: Vec<u32>,
    /// Sure states whose edges were not yet followed back.
    waiting: Vec<u32>,
}

const SURE: u32 = u32::MAX;

impl Inevitable {
    pub fn new(graph: &Graph, edges: &Turned, harm: Harm) -> Inevitable {
        let mut left = vec![0; graph.len()];
        edges.steps().for_each(|from| left[from as usize] += 1);
        let mut waiting = Vec::new();
        for state in (0..graph.len() as u32).filter(|state| graph.harm(*state) >= harm) {
            left[state as usize] = SURE;
            waiting.push(state);
        }
        Inevitable { left, waiting }
    }

    /// Follows one state back; `false` when none is left.
    pub fn advance(&mut self, edges: &Turned) -> bool {
        let Some(state) = self.waiting.pop() else {
            return false;
        };
        for (from, fault) in edges.into(state) {
            let left = &mut self.left[from as usize];
            if fault || *left == SURE {
                continue;
            }
            *left -= 1;
            if *left == 0 {
                *left = SURE;
                self.waiting.push(from);
            }
        }
        true
    }

    pub fn is_sure(&self, state: u32) -> bool {
        self.left[state as usize] == SURE
    }
}
