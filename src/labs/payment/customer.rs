//! The customer: pays once, asks again when nothing is heard, may pay anew after a failure, and may
//! cancel.

use super::books::Neighbour;
use super::plan::{Plan, Task};
use super::settings::{Cancel, Orders, Paths, Payment};
use super::state::{ActorId, Asked, Customer, Life, Operation, State, Told};
use super::text;
use super::view::{self, CUSTOMER, lane_of};
use crate::machine::{Effect, Observer};

impl Customer {
    /// Takes an answer. "We are looking into it" takes nothing back, and a cancelled order stays
    /// cancelled for whoever cancelled it.
    pub fn hear(&mut self, told: Told) {
        match (self.told, told) {
            (Told::Cancelled, _) => {}
            (Told::Nothing, _) | (_, Told::Paid | Told::Failed | Told::Cancelled) => {
                self.told = told;
            }
            (_, Told::Nothing | Told::Pending) => {}
        }
    }
}

impl Payment {
    /// Whether the customer sends the order to pay now: for the first time, again because nothing
    /// was heard and nobody is at work, or anew after a failure.
    pub(super) fn can_pay(&self, state: &State) -> bool {
        let customer = &state.customer;
        let is_quiet = customer.pays == [0, 0]
            && !state.has_calls()
            && state.actors().all(|id| !state.actor(id).is_at_work());
        customer.cancel == Asked::Not
            && match (customer.has_paid, customer.told) {
                (false, _) => true,
                (_, Told::Nothing | Told::Pending) => is_quiet,
                (_, Told::Failed) => is_quiet && !customer.anew,
                (_, Told::Paid | Told::Cancelled) => false,
            }
    }

    pub(super) fn pay(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let customer = &mut state.customer;
        let is_first = !customer.has_paid;
        if customer.told == Told::Failed {
            customer.anew = true;
            customer.told = Told::Nothing;
        }
        customer.has_paid = true;
        let both = is_first && self.paths == Paths::TwoNodes;
        for to in 0..2 {
            if both || to == id {
                self.send_pay(state, to, observer);
            }
        }
    }

    /// One copy of the order to pay leaves.
    pub(super) fn send_pay(&self, state: &mut State, to: ActorId, observer: &mut impl Observer) {
        state.customer.pays[usize::from(to)] += 1;
        observer.see(|| Effect::Sent {
            message: view::pay_message(to),
            from: CUSTOMER,
            to: lane_of(to),
            label: view::pay(),
        });
    }

    pub(super) fn lose_pay(&self, state: &mut State, to: ActorId, observer: &mut impl Observer) {
        state.customer.pays[usize::from(to)] -= 1;
        observer.see(|| Effect::Lost {
            message: view::pay_message(to),
        });
    }

    /// An actor takes commands one at a time.
    pub(super) fn is_free(&self, state: &State, id: ActorId) -> bool {
        let actor = state.actor(id);
        actor.life == Life::Up && !actor.is_at_work()
    }

    pub(super) fn arrive(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        state.customer.pays[usize::from(id)] -= 1;
        observer.see(|| Effect::Arrived {
            message: view::pay_message(id),
        });
        self.begin(state, id, Task::new(Plan::Handler, Operation::Charge));
    }

    pub(super) fn can_cancel(&self, state: &State) -> bool {
        let customer = &state.customer;
        self.cancel != Cancel::Never && customer.has_paid && customer.cancel == Asked::Not
    }

    pub(super) fn send_cancel(&self, state: &mut State, observer: &mut impl Observer) {
        state.customer.cancel = Asked::UnderWay;
        observer.see(|| Effect::Sent {
            message: view::CANCEL_MESSAGE,
            from: CUSTOMER,
            to: lane_of(0),
            label: text::CANCEL.label(),
        });
    }

    /// A cancel waits for what the same sender sent before it; from another sender it can overtake.
    pub(super) fn can_cancel_arrive(&self, state: &State, id: ActorId) -> bool {
        let may_overtake = self.cancel == Cancel::OtherSender;
        state.customer.cancel == Asked::UnderWay
            && self.is_free(state, id)
            && (may_overtake || state.customer.pays == [0, 0])
    }

    pub(super) fn arrive_cancel(
        &self,
        state: &mut State,
        id: ActorId,
        observer: &mut impl Observer,
    ) {
        state.customer.cancel = Asked::Arrived;
        observer.see(|| Effect::Arrived {
            message: view::CANCEL_MESSAGE,
        });
        self.begin(state, id, Task::new(Plan::Cancel, Operation::Charge));
    }

    pub(super) fn can_pay_neighbour(&self, state: &State) -> bool {
        self.orders == Orders::Two && state.gateway.neighbour == Neighbour::NotSent
    }
}
