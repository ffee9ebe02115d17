//! What there is to see in one step: the raw material of the space-time diagram.

use super::Label;

/// The place of a lane among the lanes of its machine, from the left.
pub type LaneId = u8;

/// Tells messages apart. Messages with the same id are copies of one message; which of several
/// equal copies arrives makes no difference, so the oldest does.
pub type MessageId = u32;

/// One participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub name: Label,
    pub durability: Durability,
    /// Whether the participant runs from the beginning.
    pub present: bool,
}

/// What a crash keeps and what it erases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Durability {
    /// Kept across a crash.
    Durable,
    /// Erased by a crash.
    Volatile,
    /// Not the system's own: the customer, a third party.
    Outside,
}

impl Durability {
    /// The name used in text keys and in the headless command's output.
    pub const fn id(self) -> &'static str {
        match self {
            Durability::Durable => "durable",
            Durability::Volatile => "volatile",
            Durability::Outside => "outside",
        }
    }
}

/// Something that a step does and that a person can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A message that leaves and arrives, or is lost, in one step, and of which there is no copy: a
    /// read, a write, an answer.
    Passed {
        from: LaneId,
        to: LaneId,
        label: Label,
        lost: bool,
    },
    /// A message leaves. It may arrive in the same step or in a later one, and be sent again.
    Sent {
        message: MessageId,
        from: LaneId,
        to: LaneId,
        label: Label,
    },
    Arrived {
        message: MessageId,
    },
    Lost {
        message: MessageId,
    },
    /// Something happens at one participant.
    Marked {
        lane: LaneId,
        mark: Mark,
        /// `None` where an arrow of the same step says it.
        label: Option<Label>,
    },
    /// A process dies, and with it everything volatile in its lane.
    Down {
        lane: LaneId,
    },
    /// A process comes (back) to life.
    Up {
        lane: LaneId,
    },
}

impl Effect {
    /// A message that arrives in the step in which it leaves.
    pub fn passed(from: LaneId, to: LaneId, label: Label) -> Effect {
        Effect::Passed {
            from,
            to,
            label,
            lost: false,
        }
    }

    pub fn marked(lane: LaneId, mark: Mark, label: Label) -> Effect {
        Effect::Marked {
            lane,
            mark,
            label: Some(label),
        }
    }

    /// A mark at the end of an arrow that says what it is.
    pub fn ended(lane: LaneId, mark: Mark) -> Effect {
        Effect::Marked {
            lane,
            mark,
            label: None,
        }
    }
}

/// The shape of a mark in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A durable write.
    Durable,
    /// A write that a later commit makes durable.
    Staged,
    /// A write to memory.
    Volatile,
    /// The business effect happens, as it should.
    Applied,
    /// The business effect happens once too often, or overwrites another.
    Harm,
    /// The participant waits: for a lock, for time to pass.
    Wait,
    /// Something is refused.
    Refused,
    /// Anything else worth a word.
    Note,
}

/// Hears of the effects of a step.
pub trait Observer {
    /// Takes an effect. It comes as a closure, so that making it costs nothing where nobody looks.
    fn see(&mut self, effect: impl FnOnce() -> Effect);
}

/// Nobody looks: exploring.
impl Observer for () {
    fn see(&mut self, _: impl FnOnce() -> Effect) {}
}

impl Observer for Vec<Effect> {
    fn see(&mut self, effect: impl FnOnce() -> Effect) {
        self.push(effect());
    }
}
