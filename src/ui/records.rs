//! What a person types freely: a record a row, each field checked where it stands.
//!
//! A field keeps what was typed even where it is refused; the settings keep the last value that
//! was allowed.

use leptos::prelude::*;

use super::design::One;
use super::element::{all, button, el, flag, nothing, part, words};
use super::icons::{Icon, glyph};
use super::reading::reading;
use crate::machine::{Arg, Cell, Column, ColumnKind, Row, SettingsProblem, Value};

pub fn records(setting: One, columns: &'static [Column], rows_max: usize) -> AnyView {
    let page = setting.page;
    let records = Records { setting, columns };
    // Fields are made anew only when a row comes or goes, so that typing keeps its place.
    let count = Memo::new(move |_| reading(|| records.rows().len()));
    let rows = move || all((0..count.get()).map(|row| records.row(row)));
    let heads = columns.iter().map(|column| {
        let name = page.text(format!("{}.column.{}", setting.lab, column.id));
        el("th", "").set("scope", "col").say(name).into()
    });
    let place = el("th", "place").set("scope", "col").text("#");
    let head = el("tr", "")
        .child(place)
        .children(heads)
        .child(el("td", ""));
    let table = el("table", "records")
        .child(el("thead", "").child(head))
        .child(el("tbody", "").child(part(rows)));
    let add = button("add", move || records.add())
        .flag("disabled", flag(move || count.get() >= rows_max))
        .child(glyph(Icon::Plus))
        .say(page.text("ui.add_row"));
    all([table.into(), add.into()])
}

#[derive(Clone, Copy)]
struct Records {
    setting: One,
    columns: &'static [Column],
}

impl Records {
    fn rows(self) -> Vec<Row> {
        match self.setting.value() {
            Some(Value::Rows(rows)) => rows,
            _ => Vec::new(),
        }
    }

    fn cell(self, row: usize, place: usize) -> Option<Cell> {
        self.rows()
            .get(row)
            .and_then(|cells| cells.get(place))
            .cloned()
    }

    fn change(self, change: impl FnOnce(&mut Vec<Row>)) {
        let mut rows = untrack(|| self.rows());
        change(&mut rows);
        self.setting.set(Value::Rows(rows));
    }

    fn add(self) {
        self.change(|rows| {
            let place = rows.len();
            rows.push(
                self.columns
                    .iter()
                    .map(|column| new_cell(column, place))
                    .collect(),
            );
        });
    }

    fn store(self, row: usize, place: usize, cell: Cell) {
        self.change(|rows| {
            if let Some(old) = rows.get_mut(row).and_then(|cells| cells.get_mut(place)) {
                *old = cell;
            }
        });
    }

    fn row(self, row: usize) -> AnyView {
        let page = self.setting.page;
        let fields = (0..self.columns.len()).map(|place| self.field(row, place));
        let number = Arg::Number(row as i64 + 1);
        let remove = words(move || page.fill_now("ui.remove_row", std::slice::from_ref(&number)));
        let act = move || {
            self.change(|rows| {
                rows.remove(row);
            });
        };
        let remove = button("small", act).name(remove).child(glyph(Icon::Minus));
        let place = el("th", "place")
            .set("scope", "row")
            .text((row + 1).to_string());
        let cells = el("tr", "").child(place).children(fields);
        cells.child(el("td", "").child(remove)).into()
    }

    fn field(self, row: usize, place: usize) -> AnyView {
        let page = self.setting.page;
        let column = &self.columns[place];
        let cell = Memo::new(move |_| reading(|| self.cell(row, place)));
        // What is wrong with what was typed, and the value beside which it was typed: once that
        // changes elsewhere, it replaces what was typed, and the problem is gone.
        let refused = RwSignal::new(None::<(Option<Cell>, SettingsProblem)>);
        let problem = move || {
            let refused = refused.get().filter(|(beside, _)| *beside == cell.get());
            refused.map(|(_, problem)| problem)
        };
        let check = move |typed: String| {
            let problem = column.kind.parse(&typed).err();
            refused.set(problem.map(|problem| (cell.get_untracked(), problem)));
        };
        let keep = move |typed: String| {
            if let Ok(typed) = column.kind.parse(&typed)
                && cell.get_untracked().as_ref() != Some(&typed)
            {
                self.store(row, place, typed);
            }
        };
        let name = format!("{}.column.{}", self.setting.lab, column.id);
        let error_id = format!("problem-{row}-{place}");
        let described = error_id.clone();
        let message = move || match problem() {
            Some(problem) => el("p", "field-problem")
                .set("id", error_id.clone())
                .set("role", "alert")
                .say(page.say(problem.label()))
                .into(),
            None => nothing(),
        };
        let (class, mode) = match column.kind {
            ColumnKind::Integer => ("number", "numeric"),
            ColumnKind::Text { .. } => ("text", "text"),
        };
        let label = words(move || format!("{} {}", page.now(&name), row + 1));
        let is_refused = words(move || problem().is_some().to_string());
        let field = el("input", "")
            .set("id", format!("cell-{row}-{place}"))
            .set("type", "text")
            .set("inputmode", mode)
            .set("autocomplete", "off")
            .set("spellcheck", "false")
            .set("aria-describedby", described)
            .words("aria-label", label)
            .words("aria-invalid", is_refused)
            .prop(
                "value",
                words(move || cell.get().as_ref().map(written).unwrap_or_default()),
            )
            .value("input", check)
            .value("change", keep);
        el("td", class).child(field).child(part(message)).into()
    }
}

fn written(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.to_string(),
        Cell::Integer(number) => number.to_string(),
    }
}

/// A value to begin with: the letter of the row, and ten.
fn new_cell(column: &Column, place: usize) -> Cell {
    match column.kind {
        ColumnKind::Text { .. } => {
            let letter = char::from(b'a' + (place % 26) as u8);
            Cell::Text(letter.to_string().into())
        }
        ColumnKind::Integer => Cell::Integer(10),
    }
}
