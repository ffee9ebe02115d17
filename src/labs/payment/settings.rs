//! What a person can choose: the order of the handler's steps, and one mechanism a setting.

use super::plan::{Plans, Work};
use crate::machine::{Setting, Settings, choices};

choices! {
    /// The steps of the handler. A crash can come between any two.
    Step {
        /// Look at the payment's status: what is done is not done again.
        Check = "check",
        /// Persist that the payment is requested.
        Intent = "intent",
        /// Let the executor call the gateway, and wait for the result.
        Call = "call",
        /// Persist the result.
        Outcome = "outcome",
        /// Answer the customer.
        Reply = "reply",
    }
}

choices! {
    /// Where the call to the gateway is made.
    CallIn {
        /// In a step of the handler.
        Step = "step",
        /// In the event handler of the intent: replaying the event calls again.
        EveryEvent = "every_event",
        /// In the event handler, and not while events are replayed.
        LiveEvents = "live_events",
        /// As before, with a boundary that is off by one: the last replayed event counts as live.
        LiveAndLast = "live_and_last",
    }
}

choices! {
    /// What the records can say about a payment.
    Statuses {
        /// Not requested, pending, completed, failed, unknown.
        Five = "five",
        /// Paid, or not.
        Bool = "bool",
    }
}

choices! {
    /// The idempotency key of a charge.
    KeyPolicy {
        /// `order:{id}:payment`: the same for every attempt.
        Stable = "stable",
        None = "none",
        PerAttempt = "per_attempt",
        /// Made from too little: another order has the same.
        Coarse = "coarse",
        /// The id of a row that is deleted when the call fails; the next attempt makes another.
        DeletedOnFailure = "deleted_on_failure",
    }
}

choices! {
    /// What the actor takes no answer and a 5xx for.
    Ambiguous {
        /// Unknown, to be resolved.
        Unknown = "unknown",
        /// Failed; the customer may pay anew.
        Failed = "failed",
        /// A reason to call again at once, without looking.
        Retry = "retry",
    }
}

choices! {
    /// What the actor takes "this key is in use" (409) for.
    InUse {
        /// The first request is still running: ask again later.
        Retry = "retry",
        Failed = "failed",
    }
}

choices! {
    /// What the actor takes a refusal for.
    Refusals {
        /// Not final until the gateway has confirmed it.
        Confirm = "confirm",
        Final = "final",
    }
}

choices! {
    /// How long the actor goes on with a payment whose outcome is unknown.
    Retries {
        /// [`ROUNDS_MAX`](super::state::ROUNDS_MAX) times; then a person is needed.
        Bounded = "bounded",
        Endless = "endless",
    }
}

choices! {
    /// What becomes of an open payment that nobody works on: after a crash, or when its outcome is
    /// unknown.
    Recovery {
        /// Look it up; if that does not help, call again with the same key.
        Resolve = "resolve",
        /// Start the handler from the top.
        Restart = "restart",
        Nothing = "nothing",
    }
}

choices! {
    /// Where the outcome is recorded.
    Record {
        /// In an event of the journal.
        Event = "event",
        /// In a flag in memory that only a snapshot saves.
        Flag = "flag",
    }
}

choices! {
    /// When a snapshot of the actor's state is saved.
    Snapshots {
        None = "none",
        /// After every event.
        Current = "current",
        /// After the first event, and never again.
        Stale = "stale",
    }
}

choices! {
    /// The rules of the gateway.
    Gateway {
        /// Stores the first answer of a key, also a 500, and repeats it; finds payments by order.
        FirstAnswer = "first_answer",
        /// Wants a key: 400 without, 409 while the first request runs, 422 for other content.
        Ietf = "ietf",
        /// No keys, but finds payments by the merchant's order id.
        LookUp = "look_up",
        /// Neither keys nor look-up.
        Neither = "neither",
        /// Home-made: a row with a unique key is inserted before the charge.
        OperationsTable = "operations_table",
        /// Home-made: selects the row, charges, then inserts it.
        SelectInsert = "select_insert",
    }
}

choices! {
    /// Whether a key is used after the gateway's published retention.
    OldKey {
        NotUsed = "not_used",
        Used = "used",
    }
}

choices! {
    /// Whether the intent is visible to others while the gateway is called.
    Guard {
        Committed = "committed",
        /// Written in a transaction that stays open until the outcome is written.
        OpenTransaction = "open_transaction",
    }
}

choices! {
    /// By how many paths the order to pay arrives.
    Paths {
        /// From the customer's browser, at the one actor of this order.
        One = "one",
        /// By redirect at one web node and by webhook at another; both load what they need from
        /// the journal.
        TwoNodes = "two_nodes",
    }
}

choices! {
    /// What the journal checks when an event is appended.
    Append {
        /// That nothing was appended since the writer last looked.
        ExpectedVersion = "expected_version",
        /// The same, but an expected version of zero means "any".
        ZeroIsAny = "zero_is_any",
        Unchecked = "unchecked",
    }
}

choices! {
    /// Whether a later event can take back that a payment is completed.
    Completion {
        Kept = "kept",
        Overwritten = "overwritten",
    }
}

choices! {
    /// Whether another order pays at the same gateway.
    Orders {
        One = "one",
        Two = "two",
    }
}

choices! {
    /// Whether the customer can cancel, and by which way the cancel comes.
    Cancel {
        Never = "never",
        /// From the same sender as the order to pay: it cannot overtake it.
        SameSender = "same_sender",
        /// From another sender: no order between the two is promised.
        OtherSender = "other_sender",
    }
}

choices! {
    /// What becomes of a cancel that finds nothing to cancel.
    EarlyCancel {
        /// It is recorded, and a later order to pay is refused.
        Remembered = "remembered",
        Forgotten = "forgotten",
    }
}

choices! {
    /// How a refund is requested.
    Refund {
        /// With an operation id of its own, the same for every attempt.
        OwnId = "own_id",
        /// With a new id for every attempt.
        NewId = "new_id",
    }
}

choices! {
    /// Whether a person settles by the gateway's statement what no step settles.
    Person {
        Absent = "absent",
        Reconciles = "reconciles",
    }
}

impl Gateway {
    pub fn takes_keys(self) -> bool {
        !matches!(self, Gateway::LookUp | Gateway::Neither)
    }

    pub fn finds_payments(self) -> bool {
        !matches!(self, Gateway::Ietf | Gateway::Neither)
    }

    /// Whether other content under a used key is recognised.
    pub fn compares_content(self) -> bool {
        matches!(self, Gateway::FirstAnswer | Gateway::Ietf)
    }

    /// Whether a person who reads this could have written it: its steps are not atomic.
    pub fn is_home_made(self) -> bool {
        matches!(self, Gateway::OperationsTable | Gateway::SelectInsert)
    }
}

pub const SCHEMA: &[Setting] = &[
    Setting::handler(Step::IDS),
    Setting::given("gateway", Gateway::IDS),
    Setting::chosen("key", KeyPolicy::IDS),
    Setting::chosen("ambiguous", Ambiguous::IDS),
    Setting::chosen("recovery", Recovery::IDS),
    Setting::chosen("status", Statuses::IDS),
    Setting::chosen("call_in", CallIn::IDS),
    Setting::chosen("retries", Retries::IDS),
    Setting::chosen("in_use", InUse::IDS),
    Setting::chosen("refusals", Refusals::IDS),
    Setting::chosen("old_key", OldKey::IDS),
    Setting::chosen("record", Record::IDS),
    Setting::chosen("snapshots", Snapshots::IDS),
    Setting::chosen("guard", Guard::IDS),
    Setting::given("paths", Paths::IDS),
    Setting::chosen("append", Append::IDS),
    Setting::chosen("completion", Completion::IDS),
    Setting::given("orders", Orders::IDS),
    Setting::given("cancel", Cancel::IDS),
    Setting::chosen("early_cancel", EarlyCancel::IDS),
    Setting::chosen("refund", Refund::IDS),
    Setting::chosen("person", Person::IDS),
];

/// The lab with its settings.
#[derive(Clone, Debug)]
pub struct Payment {
    pub plans: Plans,
    pub gateway: Gateway,
    pub key: KeyPolicy,
    pub ambiguous: Ambiguous,
    pub recovery: Recovery,
    pub status: Statuses,
    pub call_in: CallIn,
    pub retries: Retries,
    pub in_use: InUse,
    pub refusals: Refusals,
    pub old_key: OldKey,
    pub record: Record,
    pub snapshots: Snapshots,
    pub guard: Guard,
    pub paths: Paths,
    pub append: Append,
    pub completion: Completion,
    pub orders: Orders,
    pub cancel: Cancel,
    pub early_cancel: EarlyCancel,
    pub refund: Refund,
    pub person: Person,
}

impl Payment {
    pub(super) fn from_settings(settings: &Settings) -> Payment {
        let handler = settings.steps("handler", Step::ALL);
        let handler: Vec<_> = handler.into_iter().map(Work::from).collect();
        Payment {
            plans: Plans::new(&handler),
            gateway: settings.choice("gateway", Gateway::ALL),
            key: settings.choice("key", KeyPolicy::ALL),
            ambiguous: settings.choice("ambiguous", Ambiguous::ALL),
            recovery: settings.choice("recovery", Recovery::ALL),
            status: settings.choice("status", Statuses::ALL),
            call_in: settings.choice("call_in", CallIn::ALL),
            retries: settings.choice("retries", Retries::ALL),
            in_use: settings.choice("in_use", InUse::ALL),
            refusals: settings.choice("refusals", Refusals::ALL),
            old_key: settings.choice("old_key", OldKey::ALL),
            record: settings.choice("record", Record::ALL),
            snapshots: settings.choice("snapshots", Snapshots::ALL),
            guard: settings.choice("guard", Guard::ALL),
            paths: settings.choice("paths", Paths::ALL),
            append: settings.choice("append", Append::ALL),
            completion: settings.choice("completion", Completion::ALL),
            orders: settings.choice("orders", Orders::ALL),
            cancel: settings.choice("cancel", Cancel::ALL),
            early_cancel: settings.choice("early_cancel", EarlyCancel::ALL),
            refund: settings.choice("refund", Refund::ALL),
            person: settings.choice("person", Person::ALL),
        }
    }
}
