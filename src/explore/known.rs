//! The states that were found, each under a number.

use std::hash::Hash;
use std::ops::Index;

use super::arena::Arena;
use super::hash::hash;
use super::table::Table;

pub(super) struct Known<S> {
    states: Arena<S>,
    numbers: Table,
    /// Of each state, so that the table grows without hashing states again.
    hashes: Arena<u32>,
}

/// Whether a state was known before.
pub(super) enum Found {
    Known(u32),
    New(u32),
}

impl<S: Clone + Eq + Hash> Known<S> {
    pub fn new() -> Known<S> {
        Known {
            states: Arena::new(),
            numbers: Table::new(),
            hashes: Arena::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.states.iter()
    }

    pub fn find(&self, state: &S) -> Option<u32> {
        let same = |number: u32| self.states[number] == *state;
        self.numbers.find(hash(state), same).ok()
    }

    /// The number that a state with this hash mostly has, if it is known.
    #[inline]
    pub fn guess(&self, hash: u32) -> Option<u32> {
        self.numbers.first(hash)
    }

    /// The number of a state with this hash; `None` if it is new and there are already so many.
    #[inline]
    pub fn intern(&mut self, state: &S, hash: u32, states_max: usize) -> Option<Found> {
        if self.numbers.is_full() {
            self.numbers.grow(self.hashes.iter().copied());
        }
        let same = |number: u32| self.states[number] == *state;
        match self.numbers.find(hash, same) {
            Ok(number) => Some(Found::Known(number)),
            Err(_) if self.states.len() >= states_max => None,
            Err(vacancy) => {
                let number = self.states.push(state.clone());
                self.hashes.push(hash);
                self.numbers.put(vacancy, hash, number);
                Some(Found::New(number))
            }
        }
    }
}

impl<S> Index<u32> for Known<S> {
    type Output = S;
    fn index(&self, number: u32) -> &S {
        &self.states[number]
    }
}
