//! Every preset's claim, tried on all states that at most two faults lead to.

use effectively_once::explore::{STATES_MAX, Search};
use effectively_once::lab::Lab;
use effectively_once::labs::{
    LABS, balance::Balance, delivery::Delivery, inbox::Inbox, outbox::Outbox, payment::Payment,
};
use effectively_once::machine::{Harm, Settings};
use serde_json::json;

const FAULTS_MAX: u8 = 2;
const SHORTEST: &str = include_str!("golden/shortest.txt");

fn explored<L: Lab>(settings: &Settings) -> Search<L> {
    let mut search = Search::new(L::new(settings), FAULTS_MAX, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete(), "a search that is cut proves nothing");
    search
}

/// The shortest run to a harm, in one line.
fn shortest<L: Lab>(search: &Search<L>, preset: &str, harm: Harm) -> String {
    let run = search.shortest(harm).expect("a run to the worst harm");
    let names: Vec<String> = run
        .iter()
        .map(|action| search.machine().name(*action))
        .collect();
    let same = names.chunk_by(|a, b| a == b);
    let parts = same.map(|same| match same {
        [one] => one.clone(),
        many => format!("{} * {}", many[0], many.len()),
    });
    let run = parts.collect::<Vec<_>>().join(", ");
    format!("{} {preset} {}: {run}", L::ID, harm.id())
}

/// Presets with the number of their states: a change of the machine shows here even where it
/// changes no claim. A correct design may need a person, and says so: that is honest, not wrong.
fn try_claims<L: Lab>(expected: &[(&str, usize)]) {
    let mut found = Vec::new();
    let mut runs = Vec::new();
    for preset in L::presets() {
        let search = explored::<L>(&preset.settings);
        let (worst, states) = (search.worst(), search.states());
        assert_eq!(worst, preset.claims, "{} {}", L::ID, preset.id);
        if worst > Harm::Clean {
            runs.push(shortest(&search, preset.id, worst));
        }
        let (least, most) = match preset.correct {
            true => (Harm::Clean, Harm::Stuck),
            false => (Harm::Stuck, Harm::Duplicated),
        };
        assert!(least <= worst && worst <= most, "{} {}", L::ID, preset.id);
        found.push((preset.id, states));
    }
    assert_eq!(found, expected, "{}", L::ID);
    let kept = SHORTEST
        .lines()
        .filter(|line| line.split(' ').next() == Some(L::ID));
    assert_eq!(
        runs,
        kept.collect::<Vec<_>>(),
        "golden/shortest.txt:\n{}",
        runs.join("\n")
    );
}

#[test]
fn claims_of_the_balance_lab() {
    try_claims::<Balance>(&[
        ("correct", 3970),
        ("remembered", 977),
        ("conflict", 300),
        ("set_versioned", 269),
        ("plain", 2222),
        ("check_then_act", 29_672),
        ("lock_late", 6202),
        ("two_processes", 482_564),
        ("memory_receipts", 15_056),
        ("receipt_first", 4555),
        ("balance_first", 6162),
        ("in_memory", 10_548),
        ("reply_first", 2804),
        ("same_content", 3365),
        ("set_unversioned", 256),
    ]);
}

#[test]
fn claims_of_the_payment_lab() {
    try_claims::<Payment>(&[
        ("correct", 87_380),
        ("ietf", 37_828),
        ("look_up", 28_133),
        ("operations_table", 67_801),
        ("two_nodes", 943_353),
        ("cancel", 1_031_621),
        ("snapshot", 93_509),
        ("stale_snapshot", 96_003),
        ("call_first", 17_052),
        ("outcome_first", 26_720),
        ("reply_first", 61_469),
        ("replay_calls", 1_071_225),
        ("replay_last", 506_869),
        ("one_bool", 1954),
        ("no_check", 51_069),
        ("flag_only", 1895),
        ("snapshot_only", 2269),
        ("no_key", 45_166),
        ("new_key", 236_471),
        ("deleted_key", 240_591),
        ("coarse_key", 192_073),
        ("old_key", 39_212),
        ("time_out_fails", 83_509),
        ("pay_anew", 219_027),
        ("blind_retry", 61_418),
        ("retry_for_ever", 61_420),
        ("in_use_fails", 1_053_321),
        ("refusal_final", 85_624),
        ("from_the_top", 54_927),
        ("no_recovery", 1702),
        ("hidden_guard", 315_450),
        ("zero_is_any", 30_902),
        ("no_version", 980_833),
        ("select_insert", 98_618),
        ("new_refund_id", 1_109_172),
        ("forgotten_cancel", 1_033_091),
        ("neither_unknown", 1221),
        ("neither_person", 1475),
        ("neither_retry", 2609),
        ("neither_failed", 1736),
    ]);
}

#[test]
fn claims_of_the_inbox_lab() {
    try_claims::<Inbox>(&[
        ("correct", 4676),
        ("unique_key", 4676),
        ("look_first", 5243),
        ("lease_fenced", 7193),
        ("call_with_key", 8381),
        ("same_content", 19_324),
        ("other_tenant", 18_124),
        ("other_handler", 18_124),
        ("forged", 18_124),
        ("set_versioned", 25_286),
        ("newest", 23_332),
        ("reserve_of_available", 23_566),
        ("crossed", 21_502),
        ("deadlock", 24_158),
        ("forbidden", 43_641),
        ("run_again", 4688),
        ("old_version", 10_513),
        ("check_then_act", 6812),
        ("no_receipt", 3630),
        ("no_row_fresh", 6281),
        ("no_row_absent", 4188),
        ("one_statement", 5217),
        ("event_only", 18_382),
        ("no_tenant", 18_382),
        ("tenant_of_message", 18_382),
        ("content_as_key", 18_382),
        ("version_in_key", 11_155),
        ("new_id", 4555),
        ("digest_ignored", 4676),
        ("digest_raw", 6969),
        ("short_retention", 5044),
        ("autocommit", 3441),
        ("receipt_apart_first", 7013),
        ("receipt_apart_last", 11_421),
        ("other_thread", 12_225),
        ("other_database", 8514),
        ("swallowed", 3050),
        ("deadlock_swallowed", 32_717),
        ("rollback_only", 19_107),
        ("every_violation", 3050),
        ("same_transaction", 25_423),
        ("ack_first", 4402),
        ("ack_in_callback", 4593),
        ("assume_committed", 4513),
        ("no_lease", 4600),
        ("lease_unfenced", 7267),
        ("call_under_lease", 9127),
        ("call_in_transaction", 6372),
        ("set_unversioned", 32_364),
        ("older_overwrites", 23_332),
        ("reserve_of_posted", 19_324),
    ]);
}

#[test]
fn claims_of_the_delivery_lab() {
    try_claims::<Delivery>(&[
        ("correct", 2987),
        ("in_sequence", 7303),
        ("newest", 7947),
        ("covering", 3056),
        ("filter_in_front", 19_140),
        ("new_transport_id", 2987),
        ("operator", 4077),
        ("dead_letters", 3271),
        ("at_most_once", 417),
        ("sent_is_done", 484),
        ("no_ack", 95),
        ("volatile_sender", 2553),
        ("epoch", 3204),
        ("new_id", 10_519),
        ("zero_id", 14_344),
        ("time_bucket", 16_721),
        ("reused_transport_id", 208),
        ("ack_first", 4672),
        ("remember_first", 4042),
        ("effect_first", 4423),
        ("never_persisted", 3156),
        ("no_memory", 4147),
        ("volatile_memory", 4993),
        ("fixed_window", 334),
        ("sliding_window", 450),
        ("late_operator", 550),
        ("operators_new_id", 10_589),
        ("filter_alone", 17_726),
        ("relayed", 7947),
        ("any_order", 3160),
        ("redelivered_late", 3103),
    ]);
}

#[test]
fn claims_of_the_outbox_lab() {
    try_claims::<Outbox>(&[
        ("correct", 2427),
        ("two_dispatchers", 15_281),
        ("skip_locked", 11_209),
        ("unclaimed", 22_265),
        ("two_orders", 357_369),
        ("context", 2745),
        ("oldest_running", 196_595),
        ("gap_limit", 198_091),
        ("business_key", 2427),
        ("operator", 1519),
        ("record", 2085),
        ("error_queue", 15_099),
        ("provider", 546),
        ("look_up", 533),
        ("send_after", 202),
        ("send_before", 855),
        ("row_first", 1859),
        ("message_first", 3323),
        ("reply_first", 889),
        ("late_row", 2355),
        ("mark_first", 725),
        ("new_id", 3287),
        ("no_inbox", 2627),
        ("memory_inbox", 2949),
        ("no_claim", 24_645),
        ("lease_alone", 16_025),
        ("claim_for_ever", 3791),
        ("unfenced", 15_695),
        ("lock_no_trace", 3585),
        ("highest_id", 245_593),
        ("gap_short", 201_313),
        ("gap_for_ever", 129_143),
        ("late_retry", 548),
        ("look_up_again", 725),
        ("short_retention", 1586),
        ("record_expired", 2286),
        ("cleaned_unsent", 1465),
        ("neither_again", 571),
        ("neither_person", 391),
        ("neither_sent", 381),
        ("neither_retries", 429),
        ("neither_checks", 394),
    ]);
}

#[test]
fn every_lab_is_tried() {
    let ids: Vec<_> = LABS.iter().map(|lab| lab.id()).collect();
    assert_eq!(
        ids,
        [
            Balance::ID,
            Payment::ID,
            Inbox::ID,
            Outbox::ID,
            Delivery::ID
        ],
        "a test of the claims for each lab"
    );
}

/// What the presets do not have: an id with two contents, an operation typed twice, an overflow,
/// and two workers.
#[test]
fn the_correct_designs_of_the_balance_lab_stay_clean_with_hard_operations() {
    let operations = json!([
        { "id": "a", "delta": i64::MAX },
        { "id": "a", "delta": 1 },
        { "id": "b", "delta": i64::MIN },
        { "id": "a", "delta": i64::MAX },
    ]);
    for preset in Balance::presets()
        .into_iter()
        .filter(|preset| preset.correct)
    {
        for workers in ["one", "threads", "processes"] {
            let changes = json!({ "operations": operations, "workers": workers });
            let settings = preset
                .settings
                .read(&changes)
                .expect("settings of the schema");
            let worst = explored::<Balance>(&settings).worst();
            assert_eq!(worst, Harm::Clean, "{} with {workers}", preset.id);
        }
    }
}
