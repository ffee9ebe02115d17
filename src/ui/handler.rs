//! An ordered list of steps: taken ones first, in their order, to be moved and left out; then
//! those that are left out, to be put back.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys;

use super::browser;
use super::design::One;
use super::element::{Ref, all as views, button, el, flag, part, words};
use super::icons::{Icon, glyph};
use crate::machine::Value;

pub fn steps(setting: One, all: &'static [&'static str]) -> AnyView {
    let list = Steps {
        setting,
        all,
        dragged: RwSignal::new(None),
        stop: RwSignal::new(Stop::default()),
        element: Ref::new(),
    };
    let rows = move || {
        let taken = list.taken();
        let left_out = (0..all.len() as u8).filter(|step| !taken.contains(step));
        let rows = taken.iter().map(|step| (*step, true));
        let rows = rows.chain(left_out.map(|step| (step, false)));
        views(
            (0..)
                .zip(rows)
                .map(|(place, (step, is_taken))| list.row(place, step, is_taken)),
        )
    };
    el("ol", "handler")
        .keep(list.element)
        .on("keydown", move |event| list.press(&event))
        .child(part(rows))
        .into()
}

/// How many tools a row has: a step that is left out can only be put back.
const fn tools(is_taken: bool) -> usize {
    if is_taken { 3 } else { 1 }
}

/// The tool that the Tab key leads to: the list is one stop, in which the arrow keys move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stop {
    row: usize,
    tool: usize,
}

#[derive(Clone, Copy)]
struct Steps {
    setting: One,
    all: &'static [&'static str],
    dragged: RwSignal<Option<u8>>,
    stop: RwSignal<Stop>,
    element: Ref,
}

impl Steps {
    fn press(self, event: &web_sys::Event) {
        let event: &web_sys::KeyboardEvent = event.unchecked_ref();
        let Stop { row, tool } = self.stop.get_untracked();
        let last = self.all.len() - 1;
        let next = match event.key().as_str() {
            "ArrowUp" => (row.saturating_sub(1), tool),
            "ArrowDown" => (last.min(row + 1), tool),
            "ArrowLeft" => (row, tool.saturating_sub(1)),
            "ArrowRight" => (row, (tools(self.is_taken_at(row)) - 1).min(tool + 1)),
            "Home" => (0, tool),
            "End" => (last, tool),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        let (row, tool) = next;
        self.go_to(row, tool);
    }

    fn is_taken_at(self, row: usize) -> bool {
        row < untrack(|| self.taken()).len()
    }

    fn go_to(self, row: usize, tool: usize) {
        let tool = tool.min(tools(self.is_taken_at(row)) - 1);
        self.stop.set(Stop { row, tool });
        let tool = format!("li:nth-child({}) button:nth-child({})", row + 1, tool + 1);
        // After a change the rows are drawn anew.
        request_animation_frame(move || {
            let list = self.element.try_get_untracked().flatten();
            browser::focus(list.and_then(|list| list.query_selector(&tool).ok().flatten()));
        });
    }

    fn taken(self) -> Vec<u8> {
        match self.setting.value() {
            Some(Value::Steps(steps)) => steps,
            _ => Vec::new(),
        }
    }

    fn place(self, step: u8) -> Option<usize> {
        untrack(|| self.taken())
            .iter()
            .position(|other| *other == step)
    }

    fn move_to(self, step: u8, to: usize) {
        let mut steps = untrack(|| self.taken());
        steps.retain(|other| *other != step);
        steps.insert(to.min(steps.len()), step);
        self.setting.set(Value::Steps(steps));
    }

    fn shift(self, step: u8, down: bool) {
        if let Some(at) = self.place(step) {
            self.move_to(step, if down { at + 1 } else { at.saturating_sub(1) });
            self.follow(step, usize::from(down));
        }
    }

    /// Goes where a step now stands.
    fn follow(self, step: u8, tool: usize) {
        let taken = untrack(|| self.taken());
        let before = |other: &u8| !taken.contains(other);
        let row = self.place(step);
        let row = row.unwrap_or_else(|| taken.len() + (0..step).filter(before).count());
        self.go_to(row, tool);
    }

    /// Leaves a step out, or puts it back at the end.
    fn toggle(self, step: u8) {
        let mut steps = untrack(|| self.taken());
        match self.place(step) {
            Some(at) => {
                steps.remove(at);
            }
            None => steps.push(step),
        }
        self.setting.set(Value::Steps(steps));
        self.follow(step, 0);
    }

    fn drop_on(self, step: u8) {
        if let (Some(moved), Some(to)) = (self.dragged.get_untracked(), self.place(step)) {
            self.move_to(moved, to);
        }
    }

    fn tool(
        self,
        (row, tool): (usize, usize),
        icon: Icon,
        key: &'static str,
        act: impl Fn() + 'static,
    ) -> AnyView {
        let stop = move || {
            let stop = self.stop.get();
            let is_it = stop.row == row && stop.tool.min(tools(self.is_taken_at(row)) - 1) == tool;
            if is_it { "0" } else { "-1" }.to_owned()
        };
        button("row-tool", act)
            .name(self.setting.page.text(key))
            .words("tabindex", words(stop))
            .on("focus", move |_| self.stop.set(Stop { row, tool }))
            .child(glyph(icon))
            .into()
    }

    fn row(self, row: usize, step: u8, is_taken: bool) -> AnyView {
        let page = self.setting.page;
        let is_next = move || {
            page.state
                .with(|s| s.next_steps.iter().any(|n| n.step == step))
        };
        let class = if is_taken { "taken" } else { "left-out" };
        let up = move || self.shift(step, false);
        let down = move || self.shift(step, true);
        let toggle = move || self.toggle(step);
        let tools = match is_taken {
            true => views([
                self.tool((row, 0), Icon::Up, "ui.move_up", up),
                self.tool((row, 1), Icon::Down, "ui.move_down", down),
                self.tool((row, 2), Icon::Minus, "ui.leave_out", toggle),
            ]),
            false => self.tool((row, 0), Icon::Plus, "ui.put_back", toggle),
        };
        let name = format!("{}.step.{}", self.setting.lab, self.all[usize::from(step)]);
        let drop = move |event: web_sys::Event| {
            event.prevent_default();
            self.drop_on(step);
        };
        el("li", class)
            .class("next", flag(is_next))
            .set("draggable", is_taken.to_string())
            .on("dragstart", move |_| self.dragged.set(Some(step)))
            .on("dragover", |event| event.prevent_default())
            .on("drop", drop)
            .child(el("span", "grip").set("aria-hidden", "true"))
            .child(el("span", "word").say(page.text(name)))
            .child(el("span", "row-tools").child(tools))
            .into()
    }
}
