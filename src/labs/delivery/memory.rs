//! By what the receiver recognises a message that it has seen before, and for how long.

use super::settings::{Border, Delivery, Judge, Memory, Retention};
use super::state::{Effects, IDS, Id, State, WINDOW_TICKS};

/// How many bits the Bloom filter has.
const FILTER_BITS: u32 = 8;
/// The two hash functions: multiply, and take the upper bits. With these numbers the ids 1 and 2
/// together set every bit of the id 3.
const HASHES: [u8; 2] = [163, 237];

/// The bits of an id in the filter.
pub fn filter_bits(id: Id) -> u8 {
    let shift = u8::BITS - FILTER_BITS.ilog2();
    let bit = |factor: u8| 1 << (id.wrapping_mul(factor) >> shift);
    HASHES.into_iter().fold(0, |bits, hash| bits | bit(hash))
}

/// What a look-up finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Not seen before.
    New,
    /// Seen before, or taken for it.
    Known,
    /// The filter said "perhaps", and the table says that it is new.
    NewAfterAll,
}

impl Delivery {
    /// The ids that the table holds, staged ones among them.
    fn table_has(&self, state: &State, id: Id) -> bool {
        state.known[usize::from(id)] > 0 || state.receiver.staged & 1 << id != 0
    }

    /// The filter: what all remembered ids have set. It is the same whether it is kept beside a
    /// table or instead of one.
    pub(super) fn filter(&self, state: &State) -> u8 {
        let ids = (0..IDS as Id).filter(|id| self.table_has(state, *id));
        ids.fold(0, |bits, id| bits | filter_bits(id))
    }

    pub(super) fn find(&self, state: &State, id: Id) -> Found {
        let bits = filter_bits(id);
        let is_maybe = self.filter(state) & bits == bits;
        match (self.judge, self.table_has(state, id)) {
            (Judge::BloomOnly, _) if is_maybe => Found::Known,
            (Judge::BloomOnly, _) => Found::New,
            (_, true) => Found::Known,
            (Judge::BloomFront, false) if is_maybe => Found::NewAfterAll,
            (_, false) => Found::New,
        }
    }

    pub(super) fn remember(&self, state: &mut State, id: Id) {
        match self.memory {
            Memory::WithEffect => state.receiver.staged |= 1 << id,
            Memory::OwnWrite | Memory::Volatile => state.known[usize::from(id)] = 1,
            Memory::None => {}
        }
    }

    /// A window that slides begins anew.
    pub(super) fn refresh(&self, state: &mut State, id: Id) {
        let known = &mut state.known[usize::from(id)];
        if self.retention == Retention::Sliding && *known > 0 {
            *known = 1;
        }
    }

    /// Writes to the store, in one write, the effects and the ids that are only in memory.
    pub(super) fn write(&self, state: &mut State) {
        let receiver = &mut state.receiver;
        state.store.absorb(receiver.unsaved);
        receiver.unsaved = Effects::default();
        let staged = std::mem::take(&mut receiver.staged);
        let ids = (0..IDS).filter(|id| staged & 1 << id != 0);
        ids.for_each(|id| state.known[id] = 1);
    }

    /// Whether a tick can be seen by anybody.
    pub(super) fn can_tick(&self, state: &State) -> bool {
        let remembers = state.known.iter().any(|known| *known > 0);
        remembers
            && match self.retention {
                Retention::ForEver => false,
                Retention::Covering => nothing_can_come_again(state),
                Retention::Fixed | Retention::Sliding => true,
            }
    }

    /// Whether the next tick passes the retention of an id.
    pub(super) fn tick_expires(&self, state: &State) -> bool {
        state.known.iter().any(|known| self.expires(*known))
    }

    /// Time passes.
    pub(super) fn tick(&self, state: &mut State) {
        for known in state.known.iter_mut().filter(|known| **known > 0) {
            *known = match self.expires(*known) {
                true => 0,
                false => *known + 1,
            };
        }
    }

    fn expires(&self, known: u8) -> bool {
        let ticks_max = match self.border {
            Border::Forgotten => WINDOW_TICKS,
            Border::Known => WINDOW_TICKS + 1,
        };
        match self.retention {
            Retention::ForEver => false,
            Retention::Covering => known > 0,
            // The age plus 1: what the age would be after the tick.
            Retention::Fixed | Retention::Sliding => known >= ticks_max,
        }
    }
}

/// Nothing is under way, nobody will send again by themselves, and no operator will.
fn nothing_can_come_again(state: &State) -> bool {
    state.flights[0].is_none()
        && state.receiver.task.is_none()
        && state.sender.unconfirmed.is_empty()
        && state.journal.is_empty()
        && state.dead.is_empty()
}
