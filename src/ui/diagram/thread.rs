//! What runs through several rows: messages that end later than they left, and the ties of copies.
//! Every row draws its own stretch of them, below its words.

use crate::lab::{End, Item, Row};
use crate::machine::LaneId;

/// How far above and below the rows in sight something is looked for that runs through them.
const REACH: usize = 200;

/// The stretch of something long in one row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    pub course: Course,
    pub part: Part,
    /// The row and the item in it that says what this is.
    pub of: (usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Course {
    /// A message; several that run beside the same lane have slots of their own.
    Flight {
        from: LaneId,
        to: LaneId,
        slot: i32,
        lost: bool,
    },
    /// From a message to its copy.
    Tie { lane: LaneId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Begins,
    Passes,
    Ends,
}

/// A flight and the row in which it ends.
struct Flight {
    to: LaneId,
    rightwards: bool,
    slot: i32,
    last: usize,
}

/// The threads of each of so many rows.
pub fn threads(all: &[Row], first: usize, count: usize) -> Vec<Vec<Thread>> {
    let end = all.len().min(first + count);
    let mut drawn = vec![Vec::new(); end.saturating_sub(first)];
    let mut add = |course: Course, reach: (usize, usize), of: (usize, usize)| {
        for row in reach.0.max(first)..(reach.1 + 1).min(end) {
            let part = match row {
                row if row == reach.0 => Part::Begins,
                row if row == reach.1 => Part::Ends,
                _ => Part::Passes,
            };
            drawn[row - first].push(Thread { course, part, of });
        }
    };
    let mut flights: Vec<Flight> = Vec::new();
    let mut slot = |from: LaneId, to: LaneId, row: usize, last: usize| {
        let rightwards = from < to;
        flights.retain(|flight| flight.last >= row);
        let is_taken = |slot: &i32| {
            let beside = |f: &Flight| f.to == to && f.rightwards == rightwards && f.slot == *slot;
            flights.iter().any(beside)
        };
        let slot = (0..).find(|slot| !is_taken(slot)).unwrap_or(0);
        flights.push(Flight {
            to,
            rightwards,
            slot,
            last,
        });
        slot
    };
    let begin = first.saturating_sub(REACH);
    for (index, row) in all.iter().enumerate().take(end + REACH).skip(begin) {
        for (number, item) in row.items.iter().enumerate() {
            let Item::Sent {
                from,
                to,
                copy_of,
                end,
                ..
            } = item
            else {
                continue;
            };
            if let Some(original) = copy_of.filter(|original| *original < index) {
                add(
                    Course::Tie { lane: *from },
                    (original, index),
                    (index, number),
                );
            }
            let (last, lost) = match end {
                End::Arrived { row } => (*row, false),
                End::Lost { row } => (*row, true),
                End::InFlight => continue,
            };
            if last > index {
                let course = Course::Flight {
                    from: *from,
                    to: *to,
                    slot: slot(*from, *to, index, last),
                    lost,
                };
                add(course, (index, last), (index, number));
            }
        }
    }
    drawn
}
