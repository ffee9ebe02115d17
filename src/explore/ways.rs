//! The shortest ways: fewest faults first, then fewest steps.
//!
//! The same search serves forwards, from the first states over the actions, and backwards, from the
//! states that show a harm over the recorded edges.

use std::collections::VecDeque;

use super::arena::Arena;

/// No state.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The shortest way between a state and where the search began.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The neighbour on the way; [`NOWHERE`] where the search began.
    pub via: u32,
    pub steps: u32,
    pub faults: u8,
    /// Whether no shorter way can be found any more.
    settled: bool,
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
        (0..states).for_each(|_| ways.add());
        ways
    }

    /// A place for one more state.
    pub fn add(&mut self) {
        self.ways.push(Way {
            via: NOWHERE,
            steps: u32::MAX,
            faults: u8::MAX,
            settled: false,
        });
    }

    /// A state where the search begins. All of them must be known before the first is settled.
    pub fn start(&mut self, state: u32) {
        let way = &mut self.ways[state];
        if way.steps > 0 {
            (way.faults, way.steps) = (0, 0);
            self.by_step.push_back(state);
        }
    }

    /// Settles the state that is nearest now.
    pub fn pop(&mut self) -> Option<u32> {
        loop {
            let ways = &self.ways;
            let nearest = |queue: &mut VecDeque<u32>| {
                while queue.pop_front_if(|state| ways[*state].settled).is_some() {}
                queue.front().map(|state| ways[*state].steps)
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
            self.ways[state].settled = true;
            return Some(state);
        }
    }

    /// Settles up to so many of the states that are nearest now, each as near as the others.
    pub fn settle(&mut self, states_max: usize, settled: &mut Vec<u32>) {
        let mut next = self.pop();
        while let Some(state) = next {
            settled.push(state);
            let steps = self.ways[state].steps;
            next = match settled.len() < states_max {
                true => self.pop_after(steps),
                false => None,
            };
        }
    }

    /// Settles another state of this layer with a way of so many steps, the fewest that there are.
    #[inline]
    fn pop_after(&mut self, steps: u32) -> Option<u32> {
        let ways = &mut self.ways;
        for queue in [&mut self.by_fault, &mut self.by_step] {
            while let Some(state) =
                queue.pop_front_if(|state| ways[*state].settled || ways[*state].steps == steps)
            {
                if !std::mem::replace(&mut ways[state].settled, true) {
                    return Some(state);
                }
            }
        }
        None
    }

    /// Whether a way that goes on from a settled state may take one more fault.
    pub fn may_fail(&self, state: u32) -> bool {
        self.ways[state].faults < self.faults_max
    }

    /// How long the ways are that go on from a settled state.
    #[inline]
    pub fn length_over(&self, via: u32, fault: bool) -> (u8, u32) {
        let before = &self.ways[via];
        (before.faults.saturating_add(fault.into()), before.steps + 1)
    }

    /// Whether a way of this length is shorter than the one that is known.
    #[inline]
    pub fn is_nearer(&self, state: u32, length: (u8, u32)) -> bool {
        let way = &self.ways[state];
        !way.settled && length < (way.faults, way.steps)
    }

    /// There is a way to `state` over the state that was settled last.
    #[inline]
    pub fn offer(&mut self, state: u32, via: u32, fault: bool) {
        let length = self.length_over(via, fault);
        if fault && !self.may_fail(via) || !self.is_nearer(state, length) {
            return;
        }
        let way = &mut self.ways[state];
        (way.faults, way.steps) = length;
        way.via = via;
        match fault {
            true => self.beyond.push_back(state),
            false => self.by_step.push_back(state),
        }
    }

    /// How many faults the way to a settled state takes.
    pub fn faults(&self, state: u32) -> u8 {
        self.ways[state].faults
    }

    /// Fewest faults and steps; `None` if there is no way.
    pub fn length(&self, state: u32) -> Option<(u8, u32)> {
        let way = &self.ways[state];
        way.settled.then_some((way.faults, way.steps))
    }

    /// The states from `state` to where the search began, both included.
    pub fn path(&self, state: u32) -> Vec<u32> {
        let step = |state: &u32| Some(self.ways[*state].via).filter(|via| *via != NOWHERE);
        std::iter::successors(Some(state), step).collect()
    }

    /// Whether the way between two neighbours on a [`path`](Ways::path) is a fault.
    pub fn is_fault(&self, near: u32, far: u32) -> bool {
        self.ways[near].faults != self.ways[far].faults
    }
}
