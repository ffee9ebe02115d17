//! Every sentence that the lab says. The words are in `locales/`.

crate::machine::texts! {
    LANE_SERVICE = "outbox.lane.service";
    LANE_DATABASE = "outbox.lane.database";
    LANE_DISPATCHER = "outbox.lane.dispatcher" (1);
    LANE_BROKER = "outbox.lane.broker";
    LANE_PROVIDER = "outbox.lane.provider";
    LANE_RECEIVER = "outbox.lane.receiver";
    LANE_CUSTOMER = "outbox.lane.customer";

    NUMBER = "outbox.number" (1);
    NOTHING = "outbox.nothing";
    ORDER = "outbox.order" (1);
    /// The message of an order; the same with the number of the attempt that made its id.
    MESSAGE = "outbox.message" (1);
    MESSAGE_ATTEMPT = "outbox.message_attempt" (2);
    /// An outbox row: its message, its number.
    ROW = "outbox.row" (1);
    ROW_NUMBERED = "outbox.row_numbered" (2);
    POLL = "outbox.poll" (1);
    SEND = "outbox.send" (1);
    LOOK_UP = "outbox.ask" (1);
    DELIVER = "outbox.deliver" (1);
    ACK = "outbox.ack";
    /// The mail of an order.
    MAIL = "outbox.mail" (1);

    ANSWER_ACCEPTED = "outbox.answer.accepted";
    ANSWER_REFUSED = "outbox.answer.refused";
    ANSWER_FOUND = "outbox.answer.found";
    ANSWER_NOT_FOUND = "outbox.answer.not_found";

    STATUS_WAITING = "outbox.status.waiting";
    STATUS_SENT = "outbox.status.sent";
    STATUS_FAILED = "outbox.status.failed";
    STATUS_UNKNOWN = "outbox.status.unknown";

    TOLD_NOTHING = "outbox.told.nothing";
    TOLD_ACCEPTED = "outbox.told.accepted";
    TOLD_REJECTED = "outbox.told.rejected";

    STEP_BEGIN = "outbox.step.begin";
    STEP_ORDER = "outbox.step.order";
    STEP_OUTBOX = "outbox.step.outbox";
    STEP_COMMIT = "outbox.step.commit";
    STEP_SEND = "outbox.step.send";
    STEP_REPLY = "outbox.step.reply";

    EFFECT_ARRIVES = "outbox.effect.arrives" (1);
    EFFECT_ACCEPTED = "outbox.effect.accepted" (1);
    EFFECT_TOLD_REJECTED = "outbox.effect.told_rejected";
    /// What is there already: an order, a row.
    EFFECT_THERE = "outbox.effect.there" (1);
    EFFECT_NOT_STORED = "outbox.effect.not_stored";
    EFFECT_REJECTED = "outbox.effect.rejected";
    EFFECT_ENDED = "outbox.effect.ended" (1);
    EFFECT_GAP = "outbox.effect.gap" (1);
    EFFECT_CLAIMS = "outbox.effect.claims" (1);
    EFFECT_READS = "outbox.effect.reads" (1);
    /// A mark: the message, what is recorded of it.
    EFFECT_MARKS = "outbox.effect.marks" (2);
    EFFECT_MARK_REFUSED = "outbox.effect.mark_refused" (1);
    EFFECT_TOO_LATE = "outbox.effect.too_late";
    EFFECT_NO_LOOK_UP = "outbox.effect.no_look_up";
    EFFECT_TIME_OUT = "outbox.effect.time_out";
    EFFECT_LEASE_OVER = "outbox.effect.lease_over" (1);
    EFFECT_REFUSED = "outbox.effect.refused";
    EFFECT_KNOWN = "outbox.effect.known" (1);
    EFFECT_FORGOTTEN = "outbox.effect.forgotten";
    EFFECT_DELETED = "outbox.effect.deleted" (1);
    EFFECT_CLEANED_UP = "outbox.effect.cleaned_up" (1);
    EFFECT_RETRY = "outbox.effect.retry" (1);
    EFFECT_CHECKED = "outbox.effect.checked" (1);

    /// An action: what, who or for what.
    ACTION_STEP = "outbox.action.step" (2);
    /// A message arrives: what, where.
    ACTION_DELIVER = "outbox.action.deliver" (2);
    ACTION_APPLY = "outbox.action.apply" (1);
    ACTION_ACKNOWLEDGE = "outbox.action.acknowledge" (1);
    ACTION_RESTART = "outbox.action.restart" (1);
    ACTION_TIME_OUT = "outbox.action.time_out" (1);
    ACTION_TIME_OUT_TOO_EARLY = "outbox.action.time_out_too_early" (1);
    ACTION_LEASE_ENDS = "outbox.action.lease_ends" (1);
    ACTION_LEASE_ENDS_TOO_EARLY = "outbox.action.lease_ends_too_early" (1);
    ACTION_GAP_PASSES = "outbox.action.gap_passes";
    ACTION_GAP_PASSES_TOO_EARLY = "outbox.action.gap_passes_too_early";
    ACTION_CLEAN_UP = "outbox.action.clean_up" (1);
    ACTION_PLACE = "outbox.action.place" (1);
    ACTION_PLACE_AGAIN = "outbox.action.place_again" (1);
    ACTION_RETRY = "outbox.action.retry" (1);
    ACTION_CHECK = "outbox.action.check" (1);
    ACTION_CRASH = "outbox.action.crash" (1);
    /// A write that fails: which step, of which order.
    ACTION_WRITE_STORED = "outbox.action.write_stored" (2);
    ACTION_WRITE_LOST = "outbox.action.write_lost" (2);
    ACTION_WRITE_REJECTED = "outbox.action.write_rejected" (2);
    ACTION_LOSE_MARK = "outbox.action.lose_mark" (1);
    ACTION_LOSE = "outbox.action.lose" (1);
    ACTION_LOSE_ACK = "outbox.action.lose_ack" (1);
    ACTION_DUPLICATE = "outbox.action.duplicate" (1);
    ACTION_REFUSE = "outbox.action.refuse" (1);
    ACTION_EXPIRE = "outbox.action.expire";

    /// How many orders there are in the database.
    TRUTH_DETAIL = "outbox.truth.detail" (1);
    BELIEF_UNKNOWN = "outbox.belief.unknown";
    /// What the customer was told; of two customers, how many were told "accepted".
    BELIEF_DETAIL = "outbox.belief.detail" (1);
    BELIEF_DETAIL_TWO = "outbox.belief.detail_two" (1);

    /// Which order.
    REASON_TWICE = "outbox.reason.twice" (1);
    REASON_ORDER_TWICE = "outbox.reason.order_twice" (1);
    REASON_LOST = "outbox.reason.lost" (1);
    REASON_MAIL_FOR_NOTHING = "outbox.reason.mail_for_nothing";
    REASON_NO_ORDER = "outbox.reason.no_order";
    REASON_NOT_SENT = "outbox.reason.not_sent";
    REASON_SENT = "outbox.reason.sent";
    REASON_UNKNOWN = "outbox.reason.unknown" (1);
    REASON_FAILED = "outbox.reason.failed" (1);
    REASON_STUCK = "outbox.reason.stuck" (1);
    REASON_DONE = "outbox.reason.done";
    REASON_REJECTED = "outbox.reason.rejected";
    REASON_NOTHING_YET = "outbox.reason.nothing_yet";
    REASON_WAITING = "outbox.reason.waiting";
    REASON_UNDER_WAY = "outbox.reason.under_way";

    /// Of which order: business event, send attempt, delivery, effect.
    ENTRY_MAILS = "outbox.entry.mails" (1);
    ENTRY_DELIVERIES = "outbox.entry.deliveries" (1);
    ENTRY_ATTEMPTS = "outbox.entry.attempts" (1);
    ENTRY_INBOX = "outbox.entry.inbox" (1);
    ENTRY_KNOWN = "outbox.entry.known" (1);
    ENTRY_QUEUE = "outbox.entry.queue";
    ENTRY_ROW = "outbox.entry.row" (1);
    ENTRY_CURSOR = "outbox.entry.cursor";
    ENTRY_DOES = "outbox.entry.does" (1);
    ENTRY_TRANSACTION = "outbox.entry.transaction" (1);
    ENTRY_JOB = "outbox.entry.job";
    VALUE_PLACED = "outbox.value.placed";
    VALUE_PLACED_TIMES = "outbox.value.placed_times" (1);
    VALUE_DELETED = "outbox.value.deleted";
    /// What is recorded, and which dispatcher has the claim.
    VALUE_HELD = "outbox.value.held" (2);
    VALUE_LAPSED = "outbox.value.lapsed" (2);
    /// The row's number, and what is recorded.
    VALUE_NUMBERED = "outbox.value.numbered" (2);
    VALUE_NO_ROW = "outbox.value.no_row" (1);
    VALUE_BOTH = "outbox.value.both" (2);
    VALUE_WAITS = "outbox.value.waits" (1);
    VALUE_IDS = "outbox.value.ids" (1);
}
