//! The state: what each participant holds, and the messages under way.

/// How many intents there can be.
pub const INTENTS_MAX: usize = 3;
/// How many messages can be under way at once, acknowledgements and the one in the receiver's hands
/// among them.
pub const UNDER_WAY_MAX: usize = 4;
/// How many different ids there can be.
pub const IDS: usize = 16;
/// How many ids a sender that makes one for each attempt can make; then it gives up.
pub const IDS_MADE_MAX: u8 = 11;
/// How many epochs a sender can have; in its last one it does not crash.
pub const EPOCHS_MAX: u8 = 3;
/// From here on the effects of one intent are counted no further.
pub const EFFECTS_MAX: u8 = 3;
/// How many ticks an id is remembered where it is remembered for a window.
pub const WINDOW_TICKS: u8 = 2;

/// One thing that is to take effect once, counted from 1. Its number says which is newer.
pub type Intent = u8;
/// The sender's number for a message, counted from 1 in each incarnation that does not know the
/// earlier ones; the epoch stands in the higher bits.
pub type Number = u8;
/// By which the receiver recognises a message.
pub type Id = u8;
/// The place of a message among those under way.
pub type FlightId = u8;

/// The numbers of one epoch fit below this bit.
const EPOCH_SHIFT: u32 = 2;
/// What an operator sends again under a new id has one of the ids after this one.
const OPERATOR_IDS: Id = EPOCHS_MAX << EPOCH_SHIFT;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Volatile.
    pub sender: Sender,
    /// Durable: what the sender still has to bring to its receiver.
    pub journal: Intents,
    /// How many intents there have been so far.
    pub intended: u8,
    /// Outside: of which intents the sender has said that they are done.
    pub reported: Intents,
    /// Durable: what failed finally and waits for an operator.
    pub dead: Intents,
    /// Volatile.
    pub relay: Life,
    /// The messages under way, oldest first.
    pub flights: [Option<Flight>; UNDER_WAY_MAX],
    /// Durable: ids that the broker has seen, a bit an id.
    pub published: u16,
    /// Volatile.
    pub receiver: Receiver,
    /// Durable.
    pub store: Effects,
    /// How many ticks ago each id was remembered, plus 1; 0 where it is not. Durable or volatile, as
    /// the setting says.
    pub known: [u8; IDS],
    /// How many ids have been made for attempts.
    pub ids_made: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sender {
    pub life: Life,
    /// What it has to bring to its receiver, as far as it knows.
    pub unconfirmed: Intents,
    /// Which of these it has sent since it is up.
    pub sent: Intents,
    /// How many intents earlier incarnations took with them: numbers are counted from there.
    pub forgotten: u8,
    pub epoch: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    Up,
    Down,
    /// Started again; what was persisted is not read yet.
    Recovering,
}

/// A set of intents, a bit an intent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Intents(u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    pub intent: Intent,
    pub number: Number,
    pub id: Id,
}

/// A message or its acknowledgement, wherever on its way it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flight {
    pub message: Message,
    pub hop: Hop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hop {
    /// From the sender to the receiver.
    Direct,
    /// From the sender to the relay.
    ToRelay,
    /// In the relay's hands.
    AtRelay,
    /// From the relay to the receiver.
    FromRelay,
    /// An acknowledgement, from the receiver to the sender.
    Back,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Receiver {
    pub life: Life,
    pub task: Option<Task>,
    /// Effects that are not in the store yet.
    pub unsaved: Effects,
    /// Ids to be written with them, a bit an id.
    pub staged: u16,
}

/// The receiver at work on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    pub message: Message,
    /// Which step comes next, by its place in the handler.
    pub next: u8,
    /// Whether its id was found: then it is only acknowledged.
    pub is_known: bool,
}

/// What took effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects {
    /// How often, by intent.
    pub times: [u8; INTENTS_MAX],
    /// Of which intent the state is, where messages bring states; 0 before the first.
    pub current: Intent,
}

impl Intents {
    pub const NONE: Intents = Intents(0);

    pub fn has(self, intent: Intent) -> bool {
        self.0 & 1 << intent != 0
    }

    pub fn add(&mut self, intent: Intent) {
        self.0 |= 1 << intent;
    }

    pub fn remove(&mut self, intent: Intent) {
        self.0 &= !(1 << intent);
    }

    pub fn without(self, others: Intents) -> Intents {
        Intents(self.0 & !others.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In ascending order.
    pub fn iter(self) -> impl Iterator<Item = Intent> {
        (1..=INTENTS_MAX as u8).filter(move |intent| self.has(*intent))
    }
}

impl Message {
    /// The number within its epoch.
    pub fn place(&self) -> u8 {
        self.number & ((1 << EPOCH_SHIFT) - 1)
    }

    pub fn epoch(&self) -> u8 {
        self.number >> EPOCH_SHIFT
    }
}

/// The number of the message at a place of an epoch.
pub fn number(epoch: u8, place: u8) -> Number {
    epoch << EPOCH_SHIFT | place
}

/// The id under which an operator sends the content of a dead letter again.
pub fn operator_id(intent: Intent) -> Id {
    OPERATOR_IDS | intent
}

impl Sender {
    pub const fn new() -> Sender {
        Sender {
            life: Life::Up,
            unconfirmed: Intents::NONE,
            sent: Intents::NONE,
            forgotten: 0,
            epoch: 0,
        }
    }

    /// What it knows of and has not sent yet.
    pub fn unsent(&self) -> Intents {
        self.unconfirmed.without(self.sent)
    }

    /// Its number for an intent.
    pub fn number_of(&self, intent: Intent) -> Number {
        debug_assert!(
            intent > self.forgotten,
            "who has forgotten an intent has no number for it"
        );
        number(self.epoch, intent - self.forgotten)
    }

    /// The intent that it has given this number, if it still waits for its confirmation.
    pub fn awaited(&self, message: &Message) -> Option<Intent> {
        let intent = self.forgotten + message.place();
        (message.epoch() == self.epoch && self.unconfirmed.has(intent)).then_some(intent)
    }
}

impl Effects {
    pub fn times(&self, intent: Intent) -> u8 {
        self.times[usize::from(intent - 1)]
    }

    pub fn times_mut(&mut self, intent: Intent) -> &mut u8 {
        &mut self.times[usize::from(intent - 1)]
    }

    pub fn is_empty(&self) -> bool {
        *self == Effects::default()
    }

    /// Takes over what happened later.
    pub fn absorb(&mut self, later: Effects) {
        for (times, more) in self.times.iter_mut().zip(later.times) {
            *times = (*times + more).min(EFFECTS_MAX);
        }
        if later.current > 0 {
            self.current = later.current;
        }
    }
}

impl Receiver {
    pub const fn new() -> Receiver {
        Receiver {
            life: Life::Up,
            task: None,
            unsaved: Effects {
                times: [0; INTENTS_MAX],
                current: 0,
            },
            staged: 0,
        }
    }
}

impl Hop {
    pub fn is_ack(self) -> bool {
        self == Hop::Back
    }
}

impl State {
    /// What took effect, whether a crash would keep it or not.
    pub fn effects(&self) -> Effects {
        let mut all = self.store;
        all.absorb(self.receiver.unsaved);
        all
    }

    pub fn flight(&self, id: FlightId) -> Option<&Flight> {
        self.flights.get(usize::from(id))?.as_ref()
    }

    /// The messages under way, with their places.
    pub fn flights(&self) -> impl Iterator<Item = (FlightId, &Flight)> {
        (0..).zip(self.flights.iter().flatten())
    }

    /// Whether a further message may be under way.
    pub fn has_room(&self) -> bool {
        let in_hand = usize::from(self.receiver.task.is_some());
        self.flights().count() + in_hand < UNDER_WAY_MAX
    }

    pub fn add_flight(&mut self, flight: Flight) {
        if let Some(free) = self.flights.iter_mut().find(|flight| flight.is_none()) {
            *free = Some(flight);
        }
    }

    pub fn remove_flight(&mut self, id: FlightId) {
        self.keep_flights(|at, _| at != id);
    }

    /// Keeps only such flights; the others move up, so that the oldest stands first.
    pub fn keep_flights(&mut self, keep: impl Fn(FlightId, &Flight) -> bool) {
        let mut kept = [None; UNDER_WAY_MAX];
        let left = (0..).zip(self.flights.into_iter().flatten());
        let left = left.filter(|(id, flight)| keep(*id, flight));
        for (place, (_, flight)) in kept.iter_mut().zip(left) {
            *place = Some(flight);
        }
        self.flights = kept;
    }

    /// Whether a copy of this intent's message, or an acknowledgement of it, is anywhere under way.
    pub fn is_under_way(&self, intent: Intent) -> bool {
        self.flights()
            .any(|(_, flight)| flight.message.intent == intent)
            || self.is_in_hand(intent)
    }

    /// Whether a copy of this intent's message can still reach the receiver, or is in its hands.
    pub fn can_arrive(&self, intent: Intent) -> bool {
        let goes_there = |flight: &Flight| !flight.hop.is_ack() && flight.message.intent == intent;
        self.flights().any(|(_, flight)| goes_there(flight)) || self.is_in_hand(intent)
    }

    fn is_in_hand(&self, intent: Intent) -> bool {
        let task = self.receiver.task;
        task.is_some_and(|task| task.message.intent == intent)
    }
}
