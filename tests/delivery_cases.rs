//! Public reports of messages that were lost or taken twice, by their schedules; and what Akka.NET
//! says of its own deliveries.

#[path = "common/schedule.rs"]
mod schedule;

use effectively_once::labs::find;
use effectively_once::machine::{Arg, Fault, Harm, Label};
use effectively_once::run::Session;
use schedule::{open, shown, try_case};
use serde_json::json;

/// How often each message has taken effect after so many steps of a run, as the truth says it.
fn effects(session: &Session, at: usize) -> Vec<i64> {
    fn collect(label: &Label, numbers: &mut Vec<i64>) {
        match &label.args[..] {
            // What the list says, and its last entry.
            [Arg::Label(all), Arg::Label(last)] => {
                collect(all, numbers);
                collect(last, numbers);
            }
            [_, Arg::Number(times)] => numbers.push(*times),
            other => panic!("no list of effects: {other:?}"),
        }
    }
    let mut numbers = Vec::new();
    collect(&session.run().picture(at).truth.detail, &mut numbers);
    numbers
}

/// The effects of a run in the order in which they happened, by message.
fn order_of_effects(session: &Session) -> Vec<usize> {
    let mut order = Vec::new();
    for at in 1..=session.len() {
        let (before, after) = (effects(session, at - 1), effects(session, at));
        order.extend(
            (0..after.len())
                .filter(|one| after[*one] > before[*one])
                .map(|one| one + 1),
        );
    }
    order
}

/// The actions of a run that are faults.
fn faults(session: &Session) -> Vec<Fault> {
    let rows = session.run().diagram().rows().iter();
    rows.filter_map(|row| row.fault).collect()
}

/// Particular/docs.particular.net#3947: the record expires before an operator retries.
#[test]
fn e1_a_record_expires_before_the_operators_retry() {
    try_case("e1", Harm::Duplicated);
    let wrong = open("e1-wrong");
    assert_eq!(faults(&wrong), [Fault::LoseReply, Fault::KeyExpired]);
    assert_eq!(effects(&wrong, wrong.len()), [2, 0]);
    let right = open("e1-right");
    assert_eq!(effects(&right, right.len()), [1, 0]);
}

/// One message, sent at t = 0, 1, 2, 3, 4, and its acknowledgement lost each time: at which of them
/// it takes effect.
fn accepted(retention: &str, border: &str) -> Vec<usize> {
    let lab = find("delivery").expect("the lab");
    let correct = lab.presets().swap_remove(0).settings;
    let changes = json!({ "retention": retention, "border": border, "messages": "one" });
    let settings = correct.read(&changes).expect("settings of the schema");
    let mut session = Session::new(lab, settings);
    for action in ["intend", "send"] {
        assert!(session.act(action));
    }
    let mut accepted = Vec::new();
    for t in 0..=4 {
        let before = effects(&session, session.len());
        assert!(session.act("deliver 1"));
        while session.act("step c") {}
        if effects(&session, session.len()) > before {
            accepted.push(t);
        }
        for action in ["lose 1", "tick", "redeliver 1"] {
            assert!(session.act(action), "{action} at {t}");
        }
    }
    accepted
}

/// nats-io/nats-server#7302: a window of two minutes, the same id every minute. A window that does
/// not slide accepts every second one; one that slides accepts the first. With its very end inside,
/// the window is as good as a tick longer.
#[test]
fn e2_a_window_that_does_not_slide() {
    assert_eq!(accepted("fixed", "forgotten"), [0, 2, 4]);
    assert_eq!(accepted("sliding", "forgotten"), [0]);
    assert_eq!(accepted("fixed", "known"), [0, 3]);
    assert_eq!(accepted("sliding", "known"), [0]);
    assert_eq!(
        [open("e2-fixed"), open("e2-sliding")].map(|run| shown(&run)),
        [Harm::Duplicated, Harm::Clean]
    );
}

/// Particular/NServiceBus.AzureServiceBus#201, alexfrmn/murmur#141: the broker discards the retry
/// at publishing. Every publish looks well, and the message never arrives.
#[test]
fn e3_a_filter_swallows_the_retry() {
    try_case("e3", Harm::Endless);
    let wrong = open("e3-wrong");
    assert_eq!(faults(&wrong), [Fault::Crash]);
    assert_eq!(effects(&wrong, wrong.len()), [0]);
    let right = open("e3-right");
    assert_eq!(effects(&right, right.len()), [1]);

    // Attempts that end make a dead letter of it, and an operator's retry is swallowed like others.
    let last = json!({ "attempts": "last", "operator": "same_id" });
    let settings = wrong.settings().read(&last);
    let mut operated = Session::new(wrong.lab(), settings.expect("settings of the schema"));
    let failed = [
        "intend",
        "send",
        "deliver 1",
        "crash c",
        "restart c",
        "give-up 1",
    ];
    for action in failed.into_iter().chain(["retry 1", "give-up 1"]) {
        assert!(operated.act(action), "{action}");
    }
    assert_eq!(effects(&operated, operated.len()), [0]);
}

/// square/square-mcp-server#31: a new id for each call.
#[test]
fn e4_a_new_id_for_each_attempt() {
    try_case("e4a", Harm::Duplicated);
}

/// dotnet-architecture/eShopOnContainers#508: the id is always zero. Of three messages two are
/// dropped, with no fault at all.
#[test]
fn e4_always_the_same_id() {
    try_case("e4b", Harm::Lost);
    let ends = ["e4b-wrong", "e4b-right"].map(open);
    let ends = ends.map(|session| (effects(&session, session.len()), faults(&session)));
    assert_eq!(ends, [(vec![1, 0, 0], vec![]), (vec![1, 1, 1], vec![])]);
}

/// Altinn/altinn-storage#788: two changes within one time bucket.
#[test]
fn e4_an_id_from_a_time_bucket() {
    try_case("e4c", Harm::Lost);
    let ends = ["e4c-wrong", "e4c-right"].map(open);
    let ends = ends.map(|session| (effects(&session, session.len()), faults(&session)));
    assert_eq!(ends, [(vec![1, 0], vec![]), (vec![1, 1], vec![])]);
}

/// theinterfold/interfold#1654: a false positive of a Bloom filter drops a new event for good.
#[test]
fn e6_a_filter_takes_a_new_id_for_known() {
    try_case("e6", Harm::Lost);
    let wrong = open("e6-wrong");
    assert_eq!(effects(&wrong, wrong.len()), [1, 1, 0]);
    assert_eq!(faults(&wrong), []);
}

/// Akka.NET, message delivery reliability: A sends m1 to C and m2 to B, which hands it on to C. C
/// may see either first, and without a relay only m1.
#[test]
fn order_is_not_transitive() {
    let (in_order, overtaken) = (open("relay-in-order"), open("relay-overtaken"));
    assert_eq!(order_of_effects(&in_order), [1, 2]);
    assert_eq!(order_of_effects(&overtaken), [2, 1]);
    assert_eq!(shown(&in_order), Harm::Clean);
    assert_eq!(
        shown(&overtaken),
        Harm::WrongBelief,
        "the older state stays"
    );

    let direct = overtaken.settings().read(&json!({ "route": "direct" }));
    let mut direct = Session::new(overtaken.lab(), direct.expect("settings of the schema"));
    for action in ["intend", "send", "intend", "send"] {
        assert!(direct.act(action));
    }
    assert!(!direct.act("deliver 2"), "the second waits for the first");
}

/// Akka.NET, `AtLeastOnceDeliverySpec`: a lost message comes again after later ones.
#[test]
fn redelivery_breaks_the_order() {
    let session = open("redelivery-order");
    assert_eq!(order_of_effects(&session), [1, 3, 2]);
    assert_eq!(faults(&session), [Fault::LoseMessage]);
    assert_eq!(shown(&session), Harm::Clean);
}

/// Akka.NET, `AtLeastOnceDeliverySpec`: what is unconfirmed is resent before anything new is sent,
/// and the receiver drops what it knows.
#[test]
fn recovery_resends_before_anything_new() {
    let session = open("recovery-resends");
    assert_eq!(order_of_effects(&session), [1, 2, 3]);
    let names: Vec<_> = (0..session.len())
        .map(|at| session.run().name(at))
        .collect();
    let recovered = names.iter().position(|name| name == "recover a");
    let recovered = recovered.expect("a recovery") + 1;
    let choices = session.run().choices(recovered).into_iter();
    let choices: Vec<_> = choices.map(|choice| choice.name).collect();
    assert!(choices.contains(&"send".to_owned()) && !choices.contains(&"intend".to_owned()));
}

/// Akka.NET, `AtLeastOnceDeliveryCrashSpec`: a sender that crashes while it recovers sends nothing.
#[test]
fn a_crash_during_recovery_sends_nothing() {
    let session = open("recovery-crash");
    assert_eq!(faults(&session)[1..], [Fault::Crash; 2]);
    let rows = session.run().diagram().rows();
    let sent_in = |row: &effectively_once::lab::Row| {
        let is_sent = |item: &_| matches!(item, effectively_once::lab::Item::Sent { .. });
        row.items.iter().any(is_sent)
    };
    let names: Vec<_> = (0..session.len())
        .map(|at| session.run().name(at))
        .collect();
    let between = |from: &str, to: &str| {
        let from = names.iter().position(|name| name == from);
        let to = names.iter().rposition(|name| name == to);
        from.expect("the first crash")..to.expect("the last recovery")
    };
    assert!(!rows[between("crash a", "recover a")].iter().any(sent_in));
    assert_eq!(order_of_effects(&session), [1]);
    assert_eq!(shown(&session), Harm::Clean);
}
