//! One step of the run: its stretch of every lane, its arrows and marks.

use std::borrow::Cow;

use leptos::prelude::*;

use super::super::element::{Svg, all, shape, svg};
use super::super::page::Page;
use super::geometry::{Geometry, ROW, fit, middle, start, top};
use crate::lab::{End, Item, Lanes, Row};
use crate::machine::{Durability, Label, Lane, LaneId, Mark};

/// A row with its place in the run and relative to the cursor. It is its own key: a row whose
/// content changes is drawn anew, every other one stays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    pub index: usize,
    time: Time,
    pub row: Row,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Time {
    Past,
    Now,
    Future,
}

impl Drawn {
    pub fn new(index: usize, cursor: usize, row: Row) -> Drawn {
        let time = match (index + 1).cmp(&cursor) {
            std::cmp::Ordering::Less => Time::Past,
            std::cmp::Ordering::Equal => Time::Now,
            std::cmp::Ordering::Greater => Time::Future,
        };
        Drawn { index, time, row }
    }

    pub fn class(&self) -> &'static str {
        match self.time {
            Time::Past => "past",
            Time::Now => "now",
            Time::Future => "future",
        }
    }

    pub fn is_now(&self) -> bool {
        self.time == Time::Now
    }

    /// What the arrows and marks of the row say.
    pub fn said(&self) -> Vec<Label> {
        let label = |item: &Item| match item {
            Item::Sent { label, .. } => Some(label.clone()),
            Item::Mark { label, .. } => label.clone(),
            Item::Ended { .. } | Item::Down { .. } | Item::Up { .. } => None,
        };
        self.row.items.iter().filter_map(label).collect()
    }
}

fn text(class: impl Into<Cow<'static, str>>, x: i32, y: i32, words: String) -> AnyView {
    let text = svg(Svg::Text, class)
        .set("x", x.to_string())
        .set("y", y.to_string());
    text.text(words).into()
}

/// Over how many rows a copy is tied to its original by a whole line.
const TIE_ROWS_MAX: usize = 40;

/// The distance of two strokes of the hatching.
const HATCH: i32 = 7;

/// A stretch of a lane from top to bottom: alive, dead (hatched), or not started yet.
pub fn life_line(
    x: i32,
    (top, bottom): (i32, i32),
    lane: LaneId,
    durability: Durability,
    lanes: Lanes,
) -> AnyView {
    let class = match (lanes.is_present(lane), lanes.is_down(lane)) {
        (false, _) => "life absent".to_owned(),
        (true, true) => {
            let strokes = (top..bottom - HATCH).step_by(HATCH as usize);
            let path = strokes.map(|y| format!("M{} {}l12-{HATCH}", x - 6, y + HATCH));
            return shape("dead", path.collect::<String>());
        }
        (true, false) => format!("life {}", durability.id()),
    };
    shape(class, format!("M{x} {top}V{bottom}"))
}

/// What is needed to draw into one row.
pub struct Pen {
    page: Page,
    geometry: Geometry,
    index: usize,
    y: i32,
}

impl Pen {
    pub fn new(page: Page, geometry: Geometry, drawn: &Drawn) -> Pen {
        Pen {
            page,
            geometry,
            index: drawn.index,
            y: middle(drawn.index),
        }
    }

    pub fn draw(&self, row: &Row, lanes: &[Lane]) -> AnyView {
        let (y, index) = (self.y, self.index);
        let (left, width) = (self.geometry.left + 8, self.geometry.width);
        let (wide, high) = (width - left - 10, ROW - 14);
        let back = format!(
            "M{left} {}h{wide}q6 0 6 6v{high}q0 6-6 6h-{wide}q-6 0-6-6v-{high}q0-6 6-6z",
            top(index) + 1,
        );
        let lanes = (0..).zip(lanes).filter(|(id, _)| self.geometry.shows(*id));
        let lives = lanes.flat_map(|(id, lane)| {
            let life = |reach, lanes| life_line(self.x(id), reach, id, lane.durability, lanes);
            [
                life((start(index), y), row.before),
                life((y, top(index + 1)), row.after),
            ]
        });
        let number = (index + 1).to_string();
        let mut drawn = vec![shape("row-back", back)];
        drawn.extend(lives);
        drawn.push(text("number", self.geometry.number(), y + 4, number));
        // Who goes down and comes back in one step shows that it was down.
        let is_brief = |item: &&Item| match item {
            Item::Up { lane } => row.items.contains(&Item::Down { lane: *lane }),
            _ => false,
        };
        let items = row.items.iter().filter(|item| !is_brief(item));
        drawn.extend(items.map(|item| self.item(item, row)));
        all(drawn)
    }

    fn x(&self, lane: LaneId) -> i32 {
        self.geometry.lane(lane)
    }

    fn item(&self, item: &Item, row: &Row) -> AnyView {
        match item {
            Item::Sent {
                from,
                to,
                label,
                copy_of,
                end,
            } => {
                let tie = copy_of.map(|first| self.tie(*from, first));
                let words = self.room(row, *from, *to);
                let arrow = self.arrow(*from, *to, words, label, *end);
                all(tie.into_iter().chain([arrow]))
            }
            Item::Ended {
                from,
                to,
                sent_in,
                lost,
            } => self.line(*from, *to, *sent_in, self.index, *lost),
            Item::Mark { lane, mark, label } => {
                let words = label
                    .as_ref()
                    .map(|label| self.beside(row, *lane, "", &self.page.say_now(label)));
                all([self.mark(*lane, *mark)].into_iter().chain(words))
            }
            Item::Down { lane } => all([
                self.sign("event crash", *lane, "m-8-7l16 3.5-16 3.5 16 3.5"),
                self.beside(row, *lane, "crash", &self.page.now("ui.mark.crash")),
            ]),
            Item::Up { lane } => all([
                self.sign(
                    "event restart",
                    *lane,
                    "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
                ),
                self.beside(row, *lane, "restart", &self.page.now("ui.mark.restart")),
            ]),
        }
    }

    /// Where the words of an arrow stand: along the part that no shorter arrow of its row covers.
    fn room(&self, row: &Row, from: LaneId, to: LaneId) -> (i32, i32) {
        let ends = |from, to| (self.x(LaneId::min(from, to)), self.x(LaneId::max(from, to)));
        let (left, right) = ends(from, to);
        let shorter = row.items.iter().filter_map(|item| match item {
            Item::Sent { from, to, .. } => Some(ends(*from, *to)),
            _ => None,
        });
        let shorter = shorter.filter(|(l, r)| r - l < right - left);
        let (left, right) = shorter.fold((left, right), |(left, right), (l, r)| {
            match (l == left, r == right) {
                (true, _) => (r, right),
                (_, true) => (left, l),
                _ => (left, right),
            }
        });
        match from < to {
            true => (left, right),
            false => (right, left),
        }
    }

    /// A message that leaves in this row, with its label; slanted where it ends in a later one.
    fn arrow(
        &self,
        from: LaneId,
        to: LaneId,
        (x1, x2): (i32, i32),
        label: &Label,
        end: End,
    ) -> AnyView {
        let (line, lost) = match end {
            End::Arrived { row } => (self.line(from, to, self.index, row, false), false),
            End::Lost { row } => (self.line(from, to, self.index, row, true), true),
            End::InFlight => (self.stub(from, to), false),
        };
        let along = |percent: i32| x1 + (x2 - x1) * percent / 100;
        let room = (x2 - x1).abs() * if lost { 60 } else { 100 } / 100;
        let shown = fit(&self.page.say_now(label), room - 14);
        // A lost message has its words over the part that was travelled.
        let middle = along(if lost { 32 } else { 50 });
        let mut drawn = vec![
            line,
            self.sign(
                "dot",
                from,
                "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0",
            ),
            text("words", middle, self.y - 6, shown),
        ];
        if lost {
            let gone = self.page.now("ui.mark.lost");
            drawn.push(text("lost-word", along(80), self.y - 6, gone));
        }
        all(drawn)
    }

    fn line(&self, from: LaneId, to: LaneId, sent: usize, ended: usize, lost: bool) -> AnyView {
        let (x1, x2) = (self.x(from), self.x(to));
        let (y1, y2) = (middle(sent), middle(ended));
        let side = (x2 - x1).signum();
        let (start, tip) = (x1 + 5 * side, x2 - 7 * side);
        if !lost {
            let head = format!("M{} {y2}l{} -3.2v6.4z", tip + side, -7 * side);
            return all([
                shape("message", format!("M{start} {y1}L{tip} {y2}")),
                shape("tip", head),
            ]);
        }
        let (xb, yb) = (x1 + (x2 - x1) * 62 / 100, y1 + (y2 - y1) * 62 / 100);
        all([
            shape(
                "message lost",
                format!("M{start} {y1}L{} {yb}", xb - 8 * side),
            ),
            shape("ghost", format!("M{} {yb}L{tip} {y2}", xb + 8 * side)),
            shape("cross", format!("M{} {}l10 10m0-10l-10 10", xb - 5, yb - 5)),
        ])
    }

    /// A message that is still under way.
    fn stub(&self, from: LaneId, to: LaneId) -> AnyView {
        let (x1, x2, y) = (self.x(from), self.x(to), self.y);
        let start = x1 + 5 * (x2 - x1).signum();
        let end = (x1 + (x2 - x1) * 55 / 100, y + ROW / 3);
        shape(
            "message in-flight",
            format!("M{start} {y}L{} {}", end.0, end.1),
        )
    }

    /// Ties a copy to the row in which the message was sent first. From far away only the end of
    /// the tie is drawn: a dotted line over a thousand rows costs more than all else together.
    fn tie(&self, lane: LaneId, first: usize) -> AnyView {
        let (x, y, top) = (self.x(lane), self.y, middle(first));
        let start = match self.index - first <= TIE_ROWS_MAX {
            true => format!("M{} {top}c-16 4-16 10-16 16", x - 5),
            false => format!("M{} {}", x - 21, y - ROW),
        };
        let path = format!("{start}V{}c0 6 0 12 16 16", y - 16);
        let word = format!("={}", first + 1);
        all([shape("tie", path), text("copy", x - 25, y + 4, word)])
    }

    fn mark(&self, lane: LaneId, mark: Mark) -> AnyView {
        const SQUARE: &str = "m-6-6h12v12h-12z";
        const DISC: &str = "m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0";
        match mark {
            Mark::Durable => self.sign("mark durable", lane, SQUARE),
            Mark::Staged => self.sign("mark staged", lane, SQUARE),
            Mark::Volatile => self.sign("mark volatile", lane, SQUARE),
            Mark::Applied => all([
                self.sign("mark applied", lane, DISC),
                self.sign("sign", lane, "m-3.6 .2l2.6 2.6 4.6-5.2"),
            ]),
            Mark::Harm => all([
                self.sign("mark applied harm", lane, DISC),
                self.sign("sign", lane, "m0-4v4.6m0 2.4v.6"),
            ]),
            Mark::Wait => self.sign("mark wait", lane, "m-5-6h10l-10 12h10z"),
            Mark::Refused => self.sign("mark refused", lane, "m-4-4l8 8m0-8l-8 8"),
            Mark::Note => self.sign("mark note", lane, "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0"),
        }
    }

    /// A sign in the lane, drawn from its middle.
    fn sign(&self, class: &str, lane: LaneId, path: &str) -> AnyView {
        shape(
            class.to_owned(),
            format!("M{} {}{path}", self.x(lane), self.y),
        )
    }

    /// Words beside a mark: on its right, in the last lane on its left; below the arrow that would
    /// cross them, if there is one.
    fn beside(&self, row: &Row, lane: LaneId, class: &str, words: &str) -> AnyView {
        let is_last = self.geometry.is_last(lane);
        let (room, side, start) = match is_last {
            true => (self.geometry.gap, "left", self.x(lane) - 13),
            false => (self.geometry.gap * 8 / 5, "right", self.x(lane) + 13),
        };
        let is_crossed = row.items.iter().any(|item| match item {
            Item::Sent { from, to, .. } if is_last => from.max(to) == &lane,
            Item::Sent { from, to, .. } => from.min(to) <= &lane && &lane < from.max(to),
            _ => false,
        });
        let down = if is_crossed { 16 } else { 4 };
        let shown = fit(words, room - 16);
        text(
            format!("beside {side} {class}"),
            start,
            self.y + down,
            shown,
        )
    }
}
