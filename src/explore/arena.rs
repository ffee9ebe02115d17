//! A list that only grows and never moves what it holds: twice as many states are never twice in
//! memory while it grows.

use std::ops::{Index, IndexMut};

/// How many entries are allocated at once, as a power of two: enough to be quick, and little where
/// there are only a few.
const CHUNK_BITS: u32 = 8;
const CHUNK_LEN: usize = 1 << CHUNK_BITS;

/// Entries by their number, counted from 0.
pub(super) struct Arena<T> {
    chunks: Vec<Vec<T>>,
}

impl<T> Arena<T> {
    pub fn new() -> Arena<T> {
        Arena { chunks: Vec::new() }
    }

    pub fn len(&self) -> usize {
        match self.chunks.last() {
            None => 0,
            Some(last) => (self.chunks.len() - 1) * CHUNK_LEN + last.len(),
        }
    }

    /// Adds an entry; gives its number.
    pub fn push(&mut self, entry: T) -> u32 {
        let number = self.len() as u32;
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK_LEN => last.push(entry),
            _ => {
                let mut chunk = Vec::with_capacity(CHUNK_LEN);
                chunk.push(entry);
                self.chunks.push(chunk);
            }
        }
        number
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }
}

fn place(number: u32) -> (usize, usize) {
    let number = number as usize;
    (number >> CHUNK_BITS, number & (CHUNK_LEN - 1))
}

impl<T> Index<u32> for Arena<T> {
    type Output = T;
    fn index(&self, number: u32) -> &T {
        let (chunk, entry) = place(number);
        &self.chunks[chunk][entry]
    }
}

impl<T> IndexMut<u32> for Arena<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        let (chunk, entry) = place(number);
        &mut self.chunks[chunk][entry]
    }
}
