//! What single settings mean, each by a run.

use super::*;

/// The second order takes the second number and commits it; the first still runs.
const OVERTAKEN: &str = "place 1, handle 1 * 3, place 2, handle 2 * 5";

/// The names of what is possible after a run, and whether each is a fault.
fn possible(changes: &Json, run: &str) -> Vec<(String, bool)> {
    let (lab, state) = after(changes, run);
    let mut actions = Vec::new();
    lab.actions(&state, &mut actions);
    let named = |action: Action| (lab.name(action), lab.fault(&state, action).is_some());
    actions.into_iter().map(named).collect()
}

fn has(possible: &[(String, bool)], name: &str, is_fault: bool) -> bool {
    possible.contains(&(name.to_owned(), is_fault))
}

/// Whether a cursor may go on while a lower number is not there yet.
#[test]
fn each_cursor_waits_as_its_rule_says() {
    for (polling, goes_on, limit) in [
        ("status", true, None),
        ("highest_id", true, None),
        ("oldest_running", false, None),
        ("gap_limit", false, Some(true)),
        ("gap_short", false, Some(true)),
        ("gap_for_ever", false, None),
    ] {
        let found = possible(&json!({ "orders": "two", "polling": polling }), OVERTAKEN);
        assert_eq!(has(&found, "dispatch 1", false), goes_on, "{polling}");
        assert!(!has(&found, "gap-passes", false), "{polling}");
        assert_eq!(
            has(&found, "gap-passes", true),
            limit.is_some(),
            "{polling}"
        );
    }
    // The first transaction is rolled back: a true gap, which only one of them never passes.
    let gap = format!("{OVERTAKEN}, write-rejected 1");
    for (polling, next) in [
        ("oldest_running", Some("dispatch 1")),
        ("gap_limit", Some("gap-passes")),
        ("gap_short", Some("gap-passes")),
        ("gap_for_ever", None),
    ] {
        let found = possible(&json!({ "orders": "two", "polling": polling }), &gap);
        let steps = found.iter().find(|(_, is_fault)| !is_fault);
        assert_eq!(steps.map(|(name, _)| name.as_str()), next, "{polling}");
    }
}

/// The database ends what a cursor does not wait for; where the limit is too short, it does not.
#[test]
fn a_limit_is_safe_only_if_transactions_end_before_it() {
    let passed = format!("{OVERTAKEN}, gap-passes");
    let (_, state) = after(&json!({ "orders": "two", "polling": "gap_limit" }), &passed);
    assert_eq!((state.task(0), state.database.cursor), (None, 1));
    let (_, state) = after(&json!({ "orders": "two", "polling": "gap_short" }), &passed);
    assert!(state.task(0).is_some());
    assert_eq!(state.database.cursor, 1);
}

/// A sequence does not take back what it gave.
#[test]
fn a_number_that_was_rolled_back_never_comes_again() {
    let again = "place 1, handle 1 * 3, crash-service, restart-service, place 1, handle 1 * 5";
    let (_, state) = after(&json!({}), again);
    assert_eq!(state.entry(0).row, Row::There(2));
}

/// A lease outlives its holder for a while, a row lock does not, and the third claim does for ever.
#[test]
fn claims_end_as_their_rules_say() {
    let dead = format!("{WRITTEN}, dispatch 1, crash 1, restart 1");
    for (claim, holder, next) in [
        ("lease", Holder::Held(0), Some("lease-ends 1")),
        ("skip_locked", Holder::Nobody, Some("dispatch 1")),
        ("for_ever", Holder::Held(0), None),
    ] {
        let changes = json!({ "claim": claim });
        let (_, state) = after(&changes, &dead);
        assert_eq!(state.entry(0).claim, holder, "{claim}");
        let found = possible(&changes, &dead);
        let steps = found.iter().find(|(_, is_fault)| !is_fault);
        assert_eq!(steps.map(|(name, _)| name.as_str()), next, "{claim}");
    }
    // Only what was committed before the message was sent tells the next one of the attempt.
    let (_, state) = after(&json!({ "claim": "lease" }), &dead);
    assert!(state.entry(0).was_tried);
    let (_, state) = after(&json!({ "claim": "skip_locked" }), &dead);
    assert!(!state.entry(0).was_tried);
}

/// A mark that asks for the own claim does not pass once another has the row.
#[test]
fn a_late_mark_is_refused() {
    let run = format!(
        "{SENT}, refuse 1, lease-ends 1, dispatch 2 * 2, arrive 2, answer 2, dispatch 2, answer 1, \
         dispatch 1"
    );
    for (fence, status) in [("own_claim", Status::Sent), ("any", Status::Failed)] {
        let changes = json!({ "dispatchers": "two", "refusal": "error_queue", "fence": fence });
        let (_, state) = after(&changes, &run);
        assert_eq!(state.entry(0).status, status, "{fence}");
    }
}

/// A refusal says nothing about an attempt before it.
#[test]
fn what_may_have_been_sent_before_is_not_called_unsent() {
    let changes = json!({ "refusal": "error_queue" });
    for (before, status) in [
        ("", Status::Failed),
        ("arrive 1, time-out 1, dispatch 1, ", Status::Unknown),
    ] {
        let run = format!("{SENT}, {before}refuse 1, answer 1, dispatch 1");
        let (_, state) = after(&changes, &run);
        assert_eq!(state.entry(0).status, status, "{before}");
    }
}

/// The outcome of a commit can be unknown, and the same order id settles it: the customer asks
/// again, and what is there is only answered.
#[test]
fn an_unknown_commit_is_settled_by_the_order_id() {
    for (fault, placed, told) in [
        ("write-failed-stored 1", true, Told::Nothing),
        ("write-failed-lost 1", false, Told::Nothing),
        ("write-rejected 1", false, Told::Rejected),
    ] {
        let (_, state) = after(&json!({}), &format!("place 1, handle 1 * 3, {fault}"));
        assert_eq!(
            (state.is_placed(0), state.told(0)),
            (placed, told),
            "{fault}"
        );
        assert_eq!(
            state.entry(0).row_id().is_some(),
            placed,
            "{fault}: both or neither"
        );
        assert_eq!(state.task(0), None, "{fault}");
    }
    let asked = "place 1, handle 1 * 3, write-failed-stored 1, place 1, handle 1 * 3";
    let (_, state) = after(&json!({}), asked);
    assert_eq!((state.told(0), state.database.last_id), (Told::Accepted, 1));
}

/// One business event, two attempts, three deliveries, one mail.
#[test]
fn event_attempt_delivery_and_effect_are_counted_apart() {
    let run = format!(
        "{SENT}, arrive 1, lose 1, time-out 1, dispatch 1, arrive 1, duplicate 1, receive 1, apply, \
         acknowledge, receive 1, apply, acknowledge, receive 1, apply, acknowledge"
    );
    let (_, state) = after(&json!({}), &run);
    let effects = state.effects(0);
    let counts = (effects.attempts, effects.deliveries, effects.mails);
    assert_eq!((state.database.orders[0], counts), (1, (2, 3, 1)));
}

/// A memory is gone with its process, a table is not.
#[test]
fn a_crash_erases_what_is_in_memory() {
    let run = format!("{SENT}, arrive 1, receive 1, apply, crash-receiver");
    for (inbox, ids) in [("table", 1), ("memory", 0)] {
        let (_, state) = after(&json!({ "inbox": inbox }), &run);
        assert_eq!(state.effects(0).ids, ids, "{inbox}");
        assert_eq!(state.queue.len(), 1, "not acknowledged, so delivered again");
    }
}

/// Time passes a retention only where nothing is under way, and a retention that covers all retries
/// is never passed.
#[test]
fn what_is_remembered_is_forgotten_only_as_stated() {
    let handled = format!("{SENT}, arrive 1, receive 1, apply, acknowledge");
    let done = format!("{handled}, answer 1, dispatch 1");
    let short = json!({ "retention": "short" });
    assert!(
        !has(&possible(&short, &handled), "expire", true),
        "an answer is under way"
    );
    assert!(has(&possible(&short, &done), "expire", true));
    assert!(!has(&possible(&json!({}), &done), "expire", true));
    let (_, state) = after(&short, &format!("{done}, expire"));
    assert_eq!(state.effects(0).ids, 0);
    // Rows that were not sent go only where old rows go, sent or not.
    let unsent = possible(&json!({ "clean_up": "all" }), WRITTEN);
    assert!(has(&unsent, "expire", true));
    assert!(!has(&possible(&json!({}), WRITTEN), "expire", true));
}

/// A dispatcher that has slept past the retention does not send what others may have sent.
#[test]
fn nobody_sends_what_is_too_old_to_be_recognised() {
    let run = format!(
        "{WRITTEN}, dispatch 1, lease-ends 1, dispatch 2 * 2, arrive 2, answer 2, dispatch 2, expire, \
         dispatch 1"
    );
    for (late, mark) in [("person", true), ("sent", false)] {
        let changes = json!({ "provider": "recognises", "dispatchers": "two", "late": late });
        let (_, state) = after(&changes, &run);
        let stage = state.job(0).map(|job| job.stage);
        assert_eq!(stage == Some(Stage::Mark(Status::Unknown)), mark, "{late}");
    }
}

/// A person who retries does so blindly; one who looks first does not send twice.
#[test]
fn a_person_who_looks_first_does_not_mail_twice() {
    let open = format!("{SENT}, arrive 1, lose 1, time-out 1, dispatch 1");
    let with =
        |person: &str| json!({ "provider": "neither", "unknown": "person", "person": person });
    let (lab, state) = after(&with("absent"), &open);
    assert_eq!(lab.verdict(&state).progress, Progress::Stuck);
    let (lab, state) = after(&with("checks"), &format!("{open}, check 1"));
    assert_eq!(lab.verdict(&state).progress, Progress::Done);
    let (lab, state) = after(
        &with("retries"),
        &format!("{open}, retry 1, dispatch 1 * 2, arrive 1"),
    );
    assert_eq!(lab.verdict(&state).outcome, Outcome::Duplicated);
}

/// The verdict has both bounds, and a mail for an order that was rejected is a false belief.
#[test]
fn both_bounds_are_judged() {
    let run = format!("{SENT}, arrive 1, answer 1, dispatch 1, receive 1, apply, acknowledge");
    let (lab, state) = after(&json!({}), &run);
    let good = lab.verdict(&state);
    let expected = (Outcome::Once, Belief::Agrees, Progress::Done);
    assert_eq!((good.outcome, good.belief, good.progress), expected);
    let with = |change: &dyn Fn(&mut State)| {
        let mut changed = state;
        change(&mut changed);
        lab.verdict(&changed).harm()
    };
    assert_eq!(with(&|state| state.effects[0].mails = 2), Harm::Duplicated);
    assert_eq!(with(&|state| state.effects[0].mails = 0), Harm::Lost);
    let rejected = |state: &mut State| {
        state.told[0] = Told::Rejected;
        state.database.orders[0] = 0;
    };
    assert_eq!(with(&rejected), Harm::WrongBelief);
    assert_eq!(
        with(&|state| state.entry_mut(0).status = Status::Failed),
        Harm::WrongBelief
    );
    assert_eq!(
        with(&|state| state.entry_mut(0).status = Status::Unknown),
        Harm::Stuck
    );
}

/// What recognises an order must last as long as the order can come again.
#[test]
fn a_repeated_order_is_recognised_for_as_long_as_its_record_lasts() {
    let unanswered = "place 1, handle 1 * 3, write-failed-stored 1";
    let again = |repeat: &str, clean_up: &str, between: &str| {
        let changes = json!({ "repeat": repeat, "clean_up": clean_up });
        let (lab, mut state) = after(&changes, &format!("{unanswered}{between}, place 1"));
        while state.task(0).is_some() {
            lab.step(&mut state, Action::Handle(0), &mut ());
        }
        assert_eq!(state.told(0), Told::Accepted);
        state.database.orders[0]
    };
    assert_eq!(again("order_key", "sent", ""), 1);
    assert_eq!(again("order_key", "all", ", expire"), 1);
    assert_eq!(again("outbox_row", "sent", ""), 1);
    assert_eq!(again("outbox_row", "all", ", expire"), 2);
}
