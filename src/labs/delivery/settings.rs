//! What a person can choose: the order of the receiver's steps, and one mechanism a setting.

use crate::machine::{Setting, Settings, choices};

choices! {
    /// The receiver's steps for a message. A crash can come between any two.
    Step {
        /// Look the id up: what is known is acknowledged and not applied again.
        LookUp = "look_up",
        /// Apply the effect, in memory.
        Apply = "apply",
        /// Remember the id.
        Remember = "remember",
        /// Write to the store what is only in memory.
        Persist = "persist",
        /// Tell the sender that it is done.
        Ack = "ack",
    }
}

choices! {
    /// What the sender does for a message, and when it holds it for done.
    Guarantee {
        /// It sends until it hears an acknowledgement.
        AtLeastOnce = "at_least_once",
        /// It sends once, and does not claim to know what became of it.
        AtMostOnce = "at_most_once",
        /// It sends once, and holds what is sent for done.
        SentIsDone = "sent_is_done",
    }
}

choices! {
    /// What a crash of the sender leaves of what it knows.
    Keep {
        /// Numbers and unconfirmed messages are in a journal.
        Persisted = "persisted",
        /// Everything is forgotten, and the numbers start at 1 again.
        Volatile = "volatile",
        /// Everything is forgotten but the epoch: the numbers start again, in the next one.
        Epoch = "epoch",
    }
}

choices! {
    /// The id by which the receiver recognises a message.
    IdPolicy {
        /// The sender's number, drawn once with the intent and kept for every attempt.
        Kept = "kept",
        /// A new one for every attempt.
        PerAttempt = "per_attempt",
        /// Always the same: the field is never filled.
        Zero = "zero",
        /// Made from the time bucket of the intent: two intents share one.
        Bucket = "bucket",
    }
}

choices! {
    /// Where the receiver remembers ids.
    Memory {
        /// Staged, and written together with the effect.
        WithEffect = "with_effect",
        /// In the store at once, by a write of its own.
        OwnWrite = "own_write",
        Volatile = "volatile",
        None = "none",
    }
}

choices! {
    /// How long an id is remembered.
    Retention {
        ForEver = "for_ever",
        /// Until no copy of any message can come any more.
        Covering = "covering",
        /// For a window that begins when the id is first seen.
        Fixed = "fixed",
        /// For a window that begins anew whenever the id is seen.
        Sliding = "sliding",
    }
}

choices! {
    /// Whether an id is still known at the very end of its window.
    Border {
        Forgotten = "forgotten",
        Known = "known",
    }
}

choices! {
    /// What decides whether an id is known.
    Judge {
        /// A table of ids.
        Exact = "exact",
        /// A Bloom filter that may say "surely new", and the table for the rest.
        BloomFront = "bloom_front",
        /// A Bloom filter alone.
        BloomOnly = "bloom_only",
    }
}

choices! {
    /// Whether a broker discards what it takes for a duplicate when it is published.
    Filter {
        None = "none",
        AtPublish = "at_publish",
    }
}

choices! {
    /// The id by which the broker recognises what is published.
    TransportId {
        /// A new one for every send; the operation's id stays in the payload.
        PerSend = "per_send",
        /// The operation's id.
        Reused = "reused",
    }
}

choices! {
    /// How often the sender sends by itself.
    Attempts {
        /// Until it is confirmed.
        Endless = "endless",
        /// Once more than it has already failed: the last attempt, and then the dead letters.
        Last = "last",
    }
}

choices! {
    /// What becomes of dead letters.
    Operator {
        Absent = "absent",
        /// Somebody sends them again, as they are.
        SameId = "same_id",
        /// Somebody sends their content again, under a new id.
        NewId = "new_id",
    }
}

choices! {
    /// How many intents there are.
    Messages {
        One = "one",
        Two = "two",
        Three = "three",
    }
}

choices! {
    /// Whether messages between the same two participants keep their order.
    Network {
        InOrder = "in_order",
        AnyOrder = "any_order",
    }
}

choices! {
    /// By which way messages go.
    Route {
        Direct = "direct",
        /// The second goes by way of a relay.
        Relayed = "relayed",
    }
}

choices! {
    /// What a message means.
    Meaning {
        /// Something to be done, by itself.
        Effect = "effect",
        /// The newest state of something: it replaces the older ones.
        State = "state",
    }
}

choices! {
    /// What the receiver does about the order of messages.
    Order {
        AsItComes = "as_it_comes",
        /// A state that is older than the one it has is passed over.
        Newest = "newest",
        /// What comes before its turn is not taken, and not acknowledged.
        InSequence = "in_sequence",
    }
}

pub const SCHEMA: &[Setting] = &[
    Setting::handler(Step::IDS),
    Setting::chosen("guarantee", Guarantee::IDS),
    Setting::chosen("sender", Keep::IDS),
    Setting::chosen("id", IdPolicy::IDS),
    Setting::chosen("memory", Memory::IDS),
    Setting::chosen("retention", Retention::IDS),
    Setting::chosen("border", Border::IDS),
    Setting::chosen("judge", Judge::IDS),
    Setting::given("filter", Filter::IDS),
    Setting::chosen("transport_id", TransportId::IDS),
    Setting::given("attempts", Attempts::IDS),
    Setting::chosen("operator", Operator::IDS),
    Setting::given("messages", Messages::IDS),
    Setting::given("network", Network::IDS),
    Setting::given("route", Route::IDS),
    Setting::given("meaning", Meaning::IDS),
    Setting::chosen("order", Order::IDS),
];

/// The lab with its settings.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub handler: Vec<Step>,
    pub guarantee: Guarantee,
    pub sender: Keep,
    pub id: IdPolicy,
    pub memory: Memory,
    pub retention: Retention,
    pub border: Border,
    pub judge: Judge,
    pub filter: Filter,
    pub transport_id: TransportId,
    pub attempts: Attempts,
    pub operator: Operator,
    /// How many intents there are.
    pub messages: u8,
    pub network: Network,
    pub route: Route,
    pub meaning: Meaning,
    pub order: Order,
}

impl Delivery {
    pub(super) fn from_settings(settings: &Settings) -> Delivery {
        Delivery {
            handler: settings.steps("handler", Step::ALL),
            guarantee: settings.choice("guarantee", Guarantee::ALL),
            sender: settings.choice("sender", Keep::ALL),
            id: settings.choice("id", IdPolicy::ALL),
            memory: settings.choice("memory", Memory::ALL),
            retention: settings.choice("retention", Retention::ALL),
            border: settings.choice("border", Border::ALL),
            judge: settings.choice("judge", Judge::ALL),
            filter: settings.choice("filter", Filter::ALL),
            transport_id: settings.choice("transport_id", TransportId::ALL),
            attempts: settings.choice("attempts", Attempts::ALL),
            operator: settings.choice("operator", Operator::ALL),
            messages: 1 + settings.choice("messages", Messages::ALL) as u8,
            network: settings.choice("network", Network::ALL),
            route: settings.choice("route", Route::ALL),
            meaning: settings.choice("meaning", Meaning::ALL),
            order: settings.choice("order", Order::ALL),
        }
    }
}
