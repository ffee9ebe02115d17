//! The head of the page: which lab, sharing, language, theme, help.

use leptos::prelude::*;

use super::browser;
use super::icons::{Glyph, Icon};
use super::page::page;
use crate::labs::LABS;
use crate::locale::Language;
use crate::run::Session;

#[component]
pub fn Header() -> impl IntoView {
    let page = page();
    let open = Memo::new(move |_| page.session.with(|s: &Session| s.lab().id()));
    let choose = move |event| {
        let id = event_target_value(&event);
        if let Some(index) = LABS.iter().position(|lab| lab.id() == id) {
            page.open_lab(index);
        }
    };
    let labs = LABS
        .iter()
        .map(|lab| {
            let key = format!("lab.{}", lab.id());
            view! {
                <option value=lab.id() selected=move || open.get() == lab.id()>
                    {move || page.text(&key)}
                </option>
            }
        })
        .collect_view();
    let other = move || match page.language.get() {
        Language::English => ("中文", "zh-CN"),
        Language::Chinese => ("English", "en"),
    };
    view! {
        <header class="head">
            <h1>"Effectively Once"</h1>
            <select class="lab" aria-label=move || page.text("ui.lab") on:change=choose>
                {labs}
            </select>
            <nav aria-label=move || page.text("ui.page")>
                <Share />
                <button type="button" lang=move || other().1 on:click=move |_| page.next_language()>
                    {move || other().0}
                </button>
                <button
                    type="button"
                    aria-label=move || page.text(&format!("ui.theme.{}", page.theme.get().id()))
                    title=move || page.text(&format!("ui.theme.{}", page.theme.get().id()))
                    on:click=move |_| page.next_theme()
                >
                    <Glyph icon=Icon::Theme />
                </button>
                <button
                    type="button"
                    aria-label=move || page.text("ui.key.help")
                    title=move || page.text("ui.key.help")
                    on:click=move |_| page.help_open.set(true)
                >
                    "?"
                </button>
            </nav>
        </header>
    }
}

#[component]
fn Share() -> impl IntoView {
    let page = page();
    let chosen = NodeRef::<leptos::html::Input>::new();
    let read = move |_| {
        let Some(input) = chosen.get_untracked() else {
            return;
        };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            browser::read(file, move |text| page.open_file(&text));
        }
        // The same file can be chosen again after it was mended.
        input.set_value("");
    };
    view! {
        <button type="button" on:click=move |_| page.copy_link()>
            {move || page.text("ui.copy_link")}
        </button>
        <button type="button" class="wide" on:click=move |_| page.save_file()>
            {move || page.text("ui.save")}
        </button>
        <label class="file wide">
            {move || page.text("ui.open")}
            <input
                type="file"
                class="sr-only"
                accept=".json,application/json"
                node_ref=chosen
                on:change=read
            />
        </label>
    }
}
