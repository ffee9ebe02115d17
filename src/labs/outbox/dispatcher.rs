//! A dispatcher: finds a row, claims it, sends its message, and marks it.

use super::settings::{Claim, Fence, Late, Outbox, Polling, Refusal, Sequence, Unknown};
use super::state::{
    ATTEMPTS_MAX, Answer, Ask, DispatcherId, Holder, Hop, Job, Life, Message, ORDERS, OrderId,
    Parcel, Row, RowId, Stage, State, Status,
};
use super::text;
use super::view::{self, DATABASE, PROVIDER, lane_of, message_name, see_lost};
use crate::machine::{Effect, Mark, Observer};

impl Outbox {
    /// What the outbox says about the message of an order; nothing where it knows of none.
    pub(super) fn recorded(&self, state: &State, order: OrderId) -> Option<Status> {
        let entry = state.entry(order);
        match (self.polling, entry.row) {
            (Polling::Context, Row::There(_)) => Some(entry.status),
            (Polling::Context, _) => state.is_placed(order).then_some(entry.status),
            (_, Row::Absent | Row::CleanedUp) => None,
            (polling, Row::There(id)) => {
                let is_passed = polling.is_cursor() && id <= state.database.cursor;
                match entry.status {
                    Status::Waiting if is_passed => Some(Status::Sent),
                    status => Some(status),
                }
            }
        }
    }

    /// The row that a dispatcher without a job takes next, if there is one. A row that another has
    /// claimed is passed over, but not by a cursor, which would never come back to it.
    pub(super) fn pick(&self, state: &State) -> Option<OrderId> {
        let is_left = |order: &OrderId| self.recorded(state, *order) == Some(Status::Waiting);
        let is_free = |order: &OrderId| {
            self.claim == Claim::None || !matches!(state.entry(*order).claim, Holder::Held(_))
        };
        let number = |order: &OrderId| state.entry(*order).row_id();
        let left = ORDERS.into_iter().filter(is_left);
        match self.polling.is_cursor() {
            true => left
                .min_by_key(number)
                .filter(|next| is_free(next) && self.may_pass(state, number(next))),
            false => left.filter(is_free).min_by_key(number),
        }
    }

    /// Whether a cursor may go on to this number now.
    fn may_pass(&self, state: &State, id: Option<RowId>) -> bool {
        let Some(id) = id else {
            return true;
        };
        match self.polling {
            Polling::Status | Polling::Context | Polling::HighestId => true,
            Polling::OldestRunning => state.running_ids().all(|running| running > id),
            Polling::GapLimit | Polling::GapShort | Polling::GapForEver => {
                !self.has_gap_below(state, id)
            }
        }
    }

    /// Whether a number between the cursor and this one is not there: its transaction still runs, or
    /// was rolled back. The reader cannot tell which.
    fn has_gap_below(&self, state: &State, id: RowId) -> bool {
        let is_visible = |missing: RowId| {
            ORDERS
                .iter()
                .any(|order| state.entry(*order).row_id() == Some(missing))
        };
        (state.database.cursor + 1..id).any(|missing| !is_visible(missing))
    }

    /// The row before which the cursor waits at a gap that it will pass after a while.
    pub(super) fn waits_at_gap(&self, state: &State) -> Option<RowId> {
        if !matches!(self.polling, Polling::GapLimit | Polling::GapShort) {
            return None;
        }
        let is_left = |order: &OrderId| self.recorded(state, *order) == Some(Status::Waiting);
        let left = ORDERS.into_iter().filter(is_left);
        let next = left.filter_map(|order| state.entry(order).row_id()).min()?;
        self.has_gap_below(state, next).then_some(next)
    }

    /// Whether a transaction that still runs holds a number in the gap.
    pub(super) fn runs_in_gap(&self, state: &State, before: RowId) -> bool {
        let cursor = state.database.cursor;
        state
            .running_ids()
            .any(|running| cursor < running && running < before)
    }

    /// The time that a cursor waits is over: it takes the gap for numbers that were rolled back. The
    /// limit is longer than a transaction may live only if the database ends those that live longer.
    pub(super) fn pass_gap(&self, state: &mut State, observer: &mut impl Observer) {
        let Some(before) = self.waits_at_gap(state) else {
            return;
        };
        if self.polling == Polling::GapLimit {
            for order in ORDERS {
                let staged = state.task(order).and_then(|task| task.staged_row);
                if staged.is_some_and(|id| id < before) {
                    self.abandon(state, order, observer);
                    let ended = text::EFFECT_ENDED.with([view::order_name(order)]);
                    observer.see(|| Effect::marked(DATABASE, Mark::Refused, ended));
                }
            }
        }
        state.database.cursor = state.database.cursor.max(before - 1);
        let passed = text::EFFECT_GAP.with([view::number(before)]);
        observer.see(|| Effect::marked(DATABASE, Mark::Wait, passed));
    }

    /// The dispatcher takes its next step.
    pub(super) fn work(&self, state: &mut State, id: DispatcherId, observer: &mut impl Observer) {
        let Some(job) = state.job(id).copied() else {
            return self.poll(state, id, observer);
        };
        match job.stage {
            Stage::Send => self.send(state, id, job, observer),
            Stage::LookUp => self.look_up(state, id, job, observer),
            Stage::Mark(status) => self.mark(state, id, job, status, observer),
            Stage::Waits(..) => {}
        }
    }

    /// Reads the next row and, where rows are claimed, claims it in the same statement.
    fn poll(&self, state: &mut State, id: DispatcherId, observer: &mut impl Observer) {
        let Some(order) = self.pick(state) else {
            return;
        };
        let before = *state.entry(order);
        let is_claimed = self.claim != Claim::None;
        if is_claimed {
            let entry = state.entry_mut(order);
            entry.claim = Holder::Held(id);
            entry.was_tried |= self.leaves_trace();
        }
        // What leaves no trace may have been tried by anybody.
        let may_be_sent = before.was_tried || !self.leaves_trace();
        let stage = match self.sequence {
            _ if before.row_id().is_none() => Stage::Mark(Status::Sent),
            Sequence::MarkFirst => Stage::Mark(Status::Sent),
            Sequence::SendFirst if before.was_tried => self.when_unknown(),
            Sequence::SendFirst => Stage::Send,
        };
        state.dispatcher_mut(id).job = Some(Job {
            order,
            may_be_sent,
            stage,
        });
        let name = message_name(order);
        let (from, to, label) = match is_claimed {
            true => (lane_of(id), DATABASE, text::EFFECT_CLAIMS.with([name])),
            false => (DATABASE, lane_of(id), text::EFFECT_READS.with([name])),
        };
        observer.see(|| Effect::passed(from, to, label));
        if is_claimed {
            observer.see(|| Effect::ended(DATABASE, Mark::Durable));
        }
    }

    /// Whether a claim is committed before the message is sent. A row lock is not: it goes, with all
    /// that its transaction has written, when the dispatcher goes.
    fn leaves_trace(&self) -> bool {
        matches!(self.claim, Claim::Lease | Claim::ForEver)
    }

    /// What comes next where nobody knows whether the message was sent.
    fn when_unknown(&self) -> Stage {
        match self.unknown {
            Unknown::Again => Stage::Send,
            Unknown::LookUp | Unknown::LookUpAgain => Stage::LookUp,
            Unknown::Person => Stage::Mark(Status::Unknown),
            Unknown::Sent => Stage::Mark(Status::Sent),
        }
    }

    /// The message of the next attempt. Counts the attempt.
    pub(super) fn next_message(&self, state: &mut State, order: OrderId) -> Message {
        let attempts = &mut state.effects_mut(order).attempts;
        *attempts = (*attempts + 1).min(ATTEMPTS_MAX);
        self.message(state, order)
    }

    fn send(&self, state: &mut State, id: DispatcherId, job: Job, observer: &mut impl Observer) {
        let is_late = state.entry(job.order).is_old && job.may_be_sent;
        if is_late && self.late == Late::Person {
            observer.see(|| Effect::marked(lane_of(id), Mark::Note, text::EFFECT_TOO_LATE.label()));
            return set_stage(state, id, Stage::Mark(Status::Unknown));
        }
        let message = self.next_message(state, job.order);
        let parcel = Parcel {
            message,
            dispatcher: Some(id),
        };
        view::see_sent(parcel, observer);
        set_stage(state, id, Stage::Waits(Ask::Send(message), Hop::There));
    }

    fn look_up(&self, state: &mut State, id: DispatcherId, job: Job, observer: &mut impl Observer) {
        if !self.can_look_up() {
            observer
                .see(|| Effect::marked(lane_of(id), Mark::Note, text::EFFECT_NO_LOOK_UP.label()));
            return self.take_not_found(state, id);
        }
        observer.see(|| Effect::Sent {
            message: view::look_up_id(job.order, id),
            from: lane_of(id),
            to: PROVIDER,
            label: text::LOOK_UP.with([message_name(job.order)]),
        });
        set_stage(state, id, Stage::Waits(Ask::LookUp, Hop::There));
    }

    fn take_not_found(&self, state: &mut State, id: DispatcherId) {
        let next = match self.unknown {
            Unknown::LookUpAgain => Stage::Send,
            _ => Stage::Mark(Status::Unknown),
        };
        set_stage(state, id, next);
    }

    /// Whether the database lets this dispatcher write to the row.
    fn may_write(&self, state: &State, id: DispatcherId, order: OrderId) -> bool {
        let entry = state.entry(order);
        match self.claim {
            _ if self.recorded(state, order).is_none() => false,
            Claim::None => true,
            // The mark is a part of the transaction that holds the lock.
            Claim::SkipLocked => entry.claim == Holder::Held(id),
            Claim::Lease | Claim::ForEver => self.fence == Fence::Any || entry.is_claimed_by(id),
        }
    }

    /// Records what became of the message.
    fn mark(
        &self,
        state: &mut State,
        id: DispatcherId,
        job: Job,
        status: Status,
        observer: &mut impl Observer,
    ) {
        let may_write = self.may_write(state, id, job.order);
        let name = message_name(job.order);
        let (label, shape) = match may_write {
            true => {
                let said = view::status(status).into();
                (text::EFFECT_MARKS.with([name, said]), Mark::Durable)
            }
            false => (text::EFFECT_MARK_REFUSED.with([name]), Mark::Refused),
        };
        observer.see(|| Effect::passed(lane_of(id), DATABASE, label));
        observer.see(|| Effect::ended(DATABASE, shape));
        if !may_write {
            return end(state, id);
        }
        self.write_status(state, job.order, status);
        let has_row = state.entry(job.order).row_id().is_some();
        match self.sequence {
            Sequence::MarkFirst if status == Status::Sent && has_row => {
                set_stage(state, id, Stage::Send);
            }
            _ => end(state, id),
        }
    }

    fn write_status(&self, state: &mut State, order: OrderId, status: Status) {
        let entry = state.entry_mut(order);
        let id = entry.row_id();
        entry.claim = Holder::Nobody;
        if !self.polling.is_cursor() || status != Status::Sent {
            entry.status = status;
        }
        if let (true, Some(id)) = (self.polling.is_cursor(), id) {
            let cursor = &mut state.database.cursor;
            *cursor = (*cursor).max(id);
        }
    }

    /// The provider's answer comes to the dispatcher that waits for it.
    pub(super) fn hear(&self, state: &mut State, id: DispatcherId, observer: &mut impl Observer) {
        let Some(Job {
            order,
            may_be_sent,
            stage: Stage::Waits(_, Hop::Back(answer)),
        }) = state.job(id).copied()
        else {
            return;
        };
        observer.see(|| Effect::Arrived {
            message: view::answer_id(order, id, answer),
        });
        match answer {
            Answer::Found => set_stage(state, id, Stage::Mark(Status::Sent)),
            Answer::NotFound => self.take_not_found(state, id),
            // It was marked before, for better or for worse.
            Answer::Accepted | Answer::Refused if self.sequence == Sequence::MarkFirst => {
                end(state, id);
            }
            Answer::Accepted => set_stage(state, id, Stage::Mark(Status::Sent)),
            Answer::Refused => match (self.refusal, may_be_sent) {
                (Refusal::Again, _) => {
                    self.release(state, id, order, may_be_sent);
                    end(state, id);
                }
                // This attempt was refused. An earlier one may not have been.
                (Refusal::ErrorQueue, true) => set_stage(state, id, Stage::Mark(Status::Unknown)),
                (Refusal::ErrorQueue, false) => set_stage(state, id, Stage::Mark(Status::Failed)),
            },
        }
    }

    /// Gives the row back, to be tried again.
    fn release(&self, state: &mut State, id: DispatcherId, order: OrderId, was_tried: bool) {
        if self.may_write(state, id, order) {
            let entry = state.entry_mut(order);
            entry.claim = Holder::Nobody;
            entry.was_tried = was_tried && self.leaves_trace();
        }
    }

    /// The dispatcher stops waiting. The request may still arrive; an answer cannot any more.
    pub(super) fn time_out(
        &self,
        state: &mut State,
        id: DispatcherId,
        observer: &mut impl Observer,
    ) {
        observer.see(|| Effect::marked(lane_of(id), Mark::Wait, text::EFFECT_TIME_OUT.label()));
        self.hang_up(state, id, observer);
        let Some(job) = &mut state.dispatcher_mut(id).job else {
            return;
        };
        match job.stage {
            Stage::Waits(Ask::LookUp, _) => job.stage = Stage::LookUp,
            _ if self.sequence == Sequence::MarkFirst => end(state, id),
            _ => {
                job.may_be_sent = true;
                job.stage = self.when_unknown();
            }
        }
    }

    /// Nobody waits for the answer any more: a request that is under way goes on alone.
    fn hang_up(&self, state: &mut State, id: DispatcherId, observer: &mut impl Observer) {
        let Some(job) = state.job(id).copied() else {
            return;
        };
        match job.stage {
            Stage::Waits(Ask::Send(message), Hop::There) => {
                let parcel = Parcel {
                    message,
                    dispatcher: Some(id),
                };
                if state.parcels.is_full() {
                    see_lost(parcel, observer);
                }
                state.parcels.add(parcel);
            }
            Stage::Waits(_, Hop::There | Hop::Back(_)) => see_lost_on_way(id, &job, observer),
            _ => {}
        }
    }

    /// A request or its answer is lost.
    pub(super) fn lose(&self, state: &mut State, id: DispatcherId, observer: &mut impl Observer) {
        if let Some(job) = &mut state.dispatcher_mut(id).job {
            see_lost_on_way(id, job, observer);
            if let Stage::Waits(_, hop) = &mut job.stage {
                *hop = Hop::Lost;
            }
        }
    }

    /// The mark is not stored, and the dispatcher does not know it.
    pub(super) fn lose_mark(
        &self,
        state: &mut State,
        id: DispatcherId,
        observer: &mut impl Observer,
    ) {
        observer.see(|| Effect::marked(DATABASE, Mark::Refused, text::EFFECT_NOT_STORED.label()));
        self.unlock(state, id);
        end(state, id);
    }

    pub(super) fn crash_dispatcher(
        &self,
        state: &mut State,
        id: DispatcherId,
        observer: &mut impl Observer,
    ) {
        self.hang_up(state, id, observer);
        self.unlock(state, id);
        end(state, id);
        state.dispatcher_mut(id).life = Life::Down;
        observer.see(|| Effect::Down { lane: lane_of(id) });
    }

    /// A row lock goes with the connection that holds it.
    fn unlock(&self, state: &mut State, id: DispatcherId) {
        if self.claim == Claim::SkipLocked {
            for entry in &mut state.database.outbox {
                if entry.claim == Holder::Held(id) {
                    entry.claim = Holder::Nobody;
                }
            }
        }
    }

    /// The time of a lease is over, or the connection that holds a row lock breaks.
    pub(super) fn end_lease(
        &self,
        state: &mut State,
        order: OrderId,
        observer: &mut impl Observer,
    ) {
        let entry = state.entry_mut(order);
        entry.claim = match (self.claim, entry.claim) {
            (Claim::Lease, Holder::Held(id)) => Holder::Lapsed(id),
            _ => Holder::Nobody,
        };
        let over = text::EFFECT_LEASE_OVER.with([message_name(order)]);
        observer.see(|| Effect::marked(DATABASE, Mark::Wait, over));
    }
}

fn set_stage(state: &mut State, id: DispatcherId, stage: Stage) {
    if let Some(job) = &mut state.dispatcher_mut(id).job {
        job.stage = stage;
    }
}

fn end(state: &mut State, id: DispatcherId) {
    state.dispatcher_mut(id).job = None;
}

fn see_lost_on_way(id: DispatcherId, job: &Job, observer: &mut impl Observer) {
    let message = match job.stage {
        Stage::Waits(_, Hop::Back(answer)) => view::answer_id(job.order, id, answer),
        Stage::Waits(Ask::LookUp, _) => view::look_up_id(job.order, id),
        Stage::Waits(Ask::Send(message), _) => view::parcel_id(Parcel {
            message,
            dispatcher: Some(id),
        }),
        Stage::Send | Stage::LookUp | Stage::Mark(_) => return,
    };
    observer.see(|| Effect::Lost { message });
}
