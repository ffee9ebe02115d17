//! The payment lab a second time, from `docs/payment.md` alone.

mod action;
mod answer;
mod design;
mod fault;
mod gateway;
mod journal;
mod message;
mod state;
mod task;
mod verdict;

pub use action::Action;
pub use design::Design;
pub use state::State;
pub use verdict::{Belief, Effect, Harm, Progress, Verdict};

use state::{A, B, Life};

/// The rules, with one design.
pub struct Twin {
    design: Design,
}

impl Twin {
    pub fn new(design: Design) -> Twin {
        Twin { design }
    }

    pub fn initial(&self) -> State {
        let mut state = State::default();
        state.actors[A].life = Life::Up;
        if self.design.two_nodes {
            state.actors[B].life = Life::Up;
        }
        state
    }
}
