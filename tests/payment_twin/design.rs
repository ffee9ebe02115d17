//! How an order is paid: the settings of the lab, read by their names.

use serde_json::Value as Json;

use super::state::{Operation, Step};

/// One option for each setting.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    handler: [Option<Step>; 5],
    pub gateway: Gateway,
    pub key: KeySource,
    pub ambiguous: Ambiguous,
    pub recovery: Recovery,
    pub call_in: CallIn,
    pub snapshots: Snapshots,
    pub append: Append,
    pub cancel: Cancel,
    pub status_is_bool: bool,
    pub retries_are_bounded: bool,
    pub in_use_is_failed: bool,
    pub refusals_are_final: bool,
    pub old_key_is_used: bool,
    pub outcome_is_a_flag: bool,
    pub intent_is_staged: bool,
    pub two_nodes: bool,
    pub completion_is_overwritten: bool,
    pub two_orders: bool,
    pub early_cancel_is_forgotten: bool,
    pub refund_has_new_id: bool,
    pub person_reconciles: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gateway {
    FirstAnswer,
    Ietf,
    LookUp,
    Neither,
    OperationsTable,
    SelectInsert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySource {
    Stable,
    None,
    PerAttempt,
    Coarse,
    DeletedOnFailure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ambiguous {
    Unknown,
    Failed,
    Retry,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    Resolve,
    Restart,
    Nothing,
}

/// Where the call to the gateway is made: in a step of its own, or in the handler of the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallIn {
    Step,
    EveryEvent,
    LiveEvents,
    LiveAndLast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Snapshots {
    None,
    Current,
    Stale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Append {
    ExpectedVersion,
    ZeroIsAny,
    Unchecked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancel {
    Never,
    SameSender,
    OtherSender,
}

impl Design {
    /// Reads settings as they stand in a file.
    pub fn read(settings: &Json) -> Design {
        let pick = |id: &str| settings[id].as_str().expect("an option");
        let is = |id: &str, yes: &str, no: &str| one_of(pick(id), [(yes, true), (no, false)]);
        Design {
            handler: read_handler(&settings["handler"]),
            gateway: read_gateway(pick("gateway")),
            key: read_key(pick("key")),
            ambiguous: read_ambiguous(pick("ambiguous")),
            recovery: read_recovery(pick("recovery")),
            call_in: read_call_in(pick("call_in")),
            snapshots: read_snapshots(pick("snapshots")),
            append: read_append(pick("append")),
            cancel: read_cancel(pick("cancel")),
            status_is_bool: is("status", "bool", "five"),
            retries_are_bounded: is("retries", "bounded", "endless"),
            in_use_is_failed: is("in_use", "failed", "retry"),
            refusals_are_final: is("refusals", "final", "confirm"),
            old_key_is_used: is("old_key", "used", "not_used"),
            outcome_is_a_flag: is("record", "flag", "event"),
            intent_is_staged: is("guard", "open_transaction", "committed"),
            two_nodes: is("paths", "two_nodes", "one"),
            completion_is_overwritten: is("completion", "overwritten", "kept"),
            two_orders: is("orders", "two", "one"),
            early_cancel_is_forgotten: is("early_cancel", "forgotten", "remembered"),
            refund_has_new_id: is("refund", "new_id", "own_id"),
            person_reconciles: is("person", "reconciles", "absent"),
        }
    }

    /// The step at a place of the handler, if it is that long.
    pub fn handler_step(&self, place: u8) -> Option<Step> {
        self.handler.get(usize::from(place)).copied().flatten()
    }

    pub fn calls_in_event_handler(&self) -> bool {
        self.call_in != CallIn::Step
    }

    pub fn has_derived_key(&self, operation: Operation) -> bool {
        let stable = matches!(self.key, KeySource::Stable | KeySource::Coarse);
        self.gateway.takes_keys()
            && match operation {
                Operation::Charge => stable,
                Operation::Refund => !self.refund_has_new_id,
            }
    }

    /// The key of a charge stands in a row that is deleted when the charge fails.
    pub fn has_key_row(&self) -> bool {
        self.key == KeySource::DeletedOnFailure
    }
}

impl Gateway {
    pub fn takes_keys(self) -> bool {
        self.compares_content() || self.is_home_made()
    }

    pub fn compares_content(self) -> bool {
        matches!(self, Gateway::FirstAnswer | Gateway::Ietf)
    }

    pub fn is_home_made(self) -> bool {
        matches!(self, Gateway::OperationsTable | Gateway::SelectInsert)
    }

    pub fn finds_payments(self) -> bool {
        !matches!(self, Gateway::Ietf | Gateway::Neither)
    }
}

fn one_of<T: Copy, const N: usize>(name: &str, options: [(&str, T); N]) -> T {
    let option = options.iter().find(|(known, _)| *known == name);
    option.unwrap_or_else(|| panic!("{name} is no option")).1
}

fn read_handler(json: &Json) -> [Option<Step>; 5] {
    let mut handler = [None; 5];
    let steps = json.as_array().expect("a list of steps");
    for (place, step) in handler.iter_mut().zip(steps) {
        let known = [
            ("check", Step::Check),
            ("intent", Step::Intent),
            ("call", Step::Call),
            ("outcome", Step::Outcome),
            ("reply", Step::Reply),
        ];
        *place = Some(one_of(step.as_str().expect("a step"), known));
    }
    handler
}

fn read_gateway(name: &str) -> Gateway {
    let known = [
        ("first_answer", Gateway::FirstAnswer),
        ("ietf", Gateway::Ietf),
        ("look_up", Gateway::LookUp),
        ("neither", Gateway::Neither),
        ("operations_table", Gateway::OperationsTable),
        ("select_insert", Gateway::SelectInsert),
    ];
    one_of(name, known)
}

fn read_key(name: &str) -> KeySource {
    let known = [
        ("stable", KeySource::Stable),
        ("none", KeySource::None),
        ("per_attempt", KeySource::PerAttempt),
        ("coarse", KeySource::Coarse),
        ("deleted_on_failure", KeySource::DeletedOnFailure),
    ];
    one_of(name, known)
}

fn read_ambiguous(name: &str) -> Ambiguous {
    let known = [
        ("unknown", Ambiguous::Unknown),
        ("failed", Ambiguous::Failed),
        ("retry", Ambiguous::Retry),
    ];
    one_of(name, known)
}

fn read_recovery(name: &str) -> Recovery {
    let known = [
        ("resolve", Recovery::Resolve),
        ("restart", Recovery::Restart),
        ("nothing", Recovery::Nothing),
    ];
    one_of(name, known)
}

fn read_call_in(name: &str) -> CallIn {
    let known = [
        ("step", CallIn::Step),
        ("every_event", CallIn::EveryEvent),
        ("live_events", CallIn::LiveEvents),
        ("live_and_last", CallIn::LiveAndLast),
    ];
    one_of(name, known)
}

fn read_snapshots(name: &str) -> Snapshots {
    let known = [
        ("none", Snapshots::None),
        ("current", Snapshots::Current),
        ("stale", Snapshots::Stale),
    ];
    one_of(name, known)
}

fn read_append(name: &str) -> Append {
    let known = [
        ("expected_version", Append::ExpectedVersion),
        ("zero_is_any", Append::ZeroIsAny),
        ("unchecked", Append::Unchecked),
    ];
    one_of(name, known)
}

fn read_cancel(name: &str) -> Cancel {
    let known = [
        ("never", Cancel::Never),
        ("same_sender", Cancel::SameSender),
        ("other_sender", Cancel::OtherSender),
    ];
    one_of(name, known)
}
