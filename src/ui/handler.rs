//! An ordered list of steps: taken ones first, in their order, to be moved and left out; then
//! those that are left out, to be put back.

use leptos::prelude::*;
use leptos::web_sys;

use super::design::One;
use super::element::{all as views, button, el, flag, part};
use super::icons::{Icon, glyph};
use crate::machine::Value;

pub fn steps(setting: One, all: &'static [&'static str]) -> AnyView {
    let list = Steps {
        setting,
        all,
        dragged: RwSignal::new(None),
    };
    let rows = move || {
        let taken = list.taken();
        let left_out = (0..all.len() as u8).filter(|step| !taken.contains(step));
        let rows = taken.iter().map(|step| (*step, true));
        let rows = rows.chain(left_out.map(|step| (step, false)));
        views(rows.map(|(step, is_taken)| list.row(step, is_taken)))
    };
    el("ol", "handler").child(part(rows)).into()
}

#[derive(Clone, Copy)]
struct Steps {
    setting: One,
    all: &'static [&'static str],
    dragged: RwSignal<Option<u8>>,
}

impl Steps {
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
        }
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
    }

    fn drop_on(self, step: u8) {
        if let (Some(moved), Some(to)) = (self.dragged.get_untracked(), self.place(step)) {
            self.move_to(moved, to);
        }
    }

    fn tool(self, icon: Icon, key: &'static str, act: impl Fn() + 'static) -> AnyView {
        let tool = button("row-tool", act).name(self.setting.page.text(key));
        tool.child(glyph(icon)).into()
    }

    fn row(self, step: u8, is_taken: bool) -> AnyView {
        let page = self.setting.page;
        let is_next = move || {
            page.state
                .with(|s| s.next_steps.iter().any(|n| n.step == step))
        };
        let class = if is_taken { "taken" } else { "left-out" };
        let tools = match is_taken {
            true => views([
                self.tool(Icon::Up, "ui.move_up", move || self.shift(step, false)),
                self.tool(Icon::Down, "ui.move_down", move || self.shift(step, true)),
                self.tool(Icon::Minus, "ui.leave_out", move || self.toggle(step)),
            ]),
            false => self.tool(Icon::Plus, "ui.put_back", move || self.toggle(step)),
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
