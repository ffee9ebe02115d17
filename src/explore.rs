//! What follows from a machine when nobody chooses: every state that is possible within a fault
//! budget.
//!
//! * [`Search`]: all of them, the worst harm and the shortest run to each harm; and what never ends.
//! * [`Map`]: for a run, what a fault in each of its gaps leads to, and its point of no return.
//!
//! Only what touches a state or an action is generic; the rest works on the numbers of the states.

mod arena;
mod edges;
mod graph;
mod hash;
mod known;
mod map;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod ways;

pub use map::{Map, Window};
pub use search::Search;

/// How many states a search keeps unless it is told otherwise.
pub const STATES_MAX: usize = 4_000_000;
/// How much memory one search takes for its states, in bytes: a page has four times as much for
/// everything. Searches over large states are cut here, with fewer than [`STATES_MAX`].
pub const BYTES_MAX: usize = 1 << 30;
/// What a search needs beside each state, in bytes.
const BYTES_BESIDE: usize = 64;
/// How many states a search can keep at all: its table tells so many apart.
pub const STATES_LIMIT: usize = table::NUMBERS_MAX;

/// How many states of that size a search may keep, if so many are asked for.
fn states_kept(asked: usize, state_bytes: usize) -> usize {
    let fitting = BYTES_MAX / (state_bytes + BYTES_BESIDE);
    asked.min(fitting).min(STATES_LIMIT)
}

/// A run that goes on for ever and never reaches an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<A> {
    /// The way into the cycle. Its faults are the fewest after which no end is reached.
    pub run: Vec<A>,
    /// Protocol steps that come back to where they began.
    pub cycle: Vec<A>,
}
