//! The state in labels: lanes, messages and buttons.

use super::settings::{Dispatchers, Outbox, Provider, Step};
use super::state::{
    Answer, Ask, DispatcherId, Hop, Job, Message, OrderId, Parcel, Stage, State, Status, Told,
};
use super::{Action, WriteFault, text};
use crate::machine::{Arg, Durability, Effect, Label, Lane, LaneId, MessageId, Observer, Text};

pub const SERVICE: LaneId = 0;
pub const DATABASE: LaneId = 1;
pub const PROVIDER: LaneId = 4;
pub const RECEIVER: LaneId = 5;

pub fn lane_of(dispatcher: DispatcherId) -> LaneId {
    2 + dispatcher
}

pub fn number(value: u8) -> Arg {
    Arg::Number(value.into())
}

pub fn amount(value: u8) -> Label {
    text::NUMBER.with([number(value)])
}

/// An order as people count.
pub fn place(order: OrderId) -> Arg {
    number(order + 1)
}

pub fn order_label(order: OrderId) -> Label {
    text::ORDER.with([place(order)])
}

pub fn order_name(order: OrderId) -> Arg {
    order_label(order).into()
}

/// The message of an order, whatever its id.
pub fn message_name(order: OrderId) -> Arg {
    text::MESSAGE.with([place(order)]).into()
}

/// A message by its id.
pub fn message_label(message: Message) -> Label {
    let order = place(message.order);
    match message.attempt {
        0 => text::MESSAGE.with([order]),
        attempt => text::MESSAGE_ATTEMPT.with([order, number(attempt)]),
    }
}

pub fn name_of(message: Message) -> Arg {
    message_label(message).into()
}

pub fn status(status: Status) -> Text {
    match status {
        Status::Waiting => text::STATUS_WAITING,
        Status::Sent => text::STATUS_SENT,
        Status::Failed => text::STATUS_FAILED,
        Status::Unknown => text::STATUS_UNKNOWN,
    }
}

pub fn answer(answer: Answer) -> Label {
    let words = match answer {
        Answer::Accepted => text::ANSWER_ACCEPTED,
        Answer::Refused => text::ANSWER_REFUSED,
        Answer::Found => text::ANSWER_FOUND,
        Answer::NotFound => text::ANSWER_NOT_FOUND,
    };
    words.label()
}

pub fn parcel(message: Message, dispatcher: Option<DispatcherId>) -> Parcel {
    Parcel {
        message,
        dispatcher,
    }
}

fn message_number(message: Message) -> MessageId {
    MessageId::from(message.order) * 8 + MessageId::from(message.attempt)
}

/// The identity of a message from a sender: sent again with the same id, it is the same message.
pub fn parcel_id(parcel: Parcel) -> MessageId {
    let sender = parcel.dispatcher.map_or(0, |id| 1 + MessageId::from(id));
    1000 + message_number(parcel.message) * 4 + sender
}

pub fn look_up_id(order: OrderId, dispatcher: DispatcherId) -> MessageId {
    2000 + MessageId::from(order) * 2 + MessageId::from(dispatcher)
}

pub fn answer_id(order: OrderId, dispatcher: DispatcherId, answer: Answer) -> MessageId {
    3000 + (MessageId::from(order) * 2 + MessageId::from(dispatcher)) * 4 + answer as MessageId
}

/// The answer to a message that a handler has sent itself.
pub fn confirmation_id(order: OrderId) -> MessageId {
    5000 + MessageId::from(order)
}

pub fn delivery_id(message: Message) -> MessageId {
    4000 + message_number(message)
}

pub fn see_sent(parcel: Parcel, observer: &mut impl Observer) {
    observer.see(|| Effect::Sent {
        message: parcel_id(parcel),
        from: parcel.dispatcher.map_or(SERVICE, lane_of),
        to: PROVIDER,
        label: text::SEND.with([name_of(parcel.message)]),
    });
}

pub fn see_lost(parcel: Parcel, observer: &mut impl Observer) {
    observer.see(|| Effect::Lost {
        message: parcel_id(parcel),
    });
}

/// The broker has a message to deliver, for the first time or again.
pub fn see_delivery(message: Message, observer: &mut impl Observer) {
    observer.see(|| Effect::Sent {
        message: delivery_id(message),
        from: PROVIDER,
        to: RECEIVER,
        label: text::DELIVER.with([name_of(message)]),
    });
}

/// What a dispatcher does next.
pub fn stage(job: &Job) -> Label {
    let name = message_name(job.order);
    match job.stage {
        Stage::Send => text::SEND.with([name]),
        Stage::LookUp => text::LOOK_UP.with([name]),
        Stage::Mark(said) => text::EFFECT_MARKS.with([name, status(said).into()]),
        Stage::Waits(..) => text::VALUE_WAITS.with([name]),
    }
}

pub fn step(step: Step) -> Text {
    match step {
        Step::Begin => text::STEP_BEGIN,
        Step::Order => text::STEP_ORDER,
        Step::Outbox => text::STEP_OUTBOX,
        Step::Commit => text::STEP_COMMIT,
        Step::Send => text::STEP_SEND,
        Step::Reply => text::STEP_REPLY,
    }
}

impl Outbox {
    pub(super) fn all_lanes(&self) -> Vec<Lane> {
        let lane = |name: Label, durability, present| Lane {
            name,
            durability,
            present,
        };
        let second = self.dispatchers == Dispatchers::Two;
        // A customer has no memory that a crash could erase, nor an inbox of ours.
        let last = match self.provider.mails() {
            true => Durability::Outside,
            false => Durability::Durable,
        };
        vec![
            lane(text::LANE_SERVICE.label(), Durability::Volatile, true),
            lane(text::LANE_DATABASE.label(), Durability::Durable, true),
            lane(dispatcher_label(0), Durability::Volatile, true),
            lane(dispatcher_label(1), Durability::Volatile, second),
            lane(self.provider_label(), Durability::Outside, true),
            lane(self.receiver_label(), last, true),
        ]
    }

    fn provider_label(&self) -> Label {
        match self.provider {
            Provider::Broker => text::LANE_BROKER.label(),
            Provider::Recognises | Provider::LookUp | Provider::Neither => {
                text::LANE_PROVIDER.label()
            }
        }
    }

    fn receiver_label(&self) -> Label {
        match self.provider.mails() {
            true => text::LANE_CUSTOMER.label(),
            false => text::LANE_RECEIVER.label(),
        }
    }

    pub(super) fn action_label(&self, state: &State, action: Action) -> Label {
        let who = |id: DispatcherId| Arg::Label(dispatcher_label(id));
        let provider = || Arg::Label(self.provider_label());
        let receiver = || Arg::Label(self.receiver_label());
        let nothing = || Arg::from(text::NOTHING);
        let parcel = |place: u8| {
            let found = state.parcels.get(place);
            found.map_or_else(nothing, |parcel| name_of(parcel.message))
        };
        // What is on its way between a handler and the provider.
        let sending = |order: OrderId| match state.task(order).and_then(|task| task.sending) {
            Some((_, Hop::Back(given))) => answer(given).into(),
            Some((message, _)) => name_of(message),
            None => nothing(),
        };
        let queued = |place: u8| state.queue.get(place).map_or_else(nothing, name_of);
        let handled = || {
            let delivery = state.receiver.delivery;
            delivery.map_or_else(nothing, |delivery| name_of(delivery.message))
        };
        let is_fault = self.is_too_early(state, action);
        match action {
            Action::Handle(order) => {
                let next = state.task(order).and_then(|task| self.next_step(task));
                let words = next.map_or(text::NOTHING, step);
                text::ACTION_STEP.with([words.into(), order_name(order)])
            }
            Action::Dispatch(id) => {
                let next = match (state.job(id), self.pick(state)) {
                    (Some(job), _) => stage(job),
                    (None, Some(order)) => text::POLL.with([message_name(order)]),
                    (None, None) => text::NOTHING.label(),
                };
                text::ACTION_STEP.with([next.into(), who(id)])
            }
            Action::Arrive(id) => text::ACTION_DELIVER.with([self.request(state, id), provider()]),
            Action::Answer(id) => text::ACTION_DELIVER.with([self.request(state, id), who(id)]),
            Action::ServiceArrives(order) => {
                text::ACTION_DELIVER.with([sending(order), provider()])
            }
            Action::ServiceHears(order) => {
                text::ACTION_DELIVER.with([sending(order), text::LANE_SERVICE.into()])
            }
            Action::ServiceTimesOut(_) if is_fault => {
                text::ACTION_TIME_OUT_TOO_EARLY.with([text::LANE_SERVICE.into()])
            }
            Action::ServiceTimesOut(_) => text::ACTION_TIME_OUT.with([text::LANE_SERVICE.into()]),
            Action::LoseOfService(order) => text::ACTION_LOSE.with([sending(order)]),
            Action::Late(place) => text::ACTION_DELIVER.with([parcel(place), provider()]),
            Action::Receive(place) => text::ACTION_DELIVER.with([queued(place), receiver()]),
            Action::Apply => text::ACTION_APPLY.with([handled()]),
            Action::Acknowledge => text::ACTION_ACKNOWLEDGE.with([handled()]),
            Action::RestartService => text::ACTION_RESTART.with([text::LANE_SERVICE.into()]),
            Action::Restart(id) => text::ACTION_RESTART.with([who(id)]),
            Action::RestartReceiver => text::ACTION_RESTART.with([receiver()]),
            Action::TimeOut(id) if is_fault => text::ACTION_TIME_OUT_TOO_EARLY.with([who(id)]),
            Action::TimeOut(id) => text::ACTION_TIME_OUT.with([who(id)]),
            Action::LeaseEnds(order) if is_fault => {
                text::ACTION_LEASE_ENDS_TOO_EARLY.with([message_name(order)])
            }
            Action::LeaseEnds(order) => text::ACTION_LEASE_ENDS.with([message_name(order)]),
            Action::GapPasses if is_fault => text::ACTION_GAP_PASSES_TOO_EARLY.label(),
            Action::GapPasses => text::ACTION_GAP_PASSES.label(),
            Action::CleanUp(order) => text::ACTION_CLEAN_UP.with([message_name(order)]),
            Action::Place(order) => match state.told(order) {
                Told::NotAsked => text::ACTION_PLACE.with([order_name(order)]),
                _ => text::ACTION_PLACE_AGAIN.with([order_name(order)]),
            },
            Action::Retry(order) => text::ACTION_RETRY.with([message_name(order)]),
            Action::Check(order) => text::ACTION_CHECK.with([message_name(order)]),
            Action::CrashService => text::ACTION_CRASH.with([text::LANE_SERVICE.into()]),
            Action::Crash(id) => text::ACTION_CRASH.with([who(id)]),
            Action::CrashReceiver => text::ACTION_CRASH.with([receiver()]),
            Action::FailWrite { order, how } => {
                let next = state.task(order).and_then(|task| self.next_step(task));
                let words = match how {
                    WriteFault::Stored => text::ACTION_WRITE_STORED,
                    WriteFault::Lost => text::ACTION_WRITE_LOST,
                    WriteFault::Rejected => text::ACTION_WRITE_REJECTED,
                };
                words.with([next.map_or(text::NOTHING, step).into(), order_name(order)])
            }
            Action::LoseMark(id) => text::ACTION_LOSE_MARK.with([who(id)]),
            Action::Lose(id) => text::ACTION_LOSE.with([self.request(state, id)]),
            Action::LoseLate(place) => text::ACTION_LOSE.with([parcel(place)]),
            Action::LoseAcknowledgement => text::ACTION_LOSE_ACK.with([handled()]),
            Action::Duplicate(place) => text::ACTION_DUPLICATE.with([queued(place)]),
            Action::Refuse(id) => text::ACTION_REFUSE.with([self.request(state, id)]),
            Action::Expire => text::ACTION_EXPIRE.label(),
        }
    }

    /// What is on its way between a dispatcher and the provider.
    fn request(&self, state: &State, id: DispatcherId) -> Arg {
        let Some(job) = state.job(id) else {
            return text::NOTHING.into();
        };
        match job.stage {
            Stage::Waits(_, Hop::Back(given)) => answer(given).into(),
            Stage::Waits(Ask::LookUp, _) => text::LOOK_UP.with([message_name(job.order)]).into(),
            Stage::Waits(Ask::Send(message), _) => name_of(message),
            Stage::Send | Stage::LookUp | Stage::Mark(_) => text::NOTHING.into(),
        }
    }
}

pub fn dispatcher_label(id: DispatcherId) -> Label {
    text::LANE_DISPATCHER.with([number(id + 1)])
}
