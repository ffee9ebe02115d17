//! Where the words of a row stand: each in the first place that is free for all of it, else cut in
//! the widest.

use super::geometry::{fit, width};

/// Between words and what stands beside them.
const MARGIN: i32 = 3;

/// How far from their mark words may stand on the other side of a line.
const NEAR: i32 = 120;

/// What is taken in a row: from left to right and from top to bottom, about the row's middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taken {
    x: (i32, i32),
    y: (i32, i32),
}

/// How words stand to the line of an arrow: above it, on its height, or below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    Above,
    Middle,
    Below,
}

impl Band {
    /// The foot of the letters, below the middle of the row.
    const fn foot(self) -> i32 {
        match self {
            Band::Above => -6,
            Band::Middle => 4,
            Band::Below => 15,
        }
    }

    /// From the highest letter to the lowest.
    const fn reach(self) -> (i32, i32) {
        (self.foot() - 10, self.foot() + 2)
    }
}

/// The side of its anchor on which a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Around,
    Right,
}

/// A place for a text.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub band: Band,
    pub side: Side,
    pub x: i32,
}

/// A text in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub side: Side,
    pub x: i32,
    /// Below the middle of the row.
    pub y: i32,
    pub words: String,
}

/// The room of a row.
pub struct Room {
    edges: (i32, i32),
    taken: Vec<Taken>,
}

impl Room {
    pub fn new(edges: (i32, i32)) -> Room {
        Room {
            edges,
            taken: Vec::new(),
        }
    }

    pub fn take(&mut self, x: (i32, i32), y: (i32, i32)) {
        let x = (x.0.min(x.1), x.0.max(x.1));
        self.taken.push(Taken { x, y });
    }

    /// What is free around a spot, from left to right.
    fn free(&self, spot: Spot) -> Option<(i32, i32)> {
        let (top, bottom) = spot.band.reach();
        let at = match spot.side {
            Side::Left => (spot.x - 1, spot.x),
            Side::Around => (spot.x, spot.x),
            Side::Right => (spot.x, spot.x + 1),
        };
        let mut free = self.edges;
        for taken in &self.taken {
            if taken.y.1 < top || bottom < taken.y.0 {
                continue;
            }
            match taken.x {
                (_, right) if right < at.0 => free.0 = free.0.max(right + MARGIN),
                (left, _) if at.1 < left => free.1 = free.1.min(left - MARGIN),
                _ => return None,
            }
        }
        match spot.side {
            Side::Left => free.1 = free.1.min(spot.x),
            Side::Right => free.0 = free.0.max(spot.x),
            Side::Around => {}
        }
        (free.0 < free.1).then_some(free)
    }

    /// The spots on the far side of the upright lines near to some spots, nearest first.
    fn beyond(&self, spots: &[Spot]) -> Vec<Spot> {
        let uprights = self.taken.iter().filter(|taken| taken.x.0 == taken.x.1);
        let uprights: Vec<i32> = uprights.map(|taken| taken.x.0).collect();
        let beyond = spots.iter().flat_map(|spot| {
            let sides = [(Side::Left, -MARGIN - 1), (Side::Right, MARGIN + 1)];
            let near = uprights.iter().filter(|x| (*x - spot.x).abs() <= NEAR);
            near.flat_map(move |x| {
                sides.map(|(side, away)| {
                    let x = x + away;
                    ((x - spot.x).abs(), Spot { side, x, ..*spot })
                })
            })
        });
        let mut beyond: Vec<(i32, Spot)> = beyond.collect();
        beyond.sort_by_key(|(away, _)| *away);
        beyond.into_iter().map(|(_, spot)| spot).collect()
    }

    /// Puts words into the first of the spots that has room for all of them.
    pub fn put(&mut self, words: &str, spots: &[Spot]) -> Option<Placed> {
        let needed = width(words);
        let beyond = self.beyond(spots);
        let free = spots
            .iter()
            .chain(&beyond)
            .filter_map(|spot| Some((*spot, self.free(*spot)?)))
            .collect::<Vec<_>>();
        let wide = |(_, (left, right)): &(Spot, (i32, i32))| right - left;
        let whole = free.iter().find(|one| wide(one) >= needed);
        // Of places as wide as each other the first one counts.
        let (spot, (left, right)) = whole.or(free.iter().rev().max_by_key(|one| wide(one)))?;
        let words = fit(words, right - left);
        let drawn = width(&words);
        let x = match spot.side {
            Side::Left => *right,
            Side::Right => *left,
            Side::Around => spot
                .x
                .clamp(left + drawn / 2, (right - drawn / 2).max(left + drawn / 2)),
        };
        let reach = match spot.side {
            Side::Left => (x - drawn, x),
            Side::Right => (x, x + drawn),
            Side::Around => (x - drawn / 2, x + drawn - drawn / 2),
        };
        self.take(reach, spot.band.reach());
        Some(Placed {
            side: spot.side,
            x,
            y: spot.band.foot(),
            words,
        })
    }
}
