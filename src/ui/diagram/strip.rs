//! The failure-window map as a strip at the left of the diagram: a row of cells a gap, a column a
//! kind of fault. And the bar below the diagram, which says what is looked at.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys;

use super::super::browser;
use super::super::element::{all, button, el, flag, nothing, part, words};
use super::super::icons::{Icon, glyph};
use super::super::page::Page;
use super::super::windows::{
    FAULTS_MAX, MAP_STEPS_MAX, Move, Place, Progress, Windows, place, shown,
};
use super::geometry::{HEAD, ROW, top};
use super::{Picture, Scroll};
use crate::lab::{Cell, WindowMap};
use crate::machine::{Arg, Fault, Harm};

/// What the signs mean; for the sheet of help.
pub fn legend(page: Page) -> AnyView {
    let line = |harm: Harm| {
        let about = page.text(format!("ui.window.{}", harm.id()));
        el("li", "")
            .child(chip(harm))
            .child(el("span", "").say(about))
            .into()
    };
    el("ul", "legend").children(Harm::ALL.map(line)).into()
}

/// The sign of a harm, as its verdict has it; the style sheet draws it. Whoever shows it says the
/// word beside it.
fn chip(harm: Harm) -> AnyView {
    el("b", format!("window {}", harm.id()))
        .set("aria-hidden", "true")
        .into()
}

/// The heads of the columns, at the left of the lanes' names.
pub(super) fn heads(picture: Picture) -> AnyView {
    let page = picture.page;
    let columns = move || {
        let heads = page.windows.columns();
        let head = |fault: &Fault| {
            el("span", "")
                .words("title", page.text(format!("fault.{}", fault.id())))
                .child(glyph(Icon::Fault(*fault)))
                .into()
        };
        all(heads.iter().map(head))
    };
    // The one column that is left where there is no room for more needs no head.
    let is_hidden = move || page.windows.columns().is_empty() || page.windows.folded.get();
    el("div", "window-heads")
        .flag("hidden", flag(is_hidden))
        .words(
            "style",
            words(move || format!("height:{}px", picture.viewport.get().pixels(HEAD))),
        )
        .child(el("span", "title").say(page.text("ui.windows")))
        .child(el("span", "columns").child(part(columns)))
        .into()
}

/// The cells. One stop for the Tab key, in which the arrow keys move: the grid keeps the focus and
/// points at a cell, so that drawing the cells anew never loses it.
pub(super) fn grid(picture: Picture, scroll: Scroll) -> AnyView {
    let page = picture.page;
    let windows = page.windows;
    let show = move || {
        if let Some(place) = windows.active.get_untracked() {
            scroll.show(picture.viewport.get_untracked(), place.gap);
        }
    };
    let press = move |event: web_sys::Event| {
        let event: web_sys::KeyboardEvent = event.unchecked_into();
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        match event.key().as_str() {
            "ArrowLeft" => windows.go(Move::Left),
            "ArrowRight" => windows.go(Move::Right),
            "ArrowUp" => windows.go(Move::Up),
            "ArrowDown" => windows.go(Move::Down),
            "Home" => windows.go(Move::First),
            "End" => windows.go(Move::Last),
            "Enter" | " " => put(page, windows.active.get_untracked()),
            "Escape" => leave(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
        show();
    };
    let focus = move |event: web_sys::Event| {
        windows.focused.set(true);
        let active = windows.active.get_untracked();
        if active
            .and_then(|active| untrack(|| windows.cell(active)))
            .is_none()
        {
            windows.go(Move::To(page.cursor.get_untracked()));
        }
        // Under the pointer nothing moves.
        let target: Option<web_sys::Element> = event.target().and_then(|t| t.dyn_into().ok());
        if target.is_some_and(|grid| grid.matches(":focus-visible").unwrap_or(false)) {
            show();
        }
    };
    let put_here = move |event: web_sys::Event| put(page, place_of(&event));
    let point = move |event: web_sys::Event| windows.pointed.set(place_of(&event));
    let is_empty = move || {
        windows
            .map
            .with(|map| map.as_ref().is_none_or(|m| m.cells.is_empty()))
    };
    let width = words(move || {
        let width = picture.viewport.get().pixels(picture.geometry().left);
        format!("width:{width}px")
    });
    let grid = el("div", "windows")
        .set("role", "grid")
        .set("tabindex", "0")
        .words("aria-label", page.text("ui.windows.about"))
        .words(
            "aria-busy",
            words(move || (!windows.is_ready()).to_string()),
        )
        .maybe("aria-activedescendant", move || {
            let active = windows.active.get()?;
            picture.is_in_sight(active.gap).then(|| id(active))
        })
        .class("old", flag(move || !windows.is_ready()))
        .class("folded", flag(move || windows.folded.get()))
        .class("no-steps", flag(move || page.len.get() == 0))
        .flag("hidden", flag(is_empty))
        .words("style", width)
        .on("keydown", press)
        .on("focus", focus)
        .on("blur", move |_| windows.focused.set(false))
        .on("mouseover", point)
        .on("mouseleave", move |_| windows.pointed.set(None))
        .on("click", put_here)
        .child(part(move || cells(picture)));
    all([
        part(move || no_return(picture)),
        part(move || mark(picture)),
        grid.into(),
    ])
}

fn id(place: Place) -> String {
    format!("window-{}-{}", place.gap, place.fault.id())
}

/// The window in which something happened.
fn place_of(event: &web_sys::Event) -> Option<Place> {
    let target: web_sys::Element = event.target()?.dyn_into().ok()?;
    let cell = target.closest("[role=gridcell]").ok().flatten()?;
    let id = cell.id();
    let (gap, fault) = id.strip_prefix("window-")?.split_once('-')?;
    Some(Place {
        gap: gap.parse().ok()?,
        fault: Fault::ALL.into_iter().find(|one| one.id() == fault)?,
    })
}

/// Puts the fault of a window into the run. Afterwards the focus is where the run goes on.
fn put(page: Page, place: Option<Place>) {
    let Some(cell) = place.and_then(|place| untrack(|| page.windows.cell(place))) else {
        return;
    };
    if page.put_fault(&cell) {
        leave();
    }
}

fn leave() {
    browser::focus(document().query_selector(".transport .step").ok().flatten());
}

fn cells(picture: Picture) -> AnyView {
    let (windows, viewport) = (picture.page.windows, picture.viewport.get());
    let (first, last) = picture.range.get();
    let last = last.min(picture.page.len.get());
    let Some(map) = windows.map.get() else {
        return nothing();
    };
    let shown = shown(&map, windows.folded.get());
    let rows = shown.chunk_by(|a, b| a.gap == b.gap);
    let rows = rows.filter(|row| (first..=last).contains(&row[0].gap));
    all(rows.map(|row| {
        let gap = row[0].gap;
        let cells = row.iter().filter_map(|cell| {
            let column = windows.column(cell.fault)? + 1;
            let cell = el("span", "cell")
                .set("role", "gridcell")
                .set(
                    "id",
                    id(Place {
                        gap,
                        fault: cell.fault,
                    }),
                )
                .set("aria-colindex", column.to_string())
                .set("aria-label", in_words(picture.page, &map, cell))
                .set("style", format!("grid-column:{column}"))
                .child(chip(cell.harm));
            Some(cell.into())
        });
        let y = viewport.pixels(top(gap) - ROW / 2);
        el("div", "window-row")
            .set("role", "row")
            .set("aria-rowindex", (gap + 1).to_string())
            .set("style", format!("top:{y}px"))
            .children(cells)
            .into()
    }))
}

/// A line across the lanes at the gap that is looked at, and a ring around its cell.
fn mark(picture: Picture) -> AnyView {
    let windows = picture.page.windows;
    let Some(target) = windows.target() else {
        return nothing();
    };
    let (viewport, geometry) = (picture.viewport.get(), picture.geometry());
    let x = geometry.column(windows.column(target.fault).unwrap_or(0));
    let [x, y, width] = [x, top(target.gap), geometry.width].map(|units| viewport.pixels(units));
    all([
        el("div", "gap-line")
            .set("style", format!("top:{y}px;width:{width}px"))
            .into(),
        el("div", format!("gap-ring {}", target.harm.id()))
            .set("style", format!("top:{y}px;left:{x}px"))
            .into(),
    ])
}

/// The line across strip and lanes after which harm can no longer be avoided.
fn no_return(picture: Picture) -> AnyView {
    let page = picture.page;
    match page
        .windows
        .no_return()
        .filter(|gap| *gap <= page.len.get())
    {
        Some(gap) => {
            let (viewport, geometry) = (picture.viewport.get(), picture.geometry());
            let [y, width, left] =
                [top(gap), geometry.width, geometry.lanes()].map(|units| viewport.pixels(units));
            el("div", "no-return")
                .set("aria-hidden", "true")
                .set(
                    "style",
                    format!("top:{y}px;width:{width}px;padding-left:{left}px"),
                )
                .child(el("span", "").text(page.now("ui.no_return")))
                .into()
        }
        None => nothing(),
    }
}

/// A window in words: where, what, and the worst that can come of it.
fn in_words(page: Page, map: &WindowMap, cell: &Cell) -> String {
    let number = |n: usize| Arg::Number(n as i64);
    let place = match cell.gap {
        0 => page.fill_now("ui.window.at_start", &[cell.label.clone().into()]),
        gap => page.fill_now("ui.window.at", &[cell.label.clone().into(), number(gap)]),
    };
    let worst = match (cell.harm, map.complete) {
        (Harm::Clean, true) => page.now("ui.window.stays_clean"),
        (Harm::Clean, false) => page.now("ui.window.clean_so_far"),
        (harm, _) => {
            let harm = Arg::Typed(page.now(&format!("harm.{}", harm.id())).into());
            page.fill_now("ui.window.worst", &[harm, number(cell.run.len())])
        }
    };
    let whole = [place, worst].map(|text| Arg::Typed(text.into()));
    page.fill_now("ui.window.whole", &whole)
}

/// The bar below the diagram: how many faults, and what is looked at, or what the map says in all.
pub fn bar(page: Page) -> AnyView {
    let windows = page.windows;
    let choice = |faults_max: u8| {
        let number = Arg::Number(i64::from(faults_max));
        let name = words(move || page.fill_now("ui.windows.faults", std::slice::from_ref(&number)));
        let chosen = words(move || (windows.faults_max.get() == faults_max).to_string());
        button("", move || windows.choose(faults_max))
            .words("aria-pressed", chosen)
            .say(name)
            .into()
    };
    let is_working = move || matches!(windows.progress.get(), Progress::Working(_));
    let stop = move || {
        windows.stop();
        // The button goes; the choice beside it stays.
        browser::focus(document().query_selector(".switch button").ok().flatten());
    };
    let stop = button("stop", stop)
        .flag("hidden", flag(move || !is_working()))
        .say(page.text("ui.stop"));
    el("div", "window-bar")
        .set("role", "group")
        // A menu of the faults below it covers a part of it.
        .flag("inert", flag(move || page.menu.with(Option::is_some)))
        .words("aria-label", page.text("ui.windows"))
        .child(
            el("div", "switch")
                .set("role", "group")
                .words("aria-label", page.text("ui.windows.faults_about"))
                .children(FAULTS_MAX.map(choice)),
        )
        .child(el("p", "about").child(part(move || about(page, windows))))
        .child(stop)
        .into()
}

fn about(page: Page, windows: Windows) -> AnyView {
    let number = |n: usize| Arg::Number(n as i64);
    let line =
        |text: String| AnyView::from(el("span", "word").set("title", text.clone()).text(text));
    if let Some(told) = windows.told.get() {
        return line(told);
    }
    let map = windows.map.get();
    let put = windows.put();
    // What was just put is still under the pointer; what comes of it is worth more.
    let is_put = |cell: &Cell| put.is_some_and(|put| put.place == place(cell));
    let target = windows.target().filter(|cell| !is_put(cell));
    if let (Some(map), Some(cell)) = (&map, target) {
        let text = in_words(page, map, &cell);
        return all([
            chip(cell.harm),
            el("span", "word")
                .set("title", text.clone())
                .text(text)
                .into(),
        ]);
    }
    match windows.progress.get() {
        Progress::Working(states) => {
            return line(page.fill_now("ui.windows.working", &[number(states)]));
        }
        Progress::Stopped(states) => {
            return line(page.fill_now("ui.windows.stopped", &[number(states)]));
        }
        Progress::TooLong => {
            return line(page.fill_now("ui.windows.too_long", &[number(MAP_STEPS_MAX)]));
        }
        Progress::Ready => {}
    }
    if let Some(said) = page.put_in_words() {
        return line(said);
    }
    let Some(map) = map else {
        return nothing();
    };
    // Of a run without steps next to nothing was tried.
    if page.len.get() == 0 && windows.worst() <= Some(Harm::Clean) {
        return line(page.now("ui.windows.no_steps"));
    }
    let count = |harm: Harm| map.cells.iter().filter(|cell| cell.harm == harm).count();
    let counts = Harm::ALL.into_iter().rev().filter(|harm| count(*harm) > 0);
    let counts = counts.map(|harm| {
        let word = page.now(&format!("harm.{}", harm.id()));
        let word = el("span", "").text(format!("{} {word}", count(harm)));
        el("span", "count").child(chip(harm)).child(word).into()
    });
    let states = [map.states, usize::from(windows.faults_max.get())].map(number);
    let proof = match (windows.given_up.get(), map.complete) {
        (Some(states), _) => page.fill_now("ui.windows.given_up", &[number(states)]),
        (None, true) => page.fill_now("ui.windows.complete", &states),
        (None, false) => page.fill_now("ui.windows.cut", &states),
    };
    all([all(counts), line(proof)])
}
