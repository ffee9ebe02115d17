//! Public reports of outboxes that lost messages or sent them twice, by their schedules.

#[path = "common/schedule.rs"]
mod schedule;

use effectively_once::machine::{Harm, Outcome, Progress};
use effectively_once::run::Session;
use schedule::{open, shown, try_case, worst};

/// The mails of all orders, as the truth says them at the end of a run.
fn last_truth(session: &Session) -> String {
    let truth = session.run().picture(session.len()).truth.value;
    format!("{:?}", truth.args)
}

/// Where the right run passes through the hands of a person: it stops for one, and it ends well.
fn try_right_with_a_person(name: &str) {
    let right = open(name);
    assert_eq!(shown(&right), Harm::Stuck, "{name} calls a person");
    let end = right.run().verdict(right.len());
    let expected = (Outcome::Once, Progress::Done);
    assert_eq!((end.outcome, end.progress), expected, "{name} ends well");
    assert!(
        worst(&right, Harm::Endless) <= Harm::Stuck,
        "{name} by any schedule"
    );
}

fn try_wrong(name: &str, harm: Harm) {
    let wrong = open(name);
    assert_eq!(shown(&wrong), harm, "{name} by its schedule");
    assert_eq!(worst(&wrong, harm), harm, "{name} by any schedule");
}

/// The faults in a run.
fn faults(session: &Session) -> usize {
    let rows = session.run().diagram().rows();
    rows.iter().filter(|row| row.fault.is_some()).count()
}

/// Particular/docs.particular.net#1816, dotnetcore/CAP#1562: a crash between sending and marking sends
/// again. With one id for both attempts the receiver's inbox makes the second a duplicate.
#[test]
fn o1_a_crash_between_send_and_mark_sends_again() {
    try_case("o1", Harm::Duplicated);
}

/// MassTransit/MassTransit#4990: the dispatcher is done before the last row is there. A loss without a
/// fault and without an error.
#[test]
fn o3_a_row_comes_after_its_context_was_delivered() {
    try_case("o3", Harm::Lost);
    assert_eq!(faults(&open("o3-wrong")), 0);
}

/// dotnetcore/CAP#1257, #1271, #511: two nodes load the same row. No crash is needed; and a claim alone
/// does not make sending happen once, so the receiver recognises what comes twice.
#[test]
fn o4_two_dispatchers_pick_the_same_row() {
    try_case("o4", Harm::Duplicated);
    assert_eq!(faults(&open("o4-wrong")), 0);
}

/// Eventuous/eventuous#222, akkadotnet/Akka.Persistence.SqlServer#102: a lower number commits after the
/// cursor has passed it. No fault is needed.
#[test]
fn o5_a_cursor_passes_a_number_that_commits_late() {
    try_case("o5", Harm::Lost);
    assert_eq!(faults(&open("o5-wrong")), 0);
    for right in ["o5-right", "o5-status-right"] {
        let right = open(right);
        assert_eq!(shown(&right), Harm::Clean);
        assert!(
            last_truth(&right).contains('2'),
            "both orders have their mail"
        );
    }
    assert!(worst(&open("o5-status-right"), Harm::Stuck) <= Harm::Stuck);
}

/// The other side of the same report: a number that was rolled back never comes, and must not block
/// what is behind it for ever; nor may a limit be shorter than a transaction.
#[test]
fn o5_a_true_gap_does_not_block_for_ever() {
    try_case("o5-gap", Harm::Stuck);
    try_case("o5-short", Harm::Lost);
}

/// Particular/docs.particular.net#3947: nothing is dispatched as far as anybody knows, the record by
/// which the work would be recognised expires, and then it is done once more. What helps: a retention
/// that is longer than that, or a key of the business; and rows that were not sent are not cleaned up.
#[test]
fn e1_a_person_retries_after_the_record_has_expired() {
    // As reported, of the record by which a handler recognises what it has handled …
    try_case("e1-record", Harm::Duplicated);
    // … and of the record at the receiver.
    try_wrong("e1-outbox-wrong", Harm::Duplicated);
    try_right_with_a_person("e1-outbox-right");
    try_right_with_a_person("e1-key-right");
    try_wrong("e1-kept-wrong", Harm::Lost);
    try_right_with_a_person("e1-kept-right");
}

/// Azure-Samples/cosmos-db-design-patterns#91, brendanlong/lion-reader#917, gchq/stroom#5772: the lease
/// is lost during the work, and the old owner writes all the same.
#[test]
fn i5_a_late_owner_writes_over_the_new_one() {
    try_case("i5-outbox", Harm::WrongBelief);
}
