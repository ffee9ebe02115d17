//! The states of a run, each the fold of the actions before it.

use std::rc::Rc;

use super::{AnyMap, AnyRun, Choice, Diagram, Lab, Law, Picture};
use crate::explore::{Map, STATES_MAX};
use crate::machine::{Effect, Fault, Lane, Verdict};

/// A run of one machine, with every state on the way: going back costs nothing, and a step costs
/// the same on a long run as on a short one.
pub struct Timeline<L: Lab> {
    lab: Rc<L>,
    actions: Vec<L::Action>,
    /// One more than there are actions.
    states: Vec<L::State>,
    lanes: Vec<Lane>,
    diagram: Diagram,
}

impl<L: Lab> Timeline<L> {
    pub fn new(lab: L) -> Timeline<L> {
        let lanes = lab.lanes();
        Timeline {
            states: vec![lab.initial()],
            actions: Vec::new(),
            diagram: Diagram::new(&lanes),
            lanes,
            lab: Rc::new(lab),
        }
    }

    fn possible(&self, at: usize) -> Vec<L::Action> {
        let mut actions = Vec::new();
        self.lab.actions(&self.states[at], &mut actions);
        actions
    }

    fn draw(&mut self, step: usize, effects: Vec<Effect>) {
        let (state, action) = (&self.states[step], self.actions[step]);
        let label = self.lab.describe(state, action);
        self.diagram
            .push(label, self.lab.fault(state, action), effects);
    }
}

impl<L: Lab> AnyRun for Timeline<L> {
    fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    fn len(&self) -> usize {
        self.actions.len()
    }

    fn name(&self, step: usize) -> String {
        self.lab.name(self.actions[step])
    }

    fn choices(&self, at: usize) -> Vec<Choice> {
        let state = &self.states[at];
        let choice = |action| Choice {
            name: self.lab.name(action),
            label: self.lab.describe(state, action),
            fault: self.lab.fault(state, action),
        };
        self.possible(at).into_iter().map(choice).collect()
    }

    fn faults(&self, at: usize) -> Vec<Fault> {
        let kind = |action| self.lab.fault(&self.states[at], action);
        self.possible(at).into_iter().filter_map(kind).collect()
    }

    fn act(&mut self, name: &str) -> bool {
        let at = self.len();
        let mut possible = self.possible(at).into_iter();
        let Some(action) = possible.find(|action| self.lab.name(*action) == name) else {
            return false;
        };
        let mut state = self.states[at].clone();
        let mut effects = Vec::new();
        self.lab.step(&mut state, action, &mut effects);
        self.actions.push(action);
        self.states.push(state);
        self.draw(at, effects);
        true
    }

    fn truncate(&mut self, len: usize) {
        self.actions.truncate(len);
        self.states.truncate(len + 1);
        self.diagram = Diagram::new(&self.lanes);
        for step in 0..self.actions.len() {
            let mut effects = Vec::new();
            let mut state = self.states[step].clone();
            self.lab.step(&mut state, self.actions[step], &mut effects);
            self.draw(step, effects);
        }
    }

    fn picture(&self, at: usize) -> Picture {
        self.lab.picture(&self.states[at])
    }

    fn verdict(&self, at: usize) -> Verdict {
        self.lab.verdict(&self.states[at])
    }

    fn laws(&self, at: usize) -> Vec<Law> {
        self.lab.laws(&self.states[at])
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    fn map(&self, faults_max: u8) -> Box<dyn AnyMap> {
        let states = self.states.iter().cloned();
        Box::new(Map::new(self.lab.clone(), states, faults_max, STATES_MAX))
    }
}
