//! The shortest ways: fewest faults first, then fewest steps.
//!
//! The same search serves forwards, from the first states over the actions, and backwards, from the
//! states that show a harm over the recorded edges.

use std::collections::VecDeque;

use super::arena::Arena;
use super::table::NOWHERE;

/// Marks a way than which no shorter one can be found any more. State numbers stay below.
const SETTLED: u32 = 1 << 31;

/// How long a way is: its faults, and below them its steps, so that comparing lengths compares both.
/// There are fewer steps than states, and so no more than fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Length(u32);

const STEPS_BITS: u32 = 24;
const _: () = assert!(super::STATES_LIMIT < 1 << STEPS_BITS);

impl Length {
    const NONE: Length = Length(0);
    /// No way is known.
    const UNKNOWN: Length = Length(u32::MAX);

    pub fn faults(self) -> u8 {
        (self.0 >> STEPS_BITS) as u8
    }

    /// One step longer. What has more faults than can be counted is as good as unknown.
    #[inline]
    pub fn and(self, fault: bool) -> Length {
        let more = 1 + (u32::from(fault) << STEPS_BITS);
        Length(self.0.saturating_add(more))
    }
}

/// The shortest way between a state and where the search began.
#[derive(Clone, Copy)]
struct Way {
    /// The neighbour on the way, or [`NOWHERE`] where the search began; and the mark [`SETTLED`].
    via: u32,
    length: Length,
}

impl Way {
    fn is_settled(self) -> bool {
        self.via & SETTLED != 0
    }
}

/// Ways from all states so far, and the states that wait to be settled.
///
/// # Order
///
/// Each queue is sorted by steps without sorting. A layer, that is all states with the same number
/// of faults, is settled in ascending steps; so the states that its faults lead to are found in
/// ascending steps too, and so are those that its protocol steps lead to. The next layer merges the
/// two. A state that waits in one queue and then gets a shorter way waits in another one as well;
/// it is settled where it comes first and skipped later.
pub(super) struct Ways {
    ways: Arena<Way>,
    faults_max: u8,
    /// Of this layer, by a fault from the layer before.
    by_fault: VecDeque<u32>,
    /// Of this layer, by a protocol step.
    by_step: VecDeque<u32>,
    /// Of the next layer, by a fault from this one.
    beyond: VecDeque<u32>,
}

impl Ways {
    /// Ways for so many states, none of which is reached yet.
    pub fn new(states: usize, faults_max: u8) -> Ways {
        let mut ways = Ways {
            ways: Arena::new(),
            faults_max,
            by_fault: VecDeque::new(),
            by_step: VecDeque::new(),
            beyond: VecDeque::new(),
        };
        ways.extend(states);
        ways
    }

    /// Places for so many states in all.
    pub fn extend(&mut self, states: usize) {
        let unknown = Way {
            via: NOWHERE,
            length: Length::UNKNOWN,
        };
        self.ways.extend(states, unknown);
    }

    /// A state where the search begins. All of them must be known before the first is settled.
    pub fn start(&mut self, state: u32) {
        let way = &mut self.ways[state];
        if way.length != Length::NONE {
            way.length = Length::NONE;
            self.by_step.push_back(state);
        }
    }

    /// Settles the state that is nearest now.
    pub fn pop(&mut self) -> Option<u32> {
        loop {
            let ways = &self.ways;
            let nearest = |queue: &mut VecDeque<u32>| {
                while queue
                    .pop_front_if(|state| ways[*state].is_settled())
                    .is_some()
                {}
                queue.front().map(|state| ways[*state].length)
            };
            let queue = match (nearest(&mut self.by_fault), nearest(&mut self.by_step)) {
                (None, None) if self.beyond.is_empty() => return None,
                (None, None) => {
                    std::mem::swap(&mut self.by_fault, &mut self.beyond);
                    continue;
                }
                (Some(_), None) => &mut self.by_fault,
                (Some(fault), Some(step)) if fault <= step => &mut self.by_fault,
                _ => &mut self.by_step,
            };
            let state = queue.pop_front()?;
            self.ways[state].via |= SETTLED;
            return Some(state);
        }
    }

    /// Settles up to so many of the states that are nearest now, each as near as the others.
    pub fn settle(&mut self, states_max: usize, settled: &mut Vec<u32>) {
        let mut next = self.pop();
        while let Some(state) = next {
            settled.push(state);
            next = match settled.len() < states_max {
                true => self.pop_at(self.ways[state].length),
                false => None,
            };
        }
    }

    /// Settles another state of this layer with a way of this length, the shortest that there is.
    #[inline]
    fn pop_at(&mut self, length: Length) -> Option<u32> {
        let ways = &mut self.ways;
        for queue in [&mut self.by_fault, &mut self.by_step] {
            let is_next =
                |state: &mut u32| ways[*state].is_settled() || ways[*state].length == length;
            while let Some(state) = queue.pop_front_if(is_next) {
                if !ways[state].is_settled() {
                    ways[state].via |= SETTLED;
                    return Some(state);
                }
            }
        }
        None
    }

    /// Whether a way that goes on from a settled state may take one more fault.
    pub fn may_fail(&self, state: u32) -> bool {
        self.faults(state) < self.faults_max
    }

    /// There is a way of this length to `state`, over one that is settled.
    #[inline]
    pub fn offer(&mut self, state: u32, via: u32, length: Length, fault: bool) {
        let way = &mut self.ways[state];
        // To a settled state there is no shorter one.
        if length >= way.length {
            return;
        }
        *way = Way { via, length };
        match fault {
            true => self.beyond.push_back(state),
            false => self.by_step.push_back(state),
        }
    }

    /// How many faults the way to a settled state takes.
    pub fn faults(&self, state: u32) -> u8 {
        self.ways[state].length.faults()
    }

    /// How long the shortest way is that is known so far.
    #[inline]
    pub fn length_so_far(&self, state: u32) -> Length {
        self.ways[state].length
    }

    /// Fewest faults and steps; `None` if there is no way.
    pub fn length(&self, state: u32) -> Option<Length> {
        let way = &self.ways[state];
        way.is_settled().then_some(way.length)
    }

    /// The states from `state` to where the search began, both included.
    pub fn path(&self, state: u32) -> Vec<u32> {
        let step =
            |state: &u32| Some(self.ways[*state].via & !SETTLED).filter(|via| *via != NOWHERE);
        std::iter::successors(Some(state), step).collect()
    }

    /// Whether the way between two neighbours on a [`path`](Ways::path) is a fault.
    pub fn is_fault(&self, near: u32, far: u32) -> bool {
        self.faults(near) != self.faults(far)
    }
}
