//! The state in labels: lanes, messages, marks and buttons.

use super::settings::{Attempts, Delivery, Filter, IdPolicy, Keep, Route, Step};
use super::state::{
    Effects, Flight, Hop, Id, Intent, Intents, Message, Number, State, operator_id,
};
use super::{Action, Actor, text};
use crate::machine::{
    Arg, Durability, Effect, Label, Lane, LaneId, Machine, Mark, MessageId, Observer, Text,
};

pub const SENDER: LaneId = 0;
pub const JOURNAL: LaneId = 1;
pub const RELAY: LaneId = 2;
pub const BROKER: LaneId = 3;
pub const RECEIVER: LaneId = 4;
pub const STORE: LaneId = 5;

pub fn lane_of(actor: Actor) -> LaneId {
    match actor {
        Actor::Sender => SENDER,
        Actor::Relay => RELAY,
        Actor::Receiver => RECEIVER,
    }
}

pub fn count(value: u8) -> Arg {
    Arg::Number(value.into())
}

/// How many there are.
pub fn size(intents: Intents) -> Arg {
    count(intents.iter().count() as u8)
}

pub fn intent(intent: Intent) -> Arg {
    text::MESSAGE.with([count(intent)]).into()
}

/// A number or an id as it is written: with its epoch from the second epoch on.
fn numeral(value: Number) -> Arg {
    let message = Message {
        intent: 0,
        number: value,
        id: 0,
    };
    match message.epoch() {
        0 => text::NUMBER.with([count(value)]).into(),
        epoch => text::EPOCH
            .with([count(epoch + 1), count(message.place())])
            .into(),
    }
}

pub fn number(number: Number) -> Arg {
    text::NUMBER_OF.with([numeral(number)]).into()
}

impl Delivery {
    /// An id as it is written.
    pub(super) fn id(&self, id: Id) -> Arg {
        if id >= operator_id(0) {
            return text::ID_OPERATOR.with([count(id - operator_id(0))]).into();
        }
        let written = match self.id {
            IdPolicy::Kept => numeral(id),
            IdPolicy::PerAttempt | IdPolicy::Zero | IdPolicy::Bucket => count(id),
        };
        text::ID.with([written]).into()
    }

    /// What a message says.
    pub(super) fn content(&self, flight: &Flight) -> Label {
        let message = &flight.message;
        match flight.hop {
            Hop::Back => text::ACK.with([number(message.number)]),
            Hop::Direct | Hop::ToRelay | Hop::AtRelay | Hop::FromRelay => {
                text::SENT.with([intent(message.intent), self.id(message.id)])
            }
        }
    }

    /// From where to where a message goes. A broker hands on what the sender publishes.
    pub(super) fn way(&self, flight: &Flight) -> (LaneId, LaneId) {
        let from = match self.filter {
            Filter::None => SENDER,
            Filter::AtPublish => BROKER,
        };
        match flight.hop {
            Hop::Direct => (from, RECEIVER),
            Hop::ToRelay => (from, RELAY),
            Hop::AtRelay | Hop::FromRelay => (RELAY, RECEIVER),
            Hop::Back => (RECEIVER, SENDER),
        }
    }

    /// A message leaves.
    pub(super) fn sent(&self, flight: &Flight) -> Effect {
        let (from, to) = self.way(flight);
        Effect::Sent {
            message: message_id(flight),
            from,
            to,
            label: self.content(flight),
        }
    }

    /// The broker takes a message and says that it has it.
    pub(super) fn published(&self, flight: &Flight) -> Effect {
        Effect::Passed {
            from: SENDER,
            to: BROKER,
            label: text::PUBLISH.with([self.content(flight).into()]),
            lost: false,
        }
    }

    /// What is written in one write.
    pub(super) fn persisted(&self, state: &State) -> Label {
        let receiver = &state.receiver;
        let effects = (receiver.unsaved != Effects::default()).then_some(text::EFFECT_OF);
        let ids = (receiver.staged != 0).then_some(text::IDS);
        match (effects, ids) {
            (Some(effects), Some(ids)) => {
                text::EFFECT_WRITES_BOTH.with([effects.into(), ids.into()])
            }
            (effects, ids) => {
                let one = effects.or(ids).unwrap_or(text::NOTHING);
                text::EFFECT_WRITES.with([one.into()])
            }
        }
    }

    pub(super) fn all_lanes(&self) -> Vec<Lane> {
        let lane = |name: Text, durability, present| Lane {
            name: name.label(),
            durability,
            present,
        };
        let has_journal = self.sender != Keep::Volatile || self.attempts == Attempts::Last;
        vec![
            lane(text::LANE_SENDER, Durability::Volatile, true),
            lane(text::LANE_JOURNAL, Durability::Durable, has_journal),
            lane(
                text::LANE_RELAY,
                Durability::Volatile,
                self.route == Route::Relayed,
            ),
            lane(
                text::LANE_BROKER,
                Durability::Durable,
                self.filter == Filter::AtPublish,
            ),
            lane(text::LANE_RECEIVER, Durability::Volatile, true),
            lane(text::LANE_STORE, Durability::Durable, true),
        ]
    }

    pub(super) fn action_label(&self, state: &State, action: Action) -> Label {
        let who = |actor: Actor| Arg::from(lane_name(lane_of(actor)));
        let message = |words: Text, id| match state.flight(id) {
            Some(flight) => {
                let to = lane_name(self.way(flight).1);
                words.with([self.content(flight).into(), to.into()])
            }
            None => text::NOTHING.label(),
        };
        let is_fault = self.fault(state, action).is_some();
        match action {
            Action::Step => {
                let task = state.receiver.task.as_ref();
                let next = task.and_then(|task| self.next_step(task));
                let words = next.map_or(text::NOTHING, step);
                text::ACTION_STEP.with([words.into(), who(Actor::Receiver)])
            }
            Action::Recover => text::ACTION_RECOVER.with([who(Actor::Sender)]),
            Action::Restart(actor) => text::ACTION_RESTART.with([who(actor)]),
            Action::Forward => text::ACTION_FORWARD.with([who(Actor::Relay)]),
            Action::Deliver(id) if is_fault => message(text::ACTION_OVERTAKE, id),
            Action::Deliver(id) => message(text::ACTION_DELIVER, id),
            Action::Send => {
                let next = state.sender.unsent().iter().next().unwrap_or(0);
                text::ACTION_SEND.with([intent(next)])
            }
            Action::Intend => text::ACTION_INTEND.with([intent(state.intended + 1)]),
            Action::Redeliver(one) if is_fault => text::ACTION_REDELIVER_EARLY.with([intent(one)]),
            Action::Redeliver(one) => text::ACTION_REDELIVER.with([intent(one)]),
            Action::GiveUp(one) if is_fault => text::ACTION_GIVE_UP_EARLY.with([intent(one)]),
            Action::GiveUp(one) => text::ACTION_GIVE_UP.with([intent(one)]),
            Action::Retry(one) => text::ACTION_RETRY.with([intent(one)]),
            Action::Tick if is_fault => text::ACTION_EXPIRE.label(),
            Action::Tick => text::ACTION_TICK.label(),
            Action::Lose(id) => message(text::ACTION_LOSE, id),
            Action::Duplicate(id) => message(text::ACTION_DUPLICATE, id),
            Action::Crash(actor) => text::ACTION_CRASH.with([who(actor)]),
            Action::EndWindow => text::ACTION_END_WINDOW.label(),
        }
    }
}

/// The identity of a message: the same content under the same id, on the same part of its way, is
/// the same message once more.
pub fn message_id(flight: &Flight) -> MessageId {
    let Message { intent, number, id } = flight.message;
    let fields = [flight.hop as u8, intent, number];
    // An acknowledgement says its number only.
    let id = if flight.hop.is_ack() { 0 } else { id };
    fields
        .into_iter()
        .fold(id.into(), |all, field| all << 8 | MessageId::from(field))
}

fn lane_name(lane: LaneId) -> Text {
    match lane {
        SENDER => text::LANE_SENDER,
        RELAY => text::LANE_RELAY,
        _ => text::LANE_RECEIVER,
    }
}

pub fn step(step: Step) -> Text {
    match step {
        Step::LookUp => text::STEP_LOOK_UP,
        Step::Apply => text::STEP_APPLY,
        Step::Remember => text::STEP_REMEMBER,
        Step::Persist => text::STEP_PERSIST,
        Step::Ack => text::STEP_ACK,
    }
}

pub fn marked(lane: LaneId, mark: Mark, label: Label) -> Effect {
    Effect::Marked {
        lane,
        mark,
        label: Some(label),
    }
}

/// A participant writes to a store: the arrow says what.
pub fn write(observer: &mut impl Observer, from: LaneId, to: LaneId, what: impl Fn() -> Label) {
    observer.see(|| Effect::Passed {
        from,
        to,
        label: what(),
        lost: false,
    });
    observer.see(|| Effect::Marked {
        lane: to,
        mark: Mark::Durable,
        label: None,
    });
}
