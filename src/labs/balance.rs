//! A balance that is never negative, and a receipt for each operation that was applied to it.
//!
//! The model of `apply(id, delta)`: the first use of an id changes the balance and stores a receipt;
//! the same id with the same number gets the original receipt, also when the balance has moved on;
//! the same id with another number is a conflict; what would make the balance negative or overflow
//! is refused and leaves balance and receipts as they were. The seed text proves this for one
//! process whose memory never fails. The lab asks what is left of it when there are two threads,
//! two processes, a crash between any two steps, and messages that come twice or in another order.
//!
//! # Order of the actions
//!
//! 1. `step a`, `step b`: a worker that is at work and not waiting for a lock takes its next step.
//! 2. `restart a`, `restart b`: a process that is down comes back.
//! 3. `deliver N a`, `deliver N b`: the client sends operation N (counted from 1) for the first
//!    time, in order, or once more because no answer came and nobody works on it.
//! 4. Faults: `deliver N w` out of order, twice, or under a used id; `crash a`, `crash b`;
//!    `lose-reply a`, `lose-reply b`; `second-process`.

mod judge;
mod presets;
mod settings;
mod state;
mod steps;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use settings::Balance;

use crate::lab::{Lab, Law, Picture};
use crate::machine::{
    Effect, Fault, Label, Lane, Machine, Observer, Preset, Setting, Settings, Text, Verdict,
};
use settings::{Step, Workers};
use state::{Asked, Life, ProcessId, State, Task, WorkerId};
use view::{CLIENT, lane_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Step(WorkerId),
    Restart(ProcessId),
    Deliver { operation: u8, worker: WorkerId },
    Crash(ProcessId),
    LoseReply(WorkerId),
    SecondProcess,
}

const WORKERS: [WorkerId; 2] = [0, 1];

impl Machine for Balance {
    type State = State;
    type Action = Action;

    fn initial(&self) -> State {
        State::initial(self)
    }

    fn protocol_steps(&self, state: &State, out: &mut Vec<Action>) {
        let can_step = |worker: &WorkerId| {
            state.tasks[*worker as usize].is_some() && !self.is_blocked(state, *worker)
        };
        out.extend(WORKERS.into_iter().filter(can_step).map(Action::Step));
        let is_down = |process: &ProcessId| state.processes[*process as usize].life == Life::Down;
        out.extend(WORKERS.into_iter().filter(is_down).map(Action::Restart));
        let deliveries = self.deliveries(state);
        out.extend(deliveries.filter(|action| self.fault(state, *action).is_none()));
    }

    fn faults(&self, state: &State, out: &mut Vec<Action>) {
        let deliveries = self.deliveries(state);
        out.extend(deliveries.filter(|action| self.fault(state, *action).is_some()));
        let is_up = |process: &ProcessId| state.processes[*process as usize].life == Life::Up;
        out.extend(WORKERS.into_iter().filter(is_up).map(Action::Crash));
        let replies = |worker: &WorkerId| {
            let task = state.tasks[*worker as usize].as_ref();
            task.is_some_and(|task| self.handler[task.next as usize] == Step::Reply)
        };
        out.extend(WORKERS.into_iter().filter(replies).map(Action::LoseReply));
        if self.workers == Workers::One && state.processes[1].life == Life::NotStarted {
            out.push(Action::SecondProcess);
        }
    }

    fn fault(&self, state: &State, action: Action) -> Option<Fault> {
        match action {
            Action::Step(_) | Action::Restart(_) => None,
            Action::Deliver { operation, .. } => self.delivery_fault(state, operation),
            Action::Crash(_) => Some(Fault::Crash),
            Action::LoseReply(_) => Some(Fault::LoseReply),
            Action::SecondProcess => Some(Fault::SecondIncarnation),
        }
    }

    fn step(&self, state: &mut State, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Step(worker) => self.work(state, worker, observer),
            Action::Deliver { operation, worker } => {
                self.deliver(state, operation, worker, observer);
            }
            Action::LoseReply(worker) => {
                self.reply(state, worker, false, observer);
                self.advance(state, worker);
            }
            Action::Crash(process) => self.crash(state, process, observer),
            Action::Restart(process) => {
                state.processes[process as usize].life = Life::Up;
                for worker in self.workers_of(process) {
                    observer.see(|| Effect::Up {
                        lane: lane_of(worker),
                    });
                }
            }
            Action::SecondProcess => {
                state.processes[1].life = Life::Up;
                observer.see(|| Effect::Up { lane: lane_of(1) });
            }
        }
    }

    fn verdict(&self, state: &State) -> Verdict {
        self.judge(state)
    }
}

impl Balance {
    /// What the client or the network can bring to the workers that are free.
    fn deliveries(&self, state: &State) -> impl Iterator<Item = Action> {
        let is_free = |w: &WorkerId| self.is_alive(state, *w) && state.tasks[*w as usize].is_none();
        let operations = 0..self.operations.len() as u8;
        WORKERS.into_iter().filter(is_free).flat_map(move |worker| {
            let to_worker = move |operation| Action::Deliver { operation, worker };
            operations.clone().map(to_worker)
        })
    }

    /// A delivery is the protocol's own while the client sends in order and repeats what nobody
    /// answers; everything else is a fault of the network or of whoever made the id.
    fn delivery_fault(&self, state: &State, operation: u8) -> Option<Fault> {
        let under_way = self.is_under_way(state, self.same_operation(operation));
        match state.client[operation as usize] {
            Asked::Told(_) => Some(Fault::Duplicate),
            Asked::Waiting if under_way => Some(Fault::Duplicate),
            Asked::Waiting => None,
            Asked::NotSent if self.reuses_id(operation) => Some(Fault::OtherContent),
            Asked::NotSent => {
                let overtaken = |other: u8| {
                    state.client[other as usize] == Asked::NotSent && !self.reuses_id(other)
                };
                (0..operation).any(overtaken).then_some(Fault::Reorder)
            }
        }
    }

    fn deliver(
        &self,
        state: &mut State,
        operation: u8,
        worker: WorkerId,
        observer: &mut impl Observer,
    ) {
        let message = u32::from(operation);
        observer.see(|| Effect::Sent {
            message,
            from: CLIENT,
            to: lane_of(worker),
            label: self.operation_label(operation),
        });
        observer.see(|| Effect::Arrived { message });
        let known = &mut state.client[operation as usize];
        if *known == Asked::NotSent {
            *known = Asked::Waiting;
        }
        state.tasks[worker as usize] = Some(Task {
            operation,
            next: 0,
            plan: None,
            decided: None,
            found_receipt: false,
            in_transaction: false,
            staged_receipt: None,
            staged_account: None,
            holds_lock: false,
        });
        self.skip(state, worker);
    }

    /// Memory, local variables and open transactions are gone; locks of a dead owner are free.
    fn crash(&self, state: &mut State, process: ProcessId, observer: &mut impl Observer) {
        state.processes[process as usize].crash();
        for worker in self.workers_of(process) {
            state.tasks[worker as usize] = None;
            if state.store_lock == Some(worker) {
                state.store_lock = None;
            }
            observer.see(|| Effect::Down {
                lane: lane_of(worker),
            });
        }
    }

    fn workers_of(&self, process: ProcessId) -> impl Iterator<Item = WorkerId> {
        WORKERS
            .into_iter()
            .filter(move |worker| self.process_of(*worker) == process)
    }
}

impl Lab for Balance {
    const ID: &'static str = "balance";
    const SCHEMA: &'static [Setting] = settings::SCHEMA;
    const FAULTS: &'static [Fault] = &[
        Fault::Crash,
        Fault::Duplicate,
        Fault::LoseReply,
        Fault::Reorder,
        Fault::OtherContent,
        Fault::SecondIncarnation,
    ];
    const TEXTS: &'static [Text] = text::ALL;
    const ACTIONS: &'static [&'static str] = &[
        "step <worker>",
        "restart <process>",
        "deliver <operation> <worker>",
        "crash <process>",
        "lose-reply <worker>",
        "second-process",
    ];

    fn presets() -> Vec<Preset> {
        presets::all()
    }

    fn new(settings: &Settings) -> Balance {
        Balance::from_settings(settings)
    }

    fn lanes(&self) -> Vec<Lane> {
        self.all_lanes()
    }

    fn name(&self, action: Action) -> String {
        const LETTERS: [char; 2] = ['a', 'b'];
        let letter = |id: u8| LETTERS[id as usize];
        match action {
            Action::Step(worker) => format!("step {}", letter(worker)),
            Action::Restart(process) => format!("restart {}", letter(process)),
            Action::Deliver { operation, worker } => {
                format!("deliver {} {}", operation + 1, letter(worker))
            }
            Action::Crash(process) => format!("crash {}", letter(process)),
            Action::LoseReply(worker) => format!("lose-reply {}", letter(worker)),
            Action::SecondProcess => "second-process".into(),
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
