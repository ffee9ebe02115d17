//! The exhaustive search.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use super::arena::Arena;
use super::graph::{Graph, Record};
use super::ways::Ways;
use super::{Lasso, states_kept};
use crate::machine::{Harm, Machine};

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
/// Beside the states themselves it needs up to 43 bytes a state, and 8 more for each protocol step
/// that a state has. A run is not kept: it is found again by stepping along the way.
pub struct Search<M: Machine> {
    pub(super) machine: Rc<M>,
    pub(super) states: Arena<M::State>,
    /// The numbers of the states, by hash; equality decides.
    numbers: HashTable<u32>,
    /// Of each state, so that the table grows without hashing large states again.
    hashes: Arena<u32>,
    pub(super) ways: Ways,
    pub(super) graph: Graph,
    actions: Vec<M::Action>,
    transitions: u64,
    states_max: usize,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Expanding,
    /// Finding out from where an end is reached.
    Ending,
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
        let mut search = Search::recording(machine, faults_max, states_max, Record::Endings);
        search.start(initial);
        search
    }

    /// A search that begins nowhere yet.
    pub(super) fn recording(
        machine: Rc<M>,
        faults_max: u8,
        states_max: usize,
        record: Record,
    ) -> Search<M> {
        Search {
            machine,
            states: Arena::new(),
            numbers: HashTable::new(),
            hashes: Arena::new(),
            ways: Ways::new(0, faults_max),
            graph: Graph::new(record),
            actions: Vec::new(),
            transitions: 0,
            states_max: states_kept(states_max, size_of::<M::State>()),
            stage: Stage::Expanding,
        }
    }

    /// Adds a state to those where the search begins, each with the whole budget; gives its number.
    /// `None`, and the search is cut, if there is no room for it.
    pub(super) fn start(&mut self, state: M::State) -> Option<u32> {
        let number = self.intern(state);
        match number {
            Some(number) => self.ways.start(number),
            None => self.stage = Stage::Cut,
        }
        number
    }

    /// Does so much work: one unit expands one state, or follows one back. Gives whether the search
    /// is finished; once it is, further calls do nothing.
    pub fn advance(&mut self, work: usize) -> bool {
        for _ in 0..work {
            self.stage = match self.stage {
                Stage::Expanding => match self.ways.pop() {
                    Some(state) if self.expand(state).is_none() => Stage::Cut,
                    Some(_) => Stage::Expanding,
                    None => Stage::Ending,
                },
                Stage::Ending if self.graph.follow_end_back() => Stage::Ending,
                Stage::Ending => {
                    self.graph.tally_endless(&self.ways);
                    Stage::Complete
                }
                Stage::Complete | Stage::Cut => return true,
            }
        }
        matches!(self.stage, Stage::Complete | Stage::Cut)
    }

    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// Whether every state within the budget was seen. Only then does absence prove anything.
    pub fn complete(&self) -> bool {
        self.stage == Stage::Complete
    }

    /// How many different states there are so far.
    pub fn states(&self) -> usize {
        self.states.len()
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
        self.states.iter()
    }

    /// Judges a state and takes each of its actions; `None` if that leads to too many states.
    fn expand(&mut self, state: u32) -> Option<()> {
        let from = &self.states[state];
        self.graph.judge(state, self.machine.verdict(from));
        let mut actions = std::mem::take(&mut self.actions);
        match self.ways.may_fail(state) {
            true => self.machine.actions(from, &mut actions),
            false => self.machine.protocol_steps(from, &mut actions),
        }
        let expanded = actions.iter().try_for_each(|action| {
            let from = &self.states[state];
            let fault = self.machine.fault(from, *action).is_some();
            let mut next = from.clone();
            self.machine.step(&mut next, *action, &mut ());
            let next = self.intern(next)?;
            self.transitions += 1;
            self.graph.link(state, next, fault);
            self.ways.offer(next, state, fault);
            Some(())
        });
        actions.clear();
        self.actions = actions;
        expanded
    }

    /// The number of a state, new or not; `None` if there is no room for a new one.
    fn intern(&mut self, state: M::State) -> Option<u32> {
        let hash = hash(&state);
        let states = &self.states;
        let same = |number: &u32| states[*number] == state;
        let rehash = |number: &u32| spread(self.hashes[*number]);
        match self.numbers.entry(spread(hash), same, rehash) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(_) if states.len() >= self.states_max => None,
            Entry::Vacant(place) => {
                let number = self.graph.add();
                place.insert(number);
                self.hashes.push(hash);
                self.ways.add();
                self.states.push(state);
                Some(number)
            }
        }
    }

    pub(super) fn find(&self, state: &M::State) -> Option<u32> {
        let same = |number: &u32| self.states[*number] == *state;
        self.numbers.find(spread(hash(state)), same).copied()
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
            .find(|(_, state)| *state == self.states[to])
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
        let from = &self.states[from];
        let mut actions = Vec::new();
        self.machine.actions(from, &mut actions);
        actions.retain(|action| self.machine.fault(from, *action).is_some() == fault);
        actions.into_iter().map(move |action| {
            let mut state = from.clone();
            self.machine.step(&mut state, action, &mut ());
            (action, state)
        })
    }
}

fn hash(state: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// The table takes some bits from the top of the hash and others from its bottom.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}
