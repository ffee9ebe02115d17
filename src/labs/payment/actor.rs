//! What each step of the order actor does.

use super::plan::{Outcome, Plan, Task, Work};
use super::records::outcome_of;
use super::settings::{
    Ambiguous, CallIn, EarlyCancel, Paths, Payment, Record, Recovery, Retries, Statuses,
};
use super::state::{
    Actor, ActorId, Ask, Call, Event, Hop, Key, Life, Memory, Operation, ROUNDS_MAX, State, Status,
    Told,
};
use super::view::{self, CUSTOMER, EXECUTOR, lane_of};
use super::{WriteFault, text};
use crate::machine::{Effect, Label, Mark, Observer};

impl Payment {
    /// The actor takes its next step, or takes up what nobody works on.
    pub(super) fn work(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let Some(task) = state.actor(id).task() else {
            return self.resume(state, id, observer);
        };
        match self.next_step(&task) {
            Some(Work::Check) => self.check(state, id, observer),
            Some(Work::Intent) => self.persist_intent(state, id, observer),
            Some(Work::Call) => self.call(state, id, observer),
            Some(Work::Outcome) => self.persist_outcome(state, id, observer),
            Some(Work::Reply) => self.reply(state, id, true, observer),
            Some(Work::LookUp) => self.look_up(state, id, observer),
            Some(Work::Cancel) => self.take_cancel(state, id, observer),
            None => {}
        }
        self.settle_in(state, id);
    }

    /// A new task; a web node loads the order first.
    pub(super) fn begin(&self, state: &mut State, id: ActorId, task: Task) {
        self.load(state, id);
        state.actor_mut(id).set_task(Some(task));
        self.settle_in(state, id);
    }

    /// Nothing is left of a task; a web node forgets what it loaded.
    pub(super) fn finish(&self, state: &mut State, id: ActorId) {
        let actor = state.actor_mut(id);
        actor.set_task(None);
        actor.burnt &= actor.memory.is_open();
        if self.paths == Paths::TwoNodes {
            let Actor { rounds, burnt, .. } = *actor;
            *actor = Actor::new(Life::Up);
            (actor.rounds, actor.burnt) = (rounds, burnt);
        }
    }

    /// Passes over the steps that have nothing to do, and ends the task after the last.
    pub(super) fn settle_in(&self, state: &mut State, id: ActorId) {
        while let Some(task) = state.actor(id).task().filter(|task| !task.waiting) {
            let Some(step) = self.next_step(&task) else {
                return self.finish(state, id);
            };
            if self.has_work(state, id, &task, step) {
                return;
            }
            state.actor_mut(id).change_task(|task| {
                task.next += 1;
                // Nobody was asked, so nothing is known.
                if step == Work::Call {
                    task.result.get_or_insert(Outcome::Unknown);
                }
            });
        }
    }

    fn has_work(&self, state: &State, id: ActorId, task: &Task, step: Work) -> bool {
        match step {
            Work::Check | Work::Intent | Work::Cancel => true,
            Work::LookUp => self.gateway.finds_payments(),
            Work::Call if task.result.is_some() => false,
            Work::Call if task.plan == Plan::Resolve => self.may_call_again(state, task.operation),
            Work::Call if self.calls_in_event_handler(task) => state.is_awaited_by(id),
            Work::Call => true,
            Work::Outcome => self.has_news(&state.actor(id).memory, task),
            // Who was told that it takes longer need not hear it again.
            Work::Reply => task.plan != Plan::Resolve || task.result != Some(Outcome::Unknown),
        }
    }

    /// Whether the result says more than the records.
    fn has_news(&self, memory: &Memory, task: &Task) -> bool {
        match (outcome_of(task.result), memory.status(task.operation)) {
            (Outcome::Done(_), status) => !matches!(status, Status::Completed(_)),
            (Outcome::Failed | Outcome::Unknown, _) if self.status == Statuses::Bool => false,
            (Outcome::Failed, status) => status != Status::Failed,
            (Outcome::Unknown, status) => status != Status::Unknown,
        }
    }

    pub(super) fn calls_in_event_handler(&self, task: &Task) -> bool {
        self.call_in != CallIn::Step && task.plan == Plan::Handler
    }

    /// What is done is not done again, and what is open is not begun a second time.
    fn check(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let memory = state.actor(id).memory;
        let known = match memory.charge() {
            _ if memory.cancelled => Some(Outcome::Failed),
            Status::Completed(receipt) => Some(Outcome::Done(receipt)),
            Status::Pending | Status::Unknown => Some(Outcome::Unknown),
            // Failed is the end, unless it is only a name for not knowing.
            Status::Failed if self.ambiguous != Ambiguous::Failed => Some(Outcome::Failed),
            Status::NotRequested | Status::Failed => None,
        };
        observer.see(|| {
            note(
                id,
                Mark::Note,
                text::EFFECT_STATUS.with([view::status(memory.charge()).into()]),
            )
        });
        let Some(mut task) = state.actor(id).task() else {
            return;
        };
        task.next += 1;
        if known.is_some() {
            task.result = known;
            while !matches!(self.next_step(&task), None | Some(Work::Reply)) {
                task.next += 1;
            }
        }
        state.actor_mut(id).set_task(Some(task));
    }

    /// Records that the operation is about to be requested, before it is.
    fn persist_intent(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let Some(task) = state.actor(id).task() else {
            return;
        };
        let event = self.intent(state, id, task.operation);
        state.count_key(event);
        if self.is_staged(task.operation) {
            let actor = state.actor_mut(id);
            actor.stage(Some(event));
            self.apply(&mut actor.memory, event);
            let staged = text::EFFECT_STAGED.with([view::event(event).into()]);
            observer.see(|| note(id, Mark::Staged, staged));
        } else if !self.append(state, id, event, observer) {
            return;
        }
        advance(state, id);
        if task.operation == Operation::Charge && self.call_in != CallIn::Step {
            self.send_charge(state, id, true, observer);
        }
    }

    /// Lets the executor call the gateway, and waits for the result.
    fn call(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let Some(task) = state.actor(id).task() else {
            return;
        };
        if !self.calls_in_event_handler(&task) {
            // However long ago the step before was: a key is not used once the gateway may have
            // forgotten it.
            if self.is_key_too_old(state, task.operation) {
                return self.conclude(state, id, Outcome::Unknown);
            }
            let Ok(key) = self.key_of(state, id, task.operation) else {
                return self.conclude(state, id, Outcome::Unknown);
            };
            send(state, id, task.operation, Ask::Execute, key, true, observer);
        }
        self.wait(state, id);
    }

    /// Calls the gateway from the event handler of the intent.
    pub(super) fn send_charge(
        &self,
        state: &mut State,
        id: ActorId,
        awaited: bool,
        observer: &mut impl Observer,
    ) {
        if let Ok(key) = self.key_of(state, id, Operation::Charge) {
            send(
                state,
                id,
                Operation::Charge,
                Ask::Execute,
                key,
                awaited,
                observer,
            );
        }
    }

    fn look_up(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let Some(task) = state.actor(id).task() else {
            return;
        };
        let key = match task.operation {
            Operation::Charge => state.actor(id).memory.key,
            Operation::Refund => None,
        };
        let key = key.or_else(|| self.known_key(task.operation));
        send(state, id, task.operation, Ask::LookUp, key, true, observer);
        self.wait(state, id);
    }

    fn wait(&self, state: &mut State, id: ActorId) {
        state.actor_mut(id).change_task(|task| task.waiting = true);
    }

    /// Records how it ended: the only thing that a later incarnation will know.
    fn persist_outcome(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        match self.next_write(state, id) {
            Some(event) => {
                if !self.append(state, id, event, observer) {
                    return;
                }
            }
            None => self.set_flag(state, id, observer),
        }
        let actor = state.actor_mut(id);
        if !actor.memory.is_open() {
            actor.rounds = 0;
        }
        advance(state, id);
    }

    /// Keeps the outcome where only a snapshot saves it.
    fn set_flag(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        debug_assert_eq!(self.record, Record::Flag);
        let actor = state.actor_mut(id);
        let Some(task) = actor.task() else {
            return;
        };
        let event = Event::Settled(task.operation, outcome_of(task.result));
        self.apply(&mut actor.memory, event);
        observer.see(|| {
            note(
                id,
                Mark::Volatile,
                text::EFFECT_FLAG.with([view::event(event).into()]),
            )
        });
        self.save_snapshot(state, id);
    }

    /// Answers the customer. The answer arrives, or is lost.
    pub(super) fn reply(
        &self,
        state: &mut State,
        id: ActorId,
        arrives: bool,
        observer: &mut impl Observer,
    ) {
        let actor = state.actor(id);
        let Some(task) = actor.task() else {
            return;
        };
        let told = match task.result {
            _ if actor.memory.cancelled || task.plan == Plan::Cancel => Told::Cancelled,
            None | Some(Outcome::Done(_)) => Told::Paid,
            Some(Outcome::Failed) => Told::Failed,
            Some(Outcome::Unknown) => Told::Pending,
        };
        observer.see(|| Effect::Passed {
            from: lane_of(id),
            to: CUSTOMER,
            label: view::told(told),
            lost: !arrives,
        });
        if arrives {
            state.customer.hear(told);
        }
        advance(state, id);
    }

    /// Whether a cancel that finds nothing to cancel leaves no trace.
    pub(super) fn ignores_cancel(&self, memory: &Memory) -> bool {
        memory.charge() == Status::NotRequested && self.early_cancel == EarlyCancel::Forgotten
            || memory.cancelled
    }

    fn take_cancel(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        match self.next_write(state, id) {
            Some(event) => {
                if !self.append(state, id, event, observer) {
                    return;
                }
            }
            None => observer.see(|| note(id, Mark::Note, text::EFFECT_NOTHING_TO_CANCEL.label())),
        }
        advance(state, id);
    }

    /// What an idle actor goes on with by itself, if anything.
    pub(super) fn resumes(&self, state: &State, id: ActorId) -> Option<Task> {
        let actor = state.actor(id);
        // Of two web nodes, one runs the job that takes up what is open.
        let is_jobless = id == 1 && self.paths == Paths::TwoNodes;
        if actor.life != Life::Up || actor.is_at_work() || is_jobless {
            return None;
        }
        let memory = self.view(state, id);
        let has_rounds = self.retries == Retries::Endless || actor.rounds < rounds_max(id);
        let take_up = |operation, from_the_top| match self.recovery {
            Recovery::Nothing => None,
            Recovery::Restart => Some(from_the_top),
            Recovery::Resolve => {
                let can = self.gateway.finds_payments() || self.may_call_again(state, operation);
                can.then_some(Plan::Resolve)
            }
        };
        let (operation, plan) = if memory.charge().is_open() {
            let plan = take_up(Operation::Charge, Plan::Handler).filter(|_| has_rounds);
            (Operation::Charge, plan)
        } else if memory.cancelled && matches!(memory.charge(), Status::Completed(_)) {
            let plan = match memory.refund() {
                Status::NotRequested => Some(Plan::Refund),
                open if open.is_open() => {
                    take_up(Operation::Refund, Plan::Refund).filter(|_| has_rounds)
                }
                _ => None,
            };
            (Operation::Refund, plan)
        } else {
            return None;
        };
        plan.map(|plan| Task::new(plan, operation))
    }

    fn resume(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let Some(task) = self.resumes(state, id) else {
            return;
        };
        let is_open = self.view(state, id).status(task.operation).is_open();
        if is_open && self.retries == Retries::Bounded {
            state.actor_mut(id).rounds += 1;
        }
        observer.see(|| note(id, Mark::Note, view::plan(task.plan)));
        self.begin(state, id, task);
    }

    /// The event that a failing write of the next step would have written.
    pub(super) fn fail_next_write(
        &self,
        state: &mut State,
        id: ActorId,
        how: WriteFault,
        observer: &mut impl Observer,
    ) {
        if let Some(event) = self.next_write(state, id) {
            self.fail_write(state, id, event, how, observer);
        }
    }
}

/// Sends a message to the executor; without room for it in the network it is lost.
fn send(
    state: &mut State,
    actor: ActorId,
    operation: Operation,
    ask: Ask,
    key: Option<Key>,
    awaited: bool,
    observer: &mut impl Observer,
) {
    let call = Call {
        operation,
        ask,
        key,
        actor,
        awaited,
        connected: true,
        hop: Hop::ToExecutor,
    };
    let message = view::message(&call);
    observer.see(|| Effect::Sent {
        message,
        from: lane_of(actor),
        to: EXECUTOR,
        label: view::request(&call),
    });
    if !state.has_free_call() {
        observer.see(|| Effect::Lost { message });
    }
    state.add_call(call);
}

/// A second incarnation takes up what is open only once: long enough to do harm.
fn rounds_max(id: ActorId) -> u8 {
    match id {
        0 => ROUNDS_MAX,
        _ => 1,
    }
}

pub fn advance(state: &mut State, id: ActorId) {
    state.actor_mut(id).change_task(|task| task.next += 1);
}

pub fn note(id: ActorId, mark: Mark, label: Label) -> Effect {
    Effect::Marked {
        lane: lane_of(id),
        mark,
        label: Some(label),
    }
}
