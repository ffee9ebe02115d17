//! The head of the page: which lab, sharing, language, theme, help.

use leptos::prelude::*;

use super::browser;
use super::element::{Ref, all, button, el, flag, option, select, words};
use super::icons::{Icon, glyph};
use super::page::Page;
use crate::labs::LABS;
use crate::locale::Language;
use crate::run::Session;

pub fn header(page: Page) -> AnyView {
    let open = Memo::new(move |_| page.session.with(|s| s.lab().id()));
    let labs = LABS.iter().map(|lab| {
        let selected = flag(move || open.get() == lab.id());
        option(lab.id(), selected, page.text(format!("lab.{}", lab.id())))
    });
    let choose = move |id: String| {
        if let Some(index) = LABS.iter().position(|lab| lab.id() == id) {
            page.open_lab(index);
        }
    };
    let other = move || match page.language.get() {
        Language::English => ("中文", "zh-CN"),
        Language::Chinese => ("English", "en"),
    };
    let theme = words(move || page.now(&format!("ui.theme.{}", page.theme.get().id())));
    let language = button("", move || page.next_language())
        .words("lang", words(move || other().1.into()))
        .say(words(move || other().0.into()));
    let theme = button("", move || page.next_theme())
        .name(theme)
        .child(glyph(Icon::Theme));
    let help = button("", move || page.help_open.set(true))
        .name(page.text("ui.key.help"))
        .text("?");
    let design = button("fold", move || {
        page.sizing.folded.update(|folded| *folded = !*folded)
    })
    .words(
        "aria-expanded",
        words(move || (!page.sizing.folded.get()).to_string()),
    )
    .set("aria-controls", "design")
    .say(page.text("ui.design"));
    let nav = el("nav", "")
        .words("aria-label", page.text("ui.page"))
        .child(change(
            page,
            Icon::Undo,
            "ui.key.undo",
            Session::can_undo,
            Page::undo,
        ))
        .child(change(
            page,
            Icon::Redo,
            "ui.key.redo",
            Session::can_redo,
            Page::redo,
        ))
        .child(share(page))
        .child(language)
        .child(theme)
        .child(help);
    let skip = button("skip", || {
        browser::focus(document().query_selector(".scroller").ok().flatten());
    });
    el("header", "head")
        .child(skip.say(page.text("ui.skip")))
        .flag("inert", page.curtain.into())
        .child(el("h1", "").text("Effectively Once"))
        .child(design)
        .child(select("lab", page.text("ui.lab"), all(labs), choose))
        .child(nav)
        .into()
}

/// Takes the last change back, or makes it again.
fn change(
    page: Page,
    icon: Icon,
    key: &'static str,
    is_possible: fn(&Session) -> bool,
    act: fn(Page),
) -> AnyView {
    button("", move || act(page))
        .name(page.text(key))
        .flag("disabled", flag(move || !page.session.with(is_possible)))
        .child(glyph(icon))
        .into()
}

fn share(page: Page) -> AnyView {
    let chosen = Ref::new();
    let read = move |_| {
        let Some(input) = browser::input(chosen) else {
            return;
        };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            page.read_file(file);
        }
        // The same file can be chosen again after it was mended.
        input.set_value("");
    };
    let file = el("input", "sr-only")
        .set("type", "file")
        .set("accept", ".json,application/json")
        .keep(chosen)
        .on("change", read);
    all([
        button("", move || page.copy_link())
            .say(page.text("ui.copy_link"))
            .into(),
        button("wide", move || page.save_file())
            .say(page.text("ui.save"))
            .into(),
        el("label", "file wide")
            .say(page.text("ui.open"))
            .child(file)
            .into(),
    ])
}
