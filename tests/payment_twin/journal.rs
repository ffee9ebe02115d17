//! Events, the journal, and what an actor makes of them.

use super::Twin;
use super::design::{Append, Snapshots};
use super::state::{
    Actor, B, Event, Key, Life, Memory, Operation, Outcome, Snapshot, State, Status,
};

impl Twin {
    pub(super) fn apply(&self, memory: &mut Memory, event: Event) {
        match event {
            Event::Requested(operation, key) => {
                if key != Key::None {
                    memory.key = key;
                }
                self.set_status(memory, operation, Status::Pending);
            }
            Event::Settled(operation, outcome) => {
                let status = match outcome {
                    Outcome::Done(receipt) => Status::Completed(receipt),
                    Outcome::Failed => Status::Failed,
                    Outcome::Unknown => Status::Unknown,
                };
                self.set_status(memory, operation, status);
                if self.design.has_key_row() && !status.is_completed() {
                    memory.key = Key::None;
                }
            }
            Event::Cancelled => memory.cancelled = true,
        }
    }

    fn set_status(&self, memory: &mut Memory, operation: Operation, status: Status) {
        let held = match operation {
            Operation::Charge => &mut memory.charge,
            Operation::Refund => &mut memory.refund,
        };
        if held.is_completed() && !self.design.completion_is_overwritten {
            return;
        }
        *held = match status {
            Status::Completed(_) => status,
            _ if self.design.status_is_bool => Status::NotRequested,
            _ => status,
        };
    }

    /// What recovery makes of the snapshot and the journal.
    pub(super) fn rebuilt(&self, state: &State) -> Memory {
        let (seen, mut memory) = match state.snapshot {
            Some(snapshot) => (snapshot.seen, snapshot.memory),
            None => (0, Memory::default()),
        };
        for event in state.journal.after(seen) {
            self.apply(&mut memory, event);
        }
        memory
    }

    /// What an actor goes by: its memory; a web node that works on nothing has none and would load.
    pub(super) fn view(&self, state: &State, who: usize) -> Memory {
        let actor = &state.actors[who];
        match self.design.two_nodes && actor.task.is_none() {
            true => self.rebuilt(state),
            false => actor.memory,
        }
    }

    pub(super) fn load(&self, state: &mut State, who: usize) {
        state.actors[who].memory = self.rebuilt(state);
        state.actors[who].seen = state.journal.len;
    }

    pub(super) fn conflicts(&self, state: &State, who: usize) -> bool {
        let seen = state.actors[who].seen;
        seen != state.journal.len
            && match self.design.append {
                Append::ExpectedVersion => true,
                Append::ZeroIsAny => seen != 0,
                Append::Unchecked => false,
            }
    }

    /// Writes an event, and the staged one before it. Gives whether the actor can go on.
    pub(super) fn append(&self, state: &mut State, who: usize, event: Event) -> bool {
        if self.conflicts(state, who) {
            self.stop(state, who);
            return false;
        }
        let staged = usize::from(state.actors[who].staged.is_some());
        if !state.journal.has_room_for(staged + 1) {
            self.reject_write(state, who);
            return false;
        }
        self.store(state, who, event);
        let actor = &mut state.actors[who];
        actor.seen = state.journal.len;
        actor.staged = None;
        self.apply(&mut actor.memory, event);
        self.save_snapshot(state, who);
        true
    }

    pub(super) fn store(&self, state: &mut State, who: usize, event: Event) {
        if let Some(staged) = state.actors[who].staged {
            state.journal.store(staged);
        }
        state.journal.store(event);
    }

    pub(super) fn save_snapshot(&self, state: &mut State, who: usize) {
        let Actor { seen, memory, .. } = state.actors[who];
        let saves = match self.design.snapshots {
            Snapshots::None => false,
            Snapshots::Current => true,
            Snapshots::Stale => state.snapshot.is_none(),
        };
        if saves {
            state.snapshot = Some(Snapshot { seen, memory });
        }
    }

    pub(super) fn reject_write(&self, state: &mut State, who: usize) {
        state.actors[who].staged = None;
        state.calls.are_no_longer_awaited_by(who);
        self.finish(state, who);
    }

    /// An actor gives up what it does: a web node its request, another its life.
    pub(super) fn stop(&self, state: &mut State, who: usize) {
        state.calls.are_no_longer_awaited_by(who);
        match self.design.two_nodes {
            true => {
                state.actors[who].staged = None;
                self.finish(state, who);
            }
            false => self.go_down(state, who),
        }
    }

    pub(super) fn go_down(&self, state: &mut State, who: usize) {
        let is_second_incarnation = who == B && !self.design.two_nodes;
        let life = match is_second_incarnation {
            true => Life::NotStarted,
            false => Life::Down,
        };
        if is_second_incarnation {
            state.customer.orders[B] = 0;
        }
        state.actors[who] = Actor {
            life,
            ..Actor::default()
        };
    }
}
