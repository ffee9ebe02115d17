//! The state as a person sees it: figures, tables, the step that comes next, and the law.

use super::database::{Applied, Key, Receipt, Row, Status, Transaction};
use super::judge::EVENTS;
use super::possible::{CONSUMERS, keys};
use super::settings::Inbox;
use super::state::{
    ConsumerId, Life, Message, MessageId, POINTS, Plan, Stage, State, Told, event_of, main_conn,
    other_conn,
};
use super::view::{BROKER, DATABASE, THIRD_PARTY, event, lane_of, number, told};
use super::{Action, text};
use crate::lab::{Entry, Figure, Law, NextStep, Picture, Table};
use crate::machine::{Arg, Durability, Label, Machine, Text};

/// How many steps two consumers take at most until both have finished.
const STEPS_MAX: usize = 100;

impl Inbox {
    pub(super) fn draw(&self, state: &State) -> Picture {
        let next = |id: ConsumerId| {
            let task = state.consumer(id).task?;
            let step = self
                .next_step(&task)
                .filter(|_| task.plan == Plan::Handler)?;
            Some(NextStep {
                lane: lane_of(id),
                step: step as u8,
            })
        };
        // What lasts stands above what a crash erases.
        let mut tables = vec![self.database_table(state), self.broker_table(state)];
        if self.change.is_call() {
            tables.push(self.third_party_table(state));
        }
        let is_started = |id: &ConsumerId| state.consumer(*id).life != Life::NotStarted;
        let started = CONSUMERS.into_iter().filter(is_started);
        tables.extend(started.map(|id| self.consumer_table(state, id)));
        Picture {
            truth: self.truth(state),
            belief: self.belief_figure(state),
            reason: self.reason(state),
            tables,
            next_steps: CONSUMERS.into_iter().filter_map(next).collect(),
        }
    }

    /// What has taken effect, for everybody to see.
    fn truth(&self, state: &State) -> Figure {
        let row = state.database.rows[0].committed;
        let effects: u8 = EVENTS.iter().map(|event| self.effects(state, *event)).sum();
        Figure {
            value: match self.change.sets_state() {
                true => state_name(row.state),
                false => points(effects),
            },
            detail: self.of_each(state, |of| {
                text::TIMES.with([event(of).into(), number(self.effects(state, of))])
            }),
        }
    }

    /// What the senders were told.
    fn belief_figure(&self, state: &State) -> Figure {
        let told_done = |event: &u8| state.told[usize::from(*event)] == Told::Done;
        let done = EVENTS.into_iter().filter(told_done).count();
        Figure {
            value: match self.change.sets_state() {
                true => {
                    let newest = EVENTS.into_iter().rfind(told_done);
                    state_name(newest.map_or(0, |event| event + 1))
                }
                false => points(done as u8),
            },
            detail: self.of_each(state, |of| {
                text::TOLD.with([event(of).into(), told(state.told[usize::from(of)]).into()])
            }),
        }
    }

    /// A phrase for each event of the run, in one line.
    fn of_each(&self, state: &State, phrase: impl Fn(u8) -> Label) -> Label {
        let phrases = self.shown_events(state).map(phrase);
        let joined = phrases.reduce(|line, next| text::AND.with([line.into(), next.into()]));
        joined.unwrap_or_else(|| text::NOTHING.label())
    }

    fn database_table(&self, state: &State) -> Table {
        let shown = |key: &Key| {
            let receipts = &state.database.receipts[usize::from(*key)];
            *key == 0 || receipts.committed.is_some()
        };
        let line = |key: Key| {
            let receipts = &state.database.receipts[usize::from(key)];
            Entry {
                name: text::ENTRY_RECEIPT.with([number(key + 1)]),
                value: match receipts.committed {
                    Some(receipt) if receipts.has_twin => {
                        text::VALUE_TWO_RECEIPTS.with([receipt_label(&receipt).into()])
                    }
                    Some(receipt) => receipt_label(&receipt),
                    None => text::NOTHING.label(),
                },
            }
        };
        let mut entries: Vec<_> = keys().filter(shown).map(line).collect();
        let last_row = self
            .events()
            .map(|event| self.row(event))
            .max()
            .unwrap_or(0);
        for (place, versions) in (0..=last_row).zip(&state.database.rows) {
            entries.push(Entry {
                name: text::ENTRY_ROW.with([number(place + 1)]),
                value: self.row_label(versions.committed),
            });
        }
        Table::new(DATABASE, Durability::Durable, entries)
    }

    fn row_label(&self, row: Row) -> Label {
        match self.change.sets_state() {
            true => state_name(row.state),
            false => points(row.contained.iter().sum()),
        }
    }

    /// Business events, attempts to send them, and deliveries: three numbers.
    fn broker_table(&self, state: &State) -> Table {
        let sent = |message: &Message| message.stage != Stage::NotSent;
        let attempts = state
            .messages
            .iter()
            .filter(|message| sent(message))
            .count();
        let deliveries: u8 = state
            .messages
            .iter()
            .map(|message| message.deliveries)
            .sum();
        let events = self.shown_events(state).count();
        let mut entries = vec![
            entry(text::ENTRY_EVENTS, amount(events as u8)),
            entry(text::ENTRY_ATTEMPTS, amount(attempts as u8)),
            entry(text::ENTRY_DELIVERIES, amount(deliveries)),
        ];
        for (id, message) in state.messages().filter(|(_, message)| sent(message)) {
            entries.push(Entry {
                name: text::ENTRY_MESSAGE.with([number(id + 1), event(event_of(id)).into()]),
                value: stage(message.stage),
            });
        }
        Table::new(BROKER, Durability::Durable, entries)
    }

    fn third_party_table(&self, state: &State) -> Table {
        let line = |of: u8| Entry {
            name: text::ENTRY_CALLS.with([event(of).into()]),
            value: amount(state.calls[usize::from(of)]),
        };
        let entries = self.shown_events(state).map(line).collect();
        Table::new(THIRD_PARTY, Durability::Outside, entries)
    }

    fn consumer_table(&self, state: &State, id: ConsumerId) -> Table {
        let consumer = state.consumer(id);
        let nothing = || text::NOTHING.label();
        let handles = consumer.task.map(|task| event(task.event()));
        let does = consumer.task.map(|_| match is_waiting(state, id) {
            true => text::VALUE_WAITS.with([self.step_label(state, id).into()]),
            false => self.step_label(state, id),
        });
        let mut entries = vec![
            entry(text::ENTRY_HANDLES, handles.unwrap_or_else(nothing)),
            entry(text::ENTRY_DOES, does.unwrap_or_else(nothing)),
            entry(text::ENTRY_TRANSACTION, self.transaction_label(state, id)),
            entry(text::ENTRY_STAGED, self.staged_label(state, id)),
        ];
        if self.progress.has_lease() {
            let token = consumer
                .task
                .map(|task| task.token)
                .filter(|token| *token > 0);
            let value = token.map(|token| text::TOKEN.with([number(token)]));
            entries.push(entry(text::ENTRY_TOKEN, value.unwrap_or_else(nothing)));
        }
        Table {
            gone: consumer.life == Life::Down,
            ..Table::new(lane_of(id), Durability::Volatile, entries)
        }
    }

    fn transaction_label(&self, state: &State, id: ConsumerId) -> Label {
        let conns = [main_conn(id), other_conn(id)];
        let states = conns.map(|conn| state.transaction(conn));
        let words = if states.contains(&Transaction::Failed) {
            text::TRANSACTION_FAILED
        } else if states.contains(&Transaction::Open) {
            text::TRANSACTION_OPEN
        } else {
            text::NOTHING
        };
        words.label()
    }

    /// What a consumer has written and nobody else can see.
    fn staged_label(&self, state: &State, id: ConsumerId) -> Label {
        let conns = [main_conn(id), other_conn(id)];
        let receipt = state.database.receipts.iter().any(|receipts| {
            conns
                .iter()
                .any(|conn| receipts.staged[usize::from(*conn)].is_some())
        });
        let row = state.database.rows.iter().any(|versions| {
            versions
                .staged
                .is_some_and(|(writer, _)| conns.contains(&writer))
        });
        match (receipt, row) {
            (true, true) => text::STAGED_BOTH.label(),
            (true, false) => text::STAGED_RECEIPT.label(),
            (false, true) => text::STAGED_ROW.label(),
            (false, false) => text::NOTHING.label(),
        }
    }

    /// f(f(S, e), e) = f(S, e): an event that is handled once more, and yet once more, by a consumer
    /// that nothing disturbs, changes the business no further. Whoever is at work finishes first.
    pub(super) fn try_laws(&self, state: &State) -> Vec<Law> {
        let law = |message: MessageId| {
            let before = self.finished(state)?;
            let once = self.handled(&before, message)?;
            let twice = self.handled(&once, message)?;
            let states = [&before, &once, &twice];
            Some(Law {
                subject: event(event_of(message)),
                chain: states.map(|state| points(self.total(state))).into(),
                holds: Some(self.business(&once) == self.business(&twice)),
            })
        };
        let endless = |message: MessageId| Law {
            subject: event(event_of(message)),
            chain: vec![points(self.total(state))],
            holds: None,
        };
        let is_known = |message: &MessageId| state.message(*message).stage != Stage::NotSent;
        let known = [0, 2].into_iter().filter(is_known);
        known
            .map(|message| law(message).unwrap_or_else(|| endless(message)))
            .collect()
    }

    fn total(&self, state: &State) -> u8 {
        EVENTS.iter().map(|event| self.effects(state, *event)).sum()
    }

    /// All that the business can see.
    fn business(&self, state: &State) -> ([Row; 2], [u8; 3]) {
        (
            state.database.rows.map(|versions| versions.committed),
            state.calls,
        )
    }

    /// The state after the first consumer has handled a message; `None` where that does not end.
    fn handled(&self, state: &State, message: MessageId) -> Option<State> {
        let mut state = *state;
        state.consumer_mut(0).life = Life::Up;
        let delivery = Action::Deliver {
            message,
            consumer: 0,
        };
        self.step(&mut state, delivery, &mut ());
        self.finished(&state)
    }

    /// The state after everybody at work has finished.
    fn finished(&self, state: &State) -> Option<State> {
        let mut state = *state;
        let mut actions = Vec::new();
        for _ in 0..STEPS_MAX {
            actions.clear();
            self.protocol_steps(&state, &mut actions);
            let at_work = actions.iter().find(|action| {
                matches!(
                    action,
                    Action::Step(_) | Action::Thread(_) | Action::Victim(_)
                )
            });
            match at_work {
                Some(action) => self.step(&mut state, *action, &mut ()),
                None => return Some(state),
            }
        }
        None
    }
}

fn is_waiting(state: &State, id: ConsumerId) -> bool {
    [main_conn(id), other_conn(id)]
        .iter()
        .any(|conn| state.is_blocked(*conn))
}

fn receipt_label(receipt: &Receipt) -> Label {
    match (receipt.status, receipt.result) {
        (
            Status::InProgress {
                token,
                lease_is_over,
            },
            _,
        ) => {
            let words = match lease_is_over {
                true => text::RECEIPT_LEASE_OVER,
                false => text::RECEIPT_IN_PROGRESS,
            };
            words.with([number(token)])
        }
        (Status::Done, None) => text::RECEIPT_DONE.label(),
        (Status::Done, Some(Applied::Yes)) => {
            text::RECEIPT_RESULT.with([number(receipt.version + 1)])
        }
        (Status::Done, Some(Applied::Refused)) => text::RECEIPT_REFUSED.label(),
    }
}

fn stage(stage: Stage) -> Label {
    let words = match stage {
        Stage::NotSent => text::NOTHING,
        Stage::Ready => text::STAGE_READY,
        Stage::Hidden(0) => text::STAGE_HIDDEN_A,
        Stage::Hidden(_) => text::STAGE_HIDDEN_B,
        Stage::Acked => text::STAGE_ACKED,
        Stage::DeadLetter => text::STAGE_DEAD_LETTER,
    };
    words.label()
}

fn state_name(state: u8) -> Label {
    let words = match state {
        0 => text::STATE_NONE,
        1 => text::STATE_CREATED,
        2 => text::STATE_UPDATED,
        _ => text::STATE_OTHER,
    };
    words.label()
}

fn points(times: u8) -> Label {
    text::NUMBER.with([Arg::Number(i64::from(times) * POINTS)])
}

fn amount(value: u8) -> Label {
    text::NUMBER.with([number(value)])
}

fn entry(name: Text, value: Label) -> Entry {
    Entry {
        name: name.label(),
        value,
    }
}
