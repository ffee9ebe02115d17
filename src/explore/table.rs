//! Finds the number of a state by its hash.

/// An open-addressing table of numbers. Equality decides which is meant: the table only says which
/// are worth comparing.
pub(super) struct Table {
    /// A power of two, at most three quarters full.
    slots: Vec<Slot>,
    len: usize,
}

/// The number of a state, and above it some bits of the hash, so that hardly ever a state is looked at
/// that is another one.
type Slot = u32;

const NUMBER_BITS: u32 = 24;
const NUMBER: u32 = (1 << NUMBER_BITS) - 1;
const FREE: Slot = Slot::MAX;
/// How many numbers a slot can tell apart from each other and from [`FREE`].
pub(super) const NUMBERS_MAX: usize = NUMBER as usize;
const SLOTS_MIN: usize = 64;

/// Where a state would stand that was not found.
pub(super) struct Vacancy(usize);

impl Table {
    pub fn new() -> Table {
        Table {
            slots: vec![FREE; SLOTS_MIN],
            len: 0,
        }
    }

    /// The number where one looks first for this hash, if its own seems to be the same.
    #[inline]
    pub fn first(&self, hash: u32) -> Option<u32> {
        let slot = self.slots[hash as usize & (self.slots.len() - 1)];
        let may_be = slot != FREE && slot & !NUMBER == hash & !NUMBER;
        may_be.then_some(slot & NUMBER)
    }

    /// Finds a number with this hash that is the same, or where there is room for it.
    #[inline]
    pub fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot == FREE {
                return Err(Vacancy(place));
            }
            let number = slot & NUMBER;
            if slot & !NUMBER == hash & !NUMBER && same(number) {
                return Ok(number);
            }
            place = (place + 1) & mask;
        }
    }

    /// Puts a number where it was looked for in vain. Nothing may have been put in since.
    #[inline]
    pub fn put(&mut self, vacancy: Vacancy, hash: u32, number: u32) {
        self.slots[vacancy.0] = slot(hash, number);
        self.len += 1;
    }

    /// Whether it must grow before anything more is put in: chains get long in a full table.
    pub fn is_full(&self) -> bool {
        self.len * 4 >= self.slots.len() * 3
    }

    /// Makes room, given the hashes of all numbers in their order.
    pub fn grow(&mut self, hashes: impl Iterator<Item = u32>) {
        let len = self.slots.len() * 2;
        // The old one is gone before there is a new one.
        self.slots = Vec::new();
        self.slots = vec![FREE; len];
        for (number, hash) in (0..).zip(hashes) {
            let mut place = hash as usize & (len - 1);
            while self.slots[place] != FREE {
                place = (place + 1) & (len - 1);
            }
            self.slots[place] = slot(hash, number);
        }
    }
}

#[inline]
fn slot(hash: u32, number: u32) -> Slot {
    hash & !NUMBER | number
}
