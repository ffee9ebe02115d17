//! A lab and a run, whichever they are.

use super::diagram::Diagram;
use super::search::{AnyMap, AnySearch};
use super::timeline::Timeline;
use super::{Lab, Law, Picture};
use crate::explore::{STATES_MAX, Search};
use crate::machine::{Fault, Label, Lane, Preset, Setting, Settings, Text, Verdict};

/// An action that is possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub name: String,
    pub label: Label,
    pub fault: Option<Fault>,
}

/// A lab, whichever it is.
pub trait AnyLab: Sync {
    fn id(&self) -> &'static str;
    fn schema(&self) -> &'static [Setting];
    fn faults(&self) -> &'static [Fault];
    fn texts(&self) -> &'static [Text];
    fn actions(&self) -> &'static [&'static str];
    fn presets(&self) -> Vec<Preset>;
    /// A run without actions.
    fn start(&self, settings: &Settings) -> Box<dyn AnyRun>;
    /// All states within a fault budget, up to [`STATES_MAX`].
    fn explore(&self, settings: &Settings, faults_max: u8) -> Box<dyn AnySearch>;
}

/// A run of some lab: its actions so far, with every state on the way.
pub trait AnyRun {
    fn lanes(&self) -> &[Lane];
    /// How many actions the run has; its states are numbered from 0 to this number.
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The name of the action that leads from state `step` to the next.
    fn name(&self, step: usize) -> String;
    fn choices(&self, at: usize) -> Vec<Choice>;
    /// The kinds of faults that are possible in a state, some of them more than once.
    fn faults(&self, at: usize) -> Vec<Fault>;
    /// Takes the action of this name at the end of the run. `false`, and nothing changed, if it is
    /// not possible there.
    fn act(&mut self, name: &str) -> bool;
    /// Forgets everything after the first `len` actions.
    fn truncate(&mut self, len: usize);
    fn picture(&self, at: usize) -> Picture;
    fn verdict(&self, at: usize) -> Verdict;
    fn laws(&self, at: usize) -> Vec<Law>;
    fn diagram(&self) -> &Diagram;
    /// The failure-window map of the run as it is now, within so many faults beside its own.
    fn map(&self, faults_max: u8) -> Box<dyn AnyMap>;
}

/// Turns a [`Lab`] into an [`AnyLab`].
pub struct Erased<L>(std::marker::PhantomData<fn() -> L>);

impl<L> Erased<L> {
    #[expect(clippy::new_without_default, reason = "only the registry makes one")]
    pub const fn new() -> Erased<L> {
        Erased(std::marker::PhantomData)
    }
}

impl<L: Lab> AnyLab for Erased<L> {
    fn id(&self) -> &'static str {
        L::ID
    }
    fn schema(&self) -> &'static [Setting] {
        L::SCHEMA
    }
    fn faults(&self) -> &'static [Fault] {
        L::FAULTS
    }
    fn texts(&self) -> &'static [Text] {
        L::TEXTS
    }
    fn actions(&self) -> &'static [&'static str] {
        L::ACTIONS
    }
    fn presets(&self) -> Vec<Preset> {
        L::presets()
    }
    fn start(&self, settings: &Settings) -> Box<dyn AnyRun> {
        Box::new(Timeline::new(L::new(settings)))
    }
    fn explore(&self, settings: &Settings, faults_max: u8) -> Box<dyn AnySearch> {
        Box::new(Search::new(L::new(settings), faults_max, STATES_MAX))
    }
}
