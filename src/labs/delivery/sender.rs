//! The sender: numbers, what is not confirmed yet, and sending again.

use super::settings::{
    Attempts, Delivery, Filter, Guarantee, IdPolicy, Keep, Operator, Route, TransportId,
};
use super::state::{
    EPOCHS_MAX, Flight, Hop, IDS_MADE_MAX, Id, Intent, Intents, Life, Message, Sender, State,
    operator_id,
};
use super::text;
use super::view::{self, BROKER, JOURNAL, SENDER};
use crate::machine::{Label, Mark, Observer};

/// The relay hands on this intent's message.
const RELAYED: Intent = 2;

impl Delivery {
    /// Whether the sender is free for a new intent: what is left from before goes first.
    pub(super) fn can_intend(&self, state: &State) -> bool {
        state.sender.life == Life::Up
            && state.sender.unsent().is_empty()
            && state.intended < self.messages
    }

    /// A new intent. It gets the next number, and both are persisted before anything is sent.
    pub(super) fn intend(&self, state: &mut State, observer: &mut impl Observer) {
        state.intended += 1;
        let intent = state.intended;
        state.sender.unconfirmed.add(intent);
        let number = state.sender.number_of(intent);
        if self.sender == Keep::Persisted {
            state.journal.add(intent);
        }
        self.show_record(observer, || {
            text::EFFECT_INTENT.with([view::intent(intent), view::number(number)])
        });
    }

    /// What the sender records, in its journal or in memory.
    fn show_record(&self, observer: &mut impl Observer, label: impl Fn() -> Label) {
        match self.sender {
            Keep::Persisted => view::write(observer, SENDER, JOURNAL, label),
            Keep::Volatile | Keep::Epoch => {
                observer.see(|| view::marked(SENDER, Mark::Volatile, label()));
            }
        }
    }

    pub(super) fn can_send(&self, state: &State) -> bool {
        state.sender.life == Life::Up
            && !state.sender.unsent().is_empty()
            && state.has_room()
            && self.can_make_id(state)
    }

    /// Sends the lowest number that has not been sent since the sender is up.
    pub(super) fn send_next(&self, state: &mut State, observer: &mut impl Observer) {
        let Some(intent) = state.sender.unsent().iter().next() else {
            return;
        };
        self.send(state, intent, observer);
        state.sender.sent.add(intent);
        if self.guarantee != Guarantee::AtLeastOnce {
            self.settle(state, intent);
        }
        if self.guarantee == Guarantee::SentIsDone {
            self.report(state, intent, observer);
        }
    }

    pub(super) fn send(&self, state: &mut State, intent: Intent, observer: &mut impl Observer) {
        if let Some(id) = self.next_id(state, intent) {
            self.send_as(state, intent, id, observer);
        }
    }

    /// Whether there is a message to send: one id for each attempt is a supply that ends.
    pub(super) fn can_make_id(&self, state: &State) -> bool {
        self.id != IdPolicy::PerAttempt || state.ids_made < IDS_MADE_MAX
    }

    pub(super) fn next_id(&self, state: &mut State, intent: Intent) -> Option<Id> {
        match self.id {
            IdPolicy::Kept => Some(state.sender.number_of(intent)),
            IdPolicy::PerAttempt => self.can_make_id(state).then(|| {
                state.ids_made += 1;
                state.ids_made
            }),
            IdPolicy::Zero => Some(0),
            // Intents 1 and 2 come in one bucket, intent 3 in the next.
            IdPolicy::Bucket => Some(intent.div_ceil(2)),
        }
    }

    fn send_as(&self, state: &mut State, intent: Intent, id: Id, observer: &mut impl Observer) {
        let message = Message {
            intent,
            number: state.sender.number_of(intent),
            id,
        };
        let hop = match self.route {
            Route::Relayed if intent == RELAYED => Hop::ToRelay,
            Route::Relayed | Route::Direct => Hop::Direct,
        };
        let flight = Flight { message, hop };
        if self.filter == Filter::AtPublish {
            observer.see(|| self.published(&flight));
            if self.transport_id == TransportId::Reused {
                if state.published & 1 << id != 0 {
                    let discarded = || text::EFFECT_DISCARDED.label();
                    observer.see(|| view::marked(BROKER, Mark::Refused, discarded()));
                    return;
                }
                state.published |= 1 << id;
            }
        }
        observer.see(|| self.sent(&flight));
        state.add_flight(flight);
    }

    /// Whether the sender sends this intent again when its redelivery tick comes.
    pub(super) fn redelivers(&self, state: &State, intent: Intent) -> bool {
        self.attempts == Attempts::Endless
            && self.waits_for(state, intent)
            && state.has_room()
            && self.can_make_id(state)
    }

    /// Whether the sender may hold this intent for failed: the attempt that it waits for was the last.
    pub(super) fn gives_up(&self, state: &State, intent: Intent) -> bool {
        self.attempts == Attempts::Last && self.waits_for(state, intent)
    }

    fn waits_for(&self, state: &State, intent: Intent) -> bool {
        state.sender.life == Life::Up && state.sender.sent.has(intent)
    }

    /// To the dead letters.
    pub(super) fn give_up(&self, state: &mut State, intent: Intent, observer: &mut impl Observer) {
        self.settle(state, intent);
        state.dead.add(intent);
        view::write(observer, SENDER, JOURNAL, || {
            text::EFFECT_DEAD.with([view::intent(intent)])
        });
    }

    /// Whether an operator sends a dead letter again. What the sender has forgotten has no number
    /// any more.
    pub(super) fn can_retry(&self, state: &State, intent: Intent) -> bool {
        self.operator != Operator::Absent
            && state.dead.has(intent)
            && intent > state.sender.forgotten
            && state.sender.life == Life::Up
            && state.has_room()
    }

    /// An operator has a dead letter sent again. The sender waits for its confirmation as before.
    pub(super) fn retry(&self, state: &mut State, intent: Intent, observer: &mut impl Observer) {
        observer.see(|| {
            let label = text::EFFECT_OPERATOR.with([view::intent(intent)]);
            view::marked(SENDER, Mark::Note, label)
        });
        state.dead.remove(intent);
        state.sender.unconfirmed.add(intent);
        state.sender.sent.add(intent);
        if self.sender == Keep::Persisted {
            state.journal.add(intent);
        }
        match self.operator {
            Operator::NewId => self.send_as(state, intent, operator_id(intent), observer),
            Operator::SameId | Operator::Absent => self.send(state, intent, observer),
        }
    }

    /// An acknowledgement arrives. The first one for a number confirms it; further ones change
    /// nothing, and neither do those of another epoch.
    pub(super) fn confirm(
        &self,
        state: &mut State,
        message: &Message,
        observer: &mut impl Observer,
    ) {
        let Some(intent) = state.sender.awaited(message) else {
            return observer.see(|| {
                let label = text::EFFECT_NOT_AWAITED.with([view::number(message.number)]);
                view::marked(SENDER, Mark::Note, label)
            });
        };
        self.settle(state, intent);
        self.show_record(observer, || {
            text::EFFECT_CONFIRMED.with([view::number(message.number)])
        });
        self.report(state, intent, observer);
    }

    /// The sender has nothing more to do for an intent.
    fn settle(&self, state: &mut State, intent: Intent) {
        state.sender.unconfirmed.remove(intent);
        state.sender.sent.remove(intent);
        state.journal.remove(intent);
    }

    /// From here on others rely on it.
    fn report(&self, state: &mut State, intent: Intent, observer: &mut impl Observer) {
        state.reported.add(intent);
        if self.guarantee == Guarantee::SentIsDone {
            observer.see(|| {
                let label = text::EFFECT_HELD_DONE.with([view::intent(intent)]);
                view::marked(SENDER, Mark::Note, label)
            });
        }
    }

    pub(super) fn can_crash_sender(&self, state: &State) -> bool {
        let is_last = self.sender == Keep::Epoch && state.sender.epoch + 1 == EPOCHS_MAX;
        state.sender.life != Life::Down && !is_last
    }

    pub(super) fn crash_sender(&self, state: &mut State) {
        let sender = &mut state.sender;
        sender.life = Life::Down;
        sender.unconfirmed = Intents::NONE;
        sender.sent = Intents::NONE;
    }

    /// Reads what was persisted. Nothing is sent until all of it is read.
    pub(super) fn recover(&self, state: &mut State, observer: &mut impl Observer) {
        let sender = &mut state.sender;
        sender.life = Life::Up;
        match self.sender {
            Keep::Persisted if self.guarantee == Guarantee::AtLeastOnce => {
                sender.unconfirmed = state.journal;
            }
            // Whether it was sent is not written anywhere: so it is not sent.
            Keep::Persisted => state.journal = Intents::NONE,
            Keep::Volatile => sender.forgotten = state.intended,
            Keep::Epoch => {
                sender.forgotten = state.intended;
                sender.epoch += 1;
            }
        }
        observer.see(|| {
            let Sender {
                unconfirmed, epoch, ..
            } = state.sender;
            let label = match self.sender {
                Keep::Persisted => text::EFFECT_RECOVERED.with([view::size(unconfirmed)]),
                Keep::Volatile => text::EFFECT_STARTS_AT_ONE.label(),
                Keep::Epoch => text::EFFECT_NEW_EPOCH.with([view::count(epoch + 1)]),
            };
            view::marked(SENDER, Mark::Note, label)
        });
    }
}
