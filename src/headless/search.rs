//! What the explorer finds, as JSON or to read.

use std::io::{self, Write};
use std::time::Instant;

use effectively_once::lab::{AnyRun, WindowMap};
use effectively_once::machine::{Fault, Harm};
use serde_json::{Map, Value as Json, json};

use super::query::Query;
use super::{Stop, say};

/// Between the columns of a table.
const GUTTER: &str = "  ";

/// `explore`: the whole state space of a design.
pub fn explore(args: &[&str], out: &mut impl Write) -> Result<(), Stop> {
    let query = Query::read("explore", args, 2, &[])?;
    let began = Instant::now();
    let mut search = query.lab.explore(&query.settings, query.faults);
    search.advance(usize::MAX);
    let seconds = began.elapsed().as_secs_f64();
    let ends = |harm: Harm| (harm.id().to_owned(), json!(search.ends(harm)));
    let shortest = |harm: Harm| Some((harm.id().to_owned(), json!(search.shortest(harm)?)));
    let lasso = search.lasso();
    let rate = search.states() as f64 / seconds;
    let found = json!({
        "states": search.states(),
        "transitions": search.transitions(),
        "complete": search.complete(),
        "verdicts": Harm::ALL.into_iter().map(ends).collect::<Map<_, _>>(),
        "worst": search.worst().id(),
        "shortest": Harm::ALL.into_iter().filter_map(shortest).collect::<Map<_, _>>(),
        "lasso": lasso.map(|lasso| json!({ "run": lasso.run, "cycle": lasso.cycle })),
        "seconds": seconds,
        "states_per_second": rate.round(),
    });
    write(&query, found, out)
}

/// `map`: the failure-window map of a preset's run, as far as the settings allow it.
pub fn map(args: &[&str], out: &mut impl Write) -> Result<(), Stop> {
    let query = Query::read("map", args, 1, &["--text"])?;
    let mut run = query.lab.start(&query.settings);
    let stopped = query.preset.run.iter().find(|action| !run.act(action));
    let began = Instant::now();
    let mut search = run.map(query.faults);
    search.advance(usize::MAX);
    let seconds = began.elapsed().as_secs_f64();
    let map = search.read();
    if query.has("--text") {
        return Ok(write_table(&*run, &map, out)?);
    }
    let cells = map.cells.iter().map(|cell| {
        json!({
            "gap": cell.gap,
            "fault": cell.fault.id(),
            "label": say(&cell.label),
            "harm": cell.harm.id(),
            "run": cell.run,
        })
    });
    let found = json!({
        "run": (0..run.len()).map(|step| run.name(step)).collect::<Vec<_>>(),
        "not_possible": stopped,
        "gaps": map.gaps,
        "columns": map.faults.iter().map(|fault| fault.id()).collect::<Vec<_>>(),
        "cells": cells.collect::<Vec<_>>(),
        "no_return": map.no_return,
        "complete": map.complete,
        "states": map.states,
        "seconds": seconds,
    });
    write(&query, found, out)
}

/// A row a gap, a column a fault. A cell is empty where the fault is not possible.
fn write_table(run: &dyn AnyRun, map: &WindowMap, out: &mut impl Write) -> io::Result<()> {
    let mut rows = vec![vec!["gap".to_owned(), "after".to_owned()]];
    rows[0].extend(map.faults.iter().map(|fault| fault.id().to_owned()));
    for gap in 0..map.gaps {
        let step = gap
            .checked_sub(1)
            .and_then(|step| run.diagram().rows().get(step));
        let step = step.map_or(String::new(), |row| say(&row.label));
        let cell = |fault: &Fault| {
            let mut cells = map.cells.iter();
            let cell = cells.find(|cell| cell.gap == gap && cell.fault == *fault);
            cell.map_or("", |cell| match cell.harm {
                Harm::Clean => "·",
                harm => harm.id(),
            })
        };
        let mut row = vec![gap.to_string(), step];
        row.extend(map.faults.iter().map(|fault| cell(fault).to_owned()));
        rows.push(row);
    }
    let width = |text: &String| text.chars().count();
    let columns = 0..rows[0].len();
    let widths: Vec<usize> = columns
        .map(|column| {
            rows.iter()
                .map(|row| width(&row[column]))
                .max()
                .unwrap_or(0)
        })
        .collect();
    for row in &rows {
        let cells = row.iter().zip(&widths);
        let cells: Vec<_> = cells
            .map(|(text, width)| format!("{text:width$}"))
            .collect();
        writeln!(out, "{}", cells.join(GUTTER).trim_end())?;
    }
    match (map.no_return, map.complete) {
        (Some(gap), _) => writeln!(out, "point of no return: gap {gap}"),
        (None, true) => writeln!(out, "point of no return: none"),
        (None, false) => writeln!(out, "not complete: there may be worse"),
    }
}

/// What was asked, and what was found.
fn write(query: &Query, found: Json, out: &mut impl Write) -> Result<(), Stop> {
    let mut json = json!({
        "lab": query.lab.id(),
        "preset": query.preset.id,
        "settings": query.settings,
        "faults": query.faults,
    });
    if let (Json::Object(all), Json::Object(found)) = (&mut json, found) {
        all.extend(found);
    }
    Ok(writeln!(out, "{json:#}")?)
}
