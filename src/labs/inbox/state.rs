//! The state: what the broker, each consumer and the database hold, and what really happened.

use super::database::{Applied, CONNS_MAX, Conn, Database, EVENTS_MAX, EventId, Row, Transaction};
use super::settings::Step;

/// How often the broker delivers a message before it may become a dead letter.
pub const DELIVERIES_MAX: u8 = 5;
/// How many copies of messages the broker holds: the first event twice, and two more.
pub const MESSAGES_MAX: usize = 4;
/// How much one event adds, in points.
pub const POINTS: i64 = 10;

/// Consumer A or B.
pub type ConsumerId = u8;
/// The place of a message at the broker.
pub type MessageId = u8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Durable, at the broker.
    pub messages: [Message; MESSAGES_MAX],
    /// Volatile.
    pub consumers: [Consumer; 2],
    /// Durable, but for what open transactions have written.
    pub database: Database,
    /// Outside: how often a third party did what each event asks for.
    pub calls: [u8; EVENTS_MAX],
    /// Outside: what the sender of each event was told.
    pub told: [Told; EVENTS_MAX],
    /// The version of the handler, counted from 0.
    pub version: u8,
}

/// One copy of an event at the broker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Message {
    pub stage: Stage,
    /// How often it was delivered.
    pub deliveries: u8,
    /// Whether it says the same in other bytes.
    pub is_reencoded: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    #[default]
    NotSent,
    Ready,
    /// Delivered to a consumer, and hidden from others until its visibility time-out.
    Hidden(ConsumerId),
    Acked,
    DeadLetter,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Told {
    #[default]
    Nothing,
    Done,
    /// The business refused it.
    Refused,
    /// The id was used for other content.
    Conflict,
    /// It failed.
    Failed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Consumer {
    pub life: Life,
    pub task: Option<Task>,
    /// A change that was handed to another thread.
    pub thread: Option<Job>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Life {
    #[default]
    NotStarted,
    Up,
    Down,
}

/// A message that a consumer is handling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    pub message: MessageId,
    pub plan: Plan,
    /// Which step comes next, by its place in the plan.
    pub next: u8,
    /// The change of the business row.
    pub job: Job,
    /// What it will tell the sender.
    pub tells: Told,
    /// The token of its lease.
    pub token: u8,
    /// The token of another's lease that is over, and that it is about to take over.
    pub takes_over: Option<u8>,
    pub is_rollback_only: bool,
}

/// A change of the business rows, statement by statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    pub event: EventId,
    /// How many statements are done.
    pub part: u8,
    /// What was read.
    pub read: Row,
}

/// Why a consumer does what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    Handler,
    /// The key is there: read its receipt in the same transaction.
    Read,
    /// The transaction has failed: end it, and read the receipt in a new one.
    ReadAnew,
    /// The commit may have happened or not: look for the receipt.
    LookUp,
    /// There is nothing to do: say what is known.
    Skip,
    /// End the transaction, and run the handler from the top.
    Again,
    /// Give the message back: it failed.
    GiveBack,
    /// Give the message back: somebody else is at work on it.
    BackOff,
}

/// One step of a consumer. The first seven are those that a person can put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    Begin,
    Look,
    Register,
    Change,
    Result,
    Commit,
    Ack,
    /// Read the receipt of a key that is there.
    Read,
    /// Roll back whatever is open.
    Close,
    GiveBack,
}

impl From<Step> for Work {
    fn from(step: Step) -> Work {
        match step {
            Step::Begin => Work::Begin,
            Step::Look => Work::Look,
            Step::Register => Work::Register,
            Step::Change => Work::Change,
            Step::Result => Work::Result,
            Step::Commit => Work::Commit,
            Step::Ack => Work::Ack,
        }
    }
}

impl Work {
    /// Whether the step stands inside the callback that the transaction is given.
    pub fn is_in_callback(self) -> bool {
        matches!(
            self,
            Work::Begin | Work::Look | Work::Register | Work::Change | Work::Result
        )
    }
}

impl From<Applied> for Told {
    fn from(applied: Applied) -> Told {
        match applied {
            Applied::Yes => Told::Done,
            Applied::Refused => Told::Refused,
        }
    }
}

impl Job {
    pub fn new(event: EventId) -> Job {
        Job {
            event,
            part: 0,
            read: Row::default(),
        }
    }
}

impl Task {
    pub fn new(message: MessageId) -> Task {
        Task {
            message,
            plan: Plan::Handler,
            next: 0,
            job: Job::new(event_of(message)),
            tells: Told::Done,
            token: 0,
            takes_over: None,
            is_rollback_only: false,
        }
    }

    pub fn event(&self) -> EventId {
        self.job.event
    }
}

/// Which event a message is a copy of: the first two are the first.
pub fn event_of(message: MessageId) -> EventId {
    message.saturating_sub(1)
}

/// The connection on which a consumer's transactions run.
pub fn main_conn(consumer: ConsumerId) -> Conn {
    3 * consumer
}

/// Its second connection.
pub fn other_conn(consumer: ConsumerId) -> Conn {
    3 * consumer + 1
}

/// The connection of its other thread.
pub fn thread_conn(consumer: ConsumerId) -> Conn {
    3 * consumer + 2
}

impl State {
    pub fn consumer(&self, id: ConsumerId) -> &Consumer {
        &self.consumers[usize::from(id)]
    }

    pub fn consumer_mut(&mut self, id: ConsumerId) -> &mut Consumer {
        &mut self.consumers[usize::from(id)]
    }

    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[usize::from(id)]
    }

    pub fn message_mut(&mut self, id: MessageId) -> &mut Message {
        &mut self.messages[usize::from(id)]
    }

    /// The messages at the broker, with their places.
    pub fn messages(&self) -> impl Iterator<Item = (MessageId, &Message)> {
        (0..).zip(&self.messages)
    }

    pub fn transaction(&self, conn: Conn) -> Transaction {
        self.database.connection(conn).transaction
    }

    /// Whether a consumer's statement waits for another transaction.
    pub fn is_blocked(&self, conn: Conn) -> bool {
        self.database.connection(conn).wait.is_some()
    }

    /// The consumer that is at work on a message.
    pub fn holder(&self, message: MessageId) -> Option<ConsumerId> {
        let holds = |id: &ConsumerId| {
            let task = self.consumer(*id).task;
            task.is_some_and(|task| task.message == message)
        };
        [0, 1].into_iter().find(holds)
    }

    /// Whether any transaction is open.
    pub fn has_open_transaction(&self) -> bool {
        (0..CONNS_MAX as Conn).any(|conn| self.transaction(conn) != Transaction::None)
    }
}
