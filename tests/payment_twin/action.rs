//! What can happen next. Protocol steps come before faults.

use std::fmt::{Display, Formatter, Result};

use super::Twin;
use super::design::Cancel;
use super::state::{
    A, B, Life, Neighbour, ORDERS_MAX, Operation, Paid, Place, Refused, State, Step,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Step(u8),
    Restart(u8),
    Recover(u8),
    Deliver(u8),
    Process(u8),
    Arrive(u8),
    CancelArrives(u8),
    TimeOut(u8),
    Pay(u8),
    Neighbour,
    Cancel,
    Reconcile(u8),
    DuplicatePay(u8),
    LosePay(u8),
    Lose(u8),
    Duplicate(u8),
    LoseReply(u8),
    Crash(u8),
    CrashExecutor,
    CrashGateway,
    ServerError(u8),
    ServerErrorDone(u8),
    Refuse(u8),
    Contradict,
    FailWrite(Failure, u8),
    SecondIncarnation,
    ExpireKeys,
    LoseSnapshot,
}

/// How a write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nobody knows, and it is there.
    Stored,
    /// Nobody knows, and it is not.
    Lost,
    /// It is refused.
    Rejected,
}

const ACTORS: [u8; 2] = [A as u8, B as u8];

impl Twin {
    /// Lists the steps of the protocol.
    pub fn steps(&self, state: &State, out: &mut Vec<Action>) {
        for who in ACTORS {
            self.steps_of_actor(state, who, out);
        }
        for index in 0..state.calls.iter().count() {
            let number = index as u8;
            if state.calls.get(index).place.is_inside_gateway() {
                out.push(Action::Process(number));
            } else if self.can_be_delivered(state, index) {
                out.push(Action::Deliver(number));
            }
        }
        if self.design.two_orders && state.books.neighbour == Neighbour::HasNotPaid {
            out.push(Action::Neighbour);
        }
        if self.can_cancel(state) {
            out.push(Action::Cancel);
        }
        if let Some(who) = self.where_to_reconcile(state) {
            out.push(Action::Reconcile(who as u8));
        }
    }

    fn steps_of_actor(&self, state: &State, number: u8, out: &mut Vec<Action>) {
        let who = usize::from(number);
        let actor = &state.actors[who];
        let takes_a_step = self.next_step(state, who).is_some();
        if takes_a_step || self.what_to_take_up(state, who).is_some() {
            out.push(Action::Step(number));
        }
        match actor.life {
            Life::Down => out.push(Action::Restart(number)),
            Life::Recovering => out.push(Action::Recover(number)),
            Life::NotStarted | Life::Up => {}
        }
        if actor.is_idle() && state.customer.orders[who] > 0 {
            out.push(Action::Arrive(number));
        }
        if self.can_cancel_arrive(state, who) && !state.customer.has_order_under_way() {
            out.push(Action::CancelArrives(number));
        }
        if actor.waits() && !state.calls.is_one_awaited_by(who) {
            out.push(Action::TimeOut(number));
        }
        if self.can_pay(state, who) {
            out.push(Action::Pay(number));
        }
    }

    fn can_cancel_arrive(&self, state: &State, who: usize) -> bool {
        state.customer.cancel_is_under_way && state.actors[who].is_idle()
    }

    /// Lists what can go wrong.
    pub fn faults(&self, state: &State, out: &mut Vec<Action>) {
        for who in ACTORS {
            self.faults_of_actor(state, who, out);
            self.faults_of_orders(state, who, out);
        }
        for index in 0..state.calls.iter().count() {
            self.faults_of_call(state, index, out);
        }
        if state.calls.iter().any(|call| call.connected) {
            out.push(Action::CrashExecutor);
        }
        if state
            .calls
            .iter()
            .any(|call| call.place.is_inside_gateway())
        {
            out.push(Action::CrashGateway);
        }
        if state.books.refused == Refused::Open && state.calls.have_room() {
            out.push(Action::Contradict);
        }
        let is_alone = state.actors[B].life == Life::NotStarted;
        if is_alone && state.customer.paid != Paid::No {
            out.push(Action::SecondIncarnation);
        }
        if self.can_expire(state) {
            out.push(Action::ExpireKeys);
        }
        if state.snapshot.is_some() {
            out.push(Action::LoseSnapshot);
        }
    }

    fn faults_of_actor(&self, state: &State, number: u8, out: &mut Vec<Action>) {
        let who = usize::from(number);
        if state.actors[who].waits() && state.calls.is_one_awaited_by(who) {
            out.push(Action::TimeOut(number));
        }
        if self.next_step(state, who) == Some(Step::Reply) {
            out.push(Action::LoseReply(number));
        }
        if self.can_crash(state, who) {
            out.push(Action::Crash(number));
        }
        if self.writes_next(state, who) && !self.conflicts(state, who) {
            for failure in [Failure::Stored, Failure::Lost, Failure::Rejected] {
                out.push(Action::FailWrite(failure, number));
            }
        }
    }

    fn faults_of_orders(&self, state: &State, number: u8, out: &mut Vec<Action>) {
        let who = usize::from(number);
        let customer = &state.customer;
        let is_started = state.actors[who].life != Life::NotStarted;
        let overtakes = self.design.cancel == Cancel::OtherSender && customer.has_order_under_way();
        if overtakes && self.can_cancel_arrive(state, who) {
            out.push(Action::CancelArrives(number));
        }
        let has_room = is_started && customer.orders[who] < ORDERS_MAX;
        if !self.design.two_nodes && customer.has_order_under_way() && has_room {
            out.push(Action::DuplicatePay(number));
        }
        if customer.orders[who] > 0 {
            out.push(Action::LosePay(number));
        }
    }

    fn faults_of_call(&self, state: &State, index: usize, out: &mut Vec<Action>) {
        let number = index as u8;
        let call = state.calls.get(index);
        if !call.place.is_inside_gateway() {
            out.push(Action::Lose(number));
        }
        if self.can_be_duplicated(&call) && state.calls.have_room() {
            out.push(Action::Duplicate(number));
        }
        if call.place != Place::AtGateway {
            return;
        }
        if !self.design.gateway.is_home_made() {
            out.push(Action::ServerError(number));
            out.push(Action::ServerErrorDone(number));
        }
        if call.operation == Operation::Charge && state.books.charges == 0 {
            out.push(Action::Refuse(number));
        }
    }

    pub fn act(&self, state: &mut State, action: Action) {
        let at = usize::from;
        match action {
            Action::Step(who) if state.actors[at(who)].task.is_none() => {
                self.take_up(state, at(who));
            }
            Action::Step(who) => self.take_step(state, at(who), true),
            Action::LoseReply(who) => self.take_step(state, at(who), false),
            Action::Restart(who) => state.actors[at(who)].life = Life::Recovering,
            Action::Recover(who) => self.recover(state, at(who)),
            Action::Deliver(index) => self.deliver(state, at(index)),
            Action::Process(index) => self.process(state, at(index)),
            Action::Arrive(who) => self.order_arrives(state, at(who)),
            Action::CancelArrives(who) => self.cancel_arrives(state, at(who)),
            Action::TimeOut(who) => self.time_out(state, at(who)),
            Action::Pay(who) => self.pay(state, at(who)),
            Action::Neighbour => self.neighbour_pays(state),
            Action::Cancel => self.cancel(state),
            Action::Reconcile(who) => self.reconcile(state, at(who)),
            Action::DuplicatePay(who) => state.customer.orders[at(who)] += 1,
            Action::LosePay(who) => state.customer.orders[at(who)] -= 1,
            Action::Lose(index) => state.calls.remove(at(index)),
            Action::Duplicate(index) => self.duplicate(state, at(index)),
            Action::Crash(who) => self.crash_actor(state, at(who)),
            Action::CrashExecutor => self.crash_executor(state),
            Action::CrashGateway => self.crash_gateway(state),
            Action::ServerError(index) => self.server_error(state, at(index), false),
            Action::ServerErrorDone(index) => self.server_error(state, at(index), true),
            Action::Refuse(index) => self.refuse(state, at(index)),
            Action::Contradict => self.contradict(state),
            Action::FailWrite(failure, who) => self.fail_write(state, at(who), failure),
            Action::SecondIncarnation => state.actors[B].life = Life::Recovering,
            Action::ExpireKeys => self.expire_keys(state),
            Action::LoseSnapshot => state.snapshot = None,
        }
    }
}

/// The lab's name of the action.
impl Display for Action {
    fn fmt(&self, f: &mut Formatter) -> Result {
        let actor = |who: &u8| char::from(b'a' + who);
        let call = |index: &u8| index + 1;
        match self {
            Action::Step(who) => write!(f, "step {}", actor(who)),
            Action::Restart(who) => write!(f, "restart {}", actor(who)),
            Action::Recover(who) => write!(f, "recover {}", actor(who)),
            Action::Deliver(index) => write!(f, "deliver {}", call(index)),
            Action::Process(index) => write!(f, "process {}", call(index)),
            Action::Arrive(who) => write!(f, "arrive {}", actor(who)),
            Action::CancelArrives(who) => write!(f, "cancel-arrives {}", actor(who)),
            Action::TimeOut(who) => write!(f, "time-out {}", actor(who)),
            Action::Pay(who) => write!(f, "pay {}", actor(who)),
            Action::Neighbour => write!(f, "neighbour"),
            Action::Cancel => write!(f, "cancel"),
            Action::Reconcile(who) => write!(f, "reconcile {}", actor(who)),
            Action::DuplicatePay(who) => write!(f, "duplicate-pay {}", actor(who)),
            Action::LosePay(who) => write!(f, "lose-pay {}", actor(who)),
            Action::Lose(index) => write!(f, "lose {}", call(index)),
            Action::Duplicate(index) => write!(f, "duplicate {}", call(index)),
            Action::LoseReply(who) => write!(f, "lose-reply {}", actor(who)),
            Action::Crash(who) => write!(f, "crash {}", actor(who)),
            Action::CrashExecutor => write!(f, "crash-executor"),
            Action::CrashGateway => write!(f, "crash-gateway"),
            Action::ServerError(index) => write!(f, "server-error {}", call(index)),
            Action::ServerErrorDone(index) => write!(f, "server-error-done {}", call(index)),
            Action::Refuse(index) => write!(f, "refuse {}", call(index)),
            Action::Contradict => write!(f, "contradict"),
            Action::FailWrite(Failure::Stored, who) => {
                write!(f, "write-failed-stored {}", actor(who))
            }
            Action::FailWrite(Failure::Lost, who) => write!(f, "write-failed-lost {}", actor(who)),
            Action::FailWrite(Failure::Rejected, who) => {
                write!(f, "write-rejected {}", actor(who))
            }
            Action::SecondIncarnation => write!(f, "second-incarnation"),
            Action::ExpireKeys => write!(f, "expire-keys"),
            Action::LoseSnapshot => write!(f, "lose-snapshot"),
        }
    }
}
