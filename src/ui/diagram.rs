//! The space-time diagram: lanes across, time down. Only the rows in sight are drawn, so that a
//! step costs the same on a long run as on a short one.

mod about;
mod geometry;
pub mod legend;
pub mod paper;
mod place;
mod row;
mod signs;
pub mod strip;
mod thread;

use std::sync::Arc;

use leptos::prelude::*;
use leptos::tachys::reactive_graph::OwnedView;
use leptos::tachys::view::keyed::keyed;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys;

use super::browser;
use super::element::{Ref, Svg, all, button, el, flag, nothing, part, svg, words};
use super::icons::{Icon, glyph};
use super::page::Page;
use super::reading::reading;
use crate::lab::{Lanes, Row};
use crate::machine::Lane;
use geometry::{Geometry, HEAD, Map, Viewport, fit, start, top};
use row::{Drawn, Pen};
use signs::life_line;
use thread::threads;

/// Rows drawn above and below those in sight, so that scrolling shows no gap.
const OVERSCAN: usize = 4;

/// How many lines the text equivalent has before and after the cursor.
const LINES_BEFORE: usize = 60;
const LINES_AFTER: usize = 30;

fn rows_of(page: Page, cursor: usize, first: usize, count: usize) -> Vec<Drawn> {
    page.session.with(|session| {
        let all: &[Row] = session.run().diagram().rows();
        let rows = all.iter().enumerate().skip(first).take(count);
        let drawn = |((index, row), threads): ((usize, &Row), _)| {
            Drawn::new(index, cursor, row.clone(), threads)
        };
        rows.zip(threads(all, first, count)).map(drawn).collect()
    })
}

/// The name of a lane, and what a crash does to it.
fn lane_head(page: Page, geometry: Geometry, life: Lanes, (id, lane): (u8, &Lane)) -> AnyView {
    let (class, kind) = match (life.is_present(id), life.is_down(id)) {
        (false, _) => ("absent", page.now("ui.not_started")),
        (true, true) => ("down", page.now("ui.down")),
        (true, false) => (
            "up",
            page.now(&format!("durability.{}", lane.durability.id())),
        ),
    };
    let name = fit(&page.say_now(&lane.name), geometry.gap - 6);
    let x = geometry.lane(id).to_string();
    let name = svg(Svg::Text, "lane-name")
        .set("x", x.clone())
        .set("y", "15")
        .text(name);
    let kind = svg(Svg::Text, "lane-kind")
        .set("x", x)
        .set("y", "29")
        .text(kind);
    svg(Svg::Group, class).child(name).child(kind).into()
}

/// What the picture is made from.
#[derive(Clone, Copy)]
struct Picture {
    page: Page,
    lanes: Memo<Arc<[Lane]>>,
    /// The lanes that run in the end.
    life: Memo<Lanes>,
    viewport: RwSignal<Viewport>,
    /// The first row to draw, and the one after the last, were the run long enough.
    range: Memo<(usize, usize)>,
    /// The rows to draw.
    rows: Memo<Vec<Drawn>>,
    scrolled: RwSignal<i32>,
}

/// The part of the diagram that scrolls.
#[derive(Clone, Copy)]
struct Scroll(Ref);

impl Scroll {
    /// Scrolls just as far as needed to see a gap between two steps and the steps beside it.
    fn show(self, viewport: Viewport, gap: usize) {
        let Some(element) = self.0.try_get_untracked().flatten() else {
            return;
        };
        let above = start(gap.saturating_sub(1));
        let [above, below] = [above, top(gap + 1)].map(|units| viewport.pixels(units));
        let seen = element.scroll_top();
        if below > seen + viewport.height {
            element.set_scroll_top(below - viewport.height);
        } else if above < seen {
            element.set_scroll_top(above);
        }
    }
}

pub fn pane(page: Page) -> AnyView {
    let scroller = Ref::new();
    let heads = Ref::new();
    let as_text = RwSignal::new(false);
    let picture = Picture::new(page);

    let measure = move || {
        if let Some(element) = scroller.get_untracked() {
            page.windows.folded.set(browser::is_phone());
            picture.viewport.set(Viewport {
                width: element.client_width(),
                height: element.client_height(),
                rem: browser::rem(),
            });
        }
    };
    Effect::new(move |_| {
        scroller.track();
        // These change the room for the diagram, too.
        page.sizing.size.track();
        page.sizing.folded.track();
        request_animation_frame(measure);
    });
    let handle = window_event_listener_untyped("resize", move |_| measure());
    on_cleanup(move || handle.remove());

    let scroll = move |_| {
        if let Some(element) = scroller.get_untracked() {
            picture.scrolled.set(element.scroll_top());
            if let Some(heads) = heads.get_untracked() {
                heads.set_scroll_left(element.scroll_left());
            }
        }
    };
    // Keeps the step that was taken in sight.
    Effect::new(move |_| {
        let (cursor, viewport) = (page.cursor.get(), picture.viewport.get());
        let Some(element) = scroller.get().filter(|_| viewport.height > 0) else {
            return;
        };
        let scroll = Scroll(scroller);
        let text = as_text.get();
        request_animation_frame(move || match text {
            true => browser::show(element.query_selector(".now").ok().flatten()),
            false => {
                scroll.show(viewport, cursor);
                // A row that was out of sight is drawn in the next frame.
                request_animation_frame(move || {
                    let find = |place: &str| document().query_selector(place).ok().flatten();
                    browser::uncover(find(".row.now .row-back"), find(".transport"), &element);
                });
            }
        });
    });

    let content = move || match as_text.get() {
        true => picture.steps(),
        false => all([picture.drawing(), strip::grid(picture, Scroll(scroller))]),
    };
    // The text equivalent stands beside the picture for whoever cannot see it.
    let equivalent = move || match as_text.get() {
        true => nothing(),
        false => el("div", "sr-only").child(picture.steps()).into(),
    };
    let height = words(move || match as_text.get() {
        true => String::new(),
        false => format!(
            "height:{}px",
            picture.viewport.get().pixels(picture.bottom())
        ),
    });
    let switch = button("as-text-button", move || {
        as_text.update(|shown| *shown = !*shown)
    })
    .name(page.text("ui.as_text"))
    .words("aria-pressed", words(move || as_text.get().to_string()))
    .words(
        "style",
        words(move || {
            let left = picture.viewport.get().pixels(picture.geometry().left);
            format!("margin-left:{left}px")
        }),
    )
    .child(glyph(Icon::List));
    let names = el("div", "lane-heads")
        .set("aria-hidden", "true")
        .keep(heads)
        .child(part(move || picture.heads()))
        .child(strip::heads(picture));
    let steps = el("div", "scroller")
        .set("role", "region")
        .set("tabindex", "0")
        .words("aria-label", page.text("ui.steps"))
        .keep(scroller)
        .on("scroll", scroll)
        .child(
            el("div", "canvas")
                .words("style", height)
                .child(part(content)),
        );
    el("div", "diagram")
        .class("as-text", flag(move || as_text.get()))
        .child(switch)
        .child(names)
        .child(steps)
        .child(part(equivalent))
        .into()
}

impl Picture {
    fn new(page: Page) -> Picture {
        let viewport = RwSignal::new(Viewport::default());
        let scrolled = RwSignal::new(0);
        let range = Memo::new(move |_| {
            let viewport = viewport.get();
            let first = viewport.row_at(scrolled.get()).saturating_sub(OVERSCAN);
            let count = viewport.row_at(viewport.height) + 3 + 2 * OVERSCAN;
            (first, first + count)
        });
        let rows = Memo::new(move |_| {
            let (first, last) = range.get();
            rows_of(page, page.cursor.get(), first, last - first)
        });
        Picture {
            page,
            lanes: Memo::new(move |_| page.session.with(|s| s.run().lanes().into())),
            life: Memo::new(move |_| page.session.with(|s| s.run().diagram().lanes(s.len()))),
            viewport,
            range,
            rows,
            scrolled,
        }
    }

    fn geometry(self) -> Geometry {
        let windows = self.page.windows;
        let map = match windows.folded.get() {
            true => Map::Folded,
            false => Map::Columns(windows.columns().len()),
        };
        let lanes = self.lanes.with(|lanes| lanes.len());
        Geometry::new(self.viewport.get(), map, self.life.get(), lanes)
    }

    fn is_in_sight(self, row: usize) -> bool {
        let (first, last) = self.range.get();
        (first..=last).contains(&row)
    }

    /// The canvas is as high as the run, and at least as the pane.
    fn bottom(self) -> i32 {
        let rows = top(self.page.len.get() + 1);
        rows.max(self.viewport.get().units(self.viewport.get().height) - 1)
    }

    /// Where the picture begins, at the first row drawn, and how high it is: to the last row drawn,
    /// or to the bottom of the canvas.
    fn extent(self) -> (i32, i32) {
        let (first, last) = self.rows.with(|rows| {
            let index = |row: &Drawn| row.index;
            (
                rows.first().map_or(0, index),
                rows.last().map_or(0, |row| row.index + 1),
            )
        });
        let end = match last < self.page.len.get() {
            true => top(last),
            false => self.bottom(),
        };
        (start(first), end - start(first))
    }

    fn drawing(self) -> AnyView {
        let style = words(move || {
            let ((top, height), viewport) = (self.extent(), self.viewport.get());
            let (top, height) = (viewport.pixels(top), viewport.pixels(height));
            let width = viewport.pixels(self.geometry().width);
            format!("top:{top}px;width:{width}px;height:{height}px")
        });
        let view_box = words(move || {
            let (top, height) = self.extent();
            format!("0 {top} {} {height}", self.geometry().width)
        });
        let row = move |drawn: Drawn| {
            let body = {
                let drawn = drawn.clone();
                move || {
                    let pen = Pen::new(self.page, self.geometry(), &drawn);
                    self.lanes.with(|lanes| pen.draw(&drawn, lanes))
                }
            };
            let to = drawn.index + 1;
            let row =
                svg(Svg::Group, format!("row {}", drawn.class())).click(move || self.page.seek(to));
            AnyView::from(row.child(part(body)))
        };
        // A row that stays as it is, is not drawn again; what it reads ends when the row does.
        let rows = move || {
            let drawn = reading(|| self.rows.get());
            keyed(drawn, Clone::clone, move |_, drawn| {
                let owner = Owner::default();
                let row = owner.with(|| row(drawn));
                (|_| {}, OwnedView::new_with_owner(row, owner))
            })
        };
        // Every shape has its sentence with it.
        let point = move |event: web_sys::Event| {
            let target = event.target();
            let target: Option<web_sys::Element> = target.and_then(|t| t.dyn_into().ok());
            let title = target.and_then(|t| t.closest(".item").ok().flatten());
            let title = title.and_then(|item| item.query_selector("title").ok().flatten());
            let sentence = title.and_then(|title| title.text_content());
            self.page.windows.told.set(sentence);
        };
        svg(Svg::Picture, "space-time")
            .set("aria-hidden", "true")
            .on("mouseover", point)
            .on("mouseleave", move |_| self.page.windows.told.set(None))
            .words("viewBox", view_box)
            .words("style", style)
            .child(part(move || self.tails()))
            .child(rows.into_any())
            .into()
    }

    /// Below the last step the lanes go on to the bottom of the pane, as they were left.
    fn tails(self) -> AnyView {
        let steps = self.page.len.get();
        let (geometry, bottom, life) = (self.geometry(), self.bottom(), self.life.get());
        let tail = |(id, lane): (u8, &Lane)| {
            let reach = (start(steps), bottom);
            life_line(geometry.lane(id), reach, id, lane.durability, life)
        };
        let shown = |(id, _): &(u8, &Lane)| geometry.shows(*id);
        self.lanes
            .with(|lanes| all((0..).zip(lanes.iter()).filter(shown).map(tail)))
    }

    /// The names of the lanes, and what a crash does to each.
    fn heads(self) -> AnyView {
        let (page, geometry, viewport) = (self.page, self.geometry(), self.viewport.get());
        let life = page
            .session
            .with(|s| s.run().diagram().lanes(page.cursor.get()));
        let head = |lane: (u8, &Lane)| lane_head(page, geometry, life, lane);
        let shown = |(id, _): &(u8, &Lane)| geometry.shows(*id);
        let heads = self
            .lanes
            .with(|lanes| all((0..).zip(lanes.iter()).filter(shown).map(head)));
        let (width, height) = (viewport.pixels(geometry.width), viewport.pixels(HEAD));
        svg(Svg::Picture, "")
            .set("viewBox", format!("0 0 {} {HEAD}", geometry.width))
            .set("style", format!("width:{width}px;height:{height}px"))
            .child(heads)
            .into()
    }

    /// The text equivalent: what happened, a line a step. Of a long run it holds the steps around
    /// the cursor, which moves it.
    fn steps(self) -> AnyView {
        let page = self.page;
        let rows = Memo::new(move |_| {
            let cursor = page.cursor.get();
            let first = cursor.saturating_sub(LINES_BEFORE);
            rows_of(page, cursor, first, LINES_BEFORE + LINES_AFTER)
        });
        let line = move |drawn: &Drawn| {
            let said = drawn.said().into_iter();
            let said = said.map(|label| format!(" — {}", page.say_now(&label)));
            let mut text = page.say_now(&drawn.row.label) + &said.collect::<String>();
            if page.windows.no_return() == Some(drawn.index + 1) {
                text += &format!(" — {}", page.now("ui.no_return"));
            }
            let number = (drawn.index + 1).to_string();
            let line = el("li", drawn.class()).set("value", number).text(text);
            match drawn.is_now() {
                true => line.set("aria-current", "step").into(),
                false => line.into(),
            }
        };
        let lines = move || rows.with(|rows| all(rows.iter().map(line)));
        el("ol", "steps")
            .words("aria-label", page.text("ui.steps"))
            .child(part(lines))
            .into()
    }
}
