//! The vocabulary: what a machine is, and the words in which it speaks.
//!
//! A machine is a deterministic labelled transition system. It knows no clock, no randomness and no
//! natural language: environment and faults are actions like every other, and everything it says is
//! a [`Label`].

mod effect;
mod label;
mod setting;
pub mod text;
mod verdict;

pub use effect::{Durability, Effect, Lane, LaneId, Mark, MessageId, Observer};
pub(crate) use label::texts;
pub use label::{Arg, Label, Text};
pub(crate) use setting::choices;
pub use setting::{
    Cell, Column, ColumnKind, Kind, Preset, Row, Setting, Settings, SettingsError, SettingsProblem,
    Value,
};
pub use verdict::{Belief, Harm, Outcome, Progress, Verdict};

use std::hash::Hash;

/// One lab with its settings: which actions are possible in a state, and what each of them does.
///
/// # Contract
///
/// * [`step`](Machine::step) is called only with an action that [`actions`](Machine::actions) lists
///   for that very state. Whoever takes actions from outside (a file, a link) checks this first.
/// * The order in which `actions` lists is stable and documented by each lab: protocol steps come
///   before faults, so that the first action is what happens when nothing goes wrong.
/// * What [`protocol_steps`](Machine::protocol_steps) lists is no [`fault`](Machine::fault) in that
///   state, and what [`faults`](Machine::faults) lists is one.
/// * Equal states have equal actions, equal verdicts and equal successors.
pub trait Machine {
    /// Small, comparable and hashable: fixed-width numbers, enums and short arrays only, so that
    /// it hashes alike on every platform and exploring stays cheap.
    type State: Clone + Eq + Hash;
    type Action: Copy + Eq;

    fn initial(&self) -> Self::State;

    /// Appends the protocol steps that are possible in `state`.
    fn protocol_steps(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Appends the faults that are possible in `state`.
    fn faults(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Appends all actions that are possible in `state`.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>) {
        self.protocol_steps(state, out);
        self.faults(state, out);
    }

    /// Which fault `action` is in `state`; `None` for a protocol step. The same delivery can be
    /// the protocol's own retry in one state and a duplicate in another.
    fn fault(&self, state: &Self::State, action: Self::Action) -> Option<Fault>;

    /// Takes one action, and tells the observer what there is to see.
    fn step(&self, state: &mut Self::State, action: Self::Action, observer: &mut impl Observer);

    fn verdict(&self, state: &Self::State) -> Verdict;
}

/// What can go wrong. Every fault spends one unit of the fault budget.
///
/// The list is the same for all labs; a lab offers those that its world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A process dies; what it held in memory is gone.
    Crash,
    /// A message is delivered once more although it was answered or is still being handled.
    Duplicate,
    /// A message never arrives.
    LoseMessage,
    /// The work was done, and the answer never arrives.
    LoseReply,
    /// A later message overtakes an earlier one.
    Reorder,
    /// An id comes back with other content.
    OtherContent,
    /// Another instance of a process runs beside the first.
    SecondIncarnation,
    /// Somebody gives up waiting although the work goes on and the answer may still come.
    TimeOut,
    /// An error that does not say whether the work was done.
    ServerError,
    /// A definite no.
    Refusal,
    /// What was answered is not what happens afterwards.
    Contradiction,
    /// A durable write fails: it is refused, or nobody knows whether it happened.
    WriteFailed,
    /// Time passes the retention of what duplicates are recognised by.
    KeyExpired,
    /// A snapshot cannot be read at recovery.
    SnapshotLost,
    /// A lease or a claim ends while its holder is still at work.
    LeaseExpired,
}

impl Fault {
    pub const ALL: [Fault; 15] = [
        Fault::Crash,
        Fault::Duplicate,
        Fault::LoseMessage,
        Fault::LoseReply,
        Fault::Reorder,
        Fault::OtherContent,
        Fault::SecondIncarnation,
        Fault::TimeOut,
        Fault::ServerError,
        Fault::Refusal,
        Fault::Contradiction,
        Fault::WriteFailed,
        Fault::KeyExpired,
        Fault::SnapshotLost,
        Fault::LeaseExpired,
    ];

    /// The name used in files, in text keys and on the headless command line.
    pub const fn id(self) -> &'static str {
        match self {
            Fault::Crash => "crash",
            Fault::Duplicate => "duplicate",
            Fault::LoseMessage => "lose_message",
            Fault::LoseReply => "lose_reply",
            Fault::Reorder => "reorder",
            Fault::OtherContent => "other_content",
            Fault::SecondIncarnation => "second_incarnation",
            Fault::TimeOut => "time_out",
            Fault::ServerError => "server_error",
            Fault::Refusal => "refusal",
            Fault::Contradiction => "contradiction",
            Fault::WriteFailed => "write_failed",
            Fault::KeyExpired => "key_expired",
            Fault::SnapshotLost => "snapshot_lost",
            Fault::LeaseExpired => "lease_expired",
        }
    }
}
