//! What the events are, and when two messages are taken for the same one.

use super::database::{
    Change as RowChange, EventId, Key, Receipt, Row, RowId, Statement, Status, TIMES_MAX,
};
use super::settings::{Change, Digest, Inbox, Locks, Progress, Scope, Tenant, Traffic};
use super::state::{Job, Message, State};

/// An event as its message says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event {
    tenant: u8,
    handler: u8,
    id: u8,
    content: u8,
}

/// The event that comes with an id that was used for other content.
pub const OTHER_CONTENT: EventId = 2;
/// The key of the first event for a new version of the handler.
const KEY_OF_VERSION: Key = 3;
/// How the digest of the same content in other bytes differs, where bytes are compared.
const REENCODED: u8 = 8;

impl Inbox {
    fn event(&self, event: EventId) -> Event {
        let first = Event {
            tenant: 1,
            handler: 1,
            id: 1,
            content: 1,
        };
        match (event, self.traffic) {
            (OTHER_CONTENT, _) => Event {
                content: 3,
                ..first
            },
            (1, Traffic::OtherTenant) => Event { tenant: 2, ..first },
            (1, Traffic::OtherHandler) => Event {
                handler: 2,
                ..first
            },
            (1, Traffic::Forged) => Event {
                tenant: match self.tenant {
                    Tenant::Context => 2,
                    Tenant::Message => 1,
                },
                ..first
            },
            (1, Traffic::SameContent) => Event { id: 2, ..first },
            (1, Traffic::Versions | Traffic::Crossed) => Event {
                id: 2,
                content: 2,
                ..first
            },
            _ => first,
        }
    }

    /// The key of the event's receipt; `None` where every attempt makes a new one.
    pub(super) fn key(&self, state: &State, event: EventId) -> Option<Key> {
        let seen = |event: Event| match self.scope {
            Scope::Tenant | Scope::Version | Scope::Attempt => {
                (event.tenant, event.handler, event.id)
            }
            Scope::Handler => (0, event.handler, event.id),
            Scope::Event => (0, 0, event.id),
            Scope::Content => (0, 0, event.content),
        };
        let same = (0..event).find(|other| seen(self.event(*other)) == seen(self.event(event)));
        let key = same.unwrap_or(event);
        match self.scope {
            Scope::Attempt => None,
            Scope::Version if key == 0 && state.version > 0 => Some(KEY_OF_VERSION),
            _ => Some(key),
        }
    }

    /// The business row that an event changes.
    pub(super) fn row(&self, event: EventId) -> RowId {
        let (first, own) = (self.event(0), self.event(event));
        ((own.tenant, own.handler) != (first.tenant, first.handler)).into()
    }

    fn digest(&self, message: &Message, event: EventId) -> u8 {
        let is_other = self.digest == Digest::Raw && message.is_reencoded;
        self.event(event).content + if is_other { REENCODED } else { 0 }
    }

    /// Whether a receipt was written for the content of this message, as far as that is compared.
    pub(super) fn is_same_content(
        &self,
        receipt: &Receipt,
        message: &Message,
        event: EventId,
    ) -> bool {
        self.digest == Digest::Ignored || receipt.digest == self.digest(message, event)
    }

    /// The receipt that a consumer inserts.
    pub(super) fn new_receipt(&self, state: &State, message: &Message, event: EventId) -> Receipt {
        Receipt {
            status: match self.progress {
                Progress::None => Status::Done,
                _ => Status::InProgress {
                    token: 1,
                    lease_is_over: false,
                },
            },
            digest: self.digest(message, event),
            version: state.version,
            result: None,
        }
    }

    /// The rows that an event changes, in the order in which they are locked.
    fn rows(&self, event: EventId) -> ([RowId; 2], usize) {
        match (self.traffic, event, self.locks) {
            (Traffic::Crossed, 1, Locks::AsNamed) => ([1, 0], 2),
            (Traffic::Crossed, _, _) => ([0, 1], 2),
            _ => ([self.row(event); 2], 1),
        }
    }

    /// The next statement of a change; `None` after the last.
    pub(super) fn change_statement(&self, job: &Job) -> Option<Statement> {
        let event = job.event;
        let parts = if self.change.reads_first() { 2 } else { 1 };
        let (rows, count) = self.rows(event);
        let row = *rows[..count].get(usize::from(job.part / parts))?;
        let reads = self.change.reads_first() && job.part.is_multiple_of(parts);
        let change = match self.change {
            Change::Call | Change::CallWithKey => return None,
            _ if self.traffic == Traffic::Forbidden => RowChange::Forbidden,
            _ if reads => return Some(Statement::FindRow(row)),
            Change::Add => RowChange::Add(event),
            Change::Set => RowChange::Set(with(job)),
            Change::SetVersioned => RowChange::SetVersioned(with(job)),
            Change::Target => RowChange::Target(event, event + 1),
            Change::Newest => RowChange::Newest(event, event + 1),
            Change::ReserveOfAvailable => RowChange::ReserveOfAvailable(event),
            Change::ReserveOfPosted => RowChange::ReserveOfPosted(event),
        };
        Some(Statement::Change(row, change))
    }
}

/// What was read, and the event's own change on top.
fn with(job: &Job) -> Row {
    let mut written = job.read;
    let times = &mut written.contained[usize::from(job.event)];
    *times = (*times + 1).min(TIMES_MAX);
    written
}
