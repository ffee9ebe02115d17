//! The shapes of the diagram, drawn from their middle; the sheet of help shows the same ones.

use std::borrow::Cow;

use leptos::prelude::*;

use super::super::element::{Svg, shape, svg};
use crate::lab::Lanes;
use crate::machine::{Durability, LaneId, Mark};

/// Where a sign stands.
pub type Point = (i32, i32);

fn sign(class: &'static str, (x, y): Point, path: &str) -> AnyView {
    shape(class, format!("M{x} {y}{path}"))
}

/// A mark in a lane. The effect is the largest: it is what all else is about.
pub fn mark(mark: Mark, at: Point) -> Vec<AnyView> {
    const SQUARE: &str = "m-6-6h12v12h-12z";
    const DISC: &str = "m-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0";
    match mark {
        Mark::Durable => vec![sign("mark durable", at, SQUARE)],
        Mark::Staged => vec![sign("mark staged", at, SQUARE)],
        Mark::Volatile => vec![sign("mark volatile", at, SQUARE)],
        Mark::Applied => vec![
            sign("mark applied", at, DISC),
            sign("sign", at, "m-4.6 .3l3.2 3.4 6-6.8"),
        ],
        Mark::Harm => vec![
            sign("mark applied harm", at, DISC),
            sign("sign", at, "m0-5.4v6.2m0 3.4v.6"),
        ],
        Mark::Wait => vec![sign("mark wait", at, "m-5-6h10l-10 12h10z")],
        Mark::Refused => vec![sign("mark refused", at, "m-5-5l10 10m0-10l-10 10")],
        Mark::Note => vec![sign("mark note", at, "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0")],
    }
}

/// Where a message leaves.
pub fn dot(at: Point) -> AnyView {
    sign("dot", at, "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0")
}

/// Where a message arrives, coming from the left (1) or the right (-1).
pub fn tip((x, y): Point, side: i32) -> AnyView {
    shape("tip", format!("M{} {y}l{} -3.2v6.4z", x + side, -7 * side))
}

/// Where a message is lost.
pub fn cross(at: Point) -> AnyView {
    sign("cross", at, "m-5-5l10 10m0-10l-10 10")
}

pub fn crash(at: Point) -> AnyView {
    sign("event crash", at, "m-8-7l16 3.5-16 3.5 16 3.5")
}

pub fn restart(at: Point) -> AnyView {
    sign("event restart", at, "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0")
}

/// The distance of two strokes of the hatching.
const HATCH: i32 = 7;

/// A lane that is dead.
pub fn dead(x: i32, (top, bottom): (i32, i32)) -> AnyView {
    let strokes = (top..bottom - HATCH).step_by(HATCH as usize);
    let path = strokes.map(|y| format!("M{} {}l12-{HATCH}", x - 6, y + HATCH));
    shape("dead", path.collect::<String>())
}

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
        (true, true) => return dead(x, (top, bottom)),
        (true, false) => format!("life {}", durability.id()),
    };
    shape(class, format!("M{x} {top}V{bottom}"))
}

/// Words that stand on a point.
pub fn text(class: impl Into<Cow<'static, str>>, x: i32, y: i32, words: String) -> AnyView {
    let text = svg(Svg::Text, class)
        .set("x", x.to_string())
        .set("y", y.to_string());
    text.text(words).into()
}
