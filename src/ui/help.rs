//! The sheet of keys, in the browser's own modal dialog: it keeps the focus and closes with Esc.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

use super::diagram::{legend, strip};
use super::element::{Ref, all, button, el, part};
use super::keys::{SHEET, fault_key};
use super::page::Page;
use crate::machine::Fault;

pub fn sheet(page: Page) -> AnyView {
    let dialog = Ref::new();
    Effect::new(move |_| {
        let open = page.help_open.get();
        let Some(dialog) = dialog.get() else {
            return;
        };
        let dialog: web_sys::HtmlDialogElement = dialog.unchecked_into();
        if open && !dialog.open() {
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let faults = move || {
        let offered = page.session.with(|s| s.lab().faults());
        let fault = |fault: &Fault| {
            line(
                page,
                fault_key(*fault),
                format!("fault.{}.help", fault.id()),
            )
        };
        all(offered.iter().map(fault))
    };
    let keys = SHEET
        .iter()
        .map(|(keys, does)| line(page, keys, (*does).to_owned()));
    let faults = el("section", "")
        .child(el("h3", "").say(page.text("ui.faults")))
        .child(el("dl", "").child(part(faults)))
        .child(el("p", "note").say(page.text("ui.help.shift")));
    let signs = el("section", "")
        .child(el("h3", "").say(page.text("ui.legend")))
        .child(legend::list(page))
        .child(el("h3", "").say(page.text("ui.windows")))
        .child(strip::legend(page));
    let keys = el("section", "").child(el("dl", "").children(keys));
    // A form would be simpler, but the frame around the page may forbid forms.
    let close = button("step", move || page.help_open.set(false)).say(page.text("ui.close"));
    let title = el("h2", "")
        .set("id", "help-title")
        .say(page.text("ui.help"));
    el("dialog", "help")
        .set("aria-labelledby", "help-title")
        .keep(dialog)
        .on("close", move |_| page.help_open.set(false))
        .child(el("div", "title").child(title).child(close))
        .child(el("p", "").say(page.text("ui.help.intro")))
        .child(el("div", "sheets").child(keys).child(faults).child(signs))
        .into()
}

fn line(page: Page, keys: &'static str, does: String) -> AnyView {
    let keys = keys.split("  ").map(|key| el("kbd", "").text(key).into());
    all([
        el("dt", "").children(keys).into(),
        el("dd", "").say(page.text(does)).into(),
    ])
}
