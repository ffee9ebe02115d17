//! Which actions are possible in a state.

use super::settings::{Claim, Dispatchers, Orders, Outbox, Person};
use super::state::{
    Ask, DISPATCHERS, DispatcherId, Holder, Hop, Life, ORDERS, OrderId, Stage, State, Status,
};
use super::{Action, WriteFault};
use crate::machine::Progress;

impl Outbox {
    pub(super) fn has_order(&self, order: OrderId) -> bool {
        order == 0 || self.orders == Orders::Two
    }

    /// What happens without a fault and without a person.
    pub(super) fn automatic_steps<'a>(
        &'a self,
        state: &'a State,
    ) -> impl Iterator<Item = Action> + 'a {
        let has_room = self.has_room(state);
        let handles = |order: &OrderId| state.task(*order).is_some_and(|t| t.sending.is_none());
        let sends = |order: &OrderId| state.sending(*order);
        let works = |id: &DispatcherId| match state.job(*id) {
            Some(job) => !matches!(job.stage, Stage::Waits(..)),
            None => state.dispatcher(*id).life == Life::Up && self.pick(state).is_some(),
        };
        let arrives = move |id: &DispatcherId| match state.request(*id) {
            Some((Ask::Send(_), Hop::There)) => has_room,
            Some((Ask::LookUp, Hop::There)) => true,
            _ => false,
        };
        let hears = |id: &DispatcherId| matches!(state.request(*id), Some((_, Hop::Back(_))));
        let is_lost = |id: &DispatcherId| matches!(state.request(*id), Some((_, Hop::Lost)));
        let is_down = |id: &DispatcherId| state.dispatcher(*id).life == Life::Down;
        let receiver = &state.receiver;
        let can_receive = receiver.is_up && receiver.delivery.is_none();
        let is_handled = receiver.delivery.map(|delivery| delivery.is_handled);
        let parcels = state.parcels.distinct().filter(move |_| has_room);
        let queued = state.queue.distinct().filter(move |_| can_receive);

        orders(handles)
            .map(Action::Handle)
            .chain(dispatchers(works).map(Action::Dispatch))
            .chain(dispatchers(arrives).map(Action::Arrive))
            .chain(dispatchers(hears).map(Action::Answer))
            .chain(
                orders(move |o| sends(o) == Some(Hop::There) && has_room)
                    .map(Action::ServiceArrives),
            )
            .chain(
                orders(move |o| matches!(sends(o), Some(Hop::Back(_)))).map(Action::ServiceHears),
            )
            .chain(parcels.map(Action::Late))
            .chain(queued.map(Action::Receive))
            .chain((is_handled == Some(false)).then_some(Action::Apply))
            .chain((is_handled == Some(true)).then_some(Action::Acknowledge))
            .chain((!state.service.is_up).then_some(Action::RestartService))
            .chain(dispatchers(is_down).map(Action::Restart))
            .chain((!receiver.is_up).then_some(Action::RestartReceiver))
            .chain(dispatchers(is_lost).map(Action::TimeOut))
            .chain(orders(move |o| sends(o) == Some(Hop::Lost)).map(Action::ServiceTimesOut))
            .chain(self.lease_ends(state, false))
            .chain(self.gap_passes(state, false))
            .chain(orders(|order| self.can_clean_up(state, *order)).map(Action::CleanUp))
            .chain(orders(|order| self.can_place(state, *order)).map(Action::Place))
    }

    pub(super) fn possible_steps(&self, state: &State, out: &mut Vec<Action>) {
        out.extend(self.automatic_steps(state));
        let left = orders(|order| self.needs_person(state, *order));
        match self.person {
            Person::Absent => {}
            Person::Retries => out.extend(left.map(Action::Retry)),
            Person::Checks => out.extend(left.map(Action::Check)),
        }
    }

    /// Whether a person takes over, since nothing else will.
    fn needs_person(&self, state: &State, order: OrderId) -> bool {
        let said = self.recorded(state, order);
        said.is_some_and(|said| said != Status::Sent)
            && self.judge(state).progress == Progress::Stuck
    }

    pub(super) fn possible_faults(&self, state: &State, out: &mut Vec<Action>) {
        if state.service.tasks != [None; 2] {
            out.push(Action::CrashService);
        }
        out.extend(dispatchers(|id| state.job(*id).is_some()).map(Action::Crash));
        if self.receiver_can_crash(state) {
            out.push(Action::CrashReceiver);
        }
        for order in orders(|order| self.writes_next(state, *order)) {
            let ways = [WriteFault::Stored, WriteFault::Lost, WriteFault::Rejected];
            out.extend(ways.map(|how| Action::FailWrite { order, how }));
        }
        let marks = |id: &DispatcherId| {
            let stage = state.job(*id).map(|job| job.stage);
            matches!(stage, Some(Stage::Mark(_)))
        };
        out.extend(dispatchers(marks).map(Action::LoseMark));

        let is_under_way =
            |id: &DispatcherId| state.request(*id).is_some_and(|(_, hop)| hop != Hop::Lost);
        let is_sending =
            |order: &OrderId| state.sending(*order).is_some_and(|hop| hop != Hop::Lost);
        out.extend(dispatchers(is_under_way).map(Action::Lose));
        out.extend(orders(is_sending).map(Action::LoseOfService));
        out.extend(state.parcels.distinct().map(Action::LoseLate));
        if state
            .receiver
            .delivery
            .is_some_and(|delivery| delivery.is_handled)
        {
            out.push(Action::LoseAcknowledgement);
        }
        if state.queue_has_room() {
            out.extend(state.queue.distinct().map(Action::Duplicate));
        }
        // Whoever stops waiting leaves a message on its way.
        if !state.parcels.is_full() {
            out.extend(dispatchers(is_under_way).map(Action::TimeOut));
            out.extend(orders(is_sending).map(Action::ServiceTimesOut));
        }
        let is_refusable =
            |id: &DispatcherId| matches!(state.request(*id), Some((Ask::Send(_), Hop::There)));
        out.extend(dispatchers(is_refusable).map(Action::Refuse));
        out.extend(self.lease_ends(state, true));
        out.extend(self.gap_passes(state, true));
        if self.can_expire(state) {
            out.push(Action::Expire);
        }
    }

    /// Claims that end with time: of a holder that is gone, or as a fault of one that is at work. Nobody
    /// notices the latter where no other dispatcher could take the row.
    fn lease_ends(&self, state: &State, at_work: bool) -> impl Iterator<Item = Action> {
        let has_end = matches!(self.claim, Claim::Lease | Claim::SkipLocked);
        let is_noticed = !at_work || self.dispatchers == Dispatchers::Two;
        let ends = move |order: &OrderId| match state.entry(*order).claim {
            Holder::Held(id) => has_end && is_noticed && state.is_at_work_on(id, *order) == at_work,
            Holder::Nobody | Holder::Lapsed(_) => false,
        };
        orders(ends).map(Action::LeaseEnds)
    }

    /// The limit of a cursor that waits at a gap: a fault while the gap can still be filled.
    fn gap_passes(&self, state: &State, is_running: bool) -> Option<Action> {
        let before = self.waits_at_gap(state)?;
        (self.runs_in_gap(state, before) == is_running).then_some(Action::GapPasses)
    }

    /// Whether what time does is a fault in this state: somebody still works on it.
    pub(super) fn is_too_early(&self, state: &State, action: Action) -> bool {
        match action {
            Action::TimeOut(id) => state.request(id).is_some_and(|(_, hop)| hop != Hop::Lost),
            Action::ServiceTimesOut(order) => {
                state.sending(order).is_some_and(|hop| hop != Hop::Lost)
            }
            Action::LeaseEnds(order) => match state.entry(order).claim {
                Holder::Held(id) => state.is_at_work_on(id, order),
                Holder::Nobody | Holder::Lapsed(_) => false,
            },
            Action::GapPasses => {
                let before = self.waits_at_gap(state);
                before.is_some_and(|before| self.runs_in_gap(state, before))
            }
            _ => false,
        }
    }
}

fn orders(is_wanted: impl Fn(&OrderId) -> bool) -> impl Iterator<Item = OrderId> {
    ORDERS.into_iter().filter(is_wanted)
}

fn dispatchers(is_wanted: impl Fn(&DispatcherId) -> bool) -> impl Iterator<Item = DispatcherId> {
    DISPATCHERS.into_iter().filter(is_wanted)
}
