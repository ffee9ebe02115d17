//! The state in labels: lanes, messages, buttons, figures and tables.

use super::plan::{Outcome, Plan, Task, Work};
use super::records::NEW_REFUND;
use super::settings::{Paths, Payment};
use super::state::{
    ActorId, Answer, Ask, Call, Event, Hop, Key, Operation, PRICE, ReceiptId, State, Status, Told,
};
use super::{Action, WriteFault, text};
use crate::machine::{
    Arg, Durability, Effect, Label, Lane, LaneId, Machine, Mark, MessageId, Text,
};

pub const CUSTOMER: LaneId = 0;
pub const JOURNAL: LaneId = 3;
pub const EXECUTOR: LaneId = 4;
pub const GATEWAY: LaneId = 5;
/// The identity of the cancel among the messages.
pub const CANCEL_MESSAGE: MessageId = 3;

pub fn lane_of(actor: ActorId) -> LaneId {
    1 + actor
}

pub fn number(value: u8) -> Arg {
    Arg::Number(value.into())
}

/// The identity of an order to pay: copies to the same actor are copies of one message.
pub fn pay_message(to: ActorId) -> MessageId {
    1 + MessageId::from(to)
}

/// The identity of a message: the same request under the same key, and the same answer to it, is
/// the same message once more.
pub fn message(call: &Call) -> MessageId {
    let (hop, answer) = match call.hop {
        Hop::ToExecutor => (0, 0),
        Hop::ToGateway => (1, 0),
        Hop::AtGateway | Hop::Charged(_) => (2, 0),
        Hop::Back(answer) => (3, answer_number(answer)),
        Hop::ToActor(answer) => (4, answer_number(answer)),
    };
    let key = call.key.map_or(0, |key| MessageId::from(key.get()));
    let kind = call.operation as MessageId * 2 + call.ask as MessageId;
    16 + (((hop * 4 + kind) * 256 + key) * 32 + answer) * 2 + MessageId::from(call.actor)
}

fn answer_number(answer: Answer) -> MessageId {
    match answer {
        Answer::Done(receipt) => 16 + MessageId::from(receipt),
        Answer::Refused { confirmed } => 1 + MessageId::from(confirmed),
        Answer::InUse => 3,
        Answer::OtherContent => 4,
        Answer::NoKey => 5,
        Answer::ServerError => 6,
        Answer::NotFound => 7,
    }
}

/// From where to where a message goes.
pub fn way(call: &Call) -> (LaneId, LaneId) {
    match call.hop {
        Hop::ToExecutor => (lane_of(call.actor), EXECUTOR),
        Hop::ToGateway => (EXECUTOR, GATEWAY),
        Hop::AtGateway | Hop::Charged(_) | Hop::Back(_) => (GATEWAY, EXECUTOR),
        Hop::ToActor(_) => (EXECUTOR, lane_of(call.actor)),
    }
}

/// What a message says.
pub fn content(call: &Call) -> Label {
    match call.hop {
        Hop::Back(given) | Hop::ToActor(given) => answer(call.operation, given),
        Hop::ToExecutor | Hop::ToGateway | Hop::AtGateway | Hop::Charged(_) => request(call),
    }
}

pub fn request(call: &Call) -> Label {
    let none = || text::KEY_NONE.into();
    let key = call.key.map_or_else(none, |id| key(call.operation, id));
    match (call.operation, call.ask) {
        (Operation::Charge, Ask::Execute) => text::CHARGE.with([key]),
        (Operation::Refund, Ask::Execute) => text::REFUND.with([key]),
        (Operation::Charge, Ask::LookUp) => text::LOOK_UP_CHARGE.label(),
        (Operation::Refund, Ask::LookUp) => text::LOOK_UP_REFUND.label(),
    }
}

pub fn answer(operation: Operation, answer: Answer) -> Label {
    match (answer, operation) {
        (Answer::Done(id), Operation::Charge) => text::ANSWER_CHARGED.with([number(id)]),
        (Answer::Done(id), Operation::Refund) => text::ANSWER_REFUNDED.with([number(id)]),
        (Answer::Refused { confirmed: false }, _) => text::ANSWER_REFUSED.label(),
        (Answer::Refused { confirmed: true }, _) => text::ANSWER_REFUSED_FINALLY.label(),
        (Answer::InUse, _) => text::ANSWER_IN_USE.label(),
        (Answer::OtherContent, _) => text::ANSWER_OTHER_CONTENT.label(),
        (Answer::NoKey, _) => text::ANSWER_NO_KEY.label(),
        (Answer::ServerError, _) => text::ANSWER_SERVER_ERROR.label(),
        (Answer::NotFound, _) => text::ANSWER_NOT_FOUND.label(),
    }
}

/// The key or id under which an operation is sent.
pub fn key(operation: Operation, id: Key) -> Arg {
    match operation {
        Operation::Charge => text::KEY.with([number(id.get())]).into(),
        Operation::Refund if id == NEW_REFUND => text::KEY_NEW.into(),
        Operation::Refund => text::KEY_REFUND.into(),
    }
}

pub fn pay() -> Label {
    text::PAY.with([Arg::Number(PRICE)])
}

pub fn event(event: Event) -> Label {
    match event {
        Event::Requested(Operation::Charge, None) => text::EVENT_REQUESTED.label(),
        Event::Requested(Operation::Charge, Some(id)) => {
            text::EVENT_REQUESTED_KEY.with([key(Operation::Charge, id)])
        }
        Event::Requested(Operation::Refund, _) => text::EVENT_REFUND_REQUESTED.label(),
        Event::Settled(Operation::Charge, outcome) => match outcome {
            Outcome::Done(id) => text::EVENT_COMPLETED.with([receipt(id)]),
            Outcome::Failed => text::EVENT_FAILED.label(),
            Outcome::Unknown => text::EVENT_UNKNOWN.label(),
        },
        Event::Settled(Operation::Refund, outcome) => match outcome {
            Outcome::Done(id) => text::EVENT_REFUNDED.with([receipt(id)]),
            Outcome::Failed => text::EVENT_REFUND_FAILED.label(),
            Outcome::Unknown => text::EVENT_REFUND_UNKNOWN.label(),
        },
        Event::Cancelled => text::EVENT_CANCELLED.label(),
    }
}

/// A payment id; nothing where success was assumed without one.
pub fn receipt(id: ReceiptId) -> Arg {
    match id {
        0 => text::NOTHING.into(),
        id => text::NUMBER.with([number(id)]).into(),
    }
}

pub fn status(status: Status) -> Label {
    match status {
        Status::NotRequested => text::STATUS_NOT_REQUESTED.label(),
        Status::Pending => text::STATUS_PENDING.label(),
        Status::Completed(id) => text::STATUS_COMPLETED.with([receipt(id)]),
        Status::Failed => text::STATUS_FAILED.label(),
        Status::Unknown => text::STATUS_UNKNOWN.label(),
    }
}

pub fn told(told: Told) -> Label {
    let words = match told {
        Told::Nothing => text::TOLD_NOTHING,
        Told::Pending => text::TOLD_PENDING,
        Told::Paid => text::TOLD_PAID,
        Told::Failed => text::TOLD_FAILED,
        Told::Cancelled => text::TOLD_CANCELLED,
    };
    words.label()
}

/// What an actor takes up by itself.
pub fn plan(plan: Plan) -> Label {
    let words = match plan {
        Plan::Handler => text::PLAN_FROM_THE_TOP,
        Plan::Refund => text::PLAN_REFUND,
        Plan::Resolve | Plan::Settle | Plan::Cancel => text::PLAN_RESOLVE,
    };
    words.label()
}

pub fn snapshot_lost() -> Effect {
    marked(JOURNAL, Mark::Refused, text::EFFECT_SNAPSHOT_LOST)
}

pub fn person(actor: ActorId) -> Effect {
    marked(lane_of(actor), Mark::Note, text::EFFECT_PERSON)
}

fn marked(lane: LaneId, mark: Mark, words: Text) -> Effect {
    Effect::marked(lane, mark, words.label())
}

/// What a step of a task is called.
pub fn step(task: &Task, work: Work) -> Text {
    match (work, task.operation) {
        (Work::Check, _) => text::STEP_CHECK,
        (Work::Intent, Operation::Charge) => text::STEP_INTENT,
        (Work::Intent, Operation::Refund) => text::STEP_REFUND_INTENT,
        (Work::Call, Operation::Charge) => text::STEP_CALL,
        (Work::Call, Operation::Refund) => text::STEP_REFUND_CALL,
        (Work::Outcome, _) => text::STEP_OUTCOME,
        (Work::Reply, _) => text::STEP_REPLY,
        (Work::LookUp, _) => text::STEP_LOOK_UP,
        (Work::Cancel, _) => text::STEP_CANCEL,
    }
}

impl Payment {
    pub(super) fn all_lanes(&self) -> Vec<Lane> {
        let lane = |name: Label, durability, present| Lane {
            name,
            durability,
            present,
        };
        let second = self.paths == Paths::TwoNodes;
        vec![
            lane(text::LANE_CUSTOMER.label(), Durability::Outside, true),
            lane(self.actor_label(0), Durability::Volatile, true),
            lane(self.actor_label(1), Durability::Volatile, second),
            lane(text::LANE_JOURNAL.label(), Durability::Durable, true),
            lane(text::LANE_EXECUTOR.label(), Durability::Volatile, true),
            lane(text::LANE_GATEWAY.label(), Durability::Outside, true),
        ]
    }

    fn actor_label(&self, id: ActorId) -> Label {
        let letter = Arg::Typed(["A", "B"][usize::from(id)].into());
        match self.paths {
            Paths::One => text::LANE_ACTOR.with([letter]),
            Paths::TwoNodes => text::LANE_NODE.with([letter]),
        }
    }

    fn lane_label(&self, lane: LaneId) -> Label {
        match lane {
            CUSTOMER => text::LANE_CUSTOMER.label(),
            JOURNAL => text::LANE_JOURNAL.label(),
            EXECUTOR => text::LANE_EXECUTOR.label(),
            GATEWAY => text::LANE_GATEWAY.label(),
            actor => self.actor_label(actor - 1),
        }
    }

    pub(super) fn action_label(&self, state: &State, action: Action) -> Label {
        let who = |id: ActorId| Arg::Label(self.actor_label(id));
        let message = |text: Text, call: u8| match state.call(call) {
            Some(call) => text.with([content(&call).into(), self.lane_label(way(&call).1).into()]),
            None => text::NOTHING.label(),
        };
        let is_fault = self.fault(state, action).is_some();
        match action {
            Action::Step(id) => match state.actor(id).task() {
                Some(task) => {
                    let next = self.next_step(&task);
                    let words = next.map_or(text::NOTHING, |work| step(&task, work));
                    text::ACTION_STEP.with([words.into(), who(id)])
                }
                None => {
                    let taken_up = self
                        .resumes(state, id)
                        .map_or(Plan::Resolve, |task| task.plan);
                    text::ACTION_RESUME.with([plan(taken_up).into(), who(id)])
                }
            },
            Action::Recover(id) => text::ACTION_RECOVER.with([who(id)]),
            Action::Restart(id) => text::ACTION_RESTART.with([who(id)]),
            Action::Process(id) => match state.call(id) {
                Some(call) if matches!(call.hop, Hop::Charged(_)) => {
                    text::ACTION_RECORD.with([answer_of(&call).into()])
                }
                Some(call) => text::ACTION_PROCESS.with([request(&call).into()]),
                None => text::NOTHING.label(),
            },
            Action::Deliver(id) => message(text::ACTION_DELIVER, id),
            Action::Arrive(id) => text::ACTION_ARRIVE.with([who(id)]),
            Action::CancelArrives(id) if is_fault => text::ACTION_CANCEL_OVERTAKES.with([who(id)]),
            Action::CancelArrives(id) => text::ACTION_CANCEL_ARRIVES.with([who(id)]),
            Action::TimeOut(id) if is_fault => text::ACTION_TIME_OUT_TOO_EARLY.with([who(id)]),
            Action::TimeOut(id) => text::ACTION_TIME_OUT.with([who(id)]),
            Action::Pay(id) => match (state.customer.has_paid, state.customer.told) {
                (false, _) => text::ACTION_PAY.with([who(id)]),
                (_, Told::Failed) => text::ACTION_PAY_ANEW.with([who(id)]),
                _ => text::ACTION_ASK_AGAIN.with([who(id)]),
            },
            Action::Neighbour => text::ACTION_NEIGHBOUR.label(),
            Action::Reconcile(id) => text::ACTION_RECONCILE.with([who(id)]),
            Action::Cancel => text::ACTION_CANCEL.label(),
            Action::DuplicatePay(id) => text::ACTION_DUPLICATE_PAY.with([who(id)]),
            Action::LosePay(id) => text::ACTION_LOSE_PAY.with([who(id)]),
            Action::Lose(id) => message(text::ACTION_LOSE, id),
            Action::Duplicate(id) => message(text::ACTION_DUPLICATE, id),
            Action::LoseReply(id) => text::ACTION_LOSE_REPLY.with([who(id)]),
            Action::Crash(id) => text::ACTION_CRASH.with([who(id)]),
            Action::CrashExecutor => text::ACTION_CRASH.with([text::LANE_EXECUTOR.into()]),
            Action::CrashGateway => text::ACTION_CRASH.with([text::LANE_GATEWAY.into()]),
            Action::ServerError { is_done: false, .. } => text::ACTION_SERVER_ERROR.label(),
            Action::ServerError { is_done: true, .. } => text::ACTION_SERVER_ERROR_DONE.label(),
            Action::Refuse(_) => text::ACTION_REFUSE.label(),
            Action::Contradict => text::ACTION_CONTRADICT.label(),
            Action::FailWrite { actor, how } => {
                let words = match how {
                    WriteFault::Stored => text::ACTION_WRITE_STORED,
                    WriteFault::Lost => text::ACTION_WRITE_LOST,
                    WriteFault::Rejected => text::ACTION_WRITE_REJECTED,
                };
                let write = self.next_write(state, actor).map(event);
                words.with([write.unwrap_or_else(|| text::NOTHING.label()).into()])
            }
            Action::SecondIncarnation => text::ACTION_SECOND_INCARNATION.label(),
            Action::ExpireKeys => text::ACTION_EXPIRE_KEYS.label(),
            Action::LoseSnapshot => text::ACTION_LOSE_SNAPSHOT.label(),
        }
    }
}

fn answer_of(call: &Call) -> Label {
    match call.hop {
        Hop::Charged(receipt) => answer(call.operation, Answer::Done(receipt)),
        _ => request(call),
    }
}
