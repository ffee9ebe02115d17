//! The state that is shown: truth beside belief, the verdict with its reason, and what is durable
//! apart from what is volatile.

use leptos::prelude::*;

use super::page::page;
use super::words::Say;
use crate::lab::Figure;
use crate::machine::Durability;
use crate::view::{ShownEntry, ShownTable};

#[component]
pub fn StatePane() -> impl IntoView {
    let page = page();
    let tables = Memo::new(move |_| page.state.get().tables.clone());
    view! {
        <aside class="pane state" aria-label=move || page.text("ui.state")>
            <section class="figures">
                <FigureCard
                    title="ui.truth"
                    figure=Memo::new(move |_| page.state.get().truth.clone())
                    changed=Memo::new(move |_| page.state.get().truth_changed)
                />
                <FigureCard
                    title="ui.belief"
                    figure=Memo::new(move |_| page.state.get().belief.clone())
                    changed=Memo::new(move |_| page.state.get().belief_changed)
                />
            </section>
            <Verdict />
            <For
                each=move || tables.get()
                key=|table| (table.lane, table.gone, table.entries.len())
                let(table)
            >
                <TableView table=Memo::new(move |_| {
                    tables
                        .with(|all| all.iter().find(|t| t.lane == table.lane).cloned())
                        .unwrap_or_else(|| table.clone())
                }) />
            </For>
        </aside>
    }
}

#[component]
fn FigureCard(title: &'static str, figure: Memo<Figure>, changed: Memo<bool>) -> impl IntoView {
    let page = page();
    let value = move || page.say(&figure.get().value);
    let is_long = move || value().chars().count() > 8;
    view! {
        <div class="card figure" class:changed=move || changed.get()>
            <h2>{move || page.text(title)}</h2>
            <strong class="value" class:long=is_long title=value>
                {value}
            </strong>
            <small>{move || page.say(&figure.get().detail)}</small>
        </div>
    }
}

#[component]
fn Verdict() -> impl IntoView {
    let page = page();
    let headline = move || page.state.get().headline();
    let part = move |kind: &'static str, id: &'static str| page.text(&format!("{kind}.{id}"));
    view! {
        <section class=move || format!("verdict {}", headline())>
            <h2>
                <span class="sign" aria-hidden="true"></span>
                {move || page.text(&format!("headline.{}", headline()))}
            </h2>
            <p>{move || page.say(&page.state.get().reason)}</p>
            <ul class="parts">
                <li>{move || part("outcome", page.state.get().verdict.outcome.id())}</li>
                <li>{move || part("belief", page.state.get().verdict.belief.id())}</li>
                <li>{move || part("progress", page.state.get().verdict.progress.id())}</li>
            </ul>
        </section>
    }
}

#[component]
fn TableView(table: Memo<ShownTable>) -> impl IntoView {
    let page = page();
    let entries = Memo::new(move |_| table.get().entries);
    let durability = move || table.get().durability;
    let kind = move || match table.get().gone {
        true => page.text("ui.gone"),
        false => page.text(&format!("durability.{}", durability().id())),
    };
    view! {
        <section
            class="table"
            class:volatile=move || durability() == Durability::Volatile
            class:durable=move || durability() == Durability::Durable
            class:gone=move || table.get().gone
        >
            <h2>
                <span>{move || page.say(&table.get().name)}</span>
                <span class="kind">{kind}</span>
            </h2>
            <dl>
                <For each=move || entries.get() key=Clone::clone let(entry)>
                    <EntryView entry />
                </For>
            </dl>
        </section>
    }
}

#[component]
fn EntryView(entry: ShownEntry) -> impl IntoView {
    let page = page();
    let ShownEntry {
        name,
        value,
        changed,
    } = entry;
    let full = value.clone();
    view! {
        <div class="entry" class:changed=changed>
            <dt>
                <Say label=name />
            </dt>
            <dd title=move || page.say(&full)>
                <Say label=value />
            </dd>
        </div>
    }
}
