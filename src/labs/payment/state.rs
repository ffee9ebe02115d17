//! The state: what each participant holds, and the messages under way.

use std::hash::{Hash, Hasher};
use std::num::NonZeroU8;
use std::ops::Range;

use bytemuck::NoUninit;

use super::books::Books;
use super::journal::{Journal, KeptSnapshot, Snapshot};
use super::packed::{PackedCall, PackedEvent, PackedStatus, PackedTask};
use super::plan::{Outcome, Task};

/// How many messages between actor, executor and gateway can be under way at once.
pub const CALLS_MAX: usize = 3;
/// How many different keys one run can make; an actor that would need one more gives up.
pub const KEYS_MAX: usize = 6;
/// How often an actor takes up an open payment again, and how often it calls again at once, where
/// its retries are bounded.
pub const ROUNDS_MAX: u8 = 2;
/// From here on the gateway counts no further.
pub const CHARGES_MAX: u8 = 4;
/// How many copies of the order to pay can be under way to one actor.
pub const PAYS_MAX: u8 = 2;

/// The first payment id, and the first refund id.
pub const FIRST_RECEIPT: ReceiptId = 1;

/// The order's price, and what is given back when it is cancelled: the rest is a fee.
pub const PRICE: i64 = 100;
pub const GIVEN_BACK: i64 = 50;

/// An incarnation of the order actor, or a web node: A or B.
pub type ActorId = u8;
/// The place of a call among the calls under way.
pub type CallId = u8;
/// A payment id or refund id of the gateway, counted from 1; 0 where somebody assumes success
/// without having one.
pub type ReceiptId = u8;

/// Bytes without gaps, as many as a processor fetches at once. So it is compared and hashed whole, and
/// not field by field.
#[derive(Clone, Copy, Debug, NoUninit)]
#[repr(C, align(64))]
pub struct State {
    /// Volatile.
    first_actor: Actor,
    second_actor: Actor,
    /// Durable.
    pub journal: Journal,
    snapshot: KeptSnapshot,
    /// The messages under way, oldest first.
    calls: [PackedCall; CALLS_MAX],
    /// Outside: what really happened.
    pub gateway: Books,
    /// Outside.
    pub customer: Customer,
    /// How many keys have been made.
    pub keys_made: u8,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let [a, b]: [&[[u64; 4]; 2]; 2] = [self, other].map(bytemuck::must_cast_ref);
        // Without a loop, which a compiler that saves room would keep.
        let differences = |a: &[u64; 4], b: &[u64; 4]| {
            (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])
        };
        differences(&a[0], &b[0]) | differences(&a[1], &b[1]) == 0
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(bytemuck::bytes_of(self));
    }
}

#[derive(Clone, Copy, Debug, NoUninit)]
#[repr(C)]
pub struct Actor {
    pub life: Life,
    pub memory: Memory,
    /// How many events of the journal it knows.
    pub seen: u8,
    task: PackedTask,
    staged: PackedEvent,
    /// How often it has taken up the open payment or refund again.
    pub rounds: u8,
    /// Whether a 5xx was answered under the key, so that the gateway will do nothing more for it.
    pub burnt: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, NoUninit)]
#[repr(u8)]
pub enum Life {
    NotStarted,
    Up,
    Down,
    /// Started again; the events are not replayed yet.
    Recovering,
}

/// What the events say: the fold of the journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, NoUninit)]
#[repr(C)]
pub struct Memory {
    /// By operation.
    statuses: [PackedStatus; 2],
    /// The key that was persisted with the intent, where it cannot be derived from the order.
    pub key: Option<Key>,
    pub cancelled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    NotRequested,
    Pending,
    Completed(ReceiptId),
    Failed,
    Unknown,
}

/// What is done at the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Charge,
    Refund,
}

pub const OPERATIONS: [Operation; 2] = [Operation::Charge, Operation::Refund];

/// An idempotency key, counted from 1.
pub type Key = NonZeroU8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Requested(Operation, Option<Key>),
    Settled(Operation, Outcome),
    Cancelled,
}

/// One request to the gateway with its answer: a message, wherever on its way it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub operation: Operation,
    pub ask: Ask,
    pub key: Option<Key>,
    /// Who asked.
    pub actor: ActorId,
    /// Whether who asked still waits for it.
    pub awaited: bool,
    /// Whether the executor still holds the connection on which the answer would come.
    pub connected: bool,
    pub hop: Hop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Charge, or refund.
    Execute,
    /// Tell what became of it.
    LookUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hop {
    /// From the actor to the executor.
    ToExecutor,
    /// From the executor to the gateway.
    ToGateway,
    /// The gateway works on it.
    AtGateway,
    /// A home-made gateway has charged, and not recorded it yet.
    Charged(ReceiptId),
    /// From the gateway to the executor.
    Back(Answer),
    /// From the executor to the actor; also the gateway's webhook.
    ToActor(Answer),
}

/// What the gateway answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Done(ReceiptId),
    /// Refused; a refusal that is not confirmed can still be followed by a success.
    Refused {
        confirmed: bool,
    },
    /// 409: the first request with this key is still running.
    InUse,
    /// 422: the key was used for other content.
    OtherContent,
    /// 400: no key.
    NoKey,
    /// 5xx.
    ServerError,
    /// A look-up finds nothing.
    NotFound,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, NoUninit)]
#[repr(C)]
pub struct Customer {
    pub told: Told,
    /// Copies of the order to pay under way, by the actor to which they go.
    pub pays: [u8; 2],
    pub has_paid: bool,
    pub cancel: Asked,
    /// Whether the customer has paid anew after hearing that the payment failed.
    pub anew: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, NoUninit)]
#[repr(u8)]
pub enum Told {
    #[default]
    Nothing,
    /// "We are looking into it."
    Pending,
    Paid,
    Failed,
    Cancelled,
}

/// A command of the customer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, NoUninit)]
#[repr(u8)]
pub enum Asked {
    #[default]
    Not,
    UnderWay,
    Arrived,
}

impl Status {
    /// Somebody has to find out what became of it.
    pub fn is_open(self) -> bool {
        matches!(self, Status::Pending | Status::Unknown)
    }
}

impl Memory {
    pub fn status(&self, operation: Operation) -> Status {
        self.statuses[operation as usize].get()
    }

    pub fn set_status(&mut self, operation: Operation, status: Status) {
        self.statuses[operation as usize].set(status);
    }

    pub fn charge(&self) -> Status {
        self.status(Operation::Charge)
    }

    pub fn refund(&self) -> Status {
        self.status(Operation::Refund)
    }

    /// Whether the charge or the refund is open.
    pub fn is_open(&self) -> bool {
        self.charge().is_open() || self.refund().is_open()
    }
}

impl Actor {
    pub fn new(life: Life) -> Actor {
        Actor {
            life,
            memory: Memory::default(),
            seen: 0,
            task: PackedTask::default(),
            staged: PackedEvent::default(),
            rounds: 0,
            burnt: false,
        }
    }

    pub fn task(&self) -> Option<Task> {
        self.task.get()
    }

    pub fn is_at_work(&self) -> bool {
        self.task != PackedTask::default()
    }

    pub fn set_task(&mut self, task: Option<Task>) {
        self.task.set(task);
    }

    /// Changes the task, if there is one.
    pub fn change_task(&mut self, change: impl FnOnce(&mut Task)) {
        if let Some(mut task) = self.task() {
            change(&mut task);
            self.set_task(Some(task));
        }
    }

    /// Whether its task waits for an answer.
    pub fn waits(&self) -> bool {
        self.task().is_some_and(|task| task.waiting)
    }

    /// An intent written in a transaction that is still open.
    pub fn staged(&self) -> Option<Event> {
        self.staged.get()
    }

    pub fn stage(&mut self, event: Option<Event>) {
        self.staged.set(event);
    }
}

impl State {
    pub fn new([first_actor, second_actor]: [Actor; 2]) -> State {
        State {
            first_actor,
            second_actor,
            journal: Journal::default(),
            snapshot: KeptSnapshot::new(None),
            calls: Default::default(),
            gateway: Books::default(),
            customer: Customer::default(),
            keys_made: 0,
        }
    }

    pub fn snapshot(&self) -> Option<Snapshot> {
        self.snapshot.get()
    }

    pub fn set_snapshot(&mut self, snapshot: Option<Snapshot>) {
        self.snapshot = KeptSnapshot::new(snapshot);
    }

    /// The actors that were ever started. A second incarnation hardly ever was.
    pub fn actors(&self) -> Range<ActorId> {
        match self.second_actor.life {
            Life::NotStarted => 0..1,
            _ => 0..2,
        }
    }

    pub fn actor(&self, id: ActorId) -> &Actor {
        match id {
            0 => &self.first_actor,
            _ => &self.second_actor,
        }
    }

    pub fn actor_mut(&mut self, id: ActorId) -> &mut Actor {
        match id {
            0 => &mut self.first_actor,
            _ => &mut self.second_actor,
        }
    }

    pub fn call(&self, id: CallId) -> Option<Call> {
        self.calls.get(usize::from(id))?.get()
    }

    /// The calls under way, with their places.
    pub fn calls(&self) -> impl Iterator<Item = (CallId, Call)> {
        (0..).zip(self.calls.iter().map_while(|call| call.get()))
    }

    pub fn has_calls(&self) -> bool {
        !is_free(&self.calls[0])
    }

    /// The key that an intent brings with it has been made.
    pub fn count_key(&mut self, event: Event) {
        if let Event::Requested(_, Some(key)) = event {
            self.keys_made = self.keys_made.max(key.get());
        }
    }

    pub fn has_free_call(&self) -> bool {
        is_free(&self.calls[CALLS_MAX - 1])
    }

    /// Adds a call; without room for it the message is lost.
    pub fn add_call(&mut self, call: Call) {
        let mut places = self.calls.iter_mut();
        if let Some(free) = places.find(|place| is_free(place)) {
            free.set(Some(call));
        }
    }

    /// Keeps only such calls; the others move up, so that the oldest stands first.
    pub fn keep_calls(&mut self, keep: impl Fn(&Call) -> bool) {
        let calls = std::mem::take(&mut self.calls);
        let is_kept = |call: &PackedCall| call.get().is_some_and(|call| keep(&call));
        let left = calls.into_iter().filter(is_kept);
        for (place, call) in self.calls.iter_mut().zip(left) {
            *place = call;
        }
    }

    /// Removes a call; those after it move up.
    pub fn remove_call(&mut self, id: CallId) {
        let place = usize::from(id);
        self.calls.copy_within(place + 1.., place);
        self.calls[CALLS_MAX - 1].set(None);
    }

    /// Changes a call, if there is one in this place.
    pub fn change_call(&mut self, id: CallId, change: impl FnOnce(&mut Call)) {
        if let Some(place) = self.calls.get_mut(usize::from(id))
            && let Some(mut call) = place.get()
        {
            change(&mut call);
            place.set(Some(call));
        }
    }

    /// Moves a call to its next hop.
    pub fn set_hop(&mut self, id: CallId, hop: Hop) {
        self.change_call(id, |call| call.hop = hop);
    }

    /// Whether an answer can still come to an actor that waits for one.
    pub fn is_awaited_by(&self, actor: ActorId) -> bool {
        self.calls()
            .any(|(_, call)| call.awaited && call.actor == actor)
    }

    /// Whoever waited does so no longer; what comes now comes late.
    pub fn stop_awaiting(&mut self, actor: ActorId) {
        for place in &mut self.calls {
            if let Some(call) = place.get()
                && call.awaited
                && call.actor == actor
            {
                let awaited = false;
                place.set(Some(Call { awaited, ..call }));
            }
        }
    }
}

/// Whether there is no call in a place.
fn is_free(place: &PackedCall) -> bool {
    *place == PackedCall::default()
}
