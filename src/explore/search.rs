//! The exhaustive search.

use std::rc::Rc;

use super::edges::Edges;
use super::graph::{Ending, Graph};
use super::hash::hash;
use super::known::Known;
use super::table::{NOWHERE, Place, Slot};
use super::ways::{Length, Ways};
use super::{Lasso, states_kept};
use crate::machine::{Harm, Machine, Verdict};

/// All states that are reachable within a fault budget, each kept and expanded once.
///
/// A state is expanded at its shortest run: fewest faults first, then fewest steps. That is what a
/// person wants to see, the fewest things gone wrong; and it leaves every state as many faults as it
/// can have, so that expanding it once is enough for all its continuations.
///
/// It has neither threads nor a clock: whoever runs it gives it [work](Search::advance) in slices of
/// any size, looks at what stands between two of them, and drops it to stop. The slices make no
/// difference to what is found.
///
/// Beside the states themselves it needs up to 40 bytes a state. A run is not kept: it is found again
/// by stepping along the way.
///
/// States that are equally near are expanded a few at a time: first all steps are taken, then it is
/// looked up where they lead. One look-up does not depend on another, so the processor waits for the
/// memory once and not for each of them.
pub struct Search<M: Machine> {
    pub(super) machine: Rc<M>,
    pub(super) known: Known<M::State>,
    pub(super) ways: Ways,
    pub(super) graph: Graph,
    /// Where all steps lead, if that is recorded.
    pub(super) edges: Edges,
    records_edges: bool,
    /// The states that are expanded together, and what is found out about each.
    nearest: Vec<u32>,
    origins: Vec<M::State>,
    expanded: Vec<Expanded>,
    actions: Vec<M::Action>,
    /// Where all their steps lead, in order.
    targets: Vec<M::State>,
    hashes: Vec<u32>,
    /// What is found first of each target, and where it may be found.
    peeked: Vec<Slot>,
    places: Vec<Place>,
    /// The number of each target; [`NOWHERE`] until it is found.
    numbers: Vec<u32>,
    /// How long the shortest way to each target was so far.
    lengths: Vec<Length>,
    transitions: u64,
    states_max: usize,
    stage: Stage,
}

struct Expanded {
    verdict: Verdict,
    /// How many steps it has; the protocol's come first.
    protocol_steps: usize,
    steps: usize,
}

/// How many bytes of states are stepped to together, about: what the processor has at hand.
const STEPS_BYTES: usize = 1 << 15;

enum Stage {
    Expanding,
    /// Finding out from where an end is reached.
    Ending(Ending),
    Complete,
    /// There are more states than allowed.
    Cut,
}

impl<M: Machine> Search<M> {
    /// A search from the initial state. `faults_max` is the fault budget of every run;
    /// `states_max` is how many states are kept before the search is cut;
    /// [`STATES_LIMIT`](super::STATES_LIMIT) and [`BYTES_MAX`](super::BYTES_MAX) cut it in any case.
    pub fn new(machine: impl Into<Rc<M>>, faults_max: u8, states_max: usize) -> Search<M> {
        let machine = machine.into();
        let initial = machine.initial();
        let mut search = Search::begun_nowhere(machine, faults_max, states_max, false);
        search.start(initial);
        search
    }

    /// A search that begins nowhere yet.
    pub(super) fn begun_nowhere(
        machine: Rc<M>,
        faults_max: u8,
        states_max: usize,
        records_edges: bool,
    ) -> Search<M> {
        Search {
            machine,
            known: Known::new(),
            ways: Ways::new(0, faults_max),
            graph: Graph::new(),
            edges: Edges::new(),
            records_edges,
            nearest: Vec::new(),
            origins: Vec::new(),
            expanded: Vec::new(),
            actions: Vec::new(),
            targets: Vec::new(),
            hashes: Vec::new(),
            peeked: Vec::new(),
            places: Vec::new(),
            numbers: Vec::new(),
            lengths: Vec::new(),
            transitions: 0,
            states_max: states_kept(states_max, size_of::<M::State>()),
            stage: Stage::Expanding,
        }
    }

    /// Adds a state to those where the search begins, each with the whole budget; gives its number.
    /// `None`, and the search is cut, if there is no room for it.
    pub(super) fn start(&mut self, state: M::State) -> Option<u32> {
        let hash = hash(&state);
        self.known.reserve(1);
        let place = self.known.place(hash, self.known.peek(hash));
        let number = self.known.intern(&state, hash, place, self.states_max);
        self.note_new();
        match number {
            Some(number) => self.ways.start(number),
            None => self.stage = Stage::Cut,
        }
        number
    }

    /// Does so much work: one unit expands one state, or follows one back. Gives whether the search
    /// is finished; once it is, further calls do nothing.
    pub fn advance(&mut self, work: usize) -> bool {
        let mut left = work;
        while left > 0 && !self.finished() {
            left -= self.work(left);
        }
        self.finished()
    }

    pub(super) fn finished(&self) -> bool {
        matches!(self.stage, Stage::Complete | Stage::Cut)
    }

    /// Does some work, at least one unit and at most so many; gives how much it was.
    pub(super) fn work(&mut self, units_max: usize) -> usize {
        match &mut self.stage {
            Stage::Expanding => {
                self.nearest.clear();
                let together = STEPS_BYTES / (size_of::<M::State>().max(1) * 4);
                self.ways
                    .settle(together.clamp(1, units_max), &mut self.nearest);
                if self.nearest.is_empty() {
                    self.stage = Stage::Ending(Ending::new(&mut self.graph));
                } else if self.expand().is_none() {
                    self.stage = Stage::Cut;
                }
                self.nearest.len().max(1)
            }
            Stage::Ending(ending) => {
                let (machine, known) = (&*self.machine, &self.known);
                let mut steps = |state| {
                    let targets = successors(machine, &known[state], false);
                    targets.filter_map(|(_, to)| known.find(&to)).collect()
                };
                if !ending.advance(&mut self.graph, &self.ways, &mut steps) {
                    self.stage = Stage::Complete;
                }
                1
            }
            Stage::Complete | Stage::Cut => 1,
        }
    }

    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// Whether every state within the budget was seen. Only then does absence prove anything.
    pub fn complete(&self) -> bool {
        matches!(self.stage, Stage::Complete)
    }

    /// How many different states there are so far.
    pub fn states(&self) -> usize {
        self.known.len()
    }

    /// How many steps were taken between them.
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// The worst harm of any state so far; [`Harm::Endless`] is known in the end only.
    pub fn worst(&self) -> Harm {
        self.graph.worst()
    }

    /// How many states at which the protocol ends, done or stuck, have this harm. For
    /// [`Harm::Endless`]: how many states reach no end.
    pub fn ends(&self, harm: Harm) -> usize {
        self.graph.ends(harm)
    }

    /// The shortest run to a state with this harm: no other has fewer faults, and of those with as
    /// few faults none has fewer steps. `None` if no such state was found.
    pub fn shortest(&self, harm: Harm) -> Option<Vec<M::Action>> {
        self.graph.first(harm).map(|state| self.run_to(state))
    }

    /// How a run goes on for ever, if one can that never reaches an end. Known in the end only, and
    /// only if the search is [complete](Search::complete).
    pub fn lasso(&self) -> Option<Lasso<M::Action>> {
        let first = self.graph.first(Harm::Endless)?;
        let mut run = self.run_to(first);
        let stem = run.len();
        let mut path = vec![first];
        let mut passed = vec![false; self.states()];
        let mut last = first;
        while !std::mem::replace(&mut passed[last as usize], true) {
            // A machine that calls a state running must have a step there.
            let (action, next) = self.protocol_step(last)?;
            run.push(action);
            path.push(next);
            last = next;
        }
        let entry = path.iter().position(|state| *state == last)?;
        let cycle = run.split_off(stem + entry);
        Some(Lasso { run, cycle })
    }

    /// Every state that was found, in the order of finding.
    pub fn iter(&self) -> impl Iterator<Item = &M::State> {
        self.known.iter()
    }

    /// Judges the nearest states and takes each of their steps; `None` if that leads to too many
    /// states.
    fn expand(&mut self) -> Option<()> {
        self.expanded.clear();
        self.targets.clear();
        // All of them are equally near.
        let may_fail = self
            .nearest
            .first()
            .is_some_and(|state| self.ways.may_fail(*state));
        self.origins.clear();
        let origins = self.nearest.iter().map(|state| self.known[*state].clone());
        self.origins.extend(origins);
        for from in &self.origins {
            self.machine.protocol_steps(from, &mut self.actions);
            let protocol_steps = self.actions.len();
            if may_fail {
                self.machine.faults(from, &mut self.actions);
            }
            self.expanded.push(Expanded {
                verdict: self.machine.verdict(from),
                protocol_steps,
                steps: self.actions.len(),
            });
            for action in self.actions.drain(..) {
                // The step is taken in place: a processor cannot move at once what it has just
                // written piece by piece.
                self.targets.push(from.clone());
                if let Some(target) = self.targets.last_mut() {
                    self.machine.step(target, action, &mut ());
                }
            }
        }
        self.look_up();
        let room = self.intern();
        self.link();
        room
    }

    /// Finds the targets that are known already. Each round reads one kind of memory.
    fn look_up(&mut self) {
        self.known.reserve(self.targets.len());
        let known = &self.known;
        self.hashes.clear();
        self.hashes.extend(self.targets.iter().map(hash));
        self.peeked.clear();
        self.peeked
            .extend(self.hashes.iter().map(|hash| known.peek(*hash)));
        self.places.clear();
        let peeked = self.hashes.iter().zip(&self.peeked);
        self.places
            .extend(peeked.map(|(hash, peeked)| known.place(*hash, *peeked)));
        self.numbers.clear();
        self.numbers
            .extend(self.places.iter().map(|place| known.guess(*place)));
        for (number, target) in self.numbers.iter_mut().zip(&self.targets) {
            if *number != NOWHERE && known[*number] != *target {
                *number = NOWHERE;
            }
        }
    }

    /// Gives numbers to the other targets, and notes what is known of all. `None`, and the targets from
    /// there on are forgotten, if that makes too many states.
    fn intern(&mut self) -> Option<()> {
        let mut room = Some(());
        for step in 0..self.numbers.len() {
            if self.numbers[step] != NOWHERE {
                continue;
            }
            let (target, hash) = (&self.targets[step], self.hashes[step]);
            let place = self.places[step];
            match self.known.intern(target, hash, place, self.states_max) {
                Some(number) => self.numbers[step] = number,
                None => {
                    self.numbers.truncate(step);
                    room = None;
                    break;
                }
            }
        }
        self.note_new();
        let lengths = self.numbers.iter().map(|to| self.ways.length_so_far(*to));
        self.lengths.clear();
        self.lengths.extend(lengths);
        room
    }

    /// Makes places for what is known of new states.
    fn note_new(&mut self) {
        self.graph.extend(self.known.len());
        self.ways.extend(self.known.len());
    }

    /// Notes the verdicts on the nearest states and where their steps lead.
    fn link(&mut self) {
        self.transitions += self.numbers.len() as u64;
        // All of the nearest states are equally near.
        let Some(here) = self
            .nearest
            .first()
            .map(|state| self.ways.length_so_far(*state))
        else {
            return;
        };
        let (by_step, by_fault) = (here.and(false), here.and(true));
        let (mut numbers, mut lengths) = (&self.numbers[..], &self.lengths[..]);
        for (state, expanded) in self.nearest.iter().zip(&self.expanded) {
            let state = *state;
            let is_cut = numbers.len() < expanded.steps;
            let steps = expanded.steps.min(numbers.len());
            let (to, before) = (&numbers[..steps], &lengths[..steps]);
            (numbers, lengths) = (&numbers[steps..], &lengths[steps..]);
            let protocol_steps = expanded.protocol_steps.min(steps);

            let mut onward = None;
            for (to, before) in to[..protocol_steps].iter().zip(before) {
                if by_step < *before {
                    self.ways.offer(*to, state, by_step, false);
                }
                if by_step <= *before || before.faults() < here.faults() {
                    onward = Some(*to);
                }
            }
            let faults = to.iter().zip(before).skip(protocol_steps);
            for (to, _) in faults.filter(|(_, before)| by_fault < **before) {
                self.ways.offer(*to, state, by_fault, true);
            }
            if self.records_edges {
                let edges = (0..)
                    .zip(to)
                    .map(|(step, to)| (*to, step >= protocol_steps));
                self.edges.extend(state, edges);
            }
            if self.graph.judge(state, expanded.verdict, onward) {
                self.graph.halt(state, &to[..protocol_steps]);
            }
            if is_cut {
                break;
            }
        }
    }

    pub(super) fn find(&self, state: &M::State) -> Option<u32> {
        self.known.find(state)
    }

    fn run_to(&self, state: u32) -> Vec<M::Action> {
        let mut path = self.ways.path(state);
        path.reverse();
        self.run_along(&path, &self.ways)
    }

    /// The actions that lead along a path, one from each state to the next.
    pub(super) fn run_along(&self, path: &[u32], ways: &Ways) -> Vec<M::Action> {
        let steps = path.iter().zip(path.iter().skip(1));
        steps
            .filter_map(|(from, to)| self.action_between(*from, *to, ways.is_fault(*from, *to)))
            .collect()
    }

    /// The first action in the order of the machine that leads from one state to another.
    fn action_between(&self, from: u32, to: u32, fault: bool) -> Option<M::Action> {
        let mut steps = self.successors(from, fault);
        steps
            .find(|(_, state)| *state == self.known[to])
            .map(|(action, _)| action)
    }

    /// The first protocol step, and where it leads.
    fn protocol_step(&self, from: u32) -> Option<(M::Action, u32)> {
        let (action, state) = self.successors(from, false).next()?;
        Some((action, self.find(&state)?))
    }

    /// Where the faults, or the protocol steps, of a state lead.
    pub(super) fn successors(
        &self,
        from: u32,
        fault: bool,
    ) -> impl Iterator<Item = (M::Action, M::State)> {
        successors(&*self.machine, &self.known[from], fault)
    }
}

fn successors<M: Machine>(
    machine: &M,
    from: &M::State,
    fault: bool,
) -> impl Iterator<Item = (M::Action, M::State)> {
    let mut actions = Vec::new();
    match fault {
        true => machine.faults(from, &mut actions),
        false => machine.protocol_steps(from, &mut actions),
    }
    actions.into_iter().map(move |action| {
        let mut state = from.clone();
        machine.step(&mut state, action, &mut ());
        (action, state)
    })
}
