//! What lasts of an order: its events, and a snapshot of what they say.

use bytemuck::NoUninit;

use super::packed::PackedEvent;
use super::state::{Event, Memory};

/// How many events the journal holds; a further write is refused.
pub const EVENTS_MAX: usize = 10;

#[derive(Clone, Copy, Debug, Default, NoUninit)]
#[repr(C)]
pub struct Journal {
    /// The oldest first, and nothing after the newest.
    events: [PackedEvent; EVENTS_MAX],
    len: u8,
}

/// Durable, and only an optimization: the state after so many events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// How many events it contains.
    pub seen: u8,
    pub memory: Memory,
}

/// A snapshot if there is one.
#[derive(Clone, Copy, Debug, NoUninit)]
#[repr(C)]
pub struct KeptSnapshot {
    is_there: bool,
    seen: u8,
    memory: Memory,
}

impl KeptSnapshot {
    pub fn new(snapshot: Option<Snapshot>) -> KeptSnapshot {
        // Without a snapshot all states have the same in its place.
        let Snapshot { seen, memory } = snapshot.unwrap_or_default();
        KeptSnapshot {
            is_there: snapshot.is_some(),
            seen,
            memory,
        }
    }

    pub fn get(self) -> Option<Snapshot> {
        let KeptSnapshot {
            is_there,
            seen,
            memory,
        } = self;
        is_there.then_some(Snapshot { seen, memory })
    }
}

impl Journal {
    pub fn iter(&self) -> impl Iterator<Item = Event> {
        self.events.iter().map_while(|event| event.get())
    }

    /// How many events there are.
    pub fn len(&self) -> u8 {
        self.len
    }

    pub fn has_room(&self, events: usize) -> bool {
        usize::from(self.len) + events <= EVENTS_MAX
    }

    /// Appends an event; one for which there is no room is dropped.
    pub fn push(&mut self, event: Event) {
        if let Some(place) = self.events.get_mut(usize::from(self.len)) {
            place.set(Some(event));
            self.len += 1;
        }
    }
}
