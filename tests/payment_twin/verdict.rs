//! How a state is judged.

use super::Twin;
use super::state::{A, B, Customer, Life, Memory, Neighbour, Paid, State, Status, Told};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub effect: Effect,
    pub belief: Belief,
    pub progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Once,
    Lost,
    Duplicated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    Agrees,
    Unknown,
    Wrong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Running,
    Done,
    Stuck,
}

/// From good to bad. No verdict says `Endless`: it is about what follows from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Harm {
    Clean,
    Stuck,
    Endless,
    WrongBelief,
    Lost,
    Duplicated,
}

impl Harm {
    pub const ALL: [Harm; 6] = [
        Harm::Clean,
        Harm::Stuck,
        Harm::Endless,
        Harm::WrongBelief,
        Harm::Lost,
        Harm::Duplicated,
    ];
}

impl Verdict {
    pub fn harm(self) -> Harm {
        match (self.effect, self.belief, self.progress) {
            (Effect::Duplicated, _, _) => Harm::Duplicated,
            (Effect::Lost, _, _) => Harm::Lost,
            (_, Belief::Wrong, _) => Harm::WrongBelief,
            (_, _, Progress::Stuck) => Harm::Stuck,
            _ => Harm::Clean,
        }
    }
}

impl Twin {
    pub fn verdict(&self, state: &State) -> Verdict {
        let is_busy = self.is_busy(state);
        let records = self.rebuilt(state);
        Verdict {
            effect: effect(state, is_busy),
            belief: belief(state, &records, is_busy),
            progress: self.progress_of(state, &records, is_busy),
        }
    }

    pub(super) fn progress(&self, state: &State) -> Progress {
        self.progress_of(state, &self.rebuilt(state), self.is_busy(state))
    }

    fn is_busy(&self, state: &State) -> bool {
        !state.calls.is_empty()
            || [A, B].into_iter().any(|who| {
                let actor = &state.actors[who];
                matches!(actor.life, Life::Down | Life::Recovering)
                    || actor.task.is_some()
                    || self.what_to_take_up(state, who).is_some()
            })
    }

    fn progress_of(&self, state: &State, records: &Memory, is_busy: bool) -> Progress {
        let customer = &state.customer;
        let is_under_way = customer.has_order_under_way() || customer.cancel_is_under_way;
        if is_busy || is_under_way || self.customer_will_ask(state) {
            Progress::Running
        } else if records.is_open() || customer.told == Told::Pending {
            Progress::Stuck
        } else {
            Progress::Done
        }
    }

    fn customer_will_ask(&self, state: &State) -> bool {
        let can_answer =
            |who: usize| state.actors[who].is_idle() && !self.view(state, who).is_open();
        !state.customer.has_cancelled
            && match state.customer.told {
                Told::Nothing => true,
                Told::Pending => can_answer(A) || can_answer(B),
                Told::Failed | Told::Paid | Told::Cancelled => false,
            }
    }
}

fn effect(state: &State, is_busy: bool) -> Effect {
    let books = &state.books;
    let is_told_paid_for_nothing = state.customer.told == Told::Paid && books.charges == 0;
    if books.charges > 1 || books.refunds > 1 {
        Effect::Duplicated
    } else if is_told_paid_for_nothing && !is_busy || books.neighbour == Neighbour::ToldPaid {
        Effect::Lost
    } else if books.charges == 1 {
        Effect::Once
    } else {
        Effect::None
    }
}

fn belief(state: &State, records: &Memory, is_busy: bool) -> Belief {
    let Customer { paid, told, .. } = state.customer;
    let is_wrong = !is_busy && is_something_wrong(state, records);
    if is_wrong || state.books.neighbour == Neighbour::ToldPaid {
        return Belief::Wrong;
    }
    let waits = paid != Paid::No && matches!(told, Told::Nothing | Told::Pending);
    match waits || records.is_open() {
        true => Belief::Unknown,
        false => Belief::Agrees,
    }
}

fn is_something_wrong(state: &State, records: &Memory) -> bool {
    let is_charged = state.books.charges > 0;
    let is_refunded = state.books.refunds > 0;
    let is_told_wrong = match state.customer.told {
        Told::Paid => !is_charged,
        Told::Failed => is_charged,
        Told::Cancelled => is_charged && !is_refunded && !records.is_open(),
        Told::Nothing | Told::Pending => false,
    };
    is_told_wrong
        || contradicts(records.charge, is_charged)
        || contradicts(records.refund, is_refunded)
}

fn contradicts(recorded: Status, happened: bool) -> bool {
    match recorded {
        Status::Completed(_) => !happened,
        Status::Failed => happened,
        Status::NotRequested | Status::Pending | Status::Unknown => false,
    }
}
