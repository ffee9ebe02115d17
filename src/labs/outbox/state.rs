//! The state: what each participant holds, and the messages under way.

/// How many messages that nobody waits for can be on their way to the provider.
pub const PARCELS_MAX: usize = 3;
/// How many messages the broker holds, the one that is being handled included. It takes no more
/// until one is gone.
pub const QUEUE_MAX: usize = 4;
/// From here on send attempts are counted no further, and a new id for each attempt is no longer new.
pub const ATTEMPTS_MAX: u8 = 4;
/// From here on orders, deliveries and mails are counted no further.
pub const COUNT_MAX: u8 = 3;
/// The last number that the database's sequence gives.
pub const ROW_ID_MAX: RowId = 6;

/// The place of an order, and of everything that belongs to it.
pub type OrderId = u8;
pub type DispatcherId = u8;
/// A number from the database's sequence, counted from 1. A number that was taken never comes again,
/// also when its transaction is rolled back.
pub type RowId = u8;

pub const ORDERS: [OrderId; 2] = [0, 1];
pub const DISPATCHERS: [DispatcherId; 2] = [0, 1];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub service: Service,
    /// Durable.
    pub database: Database,
    /// What the customers were told.
    pub told: [Told; 2],
    pub dispatchers: [Dispatcher; 2],
    /// Messages to the provider that nobody waits for.
    pub parcels: Bag<Parcel, PARCELS_MAX>,
    /// What the broker has to deliver.
    pub queue: Bag<Message, QUEUE_MAX>,
    pub receiver: Receiver,
    /// By order: what really happened, and what duplicates are recognised by where it happens.
    pub effects: [Effects; 2],
    /// Whether time has passed the retentions.
    pub expired: bool,
}

/// Volatile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Service {
    pub is_up: bool,
    /// One for each order; they run at the same time.
    pub tasks: [Option<Task>; 2],
}

/// The handler at work on an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Task {
    /// Which step comes next, by its place in the handler.
    pub next: u8,
    pub in_transaction: bool,
    /// What the open transaction has written.
    pub staged_order: bool,
    pub staged_row: Option<RowId>,
    /// The message that it sends itself, until that is answered.
    pub sending: Option<(Message, Hop)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Database {
    /// By order: how many business rows of it are committed.
    pub orders: [u8; 2],
    /// By order: its message in the outbox.
    pub outbox: [Entry; 2],
    /// The last number that the sequence has given.
    pub last_id: RowId,
    /// Everything up to here counts as sent, where a cursor is used.
    pub cursor: RowId,
}

/// What the outbox holds about the message of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    pub row: Row,
    pub status: Status,
    pub claim: Holder,
    /// Whether somebody has claimed it who may have sent it: what is left of an attempt when its
    /// dispatcher is gone.
    pub was_tried: bool,
    /// Whether it is older than ids are remembered.
    pub is_old: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Row {
    #[default]
    Absent,
    There(RowId),
    CleanedUp,
}

/// What the records say about a message; where contexts are marked, about the whole context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    #[default]
    Waiting,
    Sent,
    /// On the error queue: it was not sent.
    Failed,
    /// On the error queue: nobody knows whether it was sent.
    Unknown,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Holder {
    #[default]
    Nobody,
    Held(DispatcherId),
    /// The lease is over, and nobody else has claimed it yet.
    Lapsed(DispatcherId),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Told {
    /// The order was not placed yet.
    #[default]
    NotAsked,
    Nothing,
    Accepted,
    Rejected,
}

/// Volatile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dispatcher {
    pub life: Life,
    pub job: Option<Job>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    NotStarted,
    Up,
    Down,
}

/// A dispatcher at work on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    pub order: OrderId,
    /// Whether an attempt before this one may have sent the message.
    pub may_be_sent: bool,
    pub stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    Send,
    /// Ask the provider what became of it.
    LookUp,
    Mark(Status),
    /// Waits for the answer to its request, which is on its way there, on its way back, or lost.
    Waits(Ask, Hop),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    Send(Message),
    LookUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hop {
    There,
    Back(Answer),
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    Accepted,
    Refused,
    Found,
    NotFound,
}

/// The message of an order; copies are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Message {
    pub order: OrderId,
    /// The attempt that made the id; 0 for the id that is the same for all attempts.
    pub attempt: u8,
}

/// A message to the provider that nobody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parcel {
    pub message: Message,
    /// Who sent it: a dispatcher, or else the service.
    pub dispatcher: Option<DispatcherId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Receiver {
    pub is_up: bool,
    pub delivery: Option<Delivery>,
}

/// A message at the receiver that is not acknowledged yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery {
    pub message: Message,
    pub is_handled: bool,
}

/// What became of one order's message at the one who mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects {
    /// How many mails the customer got.
    pub mails: u8,
    /// The ids that are remembered, a bit each.
    pub ids: u8,
    /// How often it was sent, by whomever.
    pub attempts: u8,
    /// How often the broker delivered it.
    pub deliveries: u8,
}

/// A few things of which the order does not matter: whichever comes next may be any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bag<T, const MAX: usize> {
    /// Sorted, those that are there first, so that equal bags are equal states.
    places: [Option<T>; MAX],
}

impl<T: Copy + Ord, const MAX: usize> Default for Bag<T, MAX> {
    fn default() -> Self {
        Bag {
            places: [None; MAX],
        }
    }
}

impl<T: Copy + Ord, const MAX: usize> Bag<T, MAX> {
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.places.into_iter().flatten()
    }

    pub fn get(&self, place: u8) -> Option<T> {
        self.places.get(usize::from(place)).copied().flatten()
    }

    pub fn len(&self) -> usize {
        self.iter().count()
    }

    pub fn is_empty(&self) -> bool {
        self.places[0].is_none()
    }

    pub fn is_full(&self) -> bool {
        self.places[MAX - 1].is_some()
    }

    /// The first place of each thing: of equal copies it makes no difference which one is taken.
    pub fn distinct(&self) -> impl Iterator<Item = u8> {
        let places = self.places;
        (0..MAX).filter_map(move |place| {
            let is_first = place == 0 || places[place] != places[place - 1];
            (places[place].is_some() && is_first).then_some(place as u8)
        })
    }

    /// Adds a thing; one for which there is no room is dropped.
    pub fn add(&mut self, thing: T) {
        self.places[MAX - 1].get_or_insert(thing);
        self.sort();
    }

    pub fn remove(&mut self, place: u8) {
        if let Some(place) = self.places.get_mut(usize::from(place)) {
            *place = None;
        }
        self.sort();
    }

    fn sort(&mut self) {
        self.places
            .sort_unstable_by_key(|thing| (thing.is_none(), *thing));
    }
}

impl Entry {
    pub fn row_id(&self) -> Option<RowId> {
        match self.row {
            Row::There(id) => Some(id),
            Row::Absent | Row::CleanedUp => None,
        }
    }

    /// The claim is on the one who holds it, or who held it last.
    pub fn is_claimed_by(&self, dispatcher: DispatcherId) -> bool {
        self.claim == Holder::Held(dispatcher) || self.claim == Holder::Lapsed(dispatcher)
    }
}

impl State {
    pub fn task(&self, order: OrderId) -> Option<&Task> {
        self.service.tasks[usize::from(order)].as_ref()
    }

    pub fn task_mut(&mut self, order: OrderId) -> Option<&mut Task> {
        self.service.tasks[usize::from(order)].as_mut()
    }

    pub fn entry(&self, order: OrderId) -> &Entry {
        &self.database.outbox[usize::from(order)]
    }

    pub fn entry_mut(&mut self, order: OrderId) -> &mut Entry {
        &mut self.database.outbox[usize::from(order)]
    }

    pub fn told(&self, order: OrderId) -> Told {
        self.told[usize::from(order)]
    }

    pub fn is_placed(&self, order: OrderId) -> bool {
        self.database.orders[usize::from(order)] > 0
    }

    pub fn dispatcher(&self, id: DispatcherId) -> &Dispatcher {
        &self.dispatchers[usize::from(id)]
    }

    pub fn dispatcher_mut(&mut self, id: DispatcherId) -> &mut Dispatcher {
        &mut self.dispatchers[usize::from(id)]
    }

    pub fn job(&self, id: DispatcherId) -> Option<&Job> {
        self.dispatcher(id).job.as_ref()
    }

    /// The request that a dispatcher waits for, and where it is.
    pub fn request(&self, id: DispatcherId) -> Option<(Ask, Hop)> {
        match self.job(id)?.stage {
            Stage::Waits(ask, hop) => Some((ask, hop)),
            Stage::Send | Stage::LookUp | Stage::Mark(_) => None,
        }
    }

    /// Where the message is that a handler has sent itself, if it waits for one.
    pub fn sending(&self, order: OrderId) -> Option<Hop> {
        self.task(order)?.sending.map(|(_, hop)| hop)
    }

    pub fn is_at_work_on(&self, id: DispatcherId, order: OrderId) -> bool {
        self.job(id).is_some_and(|job| job.order == order)
    }

    pub fn effects(&self, order: OrderId) -> &Effects {
        &self.effects[usize::from(order)]
    }

    pub fn effects_mut(&mut self, order: OrderId) -> &mut Effects {
        &mut self.effects[usize::from(order)]
    }

    /// Takes the next number of the sequence.
    pub fn take_row_id(&mut self) -> RowId {
        let last = &mut self.database.last_id;
        *last = (*last + 1).min(ROW_ID_MAX);
        *last
    }

    /// The numbers that transactions hold which are still open.
    pub fn running_ids(&self) -> impl Iterator<Item = RowId> {
        self.service
            .tasks
            .into_iter()
            .flatten()
            .filter_map(|task| task.staged_row)
    }

    pub fn add_order(&mut self, order: OrderId) {
        let rows = &mut self.database.orders[usize::from(order)];
        *rows = (*rows + 1).min(COUNT_MAX);
    }

    /// Whether the broker can take one message more.
    pub fn queue_has_room(&self) -> bool {
        self.queue.len() + usize::from(self.receiver.delivery.is_some()) < QUEUE_MAX
    }
}
