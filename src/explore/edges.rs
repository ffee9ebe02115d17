//! The steps between states: four bytes each, in the order in which the states were expanded.

use super::arena::Arena;

/// Where each state leads, written down as it is expanded, so that recording an edge touches no other
/// memory than the end of a list.
pub(super) struct Edges {
    /// For each state: where it leads, and then its own number with the mark [`FROM`].
    words: Arena<u32>,
}

/// Marks the number of the state from which the edges before it lead. State numbers stay below.
const FROM: u32 = 1 << 31;
/// Marks where a fault leads.
const FAULT: u32 = 1 << 30;

impl Edges {
    pub fn new() -> Edges {
        Edges {
            words: Arena::new(),
        }
    }

    /// How many words there are.
    pub fn len(&self) -> u32 {
        self.words.len() as u32
    }

    /// Adds the edges of a state: where each leads, and whether by a fault.
    #[inline]
    pub fn extend(&mut self, from: u32, edges: impl Iterator<Item = (u32, bool)>) {
        for (to, fault) in edges {
            self.words.push(if fault { to | FAULT } else { to });
        }
        self.words.push(from | FROM);
    }

    /// Goes back from behind the edges of a state to its own number.
    #[inline]
    pub fn back_to_origin(&self, place: &mut u32) -> u32 {
        *place -= 1;
        self.words[*place] & !FROM
    }

    /// Goes back to the edge before this place, if the same state has one more: where it leads, and
    /// whether by a fault.
    #[inline]
    pub fn back(&self, place: &mut u32) -> Option<(u32, bool)> {
        let before = place.checked_sub(1)?;
        let word = self.words[before];
        if word & FROM != 0 {
            return None;
        }
        *place = before;
        Some((word & !FAULT, word & FAULT != 0))
    }
}

/// The same edges by where they lead, for searches backwards; made in slices.
pub(super) struct Turned {
    /// By state: where its edges begin among all, and later where they end.
    place: Vec<u32>,
    /// From where each edge leads; the newest edge into a state stands first.
    from: Vec<u32>,
    /// How many words are still to be read.
    left: u32,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Counting,
    Filling,
    Turned,
}

impl Turned {
    pub fn new(edges: &Edges, states: usize) -> Turned {
        Turned {
            place: vec![0; states],
            from: Vec::new(),
            left: edges.len(),
            stage: Stage::Counting,
        }
    }

    /// Reads the edges of about one state; `false` when all are turned.
    pub fn advance(&mut self, edges: &Edges) -> bool {
        if self.left > 0 {
            let from = edges.back_to_origin(&mut self.left);
            while let Some((to, fault)) = edges.back(&mut self.left) {
                let place = &mut self.place[to as usize];
                if self.stage == Stage::Filling {
                    self.from[*place as usize] = from | if fault { FAULT } else { 0 };
                }
                *place += 1;
            }
            return true;
        }
        match self.stage {
            Stage::Counting => {
                let mut sum = 0;
                for place in &mut self.place {
                    sum += std::mem::replace(place, sum);
                }
                self.from = vec![0; sum as usize];
                self.left = edges.len();
                self.stage = Stage::Filling;
                true
            }
            Stage::Filling | Stage::Turned => {
                self.stage = Stage::Turned;
                false
            }
        }
    }

    /// The edges into a state: from where, and whether by a fault.
    pub fn into(&self, state: u32) -> impl Iterator<Item = (u32, bool)> {
        let state = state as usize;
        let begin = match state {
            0 => 0,
            _ => self.place[state - 1],
        };
        let edges = &self.from[begin as usize..self.place[state] as usize];
        edges.iter().map(|from| (from & !FAULT, from & FAULT != 0))
    }

    /// From where each edge leads that is not a fault.
    pub fn steps(&self) -> impl Iterator<Item = u32> {
        self.from.iter().copied().filter(|from| from & FAULT == 0)
    }
}
