//! The state that is shown: truth beside belief, the verdict with its reason, and what is durable
//! apart from what is volatile.

use leptos::prelude::*;

use super::browser;
use super::check;
use super::element::{all, button, el, flag, part, words};
use super::fix;
use super::page::Page;
use crate::lab::Figure;
use crate::machine::{Durability, Verdict};
use crate::view::{ShownEntry, ShownTable, StateView};

pub fn pane(page: Page) -> AnyView {
    let tables = move || {
        let state = page.state.get();
        all(state.tables.iter().map(|shown| table(page, shown)))
    };
    let figures = el("section", "figures")
        .child(figure(page, "ui.truth", |state| {
            (&state.truth, state.truth_changed)
        }))
        .child(figure(page, "ui.belief", |state| {
            (&state.belief, state.belief_changed)
        }));
    el("aside", "pane state")
        .words("aria-label", page.text("ui.state"))
        // It may have to scroll, and then it must be reached by the keyboard.
        .set("tabindex", "0")
        .child(figures)
        .child(verdict(page))
        .child(fix::block(page))
        .child(check::block(page))
        .child(part(tables))
        .into()
}

/// A longer value is drawn smaller.
const VALUE_CHARS_MAX: usize = 8;

fn figure(page: Page, title: &'static str, of: fn(&StateView) -> (&Figure, bool)) -> AnyView {
    let value = words(move || page.say_now(&of(&page.state.get()).0.value));
    let detail = words(move || page.say_now(&of(&page.state.get()).0.detail));
    let is_long = flag(move || value.with(|value| value.chars().count() > VALUE_CHARS_MAX));
    let value = el("strong", "value")
        .class("long", is_long)
        .words("title", value)
        .say(value);
    el("div", "card figure")
        .class("changed", flag(move || of(&page.state.get()).1))
        .child(el("h2", "").say(page.text(title)))
        .child(value)
        .child(el("small", "").words("title", detail).say(detail))
        .into()
}

fn verdict(page: Page) -> AnyView {
    let headline = move || page.state.get().headline();
    let verdict = move || page.state.get().verdict;
    let part = move |of: fn(Verdict) -> (&'static str, &'static str)| {
        let key = move || {
            let (kind, id) = of(verdict());
            format!("{kind}.{id}")
        };
        el("li", "").say(words(move || page.now(&key())))
    };
    let title = words(move || page.now(&format!("headline.{}", headline())));
    let title = el("h2", "")
        .child(el("span", "sign").set("aria-hidden", "true"))
        .child(el("span", "").say(title));
    let parts = el("ul", "parts")
        .child(part(|verdict| ("outcome", verdict.outcome.id())))
        .child(part(|verdict| ("belief", verdict.belief.id())))
        .child(part(|verdict| ("progress", verdict.progress.id())));
    el("section", "")
        .words("class", words(move || format!("verdict {}", headline())))
        .child(title)
        .child(el("p", "").say(words(move || page.say_now(&page.state.get().reason))))
        .child(parts)
        .into()
}

/// The outcome in a line or two, over the transport where the pane of the state is out of sight;
/// the way there.
pub fn outcome(page: Page) -> AnyView {
    let fact = |title: &'static str, of: fn(&StateView) -> &Figure| {
        let value = words(move || page.say_now(&of(&page.state.get()).value));
        el("span", "fact")
            .child(el("small", "").say(page.text(title)))
            .text(" ")
            .child(el("b", "").say(value))
    };
    let headline = move || page.state.get().headline();
    let title = words(move || page.now(&format!("headline.{}", headline())));
    let verdict = el("span", "")
        .words("class", words(move || format!("verdict {}", headline())))
        .child(el("span", "sign").set("aria-hidden", "true"))
        .child(el("span", "word").say(title));
    let go = || {
        let pane = document().query_selector(".state").ok().flatten();
        browser::focus(pane.clone());
        browser::show_start(pane);
    };
    button("outcome", go)
        .words("title", page.text("ui.state"))
        .child(fact("ui.truth", |state| &state.truth))
        .child(fact("ui.belief", |state| &state.belief))
        .child(verdict)
        .into()
}

fn table(page: Page, table: &ShownTable) -> AnyView {
    let class = match (table.gone, table.durability) {
        (true, _) => "table volatile gone",
        (false, Durability::Volatile) => "table volatile",
        (false, Durability::Durable) => "table durable",
        (false, Durability::Outside) => "table",
    };
    let kind = match table.gone {
        true => page.text("ui.gone"),
        false => page.text(format!("durability.{}", table.durability.id())),
    };
    let head = el("h2", "")
        .child(el("span", "").say(page.say(table.name.clone())))
        .child(el("span", "kind").say(kind));
    let entries = table.entries.iter().map(|shown| entry(page, shown));
    el("section", class)
        .child(head)
        .child(el("dl", "").children(entries))
        .into()
}

fn entry(page: Page, entry: &ShownEntry) -> AnyView {
    let class = match entry.changed {
        true => "entry changed",
        false => "entry",
    };
    let (name, value) = (page.say(entry.name.clone()), page.say(entry.value.clone()));
    el("div", class)
        .child(el("dt", "").words("title", name).say(name))
        .child(el("dd", "").words("title", value).say(value))
        .into()
}
