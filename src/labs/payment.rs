//! The life of a payment: an event-sourced order actor that lets an executor call a payment gateway.
//!
//! The actor cannot make its journal and the gateway change together, so there is always a window in
//! which the money is taken and nobody who could answer for it knows. The lab asks what closes the
//! window: an intent persisted before the call, one key for all attempts, *unknown* as a state of its
//! own, a recovery that looks before it calls, a gateway that recognises what it has seen. Every one
//! of them can be left out.
//!
//! # The world
//!
//! One customer pays one order of 100. The actor works through an editable list of steps; a crash can
//! come between any two, and again during recovery. A request goes from actor to executor to gateway
//! and back, one hop an action, and can be lost, copied or overtaken by a time-out at every hop. The
//! gateway is one of six, by published rules. `docs/payment.md` has all rules in words.
//!
//! What is left out, so that the world stays small enough to be searched whole: the answer to the
//! customer arrives or is lost at once; a cancel is not lost; a supervisor starts executor and
//! gateway again at once; requests are copied only where they carry a key, since nobody may repeat
//! others by themselves (RFC 9110, section 9.2.2); with two paths the second path is the copy of the
//! order to pay; and time passes a key's retention only while the network is empty, since no message
//! lives as long as that.
//!
//! # Order of the actions
//!
//! 1. `step a`, `step b`: an actor takes the next step of its plan, or takes up an open payment.
//! 2. `recover a`, `recover b`, `restart a`, `restart b`.
//! 3. `process N`, `deliver N`: the gateway works on call N, or its message arrives; oldest first.
//! 4. `arrive a`, `cancel-arrives a`, … : a command of the customer arrives.
//! 5. `time-out a`, `time-out b` where no answer can come any more.
//! 6. `pay a`, `pay b`, `neighbour`, `reconcile a`, `reconcile b`, `cancel`.
//! 7. Faults: a cancel that overtakes, a time-out before the answer, then in the order of [`Action`].

mod actor;
mod answers;
mod books;
mod customer;
mod gateway;
mod journal;
mod judge;
mod packed;
mod picture;
mod plan;
mod possible;
mod presets;
mod records;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use settings::Payment;

use crate::lab::{Lab, Law, Picture};
use crate::machine::{
    Effect, Fault, Label, Lane, Machine, Observer, Preset, Setting, Settings, Text, Verdict,
};
use settings::Paths;
use state::{Actor, ActorId, CallId, Hop, Life, State};
use view::lane_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Step(ActorId),
    Recover(ActorId),
    Restart(ActorId),
    Process(CallId),
    Deliver(CallId),
    Arrive(ActorId),
    CancelArrives(ActorId),
    /// A fault where the answer can still come.
    TimeOut(ActorId),
    Pay(ActorId),
    Neighbour,
    Reconcile(ActorId),
    Cancel,
    // From here on, faults.
    DuplicatePay(ActorId),
    LosePay(ActorId),
    Lose(CallId),
    Duplicate(CallId),
    LoseReply(ActorId),
    Crash(ActorId),
    CrashExecutor,
    CrashGateway,
    ServerError {
        call: CallId,
        is_done: bool,
    },
    Refuse(CallId),
    Contradict,
    FailWrite {
        actor: ActorId,
        how: WriteFault,
    },
    SecondIncarnation,
    ExpireKeys,
    LoseSnapshot,
}

/// How a write to the journal fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteFault {
    /// The event is stored, and the actor does not hear of it.
    Stored,
    /// The event is not stored, and the actor does not know that.
    Lost,
    /// The journal says that it does not store the event.
    Rejected,
}

impl Machine for Payment {
    type State = State;
    type Action = Action;

    fn initial(&self) -> State {
        let second = match self.paths {
            Paths::One => Life::NotStarted,
            Paths::TwoNodes => Life::Up,
        };
        State::new([Actor::new(Life::Up), Actor::new(second)])
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
            | Action::Recover(_)
            | Action::Restart(_)
            | Action::Process(_)
            | Action::Deliver(_)
            | Action::Arrive(_)
            | Action::Pay(_)
            | Action::Neighbour
            | Action::Reconcile(_)
            | Action::Cancel => None,
            Action::TimeOut(actor) => state.is_awaited_by(actor).then_some(Fault::TimeOut),
            Action::CancelArrives(_) => (state.customer.pays != [0, 0]).then_some(Fault::Reorder),
            Action::DuplicatePay(_) | Action::Duplicate(_) => Some(Fault::Duplicate),
            Action::LosePay(_) => Some(Fault::LoseMessage),
            Action::Lose(call) => match state.call(call).map(|call| call.hop) {
                Some(Hop::Back(_) | Hop::ToActor(_)) => Some(Fault::LoseReply),
                _ => Some(Fault::LoseMessage),
            },
            Action::LoseReply(_) => Some(Fault::LoseReply),
            Action::Crash(_) | Action::CrashExecutor | Action::CrashGateway => Some(Fault::Crash),
            Action::ServerError { .. } => Some(Fault::ServerError),
            Action::Refuse(_) => Some(Fault::Refusal),
            Action::Contradict => Some(Fault::Contradiction),
            Action::FailWrite { .. } => Some(Fault::WriteFailed),
            Action::SecondIncarnation => Some(Fault::SecondIncarnation),
            Action::ExpireKeys => Some(Fault::KeyExpired),
            Action::LoseSnapshot => Some(Fault::SnapshotLost),
        }
    }

    fn step(&self, state: &mut State, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Step(actor) => self.work(state, actor, observer),
            Action::Recover(actor) => self.recover(state, actor, observer),
            Action::Restart(actor) => {
                state.actor_mut(actor).life = Life::Recovering;
                observer.see(|| Effect::Up {
                    lane: lane_of(actor),
                });
            }
            Action::Process(call) => self.process(state, call, observer),
            Action::Deliver(call) => self.deliver(state, call, observer),
            Action::Arrive(actor) => self.arrive(state, actor, observer),
            Action::CancelArrives(actor) => self.arrive_cancel(state, actor, observer),
            Action::TimeOut(actor) => self.time_out(state, actor, observer),
            Action::Pay(actor) => self.pay(state, actor, observer),
            Action::Neighbour => self.pay_neighbour(state, observer),
            Action::Reconcile(actor) => self.reconcile(state, actor, observer),
            Action::Cancel => self.send_cancel(state, observer),
            Action::DuplicatePay(actor) => self.send_pay(state, actor, observer),
            Action::LosePay(actor) => self.lose_pay(state, actor, observer),
            Action::Lose(call) => self.lose(state, call, observer),
            Action::Duplicate(call) => self.duplicate(state, call, observer),
            Action::LoseReply(actor) => {
                self.reply(state, actor, false, observer);
                self.settle_in(state, actor);
            }
            Action::Crash(actor) => self.crash(state, actor, observer),
            Action::CrashExecutor => self.crash_executor(state, observer),
            Action::CrashGateway => self.crash_gateway(state, observer),
            Action::ServerError { call, is_done } => self.fail(state, call, is_done, observer),
            Action::Refuse(call) => self.refuse(state, call, observer),
            Action::Contradict => self.contradict(state, observer),
            Action::FailWrite { actor, how } => self.fail_next_write(state, actor, how, observer),
            Action::SecondIncarnation => {
                state.actor_mut(1).life = Life::Recovering;
                observer.see(|| Effect::Up { lane: lane_of(1) });
            }
            Action::ExpireKeys => self.expire_keys(state, observer),
            Action::LoseSnapshot => {
                state.set_snapshot(None);
                observer.see(view::snapshot_lost);
            }
        }
    }

    fn verdict(&self, state: &State) -> Verdict {
        self.judge(state)
    }
}

impl Payment {
    fn lose(&self, state: &mut State, id: CallId, observer: &mut impl Observer) {
        if let Some(call) = state.call(id) {
            let message = view::message(&call);
            observer.see(|| Effect::Lost { message });
            state.remove_call(id);
        }
    }

    fn duplicate(&self, state: &mut State, id: CallId, observer: &mut impl Observer) {
        let Some(mut copy) = state.call(id) else {
            return;
        };
        copy.awaited = false;
        copy.connected = false;
        let (from, to) = view::way(&copy);
        observer.see(|| Effect::Sent {
            message: view::message(&copy),
            from,
            to,
            label: view::content(&copy),
        });
        state.add_call(copy);
    }

    fn crash(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        state.stop_awaiting(id);
        self.go_down(state, id, observer);
    }
}

impl Lab for Payment {
    const ID: &'static str = "payment";
    const SCHEMA: &'static [Setting] = settings::SCHEMA;
    const FAULTS: &'static [Fault] = &[
        Fault::Crash,
        Fault::Duplicate,
        Fault::LoseMessage,
        Fault::LoseReply,
        Fault::TimeOut,
        Fault::ServerError,
        Fault::Refusal,
        Fault::Contradiction,
        Fault::WriteFailed,
        Fault::Reorder,
        Fault::SecondIncarnation,
        Fault::KeyExpired,
        Fault::SnapshotLost,
    ];
    const TEXTS: &'static [Text] = text::ALL;
    const ACTIONS: &'static [&'static str] = &[
        "step <actor>",
        "recover <actor>",
        "restart <actor>",
        "process <call>",
        "deliver <call>",
        "arrive <actor>",
        "cancel-arrives <actor>",
        "time-out <actor>",
        "pay <actor>",
        "neighbour",
        "reconcile <actor>",
        "cancel",
        "duplicate-pay <actor>",
        "lose-pay <actor>",
        "lose <call>",
        "duplicate <call>",
        "lose-reply <actor>",
        "crash <actor>",
        "crash-executor",
        "crash-gateway",
        "server-error <call>",
        "server-error-done <call>",
        "refuse <call>",
        "contradict",
        "write-failed-stored <actor>",
        "write-failed-lost <actor>",
        "write-rejected <actor>",
        "second-incarnation",
        "expire-keys",
        "lose-snapshot",
    ];

    fn presets() -> Vec<Preset> {
        presets::all()
    }

    fn new(settings: &Settings) -> Payment {
        Payment::from_settings(settings)
    }

    fn lanes(&self) -> Vec<Lane> {
        self.all_lanes()
    }

    fn name(&self, action: Action) -> String {
        let of = |verb: &str, actor: ActorId| format!("{verb} {}", ["a", "b"][usize::from(actor)]);
        let at = |verb: &str, call: CallId| format!("{verb} {}", call + 1);
        match action {
            Action::Step(actor) => of("step", actor),
            Action::Recover(actor) => of("recover", actor),
            Action::Restart(actor) => of("restart", actor),
            Action::Process(call) => at("process", call),
            Action::Deliver(call) => at("deliver", call),
            Action::Arrive(actor) => of("arrive", actor),
            Action::CancelArrives(actor) => of("cancel-arrives", actor),
            Action::TimeOut(actor) => of("time-out", actor),
            Action::Pay(actor) => of("pay", actor),
            Action::Neighbour => "neighbour".into(),
            Action::Reconcile(actor) => of("reconcile", actor),
            Action::Cancel => "cancel".into(),
            Action::DuplicatePay(actor) => of("duplicate-pay", actor),
            Action::LosePay(actor) => of("lose-pay", actor),
            Action::Lose(call) => at("lose", call),
            Action::Duplicate(call) => at("duplicate", call),
            Action::LoseReply(actor) => of("lose-reply", actor),
            Action::Crash(actor) => of("crash", actor),
            Action::CrashExecutor => "crash-executor".into(),
            Action::CrashGateway => "crash-gateway".into(),
            Action::ServerError { call, is_done } => match is_done {
                true => at("server-error-done", call),
                false => at("server-error", call),
            },
            Action::Refuse(call) => at("refuse", call),
            Action::Contradict => "contradict".into(),
            Action::FailWrite { actor, how } => match how {
                WriteFault::Stored => of("write-failed-stored", actor),
                WriteFault::Lost => of("write-failed-lost", actor),
                WriteFault::Rejected => of("write-rejected", actor),
            },
            Action::SecondIncarnation => "second-incarnation".into(),
            Action::ExpireKeys => "expire-keys".into(),
            Action::LoseSnapshot => "lose-snapshot".into(),
        }
    }

    fn describe(&self, state: &State, action: Action) -> Label {
        self.action_label(state, action)
    }

    fn picture(&self, state: &State) -> Picture {
        self.draw(state)
    }

    /// This lab states no law beside its verdict.
    fn laws(&self, _: &State) -> Vec<Law> {
        Vec::new()
    }
}
