//! Everything that is possible now: the faults under the diagram, the protocol's own steps beside
//! the transport. A kind with several possibilities opens a menu.

use std::sync::Arc;

use leptos::prelude::*;

use super::icons::{Glyph, Icon};
use super::keys::fault_key;
use super::page::page;
use super::words::Say;
use crate::lab::Choice;
use crate::machine::Fault;

/// The bar of faults. A fault that is not possible now keeps its place.
#[component]
pub fn Faults() -> impl IntoView {
    let page = page();
    let offered = Memo::new(move |_| page.session.with(|s| s.lab().faults().to_vec()));
    view! {
        <div class="faults" role="group" aria-label=move || page.text("ui.faults")>
            <span class="bar-label">{move || page.text("ui.faults")}</span>
            <For each=move || offered.get() key=|fault| *fault let(fault)>
                <FaultButton fault />
            </For>
        </div>
    }
}

#[component]
fn FaultButton(fault: Fault) -> impl IntoView {
    let page = page();
    let possible = Memo::new(move |_| {
        let of_kind = |choice: &&Choice| choice.fault == Some(fault);
        page.choices
            .with(|all| all.iter().filter(of_kind).cloned().collect::<Arc<[_]>>())
    });
    let key = format!("fault.{}", fault.id());
    let help = format!("fault.{}.help", fault.id());
    view! {
        <Group id=fault.id() class="fault" possible title=help>
            <Glyph icon=Icon::Fault(fault) />
            <span class="word">{move || page.text(&key)}</span>
            <kbd>{fault_key(fault)}</kbd>
        </Group>
    }
}

/// The protocol's own steps that are possible now.
#[component]
pub fn Steps() -> impl IntoView {
    let page = page();
    let possible = Memo::new(move |_| {
        let own = |choice: &&Choice| choice.fault.is_none();
        page.choices
            .with(|all| all.iter().filter(own).cloned().collect::<Arc<[_]>>())
    });
    let first = Memo::new(move |_| possible.get().first().cloned());
    let rest = Memo::new(move |_| possible.get().iter().skip(1).cloned().collect::<Arc<[_]>>());
    let button = move |choice: Choice| {
        view! {
            <button
                type="button"
                class="step-choice"
                title=move || page.say(&choice.label)
                on:click=move |_| page.act(&choice.name)
            >
                <span class="word"><Say label=choice.label.clone() /></span>
                <kbd>"1"</kbd>
            </button>
        }
    };
    let nothing = move || {
        view! {
            <button type="button" class="step-choice" disabled=true>
                <span class="word">{move || page.text("ui.nothing_left")}</span>
            </button>
        }
    };
    view! {
        <div class="own-steps" role="group" aria-label=move || page.text("ui.next")>
            <span class="bar-label">{move || page.text("ui.next")}</span>
            {move || match first.get() {
                Some(choice) => button(choice).into_any(),
                None => nothing().into_any(),
            }}
            <Group id="more" class="more" possible=rest title="ui.more".to_owned() always_menu=true>
                <span class="word">{move || page.text("ui.more")}</span>
                <kbd>"2–9"</kbd>
            </Group>
        </div>
    }
}

/// A button for all possibilities of one kind: none disables it, one is taken at once, several
/// open a menu above it.
#[component]
fn Group(
    id: &'static str,
    class: &'static str,
    possible: Memo<Arc<[Choice]>>,
    title: String,
    #[prop(optional)] always_menu: bool,
    children: Children,
) -> impl IntoView {
    let page = page();
    let count = Memo::new(move |_| possible.get().len());
    let is_menu = move || always_menu && count.get() > 0 || count.get() > 1;
    let is_open = move || page.menu.with(|open| open.as_deref() == Some(id)) && is_menu();
    let press = move |_| {
        let all = possible.get_untracked();
        match &*all {
            [] => {}
            [only] if !always_menu => page.act(&only.name),
            _ => page.menu.update(|open| {
                *open = match open.as_deref() == Some(id) {
                    true => None,
                    false => Some(id.to_owned()),
                }
            }),
        }
    };
    view! {
        <div class=format!("group {class}")>
            <button
                type="button"
                class="trigger"
                disabled=move || count.get() == 0
                title=move || page.text(&title)
                aria-haspopup=move || is_menu().then_some("menu")
                aria-expanded=move || is_menu().then(|| is_open().to_string())
                on:click=press
            >
                {children()}
                <span class="count" class:shown=is_menu>{move || count.get()}</span>
            </button>
            <Show when=is_open>
                <Menu possible />
            </Show>
        </div>
    }
}

#[component]
fn Menu(possible: Memo<Arc<[Choice]>>) -> impl IntoView {
    let page = page();
    let list = NodeRef::<leptos::html::Ul>::new();
    Effect::new(move |_| {
        let first = list
            .get()
            .and_then(|list| list.query_selector("button").ok().flatten());
        if let Some(first) = first {
            use leptos::wasm_bindgen::JsCast;
            let _ = first
                .unchecked_into::<leptos::web_sys::HtmlElement>()
                .focus();
        }
    });
    view! {
        <div class="menu-back" on:click=move |_| page.menu.set(None)></div>
        <ul class="menu" role="menu" node_ref=list>
            <For each=move || possible.get().to_vec() key=|c| c.name.clone() let(choice)>
                <li role="none">
                    <button
                        type="button"
                        role="menuitem"
                        on:click={
                            let name = choice.name.clone();
                            move |_| page.act(&name)
                        }
                    >
                        <Say label=choice.label.clone() />
                    </button>
                </li>
            </For>
        </ul>
    }
}
