//! Every sentence that the lab says. The words are in `locales/`.

crate::machine::texts! {
    LANE_BROKER = "inbox.lane.broker";
    LANE_CONSUMER_A = "inbox.lane.consumer_a";
    LANE_CONSUMER_B = "inbox.lane.consumer_b";
    LANE_DATABASE = "inbox.lane.database";
    LANE_THIRD_PARTY = "inbox.lane.third_party";

    NUMBER = "inbox.number" (1);
    NOTHING = "inbox.nothing";
    /// Two phrases in one line.
    AND = "inbox.and" (2);
    EVENT_FIRST = "inbox.event.first";
    EVENT_SECOND = "inbox.event.second";
    EVENT_OTHER = "inbox.event.other";
    /// A call of the third party: for which event.
    CALL = "inbox.call" (1);
    /// An ack: what it tells.
    ACK = "inbox.ack" (1);
    TOKEN = "inbox.token" (1);

    SQL_BEGIN = "inbox.sql.begin";
    SQL_FIND_RECEIPT = "inbox.sql.find_receipt";
    SQL_INSERT = "inbox.sql.insert";
    SQL_INSERT_OR_NOTHING = "inbox.sql.insert_or_nothing";
    SQL_INSERT_OR_FIND = "inbox.sql.insert_or_find";
    SQL_TAKE_OVER = "inbox.sql.take_over";
    SQL_COMPLETE = "inbox.sql.complete";
    /// The token that must still be the newest.
    SQL_COMPLETE_FENCED = "inbox.sql.complete_fenced" (1);
    SQL_FIND_ROW = "inbox.sql.find_row";
    SQL_ADD = "inbox.sql.add" (1);
    SQL_SET = "inbox.sql.set";
    SQL_SET_VERSIONED = "inbox.sql.set_versioned";
    SQL_TARGET = "inbox.sql.target" (1);
    SQL_NEWEST = "inbox.sql.newest" (1);
    SQL_RESERVE_POSTED = "inbox.sql.reserve_posted";
    SQL_RESERVE_AVAILABLE = "inbox.sql.reserve_available";
    SQL_FORBIDDEN = "inbox.sql.forbidden";
    SQL_COMMIT = "inbox.sql.commit";
    SQL_ROLLBACK = "inbox.sql.rollback";
    ERROR_UNIQUE = "inbox.error.unique";
    ERROR_CHECK = "inbox.error.check";
    ERROR_IN_FAILED = "inbox.error.in_failed";
    ERROR_DEADLOCK = "inbox.error.deadlock";

    EFFECT_WAITS = "inbox.effect.waits";
    EFFECT_ROLLED_BACK = "inbox.effect.rolled_back";
    EFFECT_NO_ROWS = "inbox.effect.no_rows";
    EFFECT_NO_RECEIPT = "inbox.effect.no_receipt";
    EFFECT_RECEIPT = "inbox.effect.receipt";
    EFFECT_COMMIT_FAILED = "inbox.effect.commit_failed";
    EFFECT_CONNECTION_LOST = "inbox.effect.connection_lost";
    EFFECT_NEW_ID = "inbox.effect.new_id";
    EFFECT_HANDED_OVER = "inbox.effect.handed_over";
    EFFECT_KEY_KNOWN = "inbox.effect.key_known";
    EFFECT_CALLED = "inbox.effect.called";
    EFFECT_BACKED_OFF = "inbox.effect.backed_off";
    EFFECT_GAVE_BACK = "inbox.effect.gave_back";
    EFFECT_VISIBLE = "inbox.effect.visible" (1);
    EFFECT_DEAD_LETTER = "inbox.effect.dead_letter";
    EFFECT_DEPLOYED = "inbox.effect.deployed";
    EFFECT_SENT_AGAIN = "inbox.effect.sent_again";
    EFFECT_SENT_REENCODED = "inbox.effect.sent_reencoded";
    EFFECT_SENT_OTHER = "inbox.effect.sent_other";
    EFFECT_LEASE_OVER = "inbox.effect.lease_over";
    EFFECT_RECEIPTS_DELETED = "inbox.effect.receipts_deleted";

    STEP_ACK = "inbox.step.ack";
    STEP_GIVE_BACK = "inbox.step.give_back";
    STEP_CALL = "inbox.step.call";
    STEP_HAND_OVER = "inbox.step.hand_over";
    STEP_NEW_ID = "inbox.step.new_id";
    STEP_START_AGAIN = "inbox.step.start_again";

    /// An action: what, who.
    ACTION_STEP = "inbox.action.step" (2);
    ACTION_THREAD = "inbox.action.thread" (2);
    ACTION_VICTIM = "inbox.action.victim" (1);
    ACTION_RESTART = "inbox.action.restart" (1);
    /// A delivery: of what, to whom.
    ACTION_DELIVER = "inbox.action.deliver" (2);
    ACTION_DELIVER_EARLY = "inbox.action.deliver_early" (2);
    ACTION_VISIBLE = "inbox.action.visible" (1);
    ACTION_VISIBLE_EARLY = "inbox.action.visible_early" (1);
    ACTION_LEASE = "inbox.action.lease";
    ACTION_LEASE_EARLY = "inbox.action.lease_early";
    ACTION_DEPLOY = "inbox.action.deploy";
    ACTION_SEND_AGAIN = "inbox.action.send_again";
    ACTION_SEND_REENCODED = "inbox.action.send_reencoded";
    ACTION_SEND_OTHER = "inbox.action.send_other";
    ACTION_LOSE_ACK = "inbox.action.lose_ack" (1);
    ACTION_COMMIT_FAILED = "inbox.action.commit_failed" (1);
    ACTION_COMMIT_UNKNOWN_DONE = "inbox.action.commit_unknown_done" (1);
    ACTION_COMMIT_UNKNOWN_LOST = "inbox.action.commit_unknown_lost" (1);
    ACTION_CRASH = "inbox.action.crash" (1);
    ACTION_EXPIRE = "inbox.action.expire";

    /// An event, and how often it took effect.
    TIMES = "inbox.times" (2);
    /// An event, and what its sender was told.
    TOLD = "inbox.told" (2);
    TOLD_NOTHING = "inbox.told.nothing";
    TOLD_DONE = "inbox.told.done";
    TOLD_REFUSED = "inbox.told.refused";
    TOLD_CONFLICT = "inbox.told.conflict";
    TOLD_FAILED = "inbox.told.failed";

    REASON_TWO_CONTENTS = "inbox.reason.two_contents";
    REASON_TWICE = "inbox.reason.twice";
    REASON_OLD_STATE = "inbox.reason.old_state";
    REASON_LOST = "inbox.reason.lost";
    REASON_OVERDRAWN = "inbox.reason.overdrawn";
    REASON_TOLD_NO = "inbox.reason.told_no";
    REASON_STUCK = "inbox.reason.stuck";
    REASON_DONE = "inbox.reason.done";
    REASON_NOTHING_YET = "inbox.reason.nothing_yet";
    REASON_SO_FAR = "inbox.reason.so_far";

    /// The place of a key, and of a row.
    ENTRY_RECEIPT = "inbox.entry.receipt" (1);
    ENTRY_ROW = "inbox.entry.row" (1);
    ENTRY_EVENTS = "inbox.entry.events";
    ENTRY_ATTEMPTS = "inbox.entry.attempts";
    ENTRY_DELIVERIES = "inbox.entry.deliveries";
    /// A message: its place, its event.
    ENTRY_MESSAGE = "inbox.entry.message" (2);
    ENTRY_CALLS = "inbox.entry.calls" (1);
    ENTRY_HANDLES = "inbox.entry.handles";
    ENTRY_DOES = "inbox.entry.does";
    ENTRY_TRANSACTION = "inbox.entry.transaction";
    ENTRY_STAGED = "inbox.entry.staged";
    ENTRY_TOKEN = "inbox.entry.token";
    VALUE_WAITS = "inbox.value.waits" (1);
    VALUE_TWO_RECEIPTS = "inbox.value.two_receipts" (1);
    TRANSACTION_OPEN = "inbox.transaction.open";
    TRANSACTION_FAILED = "inbox.transaction.failed";
    STAGED_BOTH = "inbox.staged.both";
    STAGED_RECEIPT = "inbox.staged.receipt";
    STAGED_ROW = "inbox.staged.row";
    RECEIPT_IN_PROGRESS = "inbox.receipt.in_progress" (1);
    RECEIPT_LEASE_OVER = "inbox.receipt.lease_over" (1);
    RECEIPT_DONE = "inbox.receipt.done";
    /// With its result: by which version of the handler.
    RECEIPT_RESULT = "inbox.receipt.result" (1);
    RECEIPT_REFUSED = "inbox.receipt.refused";
    STAGE_READY = "inbox.stage.ready";
    STAGE_HIDDEN_A = "inbox.stage.hidden_a";
    STAGE_HIDDEN_B = "inbox.stage.hidden_b";
    STAGE_ACKED = "inbox.stage.acked";
    STAGE_DEAD_LETTER = "inbox.stage.dead_letter";
    STATE_NONE = "inbox.state.none";
    STATE_CREATED = "inbox.state.created";
    STATE_UPDATED = "inbox.state.updated";
    STATE_OTHER = "inbox.state.other";
}
