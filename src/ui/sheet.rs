//! The page on paper: the design, the whole diagram, the verdict and the link. It is made only
//! while the page is being printed.

use leptos::prelude::*;

use super::browser;
use super::diagram::paper;
use super::element::{all, el, flag, nothing, part};
use super::fix::in_words;
use super::page::Page;

pub fn paper(page: Page) -> AnyView {
    let content = move || match page.sizing.printing.get() {
        true => all([head(page), paper::diagram(page), outcome(page), link(page)]),
        false => nothing(),
    };
    el("article", "paper")
        .flag("hidden", flag(move || !page.sizing.printing.get()))
        .child(part(content))
        .into()
}

/// The lab, the name of the design, and what is not as it is by default.
fn head(page: Page) -> AnyView {
    let lab = page.session.with(|s| s.lab());
    let id = lab.id();
    let settings = page.settings.get();
    let presets = lab.presets();
    let preset = presets.iter().find(|preset| preset.settings == settings);
    let name = match preset {
        Some(preset) => page.now(&format!("{id}.preset.{}", preset.id)),
        None => page.now("ui.preset.own"),
    };
    let story = preset.map(|preset| {
        let story = page.now(&format!("{id}.preset.{}.story", preset.id));
        el("p", "").text(story).into()
    });
    // The first design is what the settings are by default.
    let defaults = presets.first().into_iter();
    let defaults = defaults.flat_map(|preset| preset.settings.iter());
    let both = settings.iter().zip(defaults);
    let changed = both.filter(|((_, value), (_, default))| value != default);
    let changed = changed.map(|((setting, value), _)| {
        let name = page.now(&format!("{id}.setting.{}", setting.id));
        el("li", "")
            .text(name + ": ")
            .child(el("b", "").text(in_words(page, id, setting, value)))
            .into()
    });
    let title = format!("{} · {name}", page.now(&format!("lab.{id}")));
    el("header", "")
        .child(el("h1", "").text(title))
        .child(all(story))
        .child(el("ul", "").children(changed))
        .into()
}

fn outcome(page: Page) -> AnyView {
    let state = page.state.get();
    let figures = [("ui.truth", &state.truth), ("ui.belief", &state.belief)];
    let figures = figures.map(|(title, figure)| {
        let [value, detail] = [&figure.value, &figure.detail].map(|label| page.say_now(label));
        el("p", "")
            .text(format!("{}: ", page.now(title)))
            .child(el("b", "").text(value))
            .text(format!(" ({detail})"))
            .into()
    });
    let headline = state.headline();
    let title = el("h2", "")
        .child(el("span", "sign"))
        .child(el("span", "").text(page.now(&format!("headline.{headline}"))));
    let position = format!("{} / {}", page.cursor.get(), page.len.get());
    el("section", format!("verdict {headline}"))
        .child(title)
        .child(el("p", "").text(page.say_now(&state.reason)))
        .children(figures)
        .child(el("p", "").text(format!("{}: {position}", page.now("ui.position"))))
        .into()
}

fn link(page: Page) -> AnyView {
    let address = browser::address_of(&page.link());
    el("p", "address").text(address).into()
}
