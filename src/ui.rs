//! The page: one generic set of components that can show any lab.
//!
//! Everything derives from one [`Session`](crate::run::Session) in [`Page`]; components read memos
//! of plain view models and send actions back. No component knows a lab.

mod actions;
mod browser;
mod changes;
mod check;
mod choices;
mod design;
mod diagram;
mod element;
mod fix;
mod handler;
mod header;
mod help;
mod icons;
mod keys;
mod notice;
mod page;
mod reading;
mod records;
mod sheet;
mod size;
mod slices;
mod state;
mod transport;
mod windows;

use leptos::prelude::*;

use element::{el, flag, words};
use page::Page;

/// Shows the page in the document's body.
pub fn mount() {
    console_error_panic_hook::set_once();
    browser::take_away("first");
    leptos::mount::mount_to_body(|| {
        let page = Page::new();
        keys::listen(page);
        page.follow_address();
        browser::take_dropped(move |file| page.read_file(file));
        app(page)
    });
}

fn app(page: Page) -> AnyView {
    let centre = el("section", "centre")
        .words("aria-label", page.text("ui.diagram"))
        .child(diagram::pane(page))
        .child(
            el("div", "under")
                .child(diagram::strip::bar(page))
                .child(notice::bar(page)),
        )
        .child(actions::faults(page));
    let main = el("main", "main")
        .flag("inert", page.curtain.into())
        .child(design::pane(page))
        .child(centre)
        .child(state::pane(page));
    let said = el("div", "sr-only")
        .set("role", "status")
        .say(words(move || page.announcement()));
    element::all([
        header::header(page),
        main.into(),
        transport::bar(page),
        help::sheet(page),
        sheet::paper(page),
        said.into(),
        curtain(page),
    ])
}

/// Covers the page, with nothing on it.
fn curtain(page: Page) -> AnyView {
    el("div", "curtain")
        .set("aria-hidden", "true")
        .flag("hidden", flag(move || !page.curtain.get()))
        .click(move || page.lift_curtain())
        .into()
}
