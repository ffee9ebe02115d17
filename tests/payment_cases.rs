//! Public reports of payments that went wrong, by their schedules.

#[path = "common/schedule.rs"]
mod schedule;

use effectively_once::machine::Harm;
use effectively_once::run::Session;
use schedule::{open, shown, try_case};

/// The effects at the gateway, as the truth says them at the end of a run.
fn last_truth(session: &Session) -> String {
    let truth = session.run().picture(session.len()).truth.value;
    format!("{:?}", truth.args)
}

/// medusajs/medusa#16292: the key is a row that is deleted on failure.
#[test]
fn p1_a_new_key_per_attempt_captures_twice() {
    try_case("p1", Harm::Duplicated);
}

/// alphagov/pay-connector#3989: a 5xx is repeated for every later request with its key, while a
/// lost answer is not.
#[test]
fn p3_one_policy_for_two_kinds_of_errors() {
    try_case("p3-500", Harm::Endless);
    try_case("p3-lost", Harm::WrongBelief);
}

/// pretix/pretix#1189: "key in use" is no failure.
#[test]
fn p5_a_request_in_progress_is_taken_for_a_failure() {
    try_case("p5", Harm::WrongBelief);
}

/// Adyen/adyen-magento2#2702: refused, and authorised seconds later.
#[test]
fn p6_a_refusal_that_was_not_final() {
    try_case("p6", Harm::WrongBelief);
}

/// spree/spree#4499: the guard is written in the open transaction.
#[test]
fn p8_a_guard_that_nobody_sees() {
    try_case("p8", Harm::WrongBelief);
}

/// medusajs/medusa#16681: the refund has a new key per attempt.
#[test]
fn c1_a_refund_is_given_twice() {
    try_case("c1", Harm::Duplicated);
}

/// apache/incubator-seata#2711: the cancel comes before the action.
#[test]
fn c3_a_cancel_that_came_first_is_forgotten() {
    try_case("c3", Harm::WrongBelief);
}

/// AxonIQ/AxonFramework#970: the last replayed event counts as live.
#[test]
fn r1_the_last_event_of_a_replay_calls_again() {
    try_case("r1", Harm::Duplicated);
}

/// spatie/docs.spatie.be-old#379: a flag that no event sets.
#[test]
fn r3_a_flag_is_gone_after_a_replay() {
    try_case("r3", Harm::Duplicated);
}

/// NEventStore/NEventStore#415: an expected version of zero is read as "any".
#[test]
fn i3_the_first_two_writers_pass_the_version_check() {
    try_case("i3", Harm::Duplicated);
}

/// akkadotnet/akka.net#4074: order holds between one sender and one receiver. From two senders
/// both orders are possible, and both end well; from one sender only one is.
#[test]
fn h1_order_across_two_senders() {
    let in_order = open("h1-in-order");
    let overtaken = open("h1-overtaken");
    assert_eq!([&in_order, &overtaken].map(shown), [Harm::Clean; 2]);
    assert_ne!(
        last_truth(&in_order),
        last_truth(&overtaken),
        "paid and given back, or not paid"
    );

    let one_sender = open("h1-one-sender");
    assert_eq!(last_truth(&one_sender), last_truth(&in_order));
    let overtaking: Vec<String> = (0..overtaken.len())
        .map(|at| overtaken.run().name(at))
        .collect();
    let mut tried = Session::new(one_sender.lab(), one_sender.settings().clone());
    let possible = overtaking.iter().take_while(|name| tried.act(name)).count();
    assert_eq!(overtaking[possible], "cancel-arrives a");
}
