//! What the signs of the diagram mean, drawn by the diagram's own shapes: for the sheet of help.

use leptos::prelude::*;

use super::super::element::{Svg, el, shape, svg};
use super::super::page::Page;
use super::{about, signs};
use crate::machine::Mark;

const MARKS: [Mark; 8] = [
    Mark::Durable,
    Mark::Staged,
    Mark::Volatile,
    Mark::Applied,
    Mark::Harm,
    Mark::Wait,
    Mark::Refused,
    Mark::Note,
];

/// Where a sample begins and ends, to either side of its middle.
const END: i32 = 21;

pub fn list(page: Page) -> AnyView {
    let middle = (0, 0);
    let marks = MARKS.map(|mark| (signs::mark(mark, middle), about::kind(mark)));
    let arrow = |class: &'static str, path: &'static str| shape(class, path);
    let arrived = vec![
        arrow("message", "M-16 0H14"),
        signs::dot((-END + 1, 0)),
        signs::tip((14, 0), 1),
    ];
    let later = vec![
        arrow("message", "M-16-8H-4q6 0 6 6V2q0 6 6 6H14"),
        signs::dot((-END + 1, -8)),
        signs::tip((14, 8), 1),
    ];
    let lost = vec![
        arrow("message lost", "M-16 0H-4"),
        signs::dot((-END + 1, 0)),
        signs::cross((4, 0)),
        arrow("ghost", "M12 0H20"),
    ];
    let tie = svg(Svg::Text, "copy").set("x", "0").set("y", "4");
    let others = [
        (arrived, "ui.legend.message"),
        (later, "ui.legend.later"),
        (
            vec![
                arrow("message in-flight", "M-16 0H16"),
                signs::dot((-END + 1, 0)),
            ],
            "ui.legend.in_flight",
        ),
        (lost, "ui.legend.lost"),
        (
            vec![arrow("tie", "M-8-10V10"), tie.text("=5").into()],
            "ui.legend.tie",
        ),
        (vec![signs::crash(middle)], "ui.legend.crash"),
        (vec![signs::dead(0, (-11, 11))], "ui.legend.dead"),
        (vec![signs::restart(middle)], "ui.legend.restart"),
    ];
    let line = |(sample, key): (Vec<AnyView>, &'static str)| {
        let sample = svg(Svg::Picture, "sample")
            .set("viewBox", "-24 -12 48 24")
            .set("aria-hidden", "true")
            .children(sample);
        el("li", "")
            .child(sample)
            .child(el("span", "").say(page.text(key)))
            .into()
    };
    let plain = [
        (
            vec![
                svg(Svg::Group, "row future")
                    .child(signs::dot(middle))
                    .into(),
            ],
            "ui.legend.future",
        ),
        (
            vec![arrow("no-return-line", "M-21 0H21")],
            "ui.legend.no_return",
        ),
    ];
    let lines = marks.into_iter().chain(others).chain(plain).map(line);
    el("ul", "legend").children(lines).into()
}
