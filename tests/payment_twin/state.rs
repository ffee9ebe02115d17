//! What there is at a moment: small numbers and enums, copied as a whole.

pub const A: usize = 0;
pub const B: usize = 1;

/// How many of each thing there can be; more would only make the space of states larger.
pub const EVENTS_MAX: usize = 10;
pub const CALLS_MAX: usize = 3;
pub const KEYS_MAX: usize = 6;
pub const CHARGES_MAX: u8 = 4;
pub const ORDERS_MAX: u8 = 2;
pub const RETRIES_MAX: u8 = 2;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    pub actors: [Actor; 2],
    pub journal: Journal,
    pub snapshot: Option<Snapshot>,
    pub calls: Calls,
    pub books: Books,
    pub customer: Customer,
    /// How many fresh keys were made.
    pub keys_made: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Charge,
    Refund,
}

impl Operation {
    pub const ALL: [Operation; 2] = [Operation::Charge, Operation::Refund];
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Key {
    #[default]
    None,
    /// Counted from 1; the gateway keeps a record of it.
    Number(u8),
    /// Never comes twice, so that nobody keeps a record of it.
    Once,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Actor {
    pub life: Life,
    pub memory: Memory,
    /// How many events of the journal it has seen.
    pub seen: u8,
    pub task: Option<Task>,
    pub staged: Option<Event>,
    /// How often it took up an open operation, since none was open.
    pub rounds: u8,
    /// The gateway answered a key with an error and will for ever, without having worked.
    pub burnt: bool,
}

impl Actor {
    pub fn is_idle(&self) -> bool {
        self.life == Life::Up && self.task.is_none()
    }

    pub fn waits(&self) -> bool {
        self.task.is_some_and(|task| task.waits)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Life {
    #[default]
    NotStarted,
    Up,
    Down,
    Recovering,
}

/// What the events add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    pub charge: Status,
    pub refund: Status,
    pub key: Key,
    pub cancelled: bool,
}

impl Memory {
    pub fn status(&self, operation: Operation) -> Status {
        match operation {
            Operation::Charge => self.charge,
            Operation::Refund => self.refund,
        }
    }

    pub fn has_open_operation(&self) -> bool {
        self.charge.is_open() || self.refund.is_open()
    }

    /// Money is to be given back.
    pub fn owes(&self) -> bool {
        self.cancelled && self.charge.is_completed() && !self.refund.is_completed()
    }

    pub fn is_open(&self) -> bool {
        self.has_open_operation() || self.owes()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    #[default]
    NotRequested,
    Pending,
    Completed(u8),
    Failed,
    Unknown,
}

impl Status {
    pub fn is_open(self) -> bool {
        matches!(self, Status::Pending | Status::Unknown)
    }

    pub fn is_completed(self) -> bool {
        matches!(self, Status::Completed(_))
    }
}

/// How an operation ended, as far as an actor knows; done comes with a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Done(u8),
    Failed,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    pub operation: Operation,
    pub plan: Plan,
    /// The place of the next step in the plan.
    pub place: u8,
    pub waits: bool,
    pub result: Option<Outcome>,
    pub retries: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    Handler,
    Resolve,
    Settle,
    Cancel,
    Refund,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Check,
    Intent,
    Call,
    LookUp,
    Outcome,
    Reply,
    Cancel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    Requested(Operation, Key),
    Settled(Operation, Outcome),
    Cancelled,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Journal {
    events: [Option<Event>; EVENTS_MAX],
    pub len: u8,
}

impl Journal {
    pub fn has_room_for(&self, events: usize) -> bool {
        usize::from(self.len) + events <= EVENTS_MAX
    }

    /// Stores an event, if there is room.
    pub fn store(&mut self, event: Event) {
        if let Some(place) = self.events.get_mut(usize::from(self.len)) {
            *place = Some(event);
            self.len += 1;
        }
    }

    pub fn after(&self, seen: u8) -> impl Iterator<Item = Event> {
        self.events.into_iter().flatten().skip(usize::from(seen))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    pub seen: u8,
    pub memory: Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub operation: Operation,
    pub asks: Asks,
    pub key: Key,
    pub actor: u8,
    pub awaited: bool,
    pub connected: bool,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asks {
    Execute,
    LookUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    ToExecutor,
    ToGateway,
    AtGateway,
    /// Done by a home-made gateway, with this receipt, and not yet recorded.
    Charged(u8),
    Back(Answer),
    ToActor(Answer),
}

impl Place {
    pub fn is_inside_gateway(self) -> bool {
        matches!(self, Place::AtGateway | Place::Charged(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    Done(u8),
    Refused {
        confirmed: bool,
    },
    /// 422: the key came with other content.
    OtherContent,
    /// 400: there is no key.
    NoKey,
    /// 409: the key is in use.
    InUse,
    /// 5xx.
    ServerError,
    NotFound,
}

/// The calls, the oldest first, without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Calls([Option<Call>; CALLS_MAX]);

impl Calls {
    pub fn have_room(&self) -> bool {
        self.0[CALLS_MAX - 1].is_none()
    }

    pub fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }

    /// Adds the youngest call; without room it is lost.
    pub fn push(&mut self, call: Call) {
        if let Some(place) = self.0.iter_mut().find(|place| place.is_none()) {
            *place = Some(call);
        }
    }

    pub fn remove(&mut self, index: usize) {
        self.0[index..].rotate_left(1);
        self.0[CALLS_MAX - 1] = None;
    }

    pub fn retain(&mut self, keep: impl Fn(&Call) -> bool) {
        let mut kept = Calls::default();
        self.iter().filter(keep).for_each(|call| kept.push(call));
        *self = kept;
    }

    pub fn get(&self, index: usize) -> Call {
        self.0[index].expect("a call")
    }

    pub fn get_mut(&mut self, index: usize) -> &mut Call {
        self.0[index].as_mut().expect("a call")
    }

    pub fn iter(&self) -> impl Iterator<Item = Call> {
        self.0.into_iter().flatten()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Call> {
        self.0.iter_mut().flatten()
    }

    pub fn is_one_awaited_by(&self, who: usize) -> bool {
        self.iter()
            .any(|call| call.awaited && usize::from(call.actor) == who)
    }

    pub fn are_no_longer_awaited_by(&mut self, who: usize) {
        let own = |call: &&mut Call| usize::from(call.actor) == who;
        self.iter_mut()
            .filter(own)
            .for_each(|call| call.awaited = false);
    }
}

/// What the gateway holds; this is the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Books {
    pub charge_records: [Record; KEYS_MAX],
    pub refund_record: Record,
    pub charges: u8,
    pub refunds: u8,
    /// The receipt of the first charge.
    pub first_receipt: u8,
    pub refused: Refused,
    pub neighbour: Neighbour,
    pub charge_key_expired: bool,
    pub refund_key_expired: bool,
}

impl Books {
    pub fn is_key_expired(&self, operation: Operation) -> bool {
        match operation {
            Operation::Charge => self.charge_key_expired,
            Operation::Refund => self.refund_key_expired,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Record {
    #[default]
    Free,
    Processing,
    Answered(Answer),
    OfNeighbour(Answer),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Refused {
    #[default]
    No,
    Open,
    Confirmed,
}

/// Another order, for the same customer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Neighbour {
    #[default]
    HasNotPaid,
    Charged,
    /// Told that it is paid, though not charged.
    ToldPaid,
    ToldFailed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Customer {
    pub paid: Paid,
    pub told: Told,
    pub has_cancelled: bool,
    pub cancel_is_under_way: bool,
    /// Orders to pay under way, by the actor to which they go.
    pub orders: [u8; 2],
}

impl Customer {
    pub fn has_order_under_way(&self) -> bool {
        self.orders != [0, 0]
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Paid {
    #[default]
    No,
    Yes,
    /// Once more, after being told that it failed.
    Anew,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Told {
    #[default]
    Nothing,
    Pending,
    Failed,
    Paid,
    Cancelled,
}
