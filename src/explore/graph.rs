//! What is known of the states, by their numbers alone: nothing here depends on the machine, so it
//! is compiled once and not once a lab.

use super::arena::Arena;
use super::ways::{NOWHERE, Ways};
use crate::machine::{Harm, Progress, Verdict};

/// The states that were found, and the edges that lead into each.
pub(super) struct Graph {
    nodes: Arena<Node>,
    /// The newest edge into each state.
    into: Arena<u32>,
    edges: Arena<Edge>,
    /// Which edges are recorded.
    record: Record,
    /// By harm: how many states have it for good, and the first that has it at all.
    tally: [Tally; Harm::ALL.len()],
    /// Ends, and states with a way to an end, whose edges were not yet followed back.
    ending: Vec<u32>,
    /// How many states have no known way to an end.
    without_end: usize,
}

/// Which edges a search remembers; each costs eight bytes.
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

struct Edge {
    from: u32,
    /// The edge into the same state that was recorded before this one.
    next: u32,
}

/// Marks the origin of an edge that is a fault. State numbers stay below.
const FAULT: u32 = 1 << 31;

#[derive(Clone, Copy)]
struct Tally {
    ends: usize,
    first: u32,
}

impl Graph {
    pub fn new(record: Record) -> Graph {
        Graph {
            nodes: Arena::new(),
            into: Arena::new(),
            edges: Arena::new(),
            record,
            tally: [Tally {
                ends: 0,
                first: NOWHERE,
            }; Harm::ALL.len()],
            ending: Vec::new(),
            without_end: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A place for one more state; gives its number.
    pub fn add(&mut self) -> u32 {
        self.without_end += 1;
        self.into.push(NOWHERE);
        self.nodes.push(Node {
            harm: Harm::Clean,
            life: Life::Waiting,
        })
    }

    /// Notes the verdict on a state. The states come in the order of their shortest runs.
    pub fn judge(&mut self, state: u32, verdict: Verdict) {
        let harm = verdict.harm();
        let node = &mut self.nodes[state];
        (node.harm, node.life) = (harm, Life::Running);
        let tally = &mut self.tally[harm as usize];
        if tally.first == NOWHERE {
            tally.first = state;
        }
        if verdict.progress != Progress::Running {
            tally.ends += 1;
            self.reaches_end(state, Life::End);
        }
    }

    pub fn link(&mut self, from: u32, to: u32, fault: bool) {
        if self.record == Record::Endings && (fault || self.nodes[from].life == Life::End) {
            return;
        }
        let newest = &mut self.into[to];
        *newest = self.edges.push(Edge {
            from: if fault { from | FAULT } else { from },
            next: *newest,
        });
    }

    /// The edges into a state: from where, and whether by a fault.
    pub fn into(&self, state: u32) -> impl Iterator<Item = (u32, bool)> {
        let edge = |number: u32| (number != NOWHERE).then(|| &self.edges[number]);
        let edges = std::iter::successors(edge(self.into[state]), move |e| edge(e.next));
        edges.map(|edge| (edge.from & !FAULT, edge.from & FAULT != 0))
    }

    fn reaches_end(&mut self, state: u32, life: Life) {
        self.nodes[state].life = life;
        self.without_end -= 1;
        self.ending.push(state);
    }

    /// Follows the edges back from one state that reaches an end; `false` when none is left, and
    /// what has no way to an end is known.
    pub fn follow_end_back(&mut self) -> bool {
        let Some(state) = self.ending.pop() else {
            return false;
        };
        let mut next = self.into[state];
        while next != NOWHERE {
            let edge = &self.edges[next];
            next = edge.next;
            let from = edge.from;
            if from & FAULT == 0 && self.nodes[from].life == Life::Running {
                self.reaches_end(from, Life::Ending);
            }
        }
        true
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
    pub fn advance(&mut self, graph: &Graph) -> bool {
        let Some(state) = self.ways.pop() else {
            return false;
        };
        for (from, fault) in graph.into(state) {
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
    pub fn new(graph: &Graph, harm: Harm) -> Inevitable {
        let mut left = vec![0; graph.len()];
        let steps = graph.edges.iter().filter(|edge| edge.from & FAULT == 0);
        steps.for_each(|edge| left[edge.from as usize] += 1);
        let mut waiting = Vec::new();
        for state in (0..graph.len() as u32).filter(|state| graph.harm(*state) >= harm) {
            left[state as usize] = SURE;
            waiting.push(state);
        }
        Inevitable { left, waiting }
    }

    /// Follows one state back; `false` when none is left.
    pub fn advance(&mut self, graph: &Graph) -> bool {
        let Some(state) = self.waiting.pop() else {
            return false;
        };
        for (from, fault) in graph.into(state) {
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
