//! What each step of the receiver does.

use super::memory::Found;
use super::settings::{Delivery, Guarantee, Judge, Meaning, Memory, Order, Step};
use super::state::{EFFECTS_MAX, Effects, Flight, Hop, Intent, Life, Message, State, Task};
use super::text;
use super::view::{self, RECEIVER, STORE};
use crate::machine::{Label, Mark, Observer};

impl Delivery {
    /// Whether the receiver can take a message.
    pub(super) fn is_receiver_free(&self, state: &State) -> bool {
        state.receiver.life == Life::Up && state.receiver.task.is_none()
    }

    /// A message arrives.
    pub(super) fn take(&self, state: &mut State, message: Message) {
        state.receiver.task = Some(Task {
            message,
            next: 0,
            is_known: false,
        });
        self.settle_in(state);
    }

    /// The step that comes next.
    pub(super) fn next_step(&self, task: &Task) -> Option<Step> {
        self.handler.get(usize::from(task.next)).copied()
    }

    /// Passes over the steps that have nothing to do, and ends the task after the last.
    fn settle_in(&self, state: &mut State) {
        while let Some(task) = state.receiver.task {
            let Some(step) = self.next_step(&task) else {
                state.receiver.task = None;
                return;
            };
            let is_due = step == Step::Ack || !task.is_known;
            if is_due && self.has_work(state, step) {
                return;
            }
            go_on(state);
        }
    }

    fn has_work(&self, state: &State, step: Step) -> bool {
        match step {
            Step::LookUp => self.memory != Memory::None || self.order == Order::InSequence,
            Step::Apply => true,
            Step::Remember => self.memory != Memory::None,
            Step::Persist => !state.receiver.unsaved.is_empty() || state.receiver.staged != 0,
            // Who sends only once does not listen.
            Step::Ack => self.guarantee == Guarantee::AtLeastOnce,
        }
    }

    /// The receiver takes its next step.
    pub(super) fn work(&self, state: &mut State, observer: &mut impl Observer) {
        let Some(task) = state.receiver.task else {
            return;
        };
        let message = &task.message;
        go_on(state);
        match self.next_step(&task) {
            Some(Step::LookUp) => self.look_up(state, message, observer),
            Some(Step::Apply) => self.apply(state, message.intent, observer),
            Some(Step::Remember) => {
                self.remember(state, message.id);
                self.show_memory(message, observer);
            }
            Some(Step::Persist) => {
                view::write(observer, RECEIVER, STORE, || self.persisted(state));
                self.write(state);
            }
            Some(Step::Ack) => {
                let flight = Flight {
                    message: *message,
                    hop: Hop::Back,
                };
                observer.see(|| self.sent(&flight));
                state.add_flight(flight);
            }
            None => {}
        }
        self.settle_in(state);
    }

    /// What is known is only acknowledged. What comes before its turn is put away without a word:
    /// it will come again.
    fn look_up(&self, state: &mut State, message: &Message, observer: &mut impl Observer) {
        let found = self.find(state, message.id);
        let is_known = found == Found::Known;
        let is_early =
            self.order == Order::InSequence && !is_known && message.place() > self.expected(state);
        let (mark, words) = match found {
            _ if is_early => (Mark::Refused, text::EFFECT_EARLY),
            Found::Known if self.judge == Judge::BloomOnly => {
                (Mark::Refused, text::EFFECT_PERHAPS_KNOWN)
            }
            Found::Known => (Mark::Refused, text::EFFECT_KNOWN),
            Found::NewAfterAll => (Mark::Note, text::EFFECT_NEW_AFTER_ALL),
            Found::New => (Mark::Note, text::EFFECT_NEW),
        };
        observer.see(|| view::marked(RECEIVER, mark, words.with([self.id(message.id)])));
        if is_known {
            self.refresh(state, message.id);
        }
        let task = state.receiver.task.filter(|_| !is_early);
        state.receiver.task = task.map(|task| Task { is_known, ..task });
    }

    /// The number that comes next where numbers must come without a gap.
    fn expected(&self, state: &State) -> u8 {
        let effects = state.effects();
        1 + effects.times.iter().filter(|times| **times > 0).count() as u8
    }

    /// The effect, in the receiver's memory.
    fn apply(&self, state: &mut State, intent: Intent, observer: &mut impl Observer) {
        let before = state.effects();
        let is_older = self.meaning == Meaning::State && before.current > intent;
        if is_older && self.order == Order::Newest {
            return observer.see(|| {
                let label = text::EFFECT_OLDER.with([view::intent(intent)]);
                view::marked(RECEIVER, Mark::Refused, label)
            });
        }
        let unsaved = &mut state.receiver.unsaved;
        match self.meaning {
            Meaning::Effect => {
                let times = unsaved.times_mut(intent);
                *times = (*times + 1).min(EFFECTS_MAX);
            }
            // The same state once more changes nothing.
            Meaning::State => {
                *unsaved.times_mut(intent) =
                    u8::from(before.times(intent) == 0).max(unsaved.times(intent));
                unsaved.current = intent;
            }
        }
        let is_again = self.meaning == Meaning::Effect && before.times(intent) > 0;
        let mark = match is_again || is_older {
            true => Mark::Harm,
            false => Mark::Applied,
        };
        observer.see(|| view::marked(RECEIVER, mark, applied(intent, self.meaning)));
    }

    /// Where the id now stands.
    fn show_memory(&self, message: &Message, observer: &mut impl Observer) {
        let label = || text::EFFECT_REMEMBERED.with([self.id(message.id)]);
        let mark = match self.memory {
            Memory::OwnWrite => return view::write(observer, RECEIVER, STORE, label),
            Memory::WithEffect => Mark::Staged,
            Memory::Volatile | Memory::None => Mark::Volatile,
        };
        observer.see(|| view::marked(RECEIVER, mark, label()));
    }

    /// What is only in memory is gone, and with it the message that was in hand.
    pub(super) fn crash_receiver(&self, state: &mut State) {
        let receiver = &mut state.receiver;
        receiver.life = Life::Down;
        receiver.task = None;
        receiver.unsaved = Effects::default();
        receiver.staged = 0;
        if self.memory == Memory::Volatile {
            state.known = Default::default();
        }
    }
}

/// To the next step.
fn go_on(state: &mut State) {
    if let Some(task) = &mut state.receiver.task {
        task.next += 1;
    }
}

fn applied(intent: Intent, meaning: Meaning) -> Label {
    let words = match meaning {
        Meaning::Effect => text::EFFECT_APPLIED,
        Meaning::State => text::EFFECT_SET,
    };
    words.with([view::intent(intent)])
}
