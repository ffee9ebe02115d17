//! Every sentence that the lab says. The words are in `locales/`.

crate::machine::texts! {
    LANE_CUSTOMER = "payment.lane.customer";
    LANE_ACTOR = "payment.lane.actor" (1);
    LANE_NODE = "payment.lane.node" (1);
    LANE_JOURNAL = "payment.lane.journal";
    LANE_EXECUTOR = "payment.lane.executor";
    LANE_GATEWAY = "payment.lane.gateway";

    NUMBER = "payment.number" (1);
    NOTHING = "payment.nothing";
    KEY = "payment.key" (1);
    KEY_REFUND = "payment.key_refund";
    KEY_NEW = "payment.key_new";
    KEY_NONE = "payment.key_none";

    /// The order to pay: its price.
    PAY = "payment.pay" (1);
    CANCEL = "payment.cancel";
    /// A request: its key.
    CHARGE = "payment.charge" (1);
    REFUND = "payment.refund" (1);
    LOOK_UP_CHARGE = "payment.look_up_charge";
    LOOK_UP_REFUND = "payment.look_up_refund";
    /// An answer with a payment id or a refund id.
    ANSWER_CHARGED = "payment.answer.charged" (1);
    ANSWER_REFUNDED = "payment.answer.refunded" (1);
    ANSWER_REFUSED = "payment.answer.refused";
    ANSWER_REFUSED_FINALLY = "payment.answer.refused_finally";
    ANSWER_IN_USE = "payment.answer.in_use";
    ANSWER_OTHER_CONTENT = "payment.answer.other_content";
    ANSWER_NO_KEY = "payment.answer.no_key";
    ANSWER_SERVER_ERROR = "payment.answer.server_error";
    ANSWER_NOT_FOUND = "payment.answer.not_found";
    WEBHOOK = "payment.webhook" (1);

    EVENT_REQUESTED = "payment.event.requested";
    EVENT_REQUESTED_KEY = "payment.event.requested_key" (1);
    EVENT_COMPLETED = "payment.event.completed" (1);
    EVENT_FAILED = "payment.event.failed";
    EVENT_UNKNOWN = "payment.event.unknown";
    EVENT_REFUND_REQUESTED = "payment.event.refund_requested";
    EVENT_REFUNDED = "payment.event.refunded" (1);
    EVENT_REFUND_FAILED = "payment.event.refund_failed";
    EVENT_REFUND_UNKNOWN = "payment.event.refund_unknown";
    EVENT_CANCELLED = "payment.event.cancelled";

    STATUS_NOT_REQUESTED = "payment.status.not_requested";
    STATUS_PENDING = "payment.status.pending";
    STATUS_COMPLETED = "payment.status.completed" (1);
    STATUS_FAILED = "payment.status.failed";
    STATUS_UNKNOWN = "payment.status.unknown";

    TOLD_NOTHING = "payment.told.nothing";
    TOLD_PENDING = "payment.told.pending";
    TOLD_PAID = "payment.told.paid";
    TOLD_FAILED = "payment.told.failed";
    TOLD_CANCELLED = "payment.told.cancelled";

    EFFECT_STATUS = "payment.effect.status" (1);
    /// How many events were replayed.
    EFFECT_REPLAY = "payment.effect.replay" (1);
    EFFECT_APPEND = "payment.effect.append";
    EFFECT_CONFLICT = "payment.effect.conflict";
    EFFECT_REJECTED = "payment.effect.rejected";
    EFFECT_STAGED = "payment.effect.staged" (1);
    EFFECT_FLAG = "payment.effect.flag" (1);
    EFFECT_TIME_OUT = "payment.effect.time_out";
    EFFECT_NOTHING_TO_CANCEL = "payment.effect.nothing_to_cancel";
    EFFECT_KEY_TAKEN = "payment.effect.key_taken" (1);
    EFFECT_CHARGED = "payment.effect.charged" (1);
    EFFECT_REFUNDED = "payment.effect.refunded" (1);
    EFFECT_REFUSED = "payment.effect.refused";
    EFFECT_KEYS_EXPIRED = "payment.effect.keys_expired";
    EFFECT_NEIGHBOUR_CHARGED = "payment.effect.neighbour_charged";
    EFFECT_NEIGHBOUR_TOLD_PAID = "payment.effect.neighbour_told_paid";
    EFFECT_NEIGHBOUR_FAILED = "payment.effect.neighbour_failed";
    EFFECT_SNAPSHOT_LOST = "payment.effect.snapshot_lost";
    EFFECT_PERSON = "payment.effect.person";
    PLAN_RESOLVE = "payment.plan.resolve";
    PLAN_FROM_THE_TOP = "payment.plan.from_the_top";
    PLAN_REFUND = "payment.plan.refund";

    /// An action: what, who.
    ACTION_STEP = "payment.action.step" (2);
    ACTION_RESUME = "payment.action.resume" (2);
    ACTION_RECOVER = "payment.action.recover" (1);
    ACTION_RESTART = "payment.action.restart" (1);
    ACTION_PROCESS = "payment.action.process" (1);
    ACTION_RECORD = "payment.action.record" (1);
    /// A message arrives: what, where.
    ACTION_DELIVER = "payment.action.deliver" (2);
    ACTION_ARRIVE = "payment.action.arrive" (1);
    ACTION_CANCEL_ARRIVES = "payment.action.cancel_arrives" (1);
    ACTION_CANCEL_OVERTAKES = "payment.action.cancel_overtakes" (1);
    ACTION_TIME_OUT = "payment.action.time_out" (1);
    ACTION_TIME_OUT_TOO_EARLY = "payment.action.time_out_too_early" (1);
    ACTION_PAY = "payment.action.pay" (1);
    ACTION_ASK_AGAIN = "payment.action.ask_again" (1);
    ACTION_PAY_ANEW = "payment.action.pay_anew" (1);
    ACTION_NEIGHBOUR = "payment.action.neighbour";
    ACTION_RECONCILE = "payment.action.reconcile" (1);
    ACTION_CANCEL = "payment.action.cancel";
    ACTION_DUPLICATE_PAY = "payment.action.duplicate_pay" (1);
    ACTION_LOSE_PAY = "payment.action.lose_pay" (1);
    /// A message is lost, or copied: what, on the way to whom.
    ACTION_LOSE = "payment.action.lose" (2);
    ACTION_DUPLICATE = "payment.action.duplicate" (2);
    ACTION_LOSE_REPLY = "payment.action.lose_reply" (1);
    ACTION_CRASH = "payment.action.crash" (1);
    ACTION_SERVER_ERROR = "payment.action.server_error";
    ACTION_SERVER_ERROR_DONE = "payment.action.server_error_done";
    ACTION_REFUSE = "payment.action.refuse";
    ACTION_CONTRADICT = "payment.action.contradict";
    ACTION_WRITE_STORED = "payment.action.write_stored" (1);
    ACTION_WRITE_LOST = "payment.action.write_lost" (1);
    ACTION_WRITE_REJECTED = "payment.action.write_rejected" (1);
    ACTION_SECOND_INCARNATION = "payment.action.second_incarnation";
    ACTION_EXPIRE_KEYS = "payment.action.expire_keys";
    ACTION_LOSE_SNAPSHOT = "payment.action.lose_snapshot";

    STEP_CHECK = "payment.step.check";
    STEP_INTENT = "payment.step.intent";
    STEP_CALL = "payment.step.call";
    STEP_OUTCOME = "payment.step.outcome";
    STEP_REPLY = "payment.step.reply";
    STEP_LOOK_UP = "payment.step.look_up";
    STEP_CANCEL = "payment.step.cancel";
    STEP_REFUND_INTENT = "payment.step.refund_intent";
    STEP_REFUND_CALL = "payment.step.refund_call";

    /// How often charged; how often charged and given back.
    TRUTH_CHARGES = "payment.truth.charges" (1);
    TRUTH_CHARGES_REFUNDS = "payment.truth.charges_refunds" (2);
    BELIEF_UNKNOWN = "payment.belief.unknown";
    /// What the customer was told.
    BELIEF_DETAIL = "payment.belief.detail" (1);

    REASON_CHARGED_TWICE = "payment.reason.charged_twice";
    REASON_REFUNDED_TWICE = "payment.reason.refunded_twice";
    REASON_NEIGHBOUR = "payment.reason.neighbour";
    REASON_NEVER_CHARGED = "payment.reason.never_charged";
    REASON_TOLD_FAILED = "payment.reason.told_failed";
    REASON_TOLD_CANCELLED = "payment.reason.told_cancelled";
    REASON_RECORDS_WRONG = "payment.reason.records_wrong";
    REASON_STUCK = "payment.reason.stuck";
    REASON_PAID = "payment.reason.paid";
    REASON_CANCELLED = "payment.reason.cancelled";
    REASON_FAILED = "payment.reason.failed";
    REASON_OPEN = "payment.reason.open";
    REASON_WAITING = "payment.reason.waiting";
    REASON_NOTHING_YET = "payment.reason.nothing_yet";
    REASON_SO_FAR = "payment.reason.so_far";

    ENTRY_TOLD = "payment.entry.told";
    ENTRY_COPIES = "payment.entry.copies";
    /// The place of an event in the journal.
    ENTRY_EVENT = "payment.entry.event" (1);
    ENTRY_SNAPSHOT = "payment.entry.snapshot";
    ENTRY_CHARGES = "payment.entry.charges";
    ENTRY_REFUNDS = "payment.entry.refunds";
    ENTRY_NEIGHBOUR = "payment.entry.neighbour";
    ENTRY_KEY = "payment.entry.key" (1);
    ENTRY_STATUS = "payment.entry.status";
    ENTRY_REFUND = "payment.entry.refund";
    ENTRY_DOES = "payment.entry.does";
    ENTRY_RESULT = "payment.entry.result";
    ENTRY_STAGED = "payment.entry.staged";
    VALUE_WAITS = "payment.value.waits" (1);
    /// A snapshot: how many events it holds.
    VALUE_SNAPSHOT = "payment.value.snapshot" (1);
    VALUE_PROCESSING = "payment.value.processing";
    VALUE_OF_NEIGHBOUR = "payment.value.of_neighbour" (1);
    VALUE_EXPIRED = "payment.value.expired";
    NEIGHBOUR_NOT_SENT = "payment.neighbour.not_sent";
    NEIGHBOUR_CHARGED = "payment.neighbour.charged";
    NEIGHBOUR_TOLD_PAID = "payment.neighbour.told_paid";
    NEIGHBOUR_TOLD_FAILED = "payment.neighbour.told_failed";
    VALUE_BOOL_PAID = "payment.value.bool_paid";
    VALUE_BOOL_NOT_PAID = "payment.value.bool_not_paid";
    RESULT_FAILED = "payment.result.failed";
    RESULT_UNKNOWN = "payment.result.unknown";
    RESULT_DONE = "payment.result.done" (1);
}
