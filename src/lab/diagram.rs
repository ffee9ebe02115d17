//! The space-time diagram: a row a step, an arrow a message, a mark where something happens.
//!
//! Messages may stay in flight over many rows. A row knows where its arrows end and where the
//! arrows that end in it began, so that any window of rows can be drawn by itself.

use crate::machine::{Effect, Fault, Label, Lane, LaneId, Mark, MessageId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    rows: Vec<Row>,
    /// For every message that was ever sent: the row of its first copy, and the copies under way.
    messages: Vec<Message>,
    lanes: Lanes,
}

/// One step of the run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    pub label: Label,
    pub fault: Option<Fault>,
    pub items: Vec<Item>,
    /// The lanes as they are when the step begins and when it ends.
    pub before: Lanes,
    pub after: Lanes,
}

/// Which lanes run and which are down, a bit a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lanes {
    present: u32,
    down: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A message leaves in this row.
    Sent {
        from: LaneId,
        to: LaneId,
        label: Label,
        /// The row in which the same message was sent first, if this is a copy.
        copy_of: Option<usize>,
        end: End,
    },
    /// A message that left in an earlier row arrives in this one, or is lost.
    Ended {
        from: LaneId,
        to: LaneId,
        sent_in: usize,
        lost: bool,
    },
    Mark {
        lane: LaneId,
        mark: Mark,
        label: Option<Label>,
    },
    Down {
        lane: LaneId,
    },
    Up {
        lane: LaneId,
    },
}

/// What becomes of a message, and in which row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    InFlight,
    Arrived { row: usize },
    Lost { row: usize },
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    id: MessageId,
    first_row: usize,
    /// Where the copies that are in flight stand, oldest first: row, and place in the row.
    in_flight: Vec<(usize, usize)>,
}

impl Lanes {
    fn bit(lane: LaneId) -> u32 {
        1 << (lane as u32 % u32::BITS)
    }

    fn new(lanes: &[Lane]) -> Lanes {
        let present = (0..).zip(lanes).filter(|(_, lane)| lane.present);
        Lanes {
            present: present.fold(0, |bits, (id, _)| bits | Lanes::bit(id)),
            down: 0,
        }
    }

    /// Whether a participant has been started at all.
    pub fn is_present(self, lane: LaneId) -> bool {
        self.present & Lanes::bit(lane) != 0
    }

    /// Whether a participant has crashed and not come back.
    pub fn is_down(self, lane: LaneId) -> bool {
        self.down & Lanes::bit(lane) != 0
    }

    fn set_down(&mut self, lane: LaneId) {
        self.down |= Lanes::bit(lane);
    }

    fn set_up(&mut self, lane: LaneId) {
        self.present |= Lanes::bit(lane);
        self.down &= !Lanes::bit(lane);
    }
}

impl Diagram {
    pub fn new(lanes: &[Lane]) -> Diagram {
        Diagram {
            rows: Vec::new(),
            messages: Vec::new(),
            lanes: Lanes::new(lanes),
        }
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The lanes after so many steps.
    pub fn lanes(&self, steps: usize) -> Lanes {
        match (
            steps.checked_sub(1).map(|last| &self.rows[last]),
            self.rows.first(),
        ) {
            (Some(last), _) => last.after,
            (None, Some(first)) => first.before,
            (None, None) => self.lanes,
        }
    }

    /// Adds the row of one step.
    pub fn push(&mut self, label: Label, fault: Option<Fault>, effects: Vec<Effect>) {
        let row = self.rows.len();
        self.rows.push(Row {
            label,
            fault,
            items: Vec::with_capacity(effects.len()),
            before: self.lanes,
            after: self.lanes,
        });
        for effect in effects {
            self.add(row, effect);
        }
        self.rows[row].after = self.lanes;
    }

    fn add(&mut self, row: usize, effect: Effect) {
        let item = match effect {
            Effect::Sent {
                message,
                from,
                to,
                label,
            } => Item::Sent {
                from,
                to,
                label,
                copy_of: self.send(message, row),
                end: End::InFlight,
            },
            Effect::Passed {
                from,
                to,
                label,
                lost,
            } => Item::Sent {
                from,
                to,
                label,
                copy_of: None,
                end: match lost {
                    true => End::Lost { row },
                    false => End::Arrived { row },
                },
            },
            Effect::Arrived { message } => return self.end(message, row, false),
            Effect::Lost { message } => return self.end(message, row, true),
            Effect::Marked { lane, mark, label } => Item::Mark { lane, mark, label },
            Effect::Down { lane } => {
                self.lanes.set_down(lane);
                Item::Down { lane }
            }
            Effect::Up { lane } => {
                self.lanes.set_up(lane);
                Item::Up { lane }
            }
        };
        self.rows[row].items.push(item);
    }

    /// Notes a message under way; gives the row of the first copy if this is a further one.
    fn send(&mut self, id: MessageId, row: usize) -> Option<usize> {
        let place = (row, self.rows[row].items.len());
        if let Some(message) = self.messages.iter_mut().find(|m| m.id == id) {
            message.in_flight.push(place);
            return Some(message.first_row);
        }
        self.messages.push(Message {
            id,
            first_row: row,
            in_flight: vec![place],
        });
        None
    }

    /// The oldest copy in flight ends in this row. Without one there is nothing to draw.
    fn end(&mut self, id: MessageId, row: usize, lost: bool) {
        let message = self.messages.iter_mut().find(|m| m.id == id);
        let Some(message) = message.filter(|m| !m.in_flight.is_empty()) else {
            return;
        };
        let (sent_in, place) = message.in_flight.remove(0);
        let Item::Sent { from, to, end, .. } = &mut self.rows[sent_in].items[place] else {
            return;
        };
        let (from, to) = (*from, *to);
        *end = match lost {
            true => End::Lost { row },
            false => End::Arrived { row },
        };
        if sent_in != row {
            self.rows[row].items.push(Item::Ended {
                from,
                to,
                sent_in,
                lost,
            });
        }
    }
}
