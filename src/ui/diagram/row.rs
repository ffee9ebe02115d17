//! One step of the run: its stretch of every lane, its arrows and marks.

use std::sync::Arc;

use leptos::prelude::*;

use super::super::page::{Page, page};
use super::super::words::fit;
use super::geometry::{Geometry, ROW};
use crate::machine::{Durability, Label, Lane, LaneId, Mark};
use crate::view::{End, Item, Lanes, Row};

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

    pub fn is_now(&self) -> bool {
        self.time == Time::Now
    }

    pub fn is_future(&self) -> bool {
        self.time == Time::Future
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

#[component]
pub fn RowView(drawn: Drawn, geometry: Memo<Geometry>, lanes: Memo<Arc<[Lane]>>) -> impl IntoView {
    let page = page();
    let (now, future, index) = (drawn.is_now(), drawn.is_future(), drawn.index);
    let body = move || {
        let pen = Pen {
            page,
            geometry: geometry.get(),
            index,
            y: geometry.get().row(index),
            lanes: lanes.get().len(),
        };
        let row = &drawn.row;
        let lives = lanes.with(|lanes| {
            let lives = (0..).zip(lanes.iter());
            lives
                .map(|(id, lane)| pen.life(id, lane.durability, row))
                .collect_view()
        });
        let items = row.items.iter().map(|item| pen.item(item)).collect_view();
        view! {
            <rect
                class="row-back"
                x="2"
                y=pen.geometry.end(index) + 1.0
                width=pen.geometry.width - 6.0
                height=ROW - 2.0
                rx="6"
            />
            {lives}
            <text class="number" x=pen.geometry.number() y=pen.y + 4.0>{index + 1}</text>
            {items}
        }
    };
    view! {
        <g
            class="row"
            class:now=now
            class:future=future
            on:click=move |_| page.seek(index + 1)
        >
            {body}
        </g>
    }
}

/// A stretch of a lane: alive, dead (hatched), or not started yet.
pub fn life_line(
    x: f64,
    top: f64,
    bottom: f64,
    lane: LaneId,
    durability: Durability,
    lanes: Lanes,
) -> AnyView {
    if lanes.is_down(lane) {
        return view! {
            <rect class="dead" x=x - 6.0 y=top width="12" height=(bottom - top).max(0.0) />
        }
        .into_any();
    }
    let class = match lanes.is_present(lane) {
        true => format!("life {}", durability.id()),
        false => "life absent".to_owned(),
    };
    view! { <line class=class x1=x x2=x y1=top y2=bottom /> }.into_any()
}

/// What is needed to draw into one row.
struct Pen {
    page: Page,
    geometry: Geometry,
    index: usize,
    y: f64,
    lanes: usize,
}

impl Pen {
    fn x(&self, lane: LaneId) -> f64 {
        self.geometry.lane(lane)
    }

    /// The stretch of a lane: as it is when the step begins, and as it is when it ends.
    fn life(&self, lane: LaneId, durability: Durability, row: &Row) -> AnyView {
        let (x, y) = (self.x(lane), self.y);
        let (top, bottom) = (
            self.geometry.end(self.index),
            self.geometry.end(self.index + 1),
        );
        (
            life_line(x, top, y, lane, durability, row.before),
            life_line(x, y, bottom, lane, durability, row.after),
        )
            .into_any()
    }

    fn item(&self, item: &Item) -> AnyView {
        match item {
            Item::Sent {
                from,
                to,
                label,
                copy_of,
                end,
            } => {
                let tie = copy_of.map(|first| self.tie(*from, first));
                (self.arrow(*from, *to, label, *end), tie).into_any()
            }
            Item::Ended {
                from,
                to,
                sent_in,
                lost,
            } => self.line(*from, *to, *sent_in, self.index, *lost),
            Item::Mark { lane, mark, label } => self.mark(*lane, *mark, label.as_ref()),
            Item::Down { lane } => self.event(*lane, "ui.mark.crash", "crash", "M-8-7l16 3.5-16 3.5 16 3.5"),
            Item::Up { lane } => self.event(
                *lane,
                "ui.mark.restart",
                "restart",
                "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0",
            ),
        }
    }

    /// A message that leaves in this row, with its label; slanted where it ends in a later one.
    fn arrow(&self, from: LaneId, to: LaneId, label: &Label, end: End) -> AnyView {
        let (line, lost) = match end {
            End::Arrived { row } => (self.line(from, to, self.index, row, false), false),
            End::Lost { row } => (self.line(from, to, self.index, row, true), true),
            End::InFlight => (self.stub(from, to), false),
        };
        let (x1, x2) = (self.x(from), self.x(to));
        let room = (x2 - x1).abs() - 14.0;
        let full = self.page.say(label);
        // A lost message has its words over the part that was travelled.
        let middle = if lost {
            x1 + (x2 - x1) * 0.32
        } else {
            (x1 + x2) / 2.0
        };
        let shown = fit(&full, room);
        let note = lost.then(|| {
            let gone = self.page.text("ui.mark.lost");
            view! {
                <text class="lost-word" x=x1 + (x2 - x1) * 0.8 y=self.y - 6.0>
                    {gone}
                </text>
            }
        });
        view! {
            {line}
            <circle class="dot" cx=x1 cy=self.y r="3.2" />
            <text class="words" x=middle y=self.y - 6.0>
                {shown}
                {leptos::svg::title().child(full)}
            </text>
            {note}
        }
        .into_any()
    }

    fn line(&self, from: LaneId, to: LaneId, sent: usize, ended: usize, lost: bool) -> AnyView {
        let (x1, x2) = (self.x(from), self.x(to));
        let (y1, y2) = (self.geometry.row(sent), self.geometry.row(ended));
        let side = (x2 - x1).signum();
        let start = x1 + 5.0 * side;
        if !lost {
            let tip = x2 - 7.0 * side;
            return view! {
                <line class="message" x1=start y1=y1 x2=tip y2=y2 marker-end="url(#head)" />
            }
            .into_any();
        }
        let (xb, yb) = (x1 + (x2 - x1) * 0.62, y1 + (y2 - y1) * 0.62);
        let cross = format!("M{} {}l10 10m0-10l-10 10", xb - 5.0, yb - 5.0);
        view! {
            <line class="message lost" x1=start y1=y1 x2=xb - 8.0 * side y2=yb />
            <line class="ghost" x1=xb + 8.0 * side y1=yb x2=x2 - 6.0 * side y2=y2 />
            <path class="cross" d=cross />
        }
        .into_any()
    }

    /// A message that is still under way.
    fn stub(&self, from: LaneId, to: LaneId) -> AnyView {
        let (x1, x2) = (self.x(from), self.x(to));
        view! {
            <line
                class="message in-flight"
                x1=x1 + 5.0 * (x2 - x1).signum()
                y1=self.y
                x2=x1 + (x2 - x1) * 0.55
                y2=self.y + ROW * 0.3
            />
        }
        .into_any()
    }

    /// Ties a copy to the row in which the message was sent first.
    fn tie(&self, lane: LaneId, first: usize) -> AnyView {
        let (x, y, top) = (self.x(lane), self.y, self.geometry.row(first));
        let path = format!(
            "M{} {top}c-16 4-16 10-16 16V{}c0 6 0 12 16 16",
            x - 5.0,
            y - 16.0
        );
        view! {
            <path class="tie" d=path />
            <text class="copy" x=x - 25.0 y=y + 4.0>
                {format!("={}", first + 1)}
            </text>
        }
        .into_any()
    }

    fn mark(&self, lane: LaneId, mark: Mark, label: Option<&Label>) -> AnyView {
        let (x, y) = (self.x(lane), self.y);
        let at = |d: &str| format!("M{x} {y}m{d}");
        let shape = match mark {
            Mark::Durable | Mark::Staged | Mark::Volatile => {
                let class = match mark {
                    Mark::Durable => "mark durable",
                    Mark::Staged => "mark staged",
                    _ => "mark volatile",
                };
                view! { <rect class=class x=x - 6.0 y=y - 6.0 width="12" height="12" rx="2" /> }
                    .into_any()
            }
            Mark::Applied | Mark::Harm => {
                let harm = mark == Mark::Harm;
                let sign = match harm {
                    false => at("-3.6 .2l2.6 2.6 4.6-5.2"),
                    true => at("0-4v4.6m0 2.4v.6"),
                };
                view! {
                    <circle class="mark applied" class:harm=harm cx=x cy=y r="8" />
                    <path class="sign" d=sign />
                }
                .into_any()
            }
            Mark::Wait => {
                view! { <path class="mark wait" d=at("-5-6h10l-10 12h10z") /> }.into_any()
            }
            Mark::Refused => {
                view! { <path class="mark refused" d=at("-4-4l8 8m0-8l-8 8") /> }.into_any()
            }
            Mark::Note => view! { <circle class="mark note" cx=x cy=y r="4" /> }.into_any(),
        };
        let words = label.map(|label| self.beside(lane, "beside", &self.page.say(label)));
        (shape, words).into_any()
    }

    /// A crash or a restart: a sign in the lane with its word.
    fn event(&self, lane: LaneId, key: &str, class: &'static str, path: &str) -> AnyView {
        let place = format!("translate({} {})", self.x(lane), self.y);
        let words = self.beside(lane, class, &self.page.text(key));
        view! {
            <g class=format!("event {class}") transform=place>
                <path d=path.to_owned() />
            </g>
            {words}
        }
        .into_any()
    }

    /// Words beside a mark: on its right, in the last lane on its left.
    fn beside(&self, lane: LaneId, class: &str, words: &str) -> AnyView {
        let last = usize::from(lane) + 1 == self.lanes;
        let room = if last {
            self.geometry.gap
        } else {
            self.geometry.gap * 1.6
        };
        let shown = fit(words, room - 16.0);
        let start = match last {
            true => self.x(lane) - 13.0,
            false => self.x(lane) + 13.0,
        };
        let class = format!("beside {class}{}", if last { " left" } else { "" });
        view! { <text class=class x=start y=self.y + 4.0>{shown}</text> }.into_any()
    }
}
