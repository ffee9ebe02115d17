//! The verdict on a state: what took effect at the receiver against what the sender says of it.

use super::settings::{Delivery, Guarantee, Meaning, Order};
use super::state::{Intent, Life, State};
use super::text;
use super::view;
use crate::machine::{Belief, Label, Outcome, Progress, Verdict};

impl Delivery {
    pub(super) fn judge(&self, state: &State) -> Verdict {
        Verdict {
            outcome: self.outcome(state),
            belief: self.belief(state),
            progress: self.progress(state),
        }
    }

    fn outcome(&self, state: &State) -> Outcome {
        let effects = state.effects();
        let worst = (1..=state.intended).map(|intent| match effects.times(intent) {
            // That a state is set once more changes nothing: those are counted once.
            2.. => Outcome::Duplicated,
            _ if self.is_lost(state, intent) => Outcome::Lost,
            1 => Outcome::Once,
            _ => Outcome::None,
        });
        worst.max().unwrap_or(Outcome::None)
    }

    /// Whether the message has done what it should. A state that was passed over because there is a
    /// newer one has.
    fn is_there(&self, state: &State, intent: Intent) -> bool {
        let effects = state.effects();
        let is_superseded = self.order == Order::Newest && effects.current > intent;
        effects.times(intent) > 0 || is_superseded
    }

    /// The sender says that it is done, there is nothing of it, and no copy can arrive any more.
    fn is_lost(&self, state: &State, intent: Intent) -> bool {
        state.reported.has(intent) && !self.is_there(state, intent) && !state.can_arrive(intent)
    }

    /// The newest state that is said to have arrived is not the one that the receiver has, and
    /// nothing is under way that could change it.
    fn is_outdated(&self, state: &State) -> bool {
        let newest = state.reported.iter().last().unwrap_or(0);
        self.meaning == Meaning::State
            && state.effects().current < newest
            && (1..=state.intended).all(|intent| !state.can_arrive(intent))
    }

    fn belief(&self, state: &State) -> Belief {
        let mut intents = 1..=state.intended;
        let is_lost = (1..=state.intended).any(|intent| self.is_lost(state, intent));
        if is_lost || self.is_outdated(state) {
            Belief::Wrong
        } else if intents.any(|intent| !state.reported.has(intent)) {
            Belief::Unknown
        } else {
            Belief::Agrees
        }
    }

    fn progress(&self, state: &State) -> Progress {
        // Nobody waits for the confirmation of what is sent only once.
        let is_settled = |intent: Intent| {
            let is_dead = state.dead.has(intent);
            state.reported.has(intent) || self.is_there(state, intent) && !is_dead
        };
        if self.is_busy(state) {
            Progress::Running
        } else if (1..=state.intended).all(is_settled) {
            Progress::Done
        } else {
            Progress::Stuck
        }
    }

    /// Whether anything is under way, or anybody has something to do by themselves.
    fn is_busy(&self, state: &State) -> bool {
        let lives = [state.sender.life, state.relay, state.receiver.life];
        let acts = |intent: Intent| {
            self.redelivers(state, intent)
                || self.gives_up(state, intent)
                || self.can_retry(state, intent)
        };
        lives.iter().any(|life| *life != Life::Up)
            || state.flights[0].is_some()
            || state.receiver.task.is_some()
            || self.can_send(state)
            || self.can_intend(state)
            || (1..=state.intended).any(acts)
    }

    /// Why the verdict is what it is: the worst thing first.
    pub(super) fn reason(&self, state: &State) -> Label {
        let verdict = self.judge(state);
        let effects = state.effects();
        let find = |holds: &dyn Fn(Intent) -> bool| (1..=state.intended).find(|one| holds(*one));
        if let Some(intent) = find(&|intent| effects.times(intent) > 1) {
            let times = view::count(effects.times(intent));
            return text::REASON_DUPLICATED.with([view::intent(intent), times]);
        }
        if let Some(intent) = find(&|intent| self.is_lost(state, intent)) {
            return text::REASON_LOST.with([view::intent(intent)]);
        }
        if self.is_outdated(state) {
            return text::REASON_OUTDATED.with([view::intent(effects.current)]);
        }
        let open = find(&|intent| !state.reported.has(intent));
        match (verdict.progress, open) {
            (Progress::Stuck, _) if !state.dead.is_empty() => text::REASON_DEAD.label(),
            (Progress::Stuck, _) => text::REASON_FORGOTTEN.label(),
            (Progress::Done, Some(_)) => text::REASON_DONE_UNHEARD.label(),
            (Progress::Done, None) => text::REASON_DONE.label(),
            (Progress::Running, _) if state.intended == 0 => text::REASON_NOTHING_YET.label(),
            (Progress::Running, Some(intent)) if self.guarantee == Guarantee::AtLeastOnce => {
                text::REASON_OPEN.with([view::intent(intent)])
            }
            (Progress::Running, _) => text::REASON_SO_FAR.label(),
        }
    }
}
