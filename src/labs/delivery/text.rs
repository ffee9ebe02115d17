//! Every sentence that the lab says. The words are in `locales/`.

crate::machine::texts! {
    LANE_SENDER = "delivery.lane.sender";
    LANE_JOURNAL = "delivery.lane.journal";
    LANE_RELAY = "delivery.lane.relay";
    LANE_BROKER = "delivery.lane.broker";
    LANE_RECEIVER = "delivery.lane.receiver";
    LANE_STORE = "delivery.lane.store";

    NUMBER = "delivery.number" (1);
    NOTHING = "delivery.nothing";
    /// What another sentence says, alone.
    AS_IT_IS = "delivery.as_it_is" (1);
    /// A list: what comes before, one more.
    LIST = "delivery.list" (2);
    /// The same, where there is little room.
    BESIDE = "delivery.beside" (2);
    MESSAGE = "delivery.message" (1);
    /// A number of a later epoch: the epoch, the place in it.
    EPOCH = "delivery.epoch" (2);
    NUMBER_OF = "delivery.number_of" (1);
    ID = "delivery.id" (1);
    /// The id of what an operator sends again.
    ID_OPERATOR = "delivery.id_operator" (1);
    /// A remembered id, and how many ticks ago.
    ID_AGED = "delivery.id_aged" (2);
    /// A message on its way: what, under which id.
    SENT = "delivery.sent" (2);
    ACK = "delivery.ack" (1);
    PUBLISH = "delivery.publish" (1);
    EFFECT_OF = "delivery.effect_of";
    IDS = "delivery.ids";

    /// A new intent: what, under which number.
    EFFECT_INTENT = "delivery.effect.intent" (2);
    EFFECT_CONFIRMED = "delivery.effect.confirmed" (1);
    EFFECT_NOT_AWAITED = "delivery.effect.not_awaited" (1);
    EFFECT_HELD_DONE = "delivery.effect.held_done" (1);
    EFFECT_DEAD = "delivery.effect.dead" (1);
    EFFECT_OPERATOR = "delivery.effect.operator" (1);
    /// How many are unconfirmed.
    EFFECT_RECOVERED = "delivery.effect.recovered" (1);
    EFFECT_STARTS_AT_ONE = "delivery.effect.starts_at_one";
    EFFECT_NEW_EPOCH = "delivery.effect.new_epoch" (1);
    EFFECT_DISCARDED = "delivery.effect.discarded";
    EFFECT_WINDOW_ENDS = "delivery.effect.window_ends";
    EFFECT_NEW = "delivery.effect.new" (1);
    EFFECT_KNOWN = "delivery.effect.known" (1);
    EFFECT_PERHAPS_KNOWN = "delivery.effect.perhaps_known" (1);
    EFFECT_NEW_AFTER_ALL = "delivery.effect.new_after_all" (1);
    EFFECT_EARLY = "delivery.effect.early" (1);
    EFFECT_APPLIED = "delivery.effect.applied" (1);
    EFFECT_SET = "delivery.effect.set" (1);
    EFFECT_OLDER = "delivery.effect.older" (1);
    EFFECT_REMEMBERED = "delivery.effect.remembered" (1);
    EFFECT_WRITES = "delivery.effect.writes" (1);
    EFFECT_WRITES_BOTH = "delivery.effect.writes_both" (2);
    EFFECT_TICK = "delivery.effect.tick";
    EFFECT_EXPIRED = "delivery.effect.expired";

    /// An action: what, who.
    ACTION_STEP = "delivery.action.step" (2);
    ACTION_RECOVER = "delivery.action.recover" (1);
    ACTION_RESTART = "delivery.action.restart" (1);
    ACTION_FORWARD = "delivery.action.forward" (1);
    /// A message arrives: what, where.
    ACTION_DELIVER = "delivery.action.deliver" (2);
    ACTION_OVERTAKE = "delivery.action.overtake" (2);
    ACTION_SEND = "delivery.action.send" (1);
    ACTION_INTEND = "delivery.action.intend" (1);
    ACTION_REDELIVER = "delivery.action.redeliver" (1);
    ACTION_REDELIVER_EARLY = "delivery.action.redeliver_early" (1);
    ACTION_GIVE_UP = "delivery.action.give_up" (1);
    ACTION_GIVE_UP_EARLY = "delivery.action.give_up_early" (1);
    ACTION_RETRY = "delivery.action.retry" (1);
    ACTION_TICK = "delivery.action.tick";
    ACTION_EXPIRE = "delivery.action.expire";
    /// A message is lost, or copied: what, on the way to whom.
    ACTION_LOSE = "delivery.action.lose" (2);
    ACTION_DUPLICATE = "delivery.action.duplicate" (2);
    ACTION_CRASH = "delivery.action.crash" (1);
    ACTION_END_WINDOW = "delivery.action.end_window";

    STEP_LOOK_UP = "delivery.step.look_up";
    STEP_APPLY = "delivery.step.apply";
    STEP_REMEMBER = "delivery.step.remember";
    STEP_PERSIST = "delivery.step.persist";
    STEP_ACK = "delivery.step.ack";

    /// How often a message took effect.
    TIMES = "delivery.times" (2);
    /// How many the sender waits for; and how many are dead letters.
    BELIEF_OPEN = "delivery.belief.open" (1);
    BELIEF_OPEN_DEAD = "delivery.belief.open_dead" (2);

    REASON_DUPLICATED = "delivery.reason.duplicated" (2);
    REASON_LOST = "delivery.reason.lost" (1);
    REASON_OUTDATED = "delivery.reason.outdated" (1);
    REASON_DEAD = "delivery.reason.dead";
    REASON_FORGOTTEN = "delivery.reason.forgotten";
    REASON_DONE = "delivery.reason.done";
    REASON_DONE_UNHEARD = "delivery.reason.done_unheard";
    REASON_NOTHING_YET = "delivery.reason.nothing_yet";
    REASON_OPEN = "delivery.reason.open" (1);
    REASON_SO_FAR = "delivery.reason.so_far";

    ENTRY_UNCONFIRMED = "delivery.entry.unconfirmed";
    ENTRY_TO_SEND = "delivery.entry.to_send";
    ENTRY_NEXT_NUMBER = "delivery.entry.next_number";
    ENTRY_EPOCH = "delivery.entry.epoch";
    ENTRY_DEAD = "delivery.entry.dead";
    ENTRY_IN_HAND = "delivery.entry.in_hand";
    ENTRY_SEEN = "delivery.entry.seen";
    ENTRY_DOES = "delivery.entry.does";
    ENTRY_UNSAVED = "delivery.entry.unsaved";
    ENTRY_KNOWN = "delivery.entry.known";
    ENTRY_FILTER = "delivery.entry.filter";
    ENTRY_STATE = "delivery.entry.state";
}
