//! At-least-once delivery: a sender that sends until it hears that the work is done, and a receiver
//! that must recognise what it has seen before.
//!
//! A message can be lost, and so can its acknowledgement: the sender cannot tell which. Sending again
//! is the only remedy, and makes copies. So the effect happens once only if the receiver recognises
//! every copy, by an id that was born with the intent, from a memory that lives as long as the
//! effect and as long as copies can come, and if it acknowledges nothing that a crash could still
//! take away. Every one of these can be left out.
//!
//! # The world
//!
//! Sender A takes up as many as three intents, one after the other. Each has a number, strictly
//! ascending, and a message that it sends until it is confirmed, as Akka.NET's `AtLeastOnceDelivery`
//! does. Receiver C works through an editable list of steps; a crash can come between any two. The
//! second message can go by way of a relay, actor B. From one participant to another messages keep
//! their order, as between two actors; by different ways they do not. Time passes in ticks, where it
//! matters: where ids are remembered for a window. `docs/delivery.md` has all rules in words.
//!
//! What is left out, so that the world stays small enough to be searched whole: a message waits
//! until its receiver is up; each unconfirmed message has a redelivery tick of its own; a broker that
//! filters has taken a message as soon as it is sent; the sender's writes do not fail.
//!
//! # Order of the actions
//!
//! 1. `step c`: the receiver takes its next step.
//! 2. `recover a`, `restart a`, `restart b`, `restart c`.
//! 3. `forward`, then `deliver N`: a message arrives; oldest first.
//! 4. `send`: the lowest number that this incarnation has not sent. `intend`: the next intent.
//! 5. `redeliver N` or `give-up N`, where nothing of message N is under way; `retry N`; `tick`.
//! 6. Faults: `deliver N` that overtakes, `redeliver N` or `give-up N` too early, `lose N`,
//!    `duplicate N`, `crash a`, `crash b`, `crash c`, the `tick` that passes a retention, and
//!    `end-window`.

mod judge;
mod memory;
mod network;
mod picture;
mod possible;
mod presets;
mod receiver;
mod sender;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use settings::Delivery;

use crate::lab::{Lab, Law, Picture};
use crate::machine::{
    Effect, Fault, Label, Lane, Machine, Mark, Observer, Preset, Setting, Settings, Text, Verdict,
};
use settings::Memory;
use state::{FlightId, Intent, Intents, Life, Receiver, Sender, State};
use view::{RECEIVER, STORE, lane_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The receiver's next step.
    Step,
    Recover,
    Restart(Actor),
    Forward,
    /// A fault where it overtakes a message that was sent earlier.
    Deliver(FlightId),
    Send,
    Intend,
    /// A fault where the message or its acknowledgement is still under way; so is giving up.
    Redeliver(Intent),
    GiveUp(Intent),
    Retry(Intent),
    /// A fault where it passes the retention of an id.
    Tick,
    // From here on, faults.
    Lose(FlightId),
    Duplicate(FlightId),
    Crash(Actor),
    EndWindow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    Sender,
    Relay,
    Receiver,
}

impl Actor {
    const ALL: [Actor; 3] = [Actor::Sender, Actor::Relay, Actor::Receiver];
}

impl Machine for Delivery {
    type State = State;
    type Action = Action;

    fn initial(&self) -> State {
        State {
            sender: Sender::new(),
            journal: Intents::NONE,
            intended: 0,
            reported: Intents::NONE,
            dead: Intents::NONE,
            relay: Life::Up,
            flights: Default::default(),
            published: 0,
            receiver: Receiver::new(),
            store: Default::default(),
            known: Default::default(),
            ids_made: 0,
        }
    }

    fn protocol_steps(&self, state: &State, out: &mut Vec<Action>) {
        self.possible_steps(state, out);
    }

    fn faults(&self, state: &State, out: &mut Vec<Action>) {
        self.possible_faults(state, out);
    }

    fn fault(&self, state: &State, action: Action) -> Option<Fault> {
        match action {
            Action::Step
            | Action::Recover
            | Action::Restart(_)
            | Action::Forward
            | Action::Send
            | Action::Intend
            | Action::Retry(_) => None,
            Action::Deliver(id) => self.overtakes(state, id).then_some(Fault::Reorder),
            Action::Redeliver(intent) | Action::GiveUp(intent) => {
                state.is_under_way(intent).then_some(Fault::TimeOut)
            }
            Action::Tick => self.tick_expires(state).then_some(Fault::KeyExpired),
            Action::Lose(id) => match state.flight(id) {
                Some(flight) if flight.hop.is_ack() => Some(Fault::LoseReply),
                _ => Some(Fault::LoseMessage),
            },
            Action::Duplicate(_) => Some(Fault::Duplicate),
            Action::Crash(_) => Some(Fault::Crash),
            Action::EndWindow => Some(Fault::KeyExpired),
        }
    }

    fn step(&self, state: &mut State, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Step => self.work(state, observer),
            Action::Recover => self.recover(state, observer),
            Action::Restart(actor) => self.restart(state, actor, observer),
            Action::Forward => self.forward(state, observer),
            Action::Deliver(id) => self.deliver(state, id, observer),
            Action::Send => self.send_next(state, observer),
            Action::Intend => self.intend(state, observer),
            Action::Redeliver(intent) => self.send(state, intent, observer),
            Action::GiveUp(intent) => self.give_up(state, intent, observer),
            Action::Retry(intent) => self.retry(state, intent, observer),
            Action::Tick => self.pass_time(state, observer),
            Action::Lose(id) => self.lose(state, id, observer),
            Action::Duplicate(id) => self.duplicate(state, id, observer),
            Action::Crash(actor) => self.crash(state, actor, observer),
            Action::EndWindow => self.end_window(state, observer),
        }
    }

    fn verdict(&self, state: &State) -> Verdict {
        self.judge(state)
    }
}

impl Delivery {
    fn life(&self, state: &State, actor: Actor) -> Life {
        match actor {
            Actor::Sender => state.sender.life,
            Actor::Relay => state.relay,
            Actor::Receiver => state.receiver.life,
        }
    }

    fn crash(&self, state: &mut State, actor: Actor, observer: &mut impl Observer) {
        match actor {
            Actor::Sender => self.crash_sender(state),
            Actor::Relay => self.crash_relay(state),
            Actor::Receiver => self.crash_receiver(state),
        }
        observer.see(|| Effect::Down {
            lane: lane_of(actor),
        });
    }

    /// The sender has to read what it persisted; the others begin at once.
    fn restart(&self, state: &mut State, actor: Actor, observer: &mut impl Observer) {
        match actor {
            Actor::Sender => state.sender.life = Life::Recovering,
            Actor::Relay => state.relay = Life::Up,
            Actor::Receiver => state.receiver.life = Life::Up,
        }
        observer.see(|| Effect::Up {
            lane: lane_of(actor),
        });
    }

    fn pass_time(&self, state: &mut State, observer: &mut impl Observer) {
        let (mark, words) = match self.tick_expires(state) {
            true => (Mark::Refused, text::EFFECT_EXPIRED),
            false => (Mark::Wait, text::EFFECT_TICK),
        };
        let lane = match self.memory {
            Memory::Volatile => RECEIVER,
            Memory::WithEffect | Memory::OwnWrite | Memory::None => STORE,
        };
        observer.see(|| view::marked(lane, mark, words.label()));
        self.tick(state);
    }
}

impl Lab for Delivery {
    const ID: &'static str = "delivery";
    const SCHEMA: &'static [Setting] = settings::SCHEMA;
    const FAULTS: &'static [Fault] = &[
        Fault::Crash,
        Fault::Duplicate,
        Fault::LoseMessage,
        Fault::LoseReply,
        Fault::TimeOut,
        Fault::Reorder,
        Fault::KeyExpired,
    ];
    const TEXTS: &'static [Text] = text::ALL;
    const ACTIONS: &'static [&'static str] = &[
        "step <actor>",
        "recover <actor>",
        "restart <actor>",
        "forward",
        "deliver <place>",
        "send",
        "intend",
        "redeliver <message>",
        "give-up <message>",
        "retry <message>",
        "tick",
        "lose <place>",
        "duplicate <place>",
        "crash <actor>",
        "end-window",
    ];

    fn presets() -> Vec<Preset> {
        presets::all()
    }

    fn new(settings: &Settings) -> Delivery {
        Delivery::from_settings(settings)
    }

    fn lanes(&self) -> Vec<Lane> {
        self.all_lanes()
    }

    fn name(&self, action: Action) -> String {
        let of = |verb: &str, actor: Actor| format!("{verb} {}", ["a", "b", "c"][actor as usize]);
        let at = |verb: &str, place: FlightId| format!("{verb} {}", place + 1);
        match action {
            Action::Step => of("step", Actor::Receiver),
            Action::Recover => of("recover", Actor::Sender),
            Action::Restart(actor) => of("restart", actor),
            Action::Forward => "forward".into(),
            Action::Deliver(id) => at("deliver", id),
            Action::Send => "send".into(),
            Action::Intend => "intend".into(),
            Action::Redeliver(intent) => format!("redeliver {intent}"),
            Action::GiveUp(intent) => format!("give-up {intent}"),
            Action::Retry(intent) => format!("retry {intent}"),
            Action::Tick => "tick".into(),
            Action::Lose(id) => at("lose", id),
            Action::Duplicate(id) => at("duplicate", id),
            Action::Crash(actor) => of("crash", actor),
            Action::EndWindow => "end-window".into(),
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
