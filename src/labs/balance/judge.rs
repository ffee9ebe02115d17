//! The verdict on a state: what the books contain against what the client was told.

use super::settings::{Balance, Meaning, Refusals};
use super::state::{Answer, Asked, Receipt, State};
use super::text;
use crate::machine::{Arg, Belief, Label, Machine, Outcome, Progress, Verdict};

impl Balance {
    pub(super) fn judge(&self, state: &State) -> Verdict {
        Verdict {
            outcome: self.outcome(state),
            belief: self.belief(state),
            progress: self.progress(state),
        }
    }

    /// Every distinct operation, by the place where it first stands in the list.
    pub(super) fn distinct(&self) -> impl Iterator<Item = u8> {
        let all = 0..self.operations.len() as u8;
        all.filter(|operation| self.same_operation(*operation) == *operation)
    }

    fn outcome(&self, state: &State) -> Outcome {
        let worst = self.distinct().map(|operation| {
            if self.is_duplicated(state, operation) {
                Outcome::Duplicated
            } else if self.is_lost(state, operation) {
                Outcome::Lost
            } else if self.times_applied(state, operation) == 1 {
                Outcome::Once
            } else {
                Outcome::None
            }
        });
        worst.max().unwrap_or(Outcome::None)
    }

    /// An id is one intent: it counts once at most, whatever number it came with. A state that is
    /// set contains its predecessors and so counts none of them twice.
    pub(super) fn is_duplicated(&self, state: &State, operation: u8) -> bool {
        let id = &self.operations[operation as usize].id;
        let same_intent = self.distinct().filter(|other| match self.meaning {
            Meaning::Add => self.operations[*other as usize].id == *id,
            Meaning::Set | Meaning::SetVersioned => *other == operation,
        });
        same_intent
            .map(|other| self.times_applied(state, other))
            .sum::<u32>()
            > 1
    }

    /// Success was acknowledged, nobody is still working on it, and the books do not contain it.
    pub(super) fn is_lost(&self, state: &State, operation: u8) -> bool {
        self.told_success(state, operation)
            && !self.is_under_way(state, operation)
            && self.times_applied(state, operation) == 0
    }

    fn told_success(&self, state: &State, operation: u8) -> bool {
        self.answers(state, operation).any(Answer::is_success)
    }

    /// The answers that the client has for an operation, under every place where it was typed.
    fn answers(&self, state: &State, operation: u8) -> impl Iterator<Item = Answer> {
        let places = 0..self.operations.len() as u8;
        let same = places.filter(move |place| self.same_operation(*place) == operation);
        same.filter_map(|place| match state.client[place as usize] {
            Asked::Told(answer) => Some(answer),
            Asked::NotSent | Asked::Waiting => None,
        })
    }

    fn belief(&self, state: &State) -> Belief {
        let at_least = match state.client.contains(&Asked::Waiting) {
            true => Belief::Unknown,
            false => Belief::Agrees,
        };
        let each = self.distinct().map(|o| self.belief_in(state, o));
        each.fold(at_least, Belief::max)
    }

    /// What is held true of one operation, against what the books contain.
    fn belief_in(&self, state: &State, operation: u8) -> Belief {
        let times = self.times_applied(state, operation);
        let settled = !self.is_under_way(state, operation);
        let told_success = self.told_success(state, operation);
        if settled && told_success && times != 1 || self.has_empty_receipt(state, operation) {
            return Belief::Wrong;
        }
        let mut answers = self.answers(state, operation);
        match answers.find(|answer| !answer.is_success()) {
            // Where refusals are forgotten, a refusal says how things stood, not how they stay.
            Some(refusal) if settled && !told_success && times > 0 => {
                match (refusal, self.refusals) {
                    (Answer::Conflict, _) | (_, Refusals::Remembered) => Belief::Wrong,
                    (_, Refusals::Forgotten) => Belief::Unknown,
                }
            }
            _ => Belief::Agrees,
        }
    }

    /// A receipt that claims success for what the books do not contain, and nobody at work on it.
    pub(super) fn has_empty_receipt(&self, state: &State, operation: u8) -> bool {
        let memories = state.processes.iter().map(|p| &p.memory.receipts);
        let mut receipts = memories.chain([&state.store.receipts]).flatten().flatten();
        let claims = |r: &Receipt| r.operation == operation && r.answer.is_success();
        !self.is_under_way(state, operation)
            && self.times_applied(state, operation) == 0
            && receipts.any(claims)
    }

    fn progress(&self, state: &State) -> Progress {
        let idle = state.tasks.iter().all(Option::is_none);
        let mut operations = 0..self.operations.len() as u8;
        let settled = |operation: u8| match state.client[operation as usize] {
            Asked::Told(_) => true,
            Asked::Waiting => false,
            // Nobody must send what only a mistake would send.
            Asked::NotSent => self.reuses_id(operation),
        };
        if idle && operations.all(settled) {
            return Progress::Done;
        }
        let mut actions = Vec::new();
        self.actions(state, &mut actions);
        match actions
            .into_iter()
            .any(|action| self.fault(state, action).is_none())
        {
            true => Progress::Running,
            false => Progress::Stuck,
        }
    }

    /// Why the verdict is what it is: the worst thing first.
    pub(super) fn reason(&self, state: &State, verdict: Verdict) -> Label {
        let id = |operation: u8| Arg::Typed(self.operations[operation as usize].id.clone());
        let find = |holds: &dyn Fn(u8) -> bool| self.distinct().find(|operation| holds(*operation));
        if let Some(operation) = find(&|o| self.is_duplicated(state, o)) {
            return match self.times_applied(state, operation) {
                0 | 1 => text::REASON_TWO_CONTENTS.with([id(operation)]),
                times => text::REASON_DUPLICATED.with([id(operation), Arg::Number(times.into())]),
            };
        }
        if let Some(operation) = find(&|o| self.is_lost(state, o)) {
            return text::REASON_LOST.with([id(operation)]);
        }
        if let Some(operation) = find(&|o| self.has_empty_receipt(state, o)) {
            return text::REASON_EMPTY_RECEIPT.with([id(operation)]);
        }
        let waiting = state
            .client
            .iter()
            .position(|asked| *asked == Asked::Waiting);
        match (verdict.belief, verdict.progress) {
            (Belief::Wrong, _) => text::REASON_REFUSED_BUT_APPLIED.label(),
            (_, Progress::Stuck) => text::REASON_STUCK.label(),
            (Belief::Unknown, _) => match waiting {
                Some(operation) => text::REASON_WAITING.with([id(operation as u8)]),
                None => text::REASON_REFUSED_FOR_NOW.label(),
            },
            (Belief::Agrees, Progress::Done) => text::REASON_DONE.label(),
            (Belief::Agrees, _) => match verdict.outcome {
                Outcome::None => text::REASON_NOTHING_YET.label(),
                _ => text::REASON_SO_FAR.label(),
            },
        }
    }
}
