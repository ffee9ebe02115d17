//! What the customer, the executor and a person do, and how an actor comes back.

use super::Twin;
use super::design::{CallIn, Cancel};
use super::state::{
    A, Actor, B, Event, Life, Operation, Outcome, Paid, Place, Plan, Refused, State, Task, Told,
};
use super::verdict::Progress;

impl Twin {
    pub(super) fn can_pay(&self, state: &State, who: usize) -> bool {
        let customer = &state.customer;
        if customer.has_cancelled {
            return false;
        }
        if customer.paid == Paid::No {
            return who == A;
        }
        let asks_again = match customer.told {
            Told::Nothing | Told::Pending => true,
            Told::Failed => customer.paid != Paid::Anew,
            Told::Paid | Told::Cancelled => false,
        };
        let is_under_way = customer.has_order_under_way()
            || !state.calls.is_empty()
            || state.actors.iter().any(|actor| actor.task.is_some());
        asks_again && !is_under_way && (who == A || state.actors[B].life != Life::NotStarted)
    }

    pub(super) fn pay(&self, state: &mut State, who: usize) {
        let customer = &mut state.customer;
        let is_first = customer.paid == Paid::No;
        if is_first {
            customer.paid = Paid::Yes;
        }
        if customer.told == Told::Failed {
            customer.paid = Paid::Anew;
            customer.told = Told::Nothing;
        }
        customer.orders[who] += 1;
        if is_first && self.design.two_nodes {
            customer.orders[B] += 1;
        }
    }

    pub(super) fn can_cancel(&self, state: &State) -> bool {
        self.design.cancel != Cancel::Never
            && !state.customer.has_cancelled
            && state.customer.paid != Paid::No
    }

    pub(super) fn cancel(&self, state: &mut State) {
        state.customer.has_cancelled = true;
        state.customer.cancel_is_under_way = true;
    }

    pub(super) fn order_arrives(&self, state: &mut State, who: usize) {
        state.customer.orders[who] -= 1;
        self.begin(state, who, Task::new(Operation::Charge, Plan::Handler));
    }

    pub(super) fn cancel_arrives(&self, state: &mut State, who: usize) {
        state.customer.cancel_is_under_way = false;
        self.begin(state, who, Task::new(Operation::Charge, Plan::Cancel));
    }

    pub(super) fn can_be_delivered(&self, state: &State, index: usize) -> bool {
        let call = state.calls.get(index);
        match call.place {
            Place::ToExecutor | Place::ToGateway | Place::Back(_) => true,
            Place::AtGateway | Place::Charged(_) => false,
            Place::ToActor(_) => self.can_receive(state, usize::from(call.actor)),
        }
    }

    pub(super) fn deliver(&self, state: &mut State, index: usize) {
        let call = state.calls.get_mut(index);
        match call.place {
            Place::ToExecutor => call.place = Place::ToGateway,
            Place::Back(answer) => {
                call.place = Place::ToActor(answer);
                call.connected = false;
            }
            Place::ToGateway => self.arrive_at_gateway(state, index),
            Place::ToActor(answer) => self.receive(state, index, answer),
            Place::AtGateway | Place::Charged(_) => unreachable!("it is worked on"),
        }
    }

    pub(super) fn recover(&self, state: &mut State, who: usize) {
        state.actors[who] = Actor {
            life: Life::Up,
            ..Actor::default()
        };
        self.load(state, who);
        let seen = state.snapshot.map_or(0, |snapshot| snapshot.seen);
        let journal = state.journal;
        for (number, event) in (seen + 1..).zip(journal.after(seen)) {
            let calls = match self.design.call_in {
                CallIn::EveryEvent => true,
                CallIn::LiveAndLast => number == journal.len,
                CallIn::Step | CallIn::LiveEvents => false,
            };
            if calls && matches!(event, Event::Requested(Operation::Charge, _)) {
                self.send_charge_from_event_handler(state, who, false);
            }
        }
    }

    /// The first actor at which a person can enter what the gateway's books say.
    pub(super) fn where_to_reconcile(&self, state: &State) -> Option<usize> {
        if !self.design.person_reconciles || self.progress(state) != Progress::Stuck {
            return None;
        }
        [A, B]
            .into_iter()
            .find(|who| state.actors[*who].is_idle() && self.view(state, *who).has_open_operation())
    }

    pub(super) fn reconcile(&self, state: &mut State, who: usize) {
        if state.books.refused == Refused::Open {
            state.books.refused = Refused::Confirmed;
        }
        let books = &state.books;
        let (operation, result) = match self.view(state, who).charge.is_open() {
            true if books.charges == 0 => (Operation::Charge, Outcome::Failed),
            true => (Operation::Charge, Outcome::Done(books.first_receipt)),
            false if books.refunds == 0 => (Operation::Refund, Outcome::Failed),
            false => (Operation::Refund, Outcome::Done(1)),
        };
        self.settle(state, who, operation, result);
    }
}
