//! The state as a person sees it: figures, tables, the step that comes next, and the law tried on it.

use super::settings::{Attempts, Delivery, Filter, Judge, Keep, Meaning, Memory, Retention, Route};
use super::state::{
    Effects, IDS, Id, Intent, Intents, Life, Message, State, Task, number as number_at,
};
use super::text;
use super::view::{self, BROKER, JOURNAL, RECEIVER, RELAY, SENDER, STORE, count, size};
use crate::lab::{Entry, Figure, Law, NextStep, Picture, Table};
use crate::machine::{Arg, Durability, Label, Text};

impl Delivery {
    pub(super) fn draw(&self, state: &State) -> Picture {
        let next = |task: &Task| {
            Some(NextStep {
                lane: RECEIVER,
                step: self.next_step(task)? as u8,
            })
        };
        let task = state.receiver.task.as_ref();
        // What lasts stands above what a crash erases.
        let tables = [
            Some(self.store_table(state)),
            self.journal_table(state),
            self.broker_table(state),
            Some(self.sender_table(state)),
            self.relay_table(state),
            Some(self.receiver_table(state)),
        ];
        Picture {
            truth: self.truth(state),
            belief: self.claims(state),
            reason: self.reason(state),
            tables: tables.into_iter().flatten().collect(),
            next_steps: task.and_then(next).into_iter().collect(),
        }
    }

    /// What took effect at the receiver.
    fn truth(&self, state: &State) -> Figure {
        let effects = state.effects();
        Figure {
            value: self.total(&effects),
            detail: joined(
                text::BESIDE,
                self.intents().map(|intent| times(&effects, intent)),
            ),
        }
    }

    /// The number of effects, or the state that the receiver has.
    fn total(&self, effects: &Effects) -> Label {
        match self.meaning {
            Meaning::Effect => number(effects.times.iter().sum()),
            Meaning::State => state_of(effects.current),
        }
    }

    /// What the sender says of its messages.
    fn claims(&self, state: &State) -> Figure {
        let (done, open) = (state.reported, size(state.sender.unconfirmed));
        Figure {
            value: match self.meaning {
                Meaning::Effect => text::NUMBER.with([size(done)]),
                Meaning::State => state_of(done.iter().last().unwrap_or(0)),
            },
            detail: match self.attempts {
                Attempts::Endless => text::BELIEF_OPEN.with([open]),
                Attempts::Last => text::BELIEF_OPEN_DEAD.with([open, size(state.dead)]),
            },
        }
    }

    fn intents(&self) -> impl Iterator<Item = Intent> {
        1..=self.messages
    }

    fn store_table(&self, state: &State) -> Table {
        let mut entries: Vec<_> = self
            .intents()
            .map(|intent| Entry {
                name: text::MESSAGE.with([count(intent)]),
                value: number(state.store.times(intent)),
            })
            .collect();
        if self.meaning == Meaning::State {
            entries.push(entry(text::ENTRY_STATE, state_of(state.store.current)));
        }
        if matches!(self.memory, Memory::WithEffect | Memory::OwnWrite) {
            entries.extend(self.memory_entries(state));
        }
        Table::new(STORE, Durability::Durable, entries)
    }

    /// What the receiver remembers, and in which form.
    fn memory_entries(&self, state: &State) -> Vec<Entry> {
        let known = (0..IDS as Id).filter(|id| state.known[usize::from(*id)] > 0);
        let ids = known.map(|id| {
            let age = state.known[usize::from(id)] - 1;
            match self.retention {
                Retention::Fixed | Retention::Sliding => {
                    text::ID_AGED.with([self.id(id), count(age)])
                }
                Retention::ForEver | Retention::Covering => text::AS_IT_IS.with([self.id(id)]),
            }
        });
        let bits = || Arg::Typed(format!("{:08b}", self.filter(state)).into());
        let filter = || entry(text::ENTRY_FILTER, text::AS_IT_IS.with([bits()]));
        let table = entry(text::ENTRY_KNOWN, listed(ids));
        match self.judge {
            Judge::Exact => vec![table],
            Judge::BloomFront => vec![table, filter()],
            Judge::BloomOnly => vec![filter()],
        }
    }

    fn journal_table(&self, state: &State) -> Option<Table> {
        let mut entries = Vec::new();
        match self.sender {
            Keep::Persisted => entries.push(entry(text::ENTRY_UNCONFIRMED, named(state.journal))),
            Keep::Epoch => entries.push(entry(text::ENTRY_EPOCH, number(state.sender.epoch + 1))),
            Keep::Volatile => {}
        }
        if self.attempts == Attempts::Last {
            entries.push(entry(text::ENTRY_DEAD, named(state.dead)));
        }
        (!entries.is_empty()).then(|| Table::new(JOURNAL, Durability::Durable, entries))
    }

    fn broker_table(&self, state: &State) -> Option<Table> {
        let seen = (0..IDS as Id).filter(|id| state.published & 1 << id != 0);
        let seen = listed(seen.map(|id| text::AS_IT_IS.with([self.id(id)])));
        (self.filter == Filter::AtPublish).then(|| {
            Table::new(
                BROKER,
                Durability::Durable,
                vec![entry(text::ENTRY_SEEN, seen)],
            )
        })
    }

    fn sender_table(&self, state: &State) -> Table {
        let sender = &state.sender;
        let next = match state.intended < self.messages {
            true => {
                let next = number_at(sender.epoch, state.intended + 1 - sender.forgotten);
                text::AS_IT_IS.with([view::number(next)])
            }
            false => text::NOTHING.label(),
        };
        let entries = vec![
            entry(text::ENTRY_TO_SEND, named(sender.unsent())),
            entry(text::ENTRY_UNCONFIRMED, named(sender.sent)),
            entry(text::ENTRY_NEXT_NUMBER, next),
        ];
        Table {
            gone: sender.life != Life::Up,
            ..Table::new(SENDER, Durability::Volatile, entries)
        }
    }

    fn relay_table(&self, state: &State) -> Option<Table> {
        let held = self.in_relay(state).and_then(|id| state.flight(id));
        let held = held.map_or(text::NOTHING.label(), |flight| self.content(flight));
        (self.route == Route::Relayed).then(|| Table {
            gone: state.relay == Life::Down,
            ..Table::new(
                RELAY,
                Durability::Volatile,
                vec![entry(text::ENTRY_IN_HAND, held)],
            )
        })
    }

    fn receiver_table(&self, state: &State) -> Table {
        let receiver = &state.receiver;
        let nothing = || text::NOTHING.label();
        let step = receiver.task.as_ref().and_then(|task| self.next_step(task));
        let message = |task: Task| text::AS_IT_IS.with([view::intent(task.message.intent)]);
        let unsaved = self
            .intents()
            .filter(|one| receiver.unsaved.times(*one) > 0);
        let mut entries = vec![
            entry(
                text::ENTRY_IN_HAND,
                receiver.task.map_or_else(nothing, message),
            ),
            entry(
                text::ENTRY_DOES,
                step.map_or_else(nothing, |step| view::step(step).label()),
            ),
            entry(
                text::ENTRY_UNSAVED,
                listed(unsaved.map(|intent| times(&receiver.unsaved, intent))),
            ),
        ];
        if self.memory == Memory::Volatile {
            entries.extend(self.memory_entries(state));
        }
        Table {
            gone: receiver.life == Life::Down,
            ..Table::new(RECEIVER, Durability::Volatile, entries)
        }
    }

    /// f(f(S,e),e) = f(S,e) at the receiver, tried with every message that the sender knows of as e.
    /// S is the state after the receiver has finished what it has in hand, since a law about whole
    /// applications says nothing in the middle of one. Where every attempt has an id of its own, the
    /// second e has another one.
    pub(super) fn try_laws(&self, state: &State) -> Vec<Law> {
        let mut settled = *state;
        settled.receiver.life = Life::Up;
        self.finish(&mut settled);
        let law = |intent: Intent| {
            let mut once = settled;
            let mut tried = self.apply_whole(&mut once, intent);
            let mut twice = once;
            tried &= self.apply_whole(&mut twice, intent);
            let chain = [&settled, &once, &twice];
            Law {
                subject: text::MESSAGE.with([count(intent)]),
                chain: chain.map(|state| self.total(&state.effects())).into(),
                holds: tried.then(|| records(&once) == records(&twice)),
            }
        };
        (1 + state.sender.forgotten..=state.intended)
            .map(law)
            .collect()
    }

    /// Brings a message to the receiver and lets it finish. `false` if there is no id for it.
    fn apply_whole(&self, state: &mut State, intent: Intent) -> bool {
        let Some(id) = self.next_id(state, intent) else {
            return false;
        };
        let number = state.sender.number_of(intent);
        self.take(state, Message { intent, number, id });
        self.finish(state);
        true
    }

    fn finish(&self, state: &mut State) {
        while state.receiver.task.is_some() {
            self.work(state, &mut ());
        }
    }
}

/// What the law compares: what took effect, and what is remembered.
fn records(state: &State) -> impl PartialEq {
    (state.effects(), state.known, state.receiver.staged)
}

fn times(effects: &Effects, intent: Intent) -> Label {
    text::TIMES.with([view::intent(intent), count(effects.times(intent))])
}

fn state_of(intent: Intent) -> Label {
    match intent {
        0 => text::NOTHING.label(),
        intent => text::MESSAGE.with([count(intent)]),
    }
}

fn named(intents: Intents) -> Label {
    listed(
        intents
            .iter()
            .map(|intent| text::MESSAGE.with([count(intent)])),
    )
}

fn listed(labels: impl Iterator<Item = Label>) -> Label {
    joined(text::LIST, labels)
}

/// Each label with the one before it, in such a sentence.
fn joined(words: Text, labels: impl Iterator<Item = Label>) -> Label {
    let all = labels.reduce(|all, one| words.with([all.into(), one.into()]));
    all.unwrap_or_else(|| text::NOTHING.label())
}

fn number(value: u8) -> Label {
    text::NUMBER.with([count(value)])
}

fn entry(name: Text, value: Label) -> Entry {
    Entry {
        name: name.label(),
        value,
    }
}
