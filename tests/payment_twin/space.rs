//! All states of the twin within a fault budget, found by stateright.

use std::collections::HashMap;
use std::sync::Mutex;

use rustc_hash::FxBuildHasher;
use stateright::{Checker, Model, Property};

use super::twin::{Action, Design, Harm, Progress, State, Twin};

/// The states that were found, numbered. stateright tells states apart by the faults spent as well.
type Found = HashMap<State, u32, FxBuildHasher>;

/// The twin with a fault budget: what stateright explores.
pub struct Budgeted {
    twin: Twin,
    faults_max: u8,
    found: Mutex<Found>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spent {
    state: State,
    faults: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Step(Action),
    Fault(Action),
}

impl Model for Budgeted {
    type State = Spent;
    type Action = Move;

    fn init_states(&self) -> Vec<Spent> {
        let state = self.twin.initial();
        vec![Spent { state, faults: 0 }]
    }

    fn actions(&self, from: &Spent, out: &mut Vec<Move>) {
        let mut actions = Vec::new();
        self.twin.steps(&from.state, &mut actions);
        out.extend(actions.drain(..).map(Move::Step));
        if from.faults < self.faults_max {
            self.twin.faults(&from.state, &mut actions);
            out.extend(actions.drain(..).map(Move::Fault));
        }
    }

    fn next_state(&self, from: &Spent, action: Move) -> Option<Spent> {
        let mut next = *from;
        match action {
            Move::Step(action) => self.twin.act(&mut next.state, action),
            Move::Fault(action) => {
                self.twin.act(&mut next.state, action);
                next.faults += 1;
            }
        }
        Some(next)
    }

    /// Nothing that could fail: the place where stateright shows each state that it visits.
    fn properties(&self) -> Vec<Property<Budgeted>> {
        vec![Property::always(
            "every state is gathered",
            Budgeted::gather,
        )]
    }
}

impl Budgeted {
    pub fn new(design: Design, faults_max: u8) -> Budgeted {
        Budgeted {
            twin: Twin::new(design),
            faults_max,
            found: Mutex::default(),
        }
    }

    fn gather(&self, visited: &Spent) -> bool {
        let mut found = self.found.lock().expect("no thread panicked");
        let number = found.len() as u32;
        found.entry(visited.state).or_insert(number);
        true
    }
}

/// What the states within a budget come to.
#[derive(Debug, PartialEq, Eq)]
pub struct Space {
    pub states: usize,
    pub worst: Harm,
    /// How many states at which the protocol ends have a harm, and how many reach no end.
    pub ends: Vec<(Harm, usize)>,
}

impl Space {
    pub fn explore(design: Design, faults_max: u8) -> Space {
        let checker = Budgeted::new(design, faults_max)
            .checker()
            .spawn_bfs()
            .join();
        let twin = &checker.model().twin;
        let found = checker.model().found.lock().expect("no thread panicked");
        let judged = Judged::new(twin, &found);
        Space {
            states: found.len(),
            worst: judged.worst(),
            ends: Harm::ALL.map(|harm| (harm, judged.ends(harm))).into(),
        }
    }
}

/// The harm of every state, and whether the protocol can come to an end from it.
struct Judged {
    harms: Vec<Harm>,
    is_end: Vec<bool>,
    reaches_end: Vec<bool>,
}

impl Judged {
    fn new(twin: &Twin, found: &Found) -> Judged {
        let mut harms = vec![Harm::Clean; found.len()];
        let mut is_end = vec![false; found.len()];
        let mut before = vec![Vec::new(); found.len()];
        let mut steps = Vec::new();
        for (state, number) in found {
            let verdict = twin.verdict(state);
            harms[*number as usize] = verdict.harm();
            is_end[*number as usize] = verdict.progress != Progress::Running;
            twin.steps(state, &mut steps);
            for step in steps.drain(..) {
                let mut next = *state;
                twin.act(&mut next, step);
                before[found[&next] as usize].push(*number);
            }
        }
        Judged {
            reaches_end: reach(&is_end, &before),
            harms,
            is_end,
        }
    }

    fn worst(&self) -> Harm {
        let endless = (self.ends(Harm::Endless) > 0).then_some(Harm::Endless);
        let harms = self.harms.iter().copied().chain(endless);
        harms.max().expect("a state")
    }

    fn ends(&self, harm: Harm) -> usize {
        if harm == Harm::Endless {
            return self.reaches_end.iter().filter(|reaches| !**reaches).count();
        }
        let judged = self.harms.iter().zip(&self.is_end);
        judged
            .filter(|(found, is_end)| **is_end && **found == harm)
            .count()
    }
}

/// Follows the steps back from all ends.
fn reach(is_end: &[bool], before: &[Vec<u32>]) -> Vec<bool> {
    let mut reaches_end = is_end.to_vec();
    let mut left: Vec<usize> = (0..is_end.len()).filter(|state| is_end[*state]).collect();
    while let Some(state) = left.pop() {
        for earlier in &before[state] {
            let earlier = *earlier as usize;
            if !std::mem::replace(&mut reaches_end[earlier], true) {
                left.push(earlier);
            }
        }
    }
    reaches_end
}
