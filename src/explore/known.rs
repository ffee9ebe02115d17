//! The states that were found, each under a number.

use std::hash::Hash;
use std::ops::Index;

use super::arena::Arena;
use super::hash::hash;
use super::table::{NOWHERE, Place, Slot, Table};

pub(super) struct Known<S> {
    states: Arena<S>,
    numbers: Table,
    /// Of each state, so that the table grows without hashing states again.
    hashes: Arena<u32>,
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
        let hash = hash(state);
        self.find_from(self.place(hash, self.peek(hash)), state, hash)
            .ok()
    }

    /// The number of a state, or where it would stand.
    #[inline]
    fn find_from(&self, place: Place, state: &S, hash: u32) -> Result<u32, Place> {
        let mut place = place;
        loop {
            match self.numbers.get(place) {
                NOWHERE => return Err(place),
                number if self.states[number] == *state => return Ok(number),
                _ => place = self.numbers.after(place, hash),
            }
        }
    }

    /// What one finds first of a state with this hash.
    #[inline]
    pub fn peek(&self, hash: u32) -> Slot {
        self.numbers.peek(hash)
    }

    /// Where a state with this hash may stand.
    #[inline]
    pub fn place(&self, hash: u32, peeked: Slot) -> Place {
        self.numbers.first(hash, peeked)
    }

    /// The number that stands there, nearly always that of the state that was looked for; [`NOWHERE`]
    /// if none does.
    #[inline]
    pub fn guess(&self, place: Place) -> u32 {
        self.numbers.get(place)
    }

    /// Makes room for so many more states. Until that many were added, places stay what they are.
    pub fn reserve(&mut self, more: usize) {
        while !self.numbers.has_room(more) {
            self.numbers.grow(self.hashes.iter().copied());
        }
    }

    /// The number of a state with this hash, which is new unless it is known; it stands nowhere before
    /// this place. `None` if there is no room for a new one.
    #[inline]
    pub fn intern(&mut self, state: &S, hash: u32, place: Place, states_max: usize) -> Option<u32> {
        let place = self.numbers.here_or_after(place, hash);
        match self.find_from(place, state, hash) {
            Ok(number) => Some(number),
            Err(_) if self.states.len() >= states_max => None,
            Err(place) => {
                let number = self.states.push(state.clone());
                self.hashes.push(hash);
                self.numbers.put(place, hash, number);
                Some(number)
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
