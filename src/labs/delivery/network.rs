//! The network between sender, relay and receiver: which message comes first, and what can happen
//! to it on its way.
//!
//! From one participant to another messages arrive in the order in which they were sent, where the
//! network keeps it. Between different senders nobody keeps any.

use super::settings::{Delivery, Network};
use super::state::{Flight, FlightId, Hop, Life, State};
use super::text;
use super::view;
use crate::machine::{Effect, Mark, Observer};

impl Delivery {
    /// Whether this message can arrive: nothing that was sent earlier on the same way stands before
    /// it, and somebody is there to take it.
    pub(super) fn can_deliver(&self, state: &State, id: FlightId, flight: &Flight) -> bool {
        let mut earlier = state.flights().take_while(|(other, _)| *other < id);
        let is_held_up =
            self.network == Network::InOrder && earlier.any(|(_, other)| other.hop == flight.hop);
        !is_held_up
            && match flight.hop {
                Hop::Direct | Hop::FromRelay => self.is_receiver_free(state),
                Hop::ToRelay => state.relay == Life::Up,
                Hop::AtRelay => false,
                Hop::Back => state.sender.life == Life::Up,
            }
    }

    /// Whether this message would arrive before one that was sent earlier: to the receiver on any
    /// way, or on the same way.
    pub(super) fn overtakes(&self, state: &State, id: FlightId) -> bool {
        let Some(flight) = state.flight(id) else {
            return false;
        };
        let is_last_hop = matches!(flight.hop, Hop::Direct | Hop::FromRelay);
        let is_passed =
            |other: &Flight| other.hop == flight.hop || is_last_hop && !other.hop.is_ack();
        let mut earlier = state.flights().take_while(|(other, _)| *other < id);
        earlier.any(|(_, other)| is_passed(other))
    }

    /// A message arrives at the other end of its way.
    pub(super) fn deliver(&self, state: &mut State, id: FlightId, observer: &mut impl Observer) {
        let Some(flight) = state.flight(id).copied() else {
            return;
        };
        observer.see(|| Effect::Arrived {
            message: view::message_id(&flight),
        });
        match flight.hop {
            Hop::Direct | Hop::FromRelay => {
                state.remove_flight(id);
                self.take(state, flight.message);
            }
            Hop::Back => {
                state.remove_flight(id);
                self.confirm(state, &flight.message, observer);
            }
            Hop::ToRelay | Hop::AtRelay => set_hop(state, id, Hop::AtRelay),
        }
    }

    /// What the relay has had longest in its hands.
    pub(super) fn in_relay(&self, state: &State) -> Option<FlightId> {
        let mut flights = state.flights();
        let held = flights.find(|(_, flight)| flight.hop == Hop::AtRelay);
        held.map(|(id, _)| id)
    }

    /// The relay hands a message on.
    pub(super) fn forward(&self, state: &mut State, observer: &mut impl Observer) {
        let Some(id) = self.in_relay(state) else {
            return;
        };
        set_hop(state, id, Hop::FromRelay);
        if let Some(flight) = state.flight(id) {
            observer.see(|| self.sent(flight));
        }
    }

    pub(super) fn lose(&self, state: &mut State, id: FlightId, observer: &mut impl Observer) {
        if let Some(flight) = state.flight(id) {
            let message = view::message_id(flight);
            observer.see(|| Effect::Lost { message });
            state.remove_flight(id);
        }
    }

    /// A copy, sent after everything that is under way.
    pub(super) fn duplicate(&self, state: &mut State, id: FlightId, observer: &mut impl Observer) {
        if let Some(flight) = state.flight(id).copied() {
            observer.see(|| self.sent(&flight));
            state.add_flight(flight);
        }
    }

    /// What the relay had in its hands is gone, and with it the message.
    pub(super) fn crash_relay(&self, state: &mut State) {
        state.relay = Life::Down;
        state.keep_flights(|_, flight| flight.hop != Hop::AtRelay);
    }

    /// The broker forgets what it has seen.
    pub(super) fn end_window(&self, state: &mut State, observer: &mut impl Observer) {
        state.published = 0;
        let ends = || text::EFFECT_WINDOW_ENDS.label();
        observer.see(|| view::marked(view::BROKER, Mark::Refused, ends()));
    }
}

fn set_hop(state: &mut State, id: FlightId, hop: Hop) {
    if let Some(flight) = &mut state.flights[usize::from(id)] {
        flight.hop = hop;
    }
}
