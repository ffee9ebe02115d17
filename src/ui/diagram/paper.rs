//! The diagram on paper: every step of the run, in pieces between which a page may end.

use std::ops::Range;

use leptos::prelude::*;

use super::super::element::{Svg, all, el, svg};
use super::super::page::Page;
use super::geometry::{Geometry, HEAD, Map, Viewport, start, top};
use super::row::{Drawn, Pen};
use super::{lane_head, rows_of};
use crate::machine::Lane;

/// How many steps stay together on a page.
const PIECE: usize = 6;
/// As wide as the paper is about, in the diagram's units.
const WIDTH: i32 = 690;

pub fn diagram(page: Page) -> AnyView {
    let lanes: Vec<Lane> = page.session.with(|s| s.run().lanes().to_vec());
    let len = page.len.get();
    let life = page.session.with(|s| s.run().diagram().lanes(len));
    let viewport = Viewport {
        width: WIDTH,
        ..Viewport::default()
    };
    let geometry = Geometry::new(viewport, Map::Columns(0), life, lanes.len());
    let rows = rows_of(page, page.cursor.get(), 0, len);
    let shown = (0..).zip(&lanes).filter(|(id, _)| geometry.shows(*id));
    let heads = shown.map(|(id, lane)| lane_head(page, geometry, life, (id, lane)));
    let heads = picture(geometry, (0, HEAD), all(heads));
    let pieces = (0..len).step_by(PIECE).map(|first| {
        let piece = first..(first + PIECE).min(len);
        let drawn = rows[piece.clone()].iter().map(|drawn: &Drawn| {
            let pen = Pen::new(page, geometry, drawn);
            let row = svg(Svg::Group, format!("row {}", drawn.class()));
            row.child(pen.draw(drawn, &lanes)).into()
        });
        let picture = picture(geometry, span(&piece), all(drawn));
        el("div", "piece").child(picture).into()
    });
    el("div", "pieces")
        .child(el("div", "heads").child(heads))
        .children(pieces)
        .into()
}

fn picture(geometry: Geometry, (top, height): (i32, i32), content: AnyView) -> AnyView {
    svg(Svg::Picture, "")
        .set("viewBox", format!("0 {top} {} {height}", geometry.width))
        .child(content)
        .into()
}

/// Where a piece begins, and how high it is.
fn span(rows: &Range<usize>) -> (i32, i32) {
    (start(rows.start), top(rows.end) - start(rows.start))
}
