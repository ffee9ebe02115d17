//! Lanes, arrows, marks and buttons in labels.

use super::database::{Answer, Change, Conn, Error, EventId, Statement, Transaction};
use super::identity::OTHER_CONTENT;
use super::judge::EVENTS;
use super::settings::Inbox;
use super::state::{ConsumerId, POINTS, Plan, Stage, State, Told, Work, event_of};
use super::{Action, CommitFault, text};
use crate::machine::{Arg, Durability, Effect, Label, Lane, LaneId, Machine, Mark, Text};

pub const BROKER: LaneId = 0;
pub const DATABASE: LaneId = 3;
pub const THIRD_PARTY: LaneId = 4;

pub fn lane_of(consumer: ConsumerId) -> LaneId {
    1 + consumer
}

pub fn number(value: u8) -> Arg {
    Arg::Number(value.into())
}

pub fn event(event: EventId) -> Label {
    match event {
        0 => text::EVENT_FIRST.label(),
        OTHER_CONTENT => text::EVENT_OTHER.label(),
        _ => text::EVENT_SECOND.label(),
    }
}

fn said(lane: LaneId, mark: Mark, words: Text) -> Effect {
    Effect::marked(lane, mark, words.label())
}

/// A statement goes to the database.
pub fn query(consumer: ConsumerId, statement: Statement) -> Effect {
    Effect::passed(lane_of(consumer), DATABASE, sql(statement))
}

/// A statement as it is written.
pub fn sql(statement: Statement) -> Label {
    match statement {
        Statement::Begin => text::SQL_BEGIN.label(),
        Statement::FindReceipt(_) => text::SQL_FIND_RECEIPT.label(),
        Statement::Insert(..) => text::SQL_INSERT.label(),
        Statement::InsertOrNothing(..) => text::SQL_INSERT_OR_NOTHING.label(),
        Statement::InsertOrFind(..) => text::SQL_INSERT_OR_FIND.label(),
        Statement::TakeOver(..) => text::SQL_TAKE_OVER.label(),
        Statement::Complete { token: None, .. } => text::SQL_COMPLETE.label(),
        Statement::Complete {
            token: Some(token), ..
        } => text::SQL_COMPLETE_FENCED.with([number(token)]),
        Statement::FindRow(_) => text::SQL_FIND_ROW.label(),
        Statement::Change(_, change) => match change {
            Change::Add(_) => text::SQL_ADD.with([Arg::Signed(POINTS)]),
            Change::Set(_) => text::SQL_SET.label(),
            Change::SetVersioned(_) => text::SQL_SET_VERSIONED.label(),
            Change::Target(_, state) => text::SQL_TARGET.with([number(state)]),
            Change::Newest(_, state) => text::SQL_NEWEST.with([number(state)]),
            Change::ReserveOfPosted(_) => text::SQL_RESERVE_POSTED.label(),
            Change::ReserveOfAvailable(_) => text::SQL_RESERVE_AVAILABLE.label(),
            Change::Forbidden => text::SQL_FORBIDDEN.label(),
        },
        Statement::Commit => text::SQL_COMMIT.label(),
        Statement::Rollback => text::SQL_ROLLBACK.label(),
    }
}

/// What is to be seen of the answer.
pub fn answered(state: &State, conn: Conn, statement: Statement, answer: Answer) -> Option<Effect> {
    let is_open = state.transaction(conn) != Transaction::None;
    let written = if is_open { Mark::Staged } else { Mark::Durable };
    match answer {
        Answer::Blocked => Some(said(DATABASE, Mark::Wait, text::EFFECT_WAITS)),
        Answer::RolledBack => Some(said(DATABASE, Mark::Refused, text::EFFECT_ROLLED_BACK)),
        Answer::Rows(0) => Some(said(DATABASE, Mark::Note, text::EFFECT_NO_ROWS)),
        Answer::Rows(_) => Some(Effect::ended(DATABASE, written)),
        Answer::Receipt(None) => Some(said(DATABASE, Mark::Note, text::EFFECT_NO_RECEIPT)),
        Answer::Receipt(Some(_)) => Some(said(DATABASE, Mark::Note, text::EFFECT_RECEIPT)),
        Answer::Done if statement == Statement::Commit => {
            Some(Effect::ended(DATABASE, Mark::Durable))
        }
        Answer::Done | Answer::Row(_) => None,
        Answer::Error(error) => Some(said(DATABASE, Mark::Refused, error_text(error))),
    }
}

fn error_text(error: Error) -> Text {
    match error {
        Error::UniqueViolation => text::ERROR_UNIQUE,
        Error::CheckViolation => text::ERROR_CHECK,
        Error::InFailedTransaction => text::ERROR_IN_FAILED,
        Error::Deadlock => text::ERROR_DEADLOCK,
    }
}

pub fn deadlock() -> Effect {
    said(DATABASE, Mark::Refused, text::ERROR_DEADLOCK)
}

pub fn commit_failed(how: CommitFault, answer: Answer) -> Effect {
    match how {
        CommitFault::Failed => said(DATABASE, Mark::Refused, text::EFFECT_COMMIT_FAILED),
        CommitFault::UnknownLost => said(DATABASE, Mark::Refused, text::EFFECT_CONNECTION_LOST),
        CommitFault::UnknownDone if answer == Answer::RolledBack => {
            said(DATABASE, Mark::Refused, text::EFFECT_CONNECTION_LOST)
        }
        CommitFault::UnknownDone => said(DATABASE, Mark::Durable, text::EFFECT_CONNECTION_LOST),
    }
}

pub fn new_id() -> Effect {
    said(DATABASE, Mark::Staged, text::EFFECT_NEW_ID)
}

pub fn handed_over(consumer: ConsumerId) -> Effect {
    said(lane_of(consumer), Mark::Volatile, text::EFFECT_HANDED_OVER)
}

pub fn call(consumer: ConsumerId, of: EventId) -> Effect {
    let words = text::CALL.with([event(of).into()]);
    Effect::passed(lane_of(consumer), THIRD_PARTY, words)
}

pub fn called(is_known: bool, times: u8) -> Effect {
    match (is_known, times) {
        (true, _) => said(THIRD_PARTY, Mark::Note, text::EFFECT_KEY_KNOWN),
        (false, 1) => said(THIRD_PARTY, Mark::Applied, text::EFFECT_CALLED),
        (false, _) => said(THIRD_PARTY, Mark::Harm, text::EFFECT_CALLED),
    }
}

pub fn call_refused() -> Effect {
    said(THIRD_PARTY, Mark::Refused, text::TOLD_REFUSED)
}

pub fn ack(consumer: ConsumerId, tells: Told, is_lost: bool) -> Effect {
    let words = text::ACK.with([told(tells).into()]);
    Effect::Passed {
        from: lane_of(consumer),
        to: BROKER,
        label: words,
        lost: is_lost,
    }
}

pub fn gave_back(consumer: ConsumerId, plan: Plan) -> Effect {
    let words = match plan {
        Plan::BackOff => text::EFFECT_BACKED_OFF,
        _ => text::EFFECT_GAVE_BACK,
    };
    Effect::passed(lane_of(consumer), BROKER, words.label())
}

pub fn delivered(consumer: ConsumerId, of: EventId) -> Effect {
    Effect::passed(BROKER, lane_of(consumer), event(of))
}

pub fn visible_again(of: EventId) -> Effect {
    let words = text::EFFECT_VISIBLE.with([event(of).into()]);
    Effect::marked(BROKER, Mark::Wait, words)
}

pub fn dead_letter() -> Effect {
    said(BROKER, Mark::Refused, text::EFFECT_DEAD_LETTER)
}

pub fn deployed() -> Effect {
    said(lane_of(0), Mark::Note, text::EFFECT_DEPLOYED)
}

pub fn sent_again(is_reencoded: bool) -> Effect {
    let words = match is_reencoded {
        true => text::EFFECT_SENT_REENCODED,
        false => text::EFFECT_SENT_AGAIN,
    };
    said(BROKER, Mark::Note, words)
}

pub fn sent_other() -> Effect {
    said(BROKER, Mark::Note, text::EFFECT_SENT_OTHER)
}

pub fn lease_over() -> Effect {
    said(DATABASE, Mark::Wait, text::EFFECT_LEASE_OVER)
}

pub fn receipts_deleted() -> Effect {
    said(DATABASE, Mark::Note, text::EFFECT_RECEIPTS_DELETED)
}

pub fn told(told: Told) -> Label {
    let words = match told {
        Told::Nothing => text::TOLD_NOTHING,
        Told::Done => text::TOLD_DONE,
        Told::Refused => text::TOLD_REFUSED,
        Told::Conflict => text::TOLD_CONFLICT,
        Told::Failed => text::TOLD_FAILED,
    };
    words.label()
}

impl Inbox {
    pub(super) fn all_lanes(&self) -> Vec<Lane> {
        let lane = |name: Text, durability, present| Lane {
            name: name.label(),
            durability,
            present,
        };
        let two = self.has_second_consumer();
        let calls = self.change.is_call();
        vec![
            lane(text::LANE_BROKER, Durability::Durable, true),
            lane(text::LANE_CONSUMER_A, Durability::Volatile, true),
            lane(text::LANE_CONSUMER_B, Durability::Volatile, two),
            lane(text::LANE_DATABASE, Durability::Durable, true),
            lane(text::LANE_THIRD_PARTY, Durability::Outside, calls),
        ]
    }

    /// What a step of a consumer is called: its statement, where it sends one.
    pub(super) fn step_label(&self, state: &State, id: ConsumerId) -> Label {
        let task = state.consumer(id).task;
        let Some(step) = task.and_then(|task| self.next_step(&task)) else {
            return text::NOTHING.label();
        };
        if let Some((_, statement)) = self.statement(state, id) {
            return sql(statement);
        }
        let words = match step {
            Work::Ack => text::STEP_ACK,
            Work::GiveBack => text::STEP_GIVE_BACK,
            Work::Change if self.change.is_call() => text::STEP_CALL,
            Work::Change => text::STEP_HAND_OVER,
            Work::Register => text::STEP_NEW_ID,
            _ => text::STEP_START_AGAIN,
        };
        words.label()
    }

    pub(super) fn action_label(&self, state: &State, action: Action) -> Label {
        let who = |id: ConsumerId| {
            let name = [text::LANE_CONSUMER_A, text::LANE_CONSUMER_B][usize::from(id)];
            Arg::Label(name.label())
        };
        let about = |message: u8| Arg::Label(event(event_of(message)));
        let is_fault = self.fault(state, action).is_some();
        match action {
            Action::Step(id) => {
                text::ACTION_STEP.with([self.step_label(state, id).into(), who(id)])
            }
            Action::Thread(id) => {
                let sent = self.sends(state, action);
                let words = sent.map_or_else(|| text::STEP_CALL.label(), |(_, sent)| sql(sent));
                text::ACTION_THREAD.with([words.into(), who(id)])
            }
            Action::Victim(id) => text::ACTION_VICTIM.with([who(id)]),
            Action::Restart(id) => text::ACTION_RESTART.with([who(id)]),
            Action::Deliver { message, consumer } if is_fault => {
                text::ACTION_DELIVER_EARLY.with([about(message), who(consumer)])
            }
            Action::Deliver { message, consumer } => {
                text::ACTION_DELIVER.with([about(message), who(consumer)])
            }
            Action::VisibilityEnds(message) if is_fault => {
                text::ACTION_VISIBLE_EARLY.with([about(message)])
            }
            Action::VisibilityEnds(message) => text::ACTION_VISIBLE.with([about(message)]),
            Action::LeaseEnds(_) if is_fault => text::ACTION_LEASE_EARLY.label(),
            Action::LeaseEnds(_) => text::ACTION_LEASE.label(),
            Action::Deploy => text::ACTION_DEPLOY.label(),
            Action::SendAgain { is_reencoded: true } => text::ACTION_SEND_REENCODED.label(),
            Action::SendAgain { .. } => text::ACTION_SEND_AGAIN.label(),
            Action::SendOther => text::ACTION_SEND_OTHER.label(),
            Action::LoseAck(id) => text::ACTION_LOSE_ACK.with([who(id)]),
            Action::FailCommit { consumer, how } => {
                let words = match how {
                    CommitFault::Failed => text::ACTION_COMMIT_FAILED,
                    CommitFault::UnknownDone => text::ACTION_COMMIT_UNKNOWN_DONE,
                    CommitFault::UnknownLost => text::ACTION_COMMIT_UNKNOWN_LOST,
                };
                words.with([who(consumer)])
            }
            Action::Crash(id) => text::ACTION_CRASH.with([who(id)]),
            Action::ExpireReceipts => text::ACTION_EXPIRE.label(),
        }
    }

    /// The events that this run can have, in order.
    pub(super) fn shown_events(&self, state: &State) -> impl Iterator<Item = EventId> {
        let is_sent = |event: &EventId| {
            let mut copies = state.messages().filter(|(id, _)| event_of(*id) == *event);
            copies.any(|(_, message)| message.stage != Stage::NotSent)
        };
        EVENTS.into_iter().filter(is_sent)
    }
}
