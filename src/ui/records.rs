//! What a person types freely: a record a row, each field checked where it stands.
//!
//! A field keeps what was typed even where it is refused; the settings keep the last value that
//! was allowed.

use leptos::prelude::*;

use super::icons::{Glyph, Icon};
use super::page::page;
use crate::machine::{Arg, Cell, Column, ColumnKind, Row, SettingsProblem, Value};

#[component]
pub fn Records(
    lab: &'static str,
    columns: &'static [Column],
    rows_max: usize,
    value: Memo<Value>,
    set: Callback<Value>,
) -> impl IntoView {
    let page = page();
    let rows = move || match value.get() {
        Value::Rows(rows) => rows,
        Value::Choice(_) | Value::Steps(_) => Vec::new(),
    };
    let count = Memo::new(move |_| rows().len());
    let change = move |change: &dyn Fn(&mut Vec<Row>)| {
        let mut all = rows();
        change(&mut all);
        set.run(Value::Rows(all));
    };
    let add = move |_: leptos::ev::MouseEvent| {
        let place = count.get_untracked() + 1;
        change(&|rows| {
            rows.push(
                columns
                    .iter()
                    .map(|column| new_cell(column, place))
                    .collect(),
            )
        });
    };
    let is_full = move || count.get() >= rows_max;
    let heads = columns.iter().map(|column| {
        let key = format!("{lab}.column.{}", column.id);
        view! { <th scope="col">{move || page.text(&key)}</th> }
    });
    view! {
        <table class="records">
            <thead>
                <tr>
                    <th scope="col" class="place">"#"</th>
                    {heads.collect_view()}
                    <td></td>
                </tr>
            </thead>
            <tbody>
                <For each=move || 0..count.get() key=|row| *row let(row)>
                    <tr>
                        <th scope="row" class="place">{row + 1}</th>
                        {columns
                            .iter()
                            .enumerate()
                            .map(|(place, column)| {
                                let cell = Memo::new(move |_| {
                                    rows().get(row).and_then(|cells| cells.get(place)).cloned()
                                });
                                let store = Callback::new(move |cell: Cell| {
                                    change(&|rows| {
                                        if let Some(old) = rows
                                            .get_mut(row)
                                            .and_then(|cells| cells.get_mut(place))
                                        {
                                            *old = cell.clone();
                                        }
                                    });
                                });
                                let id = format!("cell-{row}-{place}");
                                view! { <Field lab column id row cell store /> }
                            })
                            .collect_view()}
                        <td>
                            <button
                                type="button"
                                class="small"
                                aria-label=move || {
                                    page.fill("ui.remove_row", &[Arg::Number(row as i64 + 1)])
                                }
                                on:click=move |_| {
                                    change(&|rows| {
                                        rows.remove(row);
                                    })
                                }
                            >
                                <Glyph icon=Icon::Minus />
                            </button>
                        </td>
                    </tr>
                </For>
            </tbody>
        </table>
        <button type="button" class="add" disabled=is_full on:click=add>
            <Glyph icon=Icon::Plus />
            {move || page.text("ui.add_row")}
        </button>
    }
}

/// A value to begin with: the first letters of the alphabet, and ten.
fn new_cell(column: &Column, place: usize) -> Cell {
    match column.kind {
        ColumnKind::Text { .. } => {
            let letter = (b'a' + ((place - 1) % 26) as u8) as char;
            Cell::Text(letter.to_string().into())
        }
        ColumnKind::Integer => Cell::Integer(10),
    }
}

#[component]
fn Field(
    lab: &'static str,
    column: &'static Column,
    id: String,
    row: usize,
    cell: Memo<Option<Cell>>,
    store: Callback<Cell>,
) -> impl IntoView {
    let page = page();
    let problem = RwSignal::new(None::<SettingsProblem>);
    let input = NodeRef::<leptos::html::Input>::new();
    let written = move || match cell.get() {
        Some(Cell::Text(text)) => text.to_string(),
        Some(Cell::Integer(number)) => number.to_string(),
        None => String::new(),
    };
    // A value that changes elsewhere replaces what was typed, and its problem.
    Effect::new(move |_| {
        let written = written();
        problem.set(None);
        if let Some(input) = input.get()
            && input.value() != written
        {
            input.set_value(&written);
        }
    });
    let check = move |event| match column.kind.parse(&event_target_value(&event)) {
        Ok(_) => problem.set(None),
        Err(found) => problem.set(Some(found)),
    };
    let keep = move |event| {
        if let Ok(typed) = column.kind.parse(&event_target_value(&event))
            && cell.get_untracked().as_ref() != Some(&typed)
        {
            store.run(typed);
        }
    };
    let name = format!("{lab}.column.{}", column.id);
    let label = move || format!("{} {}", page.text(&name), row + 1);
    let error_id = format!("{id}-error");
    let described = {
        let error_id = error_id.clone();
        move || problem.get().map(|_| error_id.clone())
    };
    let number = column.kind == ColumnKind::Integer;
    view! {
        <td class:number=number>
            <input
                id=id
                type="text"
                inputmode=number.then_some("numeric")
                autocomplete="off"
                spellcheck="false"
                aria-label=label
                aria-invalid=move || problem.get().map(|_| "true")
                aria-describedby=described
                node_ref=input
                on:input=check
                on:change=keep
            />
            {move || {
                problem
                    .get()
                    .map(|problem| {
                        view! {
                            <p class="field-problem" id=error_id.clone() role="alert">
                                {page.say(&problem.label())}
                            </p>
                        }
                    })
            }}
        </td>
    }
}
