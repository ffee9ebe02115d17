//! Which actions are possible in a state.

use super::books::Refused;
use super::gateway::is_held;
use super::plan::Work;
use super::settings::{Cancel, Paths, Payment};
use super::state::{ActorId, Ask, Call, Hop, Life, OPERATIONS, Operation, PAYS_MAX, State};
use super::{Action, WriteFault};

impl Payment {
    pub(super) fn possible_steps(&self, state: &State, out: &mut Vec<Action>) {
        let can_step = |id: &ActorId| match state.actor(*id).task() {
            Some(task) => !task.waiting,
            None => self.resumes(state, *id).is_some(),
        };
        let life = |id: &ActorId| state.actor(*id).life;
        out.extend(state.actors().filter(can_step).map(Action::Step));
        let recovering = |id: &ActorId| life(id) == Life::Recovering;
        out.extend(state.actors().filter(recovering).map(Action::Recover));
        let down = |id: &ActorId| life(id) == Life::Down;
        out.extend(state.actors().filter(down).map(Action::Restart));
        for (id, call) in state.calls() {
            match call.hop {
                Hop::AtGateway | Hop::Charged(_) => out.push(Action::Process(id)),
                _ if self.can_deliver(state, &call) => out.push(Action::Deliver(id)),
                _ => {}
            }
        }
        let arrives =
            |id: &ActorId| state.customer.pays[usize::from(*id)] > 0 && self.is_free(state, *id);
        out.extend(state.actors().filter(arrives).map(Action::Arrive));
        let in_order = state.customer.pays == [0, 0];
        if in_order {
            self.cancel_arrivals(state, out);
        }
        let is_given_up = |id: &ActorId| state.actor(*id).waits() && !state.is_awaited_by(*id);
        out.extend(state.actors().filter(is_given_up).map(Action::TimeOut));
        if self.can_pay(state) {
            let to = match state.customer.has_paid {
                true => state.actors(),
                false => 0..1,
            };
            out.extend(to.map(Action::Pay));
        }
        if self.can_pay_neighbour(state) {
            out.push(Action::Neighbour);
        }
        let reconciles = |id: &ActorId| self.can_reconcile(state, *id);
        out.extend(state.actors().find(reconciles).map(Action::Reconcile));
        if self.can_cancel(state) {
            out.push(Action::Cancel);
        }
    }

    fn cancel_arrivals(&self, state: &State, out: &mut Vec<Action>) {
        let arrives = |id: &ActorId| self.can_cancel_arrive(state, *id);
        out.extend(state.actors().filter(arrives).map(Action::CancelArrives));
    }

    pub(super) fn possible_faults(&self, state: &State, out: &mut Vec<Action>) {
        if self.cancel == Cancel::OtherSender && state.customer.pays != [0, 0] {
            self.cancel_arrivals(state, out);
        }
        let is_hasty = |id: &ActorId| state.actor(*id).waits() && state.is_awaited_by(*id);
        out.extend(state.actors().filter(is_hasty).map(Action::TimeOut));

        let pays = state.customer.pays;
        let under_way = pays != [0, 0];
        let has_room = |id: &ActorId| under_way && pays[usize::from(*id)] < PAYS_MAX;
        if self.paths == Paths::One {
            let copies = state.actors().filter(has_room);
            out.extend(copies.map(Action::DuplicatePay));
        }
        let lost = state.actors().filter(|id| pays[usize::from(*id)] > 0);
        out.extend(lost.map(Action::LosePay));

        for (id, call) in state.calls() {
            if !matches!(call.hop, Hop::AtGateway | Hop::Charged(_)) {
                out.push(Action::Lose(id));
            }
        }
        for (id, call) in state.calls() {
            if self.can_be_copied(state, &call) {
                out.push(Action::Duplicate(id));
            }
        }
        let replies = |id: &ActorId| {
            let task = state.actor(*id).task();
            task.is_some_and(|task| !task.waiting && self.next_step(&task) == Some(Work::Reply))
        };
        out.extend(state.actors().filter(replies).map(Action::LoseReply));
        let runs = |id: &ActorId| matches!(state.actor(*id).life, Life::Up | Life::Recovering);
        out.extend(state.actors().filter(runs).map(Action::Crash));
        if state.calls().any(|(_, call)| is_held(&call)) {
            out.push(Action::CrashExecutor);
        }
        let works = |call: &Call| matches!(call.hop, Hop::AtGateway | Hop::Charged(_));
        if state.calls().any(|(_, call)| works(&call)) {
            out.push(Action::CrashGateway);
        }
        self.gateway_faults(state, out);
        for actor in state.actors() {
            if self.next_write(state, actor).is_some() && !self.conflicts(state, actor) {
                let ways = [WriteFault::Stored, WriteFault::Lost, WriteFault::Rejected];
                out.extend(ways.map(|how| Action::FailWrite { actor, how }));
            }
        }
        if state.actor(1).life == Life::NotStarted && state.customer.has_paid {
            out.push(Action::SecondIncarnation);
        }
        let books = &state.gateway;
        let can_expire =
            |operation: &Operation| books.keeps_key(*operation) && !books.is_expired(*operation);
        if !state.has_calls() && OPERATIONS.iter().any(can_expire) {
            out.push(Action::ExpireKeys);
        }
        if state.snapshot().is_some() {
            out.push(Action::LoseSnapshot);
        }
    }

    fn gateway_faults(&self, state: &State, out: &mut Vec<Action>) {
        let at_work = |call: &Call| call.hop == Hop::AtGateway;
        for (call, _) in state.calls().filter(|(_, call)| at_work(call)) {
            if !self.gateway.is_home_made() {
                out.extend([false, true].map(|is_done| Action::ServerError { call, is_done }));
            }
        }
        for (id, call) in state.calls().filter(|(_, call)| at_work(call)) {
            if call.operation == Operation::Charge && state.gateway.charges == 0 {
                out.push(Action::Refuse(id));
            }
        }
        if state.gateway.refused == Refused::Open && state.has_free_call() {
            out.push(Action::Contradict);
        }
    }

    /// Requests are copied by proxies, which may repeat only what carries a key; results by the
    /// way from executor to actor.
    fn can_be_copied(&self, state: &State, call: &Call) -> bool {
        state.has_free_call()
            && match call.hop {
                Hop::ToGateway => call.key.is_some() && call.ask == Ask::Execute,
                Hop::ToActor(_) => true,
                _ => false,
            }
    }
}
