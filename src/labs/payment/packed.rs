//! How the parts of a state fit into bytes. A search keeps millions of states, and hashes, compares
//! and copies them all the time: that is quick where a state is a few bytes without gaps. Nobody else
//! sees the bytes.

use std::fmt;

use bytemuck::{Pod, Zeroable};

use super::books::Record;
use super::plan::{Outcome, Plan, Task};
use super::state::{Answer, Ask, Call, Event, Hop, Key, Operation, ReceiptId, Status};

/// What can be written in so many bytes, each value in one way. Zeros are what there is at first.
pub trait Pack<const BYTES: usize>: Copy {
    fn pack(self) -> [u8; BYTES];
    /// The value that was packed to these bytes.
    fn unpack(bytes: [u8; BYTES]) -> Self;
}

macro_rules! packed {
    ($($name:ident: $value:ty, $bytes:literal;)*) => {$(
        #[doc = concat!("[`", stringify!($value), "`]")]
        #[derive(Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name([u8; $bytes]);

        impl $name {
            #[inline]
            pub fn get(self) -> $value {
                Pack::unpack(self.0)
            }
            #[inline]
            pub fn set(&mut self, value: $value) {
                self.0 = value.pack();
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                self.get().fmt(f)
            }
        }
    )*};
}

packed! {
    PackedStatus: Status, 1;
    PackedEvent: Option<Event>, 1;
    PackedRecord: Record, 1;
    PackedFlags: [bool; 2], 1;
    PackedTask: Option<Task>, 2;
    PackedCall: Option<Call>, 2;
}

/// What each byte means, worked out beforehand: a processor looks it up more quickly than it takes a byte
/// apart, whose content it cannot foresee.
macro_rules! look_up {
    ($unpack:ident($byte:expr) -> $value:ty) => {{
        static VALUES: [$value; 256] = {
            let mut values = [$unpack(0); 256];
            let mut byte = 1;
            while byte < values.len() {
                values[byte] = $unpack(byte as u8);
                byte += 1;
            }
            values
        };
        VALUES[usize::from($byte)]
    }};
}

/// Receipts are counted up to less than this.
const RECEIPTS: u8 = 16;

const FAILED: u8 = RECEIPTS;
const UNKNOWN: u8 = RECEIPTS + 1;
/// No outcome yet.
const OPEN: u8 = RECEIPTS + 2;

#[inline]
fn pack_receipt(receipt: ReceiptId) -> u8 {
    debug_assert!(receipt < RECEIPTS);
    receipt
}

impl Pack<1> for Status {
    #[inline]
    fn pack(self) -> [u8; 1] {
        [match self {
            Status::NotRequested => 0,
            Status::Pending => join(1, 0),
            Status::Completed(receipt) => join(2, pack_receipt(receipt)),
            Status::Failed => join(3, 0),
            Status::Unknown => join(4, 0),
        }]
    }
    #[inline]
    fn unpack([byte]: [u8; 1]) -> Status {
        look_up!(unpack_status(byte) -> Status)
    }
}

const fn unpack_status(byte: u8) -> Status {
    match part(byte) {
        (0, _) => Status::NotRequested,
        (1, _) => Status::Pending,
        (2, receipt) => Status::Completed(receipt),
        (3, _) => Status::Failed,
        (_, _) => Status::Unknown,
    }
}

impl Pack<1> for [bool; 2] {
    #[inline]
    fn pack(self) -> [u8; 1] {
        [u8::from(self[1]) << 1 | u8::from(self[0])]
    }
    #[inline]
    fn unpack([byte]: [u8; 1]) -> [bool; 2] {
        [byte & 1 != 0, byte & 2 != 0]
    }
}

/// In five bits.
#[inline]
fn pack_outcome(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Done(receipt) => pack_receipt(receipt),
        Outcome::Failed => FAILED,
        Outcome::Unknown => UNKNOWN,
    }
}

const fn unpack_outcome(bits: u8) -> Outcome {
    match bits {
        FAILED => Outcome::Failed,
        UNKNOWN => Outcome::Unknown,
        receipt => Outcome::Done(receipt),
    }
}

/// In five bits.
#[inline]
fn pack_answer(answer: Answer) -> u8 {
    match answer {
        Answer::Done(receipt) => pack_receipt(receipt),
        Answer::Refused { confirmed } => RECEIPTS + u8::from(confirmed),
        Answer::InUse => RECEIPTS + 2,
        Answer::OtherContent => RECEIPTS + 3,
        Answer::NoKey => RECEIPTS + 4,
        Answer::ServerError => RECEIPTS + 5,
        Answer::NotFound => RECEIPTS + 6,
    }
}

const fn unpack_answer(bits: u8) -> Answer {
    match bits.checked_sub(RECEIPTS) {
        None => Answer::Done(bits),
        Some(0) => Answer::Refused { confirmed: false },
        Some(1) => Answer::Refused { confirmed: true },
        Some(2) => Answer::InUse,
        Some(3) => Answer::OtherContent,
        Some(4) => Answer::NoKey,
        Some(5) => Answer::ServerError,
        Some(_) => Answer::NotFound,
    }
}

/// In three bits: there are six keys, and the one that stands for none of them.
#[inline]
fn pack_key(key: Option<Key>) -> u8 {
    const OTHER: u8 = 7;
    key.map_or(0, |key| key.get().min(OTHER))
}

#[inline]
const fn unpack_key(bits: u8) -> Option<Key> {
    match bits {
        7 => Some(Key::MAX),
        number => Key::new(number),
    }
}

fn pack_operation(operation: Operation) -> u8 {
    operation as u8
}

#[inline]
const fn unpack_operation(bit: u8) -> Operation {
    match bit & 1 {
        0 => Operation::Charge,
        _ => Operation::Refund,
    }
}

/// Puts what is told apart by three bits above what has five.
#[inline]
fn join(kind: u8, content: u8) -> u8 {
    kind << 5 | content
}

#[inline]
const fn part(byte: u8) -> (u8, u8) {
    (byte >> 5, byte & 31)
}

impl Pack<1> for Option<Event> {
    #[inline]
    fn pack(self) -> [u8; 1] {
        [match self {
            None => 0,
            Some(Event::Cancelled) => join(1, 0),
            Some(Event::Requested(operation, key)) => {
                join(2 + pack_operation(operation), pack_key(key))
            }
            Some(Event::Settled(operation, outcome)) => {
                join(4 + pack_operation(operation), pack_outcome(outcome))
            }
        }]
    }
    #[inline]
    fn unpack([byte]: [u8; 1]) -> Option<Event> {
        look_up!(unpack_event(byte) -> Option<Event>)
    }
}

const fn unpack_event(byte: u8) -> Option<Event> {
    Some(match part(byte) {
        (0, _) => return None,
        (1, _) => Event::Cancelled,
        (kind @ (2 | 3), key) => Event::Requested(unpack_operation(kind), unpack_key(key)),
        (kind, outcome) => Event::Settled(unpack_operation(kind), unpack_outcome(outcome)),
    })
}

impl Pack<1> for Record {
    #[inline]
    fn pack(self) -> [u8; 1] {
        [match self {
            Record::Free => 0,
            Record::Processing => join(1, 0),
            Record::Answered(answer) => join(2, pack_answer(answer)),
            Record::OfNeighbour(answer) => join(3, pack_answer(answer)),
        }]
    }
    #[inline]
    fn unpack([byte]: [u8; 1]) -> Record {
        look_up!(unpack_record(byte) -> Record)
    }
}

const fn unpack_record(byte: u8) -> Record {
    match part(byte) {
        (0, _) => Record::Free,
        (1, _) => Record::Processing,
        (2, answer) => Record::Answered(unpack_answer(answer)),
        (_, answer) => Record::OfNeighbour(unpack_answer(answer)),
    }
}

#[inline]
fn pack_hop(hop: Hop) -> u8 {
    match hop {
        Hop::ToExecutor => join(1, 0),
        Hop::ToGateway => join(2, 0),
        Hop::AtGateway => join(3, 0),
        Hop::Charged(receipt) => join(4, pack_receipt(receipt)),
        Hop::Back(answer) => join(5, pack_answer(answer)),
        Hop::ToActor(answer) => join(6, pack_answer(answer)),
    }
}

const fn unpack_hop(byte: u8) -> Option<Hop> {
    Some(match part(byte) {
        (0, _) => return None,
        (1, _) => Hop::ToExecutor,
        (2, _) => Hop::ToGateway,
        (3, _) => Hop::AtGateway,
        (4, receipt) => Hop::Charged(receipt),
        (5, answer) => Hop::Back(unpack_answer(answer)),
        (_, answer) => Hop::ToActor(unpack_answer(answer)),
    })
}

impl Pack<2> for Option<Call> {
    #[inline]
    fn pack(self) -> [u8; 2] {
        let Some(call) = self else {
            return [0; 2];
        };
        let asked = call.actor << 4
            | u8::from(call.awaited) << 3
            | u8::from(call.connected) << 2
            | (call.ask as u8) << 1
            | pack_operation(call.operation);
        [pack_hop(call.hop), join(pack_key(call.key), asked)]
    }
    #[inline]
    fn unpack([hop, asked]: [u8; 2]) -> Option<Call> {
        let hop = look_up!(unpack_hop(hop) -> Option<Hop>)?;
        let (key, asked) = part(asked);
        Some(Call {
            operation: unpack_operation(asked),
            ask: match asked & 2 {
                0 => Ask::Execute,
                _ => Ask::LookUp,
            },
            key: unpack_key(key),
            actor: asked >> 4,
            awaited: asked & 8 != 0,
            connected: asked & 4 != 0,
            hop,
        })
    }
}

const fn unpack_result(bits: u8) -> Option<Outcome> {
    match bits {
        OPEN => None,
        outcome => Some(unpack_outcome(outcome)),
    }
}

const PLANS: [Plan; 5] = [
    Plan::Handler,
    Plan::Resolve,
    Plan::Settle,
    Plan::Cancel,
    Plan::Refund,
];

impl Pack<2> for Option<Task> {
    #[inline]
    fn pack(self) -> [u8; 2] {
        let Some(task) = self else {
            return [0; 2];
        };
        debug_assert!(task.next < 8 && task.retries < 8);
        let what = (task.plan as u8 + 1) << 2 | u8::from(task.waiting) << 1 | task.operation as u8;
        let result = task.result.map_or(OPEN, pack_outcome);
        [join(task.next, what), join(task.retries, result)]
    }
    #[inline]
    fn unpack([first, second]: [u8; 2]) -> Option<Task> {
        let (next, what) = part(first);
        let plan = *PLANS.get(usize::from(what >> 2).checked_sub(1)?)?;
        let (retries, result) = part(second);
        Some(Task {
            operation: unpack_operation(what),
            plan,
            next,
            waiting: what & 2 != 0,
            result: look_up!(unpack_result(result) -> Option<Outcome>),
            retries,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{KEYS_MAX, OPERATIONS, ROUNDS_MAX};
    use super::*;

    fn outcomes() -> Vec<Outcome> {
        let done = (0..RECEIPTS).map(Outcome::Done);
        done.chain([Outcome::Failed, Outcome::Unknown]).collect()
    }

    fn answers() -> Vec<Answer> {
        let others = [
            Answer::Refused { confirmed: false },
            Answer::Refused { confirmed: true },
            Answer::InUse,
            Answer::OtherContent,
            Answer::NoKey,
            Answer::ServerError,
            Answer::NotFound,
        ];
        (0..RECEIPTS).map(Answer::Done).chain(others).collect()
    }

    fn keys() -> Vec<Option<Key>> {
        let made = (0..=KEYS_MAX as u8).map(Key::new);
        made.chain([Some(Key::MAX)]).collect()
    }

    /// Each value comes back, and no two have the same bytes; what there is at first is zeros.
    fn assert_tells_apart<const BYTES: usize, T>(first: T, others: impl IntoIterator<Item = T>)
    where
        T: Pack<BYTES> + PartialEq + fmt::Debug,
    {
        let mut seen = vec![[0; BYTES]];
        assert_eq!(first.pack(), [0; BYTES]);
        assert_eq!(T::unpack([0; BYTES]), first);
        for value in others {
            let bytes = value.pack();
            assert_eq!(T::unpack(bytes), value);
            assert!(!seen.contains(&bytes), "{value:?}");
            seen.push(bytes);
        }
    }

    #[test]
    fn statuses_events_and_records_fit_into_bytes() {
        let named = [Status::Pending, Status::Failed, Status::Unknown];
        let completed = (0..RECEIPTS).map(Status::Completed);
        assert_tells_apart(Status::NotRequested, completed.chain(named));

        let mut events = vec![Some(Event::Cancelled)];
        for operation in OPERATIONS {
            let requested = keys()
                .into_iter()
                .map(|key| Event::Requested(operation, key));
            let settled = outcomes()
                .into_iter()
                .map(|outcome| Event::Settled(operation, outcome));
            events.extend(requested.chain(settled).map(Some));
        }
        assert_tells_apart(None, events);

        let mut records = vec![Record::Processing];
        records.extend(answers().into_iter().map(Record::Answered));
        records.extend(answers().into_iter().map(Record::OfNeighbour));
        assert_tells_apart(Record::Free, records);

        let flags = [[true, false], [false, true], [true, true]];
        assert_tells_apart([false, false], flags);
    }

    #[test]
    fn calls_fit_into_two_bytes() {
        let mut hops = vec![Hop::ToExecutor, Hop::ToGateway, Hop::AtGateway];
        hops.extend((0..RECEIPTS).map(Hop::Charged));
        hops.extend(answers().into_iter().map(Hop::Back));
        hops.extend(answers().into_iter().map(Hop::ToActor));
        let mut calls = Vec::new();
        for hop in hops {
            for key in keys() {
                for bits in 0..32 {
                    calls.push(Some(Call {
                        operation: OPERATIONS[bits & 1],
                        ask: [Ask::Execute, Ask::LookUp][bits >> 1 & 1],
                        key,
                        actor: (bits >> 2 & 1) as u8,
                        awaited: bits >> 3 & 1 != 0,
                        connected: bits >> 4 != 0,
                        hop,
                    }));
                }
            }
        }
        assert_tells_apart(None, calls);
    }

    #[test]
    fn tasks_fit_into_two_bytes() {
        let results = outcomes().into_iter().map(Some).chain([None]);
        let mut tasks = Vec::new();
        for result in results {
            for plan in PLANS {
                for bits in 0..64 {
                    tasks.push(Some(Task {
                        operation: OPERATIONS[bits & 1],
                        plan,
                        next: (bits >> 1 & 7) as u8,
                        waiting: bits >> 4 & 1 != 0,
                        result,
                        retries: (bits >> 5) as u8 * ROUNDS_MAX,
                    }));
                }
            }
        }
        assert_tells_apart(None, tasks);
    }
}
