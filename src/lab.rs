//! A lab as its author writes it ([`Lab`]), and as everybody else sees it ([`AnyLab`], [`AnyRun`]).
//!
//! The page, the files and the headless command know labs only through the two object-safe traits,
//! which are implemented once, for every `Lab`. So the page is compiled once, not once a lab.

use crate::machine::{
    Durability, Fault, Label, Lane, LaneId, Machine, Preset, Setting, Settings, Text, Verdict,
};
use crate::run::Timeline;
use crate::view::Diagram;

/// A machine with all that is needed to show it to a person.
pub trait Lab: Machine + Sized + 'static {
    /// Stable: it stands in files and links. Also the prefix of the lab's text keys.
    const ID: &'static str;
    const SCHEMA: &'static [Setting];
    /// The faults that this lab offers.
    const FAULTS: &'static [Fault];
    /// Every sentence that the lab says, beside those that follow from the schema and the presets.
    const TEXTS: &'static [Text];
    /// The forms of the action names. A word in angle brackets stands for a number, counted from
    /// one, or a letter, counted from `a`.
    const ACTIONS: &'static [&'static str];

    /// Named designs; the first is correct and gives every setting its default. A default, once
    /// released, never changes: files and links leave out what they do not change.
    fn presets() -> Vec<Preset>;

    fn new(settings: &Settings) -> Self;

    fn lanes(&self) -> Vec<Lane>;

    /// The action's stable name in files and links: words of `a-z`, `0-9` and `-`, with one space
    /// between them. Different actions have different names.
    fn name(&self, action: Self::Action) -> String;

    /// What the action does in this state, as a person reads it on a button.
    fn describe(&self, state: &Self::State, action: Self::Action) -> Label;

    fn picture(&self, state: &Self::State) -> Picture;

    /// Laws that can be tried on this very state, such as f(f(S,e),e) = f(S,e).
    fn laws(&self, state: &Self::State) -> Vec<Law>;
}

/// A state as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What really happened in the outside world.
    pub truth: Figure,
    /// What the system and its participants hold to be true.
    pub belief: Figure,
    /// Why the verdict is what it is.
    pub reason: Label,
    pub tables: Vec<Table>,
    /// Which handler step each participant takes next, by its place in the list of all steps.
    pub next_steps: Vec<NextStep>,
}

/// A large number or word, and a small line below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    pub value: Label,
    pub detail: Label,
}

/// A part of the state with one durability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub lane: LaneId,
    pub durability: Durability,
    /// Whether the owner is down, so that what stood here is gone.
    pub gone: bool,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: Label,
    pub value: Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextStep {
    pub lane: LaneId,
    pub step: u8,
}

/// A law, tried on one state with one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The message.
    pub subject: Label,
    /// The state before, after once, and after twice.
    pub chain: Vec<Label>,
    /// `None` where it cannot be tried, because a step is blocked for good.
    pub holds: Option<bool>,
}

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
    /// Takes the action of this name at the end of the run. `false`, and nothing changed, if it is
    /// not possible there.
    fn act(&mut self, name: &str) -> bool;
    /// Forgets everything after the first `len` actions.
    fn truncate(&mut self, len: usize);
    fn picture(&self, at: usize) -> Picture;
    fn verdict(&self, at: usize) -> Verdict;
    fn laws(&self, at: usize) -> Vec<Law>;
    fn diagram(&self) -> &Diagram;
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
}
