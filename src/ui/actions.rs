//! Everything that is possible now: the faults under the diagram, the protocol's own steps beside
//! the transport. A kind with several possibilities opens a menu.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys;

use super::browser;
use super::element::{Ref, Words, all, button, el, flag, nothing, part, words};
use super::icons::{Icon, glyph};
use super::keys::fault_key;
use super::page::Page;
use crate::lab::Choice;
use crate::machine::{Fault, Progress};

/// The bar of faults. A fault that is not possible now keeps its place.
pub fn faults(page: Page) -> AnyView {
    let offered = Memo::new(move |_| page.session.with(|s| s.lab().faults()));
    let buttons = move || {
        let faults = offered.get();
        all(faults.iter().map(|fault| fault_button(page, *fault)))
    };
    el("div", "faults")
        .set("role", "group")
        .words("aria-label", page.text("ui.faults"))
        .child(el("span", "bar-label").say(page.text("ui.faults")))
        .child(part(buttons))
        .into()
}

fn fault_button(page: Page, fault: Fault) -> AnyView {
    let group = Group {
        id: fault.id(),
        class: "group fault",
        menu_for_one: false,
        title: page.text(format!("fault.{}.help", fault.id())),
        possible: possible(page, move |choice| choice.fault == Some(fault)),
    };
    let face = [
        glyph(Icon::Fault(fault)),
        el("span", "word")
            .say(page.text(format!("fault.{}", fault.id())))
            .into(),
        el("kbd", "").text(fault_key(fault)).into(),
    ];
    group.view(page, all(face))
}

/// The protocol's own steps that are possible now: the first as a button, the others in a menu.
pub fn steps(page: Page) -> AnyView {
    let own = possible(page, |choice| choice.fault.is_none());
    let first = move || own.get().first().cloned();
    let name = words(move || match first() {
        Some(choice) => page.say_now(&choice.label),
        None if page.state.get().verdict.progress == Progress::Stuck => page.now("ui.blocked"),
        None => page.now("ui.nothing_left"),
    });
    let act = move || {
        if let Some(choice) = own.get_untracked().first() {
            page.act(&choice.name);
        }
    };
    let more = Group {
        id: "more",
        class: "group more",
        menu_for_one: true,
        title: page.text("ui.more"),
        possible: Signal::derive(move || own.get().iter().skip(1).cloned().collect()),
    };
    let step = button("step-choice", act)
        .words("title", name)
        .flag("disabled", flag(move || first().is_none()))
        .child(el("span", "word").say(name))
        .child(el("kbd", "").text("1"));
    let more = more.view(page, el("span", "word").say(page.text("ui.more")).into());
    el("div", "own-steps")
        .set("role", "group")
        .words("aria-label", page.text("ui.next"))
        .child(el("span", "bar-label").say(page.text("ui.next")))
        .child(step)
        .child(more)
        .into()
}

type Possible = Signal<Arc<[Choice]>>;

fn possible(page: Page, of_kind: impl Fn(&Choice) -> bool + Send + Sync + 'static) -> Possible {
    Signal::derive(move || {
        let choices = page.choices.get();
        choices
            .iter()
            .filter(|choice| of_kind(choice))
            .cloned()
            .collect()
    })
}

/// A button for all possibilities of one kind: none disables it, one is taken at once, several
/// open a menu above it.
#[derive(Clone, Copy)]
struct Group {
    id: &'static str,
    class: &'static str,
    menu_for_one: bool,
    title: Words,
    possible: Possible,
}

impl Group {
    fn has_menu(self) -> bool {
        match self.possible.get().len() {
            0 => false,
            1 => self.menu_for_one,
            _ => true,
        }
    }

    fn is_open(self, page: Page) -> bool {
        self.has_menu() && page.menu.with(|open| open.as_deref() == Some(self.id))
    }

    fn press(self, page: Page) {
        if !self.has_menu() {
            if let Some(only) = self.possible.get_untracked().first() {
                page.act(&only.name);
            }
        } else {
            let open = (!self.is_open(page)).then(|| self.id.to_owned());
            page.menu.set(open);
        }
    }

    fn view(self, page: Page, face: AnyView) -> AnyView {
        let count = words(move || self.possible.get().len().to_string());
        let menu = move || match self.is_open(page) {
            true => menu(page, self.possible.get_untracked()),
            false => nothing(),
        };
        let count = el("span", "count")
            .class("shown", flag(move || self.has_menu()))
            .say(count);
        let trigger = button("trigger", move || untrack(|| self.press(page)))
            .words("title", self.title)
            .maybe("aria-haspopup", move || {
                self.has_menu().then(|| "menu".into())
            })
            .maybe("aria-expanded", move || {
                self.has_menu().then(|| self.is_open(page).to_string())
            })
            .flag("disabled", flag(move || self.possible.get().is_empty()))
            .child(face)
            .child(count);
        el("div", self.class)
            .child(trigger)
            .child(part(menu))
            .into()
    }
}

/// The menu has the focus while it is open; arrow keys go through it, a digit takes its item, Esc
/// gives the focus back to the button.
fn menu(page: Page, possible: Arc<[Choice]>) -> AnyView {
    let list = Ref::new();
    let focus = move |selector: &str| {
        // A menu can be gone before the frame in which its first item gets the focus.
        let list = list.try_get_untracked().flatten();
        let group = list.and_then(|list| list.parent_element());
        browser::focus(group.and_then(|group| group.query_selector(selector).ok().flatten()));
    };
    let focus_item = move |place: usize| focus(&format!("li:nth-child({}) button", place + 1));
    list.on_load(move |_| request_animation_frame(move || focus_item(0)));
    // Afterwards the focus is where the run goes on, or back where it came from.
    let take = move |name: &str| {
        page.act(name);
        browser::focus(document().query_selector(".transport .step").ok().flatten());
    };
    let leave = move || {
        focus(".trigger");
        page.menu.set(None);
    };
    let items = possible.iter().map(|choice| {
        let name = choice.name.clone();
        let item = button("", move || take(&name)).set("role", "menuitem");
        let item = item.say(page.say(choice.label.clone()));
        el("li", "").set("role", "none").child(item).into()
    });
    let items = all(items.collect::<Vec<_>>());
    let focused = StoredValue::new(0);
    let press = move |event: web_sys::Event| {
        let event: web_sys::KeyboardEvent = event.unchecked_into();
        let key = event.key();
        let digit = key
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1));
        let to = match key.as_str() {
            "ArrowDown" => focused.get_value() + 1,
            "ArrowUp" => focused.get_value() + possible.len() - 1,
            "Escape" => {
                event.stop_propagation();
                return leave();
            }
            // The browser moves on from the button.
            "Tab" => return leave(),
            _ => {
                if let Some(choice) = digit.and_then(|place| possible.get(place)) {
                    event.stop_propagation();
                    take(&choice.name);
                }
                return;
            }
        };
        event.prevent_default();
        focused.set_value(to % possible.len());
        focus_item(focused.get_value());
    };
    let back = el("div", "menu-back").click(move || page.menu.set(None));
    let list = el("ul", "menu")
        .set("role", "menu")
        .keep(list)
        .on("keydown", press)
        .child(items);
    all([back.into(), list.into()])
}
