//! What a person can choose: the order of the handler's steps, and one mechanism a setting.

use super::state::Work;
use crate::machine::{Setting, Settings, choices};

choices! {
    /// The steps of the handler. A crash can come between any two.
    Step {
        /// Open a transaction.
        Begin = "begin",
        /// Look whether there is a receipt.
        Look = "look",
        /// Insert the receipt.
        Register = "register",
        /// Change the business row.
        Change = "change",
        /// Store the result in the receipt.
        Result = "result",
        Commit = "commit",
        /// Tell the broker that the message is handled.
        Ack = "ack",
    }
}

choices! {
    /// Who handles messages.
    Consumers {
        Two = "two",
        One = "one",
    }
}

choices! {
    /// What comes, beside the first event.
    Traffic {
        /// Nothing.
        One = "one",
        /// A second event with the same content.
        SameContent = "same_content",
        /// The same event id, of another tenant.
        OtherTenant = "other_tenant",
        /// The same event, for another handler.
        OtherHandler = "other_handler",
        /// Another tenant's message that names the first tenant.
        Forged = "forged",
        /// The first event says "created", the second, newer one "updated".
        Versions = "versions",
        /// A second event that changes the same two rows in the opposite order.
        Crossed = "crossed",
        /// Nothing; but the first event asks for what a CHECK constraint forbids.
        Forbidden = "forbidden",
    }
}

choices! {
    /// How a consumer finds out that an event was handled.
    Receipt {
        /// INSERT … ON CONFLICT DO NOTHING.
        OnConflict = "on_conflict",
        /// INSERT, and an error where the key is there.
        UniqueKey = "unique_key",
        /// SELECT, then INSERT; the table has no unique key.
        Select = "select",
        /// INSERT … ON CONFLICT DO NOTHING and a SELECT in one statement.
        OneStatement = "one_statement",
    }
}

choices! {
    /// What makes two messages the same event.
    Scope {
        Tenant = "tenant_handler_event",
        Handler = "handler_event",
        Event = "event",
        /// Equal content.
        Content = "content",
        /// The whole key, and the version of the handler.
        Version = "with_version",
        /// An id made anew for every attempt.
        Attempt = "per_attempt",
    }
}

choices! {
    /// Where the tenant in the key comes from.
    Tenant {
        /// From whoever delivered the message.
        Context = "context",
        /// From a field of the message.
        Message = "message",
    }
}

choices! {
    /// Whether a known id must come with the same content.
    Digest {
        /// Compared in a form that does not depend on how it was written.
        Canonical = "canonical",
        /// Compared byte by byte.
        Raw = "raw",
        Ignored = "ignored",
    }
}

choices! {
    /// Whether receipt and business row are committed together.
    Place {
        OneTransaction = "one_transaction",
        /// The receipt is written on a connection of its own.
        OtherConnection = "other_connection",
        /// The business row is changed by another thread, on its own connection.
        OtherThread = "other_thread",
        /// The receipts are in another database.
        OtherDatabase = "other_database",
    }
}

choices! {
    /// How the business row is changed.
    Change {
        /// `+ delta`.
        Add = "add",
        /// Read, compute, write back if the version is still the one that was read.
        SetVersioned = "set_versioned",
        /// Read, compute, write back.
        Set = "set",
        /// Set the state that the event says, unless the row has a newer one.
        Newest = "newest",
        /// Set the state that the event says.
        Target = "target",
        /// Hold an amount of what is not held yet.
        ReserveOfAvailable = "reserve_of_available",
        /// Hold an amount of what is posted.
        ReserveOfPosted = "reserve_of_posted",
        /// Call a third party, with the event's key.
        CallWithKey = "call_with_key",
        /// Call a third party.
        Call = "call",
    }
}

choices! {
    /// What becomes of an exception inside the callback of the transaction.
    Exceptions {
        /// It leaves the callback: the transaction is rolled back.
        RolledBack = "rolled_back",
        /// It is caught, and the callback returns.
        Swallowed = "swallowed",
        /// The same, and the transaction was marked rollback-only before.
        RollbackOnly = "rollback_only",
    }
}

choices! {
    /// What a violated constraint is taken for.
    Violations {
        /// It is told which constraint it was, and a new transaction reads the receipt.
        Classified = "classified",
        /// A duplicate, whichever constraint it was.
        Duplicate = "duplicate",
        /// The receipt is read in the transaction that has just failed.
        SameTransaction = "same_transaction",
    }
}

choices! {
    /// What "0 rows inserted" is taken for.
    NoRow {
        /// Somebody owns the key: a new statement reads the receipt.
        Read = "read",
        /// A first use.
        Fresh = "fresh",
        /// An error.
        Absent = "absent",
    }
}

choices! {
    /// What a consumer does when it does not know whether its commit happened.
    UnknownCommit {
        /// Look for the receipt.
        LookUp = "look_up",
        /// Run the callback again.
        RunAgain = "run_again",
        /// Take it for committed.
        AssumeDone = "assume_done",
    }
}

choices! {
    /// Whether the receipt is committed before the work, as "in progress".
    Progress {
        /// It is committed with the work.
        None = "none",
        /// With a lease; only whoever holds the token of the last one can finish.
        LeaseFenced = "lease_fenced",
        /// With a lease; after it another may take over.
        Lease = "lease",
        /// Without an end.
        NoLease = "no_lease",
    }
}

choices! {
    /// What the broker does with a message that comes back again and again.
    Redelivery {
        /// It becomes a dead letter after [`DELIVERIES_MAX`](super::state::DELIVERIES_MAX) times.
        Bounded = "bounded",
        Endless = "endless",
    }
}

choices! {
    /// How long a receipt is kept.
    Retention {
        Kept = "kept",
        /// Deleted although the event can still come back.
        Short = "short",
    }
}

choices! {
    /// Whether a new version of the handler is deployed.
    Deploys {
        None = "none",
        Once = "once",
    }
}

choices! {
    /// In which order two rows are locked.
    Locks {
        /// Always the same.
        InOrder = "in_order",
        /// As the message names them.
        AsNamed = "as_named",
    }
}

impl Change {
    pub fn is_call(self) -> bool {
        matches!(self, Change::Call | Change::CallWithKey)
    }

    /// Whether the row is read in a statement of its own before it is written.
    pub fn reads_first(self) -> bool {
        matches!(self, Change::Set | Change::SetVersioned)
    }

    /// Whether an event says a state, rather than a difference.
    pub fn sets_state(self) -> bool {
        matches!(self, Change::Newest | Change::Target)
    }

    pub fn reserves(self) -> bool {
        matches!(self, Change::ReserveOfAvailable | Change::ReserveOfPosted)
    }
}

impl Progress {
    pub fn has_lease(self) -> bool {
        matches!(self, Progress::Lease | Progress::LeaseFenced)
    }
}

pub const SCHEMA: &[Setting] = &[
    Setting::handler(Step::IDS),
    Setting::given("traffic", Traffic::IDS),
    Setting::given("consumers", Consumers::IDS),
    Setting::chosen("receipt", Receipt::IDS),
    Setting::chosen("scope", Scope::IDS),
    Setting::chosen("tenant", Tenant::IDS),
    Setting::chosen("digest", Digest::IDS),
    Setting::chosen("place", Place::IDS),
    Setting::chosen("change", Change::IDS),
    Setting::chosen("exceptions", Exceptions::IDS),
    Setting::chosen("violations", Violations::IDS),
    Setting::chosen("no_row", NoRow::IDS),
    Setting::chosen("unknown_commit", UnknownCommit::IDS),
    Setting::chosen("progress", Progress::IDS),
    Setting::chosen("locks", Locks::IDS),
    Setting::chosen("retention", Retention::IDS),
    Setting::given("redelivery", Redelivery::IDS),
    Setting::given("deploys", Deploys::IDS),
];

/// The lab with its settings.
#[derive(Clone, Debug)]
pub struct Inbox {
    pub handler: Vec<Work>,
    pub traffic: Traffic,
    pub consumers: Consumers,
    pub receipt: Receipt,
    pub scope: Scope,
    pub tenant: Tenant,
    pub digest: Digest,
    pub place: Place,
    pub change: Change,
    pub exceptions: Exceptions,
    pub violations: Violations,
    pub no_row: NoRow,
    pub unknown_commit: UnknownCommit,
    pub progress: Progress,
    pub locks: Locks,
    pub retention: Retention,
    pub redelivery: Redelivery,
    pub deploys: Deploys,
}

impl Inbox {
    pub(super) fn from_settings(settings: &Settings) -> Inbox {
        let handler = settings.steps("handler", Step::ALL);
        Inbox {
            handler: handler.into_iter().map(Work::from).collect(),
            traffic: settings.choice("traffic", Traffic::ALL),
            consumers: settings.choice("consumers", Consumers::ALL),
            receipt: settings.choice("receipt", Receipt::ALL),
            scope: settings.choice("scope", Scope::ALL),
            tenant: settings.choice("tenant", Tenant::ALL),
            digest: settings.choice("digest", Digest::ALL),
            place: settings.choice("place", Place::ALL),
            change: settings.choice("change", Change::ALL),
            exceptions: settings.choice("exceptions", Exceptions::ALL),
            violations: settings.choice("violations", Violations::ALL),
            no_row: settings.choice("no_row", NoRow::ALL),
            unknown_commit: settings.choice("unknown_commit", UnknownCommit::ALL),
            progress: settings.choice("progress", Progress::ALL),
            locks: settings.choice("locks", Locks::ALL),
            retention: settings.choice("retention", Retention::ALL),
            redelivery: settings.choice("redelivery", Redelivery::ALL),
            deploys: settings.choice("deploys", Deploys::ALL),
        }
    }
}
