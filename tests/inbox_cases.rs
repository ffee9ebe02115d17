//! Public reports of consumers that went wrong, by their schedules.

#[path = "common/schedule.rs"]
mod schedule;

use effectively_once::explore::{STATES_MAX, Search};
use effectively_once::lab::Lab;
use effectively_once::labs::inbox::Inbox;
use effectively_once::machine::{Harm, Outcome, Progress};
use schedule::{open, shown, try_case};
use serde_json::json;

/// eventuate-tram/eventuate-tram-core#118: the duplicate is caught, and the transaction is
/// rollback-only.
#[test]
fn n1_a_caught_duplicate_comes_again_for_ever() {
    try_case("n1", Harm::Endless);
}

/// JasperFx/wolverine#1677: business data and inbox mark in two transactions.
#[test]
fn n2_two_transactions_where_one_was_believed() {
    try_case("n2", Harm::Duplicated);
}

/// dotnet/efcore#22904: the commit happened, and the body runs again with another id. Where it did
/// not happen, running again is what must be done.
#[test]
fn n4_a_commit_of_unknown_outcome_is_run_again() {
    try_case("n4", Harm::Duplicated);
    let lost = open("n4-not-committed");
    assert_eq!(shown(&lost), Harm::Clean);
    assert_eq!(lost.run().verdict(lost.len()).outcome, Outcome::Once);
}

/// oxidecomputer/omicron#1168: ON CONFLICT DO NOTHING returns no row, and a SELECT in the same
/// statement sees none either. If the first transaction rolls back, the second must insert.
#[test]
fn n5_no_row_is_read_as_absent_or_as_fresh() {
    try_case("n5", Harm::WrongBelief);
    try_case("n5-fresh", Harm::Duplicated);
    let rolled_back = open("n5-rolled-back");
    assert_eq!(shown(&rolled_back), Harm::Clean);
    let end = rolled_back.run().verdict(rolled_back.len());
    assert_eq!((end.outcome, end.progress), (Outcome::Once, Progress::Done));
}

/// aws-powertools/powertools-lambda-python#8049: the lease is shorter than the call.
#[test]
fn n8_a_call_outlives_its_lease() {
    try_case("n8", Harm::Duplicated);
}

/// saleor/apps#339 and others: the key leaves out the tenant, or the handler.
#[test]
fn n12_a_key_that_says_too_little() {
    try_case("n12-tenant", Harm::Lost);
    try_case("n12-handler", Harm::Lost);
}

/// apache/artemis#3656: the memory is outside the transaction. All four orders.
#[test]
fn n14_a_mark_that_does_not_roll_back() {
    try_case("n14", Harm::Lost);
    let correct = Inbox::presets().swap_remove(0).settings;
    let first = ["begin", "register", "change", "result", "commit", "ack"];
    let last = ["begin", "change", "register", "result", "commit", "ack"];
    let after = [
        "begin", "look", "change", "commit", "register", "result", "ack",
    ];
    let worst = |handler: &[&str], place: &str| {
        let changes = json!({ "handler": handler, "place": place });
        let settings = correct.read(&changes).expect("settings of the schema");
        let mut search = Search::new(Inbox::new(&settings), 2, STATES_MAX);
        search.advance(usize::MAX);
        search.worst()
    };
    assert_eq!(worst(&first, "one_transaction"), Harm::Clean);
    assert_eq!(worst(&last, "one_transaction"), Harm::Clean);
    assert_eq!(worst(&first, "other_connection"), Harm::Lost);
    assert_eq!(worst(&after, "other_connection"), Harm::Duplicated);
}

/// laravel/cashier-stripe#1759: "created" is written over "updated". Each was handled once.
#[test]
fn n19_an_older_event_comes_last() {
    try_case("n19", Harm::Lost);
}

/// blnkfinance/blnk#181: what is reserved is not counted; #182: one operation has two records, and one
/// says no where the other says yes. With one record an answer is final for every copy.
#[test]
fn b4_reserved_and_not_counted() {
    try_case("b4", Harm::WrongBelief);
    try_case("b4-records", Harm::WrongBelief);
    let mut right = open("b4-right");
    let refused = right.run().picture(right.len()).belief.value;
    for action in [
        "send-again",
        "deliver 2 a",
        "step a",
        "step a",
        "step a",
        "step a",
        "step a",
    ] {
        assert!(right.act(action), "{action}");
    }
    assert_eq!(right.run().picture(right.len()).belief.value, refused);
}

/// Azure-Samples/cosmos-db-design-patterns#91: the lease is lost during the work.
#[test]
fn i5_a_worker_wakes_up_after_its_lease() {
    try_case("i5", Harm::Duplicated);
}
