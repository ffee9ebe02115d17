//! The sheet of keys, in the browser's own modal dialog: it keeps the focus and closes with Esc.

use leptos::prelude::*;

use super::keys::{SHEET, fault_key};
use super::page::page;
use crate::machine::Fault;

#[component]
pub fn Help() -> impl IntoView {
    let page = page();
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    Effect::new(move |_| {
        let open = page.help_open.get();
        let Some(dialog) = dialog.get() else {
            return;
        };
        if open && !dialog.open() {
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let line = move |keys: &'static str, does: String| {
        view! {
            <dt>
                {keys.split("  ").map(|key| view! { <kbd>{key}</kbd> }).collect_view()}
            </dt>
            <dd>{move || page.text(&does)}</dd>
        }
    };
    let faults = move || {
        let offered = page.session.with(|s| s.lab().faults());
        let fault = |fault: &Fault| line(fault_key(*fault), format!("fault.{}.help", fault.id()));
        offered.iter().map(fault).collect_view()
    };
    view! {
        <dialog
            class="help"
            node_ref=dialog
            aria-labelledby="help-title"
            on:close=move |_| page.help_open.set(false)
        >
            <h2 id="help-title">{move || page.text("ui.help")}</h2>
            <p>{move || page.text("ui.help.intro")}</p>
            <div class="sheets">
                <dl>
                    {SHEET
                        .iter()
                        .map(|(keys, does)| line(keys, (*does).to_owned()))
                        .collect_view()}
                </dl>
                <section>
                    <h3>{move || page.text("ui.faults")}</h3>
                    <dl>{faults}</dl>
                    <p class="note">{move || page.text("ui.help.shift")}</p>
                    <h3>{move || page.text("ui.legend")}</h3>
                    <Legend />
                </section>
            </div>
            <form method="dialog">
                <button class="step">{move || page.text("ui.close")}</button>
            </form>
        </dialog>
    }
}

/// What the shapes in the diagram mean.
#[component]
fn Legend() -> impl IntoView {
    let page = page();
    let mark = move |shape: AnyView, key: &'static str| {
        view! {
            <li>
                <svg class="sample" viewBox="-12 -12 24 24" aria-hidden="true">{shape}</svg>
                <span>{move || page.text(key)}</span>
            </li>
        }
    };
    let square = |class: &'static str| {
        view! { <rect class=class x="-6" y="-6" width="12" height="12" rx="2" /> }.into_any()
    };
    let circle = |class: &'static str| view! { <circle class=class r="8" /> }.into_any();
    view! {
        <ul class="legend">
            {mark(square("mark durable"), "ui.legend.durable")}
            {mark(square("mark staged"), "ui.legend.staged")}
            {mark(square("mark volatile"), "ui.legend.volatile")}
            {mark(circle("mark applied"), "ui.legend.applied")}
            {mark(circle("mark applied harm"), "ui.legend.harm")}
        </ul>
    }
}
