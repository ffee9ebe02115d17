//! What a mark of the diagram is and did, in one sentence.

use super::super::page::Page;
use crate::lab::{End, Item};
use crate::machine::{Arg, Lane, LaneId, Mark};

fn number(index: usize) -> Arg {
    Arg::Number(index as i64 + 1)
}

/// What an item of a row is; a row has its place in the run.
pub fn item(page: Page, lanes: &[Lane], row: usize, item: &Item) -> String {
    let lane = |id: LaneId| match lanes.get(usize::from(id)) {
        Some(lane) => Arg::Typed(page.say_now(&lane.name).into()),
        None => number(usize::from(id)),
    };
    match item {
        Item::Sent {
            from,
            to,
            label,
            end,
            ..
        } => {
            let [from, to, words] = [lane(*from), lane(*to), label.clone().into()];
            match end {
                End::Arrived { row: last } if *last == row => {
                    page.fill_now("ui.about.arrived", &[from, to, words, number(row)])
                }
                End::Arrived { row: last } => {
                    let args = [from, to, words, number(row), number(*last)];
                    page.fill_now("ui.about.arrived_later", &args)
                }
                End::Lost { row } => {
                    page.fill_now("ui.about.lost", &[from, to, words, number(*row)])
                }
                End::InFlight => {
                    page.fill_now("ui.about.in_flight", &[from, to, words, number(row)])
                }
            }
        }
        Item::Ended { sent_in, .. } => {
            page.fill_now("ui.about.lost_later", &[number(*sent_in), number(row)])
        }
        Item::Mark {
            lane: id,
            mark,
            label,
        } => {
            let what = Arg::Typed(page.now(kind(*mark)).into());
            let args = [lane(*id), number(row), what];
            match label {
                Some(label) => {
                    let [lane, row, what] = args;
                    page.fill_now(
                        "ui.about.mark_words",
                        &[lane, row, what, label.clone().into()],
                    )
                }
                None => page.fill_now("ui.about.mark", &args),
            }
        }
        Item::Down { lane: id } => page.fill_now("ui.about.crash", &[lane(*id), number(row)]),
        Item::Up { lane: id } => page.fill_now("ui.about.restart", &[lane(*id), number(row)]),
    }
}

/// What ties a copy, sent in this row, to its original.
pub fn tie(page: Page, row: usize, item: &Item) -> Option<String> {
    match item {
        Item::Sent {
            copy_of: Some(first),
            ..
        } => Some(page.fill_now("ui.about.tie", &[number(row), number(*first)])),
        _ => None,
    }
}

/// What a kind of mark means.
pub const fn kind(mark: Mark) -> &'static str {
    match mark {
        Mark::Durable => "ui.legend.durable",
        Mark::Staged => "ui.legend.staged",
        Mark::Volatile => "ui.legend.volatile",
        Mark::Applied => "ui.legend.applied",
        Mark::Harm => "ui.legend.harm",
        Mark::Wait => "ui.legend.wait",
        Mark::Refused => "ui.legend.refused",
        Mark::Note => "ui.legend.note",
    }
}
