//! A list that only grows and never moves what it holds: twice as many states are never twice in
//! memory while it grows.

use std::ops::{Index, IndexMut};

/// How many bytes are allocated at once: few enough allocations that finding one stays cheap, and
/// little memory that nothing is in yet.
const CHUNK_BYTES: usize = 1 << 16;

/// Entries by their number, counted from 0.
pub(super) struct Arena<T> {
    chunks: Vec<Vec<T>>,
}

impl<T> Arena<T> {
    /// The number of entries in a chunk is a power of two, so that a number is taken apart by
    /// shifting.
    const CHUNK_BITS: u32 = match size_of::<T>() {
        0 | 1 => CHUNK_BYTES.ilog2(),
        size if size > CHUNK_BYTES => 0,
        size => (CHUNK_BYTES / size).ilog2(),
    };
    const CHUNK_LEN: usize = 1 << Self::CHUNK_BITS;

    pub fn new() -> Arena<T> {
        Arena { chunks: Vec::new() }
    }

    #[inline]
    pub fn len(&self) -> usize {
        match self.chunks.last() {
            None => 0,
            Some(last) => ((self.chunks.len() - 1) << Self::CHUNK_BITS) + last.len(),
        }
    }

    /// Adds an entry; gives its number.
    #[inline]
    pub fn push(&mut self, entry: T) -> u32 {
        let number = self.len() as u32;
        match self.chunks.last_mut() {
            Some(last) if last.len() < Self::CHUNK_LEN => last.push(entry),
            _ => self.begin_chunk(entry),
        }
        number
    }

    /// Adds an entry for each number below `len` that has none.
    pub fn extend(&mut self, len: usize, entry: T)
    where
        T: Clone,
    {
        while self.len() < len {
            let in_chunks_before = self.chunks.len().saturating_sub(1) << Self::CHUNK_BITS;
            match self.chunks.last_mut() {
                Some(last) if last.len() < Self::CHUNK_LEN => {
                    let len = (len - in_chunks_before).min(Self::CHUNK_LEN);
                    last.resize(len, entry.clone());
                }
                _ => self.begin_chunk(entry.clone()),
            }
        }
    }

    #[cold]
    fn begin_chunk(&mut self, entry: T) {
        // The first chunk grows by itself: many searches are over before it is full.
        let mut chunk = match self.chunks.is_empty() {
            true => Vec::new(),
            false => Vec::with_capacity(Self::CHUNK_LEN),
        };
        chunk.push(entry);
        self.chunks.push(chunk);
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks.iter().flatten()
    }

    #[inline]
    fn place(number: u32) -> (usize, usize) {
        let number = number as usize;
        (number >> Self::CHUNK_BITS, number & (Self::CHUNK_LEN - 1))
    }
}

impl<T> Index<u32> for Arena<T> {
    type Output = T;
    #[inline]
    fn index(&self, number: u32) -> &T {
        let (chunk, entry) = Self::place(number);
        &self.chunks[chunk][entry]
    }
}

impl<T> IndexMut<u32> for Arena<T> {
    #[inline]
    fn index_mut(&mut self, number: u32) -> &mut T {
        let (chunk, entry) = Self::place(number);
        &mut self.chunks[chunk][entry]
    }
}
