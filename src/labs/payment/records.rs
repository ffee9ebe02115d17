//! The journal: what events mean, what a write checks, and what recovery rebuilds.

use super::journal::Snapshot;
use super::plan::{Outcome, Work};
use super::settings::{
    Append, CallIn, Completion, Gateway, Guard, KeyPolicy, OldKey, Paths, Payment, Record, Refund,
    Snapshots, Statuses,
};
use super::state::{Actor, ActorId, Event, KEYS_MAX, Key, Life, Memory, Operation, State, Status};
use super::view::{self, JOURNAL, lane_of};
use super::{WriteFault, text};
use crate::machine::{Effect, Mark, Observer};

impl Payment {
    /// The event handler: what one more event means. It changes the state in memory, and nothing
    /// in the world.
    pub fn apply(&self, memory: &mut Memory, event: Event) {
        match event {
            Event::Requested(operation, key) => {
                memory.key = key.or(memory.key);
                self.set_status(memory, operation, Status::Pending);
            }
            Event::Settled(operation, outcome) => {
                if self.key == KeyPolicy::DeletedOnFailure && !matches!(outcome, Outcome::Done(_)) {
                    memory.key = None;
                }
                let status = match outcome {
                    Outcome::Done(receipt) => Status::Completed(receipt),
                    Outcome::Failed => Status::Failed,
                    Outcome::Unknown => Status::Unknown,
                };
                self.set_status(memory, operation, status);
            }
            Event::Cancelled => memory.cancelled = true,
        }
    }

    fn set_status(&self, memory: &mut Memory, operation: Operation, next: Status) {
        let status = memory.status(operation);
        let is_completed = matches!(status, Status::Completed(_));
        if is_completed && self.completion == Completion::Kept {
            return;
        }
        let next = match (self.status, next) {
            (Statuses::Five, next) | (Statuses::Bool, next @ Status::Completed(_)) => next,
            // "Not paid" is all that a bool can say.
            (Statuses::Bool, _) => Status::NotRequested,
        };
        memory.set_status(operation, next);
    }

    /// What recovery rebuilds: the snapshot if there is one, and the events after it.
    pub fn recovered(&self, state: &State) -> Memory {
        let start = state.snapshot().unwrap_or_default();
        let mut memory = start.memory;
        let later = state.journal.iter().skip(start.seen.into());
        later.for_each(|event| self.apply(&mut memory, event));
        memory
    }

    /// What an actor goes by: its memory, or for an idle web node what it would load.
    pub fn view(&self, state: &State, id: ActorId) -> Memory {
        let actor = state.actor(id);
        match self.paths == Paths::TwoNodes && !actor.is_at_work() {
            true => self.recovered(state),
            false => actor.memory,
        }
    }

    /// A web node loads what it needs when it begins, since it keeps nothing in between.
    pub fn load(&self, state: &mut State, id: ActorId) {
        if self.paths == Paths::TwoNodes {
            let memory = self.recovered(state);
            let seen = state.journal.len();
            let actor = state.actor_mut(id);
            actor.memory = memory;
            actor.seen = seen;
        }
    }

    /// Rebuilds the state from the events. Where the call to the gateway stands in the event
    /// handler, this is where it is made once more.
    pub fn recover(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let memory = self.recovered(state);
        let seen = state.journal.len();
        let actor = state.actor_mut(id);
        *actor = Actor::new(Life::Up);
        (actor.memory, actor.seen) = (memory, seen);
        observer.see(|| Effect::Passed {
            from: JOURNAL,
            to: lane_of(id),
            label: text::EFFECT_REPLAY.with([view::number(seen)]),
            lost: false,
        });
        let first = state.snapshot().map_or(0, |snapshot| snapshot.seen);
        let journal = state.journal;
        for (place, event) in (0..).zip(journal.iter()).skip(first.into()) {
            let calls = match self.call_in {
                CallIn::EveryEvent => true,
                CallIn::LiveAndLast => place + 1 == seen,
                CallIn::Step | CallIn::LiveEvents => false,
            };
            if calls && matches!(event, Event::Requested(Operation::Charge, _)) {
                self.send_charge(state, id, false, observer);
            }
        }
    }

    /// Whether a write of this actor would be refused because others have written since it looked.
    pub fn conflicts(&self, state: &State, id: ActorId) -> bool {
        let seen = state.actor(id).seen;
        let is_stale = seen != state.journal.len();
        match self.append {
            Append::ExpectedVersion => is_stale,
            Append::ZeroIsAny => is_stale && seen != 0,
            Append::Unchecked => false,
        }
    }

    /// Appends the event, and before it what the open transaction holds. `false` if the journal
    /// refuses; whoever writes then stops, or its request fails.
    pub fn append(
        &self,
        state: &mut State,
        id: ActorId,
        event: Event,
        observer: &mut impl Observer,
    ) -> bool {
        if self.conflicts(state, id) {
            observer.see(|| appends(id));
            observer.see(|| Effect::Marked {
                lane: JOURNAL,
                mark: Mark::Refused,
                label: Some(text::EFFECT_CONFLICT.label()),
            });
            self.stop(state, id, observer);
            return false;
        }
        let staged = state.actor(id).staged();
        if !state.journal.has_room(1 + usize::from(staged.is_some())) {
            self.fail_write(state, id, event, WriteFault::Rejected, observer);
            return false;
        }
        self.store(state, id, event, observer);
        let len = state.journal.len();
        let actor = state.actor_mut(id);
        actor.seen = len;
        actor.stage(None);
        self.apply(&mut actor.memory, event);
        self.save_snapshot(state, id);
        true
    }

    fn store(&self, state: &mut State, id: ActorId, event: Event, observer: &mut impl Observer) {
        let staged = state.actor(id).staged();
        for event in staged.into_iter().chain([event]) {
            state.journal.push(event);
        }
        observer.see(|| appends(id));
        observer.see(|| Effect::Marked {
            lane: JOURNAL,
            mark: Mark::Durable,
            label: Some(view::event(event)),
        });
    }

    pub fn save_snapshot(&self, state: &mut State, id: ActorId) {
        let actor = state.actor(id);
        let snapshot = Snapshot {
            seen: actor.seen,
            memory: actor.memory,
        };
        match (self.snapshots, state.snapshot()) {
            (Snapshots::None, _) | (Snapshots::Stale, Some(_)) => {}
            (Snapshots::Current, _) | (Snapshots::Stale, None) => {
                state.set_snapshot(Some(snapshot))
            }
        }
    }

    /// A write that fails. Where nobody knows whether the event was stored the actor stops, since
    /// going on could contradict the journal; where the event was refused for certain it goes on,
    /// and the step after the write does not run (Akka.NET: `OnPersistFailure` always stops the
    /// actor, `OnPersistRejected` does not).
    pub fn fail_write(
        &self,
        state: &mut State,
        id: ActorId,
        event: Event,
        how: WriteFault,
        observer: &mut impl Observer,
    ) {
        match how {
            WriteFault::Stored => {
                state.count_key(event);
                self.store(state, id, event, observer);
            }
            WriteFault::Lost | WriteFault::Rejected => observer.see(|| Effect::Passed {
                from: lane_of(id),
                to: JOURNAL,
                label: view::event(event),
                lost: true,
            }),
        }
        match how {
            WriteFault::Stored | WriteFault::Lost => self.stop(state, id, observer),
            WriteFault::Rejected => {
                state.actor_mut(id).stage(None);
                state.stop_awaiting(id);
                self.finish(state, id);
                observer.see(|| Effect::Marked {
                    lane: lane_of(id),
                    mark: Mark::Refused,
                    label: Some(text::EFFECT_REJECTED.label()),
                });
            }
        }
    }

    /// A crash, or a stop that its supervisor will answer: what was in memory is gone. A web node
    /// survives a failed write; only its request is gone.
    pub fn stop(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        state.stop_awaiting(id);
        if self.paths == Paths::TwoNodes {
            state.actor_mut(id).stage(None);
            return self.finish(state, id);
        }
        self.go_down(state, id, observer);
    }

    /// An actor lies still until its supervisor starts it again. Nobody does that for a second
    /// incarnation that should not have been; what is on its way to that one is lost.
    pub fn go_down(&self, state: &mut State, id: ActorId, observer: &mut impl Observer) {
        let is_extra = self.paths == Paths::One && id == 1;
        let life = if is_extra {
            Life::NotStarted
        } else {
            Life::Down
        };
        *state.actor_mut(id) = Actor::new(life);
        observer.see(|| Effect::Down { lane: lane_of(id) });
        while is_extra && state.customer.pays[1] > 0 {
            self.lose_pay(state, id, observer);
        }
    }

    /// The event that the actor's next step writes to the journal, if it writes one.
    pub fn next_write(&self, state: &State, id: ActorId) -> Option<Event> {
        let actor = state.actor(id);
        let task = actor.task().filter(|task| !task.waiting)?;
        match self.next_step(&task)? {
            Work::Intent if self.is_staged(task.operation) => None,
            Work::Intent => Some(self.intent(state, id, task.operation)),
            Work::Outcome => {
                let is_event = self.record == Record::Event || task.operation == Operation::Refund;
                is_event.then(|| Event::Settled(task.operation, outcome_of(task.result)))
            }
            Work::Cancel if self.ignores_cancel(&actor.memory) => None,
            Work::Cancel => Some(Event::Cancelled),
            Work::Check | Work::Call | Work::Reply | Work::LookUp => None,
        }
    }

    /// Whether an intent is written in a transaction that stays open.
    pub fn is_staged(&self, operation: Operation) -> bool {
        self.guard == Guard::OpenTransaction && operation == Operation::Charge
    }

    /// The intent, with the key if that cannot be derived from the order.
    pub fn intent(&self, state: &State, id: ActorId, operation: Operation) -> Event {
        let has_row = self.key == KeyPolicy::DeletedOnFailure
            && operation == Operation::Charge
            && self.gateway.takes_keys();
        let row = || state.actor(id).memory.key.or_else(|| fresh_key(state));
        Event::Requested(operation, has_row.then(row).flatten())
    }

    /// The key under which an operation is sent; `Err` if a new one would be needed and there are
    /// no more.
    pub fn key_of(
        &self,
        state: &mut State,
        id: ActorId,
        operation: Operation,
    ) -> Result<Option<Key>, NoMoreKeys> {
        if !self.gateway.takes_keys() {
            return Ok(None);
        }
        if operation == Operation::Refund {
            return Ok(Some(match self.refund {
                Refund::OwnId => FIRST_KEY,
                Refund::NewId => NEW_REFUND,
            }));
        }
        let known = match self.key {
            KeyPolicy::None => return Ok(None),
            KeyPolicy::Stable | KeyPolicy::Coarse => Some(FIRST_KEY),
            KeyPolicy::DeletedOnFailure => state.actor(id).memory.key,
            KeyPolicy::PerAttempt => None,
        };
        if known.is_some() {
            return Ok(known);
        }
        let made = fresh_key(state).ok_or(NoMoreKeys)?;
        state.keys_made = made.get();
        if self.key == KeyPolicy::DeletedOnFailure {
            state.actor_mut(id).memory.key = Some(made);
        }
        Ok(Some(made))
    }

    /// The key of an operation where it can be derived from the order.
    pub fn known_key(&self, operation: Operation) -> Option<Key> {
        let is_derived = match operation {
            Operation::Charge => matches!(self.key, KeyPolicy::Stable | KeyPolicy::Coarse),
            Operation::Refund => self.refund == Refund::OwnId,
        };
        (is_derived && self.gateway.takes_keys()).then_some(FIRST_KEY)
    }

    /// Whether an open operation may be sent again: there must be a key by which the gateway
    /// recognises it, and one that it still remembers.
    pub fn may_call_again(&self, state: &State, operation: Operation) -> bool {
        let has_key = operation == Operation::Refund || self.key != KeyPolicy::None;
        self.gateway.takes_keys() && has_key && !self.is_key_too_old(state, operation)
    }

    /// Whether the retention that the gateway has published is over.
    pub fn is_key_too_old(&self, state: &State, operation: Operation) -> bool {
        state.gateway.is_expired(operation) && self.old_key == OldKey::NotUsed
    }

    /// Whether a 5xx under a key is the gateway's last word on it.
    pub fn stores_errors(&self) -> bool {
        self.gateway == Gateway::FirstAnswer
    }
}

/// More attempts than there are keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMoreKeys;

/// The key that is derived from the order; also the id of its refund.
pub const FIRST_KEY: Key = Key::MIN;
/// Stands for a refund id that nobody has used before and nobody will use again.
pub const NEW_REFUND: Key = Key::MAX;

fn fresh_key(state: &State) -> Option<Key> {
    let next = state.keys_made + 1;
    Key::new(next).filter(|_| usize::from(next) <= KEYS_MAX)
}

fn appends(id: ActorId) -> Effect {
    Effect::Passed {
        from: lane_of(id),
        to: JOURNAL,
        label: text::EFFECT_APPEND.label(),
        lost: false,
    }
}

/// A step that does not know the result yet takes it for a success.
pub fn outcome_of(result: Option<Outcome>) -> Outcome {
    result.unwrap_or(Outcome::Done(0))
}
