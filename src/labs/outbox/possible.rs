//! Which actions are possible in a state.

use super::settings::{Claim, Dispatchers, Orders, Outbox, Person, Polling};
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
        let can_work = |id: &DispatcherId| match state.job(*id) {
            Some(job) => !matches!(job.stage, Stage::Waits(..)),
            None => state.dispatcher(*id).life == Life::Up && self.pick(state).is_some(),
        };
        let waits_for = |id: &DispatcherId| match state.job(*id).map(|job| job.stage) {
            Some(Stage::Waits(ask, hop)) => Some((ask, hop)),
            _ => None,
        };
        let arrives = move |id: &DispatcherId| match waits_for(id) {
            Some((Ask::Send(_), Hop::There)) => self.has_room(state),
            Some((Ask::LookUp, Hop::There)) => true,
            _ => false,
        };
        let is_answered = move |id: &DispatcherId| matches!(waits_for(id), Some((_, Hop::Back(_))));
        let is_given_up = move |id: &DispatcherId| matches!(waits_for(id), Some((_, Hop::Lost)));
        let parcels = state.parcels.distinct().filter(|_| self.has_room(state));
        let receiver = &state.receiver;
        let can_receive = receiver.is_up && receiver.delivery.is_none();
        let is_handled = receiver.delivery.map(|delivery| delivery.is_handled);
        let is_down = |id: &DispatcherId| state.dispatcher(*id).life == Life::Down;
        let sends = |order: &OrderId| state.task(*order)?.sending.map(|(_, hop)| hop);
        let can_go_on =
            move |order: &OrderId| state.task(*order).is_some() && sends(order).is_none();
        let sending = move |wanted: fn(Hop) -> bool| {
            let is_wanted = move |order: &OrderId| sends(order).is_some_and(wanted);
            ORDERS.into_iter().filter(is_wanted)
        };
        let on_way = sending(|hop| hop == Hop::There).filter(|_| self.has_room(state));
        let tasks = ORDERS.into_iter().filter(can_go_on);
        tasks
            .map(Action::Handle)
            .chain(
                DISPATCHERS
                    .into_iter()
                    .filter(can_work)
                    .map(Action::Dispatch),
            )
            .chain(DISPATCHERS.into_iter().filter(arrives).map(Action::Arrive))
            .chain(
                DISPATCHERS
                    .into_iter()
                    .filter(is_answered)
                    .map(Action::Answer),
            )
            .chain(on_way.map(Action::ServiceArrives))
            .chain(sending(|hop| matches!(hop, Hop::Back(_))).map(Action::ServiceHears))
            .chain(parcels.map(Action::Late))
            .chain(
                state
                    .queue
                    .distinct()
                    .filter(move |_| can_receive)
                    .map(Action::Receive),
            )
            .chain((is_handled == Some(false)).then_some(Action::Apply))
            .chain((is_handled == Some(true)).then_some(Action::Acknowledge))
            .chain((!state.service.is_up).then_some(Action::RestartService))
            .chain(DISPATCHERS.into_iter().filter(is_down).map(Action::Restart))
            .chain((!receiver.is_up).then_some(Action::RestartReceiver))
            .chain(
                DISPATCHERS
                    .into_iter()
                    .filter(is_given_up)
                    .map(Action::TimeOut),
            )
            .chain(sending(|hop| hop == Hop::Lost).map(Action::ServiceTimesOut))
            .chain(self.lease_ends(state, false))
            .chain(self.gap_passes(state, false))
            .chain(
                ORDERS
                    .into_iter()
                    .filter(|order| self.can_clean_up(state, *order))
                    .map(Action::CleanUp),
            )
            .chain(
                ORDERS
                    .into_iter()
                    .filter(|order| self.can_place(state, *order))
                    .map(Action::Place),
            )
    }

    pub(super) fn possible_steps(&self, state: &State, out: &mut Vec<Action>) {
        out.extend(self.automatic_steps(state));
        let needs_person = |order: &OrderId| self.needs_person(state, *order);
        match self.person {
            Person::Absent => {}
            Person::Retries => {
                out.extend(ORDERS.into_iter().filter(needs_person).map(Action::Retry));
            }
            Person::Checks => {
                out.extend(ORDERS.into_iter().filter(needs_person).map(Action::Check));
            }
        }
    }

    /// Whether a person takes over, since nothing else will.
    fn needs_person(&self, state: &State, order: OrderId) -> bool {
        let is_left = self
            .recorded(state, order)
            .is_some_and(|said| said != Status::Sent);
        is_left && self.judge(state).progress == Progress::Stuck
    }

    pub(super) fn possible_faults(&self, state: &State, out: &mut Vec<Action>) {
        if state.service.tasks != [None; 2] {
            out.push(Action::CrashService);
        }
        let is_at_work = |id: &DispatcherId| state.job(*id).is_some();
        out.extend(
            DISPATCHERS
                .into_iter()
                .filter(is_at_work)
                .map(Action::Crash),
        );
        if self.receiver_can_crash(state) {
            out.push(Action::CrashReceiver);
        }
        for order in ORDERS {
            if self.writes_next(state, order) {
                let ways = [WriteFault::Stored, WriteFault::Lost, WriteFault::Rejected];
                out.extend(ways.map(|how| Action::FailWrite { order, how }));
            }
        }
        let stage = |id: &DispatcherId| state.job(*id).map(|job| job.stage);
        let marks = |id: &DispatcherId| matches!(stage(id), Some(Stage::Mark(_)));
        out.extend(DISPATCHERS.into_iter().filter(marks).map(Action::LoseMark));
        let is_awaited = |id: &DispatcherId| {
            matches!(stage(id), Some(Stage::Waits(_, Hop::There | Hop::Back(_))))
        };
        out.extend(DISPATCHERS.into_iter().filter(is_awaited).map(Action::Lose));
        let is_sending = |order: &OrderId| {
            let sending = state.task(*order).and_then(|task| task.sending);
            sending.is_some_and(|(_, hop)| hop != Hop::Lost)
        };
        let sending = ORDERS.into_iter().filter(is_sending);
        out.extend(sending.clone().map(Action::LoseOfService));
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
        let can_give_up = |id: &DispatcherId| is_awaited(id) && !state.parcels.is_full();
        out.extend(
            DISPATCHERS
                .into_iter()
                .filter(can_give_up)
                .map(Action::TimeOut),
        );
        if !state.parcels.is_full() {
            out.extend(sending.map(Action::ServiceTimesOut));
        }
        let is_refusable =
            |id: &DispatcherId| matches!(stage(id), Some(Stage::Waits(Ask::Send(_), Hop::There)));
        out.extend(
            DISPATCHERS
                .into_iter()
                .filter(is_refusable)
                .map(Action::Refuse),
        );
        out.extend(self.lease_ends(state, true));
        out.extend(self.gap_passes(state, true));
        if self.can_expire(state) {
            out.push(Action::Expire);
        }
    }

    /// Claims that end with time: of a holder that is gone, or as a fault of one that is at work. Nobody
    /// notices the latter where no other dispatcher could take the row.
    fn lease_ends(&self, state: &State, at_work: bool) -> impl Iterator<Item = Action> {
        let ends = move |order: &OrderId| match state.entry(*order).claim {
            Holder::Held(id) => {
                let is_at_work = is_at_work_on(state, id, *order);
                let is_noticed = !at_work || self.dispatchers == Dispatchers::Two;
                let has_end = matches!(self.claim, Claim::Lease | Claim::SkipLocked);
                has_end && is_at_work == at_work && is_noticed
            }
            Holder::Nobody | Holder::Lapsed(_) => false,
        };
        ORDERS.into_iter().filter(ends).map(Action::LeaseEnds)
    }

    /// The limit of a cursor that waits at a gap: a fault while the gap can still be filled.
    fn gap_passes(&self, state: &State, is_running: bool) -> Option<Action> {
        let before = self.waits_at_gap(state)?;
        (self.runs_in_gap(state, before) == is_running).then_some(Action::GapPasses)
    }

    /// Whether `action` is a fault in `state` although it is the protocol's own in another.
    pub(super) fn is_too_early(&self, state: &State, action: Action) -> bool {
        match action {
            Action::TimeOut(id) => !matches!(
                state.job(id).map(|job| job.stage),
                Some(Stage::Waits(_, Hop::Lost))
            ),
            Action::ServiceTimesOut(order) => {
                let sending = state.task(order).and_then(|task| task.sending);
                !matches!(sending, Some((_, Hop::Lost)))
            }
            Action::LeaseEnds(order) => match state.entry(order).claim {
                Holder::Held(id) => is_at_work_on(state, id, order),
                Holder::Nobody | Holder::Lapsed(_) => false,
            },
            Action::GapPasses => {
                debug_assert!(matches!(
                    self.polling,
                    Polling::GapLimit | Polling::GapShort
                ));
                let before = self.waits_at_gap(state);
                before.is_some_and(|before| self.runs_in_gap(state, before))
            }
            _ => false,
        }
    }
}

fn is_at_work_on(state: &State, id: DispatcherId, order: OrderId) -> bool {
    state.job(id).is_some_and(|job| job.order == order)
}
