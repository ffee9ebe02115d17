//! The fixes of every wrong preset, each proved once more by a search of its own.

use effectively_once::explore::{STATES_MAX, Search};
use effectively_once::lab::{AnyLab, Fix, Fixes, Lab};
use effectively_once::labs::{
    LABS, balance::Balance, delivery::Delivery, inbox::Inbox, outbox::Outbox, payment::Payment,
};
use effectively_once::machine::{Kind, Value};

const FAULTS_MAX: u8 = 1;

/// A fix as `setting=value, …`.
fn write(lab: &dyn AnyLab, fix: &Fix) -> String {
    let changes = fix.changes.iter().map(|change| {
        let setting = lab.schema()[change.setting];
        let value = match (setting.kind, &change.value) {
            (Kind::Choice { options }, Value::Choice(option)) => options[*option as usize].into(),
            (Kind::Steps { all }, Value::Steps(steps)) => {
                let steps = steps.iter().map(|step| all[usize::from(*step)]);
                steps.collect::<Vec<_>>().join(" ")
            }
            _ => panic!("{} has another kind of value", setting.id),
        };
        format!("{}={value}", setting.id)
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// The fixes of every design that has any, each proved.
fn fixes<L: Lab>() -> Vec<(&'static str, Vec<String>)> {
    let lab = *LABS.iter().find(|lab| lab.id() == L::ID).expect("the lab");
    let mut found = Vec::new();
    for preset in L::presets() {
        let mut fixes = Fixes::new(lab, &preset.settings, FAULTS_MAX);
        fixes.advance(usize::MAX);
        for fix in fixes.found() {
            let mut search = Search::new(L::new(&fix.settings), FAULTS_MAX, STATES_MAX);
            search.advance(usize::MAX);
            let proved = search.complete() && search.worst() == fix.harm;
            assert!(proved && fix.harm < fixes.harm(), "{}", preset.id);
            assert_eq!(search.states(), fix.states, "{}", preset.id);
        }
        let fixes: Vec<_> = fixes.found().iter().map(|fix| write(lab, fix)).collect();
        if !fixes.is_empty() {
            found.push((preset.id, fixes));
        }
    }
    found
}

#[test]
fn fixes_of_the_payment_lab() {
    const ALL_STEPS: &str = "handler=check intent call outcome reply";
    let expected: [(&str, &[&str]); 26] = [
        ("call_first", &[ALL_STEPS]),
        ("outcome_first", &[ALL_STEPS]),
        ("replay_calls", &["call_in=step"]),
        ("replay_last", &["call_in=step"]),
        ("one_bool", &["status=five"]),
        ("no_check", &[ALL_STEPS]),
        ("flag_only", &["status=five"]),
        ("snapshot_only", &["status=five"]),
        (
            "no_key",
            &[
                "key=stable, ambiguous=unknown",
                "key=stable, call_in=every_event",
                "key=stable, call_in=live_events",
                "key=stable, call_in=live_and_last",
                "ambiguous=unknown, key=coarse",
                "key=coarse, call_in=every_event",
            ],
        ),
        ("new_key", &["key=stable", "key=coarse"]),
        (
            "deleted_key",
            &[
                "key=stable, ambiguous=unknown",
                "key=stable, call_in=every_event",
                "key=stable, call_in=live_events",
                "key=stable, call_in=live_and_last",
                "ambiguous=unknown, key=coarse",
                "key=coarse, call_in=every_event",
            ],
        ),
        ("coarse_key", &["key=stable"]),
        ("time_out_fails", &["ambiguous=unknown"]),
        (
            "pay_anew",
            &[
                "key=stable, ambiguous=unknown",
                "ambiguous=unknown, key=coarse",
            ],
        ),
        (
            "blind_retry",
            &[
                "ambiguous=unknown",
                "call_in=every_event",
                "call_in=live_events",
                "call_in=live_and_last",
            ],
        ),
        (
            "retry_for_ever",
            &[
                "ambiguous=unknown",
                "call_in=every_event",
                "call_in=live_events",
                "call_in=live_and_last",
            ],
        ),
        ("in_use_fails", &["in_use=retry"]),
        ("from_the_top", &[ALL_STEPS]),
        ("no_recovery", &["recovery=resolve"]),
        ("hidden_guard", &["in_use=retry"]),
        ("no_version", &["append=expected_version"]),
        ("select_insert", &["key=none"]),
        ("new_refund_id", &["refund=own_id"]),
        ("forgotten_cancel", &["early_cancel=remembered"]),
        ("neither_retry", &["ambiguous=unknown"]),
        ("neither_failed", &["ambiguous=unknown"]),
    ];
    let in_words = |fixes: &[&str]| fixes.iter().map(|fix| (*fix).to_owned()).collect();
    assert_eq!(
        fixes::<Payment>(),
        expected.map(|(id, fixes)| (id, in_words(fixes)))
    );
}

#[test]
fn fixes_of_the_outbox_lab() {
    const ALL_STEPS: &str = "handler=begin order outbox commit reply";
    let expected: [(&str, &[&str]); 27] = [
        ("operator", &["unknown=again", "unknown=look_up_again"]),
        ("error_queue", &["refusal=again"]),
        ("send_after", &[ALL_STEPS]),
        ("send_before", &[ALL_STEPS]),
        ("row_first", &[ALL_STEPS]),
        ("message_first", &[ALL_STEPS]),
        ("reply_first", &[ALL_STEPS]),
        ("late_row", &[ALL_STEPS]),
        ("mark_first", &["sequence=send_first"]),
        ("new_id", &["message_id=stable", "inbox=business_key"]),
        ("no_inbox", &["inbox=table", "inbox=business_key"]),
        ("memory_inbox", &["inbox=table", "inbox=business_key"]),
        ("no_claim", &["inbox=table", "inbox=business_key"]),
        ("lease_alone", &["inbox=table", "inbox=business_key"]),
        (
            "claim_for_ever",
            &["claim=lease", "claim=none", "claim=skip_locked"],
        ),
        ("unfenced", &["refusal=again"]),
        ("lock_no_trace", &["claim=lease"]),
        (
            "highest_id",
            &[
                "polling=status",
                "polling=context",
                "polling=oldest_running",
                "polling=gap_limit",
            ],
        ),
        (
            "gap_short",
            &[
                "polling=status",
                "polling=context",
                "polling=oldest_running",
                "polling=gap_limit",
            ],
        ),
        (
            "gap_for_ever",
            &[
                "polling=status",
                "polling=context",
                "polling=oldest_running",
                "polling=gap_limit",
            ],
        ),
        ("look_up_again", &["unknown=person"]),
        (
            "short_retention",
            &["unknown=again", "unknown=look_up_again"],
        ),
        ("record_expired", &["clean_up=sent"]),
        (
            "cleaned_unsent",
            &[
                "unknown=again, clean_up=sent",
                "clean_up=sent, unknown=look_up_again",
            ],
        ),
        ("neither_again", &["unknown=person"]),
        ("neither_sent", &["unknown=person"]),
        ("neither_retries", &["person=absent"]),
    ];
    let in_words = |fixes: &[&str]| fixes.iter().map(|fix| (*fix).to_owned()).collect();
    assert_eq!(
        fixes::<Outbox>(),
        expected.map(|(id, fixes)| (id, in_words(fixes)))
    );
}

#[test]
fn fixes_of_the_balance_lab() {
    const ALL_STEPS: &str = "handler=lock look_up compute begin register write commit unlock reply";
    let meanings = ["meaning=set", "meaning=set_versioned"];
    let with_meanings = |fix: &'static str| [&[fix][..], &meanings[..]].concat();
    let expected = [
        ("plain", with_meanings(ALL_STEPS)),
        ("check_then_act", with_meanings(ALL_STEPS)),
        ("lock_late", vec![ALL_STEPS, "meaning=set_versioned"]),
        ("two_processes", meanings.to_vec()),
        ("memory_receipts", with_meanings("receipts=store")),
        ("receipt_first", vec![ALL_STEPS]),
        ("balance_first", with_meanings(ALL_STEPS)),
        (
            "in_memory",
            vec![
                "balance=store, meaning=set",
                "balance=store, meaning=set_versioned",
            ],
        ),
        ("reply_first", vec![ALL_STEPS]),
        ("same_content", with_meanings("identity=id")),
        ("set_unversioned", vec!["meaning=set_versioned"]),
    ];
    let expected = expected.map(|(id, fixes)| (id, fixes.into_iter().map(String::from).collect()));
    assert_eq!(fixes::<Balance>(), expected);
}

#[test]
fn fixes_of_the_inbox_lab() {
    const IN_ORDER: &str = "handler=begin register change result commit ack";
    const LOOK_FIRST: &str = "handler=begin look register change result commit ack";
    let expected: [(&str, &[&str]); 33] = [
        (
            "forbidden",
            &[
                "handler=register begin change result commit ack, no_row=absent",
                "place=other_connection, no_row=absent",
            ],
        ),
        (
            "check_then_act",
            &[
                "receipt=on_conflict",
                "receipt=unique_key",
                "receipt=one_statement",
            ],
        ),
        ("no_receipt", &[IN_ORDER, LOOK_FIRST]),
        ("no_row_fresh", &["no_row=read", "receipt=unique_key"]),
        ("no_row_absent", &["no_row=read", "receipt=unique_key"]),
        (
            "one_statement",
            &["receipt=on_conflict", "receipt=unique_key"],
        ),
        (
            "event_only",
            &[
                "scope=tenant_handler_event",
                "scope=handler_event",
                "scope=with_version",
            ],
        ),
        (
            "no_tenant",
            &["scope=tenant_handler_event", "scope=with_version"],
        ),
        ("tenant_of_message", &["tenant=context"]),
        (
            "content_as_key",
            &[
                "scope=tenant_handler_event",
                "scope=handler_event",
                "scope=event",
                "scope=with_version",
            ],
        ),
        (
            "version_in_key",
            &[
                "scope=tenant_handler_event",
                "scope=handler_event",
                "scope=event",
            ],
        ),
        (
            "new_id",
            &[
                "scope=tenant_handler_event",
                "scope=handler_event",
                "scope=event",
                "scope=with_version",
            ],
        ),
        ("digest_ignored", &["digest=canonical"]),
        ("digest_raw", &["digest=canonical"]),
        ("autocommit", &[IN_ORDER, LOOK_FIRST]),
        (
            "receipt_apart_first",
            &[
                "place=one_transaction",
                "progress=lease_fenced",
                "progress=lease",
            ],
        ),
        (
            "receipt_apart_last",
            &[
                "handler=begin register change result commit ack, place=one_transaction",
                "handler=begin register change result commit ack, progress=lease_fenced",
                "handler=begin register change result commit ack, progress=lease",
                "place=one_transaction, handler=begin look register change result commit ack",
                "handler=begin look register change result commit ack, progress=lease_fenced",
                "handler=begin look register change result commit ack, progress=lease",
            ],
        ),
        ("other_thread", &["place=one_transaction"]),
        (
            "other_database",
            &["place=one_transaction", "change=call_with_key"],
        ),
        ("swallowed", &["exceptions=rolled_back"]),
        (
            "deadlock_swallowed",
            &[
                "exceptions=rolled_back",
                "locks=in_order",
                "change=call_with_key",
                "exceptions=rollback_only",
            ],
        ),
        (
            "rollback_only",
            &["receipt=on_conflict", "exceptions=rolled_back", LOOK_FIRST],
        ),
        ("every_violation", &["violations=classified"]),
        (
            "same_transaction",
            &[
                "receipt=on_conflict",
                "violations=classified",
                LOOK_FIRST,
                "progress=lease_fenced",
                "progress=lease",
            ],
        ),
        ("ack_first", &[IN_ORDER, LOOK_FIRST]),
        (
            "ack_in_callback",
            &[IN_ORDER, LOOK_FIRST, "change=call_with_key"],
        ),
        (
            "assume_committed",
            &[
                "unknown_commit=look_up",
                "change=call_with_key",
                "unknown_commit=run_again",
            ],
        ),
        ("no_lease", &["progress=lease_fenced", "progress=lease"]),
        (
            "call_under_lease",
            &[
                "change=add",
                "change=set_versioned",
                "change=set",
                "change=newest",
                "change=target",
                "change=reserve_of_available",
                "change=reserve_of_posted",
                "change=call_with_key",
            ],
        ),
        (
            "call_in_transaction",
            &[
                "change=add",
                "change=set_versioned",
                "change=set",
                "change=newest",
                "change=target",
                "change=reserve_of_available",
                "change=reserve_of_posted",
                "change=call_with_key",
            ],
        ),
        (
            "set_unversioned",
            &[
                "change=add",
                "change=set_versioned",
                "change=newest",
                "change=reserve_of_available",
                "change=call_with_key",
            ],
        ),
        (
            "older_overwrites",
            &[
                "change=add",
                "change=set_versioned",
                "change=newest",
                "change=reserve_of_available",
                "change=call_with_key",
            ],
        ),
        (
            "reserve_of_posted",
            &[
                "change=add",
                "change=set_versioned",
                "change=newest",
                "change=reserve_of_available",
                "change=call_with_key",
            ],
        ),
    ];
    let in_words = |fixes: &[&str]| fixes.iter().map(|fix| (*fix).to_owned()).collect();
    assert_eq!(
        fixes::<Inbox>(),
        expected.map(|(id, fixes)| (id, in_words(fixes)))
    );
}

#[test]
fn fixes_of_the_delivery_lab() {
    const ALL_STEPS: &str = "handler=look_up apply remember persist ack";
    let expected: [(&str, &[&str]); 21] = [
        ("dead_letters", &["operator=same_id"]),
        ("at_most_once", &["guarantee=at_least_once"]),
        ("sent_is_done", &["guarantee=at_least_once"]),
        ("no_ack", &[ALL_STEPS]),
        ("volatile_sender", &["sender=persisted"]),
        ("epoch", &["sender=persisted"]),
        ("new_id", &["id=kept"]),
        ("zero_id", &["id=kept"]),
        ("time_bucket", &["id=kept"]),
        ("reused_transport_id", &["transport_id=per_send"]),
        ("ack_first", &[ALL_STEPS]),
        ("remember_first", &["memory=with_effect"]),
        (
            "effect_first",
            &["handler=look_up apply remember persist ack, memory=with_effect"],
        ),
        ("never_persisted", &[ALL_STEPS]),
        ("no_memory", &["memory=with_effect"]),
        ("volatile_memory", &["memory=with_effect"]),
        ("operators_new_id", &["operator=same_id"]),
        ("filter_alone", &["judge=exact", "judge=bloom_front"]),
        ("relayed", &["order=newest", "order=in_sequence"]),
        ("any_order", &["order=newest", "order=in_sequence"]),
        ("redelivered_late", &["order=newest", "order=in_sequence"]),
    ];
    let in_words = |fixes: &[&str]| fixes.iter().map(|fix| (*fix).to_owned()).collect();
    assert_eq!(
        fixes::<Delivery>(),
        expected.map(|(id, fixes)| (id, in_words(fixes)))
    );
}
