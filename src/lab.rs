//! A lab as its author writes it ([`Lab`]), and as everybody else sees it ([`AnyLab`], [`AnyRun`]).
//!
//! The page, the files and the headless command know labs only through object-safe traits, which
//! are implemented once, for every `Lab`. So the page is compiled once, not once a lab. What the
//! explorer finds comes through two more of them ([`AnySearch`], [`AnyMap`]); [`Fixes`] tries other
//! settings.

mod any;
mod diagram;
mod fix;
mod search;
mod timeline;

pub use any::{AnyLab, AnyRun, Choice, Erased};
pub use diagram::{Diagram, End, Item, Lanes, Row};
pub use fix::{Change, FIXES_MAX, Fix, Fixes};
pub use search::{AnyMap, AnySearch, Cell, WindowMap};
pub use timeline::Timeline;

use crate::machine::{
    Durability, Fault, Label, Lane, LaneId, Machine, Preset, Setting, Settings, Text,
};

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

impl Table {
    /// A part whose owner is not down.
    pub fn new(lane: LaneId, durability: Durability, entries: Vec<Entry>) -> Table {
        Table {
            lane,
            durability,
            gone: false,
            entries,
        }
    }
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
