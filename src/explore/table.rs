//! Finds the number of a state by its hash.

/// An open-addressing table of numbers. Equality decides which is meant: the table only says which
/// are worth comparing.
pub(super) struct Table {
    /// A power of two, at most half full.
    slots: Vec<Slot>,
    len: usize,
}

/// The number of a state, and above it some bits of the hash, so that hardly ever a state is looked at
/// that is another one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot(u32);

const NUMBER_BITS: u32 = 24;
const NUMBER: u32 = (1 << NUMBER_BITS) - 1;
const FREE: Slot = Slot(u32::MAX);
/// No number: what stands in a free slot.
pub(super) const NOWHERE: u32 = NUMBER;
/// How many numbers a slot can tell apart from each other and from none.
pub(super) const NUMBERS_MAX: usize = NOWHERE as usize;
const SLOTS_MIN: usize = 64;

/// Where a number with some hash may stand. If nothing stands there, it is in no other place.
#[derive(Clone, Copy, Default)]
pub(super) struct Place(u32);

impl Table {
    pub fn new() -> Table {
        Table {
            slots: vec![FREE; SLOTS_MIN],
            len: 0,
        }
    }

    /// What stands where one looks first for this hash. It decides nothing, so that a processor that
    /// waits for one of them goes on to the next.
    #[inline]
    pub fn peek(&self, hash: u32) -> Slot {
        self.slots[hash as usize & (self.slots.len() - 1)]
    }

    /// Where one looks first for this hash, or next if something else stands there.
    #[inline]
    pub fn first(&self, hash: u32, peeked: Slot) -> Place {
        let place = Place(hash & (self.slots.len() - 1) as u32);
        match peeked.may_be(hash) {
            true => place,
            false => self.after(place, hash),
        }
    }

    /// Where one looks after this place was in vain.
    #[inline]
    pub fn after(&self, place: Place, hash: u32) -> Place {
        self.here_or_after(Place(place.0 + 1), hash)
    }

    /// Where one looks if something was put in since this place was found.
    #[inline]
    pub fn here_or_after(&self, place: Place, hash: u32) -> Place {
        let mask = self.slots.len() - 1;
        let mut place = place.0 as usize & mask;
        while !self.slots[place].may_be(hash) {
            place = (place + 1) & mask;
        }
        Place(place as u32)
    }

    /// The number that stands there, or [`NOWHERE`].
    #[inline]
    pub fn get(&self, place: Place) -> u32 {
        self.slots[place.0 as usize].number()
    }

    /// Puts a number where nothing stands; there must be room.
    #[inline]
    pub fn put(&mut self, place: Place, hash: u32, number: u32) {
        self.slots[place.0 as usize] = Slot::new(hash, number);
        self.len += 1;
    }

    /// Whether there is room for so many more: chains get long in a full table.
    pub fn has_room(&self, more: usize) -> bool {
        (self.len + more) * 2 <= self.slots.len()
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
            self.slots[place] = Slot::new(hash, number);
        }
    }
}

impl Slot {
    #[inline]
    fn new(hash: u32, number: u32) -> Slot {
        Slot(hash & !NUMBER | number)
    }

    /// Whether a number with this hash stands here, or may be put here.
    #[inline]
    fn may_be(self, hash: u32) -> bool {
        self == FREE || self.0 & !NUMBER == hash & !NUMBER
    }

    #[inline]
    fn number(self) -> u32 {
        self.0 & NUMBER
    }
}
