//! The state as a person sees it: figures, tables, and the step that comes next.
//!
//! Business event, send attempt and delivery are three different things, and each has a number of its
//! own: the order, in the database; how often its message was sent, at the provider; how often it was
//! delivered, and how many mails came of it, at the receiver.

use super::settings::{Inbox, Outbox, Provider};
use super::state::{
    DISPATCHERS, DispatcherId, Holder, Life, ORDERS, OrderId, Row, State, Status, Told,
};
use super::text;
use super::view::{
    self, DATABASE, PROVIDER, RECEIVER, SERVICE, amount, lane_of, number, order_name, place,
};
use crate::lab::{Entry, Figure, NextStep, Picture, Table};
use crate::machine::{Durability, Label};

impl Outbox {
    pub(super) fn draw(&self, state: &State) -> Picture {
        let next = |order: OrderId| {
            let step = self.next_step(state.task(order)?)?;
            Some(NextStep {
                lane: SERVICE,
                step: step as u8,
            })
        };
        // What lasts stands above what a crash erases.
        let mut tables = vec![
            self.receiver_table(state),
            self.provider_table(state),
            self.database_table(state),
            self.service_table(state),
        ];
        let is_started = |id: &DispatcherId| state.dispatcher(*id).life != Life::NotStarted;
        let started = DISPATCHERS.into_iter().filter(is_started);
        tables.extend(started.map(|id| dispatcher_table(state, id)));
        Picture {
            truth: self.truth(state),
            belief: self.records_belief(state),
            reason: self.reason(state),
            tables,
            next_steps: ORDERS.into_iter().filter_map(next).collect(),
        }
    }

    fn all_orders(&self) -> impl Iterator<Item = OrderId> {
        ORDERS.into_iter().filter(|order| self.has_order(*order))
    }

    /// The mails that customers really got.
    fn truth(&self, state: &State) -> Figure {
        let mails = state.effects.iter().map(|effects| effects.mails).sum();
        let orders = state.database.orders.iter().sum();
        Figure {
            value: text::NUMBER.with([number(mails)]),
            detail: text::TRUTH_DETAIL.with([number(orders)]),
        }
    }

    /// What the records say, which is what anybody will know tomorrow.
    fn records_belief(&self, state: &State) -> Figure {
        let said = |wanted: Status| {
            let is_said = |order: &OrderId| self.recorded(state, *order) == Some(wanted);
            self.all_orders().filter(is_said).count() as u8
        };
        let accepted = state.told.iter().filter(|told| **told == Told::Accepted);
        Figure {
            value: match said(Status::Unknown) {
                0 => text::NUMBER.with([number(said(Status::Sent))]),
                _ => text::BELIEF_UNKNOWN.label(),
            },
            detail: match self.has_order(1) {
                false => text::BELIEF_DETAIL.with([told(state.told(0)).into()]),
                true => text::BELIEF_DETAIL_TWO.with([number(accepted.count() as u8)]),
            },
        }
    }

    fn receiver_table(&self, state: &State) -> Table {
        let mut entries = Vec::new();
        for order in self.all_orders() {
            let effects = state.effects(order);
            entries.push(entry(
                text::ENTRY_MAILS.with([place(order)]),
                amount(effects.mails),
            ));
            if self.provider == Provider::Broker {
                entries.push(entry(
                    text::ENTRY_DELIVERIES.with([place(order)]),
                    amount(effects.deliveries),
                ));
                if matches!(self.inbox, Inbox::Table | Inbox::Memory) {
                    entries.push(entry(
                        text::ENTRY_INBOX.with([place(order)]),
                        ids(order, effects.ids),
                    ));
                }
            }
        }
        let durability = match (self.provider, self.inbox) {
            (Provider::Broker, Inbox::Memory) => Durability::Volatile,
            (Provider::Broker, _) => Durability::Durable,
            _ => Durability::Outside,
        };
        Table {
            gone: !state.receiver.is_up && durability == Durability::Volatile,
            ..Table::new(RECEIVER, durability, entries)
        }
    }

    fn provider_table(&self, state: &State) -> Table {
        let mut entries = Vec::new();
        for order in self.all_orders() {
            let effects = state.effects(order);
            entries.push(entry(
                text::ENTRY_ATTEMPTS.with([place(order)]),
                amount(effects.attempts),
            ));
            if matches!(self.provider, Provider::Recognises | Provider::LookUp) {
                entries.push(entry(
                    text::ENTRY_KNOWN.with([place(order)]),
                    ids(order, effects.ids),
                ));
            }
        }
        if self.provider == Provider::Broker {
            let queued = state.queue.len() as u8;
            entries.push(entry(text::ENTRY_QUEUE.label(), amount(queued)));
        }
        Table::new(PROVIDER, Durability::Outside, entries)
    }

    fn database_table(&self, state: &State) -> Table {
        let mut entries = Vec::new();
        for order in self.all_orders() {
            let written = match state.database.orders[usize::from(order)] {
                0 => text::NOTHING.label(),
                1 => text::VALUE_PLACED.label(),
                rows => text::VALUE_PLACED_TIMES.with([number(rows)]),
            };
            entries.push(entry(view::order_label(order), written));
            entries.push(entry(
                text::ENTRY_ROW.with([place(order)]),
                self.row_label(state, order),
            ));
        }
        if self.polling.is_cursor() {
            entries.push(entry(
                text::ENTRY_CURSOR.label(),
                amount(state.database.cursor),
            ));
        }
        Table::new(DATABASE, Durability::Durable, entries)
    }

    fn row_label(&self, state: &State, order: OrderId) -> Label {
        let of = state.entry(order);
        let Some(said) = self.recorded(state, order) else {
            return match of.row {
                Row::CleanedUp => text::VALUE_DELETED.label(),
                Row::Absent | Row::There(_) => text::NOTHING.label(),
            };
        };
        let said = view::status(said);
        match (of.claim, of.row) {
            (Holder::Held(id), _) => text::VALUE_HELD.with([said.into(), number(id + 1)]),
            (Holder::Lapsed(id), _) => text::VALUE_LAPSED.with([said.into(), number(id + 1)]),
            (Holder::Nobody, Row::There(id)) if self.polling.is_cursor() => {
                text::VALUE_NUMBERED.with([number(id), said.into()])
            }
            (Holder::Nobody, Row::There(_)) => said.label(),
            (Holder::Nobody, Row::Absent) => text::VALUE_NO_ROW.with([said.into()]),
            (Holder::Nobody, Row::CleanedUp) => text::VALUE_DELETED.label(),
        }
    }

    fn service_table(&self, state: &State) -> Table {
        let nothing = || text::NOTHING.label();
        let mut entries = Vec::new();
        for order in self.all_orders() {
            let task = state.task(order);
            let next = task.and_then(|task| self.next_step(task));
            entries.push(entry(
                text::ENTRY_DOES.with([order_name(order)]),
                next.map_or_else(nothing, |step| view::step(step).label()),
            ));
            let staged = task.map(|task| (task.staged_order, task.staged_row.is_some()));
            entries.push(entry(
                text::ENTRY_TRANSACTION.with([order_name(order)]),
                match staged {
                    Some((true, true)) => {
                        text::VALUE_BOTH.with([order_name(order), view::message_name(order)])
                    }
                    Some((true, false)) => view::order_label(order),
                    Some((false, true)) => text::MESSAGE.with([place(order)]),
                    Some((false, false)) | None => nothing(),
                },
            ));
        }
        Table {
            gone: !state.service.is_up,
            ..Table::new(SERVICE, Durability::Volatile, entries)
        }
    }
}

fn dispatcher_table(state: &State, id: DispatcherId) -> Table {
    let does = state
        .job(id)
        .map_or_else(|| text::NOTHING.label(), view::stage);
    Table {
        gone: state.dispatcher(id).life == Life::Down,
        ..Table::new(
            lane_of(id),
            Durability::Volatile,
            vec![entry(text::ENTRY_JOB.label(), does)],
        )
    }
}

/// The message ids that are remembered of an order.
fn ids(order: OrderId, bits: u8) -> Label {
    match bits {
        0 => text::NOTHING.label(),
        1 => text::MESSAGE.with([place(order)]),
        _ => text::VALUE_IDS.with([number(bits.count_ones() as u8)]),
    }
}

fn told(told: Told) -> Label {
    let words = match told {
        Told::NotAsked => text::NOTHING,
        Told::Nothing => text::TOLD_NOTHING,
        Told::Accepted => text::TOLD_ACCEPTED,
        Told::Rejected => text::TOLD_REJECTED,
    };
    words.label()
}

fn entry(name: Label, value: Label) -> Entry {
    Entry { name, value }
}
