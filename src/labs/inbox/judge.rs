//! The verdict on a state: what took effect against what the senders were told.

use super::database::{EventId, Status};
use super::identity::OTHER_CONTENT;
use super::possible::{CONSUMERS, keys};
use super::settings::{Inbox, Traffic};
use super::state::{Message, Stage, State, Told, event_of};
use super::text;
use crate::machine::{Belief, Label, Outcome, Progress, Text, Verdict};

/// All events that there can be.
pub const EVENTS: [EventId; 3] = [0, 1, OTHER_CONTENT];

impl Inbox {
    pub(super) fn judge(&self, state: &State) -> Verdict {
        Verdict {
            outcome: self.outcome(state),
            belief: self.belief(state),
            progress: self.progress_of(state),
        }
    }

    /// How often an event has taken effect, for everybody to see.
    pub(super) fn effects(&self, state: &State, event: EventId) -> u8 {
        let row = state.database.rows[usize::from(self.row(event))].committed;
        match self.change.is_call() {
            true => state.calls[usize::from(event)],
            // To set the same state twice is to set it.
            false if self.change.sets_state() => row.contained[usize::from(event)].min(1),
            false => row.contained[usize::from(event)],
        }
    }

    /// Whether the business is as it must be once this event is done.
    fn is_in_force(&self, state: &State, event: EventId) -> bool {
        let row = state.database.rows[usize::from(self.row(event))].committed;
        match self.change.sets_state() {
            // A newer state stands above an older one.
            true => row.state > event,
            false => self.effects(state, event) > 0,
        }
    }

    /// Whether anybody still works on a message of this event, or will.
    fn is_open(&self, state: &State, event: EventId) -> bool {
        let mut messages = state.messages().filter(|(id, _)| event_of(*id) == event);
        let mut consumers = state.consumers.iter();
        messages.any(|(_, message)| matches!(message.stage, Stage::Ready | Stage::Hidden(_)))
            || consumers.any(|consumer| {
                consumer.task.is_some_and(|task| task.event() == event)
                    || consumer.thread.is_some_and(|job| job.event == event)
            })
    }

    /// An id that was used for two contents may count once, for either.
    fn effects_of_id(&self, state: &State, event: EventId) -> u8 {
        match event {
            0 => self.effects(state, 0) + self.effects(state, OTHER_CONTENT),
            event => self.effects(state, event),
        }
    }

    fn is_lost(&self, state: &State, event: EventId) -> bool {
        state.told[usize::from(event)] == Told::Done
            && !self.is_in_force(state, event)
            && !self.is_open(state, event)
    }

    fn outcome(&self, state: &State) -> Outcome {
        let mut events = EVENTS.into_iter();
        if events
            .clone()
            .any(|event| self.effects_of_id(state, event) > 1)
        {
            Outcome::Duplicated
        } else if events.clone().any(|event| self.is_lost(state, event)) {
            Outcome::Lost
        } else if events.any(|event| self.effects(state, event) > 0) {
            Outcome::Once
        } else {
            Outcome::None
        }
    }

    /// Whether a sender was told no although the event took effect.
    fn is_told_wrong(&self, state: &State, event: EventId) -> bool {
        let says_no = matches!(
            state.told[usize::from(event)],
            Told::Refused | Told::Conflict | Told::Failed
        );
        says_no && self.effects(state, event) > 0 && !self.is_open(state, event)
    }

    /// Whether more is held than there is.
    fn is_overdrawn(&self, state: &State) -> bool {
        let held: u8 = state.database.rows[0].committed.contained.iter().sum();
        self.change.reserves() && held > 1
    }

    fn belief(&self, state: &State) -> Belief {
        let mut events = EVENTS.into_iter();
        if self.is_overdrawn(state) || events.clone().any(|event| self.is_told_wrong(state, event))
        {
            Belief::Wrong
        } else if events.any(|event| {
            self.is_open(state, event) && state.told[usize::from(event)] == Told::Nothing
        }) {
            Belief::Unknown
        } else {
            Belief::Agrees
        }
    }

    fn progress_of(&self, state: &State) -> Progress {
        let is_held = |key: u8| {
            let receipt = state.database.receipts[usize::from(key)].committed;
            receipt.is_some_and(|receipt| receipt.status != Status::Done)
        };
        let is_dead = |message: &Message| message.stage == Stage::DeadLetter;
        let is_at_work = CONSUMERS.iter().any(|id| {
            let consumer = state.consumer(*id);
            consumer.task.is_some() || consumer.thread.is_some()
        });
        if is_at_work || EVENTS.into_iter().any(|event| self.is_open(state, event)) {
            Progress::Running
        } else if state.messages.iter().any(is_dead) || keys().any(is_held) {
            Progress::Stuck
        } else {
            Progress::Done
        }
    }

    /// Why the verdict is what it is: the worst thing first.
    pub(super) fn reason(&self, state: &State) -> Label {
        let verdict = self.judge(state);
        let words: Text = match verdict {
            Verdict {
                outcome: Outcome::Duplicated,
                ..
            } if self.effects(state, OTHER_CONTENT) > 0 => text::REASON_TWO_CONTENTS,
            Verdict {
                outcome: Outcome::Duplicated,
                ..
            } => text::REASON_TWICE,
            Verdict {
                outcome: Outcome::Lost,
                ..
            } if self.traffic == Traffic::Versions => text::REASON_OLD_STATE,
            Verdict {
                outcome: Outcome::Lost,
                ..
            } => text::REASON_LOST,
            Verdict {
                belief: Belief::Wrong,
                ..
            } if self.is_overdrawn(state) => text::REASON_OVERDRAWN,
            Verdict {
                belief: Belief::Wrong,
                ..
            } => text::REASON_TOLD_NO,
            Verdict {
                progress: Progress::Stuck,
                ..
            } => text::REASON_STUCK,
            Verdict {
                progress: Progress::Done,
                ..
            } => text::REASON_DONE,
            Verdict {
                outcome: Outcome::None,
                ..
            } => text::REASON_NOTHING_YET,
            _ => text::REASON_SO_FAR,
        };
        words.label()
    }
}
