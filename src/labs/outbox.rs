//! The life of a message: a service writes it into an outbox, a dispatcher sends it, a receiver acts
//! on it.
//!
//! The service's database and the broker cannot change together. So the message is written down with
//! the order, in one transaction, and somebody else sends it afterwards. That closes one window and
//! opens another: between sending a row and marking it as sent the dispatcher can die, and whoever
//! takes its place sends again. An outbox loses nothing and sends more than once; that a customer
//! gets one mail is the receiver's work. Everything on the way can be left out, or done in another
//! order.
//!
//! # Three numbers
//!
//! A business event (an order), an attempt to send its message, and a delivery of it are three
//! different things. One order can be sent twice and delivered three times. Only an id that belongs
//! to the order lets the receiver see that it is all the same: `order:{id}:confirmation-email`.
//!
//! # The world
//!
//! Customers place one order or two, and place it again, with the same order id, as long as they have
//! not heard what became of it. The service works through an editable list of steps. One or two
//! dispatchers look for rows. The message goes to a broker, which delivers it to our receiver until
//! that acknowledges, or to a mail provider, which mails by itself. `docs/outbox.md` has all rules in
//! words.
//!
//! What is left out, so that the world stays small enough to be searched whole: the answer to the
//! customer is not lost; a dispatcher takes one row at a time; a broker loses nothing that it has
//! accepted, and delivers in any order; a late answer is dropped, since whoever stops waiting closes
//! the connection; a crash is offered only where it can erase something; and time passes the
//! retentions once, while nothing is under way.
//!
//! # Order of the actions
//!
//! 1. `handle N`: the service takes the next step for order N.
//! 2. `dispatch N`: dispatcher N takes its next step, or the next row.
//! 3. `arrive N`, `answer N`: dispatcher N's request arrives, the answer comes back.
//! 4. `service-arrives N`, `service-hears N`: the same of a handler that sends its message itself;
//!    `late N`: a message that nobody waits to hear of arrives.
//! 5. `receive N`, `apply`, `acknowledge`: the broker delivers, the receiver handles.
//! 6. `restart-service`, `restart N`, `restart-receiver`.
//! 7. `time-out N`, `service-times-out N`, `lease-ends N`, `gap-passes`, where time only confirms what has happened.
//! 8. `clean-up N`, `place N`, `retry N` or `check N`.
//! 9. Faults, in the order of [`Action`] from `CrashService` on; those of time stand among them.

mod dispatcher;
mod judge;
mod picture;
mod possible;
mod presets;
mod provider;
mod service;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use settings::Outbox;

use crate::lab::{Lab, Law, Picture};
use crate::machine::{
    Effect, Fault, Label, Lane, Machine, Observer, Preset, Setting, Settings, Text, Verdict,
};
use settings::Dispatchers;
use state::{Dispatcher, DispatcherId, Hop, Life, OrderId, Receiver, Service, State};
use view::{RECEIVER, SERVICE, lane_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Handle(OrderId),
    Dispatch(DispatcherId),
    Arrive(DispatcherId),
    Answer(DispatcherId),
    /// The message that a handler sends itself arrives.
    ServiceArrives(OrderId),
    /// The answer to it comes back.
    ServiceHears(OrderId),
    /// The place of a message among those that nobody waits to hear of.
    Late(u8),
    /// The place of a message in the broker's queue.
    Receive(u8),
    Apply,
    Acknowledge,
    RestartService,
    Restart(DispatcherId),
    RestartReceiver,
    /// A fault where the answer can still come.
    TimeOut(DispatcherId),
    /// The same, of a handler that sends its message itself.
    ServiceTimesOut(OrderId),
    /// A fault where the holder is still at work.
    LeaseEnds(OrderId),
    /// A fault where the gap can still be filled.
    GapPasses,
    CleanUp(OrderId),
    Place(OrderId),
    /// A person sends a row again.
    Retry(OrderId),
    /// A person looks first.
    Check(OrderId),
    // From here on, faults.
    CrashService,
    Crash(DispatcherId),
    CrashReceiver,
    FailWrite {
        order: OrderId,
        how: WriteFault,
    },
    LoseMark(DispatcherId),
    Lose(DispatcherId),
    /// The message that a handler sends itself, or the answer to it.
    LoseOfService(OrderId),
    LoseLate(u8),
    LoseAcknowledgement,
    Duplicate(u8),
    Refuse(DispatcherId),
    Expire,
}

/// How a write of the service fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteFault {
    /// It is stored, and the service does not hear of it.
    Stored,
    /// It is not stored, and the service does not know that.
    Lost,
    /// The database says that it does not store it.
    Rejected,
}

impl Machine for Outbox {
    type State = State;
    type Action = Action;

    fn initial(&self) -> State {
        let dispatcher = |life: Life| Dispatcher { life, job: None };
        let second = match self.dispatchers {
            Dispatchers::One => Life::NotStarted,
            Dispatchers::Two => Life::Up,
        };
        State {
            service: Service {
                is_up: true,
                tasks: [None; 2],
            },
            database: Default::default(),
            told: Default::default(),
            dispatchers: [dispatcher(Life::Up), dispatcher(second)],
            parcels: Default::default(),
            queue: Default::default(),
            receiver: Receiver {
                is_up: true,
                delivery: None,
            },
            effects: Default::default(),
            expired: false,
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
            Action::Handle(_)
            | Action::Dispatch(_)
            | Action::Arrive(_)
            | Action::Answer(_)
            | Action::ServiceArrives(_)
            | Action::ServiceHears(_)
            | Action::Late(_)
            | Action::Receive(_)
            | Action::Apply
            | Action::Acknowledge
            | Action::RestartService
            | Action::Restart(_)
            | Action::RestartReceiver
            | Action::CleanUp(_)
            | Action::Place(_)
            | Action::Retry(_)
            | Action::Check(_) => None,
            Action::TimeOut(_) | Action::ServiceTimesOut(_) | Action::GapPasses => {
                self.is_too_early(state, action).then_some(Fault::TimeOut)
            }
            Action::LeaseEnds(_) => {
                let is_fault = self.is_too_early(state, action);
                is_fault.then_some(Fault::LeaseExpired)
            }
            Action::CrashService | Action::Crash(_) | Action::CrashReceiver => Some(Fault::Crash),
            Action::FailWrite { .. } | Action::LoseMark(_) => Some(Fault::WriteFailed),
            Action::Lose(id) => lost(state.request(id).map(|(_, hop)| hop)),
            Action::LoseOfService(order) => lost(state.sending(order)),
            Action::LoseLate(_) => Some(Fault::LoseMessage),
            Action::LoseAcknowledgement => Some(Fault::LoseReply),
            Action::Duplicate(_) => Some(Fault::Duplicate),
            Action::Refuse(_) => Some(Fault::Refusal),
            Action::Expire => Some(Fault::KeyExpired),
        }
    }

    fn step(&self, state: &mut State, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Handle(order) => self.handle(state, order, observer),
            Action::Dispatch(id) => self.work(state, id, observer),
            Action::Arrive(id) => self.arrive(state, id, observer),
            Action::Answer(id) => self.hear(state, id, observer),
            Action::ServiceArrives(order) => self.arrive_from_service(state, order, observer),
            Action::ServiceHears(order) => self.go_on(state, order, observer),
            Action::Late(place) => self.arrive_late(state, place, observer),
            Action::Receive(place) => self.receive(state, place, observer),
            Action::Apply => self.handle_delivery(state, observer),
            Action::Acknowledge => self.acknowledge(state, true, observer),
            Action::RestartService => {
                state.service.is_up = true;
                observer.see(|| Effect::Up { lane: SERVICE });
            }
            Action::Restart(id) => {
                state.dispatcher_mut(id).life = Life::Up;
                observer.see(|| Effect::Up { lane: lane_of(id) });
            }
            Action::RestartReceiver => {
                state.receiver.is_up = true;
                observer.see(|| Effect::Up { lane: RECEIVER });
            }
            Action::TimeOut(id) => self.time_out(state, id, observer),
            Action::ServiceTimesOut(order) => self.fail_handler(state, order, observer),
            Action::LeaseEnds(order) => self.end_lease(state, order, observer),
            Action::GapPasses => self.pass_gap(state, observer),
            Action::CleanUp(order) => self.clean_up(state, order, observer),
            Action::Place(order) => self.place(state, order, observer),
            Action::Retry(order) => self.retry(state, order, observer),
            Action::Check(order) => self.check(state, order, observer),
            Action::CrashService => self.crash_service(state, observer),
            Action::Crash(id) => self.crash_dispatcher(state, id, observer),
            Action::CrashReceiver => self.crash_receiver(state, observer),
            Action::FailWrite { order, how } => self.fail_write(state, order, how, observer),
            Action::LoseMark(id) => self.lose_mark(state, id, observer),
            Action::Lose(id) => self.lose(state, id, observer),
            Action::LoseOfService(order) => self.lose_of_service(state, order, observer),
            Action::LoseLate(place) => {
                if let Some(parcel) = state.parcels.get(place) {
                    state.parcels.remove(place);
                    view::see_lost(parcel, observer);
                }
            }
            Action::LoseAcknowledgement => self.acknowledge(state, false, observer),
            Action::Duplicate(place) => self.duplicate(state, place, observer),
            Action::Refuse(id) => self.refuse(state, id, observer),
            Action::Expire => self.expire(state, observer),
        }
    }

    fn verdict(&self, state: &State) -> Verdict {
        self.judge(state)
    }
}

/// Which fault it is to lose what is on its way.
fn lost(hop: Option<Hop>) -> Option<Fault> {
    Some(match hop {
        Some(Hop::Back(_)) => Fault::LoseReply,
        _ => Fault::LoseMessage,
    })
}

impl Lab for Outbox {
    const ID: &'static str = "outbox";
    const SCHEMA: &'static [Setting] = settings::SCHEMA;
    const FAULTS: &'static [Fault] = &[
        Fault::Crash,
        Fault::Duplicate,
        Fault::LoseMessage,
        Fault::LoseReply,
        Fault::TimeOut,
        Fault::Refusal,
        Fault::WriteFailed,
        Fault::LeaseExpired,
        Fault::KeyExpired,
    ];
    const TEXTS: &'static [Text] = text::ALL;
    const ACTIONS: &'static [&'static str] = &[
        "handle <order>",
        "dispatch <dispatcher>",
        "arrive <dispatcher>",
        "answer <dispatcher>",
        "service-arrives <order>",
        "service-hears <order>",
        "late <message>",
        "receive <message>",
        "apply",
        "acknowledge",
        "restart-service",
        "restart <dispatcher>",
        "restart-receiver",
        "time-out <dispatcher>",
        "service-times-out <order>",
        "lease-ends <order>",
        "gap-passes",
        "clean-up <order>",
        "place <order>",
        "retry <order>",
        "check <order>",
        "crash-service",
        "crash <dispatcher>",
        "crash-receiver",
        "write-failed-stored <order>",
        "write-failed-lost <order>",
        "write-rejected <order>",
        "lose-mark <dispatcher>",
        "lose <dispatcher>",
        "lose-of-service <order>",
        "lose-late <message>",
        "lose-acknowledgement",
        "duplicate <message>",
        "refuse <dispatcher>",
        "expire",
    ];

    fn presets() -> Vec<Preset> {
        presets::all()
    }

    fn new(settings: &Settings) -> Outbox {
        Outbox::from_settings(settings)
    }

    fn lanes(&self) -> Vec<Lane> {
        self.all_lanes()
    }

    fn name(&self, action: Action) -> String {
        let of = |verb: &str, place: u8| format!("{verb} {}", place + 1);
        match action {
            Action::Handle(order) => of("handle", order),
            Action::Dispatch(id) => of("dispatch", id),
            Action::Arrive(id) => of("arrive", id),
            Action::Answer(id) => of("answer", id),
            Action::ServiceArrives(order) => of("service-arrives", order),
            Action::ServiceHears(order) => of("service-hears", order),
            Action::Late(place) => of("late", place),
            Action::Receive(place) => of("receive", place),
            Action::Apply => "apply".into(),
            Action::Acknowledge => "acknowledge".into(),
            Action::RestartService => "restart-service".into(),
            Action::Restart(id) => of("restart", id),
            Action::RestartReceiver => "restart-receiver".into(),
            Action::TimeOut(id) => of("time-out", id),
            Action::ServiceTimesOut(order) => of("service-times-out", order),
            Action::LeaseEnds(order) => of("lease-ends", order),
            Action::GapPasses => "gap-passes".into(),
            Action::CleanUp(order) => of("clean-up", order),
            Action::Place(order) => of("place", order),
            Action::Retry(order) => of("retry", order),
            Action::Check(order) => of("check", order),
            Action::CrashService => "crash-service".into(),
            Action::Crash(id) => of("crash", id),
            Action::CrashReceiver => "crash-receiver".into(),
            Action::FailWrite { order, how } => match how {
                WriteFault::Stored => of("write-failed-stored", order),
                WriteFault::Lost => of("write-failed-lost", order),
                WriteFault::Rejected => of("write-rejected", order),
            },
            Action::LoseMark(id) => of("lose-mark", id),
            Action::Lose(id) => of("lose", id),
            Action::LoseOfService(order) => of("lose-of-service", order),
            Action::LoseLate(place) => of("lose-late", place),
            Action::LoseAcknowledgement => "lose-acknowledgement".into(),
            Action::Duplicate(place) => of("duplicate", place),
            Action::Refuse(id) => of("refuse", id),
            Action::Expire => "expire".into(),
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
