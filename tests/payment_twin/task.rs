//! What an actor does, step by step.

use super::Twin;
use super::design::{Ambiguous, KeySource, Recovery};
use super::state::{
    A, Asks, B, Call, Event, KEYS_MAX, Key, Memory, Operation, Outcome, Place, Plan, RETRIES_MAX,
    State, Status, Step, Task, Told,
};

const RESOLVE: &[Step] = &[Step::LookUp, Step::Call, Step::Outcome, Step::Reply];
const SETTLE: &[Step] = &[Step::Outcome, Step::Reply];
const CANCEL: &[Step] = &[Step::Cancel, Step::Reply];
const REFUND: &[Step] = &[Step::Intent, Step::Call, Step::Outcome, Step::Reply];

impl Task {
    pub(super) fn new(operation: Operation, plan: Plan) -> Task {
        Task {
            operation,
            plan,
            place: 0,
            waits: false,
            result: None,
            retries: 0,
        }
    }

    /// A result of none counts as done.
    fn outcome(&self) -> Outcome {
        self.result.unwrap_or(Outcome::Done(0))
    }
}

impl Twin {
    fn step_at(&self, plan: Plan, place: u8) -> Option<Step> {
        let steps = match plan {
            Plan::Handler => return self.design.handler_step(place),
            Plan::Resolve => RESOLVE,
            Plan::Settle => SETTLE,
            Plan::Cancel => CANCEL,
            Plan::Refund => REFUND,
        };
        steps.get(usize::from(place)).copied()
    }

    /// The step that an actor takes next of its own accord.
    pub(super) fn next_step(&self, state: &State, who: usize) -> Option<Step> {
        let task = state.actors[who].task.filter(|task| !task.waits)?;
        self.step_at(task.plan, task.place)
    }

    pub(super) fn begin(&self, state: &mut State, who: usize, task: Task) {
        if self.design.two_nodes {
            self.load(state, who);
        }
        state.actors[who].task = Some(task);
        self.settle_in(state, who);
    }

    /// Passes over the steps that have nothing to do.
    pub(super) fn settle_in(&self, state: &mut State, who: usize) {
        while let Some(mut task) = state.actors[who].task.filter(|task| !task.waits) {
            let Some(step) = self.step_at(task.plan, task.place) else {
                return self.finish(state, who);
            };
            if self.has_something_to_do(state, who, &task, step) {
                return;
            }
            if step == Step::Call && task.result.is_none() {
                task.result = Some(Outcome::Unknown);
            }
            task.place += 1;
            state.actors[who].task = Some(task);
        }
    }

    fn has_something_to_do(&self, state: &State, who: usize, task: &Task, step: Step) -> bool {
        match step {
            Step::Check | Step::Intent | Step::Cancel => true,
            Step::LookUp => self.design.gateway.finds_payments(),
            Step::Call if task.result.is_some() => false,
            Step::Call if task.plan == Plan::Resolve => {
                self.may_be_called_again(state, task.operation)
            }
            Step::Call if self.leaves_call_to_event_handler(task) => {
                state.calls.is_one_awaited_by(who)
            }
            Step::Call => true,
            Step::Outcome => {
                let status = state.actors[who].memory.status(task.operation);
                self.says_more(task.outcome(), status)
            }
            Step::Reply => task.plan != Plan::Resolve || task.result != Some(Outcome::Unknown),
        }
    }

    fn says_more(&self, outcome: Outcome, status: Status) -> bool {
        match outcome {
            Outcome::Done(_) => !status.is_completed(),
            Outcome::Failed => !self.design.status_is_bool && status != Status::Failed,
            Outcome::Unknown => !self.design.status_is_bool && status != Status::Unknown,
        }
    }

    fn leaves_call_to_event_handler(&self, task: &Task) -> bool {
        task.plan == Plan::Handler && self.design.calls_in_event_handler()
    }

    pub(super) fn finish(&self, state: &mut State, who: usize) {
        let actor = &mut state.actors[who];
        actor.task = None;
        actor.burnt &= actor.memory.has_open_operation();
        if self.design.two_nodes {
            actor.memory = Memory::default();
            actor.seen = 0;
            actor.staged = None;
        }
    }

    /// Moves the task of an actor on.
    fn change_task(&self, state: &mut State, who: usize, change: impl FnOnce(&mut Task)) {
        change(state.actors[who].task.as_mut().expect("a task"));
        self.settle_in(state, who);
    }

    fn go_on(&self, state: &mut State, who: usize) {
        self.change_task(state, who, |task| task.place += 1);
    }

    pub(super) fn conclude(&self, state: &mut State, who: usize, result: Outcome) {
        self.change_task(state, who, |task| {
            task.waits = false;
            task.result = Some(result);
            task.place += 1;
        });
    }

    /// Leaves a wait without a result.
    pub(super) fn pass_on(&self, state: &mut State, who: usize) {
        self.change_task(state, who, |task| {
            task.waits = false;
            task.place += 1;
        });
    }

    /// Takes the next step; with `told`, the customer hears a reply.
    pub(super) fn take_step(&self, state: &mut State, who: usize, told: bool) {
        let step = self.next_step(state, who).expect("a step");
        let task = state.actors[who].task.expect("a task");
        match step {
            Step::Check => self.check(state, who, task),
            Step::Intent => self.write_intent(state, who, task),
            Step::Call => self.call(state, who, task),
            Step::LookUp => self.look_up(state, who, task),
            Step::Outcome => self.write_outcome(state, who, task),
            Step::Reply => {
                if told {
                    self.reply(state, who, task);
                }
                self.go_on(state, who);
            }
            Step::Cancel => self.write_cancel(state, who),
        }
    }

    fn check(&self, state: &mut State, who: usize, task: Task) {
        let memory = &state.actors[who].memory;
        let known = match memory.charge {
            _ if memory.cancelled => Some(Outcome::Failed),
            Status::Completed(receipt) => Some(Outcome::Done(receipt)),
            Status::Pending | Status::Unknown => Some(Outcome::Unknown),
            Status::Failed if self.design.ambiguous != Ambiguous::Failed => Some(Outcome::Failed),
            Status::Failed | Status::NotRequested => None,
        };
        let mut place = task.place + 1;
        if known.is_some() {
            let is_before_reply = |step| step != Step::Reply;
            while self.step_at(task.plan, place).is_some_and(is_before_reply) {
                place += 1;
            }
        }
        self.change_task(state, who, |task| {
            task.place = place;
            task.result = known.or(task.result);
        });
    }

    /// The event that an intent writes; it may need a fresh key.
    fn requested(&self, state: &mut State, who: usize, operation: Operation) -> Event {
        let has_key = self.design.has_key_row()
            && self.design.gateway.takes_keys()
            && operation == Operation::Charge;
        let key = match state.actors[who].memory.key {
            _ if !has_key => Key::None,
            Key::None => fresh_key(state).unwrap_or(Key::None),
            key => key,
        };
        Event::Requested(operation, key)
    }

    fn write_intent(&self, state: &mut State, who: usize, task: Task) {
        let event = self.requested(state, who, task.operation);
        if self.is_staged(task.operation) {
            let actor = &mut state.actors[who];
            actor.staged = Some(event);
            self.apply(&mut actor.memory, event);
        } else if !self.append(state, who, event) {
            return;
        }
        if self.design.calls_in_event_handler() && task.operation == Operation::Charge {
            self.send_charge_from_event_handler(state, who, true);
        }
        self.go_on(state, who);
    }

    fn is_staged(&self, operation: Operation) -> bool {
        self.design.intent_is_staged && operation == Operation::Charge
    }

    pub(super) fn send_charge_from_event_handler(
        &self,
        state: &mut State,
        who: usize,
        awaited: bool,
    ) {
        if let Some(key) = self.key_to_call_with(state, who, Operation::Charge) {
            send(state, who, (Operation::Charge, Asks::Execute), key, awaited);
        }
    }

    fn call(&self, state: &mut State, who: usize, task: Task) {
        if !self.leaves_call_to_event_handler(&task) {
            if self.is_key_too_old(state, task.operation) {
                return self.conclude(state, who, Outcome::Unknown);
            }
            let Some(key) = self.key_to_call_with(state, who, task.operation) else {
                return self.conclude(state, who, Outcome::Unknown);
            };
            send(state, who, (task.operation, Asks::Execute), key, true);
        }
        self.change_task(state, who, |task| task.waits = true);
    }

    fn look_up(&self, state: &mut State, who: usize, task: Task) {
        let key = match state.actors[who].memory.key {
            key if key != Key::None && task.operation == Operation::Charge => key,
            _ if self.design.has_derived_key(task.operation) => Key::Number(1),
            _ => Key::None,
        };
        send(state, who, (task.operation, Asks::LookUp), key, true);
        self.change_task(state, who, |task| task.waits = true);
    }

    fn write_outcome(&self, state: &mut State, who: usize, task: Task) {
        let event = Event::Settled(task.operation, task.outcome());
        if self.is_flag(task.operation) {
            self.apply(&mut state.actors[who].memory, event);
            self.save_snapshot(state, who);
        } else if !self.append(state, who, event) {
            return;
        }
        let actor = &mut state.actors[who];
        if !actor.memory.has_open_operation() {
            actor.rounds = 0;
        }
        self.go_on(state, who);
    }

    fn is_flag(&self, operation: Operation) -> bool {
        self.design.outcome_is_a_flag && operation == Operation::Charge
    }

    fn reply(&self, state: &mut State, who: usize, task: Task) {
        let is_cancelled = state.actors[who].memory.cancelled || task.plan == Plan::Cancel;
        let says = match task.outcome() {
            _ if is_cancelled => Told::Cancelled,
            Outcome::Done(_) => Told::Paid,
            Outcome::Failed => Told::Failed,
            Outcome::Unknown => Told::Pending,
        };
        let told = &mut state.customer.told;
        *told = match (*told, says) {
            (Told::Cancelled, _) => Told::Cancelled,
            (Told::Nothing, Told::Pending) => Told::Pending,
            (known, Told::Pending) => known,
            (_, says) => says,
        };
    }

    fn write_cancel(&self, state: &mut State, who: usize) {
        if !self.needs_no_cancelled(state, who) && !self.append(state, who, Event::Cancelled) {
            return;
        }
        self.go_on(state, who);
    }

    fn needs_no_cancelled(&self, state: &State, who: usize) -> bool {
        let memory = &state.actors[who].memory;
        let is_early = memory.charge == Status::NotRequested;
        memory.cancelled || is_early && self.design.early_cancel_is_forgotten
    }

    /// Whether the next step of an actor writes to the journal.
    pub(super) fn writes_next(&self, state: &State, who: usize) -> bool {
        let Some(step) = self.next_step(state, who) else {
            return false;
        };
        let task = state.actors[who].task.expect("a task");
        match step {
            Step::Intent => !self.is_staged(task.operation),
            Step::Outcome => !self.is_flag(task.operation),
            Step::Cancel => !self.needs_no_cancelled(state, who),
            Step::Check | Step::Call | Step::LookUp | Step::Reply => false,
        }
    }

    /// The event that the next step writes.
    pub(super) fn event_to_write(&self, state: &mut State, who: usize) -> Event {
        let task = state.actors[who].task.expect("a task");
        match self.next_step(state, who) {
            Some(Step::Intent) => self.requested(state, who, task.operation),
            Some(Step::Outcome) => Event::Settled(task.operation, task.outcome()),
            _ => Event::Cancelled,
        }
    }

    /// There was no answer, or none that says what happened.
    pub(super) fn ambiguous(&self, state: &mut State, who: usize) {
        let actor = &mut state.actors[who];
        let task = actor.task.expect("a task");
        if self.design.has_key_row() && task.operation == Operation::Charge {
            actor.memory.key = Key::None;
        }
        let gives_up = task.plan == Plan::Resolve || self.has_no_retry_left(&task);
        match self.design.ambiguous {
            Ambiguous::Failed if task.plan != Plan::Resolve => {
                self.conclude(state, who, Outcome::Failed);
            }
            Ambiguous::Retry if !gives_up => self.change_task(state, who, |task| {
                task.waits = false;
                task.retries += u8::from(self.design.retries_are_bounded);
            }),
            _ => self.conclude(state, who, Outcome::Unknown),
        }
    }

    fn has_no_retry_left(&self, task: &Task) -> bool {
        let has_made_all = task.retries >= RETRIES_MAX;
        self.design.retries_are_bounded && has_made_all || self.leaves_call_to_event_handler(task)
    }

    /// The key of a call to execute; `None` if it would have to be made and cannot.
    fn key_to_call_with(&self, state: &mut State, who: usize, operation: Operation) -> Option<Key> {
        if !self.design.gateway.takes_keys() {
            return Some(Key::None);
        }
        match (operation, self.design.key) {
            (Operation::Refund, _) if self.design.refund_has_new_id => Some(Key::Once),
            (Operation::Refund, _) => Some(Key::Number(1)),
            (_, KeySource::None) => Some(Key::None),
            (_, KeySource::Stable | KeySource::Coarse) => Some(Key::Number(1)),
            (_, KeySource::PerAttempt) => fresh_key(state),
            (_, KeySource::DeletedOnFailure) => {
                if state.actors[who].memory.key == Key::None {
                    state.actors[who].memory.key = fresh_key(state)?;
                }
                Some(state.actors[who].memory.key)
            }
        }
    }

    pub(super) fn is_key_too_old(&self, state: &State, operation: Operation) -> bool {
        !self.design.old_key_is_used && state.books.is_key_expired(operation)
    }

    fn may_be_called_again(&self, state: &State, operation: Operation) -> bool {
        let always_has_key = operation == Operation::Refund || self.design.key != KeySource::None;
        self.design.gateway.takes_keys() && !self.is_key_too_old(state, operation) && always_has_key
    }

    /// The task that an actor without one takes up of its own accord.
    pub(super) fn what_to_take_up(&self, state: &State, who: usize) -> Option<Task> {
        if !state.actors[who].is_idle() || self.design.two_nodes && who == B {
            return None;
        }
        let view = self.view(state, who);
        if view.charge.is_open() {
            return self.open_to_take_up(state, who, Operation::Charge, Plan::Handler);
        }
        let is_refund_due = view.cancelled && view.charge.is_completed();
        match view.refund {
            _ if !is_refund_due => None,
            Status::NotRequested => Some(Task::new(Operation::Refund, Plan::Refund)),
            refund if refund.is_open() => {
                self.open_to_take_up(state, who, Operation::Refund, Plan::Refund)
            }
            _ => None,
        }
    }

    fn open_to_take_up(
        &self,
        state: &State,
        who: usize,
        operation: Operation,
        first_plan: Plan,
    ) -> Option<Task> {
        let rounds_max = if who == A { 2 } else { 1 };
        if self.design.retries_are_bounded && state.actors[who].rounds >= rounds_max {
            return None;
        }
        let can_resolve =
            self.design.gateway.finds_payments() || self.may_be_called_again(state, operation);
        match self.design.recovery {
            Recovery::Restart => Some(Task::new(operation, first_plan)),
            Recovery::Resolve if can_resolve => Some(Task::new(operation, Plan::Resolve)),
            Recovery::Resolve | Recovery::Nothing => None,
        }
    }

    pub(super) fn take_up(&self, state: &mut State, who: usize) {
        let task = self.what_to_take_up(state, who).expect("a task");
        let is_open = self.view(state, who).status(task.operation).is_open();
        if is_open && self.design.retries_are_bounded {
            state.actors[who].rounds += 1;
        }
        self.begin(state, who, task);
    }
}

fn fresh_key(state: &mut State) -> Option<Key> {
    if usize::from(state.keys_made) >= KEYS_MAX {
        return None;
    }
    state.keys_made += 1;
    Some(Key::Number(state.keys_made))
}

fn send(state: &mut State, who: usize, what: (Operation, Asks), key: Key, awaited: bool) {
    let (operation, asks) = what;
    state.calls.push(Call {
        operation,
        asks,
        key,
        actor: who as u8,
        awaited,
        connected: true,
        place: Place::ToExecutor,
    });
}
