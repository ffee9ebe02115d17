//! Receiving: a consumer that registers an event in its inbox and changes a business row, in one
//! transaction of a real database.
//!
//! A broker delivers at least once: after a crash, a visibility time-out or a lost ack the same event
//! comes again, perhaps to another consumer while the first is still at work. The lab asks what makes
//! the second delivery harmless: a receipt under the event's key, committed together with the change;
//! a unique key that decides who was first; a consumer that knows what each error of the database
//! means, and acks only after the commit. Every one of them can be left out.
//!
//! # The world
//!
//! One or two consumers handle the copies of up to three events: the first event, perhaps a second
//! one, and perhaps one that comes with the id of the first and other content. A consumer works
//! through an editable list of steps; a crash can come between any two. The [`database`] is
//! PostgreSQL at READ COMMITTED, with its locks, waits, poisoned transactions and deadlocks. A
//! business event, an attempt to send it and a delivery of it are three things, and are counted
//! apart. `docs/inbox.md` has all rules in words.
//!
//! What is left out, so that the world stays small enough to be searched whole: a message is not lost
//! on its way to the broker; the second copy and the event with other content are sent once; the
//! answer of the third party is not lost; and a new version of the handler is deployed while no
//! consumer is at work.
//!
//! # Order of the actions
//!
//! 1. `step a`, `step b`: a consumer takes its next step.
//! 2. `thread a`, `thread b`: its other thread does. `victim a`, `victim b`: the database ends a
//!    deadlock.
//! 3. `restart a`, `restart b`.
//! 4. `deliver N a`, `deliver N b`: the oldest message that is ready arrives.
//! 5. `visibility-ends N`, `lease-ends K` where nobody is at work any more; `deploy`.
//! 6. Faults: younger messages that overtake, `visibility-ends N` and `lease-ends K` of somebody who
//!    is at work, then in the order of [`Action`].

mod consumer;
pub mod database;
mod identity;
mod judge;
mod picture;
mod possible;
mod presets;
mod reactions;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use settings::Inbox;
pub use state::{ConsumerId, MessageId, State};

use crate::lab::{Lab, Law, Picture};
use crate::machine::{
    Effect, Fault, Label, Lane, Machine, Observer, Preset, Setting, Settings, Text, Verdict,
};
use database::{Database, Key, Status};
use possible::{COPY, OTHER, keys};
use settings::Receipt;
use state::{Consumer, Life, Message, Stage, event_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Step(ConsumerId),
    Thread(ConsumerId),
    Victim(ConsumerId),
    Restart(ConsumerId),
    /// A fault where an older message is ready.
    Deliver {
        message: MessageId,
        consumer: ConsumerId,
    },
    /// A fault where a consumer is at work on it.
    VisibilityEnds(MessageId),
    /// A fault where a consumer is at work under it.
    LeaseEnds(Key),
    Deploy,
    // From here on, faults.
    SendAgain {
        is_reencoded: bool,
    },
    SendOther,
    LoseAck(ConsumerId),
    FailCommit {
        consumer: ConsumerId,
        how: CommitFault,
    },
    Crash(ConsumerId),
    ExpireReceipts,
}

/// How a commit fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommitFault {
    /// It is rolled back, and says so.
    Failed,
    /// It is done, and the connection breaks before the answer.
    UnknownDone,
    /// It is rolled back, and the connection breaks before the answer.
    UnknownLost,
}

impl Machine for Inbox {
    type State = State;
    type Action = Action;

    fn initial(&self) -> State {
        let up = Consumer {
            life: Life::Up,
            ..Consumer::default()
        };
        let second = if self.has_second_consumer() {
            up
        } else {
            Consumer::default()
        };
        let mut state = State {
            messages: Default::default(),
            consumers: [up, second],
            database: Database::new(self.receipt != Receipt::Select),
            calls: Default::default(),
            told: Default::default(),
            version: 0,
        };
        for (id, message) in (0..).zip(&mut state.messages) {
            if self.is_sent_first(id) {
                message.stage = Stage::Ready;
            }
        }
        state
    }

    fn protocol_steps(&self, state: &State, out: &mut Vec<Action>) {
        self.possible_steps(state, out);
    }

    fn faults(&self, state: &State, out: &mut Vec<Action>) {
        self.possible_faults(state, out);
    }

    fn fault(&self, state: &State, action: Action) -> Option<Fault> {
        match action {
            Action::Step(_)
            | Action::Thread(_)
            | Action::Victim(_)
            | Action::Restart(_)
            | Action::Deploy => None,
            Action::Deliver { message, .. } => {
                let mut older = state.messages().filter(|(id, _)| *id < message);
                older
                    .any(|(_, message)| message.stage == Stage::Ready)
                    .then_some(Fault::Reorder)
            }
            Action::VisibilityEnds(message) => state.holder(message).map(|_| Fault::TimeOut),
            Action::LeaseEnds(key) => self.lessee(state, key).map(|_| Fault::LeaseExpired),
            Action::SendAgain { .. } => Some(Fault::Duplicate),
            Action::SendOther => Some(Fault::OtherContent),
            Action::LoseAck(_) => Some(Fault::LoseReply),
            Action::FailCommit { .. } => Some(Fault::WriteFailed),
            Action::Crash(_) => Some(Fault::Crash),
            Action::ExpireReceipts => Some(Fault::KeyExpired),
        }
    }

    fn step(&self, state: &mut State, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Step(id) => self.work(state, id, observer),
            Action::Thread(id) => self.work_in_thread(state, id, observer),
            Action::Victim(id) => self.be_victim(state, id, observer),
            Action::Restart(id) => {
                state.consumer_mut(id).life = Life::Up;
                observer.see(|| Effect::Up {
                    lane: view::lane_of(id),
                });
            }
            Action::Deliver { message, consumer } => {
                let delivered = state.message_mut(message);
                delivered.stage = Stage::Hidden(consumer);
                delivered.deliveries = (delivered.deliveries + 1).min(state::DELIVERIES_MAX);
                observer.see(|| view::delivered(consumer, event_of(message)));
                self.begin(state, consumer, message);
            }
            Action::VisibilityEnds(message) => {
                state.message_mut(message).stage = Stage::Ready;
                observer.see(|| view::visible_again(event_of(message)));
                self.bury(state, message, observer);
            }
            Action::LeaseEnds(key) => end_lease(&mut state.database, key, observer),
            Action::Deploy => {
                state.version += 1;
                observer.see(view::deployed);
            }
            Action::SendAgain { is_reencoded } => {
                state.messages[usize::from(COPY)] = Message {
                    stage: Stage::Ready,
                    deliveries: 0,
                    is_reencoded,
                };
                observer.see(|| view::sent_again(is_reencoded));
            }
            Action::SendOther => {
                state.message_mut(OTHER).stage = Stage::Ready;
                observer.see(view::sent_other);
            }
            Action::LoseAck(id) => {
                self.ack(state, id, true, observer);
                self.settle(state, id);
            }
            Action::FailCommit { consumer, how } => {
                self.fail_commit(state, consumer, how, observer);
            }
            Action::Crash(id) => {
                self.crash(state, id);
                observer.see(|| Effect::Down {
                    lane: view::lane_of(id),
                });
            }
            Action::ExpireReceipts => {
                for key in keys() {
                    if self.can_expire(state, key) {
                        state.database.receipts[usize::from(key)] = Default::default();
                    }
                }
                observer.see(view::receipts_deleted);
            }
        }
    }

    fn verdict(&self, state: &State) -> Verdict {
        self.judge(state)
    }
}

fn end_lease(database: &mut Database, key: Key, observer: &mut impl Observer) {
    let receipt = &mut database.receipts[usize::from(key)].committed;
    if let Some(Status::InProgress { lease_is_over, .. }) =
        receipt.as_mut().map(|receipt| &mut receipt.status)
    {
        *lease_is_over = true;
    }
    observer.see(view::lease_over);
}

impl Lab for Inbox {
    const ID: &'static str = "inbox";
    const SCHEMA: &'static [Setting] = settings::SCHEMA;
    const FAULTS: &'static [Fault] = &[
        Fault::Crash,
        Fault::Duplicate,
        Fault::OtherContent,
        Fault::LoseReply,
        Fault::TimeOut,
        Fault::WriteFailed,
        Fault::Reorder,
        Fault::LeaseExpired,
        Fault::KeyExpired,
    ];
    const TEXTS: &'static [Text] = text::ALL;
    const ACTIONS: &'static [&'static str] = &[
        "step <consumer>",
        "thread <consumer>",
        "victim <consumer>",
        "restart <consumer>",
        "deliver <message> <consumer>",
        "visibility-ends <message>",
        "lease-ends <key>",
        "deploy",
        "send-again",
        "send-again-reencoded",
        "send-other",
        "lose-ack <consumer>",
        "commit-failed <consumer>",
        "commit-unknown-done <consumer>",
        "commit-unknown-lost <consumer>",
        "crash <consumer>",
        "expire-receipts",
    ];

    fn presets() -> Vec<Preset> {
        presets::all()
    }

    fn new(settings: &Settings) -> Inbox {
        Inbox::from_settings(settings)
    }

    fn lanes(&self) -> Vec<Lane> {
        self.all_lanes()
    }

    fn name(&self, action: Action) -> String {
        let letter = |id: ConsumerId| ["a", "b"][usize::from(id)];
        let of = |verb: &str, id: ConsumerId| format!("{verb} {}", letter(id));
        match action {
            Action::Step(id) => of("step", id),
            Action::Thread(id) => of("thread", id),
            Action::Victim(id) => of("victim", id),
            Action::Restart(id) => of("restart", id),
            Action::Deliver { message, consumer } => {
                format!("deliver {} {}", message + 1, letter(consumer))
            }
            Action::VisibilityEnds(message) => format!("visibility-ends {}", message + 1),
            Action::LeaseEnds(key) => format!("lease-ends {}", key + 1),
            Action::Deploy => "deploy".into(),
            Action::SendAgain { is_reencoded } => match is_reencoded {
                true => "send-again-reencoded".into(),
                false => "send-again".into(),
            },
            Action::SendOther => "send-other".into(),
            Action::LoseAck(id) => of("lose-ack", id),
            Action::FailCommit { consumer, how } => match how {
                CommitFault::Failed => of("commit-failed", consumer),
                CommitFault::UnknownDone => of("commit-unknown-done", consumer),
                CommitFault::UnknownLost => of("commit-unknown-lost", consumer),
            },
            Action::Crash(id) => of("crash", id),
            Action::ExpireReceipts => "expire-receipts".into(),
        }
    }

    fn describe(&self, state: &State, action: Action) -> Label {
        self.action_label(state, action)
    }

    fn picture(&self, state: &State) -> Picture {
        self.draw(state)
    }

    fn laws(&self, state: &State) -> Vec<Law> {
        self.try_laws(state)
    }
}
