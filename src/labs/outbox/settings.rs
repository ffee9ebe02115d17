//! What a person can choose: the order of the handler's steps, and one mechanism a setting.

use crate::machine::{Setting, Settings, choices};

choices! {
    /// The steps of the service's handler. A crash can come between any two.
    Step {
        /// Begin a transaction. What is written outside of one is committed at once.
        Begin = "begin",
        /// Write the business row. A row that is there already ends the work: the order was taken.
        Order = "order",
        /// Write the outbox row, under a number from the database's sequence.
        Outbox = "outbox",
        Commit = "commit",
        /// Send the message at once, without an outbox, and wait until it is accepted.
        Send = "send",
        /// Tell the customer that the order is accepted.
        Reply = "reply",
    }
}

choices! {
    /// How many orders there are. Only with two can numbers commit in another order than they were
    /// taken in.
    Orders {
        One = "one",
        Two = "two",
    }
}

choices! {
    /// Who takes the message, and by which rules.
    Provider {
        /// A broker that delivers at least once to a receiver of our own.
        Broker = "broker",
        /// A mail provider that recognises a message id for a limited time.
        Recognises = "recognises",
        /// A mail provider that can be asked by message id what became of it, and recognises none.
        LookUp = "look_up",
        /// A mail provider that offers neither.
        Neither = "neither",
    }
}

choices! {
    /// The id by which a message is recognised.
    MessageId {
        /// `order:{id}:confirmation-email`, the same for every attempt.
        Stable = "stable",
        PerAttempt = "per_attempt",
    }
}

choices! {
    /// In which order the dispatcher sends a message and records that it is sent.
    Sequence {
        SendFirst = "send_first",
        MarkFirst = "mark_first",
    }
}

choices! {
    Dispatchers {
        One = "one",
        Two = "two",
    }
}

choices! {
    /// How a dispatcher makes sure that no other works on the same row.
    Claim {
        /// Not at all.
        None = "none",
        /// A conditional update that holds for a limited time.
        Lease = "lease",
        /// `FOR UPDATE SKIP LOCKED`: a row lock that ends with the dispatcher's transaction.
        SkipLocked = "skip_locked",
        /// A conditional update that nobody ever takes back.
        ForEver = "for_ever",
    }
}

choices! {
    /// Whether a dispatcher may mark a row that another has claimed since.
    Fence {
        /// The mark asks for the own claim.
        OwnClaim = "own_claim",
        Any = "any",
    }
}

choices! {
    /// How a dispatcher finds what is left to send.
    Polling {
        /// A status in each row.
        Status = "status",
        /// A status of the whole context that one handler wrote.
        Context = "context",
        /// A cursor: everything up to the highest number seen counts as sent.
        HighestId = "highest_id",
        /// A cursor that stops below the numbers of transactions that still run.
        OldestRunning = "oldest_running",
        /// A cursor that waits at a gap, longer than the database lets a transaction live.
        GapLimit = "gap_limit",
        /// A cursor that waits at a gap, but not as long as a transaction may take.
        GapShort = "gap_short",
        /// A cursor that waits at a gap until it is filled.
        GapForEver = "gap_for_ever",
    }
}

choices! {
    /// What a dispatcher does when it does not know whether a message was sent.
    Unknown {
        Again = "again",
        /// Leave it to a person.
        Person = "person",
        /// Ask the provider. What is not found is left to a person.
        LookUp = "look_up",
        /// Ask the provider. What is not found is sent again.
        LookUpAgain = "look_up_again",
        /// Give up: take it for sent.
        Sent = "sent",
    }
}

choices! {
    /// What a dispatcher does when the provider says no.
    Refusal {
        Again = "again",
        /// It was the last attempt: put the row on the error queue.
        ErrorQueue = "error_queue",
    }
}

choices! {
    /// Whether a dispatcher sends again what may have been sent longer ago than ids are remembered.
    Late {
        Person = "person",
        Sent = "sent",
    }
}

choices! {
    /// By what our receiver recognises a message that it has handled.
    Inbox {
        /// A unique message id, written in one transaction with the effect.
        Table = "table",
        /// A set of ids in memory.
        Memory = "memory",
        None = "none",
        /// A unique key of the business: one mail for each order, for as long as the order is there.
        BusinessKey = "business_key",
    }
}

choices! {
    /// How long records are kept of what was handled: message ids at our receiver, sent rows in the
    /// outbox.
    Retention {
        /// Longer than anything can come again, a person's retry included.
        Covers = "covers",
        Short = "short",
    }
}

choices! {
    /// Which outbox rows are deleted after a while.
    CleanUp {
        Sent = "sent",
        /// Those that were never sent as well.
        All = "all",
    }
}

choices! {
    /// By what the service recognises an order that it has taken already.
    Repeat {
        /// The unique key of the order's row.
        OrderKey = "order_key",
        /// The outbox row, which is looked for before anything is done: the record of what was handled.
        OutboxRow = "outbox_row",
    }
}

choices! {
    /// What becomes of a row that no step settles.
    Person {
        Absent = "absent",
        /// A person presses "retry".
        Retries = "retries",
        /// A person looks at the other side first, and retries what is not there.
        Checks = "checks",
    }
}

impl Polling {
    /// Whether what is sent is known by one number for all rows, instead of a status.
    pub fn is_cursor(self) -> bool {
        !matches!(self, Polling::Status | Polling::Context)
    }
}

impl Provider {
    /// Whether the provider itself sends the mail.
    pub fn mails(self) -> bool {
        self != Provider::Broker
    }
}

pub const SCHEMA: &[Setting] = &[
    Setting::handler(Step::IDS),
    Setting::given("orders", Orders::IDS),
    Setting::given("provider", Provider::IDS),
    Setting::given("dispatchers", Dispatchers::IDS),
    Setting::chosen("message_id", MessageId::IDS),
    Setting::chosen("sequence", Sequence::IDS),
    Setting::chosen("claim", Claim::IDS),
    Setting::chosen("fence", Fence::IDS),
    Setting::chosen("polling", Polling::IDS),
    Setting::chosen("unknown", Unknown::IDS),
    Setting::chosen("refusal", Refusal::IDS),
    Setting::chosen("late", Late::IDS),
    Setting::chosen("inbox", Inbox::IDS),
    Setting::chosen("retention", Retention::IDS),
    Setting::chosen("clean_up", CleanUp::IDS),
    Setting::chosen("repeat", Repeat::IDS),
    Setting::chosen("person", Person::IDS),
];

/// The lab with its settings.
#[derive(Clone, Debug)]
pub struct Outbox {
    pub handler: Vec<Step>,
    pub orders: Orders,
    pub provider: Provider,
    pub dispatchers: Dispatchers,
    pub message_id: MessageId,
    pub sequence: Sequence,
    pub claim: Claim,
    pub fence: Fence,
    pub polling: Polling,
    pub unknown: Unknown,
    pub refusal: Refusal,
    pub late: Late,
    pub inbox: Inbox,
    pub retention: Retention,
    pub clean_up: CleanUp,
    pub repeat: Repeat,
    pub person: Person,
}

impl Outbox {
    pub(super) fn from_settings(settings: &Settings) -> Outbox {
        Outbox {
            handler: settings.steps("handler", Step::ALL),
            orders: settings.choice("orders", Orders::ALL),
            provider: settings.choice("provider", Provider::ALL),
            dispatchers: settings.choice("dispatchers", Dispatchers::ALL),
            message_id: settings.choice("message_id", MessageId::ALL),
            sequence: settings.choice("sequence", Sequence::ALL),
            claim: settings.choice("claim", Claim::ALL),
            fence: settings.choice("fence", Fence::ALL),
            polling: settings.choice("polling", Polling::ALL),
            unknown: settings.choice("unknown", Unknown::ALL),
            refusal: settings.choice("refusal", Refusal::ALL),
            late: settings.choice("late", Late::ALL),
            inbox: settings.choice("inbox", Inbox::ALL),
            retention: settings.choice("retention", Retention::ALL),
            clean_up: settings.choice("clean_up", CleanUp::ALL),
            repeat: settings.choice("repeat", Repeat::ALL),
            person: settings.choice("person", Person::ALL),
        }
    }
}
