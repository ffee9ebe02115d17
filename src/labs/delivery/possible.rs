//! Which actions are possible in a state.

use super::settings::{Attempts, Delivery, Filter, Route};
use super::state::{Hop, INTENTS_MAX, Intent, Life, State};
use super::{Action, Actor};

impl Delivery {
    pub(super) fn possible_steps(&self, state: &State, out: &mut Vec<Action>) {
        if state.receiver.task.is_some() {
            out.push(Action::Step);
        }
        if state.sender.life == Life::Recovering {
            out.push(Action::Recover);
        }
        let is_down = |actor: &Actor| self.life(state, *actor) == Life::Down;
        out.extend(Actor::ALL.into_iter().filter(is_down).map(Action::Restart));
        if state.relay == Life::Up && self.in_relay(state).is_some() {
            out.push(Action::Forward);
        }
        out.extend(self.deliveries(state, false));
        if self.can_send(state) {
            out.push(Action::Send);
        }
        if self.can_intend(state) {
            out.push(Action::Intend);
        }
        out.extend(self.ends_of_waiting(state, false));
        let retried = intents().filter(|intent| self.can_retry(state, *intent));
        out.extend(retried.map(Action::Retry));
        if self.can_tick(state) && !self.tick_expires(state) {
            out.push(Action::Tick);
        }
    }

    pub(super) fn possible_faults(&self, state: &State, out: &mut Vec<Action>) {
        out.extend(self.deliveries(state, true));
        out.extend(self.ends_of_waiting(state, true));
        let travelling = || {
            let flights = state.flights();
            let travelling = flights.filter(|(_, flight)| flight.hop != Hop::AtRelay);
            travelling.map(|(id, _)| id)
        };
        out.extend(travelling().map(Action::Lose));
        if state.has_room() {
            out.extend(travelling().map(Action::Duplicate));
        }
        let crashes = |actor: &Actor| match actor {
            Actor::Sender => self.can_crash_sender(state),
            Actor::Relay => self.route == Route::Relayed && state.relay == Life::Up,
            Actor::Receiver => state.receiver.life == Life::Up,
        };
        out.extend(Actor::ALL.into_iter().filter(crashes).map(Action::Crash));
        if self.can_tick(state) && self.tick_expires(state) {
            out.push(Action::Tick);
        }
        if self.filter == Filter::AtPublish && state.published != 0 {
            out.push(Action::EndWindow);
        }
    }

    /// The messages that can arrive: those that overtake nothing that was sent earlier, or those
    /// that do.
    fn deliveries(&self, state: &State, overtaking: bool) -> impl Iterator<Item = Action> {
        let flights = state.flights();
        let arriving = flights.filter(|(id, flight)| self.can_deliver(state, *id, flight));
        let ids = arriving.map(|(id, _)| id);
        let ids = ids.filter(move |id| self.overtakes(state, *id) == overtaking);
        ids.map(Action::Deliver)
    }

    /// The sender stops waiting for the confirmation of what it has sent: too early if anything of
    /// it is still under way.
    fn ends_of_waiting(&self, state: &State, too_early: bool) -> impl Iterator<Item = Action> {
        let ends = move |intent: &Intent| match self.attempts {
            Attempts::Endless => self.redelivers(state, *intent),
            Attempts::Last => self.gives_up(state, *intent),
        };
        let intents = intents().filter(ends);
        let intents = intents.filter(move |intent| state.is_under_way(*intent) == too_early);
        intents.map(|intent| match self.attempts {
            Attempts::Endless => Action::Redeliver(intent),
            Attempts::Last => Action::GiveUp(intent),
        })
    }
}

fn intents() -> impl Iterator<Item = Intent> {
    1..=INTENTS_MAX as Intent
}
