//! Every sentence that the lab says. The words are in `locales/`.

crate::machine::texts! {
    LANE_CLIENT = "balance.lane.client";
    LANE_THREAD = "balance.lane.thread" (1);
    LANE_PROCESS = "balance.lane.process" (1);
    LANE_STORE = "balance.lane.store";

    /// A bare number.
    NUMBER = "balance.number" (1);
    /// An operation: id, number to add.
    ADD = "balance.add" (2);
    /// An operation: id, number to set, version.
    SET = "balance.set" (3);
    /// A place that holds nothing.
    NOTHING = "balance.nothing";

    ANSWER_APPLIED = "balance.answer.applied" (1);
    ANSWER_SUPERSEDED = "balance.answer.superseded" (1);
    ANSWER_ACCEPTED = "balance.answer.accepted";
    ANSWER_INSUFFICIENT = "balance.answer.insufficient";
    ANSWER_OVERFLOW = "balance.answer.overflow";
    ANSWER_CONFLICT = "balance.answer.conflict";

    EFFECT_LOCK = "balance.effect.lock" (1);
    EFFECT_UNLOCK = "balance.effect.unlock" (1);
    LOCK_IN_STORE = "balance.effect.lock_in_store";
    LOCK_IN_PROCESS = "balance.effect.lock_in_process";
    EFFECT_NO_RECEIPT = "balance.effect.no_receipt";
    /// A receipt is found: its answer.
    EFFECT_RECEIPT = "balance.effect.receipt" (1);
    EFFECT_RECEIPT_CONFLICT = "balance.effect.receipt_conflict";
    /// Balance read, balance computed.
    EFFECT_COMPUTE = "balance.effect.compute" (2);
    /// Balance read, refusal.
    EFFECT_REFUSE = "balance.effect.refuse" (2);
    EFFECT_BEGIN = "balance.effect.begin";
    EFFECT_REGISTER = "balance.effect.register" (1);
    EFFECT_WRITE = "balance.effect.write" (1);
    EFFECT_COMMIT_BOTH = "balance.effect.commit_both" (1);
    EFFECT_COMMIT_RECEIPT = "balance.effect.commit_receipt";
    EFFECT_COMMIT_BALANCE = "balance.effect.commit_balance" (1);
    EFFECT_COMMIT_NOTHING = "balance.effect.commit_nothing";

    /// A step of a worker: the step's words, the worker.
    ACTION_STEP = "balance.action.step" (2);
    ACTION_RESTART = "balance.action.restart" (1);
    /// First delivery: operation, worker.
    ACTION_SEND = "balance.action.send" (2);
    /// The client's own retry.
    ACTION_RETRY = "balance.action.retry" (2);
    ACTION_DUPLICATE = "balance.action.duplicate" (2);
    ACTION_REORDER = "balance.action.reorder" (2);
    ACTION_OTHER_CONTENT = "balance.action.other_content" (2);
    ACTION_CRASH = "balance.action.crash" (1);
    ACTION_LOSE_REPLY = "balance.action.lose_reply" (1);
    ACTION_SECOND_PROCESS = "balance.action.second_process";

    /// How many operations the books contain, of how many that were sent.
    TRUTH_CONTAINS = "balance.truth.contains" (2);
    /// An id, and how often it counts.
    TRUTH_REPEATED = "balance.truth.repeated" (2);
    TRUTH_MISSING = "balance.truth.missing" (1);
    /// How many answers the client has, how many it waits for.
    BELIEF_ANSWERS = "balance.belief.answers" (2);

    REASON_DUPLICATED = "balance.reason.duplicated" (2);
    REASON_TWO_CONTENTS = "balance.reason.two_contents" (1);
    REASON_LOST = "balance.reason.lost" (1);
    REASON_EMPTY_RECEIPT = "balance.reason.empty_receipt" (1);
    REASON_REFUSED_BUT_APPLIED = "balance.reason.refused_but_applied";
    REASON_STUCK = "balance.reason.stuck";
    REASON_WAITING = "balance.reason.waiting" (1);
    REASON_REFUSED_FOR_NOW = "balance.reason.refused_for_now";
    REASON_DONE = "balance.reason.done";
    REASON_NOTHING_YET = "balance.reason.nothing_yet";
    REASON_SO_FAR = "balance.reason.so_far";

    ASKED_NOT_SENT = "balance.asked.not_sent";
    ASKED_WAITING = "balance.asked.waiting";
    ENTRY_WORKS_ON = "balance.entry.works_on";
    ENTRY_PLAN = "balance.entry.plan";
    ENTRY_STAGED = "balance.entry.staged";
    ENTRY_LOCK = "balance.entry.lock";
    VALUE_HELD = "balance.value.held";
    ENTRY_BALANCE = "balance.entry.balance";
    /// Balance and its version.
    VALUE_VERSIONED = "balance.value.versioned" (2);
    /// The receipt kept for an id.
    ENTRY_RECEIPT = "balance.entry.receipt" (1);
    /// A receipt: its number, its answer.
    VALUE_RECEIPT = "balance.value.receipt" (2);
    /// Staged: receipt and balance, one of them, or an empty transaction.
    VALUE_STAGED_BOTH = "balance.value.staged_both" (1);
    VALUE_STAGED_RECEIPT = "balance.value.staged_receipt";
    VALUE_STAGED_BALANCE = "balance.value.staged_balance" (1);
    VALUE_STAGED_EMPTY = "balance.value.staged_empty";

    STEP_LOCK = "balance.step.lock";
    STEP_LOOK_UP = "balance.step.look_up";
    STEP_COMPUTE = "balance.step.compute";
    STEP_BEGIN = "balance.step.begin";
    STEP_REGISTER = "balance.step.register";
    STEP_WRITE = "balance.step.write";
    STEP_COMMIT = "balance.step.commit";
    STEP_UNLOCK = "balance.step.unlock";
    STEP_REPLY = "balance.step.reply";
}
