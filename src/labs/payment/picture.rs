//! The state as a person sees it: figures, tables, and the step that comes next.

use super::books::{Neighbour, Record};
use super::plan::{Outcome, Plan, Task};
use super::settings::{Cancel, Orders, Payment, Snapshots, Statuses};
use super::state::{ActorId, Event, GIVEN_BACK, KEYS_MAX, Life, Operation, PRICE, State, Status};
use super::text;
use super::view::{
    CUSTOMER, GATEWAY, JOURNAL, answer, event, lane_of, number, receipt, status, step, told,
};
use crate::lab::{Entry, Figure, NextStep, Picture, Table};
use crate::machine::{Arg, Durability, Label, Text};

/// How many lines the journal has at least, so that what stands below it seldom moves.
const EVENT_LINES: usize = 3;

impl Payment {
    pub(super) fn draw(&self, state: &State) -> Picture {
        let next = |id: ActorId| {
            let task = state
                .actor(id)
                .task()
                .filter(|task| task.plan == Plan::Handler)?;
            Some(NextStep {
                lane: lane_of(id),
                step: self.next_step(&task)? as u8,
            })
        };
        // What lasts stands above what a crash erases.
        let mut tables = vec![
            self.customer_table(state),
            self.gateway_table(state),
            self.journal_table(state),
        ];
        tables.extend(state.actors().map(|id| self.actor_table(state, id)));
        Picture {
            truth: truth(state),
            belief: self.records_belief(state),
            reason: self.reason(state),
            tables,
            next_steps: state.actors().filter_map(next).collect(),
        }
    }

    /// What the records say, which is what anybody will know tomorrow.
    fn records_belief(&self, state: &State) -> Figure {
        let records = self.recovered(state);
        let given_back = match records.refund() {
            Status::Completed(_) => GIVEN_BACK,
            _ => 0,
        };
        let value = match records.charge() {
            Status::Completed(_) => text::NUMBER.with([Arg::Number(PRICE - given_back)]),
            Status::NotRequested | Status::Failed => text::NUMBER.with([Arg::Number(0)]),
            Status::Pending | Status::Unknown => text::BELIEF_UNKNOWN.label(),
        };
        Figure {
            value,
            detail: text::BELIEF_DETAIL.with([told(state.customer.told).into()]),
        }
    }

    fn status_label(&self, of: Status) -> Label {
        match (self.status, of) {
            (Statuses::Bool, Status::Completed(_)) => text::VALUE_BOOL_PAID.label(),
            (Statuses::Bool, _) => text::VALUE_BOOL_NOT_PAID.label(),
            (Statuses::Five, of) => status(of),
        }
    }

    fn customer_table(&self, state: &State) -> Table {
        let copies: u8 = state.customer.pays.iter().sum();
        let entries = vec![
            entry(text::ENTRY_TOLD, told(state.customer.told)),
            entry(text::ENTRY_COPIES, amount(copies)),
        ];
        Table::new(CUSTOMER, Durability::Outside, entries)
    }

    fn gateway_table(&self, state: &State) -> Table {
        let books = &state.gateway;
        let mut entries = vec![entry(text::ENTRY_CHARGES, amount(books.charges))];
        if self.cancel != Cancel::Never {
            entries.push(entry(text::ENTRY_REFUNDS, amount(books.refunds)));
        }
        if self.orders == Orders::Two {
            let words = match books.neighbour {
                Neighbour::NotSent => text::NEIGHBOUR_NOT_SENT,
                Neighbour::Charged => text::NEIGHBOUR_CHARGED,
                Neighbour::ToldPaid => text::NEIGHBOUR_TOLD_PAID,
                Neighbour::ToldFailed => text::NEIGHBOUR_TOLD_FAILED,
            };
            entries.push(entry(text::ENTRY_NEIGHBOUR, words.label()));
        }
        if self.gateway.takes_keys() {
            // The first key always has its line; further ones come as they are made.
            let made = usize::from(state.keys_made).clamp(1, KEYS_MAX);
            for (place, kept) in (1..).zip(books.charge_records().take(made)) {
                entries.push(Entry {
                    name: text::ENTRY_KEY.with([number(place)]),
                    value: self.record_label(kept, books.is_expired(Operation::Charge)),
                });
            }
        }
        Table::new(GATEWAY, Durability::Outside, entries)
    }

    fn record_label(&self, record: Record, is_expired: bool) -> Label {
        match record {
            Record::Free if is_expired => text::VALUE_EXPIRED.label(),
            Record::Free => text::NOTHING.label(),
            Record::Processing => text::VALUE_PROCESSING.label(),
            Record::Answered(given) => answer(Operation::Charge, given),
            Record::OfNeighbour(given) => {
                text::VALUE_OF_NEIGHBOUR.with([answer(Operation::Charge, given).into()])
            }
        }
    }

    fn journal_table(&self, state: &State) -> Table {
        let lines = usize::from(state.journal.len()).max(EVENT_LINES);
        let events = state
            .journal
            .iter()
            .map(Some)
            .chain(std::iter::repeat(None));
        let line = |(place, kept): (u8, Option<Event>)| Entry {
            name: text::ENTRY_EVENT.with([number(place)]),
            value: kept.map_or_else(|| text::NOTHING.label(), event),
        };
        let mut entries: Vec<_> = (1..).zip(events.take(lines)).map(line).collect();
        if self.snapshots != Snapshots::None {
            let held = state
                .snapshot()
                .map(|kept| text::VALUE_SNAPSHOT.with([number(kept.seen)]));
            let value = held.unwrap_or_else(|| text::NOTHING.label());
            entries.push(entry(text::ENTRY_SNAPSHOT, value));
        }
        Table::new(JOURNAL, Durability::Durable, entries)
    }

    fn actor_table(&self, state: &State, id: ActorId) -> Table {
        let actor = state.actor(id);
        let nothing = || text::NOTHING.label();
        let does = |task: Task| {
            let words = self
                .next_step(&task)
                .map_or(text::NOTHING, |work| step(&task, work));
            match task.waiting {
                true => text::VALUE_WAITS.with([words.into()]),
                false => words.label(),
            }
        };
        let memory = self.view(state, id);
        let mut entries = vec![
            entry(text::ENTRY_STATUS, self.status_label(memory.charge())),
            entry(text::ENTRY_DOES, actor.task().map_or_else(nothing, does)),
            entry(
                text::ENTRY_RESULT,
                actor.task().as_ref().map_or_else(nothing, result),
            ),
        ];
        if self.cancel != Cancel::Never {
            entries.insert(1, entry(text::ENTRY_REFUND, status(memory.refund())));
        }
        if self.is_staged(Operation::Charge) {
            entries.push(entry(
                text::ENTRY_STAGED,
                actor.staged().map_or_else(nothing, event),
            ));
        }
        Table {
            gone: matches!(actor.life, Life::Down | Life::Recovering),
            ..Table::new(lane_of(id), Durability::Volatile, entries)
        }
    }
}

/// What the customer has really paid.
fn truth(state: &State) -> Figure {
    let books = &state.gateway;
    let paid = i64::from(books.charges) * PRICE - i64::from(books.refunds) * GIVEN_BACK;
    Figure {
        value: text::NUMBER.with([Arg::Number(paid)]),
        detail: match books.refunds {
            0 => text::TRUTH_CHARGES.with([number(books.charges)]),
            refunds => text::TRUTH_CHARGES_REFUNDS.with([number(books.charges), number(refunds)]),
        },
    }
}

fn entry(name: Text, value: Label) -> Entry {
    Entry {
        name: name.label(),
        value,
    }
}

fn amount(value: u8) -> Label {
    text::NUMBER.with([number(value)])
}

fn result(task: &Task) -> Label {
    match task.result {
        None => text::NOTHING.label(),
        Some(Outcome::Done(id)) => text::RESULT_DONE.with([receipt(id)]),
        Some(Outcome::Failed) => text::RESULT_FAILED.label(),
        Some(Outcome::Unknown) => text::RESULT_UNKNOWN.label(),
    }
}
