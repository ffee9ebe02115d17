//! The verdict on a state: the mails that customers got against what they and the records hold for
//! true.

use super::settings::Outbox;
use super::state::{Entry, ORDERS, OrderId, Row, State, Status, Told};
use super::text;
use super::view::{self, DATABASE};
use crate::machine::{Belief, Effect, Label, Mark, Observer, Outcome, Progress, Text, Verdict};

impl Outbox {
    pub(super) fn judge(&self, state: &State) -> Verdict {
        let is_busy = self.is_busy(state);
        Verdict {
            outcome: self.outcome(state, is_busy),
            belief: self.belief(state, is_busy),
            progress: match ORDERS.iter().any(|order| self.is_left(state, *order)) {
                _ if is_busy => Progress::Running,
                true => Progress::Stuck,
                false => Progress::Done,
            },
        }
    }

    /// Whether anybody is at work, or will be without a person.
    fn is_busy(&self, state: &State) -> bool {
        self.automatic_steps(state).next().is_some()
    }

    /// Whether the records say that a message is still to be sent, or that somebody has to see to it.
    fn is_left(&self, state: &State, order: OrderId) -> bool {
        self.recorded(state, order)
            .is_some_and(|status| status != Status::Sent)
    }

    /// An order was accepted, it got no mail, and nobody will ever notice.
    fn is_lost(&self, state: &State, order: OrderId, is_busy: bool) -> bool {
        state.told(order) == Told::Accepted
            && state.effects(order).mails == 0
            && !is_busy
            && !self.is_left(state, order)
    }

    /// Never more than one row and one mail for an order, and at least one mail once it was accepted.
    fn outcome(&self, state: &State, is_busy: bool) -> Outcome {
        let mails = || state.effects.iter().map(|effects| effects.mails);
        let is_twice = |order: &OrderId| self.is_twice(state, *order);
        if ORDERS.iter().any(is_twice) {
            Outcome::Duplicated
        } else if ORDERS
            .iter()
            .any(|order| self.is_lost(state, *order, is_busy))
        {
            Outcome::Lost
        } else if mails().any(|mails| mails == 1) {
            Outcome::Once
        } else {
            Outcome::None
        }
    }

    fn is_twice(&self, state: &State, order: OrderId) -> bool {
        state.effects(order).mails > 1 || state.database.orders[usize::from(order)] > 1
    }

    fn belief(&self, state: &State, is_busy: bool) -> Belief {
        if self.wrong_claim(state, is_busy).is_some() {
            return Belief::Wrong;
        }
        let is_open =
            |order: &OrderId| state.told(*order) == Told::Nothing || self.is_left(state, *order);
        match ORDERS.iter().any(is_open) {
            true => Belief::Unknown,
            false => Belief::Agrees,
        }
    }

    /// What is claimed and not so, once nobody works on it any more. A mail is no harm to an order that
    /// exists; but it tells its customer of an order, and where there is none, that is a false belief.
    fn wrong_claim(&self, state: &State, is_busy: bool) -> Option<Claim> {
        if is_busy {
            return None;
        }
        ORDERS.into_iter().find_map(|order| {
            let is_mailed = state.effects(order).mails > 0;
            match (state.told(order), self.recorded(state, order)) {
                (Told::Rejected, _) if is_mailed => Some(Claim::MailForNothing),
                (Told::Accepted, _) if !state.is_placed(order) => Some(Claim::NoOrder),
                (_, Some(Status::Failed)) if is_mailed => Some(Claim::NotSent),
                (_, Some(Status::Sent)) if !is_mailed => Some(Claim::Sent),
                _ => None,
            }
        })
    }

    /// A person sends the row once more, whatever became of it.
    pub(super) fn retry(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let id = match self.polling.is_cursor() {
            // What the cursor has passed it does not see again: the row gets a new number.
            true => Some(state.take_row_id()),
            false => state.entry(order).row_id(),
        };
        *state.entry_mut(order) = Entry {
            row: id.map_or(state.entry(order).row, Row::There),
            ..Entry::default()
        };
        observer.see(|| person(text::EFFECT_RETRY, order));
    }

    /// A person looks whether the mail went out, and retries only if it did not.
    pub(super) fn check(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        if state.effects(order).mails == 0 {
            return self.retry(state, order, observer);
        }
        let entry = state.entry_mut(order);
        *entry = Entry {
            row: entry.row,
            status: Status::Sent,
            ..Entry::default()
        };
        observer.see(|| person(text::EFFECT_CHECKED, order));
    }

    /// Why the verdict is what it is: the worst thing first.
    pub(super) fn reason(&self, state: &State) -> Label {
        let verdict = self.judge(state);
        let is_busy = verdict.progress == Progress::Running;
        let with = |words: Text, order: OrderId| words.with([view::place(order)]);
        let twice = |order: &OrderId| self.is_twice(state, *order);
        let lost = |order: &OrderId| self.is_lost(state, *order, is_busy);
        let left = |order: &OrderId| self.is_left(state, *order);
        if let Some(order) = ORDERS.into_iter().find(twice) {
            let words = match state.effects(order).mails {
                0 | 1 => text::REASON_ORDER_TWICE,
                _ => text::REASON_TWICE,
            };
            return with(words, order);
        }
        if let Some(order) = ORDERS.into_iter().find(lost) {
            return with(text::REASON_LOST, order);
        }
        match (self.wrong_claim(state, is_busy), verdict.progress) {
            (Some(Claim::MailForNothing), _) => text::REASON_MAIL_FOR_NOTHING.label(),
            (Some(Claim::NoOrder), _) => text::REASON_NO_ORDER.label(),
            (Some(Claim::NotSent), _) => text::REASON_NOT_SENT.label(),
            (Some(Claim::Sent), _) => text::REASON_SENT.label(),
            (None, Progress::Stuck) => {
                let order = ORDERS.into_iter().find(left).unwrap_or_default();
                match self.recorded(state, order) {
                    Some(Status::Unknown) => with(text::REASON_UNKNOWN, order),
                    Some(Status::Failed) => with(text::REASON_FAILED, order),
                    _ => with(text::REASON_STUCK, order),
                }
            }
            (None, Progress::Done) if state.told.contains(&Told::Accepted) => {
                text::REASON_DONE.label()
            }
            (None, Progress::Done) => text::REASON_REJECTED.label(),
            (None, Progress::Running) if state.told == [Told::NotAsked; 2] => {
                text::REASON_NOTHING_YET.label()
            }
            (None, Progress::Running) if state.told.contains(&Told::Nothing) => {
                text::REASON_WAITING.label()
            }
            (None, Progress::Running) => text::REASON_UNDER_WAY.label(),
        }
    }
}

/// Something false that is held for true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// A customer whose order was rejected got a mail that confirms it.
    MailForNothing,
    /// A customer was told that the order is accepted, and there is none.
    NoOrder,
    /// The outbox says that the message was not sent. It was.
    NotSent,
    /// The outbox says that the message was sent. There is no mail.
    Sent,
}

fn person(words: Text, order: OrderId) -> Effect {
    Effect::Marked {
        lane: DATABASE,
        mark: Mark::Durable,
        label: Some(words.with([view::message_name(order)])),
    }
}
