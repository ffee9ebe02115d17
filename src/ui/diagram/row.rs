//! One step of the run: its stretch of every lane, its arrows and marks.

use leptos::prelude::*;

use super::super::element::{Svg, all, shape, svg};
use super::super::page::Page;
use super::geometry::{Geometry, ROW, middle, start, top};
use super::place::{Band, Room, Side, Spot};
use super::signs::text;
use super::thread::{Course, Part, Thread};
use super::{about, signs};
use crate::lab::{End, Item, Row};
use crate::machine::{Label, Lane, LaneId, Mark};

/// A row with its place in the run and relative to the cursor. It is its own key: a row whose
/// content changes is drawn anew, every other one stays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    pub index: usize,
    time: Time,
    pub row: Row,
    /// What of other rows runs through it.
    threads: Vec<Thread>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Time {
    Past,
    Now,
    Future,
}

impl Drawn {
    pub fn new(index: usize, cursor: usize, row: Row, threads: Vec<Thread>) -> Drawn {
        let time = match (index + 1).cmp(&cursor) {
            std::cmp::Ordering::Less => Time::Past,
            std::cmp::Ordering::Equal => Time::Now,
            std::cmp::Ordering::Greater => Time::Future,
        };
        Drawn {
            index,
            time,
            row,
            threads,
        }
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

/// How far from its lane a tie runs.
const TIE: i32 = 14;
/// How far from the lane in which they end the long flights run, and from each other.
const FLIGHT: i32 = 23;
const FLIGHTS: i32 = 7;
const SLOT_MAX: i32 = 5;
/// How far above the middle of its row a long flight ends: what it brings about stands below.
const LANDING: i32 = 9;
/// How much of its way a lost message travels.
const LOST_PERCENT: i32 = 62;
/// How much of its way a message under way is drawn.
const STUB_PERCENT: i32 = 55;

/// What is needed to draw into one row.
pub struct Pen {
    page: Page,
    geometry: Geometry,
    index: usize,
    y: i32,
}

/// The layers of a row, and what of it is taken.
struct Layers {
    lines: Vec<AnyView>,
    signs: Vec<AnyView>,
    words: Vec<AnyView>,
    room: Room,
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

    pub fn draw(&self, drawn: &Drawn, lanes: &[Lane]) -> AnyView {
        let (y, index, row) = (self.y, self.index, &drawn.row);
        let (left, width) = (self.geometry.left + 8, self.geometry.width);
        let (wide, high) = (width - left - 10, ROW - 14);
        let back = format!(
            "M{left} {}h{wide}q6 0 6 6v{high}q0 6-6 6h-{wide}q-6 0-6-6v-{high}q0-6 6-6z",
            top(index) + 1,
        );
        let shown = (0..).zip(lanes).filter(|(id, _)| self.geometry.shows(*id));
        let lives = shown.flat_map(|(id, lane)| {
            let life =
                |reach, lanes| signs::life_line(self.x(id), reach, id, lane.durability, lanes);
            [
                life((start(index), y), row.before),
                life((y, top(index + 1)), row.after),
            ]
        });
        let number = (index + 1).to_string();
        let mut layers = Layers {
            lines: vec![shape("row-back", back)],
            signs: Vec::new(),
            words: Vec::new(),
            room: Room::new((self.geometry.lanes() - 4, width - 4)),
        };
        layers.lines.extend(lives);
        let number = text("number", self.geometry.number(), y + 4, number);
        layers.lines.push(number);
        for thread in &drawn.threads {
            self.thread(&mut layers, thread, lanes);
        }
        // Who goes down and comes back in one step shows that it was down.
        let is_brief = |item: &&Item| match item {
            Item::Up { lane } => row.items.contains(&Item::Down { lane: *lane }),
            _ => false,
        };
        let items = || row.items.iter().filter(|item| !is_brief(item));
        // First everything that stands where it stands, then the words in what is left.
        for item in items() {
            self.item(&mut layers, item, drawn, lanes);
        }
        for item in items() {
            self.words(&mut layers, item, drawn, lanes);
        }
        let Layers {
            lines,
            signs,
            words,
            ..
        } = layers;
        all(lines.into_iter().chain(signs).chain(words))
    }

    fn x(&self, lane: LaneId) -> i32 {
        self.geometry.lane(lane)
    }

    /// Shapes with the sentence that says what they are.
    fn told(&self, sentence: &str, shapes: impl IntoIterator<Item = AnyView>) -> AnyView {
        svg(Svg::Group, "item")
            .child(svg(Svg::Title, "").text(sentence.to_owned()))
            .children(shapes)
            .into()
    }

    /// A line that is also found beside itself.
    fn line(&self, class: &'static str, path: String) -> [AnyView; 2] {
        [shape("reach", path.clone()), shape(class, path)]
    }

    /// The stretch of what runs through this row, begins or ends in it.
    fn thread(&self, layers: &mut Layers, thread: &Thread, lanes: &[Lane]) {
        let (row, number) = thread.of;
        let item = untrack(|| {
            self.page.session.with(|session| {
                let row = session.run().diagram().rows().get(row)?;
                row.items.get(number).cloned()
            })
        });
        let Some(item) = item else {
            return;
        };
        let (y, above, below) = (self.y, start(self.index), top(self.index + 1));
        let reach = match thread.part {
            Part::Begins => (0, ROW),
            Part::Passes => (-ROW, ROW),
            Part::Ends => (-ROW, 0),
        };
        match thread.course {
            Course::Tie { lane } => {
                let (x, tie) = (self.x(lane), self.x(lane) - TIE);
                let path = match thread.part {
                    Part::Begins => format!("M{} {y}q{} 1 {} 11V{below}", x - 5, 5 - TIE, 5 - TIE),
                    Part::Passes => format!("M{tie} {above}V{below}"),
                    Part::Ends => format!("M{tie} {above}V{}q0 10 {} 11", y - 11, TIE - 5),
                };
                layers.room.take((tie, tie), reach);
                let Some(sentence) = about::tie(self.page, row, &item) else {
                    return;
                };
                layers
                    .lines
                    .push(self.told(&sentence, self.line("tie", path)));
            }
            Course::Flight { from, to, lost, .. } => {
                let (from, to) = (self.x(from), self.x(to));
                let side = (to - from).signum();
                let (x, sentence) = (
                    self.flight(thread),
                    about::item(self.page, lanes, row, &item),
                );
                layers.room.take((x, x), reach);
                let class = if lost { "message lost" } else { "message" };
                let landing = y - LANDING;
                let mut shapes = match thread.part {
                    Part::Begins => {
                        layers.room.take((from, x), (-1, 1));
                        let path = format!(
                            "M{} {y}H{}q{} 0 {} 6V{below}",
                            from + 5 * side,
                            x - 6 * side,
                            6 * side,
                            6 * side
                        );
                        Vec::from(self.line(class, path))
                    }
                    Part::Passes => Vec::from(self.line(class, format!("M{x} {above}V{below}"))),
                    Part::Ends if lost => {
                        let path = format!("M{x} {above}V{}", landing - 6);
                        Vec::from(self.line(class, path))
                    }
                    Part::Ends => {
                        let path = format!(
                            "M{x} {above}V{}q0 6 {} 6H{}",
                            landing - 6,
                            6 * side,
                            to - 7 * side
                        );
                        Vec::from(self.line(class, path))
                    }
                };
                if thread.part == Part::Ends {
                    layers.room.take((x, to), (-LANDING - 4, -LANDING + 4));
                    match lost {
                        false => shapes.push(signs::tip((to - 7 * side, landing), side)),
                        true => {
                            layers
                                .room
                                .take((x - 6, x + 6), (-LANDING - 6, -LANDING + 6));
                            let rest = format!("M{} {landing}H{}", x + 8 * side, to - 7 * side);
                            shapes.extend([shape("ghost", rest), signs::cross((x, landing))]);
                        }
                    }
                }
                layers.lines.push(self.told(&sentence, shapes));
            }
        }
    }

    /// Where a long flight goes down.
    fn flight(&self, thread: &Thread) -> i32 {
        match thread.course {
            Course::Tie { lane } => self.x(lane) - TIE,
            Course::Flight { from, to, slot, .. } => {
                let (from, to) = (self.x(from), self.x(to));
                let away = FLIGHT + FLIGHTS * slot.min(SLOT_MAX);
                to - (to - from).signum() * away
            }
        }
    }

    /// Lines and signs of an item.
    fn item(&self, layers: &mut Layers, item: &Item, drawn: &Drawn, lanes: &[Lane]) {
        let sentence = about::item(self.page, lanes, self.index, item);
        let room = &mut layers.room;
        let (sign, x, reach) = match item {
            Item::Ended { .. } => return,
            Item::Sent { from, to, end, .. } => {
                let line = self.arrow(room, *from, *to, *end);
                layers.lines.push(self.told(&sentence, line));
                // A mark takes the place of the dot.
                let is_marked = |item: &Item| match item {
                    Item::Mark { lane, .. } => lane == from,
                    _ => false,
                };
                if drawn.row.items.iter().any(is_marked) {
                    return;
                }
                (vec![signs::dot(self.at(*from))], self.x(*from), 4)
            }
            Item::Mark { lane, mark, .. } => {
                let reach = match mark {
                    Mark::Applied | Mark::Harm => 11,
                    _ => 7,
                };
                (signs::mark(*mark, self.at(*lane)), self.x(*lane), reach)
            }
            Item::Down { lane } => (vec![signs::crash(self.at(*lane))], self.x(*lane), 9),
            Item::Up { lane } => (vec![signs::restart(self.at(*lane))], self.x(*lane), 6),
        };
        room.take((x - reach, x + reach), (-reach, reach));
        layers.signs.push(self.told(&sentence, sign));
    }

    fn at(&self, lane: LaneId) -> (i32, i32) {
        (self.x(lane), self.y)
    }

    /// A message that leaves in this row, unless it is a long flight.
    fn arrow(&self, room: &mut Room, from: LaneId, to: LaneId, end: End) -> Vec<AnyView> {
        let (x1, x2, y) = (self.x(from), self.x(to), self.y);
        let side = (x2 - x1).signum();
        let (start, tip) = (x1 + 5 * side, x2 - 7 * side);
        let along = |percent: i32| x1 + (x2 - x1) * percent / 100;
        match end {
            End::Arrived { row } if row == self.index => {
                room.take((x1, x2), (-1, 1));
                room.take((tip - 7 * side, tip), (-4, 4));
                let line = self.line("message", format!("M{start} {y}H{tip}"));
                line.into_iter()
                    .chain([signs::tip((tip, y), side)])
                    .collect()
            }
            End::Lost { row } if row == self.index => {
                let lost = along(LOST_PERCENT);
                room.take((x1, x2), (-1, 1));
                room.take((lost - 6, lost + 6), (-6, 6));
                let rest = format!("M{} {y}H{tip}", lost + 8 * side);
                let line = self.line("message lost", format!("M{start} {y}H{}", lost - 8 * side));
                let rest = [shape("ghost", rest), signs::cross((lost, y))];
                line.into_iter().chain(rest).collect()
            }
            End::InFlight => {
                let end = along(STUB_PERCENT);
                room.take((x1, end), (-1, 1));
                Vec::from(self.line("message in-flight", format!("M{start} {y}H{end}")))
            }
            End::Arrived { .. } | End::Lost { .. } => Vec::new(),
        }
    }

    /// The words of an item, where there is room for them.
    fn words(&self, layers: &mut Layers, item: &Item, drawn: &Drawn, lanes: &[Lane]) {
        let sentence = about::item(self.page, lanes, self.index, item);
        let mut put = |class: &str, words: &str, spots: &[Spot], sentence: &str| {
            if let Some(placed) = layers.room.put(words, spots) {
                let class = match placed.side {
                    Side::Left => format!("{class} left"),
                    Side::Around => format!("{class} around"),
                    Side::Right => class.to_owned(),
                };
                let text = text(class, placed.x, self.y + placed.y, placed.words);
                layers.words.push(self.told(sentence, [text]));
            }
        };
        let spot = |band, side, x| Spot { band, side, x };
        match item {
            Item::Sent {
                from,
                to,
                label,
                copy_of,
                end,
            } => {
                let (x1, x2) = self.room(&drawn.row, *from, *to);
                let is_lost = *end == End::Lost { row: self.index };
                let along = |percent: i32| x1 + (x2 - x1) * percent / 100;
                let spots = match is_lost {
                    // A lost message has its words over the part that was travelled.
                    true => [32, 45, 20, 8, 55],
                    false => [50, 30, 70, 10, 90],
                };
                let around = |band| spots.map(|percent| spot(band, Side::Around, along(percent)));
                let spots = [around(Band::Above), around(Band::Below)].concat();
                put("words", &self.page.say_now(label), &spots, &sentence);
                if is_lost {
                    let x = along(80);
                    let spots = [Band::Above, Band::Below].map(|band| spot(band, Side::Around, x));
                    let gone = self.page.now("ui.mark.lost");
                    put("lost-word", &gone, &spots, &sentence);
                }
                if let Some(first) = copy_of {
                    let x = self.x(*from);
                    let spots = [
                        spot(Band::Middle, Side::Left, x - TIE - 3),
                        spot(Band::Below, Side::Left, x - TIE - 3),
                        spot(Band::Above, Side::Left, x - TIE - 3),
                        spot(Band::Below, Side::Right, x + 4),
                    ];
                    let tie = about::tie(self.page, self.index, item).unwrap_or_default();
                    put("copy", &format!("={}", first + 1), &spots, &tie);
                }
            }
            Item::Ended {
                from,
                to,
                sent_in,
                lost: true,
            } => {
                let is_this = |thread: &&Thread| {
                    thread.part == Part::Ends
                        && thread.of.0 == *sent_in
                        && matches!(thread.course, Course::Flight { from: f, to: t, .. } if (f, t) == (*from, *to))
                };
                let Some(thread) = drawn.threads.iter().find(is_this) else {
                    return;
                };
                let x = self.flight(thread);
                let spots = match from < to {
                    true => [
                        spot(Band::Above, Side::Left, x - 9),
                        spot(Band::Below, Side::Around, x),
                    ],
                    false => [
                        spot(Band::Above, Side::Right, x + 9),
                        spot(Band::Below, Side::Around, x),
                    ],
                };
                put(
                    "lost-word",
                    &self.page.now("ui.mark.lost"),
                    &spots,
                    &sentence,
                );
            }
            Item::Ended { .. } => {}
            Item::Mark { lane, mark, label } => {
                let Some(label) = label else {
                    return;
                };
                let away = match mark {
                    Mark::Applied | Mark::Harm => 14,
                    _ => 11,
                };
                let spots = self.beside(*lane, away);
                put("beside", &self.page.say_now(label), &spots, &sentence);
            }
            Item::Down { lane } => {
                let words = self.page.now("ui.mark.crash");
                put("beside crash", &words, &self.beside(*lane, 13), &sentence);
            }
            Item::Up { lane } => {
                let words = self.page.now("ui.mark.restart");
                put("beside restart", &words, &self.beside(*lane, 11), &sentence);
            }
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

    /// Beside a mark: on its right, in the last lane on its left; else below or above.
    fn beside(&self, lane: LaneId, away: i32) -> Vec<Spot> {
        let x = self.x(lane);
        let left = (Side::Left, x - away);
        let right = (Side::Right, x + away);
        let sides = match self.geometry.is_last(lane) {
            true => [left, right],
            false => [right, left],
        };
        let sides = |band| sides.map(|(side, x)| Spot { band, side, x });
        let around = |band| Spot {
            band,
            side: Side::Around,
            x,
        };
        let [middle, below, above] = [Band::Middle, Band::Below, Band::Above].map(sides);
        let around = [around(Band::Below), around(Band::Above)];
        [&middle[..], &below, &around[..1], &above, &around[1..]].concat()
    }
}
