//! Which actions are possible in a state.

use super::database::{EventId, KEYS_MAX, Key, Status, Transaction};
use super::identity::OTHER_CONTENT;
use super::settings::{Consumers, Deploys, Digest, Inbox, Retention, Traffic};
use super::state::{
    ConsumerId, Life, MessageId, Plan, Stage, State, Work, event_of, main_conn, other_conn,
    thread_conn,
};
use super::{Action, CommitFault};

pub const CONSUMERS: [ConsumerId; 2] = [0, 1];
/// The second copy of the first event.
pub const COPY: MessageId = 1;
/// The event with the id of the first, and other content.
pub const OTHER: MessageId = 3;

impl Inbox {
    pub(super) fn possible_steps(&self, state: &State, out: &mut Vec<Action>) {
        let can_step = |id: &ConsumerId| {
            let conns = [main_conn(*id), other_conn(*id)];
            state.consumer(*id).task.is_some() && !conns.iter().any(|conn| state.is_blocked(*conn))
        };
        out.extend(CONSUMERS.into_iter().filter(can_step).map(Action::Step));
        let has_thread = |id: &ConsumerId| {
            state.consumer(*id).thread.is_some() && !state.is_blocked(thread_conn(*id))
        };
        out.extend(CONSUMERS.into_iter().filter(has_thread).map(Action::Thread));
        let is_deadlocked = |id: &ConsumerId| {
            let conns = [main_conn(*id), other_conn(*id)];
            conns.iter().any(|conn| state.database.is_deadlocked(*conn))
        };
        out.extend(
            CONSUMERS
                .into_iter()
                .filter(is_deadlocked)
                .map(Action::Victim),
        );
        let is_down = |id: &ConsumerId| state.consumer(*id).life == Life::Down;
        out.extend(CONSUMERS.into_iter().filter(is_down).map(Action::Restart));
        if let Some(message) = self.ready(state).next() {
            self.deliveries(state, message, out);
        }
        let is_left = |message: &MessageId| {
            matches!(state.message(*message).stage, Stage::Hidden(_))
                && state.holder(*message).is_none()
        };
        let messages = (0..).take(state.messages.len());
        out.extend(messages.filter(is_left).map(Action::VisibilityEnds));
        let abandoned =
            |key: &Key| self.has_lease(state, *key) && self.lessee(state, *key).is_none();
        out.extend(keys().filter(abandoned).map(Action::LeaseEnds));
        let is_idle = state
            .consumers
            .iter()
            .all(|consumer| consumer.task.is_none());
        if self.deploys == Deploys::Once && state.version == 0 && is_idle {
            out.push(Action::Deploy);
        }
    }

    pub(super) fn possible_faults(&self, state: &State, out: &mut Vec<Action>) {
        if self.traffic == Traffic::Versions {
            for message in self.ready(state).skip(1) {
                self.deliveries(state, message, out);
            }
        }
        let is_held = |message: &MessageId| {
            matches!(state.message(*message).stage, Stage::Hidden(_))
                && state.holder(*message).is_some()
        };
        let messages = (0..).take(state.messages.len());
        out.extend(messages.filter(is_held).map(Action::VisibilityEnds));
        let is_leased =
            |key: &Key| self.has_lease(state, *key) && self.lessee(state, *key).is_some();
        out.extend(keys().filter(is_leased).map(Action::LeaseEnds));
        if state.message(COPY).stage == Stage::NotSent {
            out.push(Action::SendAgain {
                is_reencoded: false,
            });
            // Where the digest does not depend on the bytes, it is the same message.
            if self.digest == Digest::Raw {
                out.push(Action::SendAgain { is_reencoded: true });
            }
        }
        if self.is_alone() && state.message(OTHER).stage == Stage::NotSent {
            out.push(Action::SendOther);
        }
        let next = |id: ConsumerId| self.next_step(&state.consumer(id).task?);
        for id in CONSUMERS {
            if next(id) == Some(Work::Ack) {
                out.push(Action::LoseAck(id));
            }
        }
        for id in CONSUMERS {
            if next(id) == Some(Work::Commit) && self.can_commit(state, id) {
                let ways = [
                    CommitFault::Failed,
                    CommitFault::UnknownDone,
                    CommitFault::UnknownLost,
                ];
                out.extend(ways.map(|how| Action::FailCommit { consumer: id, how }));
            }
        }
        let can_crash = |id: &ConsumerId| {
            let consumer = state.consumer(*id);
            consumer.life == Life::Up && (consumer.task.is_some() || consumer.thread.is_some())
        };
        out.extend(CONSUMERS.into_iter().filter(can_crash).map(Action::Crash));
        if self.retention == Retention::Short && keys().any(|key| self.can_expire(state, key)) {
            out.push(Action::ExpireReceipts);
        }
    }

    /// Messages that can be delivered, oldest first.
    fn ready(&self, state: &State) -> impl Iterator<Item = MessageId> {
        let messages = state.messages();
        let ready = messages.filter(|(_, message)| message.stage == Stage::Ready);
        ready.map(|(id, _)| id)
    }

    fn deliveries(&self, state: &State, message: MessageId, out: &mut Vec<Action>) {
        let is_free = |id: &ConsumerId| {
            let consumer = state.consumer(*id);
            consumer.life == Life::Up && consumer.task.is_none() && consumer.thread.is_none()
        };
        let free = CONSUMERS.into_iter().filter(is_free);
        out.extend(free.map(|consumer| Action::Deliver { message, consumer }));
    }

    fn can_commit(&self, state: &State, id: ConsumerId) -> bool {
        let task = state.consumer(id).task;
        let commits = task.is_some_and(|task| task.plan == Plan::Handler && !task.is_rollback_only);
        let conns = [main_conn(id), other_conn(id)];
        let open = Transaction::Open;
        commits && conns.iter().any(|conn| state.transaction(*conn) == open)
    }

    /// Whether a lease runs for this key.
    fn has_lease(&self, state: &State, key: Key) -> bool {
        let receipt = state.database.receipts[usize::from(key)].committed;
        let status = receipt.map(|receipt| receipt.status);
        let runs = matches!(
            status,
            Some(Status::InProgress {
                lease_is_over: false,
                ..
            })
        );
        runs && self.progress.has_lease()
    }

    /// The consumer that works under the newest lease of a key.
    pub(super) fn lessee(&self, state: &State, key: Key) -> Option<ConsumerId> {
        let receipt = state.database.receipts[usize::from(key)].committed?;
        let Status::InProgress { token: newest, .. } = receipt.status else {
            return None;
        };
        let holds = |id: &ConsumerId| {
            let task = state.consumer(*id).task;
            task.is_some_and(|task| self.key_of(state, &task) == Some(key) && task.token == newest)
        };
        CONSUMERS.into_iter().find(holds)
    }

    /// Whether a receipt can be deleted because it is old: nobody is at work on it.
    pub(super) fn can_expire(&self, state: &State, key: Key) -> bool {
        let receipts = &state.database.receipts[usize::from(key)];
        let is_done = receipts
            .committed
            .is_some_and(|receipt| receipt.status == Status::Done);
        is_done && receipts.staged.iter().all(Option::is_none)
    }

    pub(super) fn has_second_consumer(&self) -> bool {
        self.consumers == Consumers::Two
    }

    /// Whether the first event is the only one that is meant; where it is not, none comes that has
    /// its id by mistake.
    fn is_alone(&self) -> bool {
        matches!(self.traffic, Traffic::One | Traffic::Forbidden)
    }

    /// The events of this traffic, beside the one with other content.
    pub(super) fn events(&self) -> impl Iterator<Item = EventId> {
        0..(if self.is_alone() { 1 } else { OTHER_CONTENT })
    }

    /// Whether the broker has a message at the beginning.
    pub(super) fn is_sent_first(&self, message: MessageId) -> bool {
        let event = event_of(message);
        message != COPY && message != OTHER && self.events().any(|sent| sent == event)
    }
}

pub fn keys() -> impl Iterator<Item = Key> {
    0..KEYS_MAX as Key
}
