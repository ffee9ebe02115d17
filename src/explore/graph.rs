//! What is known of the states, by their numbers alone: nothing here depends on the machine, so it
//! is compiled once and not once a lab.

use super::arena::Arena;
use super::edges::{Edges, Turned};
use super::table::NOWHERE;
use super::ways::Ways;
use crate::machine::{Harm, Progress, Verdict};

/// The states that were found: how each was judged, and whether an end is reached from it.
///
/// # Reaching an end
///
/// Of each state one protocol step is remembered that leads *onward*: to a state that is expanded later,
/// or that takes fewer faults. Who goes on by such steps never comes back to where it was, so it comes
/// to an end or to one of the few states that have no such step. Only for these, and for what leads to
/// them alone, it has to be [found out](Ending) whether an end is reached.
pub(super) struct Graph {
    nodes: Arena<Node>,
    /// The protocol steps of the states that are no end and have no step onward.
    halting: Edges,
    /// By harm: how many states have it for good, and the first that has it at all.
    tally: [Tally; Harm::ALL.len()],
}

#[derive(Clone, Copy)]
struct Node {
    harm: Harm,
    life: Life,
    /// Where it goes on, by one protocol step or more; [`NOWHERE`] if it does not.
    onward: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    /// Not judged yet, or not at an end.
    Running,
    /// No end is reached from here. Known after the search only.
    Endless,
    /// The protocol is done or stuck.
    End,
}

#[derive(Clone, Copy)]
struct Tally {
    ends: usize,
    first: u32,
}

impl Graph {
    pub fn new() -> Graph {
        Graph {
            nodes: Arena::new(),
            halting: Edges::new(),
            tally: [Tally {
                ends: 0,
                first: NOWHERE,
            }; Harm::ALL.len()],
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Places for so many states in all.
    pub fn extend(&mut self, states: usize) {
        let unknown = Node {
            harm: Harm::Clean,
            life: Life::Running,
            onward: NOWHERE,
        };
        self.nodes.extend(states, unknown);
    }

    /// Notes the verdict on a state, and where it goes [onward](Graph#reaching-an-end), if anywhere.
    /// The states come in the order of their shortest runs. Gives whether it halts here without being
    /// an end.
    #[inline]
    pub fn judge(&mut self, state: u32, verdict: Verdict, onward: Option<u32>) -> bool {
        let harm = verdict.harm();
        let is_end = verdict.progress != Progress::Running;
        self.nodes[state] = match is_end {
            true => Node {
                harm,
                life: Life::End,
                onward: NOWHERE,
            },
            false => Node {
                harm,
                life: Life::Running,
                onward: onward.unwrap_or(NOWHERE),
            },
        };
        let tally = &mut self.tally[harm as usize];
        tally.ends += usize::from(is_end);
        if tally.first == NOWHERE {
            tally.first = state;
        }
        !is_end && onward.is_none()
    }

    /// Notes where the protocol steps of a state lead that halts.
    pub fn halt(&mut self, state: u32, steps: &[u32]) {
        self.halting
            .extend(state, steps.iter().map(|to| (*to, false)));
    }

    /// Follows a state onward, and gives whether that leads to an end.
    fn reaches_end(&mut self, state: u32) -> bool {
        let mut last = state;
        while self.nodes[last].onward != NOWHERE {
            last = self.nodes[last].onward;
        }
        // The next one who comes along has only one step to go.
        let mut passed = state;
        while passed != last {
            passed = std::mem::replace(&mut self.nodes[passed].onward, last);
        }
        self.nodes[last].life == Life::End
    }

    /// Lets a state go on where an end is reached, if any of its steps leads there.
    fn go_on(&mut self, state: u32, steps: impl IntoIterator<Item = u32>) -> bool {
        let on = steps.into_iter().find(|to| self.reaches_end(*to));
        if let Some(on) = on {
            self.nodes[state].onward = on;
        }
        on.is_some()
    }

    fn tally_endless(&mut self, endless: &[u32], ways: &Ways) {
        for state in endless {
            self.nodes[*state].life = Life::Endless;
        }
        let first = endless
            .iter()
            .min_by_key(|state| (ways.length(**state), **state));
        self.tally[Harm::Endless as usize] = Tally {
            ends: endless.len(),
            first: first.copied().unwrap_or(NOWHERE),
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
            Harm::Endless => node.life == Life::Endless,
            _ => node.harm == harm,
        }
    }
}

/// Finds the states from which no end is reached, in a search that is complete.
///
/// Round after round it looks where the states lead from which no end is known to be reached, until a
/// round finds nothing: first the halting ones alone, since mostly that is enough; then, if some are
/// left, all that go on to these.
pub(super) struct Ending {
    stage: EndingStage,
    /// The protocol steps of the states in question.
    edges: Edges,
    /// How much this round has still to look at.
    left: u32,
    /// Whether this round has found any more from which an end is reached.
    has_found: bool,
    /// Those from which it has found none.
    open: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EndingStage {
    Halting,
    /// Collecting all from which no end is known to be reached.
    Collecting,
    All,
    Over,
}

impl Ending {
    pub fn new(graph: &mut Graph) -> Ending {
        let edges = std::mem::replace(&mut graph.halting, Edges::new());
        Ending {
            stage: EndingStage::Halting,
            left: edges.len(),
            edges,
            has_found: false,
            open: Vec::new(),
        }
    }

    /// Looks at one state; `false` when what has no way to an end is known. `steps` gives the states
    /// to which the protocol steps of a state lead.
    pub fn advance(
        &mut self,
        graph: &mut Graph,
        ways: &Ways,
        steps: &mut dyn FnMut(u32) -> Vec<u32>,
    ) -> bool {
        if self.left == 0 {
            self.begin(graph, ways);
        } else if self.stage == EndingStage::Collecting {
            let state = graph.len() as u32 - self.left;
            self.left -= 1;
            if !graph.reaches_end(state) {
                let steps = steps(state).into_iter();
                self.edges.extend(state, steps.map(|to| (to, false)));
            }
        } else {
            self.look(graph);
        }
        self.stage != EndingStage::Over
    }

    /// Looks at the last state that is left: most steps lead to states that were found later.
    fn look(&mut self, graph: &mut Graph) {
        let state = self.edges.back_to_origin(&mut self.left);
        let mut to = Vec::new();
        while let Some((state, _)) = self.edges.back(&mut self.left) {
            to.push(state);
        }
        if !graph.reaches_end(state) {
            match graph.go_on(state, to) {
                true => self.has_found = true,
                false => self.open.push(state),
            }
        }
    }

    /// Begins the next round.
    fn begin(&mut self, graph: &mut Graph, ways: &Ways) {
        let open = std::mem::take(&mut self.open);
        let has_found = std::mem::take(&mut self.has_found);
        match self.stage {
            EndingStage::Collecting => {
                self.stage = EndingStage::All;
                self.left = self.edges.len();
            }
            _ if open.is_empty() => self.stage = EndingStage::Over,
            _ if has_found => self.left = self.edges.len(),
            EndingStage::Halting => {
                self.stage = EndingStage::Collecting;
                self.edges = Edges::new();
                self.left = graph.len() as u32;
            }
            EndingStage::All | EndingStage::Over => {
                graph.tally_endless(&open, ways);
                self.stage = EndingStage::Over;
            }
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
    pub fn advance(&mut self, edges: &Turned) -> bool {
        let Some(state) = self.ways.pop() else {
            return false;
        };
        let may_fail = self.ways.may_fail(state);
        let length = self.ways.length_so_far(state);
        for (from, fault) in edges.into(state) {
            if may_fail || !fault {
                self.ways.offer(from, state, length.and(fault), fault);
            }
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
