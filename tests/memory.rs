//! What exploring needs beside the states themselves.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use effectively_once::explore::{STATES_MAX, Search};
use effectively_once::lab::Lab;
use effectively_once::labs::balance::Balance;
use effectively_once::machine::Machine;

/// Counts the bytes that are in use, and the most that ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(
            IN_USE.fetch_add(layout.size(), Relaxed) + layout.size(),
            Relaxed,
        );
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The only test here: others at the same time would be counted too.
#[test]
fn exploring_needs_at_most_64_bytes_a_state_beside_the_state() {
    let presets = Balance::presets();
    let large = presets.iter().find(|preset| preset.id == "check_then_act");
    let lab = Balance::new(&large.expect("a preset").settings);
    let before = IN_USE.load(Relaxed);
    let mut search = Search::new(lab, 2, STATES_MAX);
    search.advance(usize::MAX);
    let bytes = (MOST.load(Relaxed) - before) / search.states();
    let beside = bytes - size_of::<<Balance as Machine>::State>();
    assert!(beside <= 64, "{beside} bytes a state");
}
