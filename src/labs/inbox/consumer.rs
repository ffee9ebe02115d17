//! What a consumer does with a message, one step an action.
//!
//! A step is a statement that the consumer sends ([`Inbox::sends`]) and what it makes of the answer
//! (`hear`), or something that it does without the database (`act`).

use super::database::{Answer, Applied, Conn, EventId, Key, Statement, TIMES_MAX, Transaction};
use super::reactions::Problem;
use super::settings::{
    Change, Inbox, Place, Progress, Receipt as Finding, Redelivery, Traffic, UnknownCommit,
};
use super::state::{
    Consumer, ConsumerId, DELIVERIES_MAX, Job, Life, MessageId, Plan, Stage, State, Task, Told,
    Work, main_conn, other_conn, thread_conn,
};
use super::{Action, CommitFault, view};
use crate::machine::Observer;

impl Inbox {
    /// The steps of a plan, in order.
    pub(super) fn steps(&self, plan: Plan) -> &[Work] {
        match plan {
            Plan::Handler => &self.handler,
            Plan::Read => &[Work::Read, Work::Close, Work::Ack],
            Plan::ReadAnew => &[Work::Close, Work::Read, Work::Ack],
            Plan::LookUp => &[Work::Read, Work::Ack],
            Plan::Skip => &[Work::Close, Work::Ack],
            Plan::Again => &[Work::Close],
            Plan::GiveBack | Plan::BackOff => &[Work::Close, Work::GiveBack],
        }
    }

    /// The step that a task takes next.
    pub(super) fn next_step(&self, task: &Task) -> Option<Work> {
        self.steps(task.plan).get(usize::from(task.next)).copied()
    }

    /// The connection on which receipts are written and read.
    fn receipts_conn(&self, id: ConsumerId) -> Conn {
        let apart = matches!(self.place, Place::OtherConnection | Place::OtherDatabase);
        match apart || self.progress != Progress::None {
            true => other_conn(id),
            false => main_conn(id),
        }
    }

    /// The key of the receipt that a task is about.
    pub(super) fn key_of(&self, state: &State, task: &Task) -> Option<Key> {
        self.key(state, task.event())
    }

    /// The statement that an action sends to the database, and on which connection; or whose answer
    /// it reads, where it has waited.
    pub fn sends(&self, state: &State, action: Action) -> Option<(Conn, Statement)> {
        match action {
            Action::Step(id) => self.statement(state, id),
            Action::Thread(id) => {
                let statement = self.change_statement(&state.consumer(id).thread?)?;
                Some((thread_conn(id), statement))
            }
            _ => None,
        }
    }

    /// The statement of a consumer's next step; `None` where that step needs no database.
    pub(super) fn statement(&self, state: &State, id: ConsumerId) -> Option<(Conn, Statement)> {
        let task = state.consumer(id).task?;
        let (main, receipts) = (main_conn(id), self.receipts_conn(id));
        let key = self.key_of(state, &task);
        match self.next_step(&task)? {
            Work::Begin => Some((main, Statement::Begin)),
            Work::Look | Work::Read => Some((receipts, Statement::FindReceipt(key?))),
            Work::Register => match task.takes_over {
                Some(token) => Some((receipts, Statement::TakeOver(key?, token))),
                None => Some((receipts, self.insertion(state, &task, key?))),
            },
            Work::Change if self.place == Place::OtherThread => None,
            Work::Change => self
                .change_statement(&task.job)
                .map(|change| (main, change)),
            Work::Result => {
                let is_owned = self.progress == Progress::LeaseFenced;
                let completed = Statement::Complete {
                    key: key?,
                    result: match task.tells {
                        Told::Refused => Applied::Refused,
                        _ => Applied::Yes,
                    },
                    token: is_owned.then_some(task.token),
                };
                // What was committed as "in progress" is finished together with the work.
                let with_work = self.progress != Progress::None;
                Some((if with_work { main } else { receipts }, completed))
            }
            Work::Commit if task.is_rollback_only => Some((main, Statement::Rollback)),
            Work::Commit => Some((open_conn(state, id)?, Statement::Commit)),
            Work::Close => Some((open_conn(state, id)?, Statement::Rollback)),
            Work::Ack | Work::GiveBack => None,
        }
    }

    fn insertion(&self, state: &State, task: &Task, key: Key) -> Statement {
        let receipt = self.new_receipt(state, state.message(task.message), task.event());
        match self.receipt {
            Finding::OnConflict => Statement::InsertOrNothing(key, receipt),
            Finding::OneStatement => Statement::InsertOrFind(key, receipt),
            Finding::UniqueKey | Finding::Select => Statement::Insert(key, receipt),
        }
    }

    /// Takes a consumer's next step.
    pub(super) fn work(&self, state: &mut State, id: ConsumerId, observer: &mut impl Observer) {
        let Some(step) = self.current_step(state, id) else {
            return;
        };
        match self.statement(state, id) {
            Some((conn, statement)) => {
                let answer = send(state, id, conn, statement, observer);
                if answer != Answer::Blocked {
                    self.hear(state, id, step, answer);
                }
            }
            None => self.act(state, id, step, observer),
        }
        self.settle(state, id);
    }

    fn current_step(&self, state: &State, id: ConsumerId) -> Option<Work> {
        self.next_step(&state.consumer(id).task?)
    }

    /// What a consumer does without the database.
    fn act(&self, state: &mut State, id: ConsumerId, step: Work, observer: &mut impl Observer) {
        match step {
            Work::Change if self.place == Place::OtherThread => {
                if let Some(task) = state.consumer(id).task {
                    state.consumer_mut(id).thread = Some(Job::new(task.event()));
                }
                observer.see(|| view::handed_over(id));
                advance(state, id);
            }
            Work::Change => self.call(state, id, observer),
            // A new id for every attempt finds nothing, and is never taken.
            Work::Read => follow(state, id, Plan::Again),
            Work::Ack => self.ack(state, id, false, observer),
            Work::GiveBack => self.give_back(state, id, observer),
            _ => {
                observer.see(view::new_id);
                advance(state, id);
            }
        }
    }

    /// The third party does what the event asks for, and answers at once.
    fn call(&self, state: &mut State, id: ConsumerId, observer: &mut impl Observer) {
        let Some(task) = state.consumer(id).task else {
            return;
        };
        match self.request(state, id, task.event(), observer) {
            true => advance(state, id),
            false => self.throw(state, id, Problem::OtherConstraint),
        }
    }

    /// Whether the third party accepts the request of a consumer.
    fn request(
        &self,
        state: &mut State,
        id: ConsumerId,
        event: EventId,
        observer: &mut impl Observer,
    ) -> bool {
        observer.see(|| view::call(id, event));
        if self.traffic == Traffic::Forbidden {
            observer.see(view::call_refused);
            return false;
        }
        let times = &mut state.calls[usize::from(event)];
        let is_known = self.change == Change::CallWithKey && *times > 0;
        if !is_known {
            *times = (*times + 1).min(TIMES_MAX);
        }
        let times = *times;
        observer.see(|| view::called(is_known, times));
        true
    }

    /// Tells the broker that the message is handled, and with it the sender how it ended.
    pub(super) fn ack(
        &self,
        state: &mut State,
        id: ConsumerId,
        is_lost: bool,
        observer: &mut impl Observer,
    ) {
        let Some(task) = state.consumer(id).task else {
            return;
        };
        observer.see(|| view::ack(id, task.tells, is_lost));
        if !is_lost {
            state.told[usize::from(task.event())] = task.tells;
            let message = state.message_mut(task.message);
            // Whoever lost the message to another has no say any more.
            if message.stage == Stage::Hidden(id) {
                message.stage = Stage::Acked;
            }
        }
        advance(state, id);
    }

    fn give_back(&self, state: &mut State, id: ConsumerId, observer: &mut impl Observer) {
        let Some(task) = state.consumer(id).task else {
            return;
        };
        let message = state.message_mut(task.message);
        if message.stage == Stage::Hidden(id) {
            message.stage = Stage::Ready;
            // Whoever finds another at work has not failed.
            if task.plan == Plan::BackOff {
                message.deliveries -= 1;
            }
        }
        self.bury(state, task.message, observer);
        observer.see(|| view::gave_back(id, task.plan));
        advance(state, id);
    }

    /// A message that came back too often becomes a dead letter.
    pub(super) fn bury(&self, state: &mut State, message: MessageId, observer: &mut impl Observer) {
        let is_bounded = self.redelivery == Redelivery::Bounded;
        let message = state.message_mut(message);
        if is_bounded && message.stage == Stage::Ready && message.deliveries >= DELIVERIES_MAX {
            message.stage = Stage::DeadLetter;
            observer.see(view::dead_letter);
        }
    }

    /// Passes over the steps that have nothing to do, and ends the task after the last.
    pub(super) fn settle(&self, state: &mut State, id: ConsumerId) {
        while let Some(task) = state.consumer(id).task {
            match self.next_step(&task) {
                Some(Work::Close | Work::Commit) if open_conn(state, id).is_none() => {
                    advance(state, id);
                }
                // There is no receipt to look for or to write to.
                Some(Work::Look | Work::Result) if self.key_of(state, &task).is_none() => {
                    advance(state, id);
                }
                Some(_) => return,
                None if task.plan == Plan::Again => {
                    state.consumer_mut(id).task = Some(Task::new(task.message));
                }
                None => return self.release(state, id),
            }
        }
    }

    /// The connections go back to their pool, which rolls back what was left open.
    fn release(&self, state: &mut State, id: ConsumerId) {
        while let Some(conn) = open_conn(state, id) {
            state.database.execute(conn, Statement::Rollback);
        }
        state.consumer_mut(id).task = None;
    }

    /// A message arrives at a consumer.
    pub(super) fn begin(&self, state: &mut State, id: ConsumerId, message: MessageId) {
        state.consumer_mut(id).task = Some(Task::new(message));
        self.settle(state, id);
    }

    /// The commit fails in one of three ways.
    pub(super) fn fail_commit(
        &self,
        state: &mut State,
        id: ConsumerId,
        how: CommitFault,
        observer: &mut impl Observer,
    ) {
        let Some(conn) = open_conn(state, id) else {
            return;
        };
        let sent = match how {
            CommitFault::UnknownDone => Statement::Commit,
            CommitFault::Failed | CommitFault::UnknownLost => Statement::Rollback,
        };
        let answer = state.database.execute(conn, sent);
        observer.see(|| view::query(id, Statement::Commit));
        observer.see(|| view::commit_failed(how, answer));
        match (how, self.unknown_commit) {
            (CommitFault::Failed, _) => follow(state, id, Plan::GiveBack),
            (_, UnknownCommit::LookUp) => follow(state, id, Plan::LookUp),
            (_, UnknownCommit::RunAgain) => follow(state, id, Plan::Again),
            (_, UnknownCommit::AssumeDone) => advance(state, id),
        }
        self.settle(state, id);
    }

    /// A consumer whose statement waits in a circle is chosen as the victim.
    pub(super) fn be_victim(
        &self,
        state: &mut State,
        id: ConsumerId,
        observer: &mut impl Observer,
    ) {
        let conns = [main_conn(id), other_conn(id)];
        let Some(conn) = conns
            .into_iter()
            .find(|conn| state.database.is_deadlocked(*conn))
        else {
            return;
        };
        state.database.choose_victim(conn);
        observer.see(view::deadlock);
        self.throw(state, id, Problem::Transient);
        self.settle(state, id);
    }

    /// The other thread of a consumer sends its next statement, or calls the third party.
    pub(super) fn work_in_thread(
        &self,
        state: &mut State,
        id: ConsumerId,
        observer: &mut impl Observer,
    ) {
        let Some(mut job) = state.consumer(id).thread else {
            return;
        };
        let Some((conn, statement)) = self.sends(state, Action::Thread(id)) else {
            self.request(state, id, job.event, observer);
            state.consumer_mut(id).thread = None;
            return;
        };
        match send(state, id, conn, statement, observer) {
            Answer::Blocked => return,
            Answer::Row(row) => job.read = row,
            // Nobody hears of an error in another thread.
            Answer::Error(_) => {
                state.consumer_mut(id).thread = None;
                return;
            }
            _ => {}
        }
        job.part += 1;
        let is_left = self.change_statement(&job).is_some();
        state.consumer_mut(id).thread = is_left.then_some(job);
    }

    pub(super) fn crash(&self, state: &mut State, id: ConsumerId) {
        state.database.disconnect(main_conn(id));
        state.database.disconnect(other_conn(id));
        state.database.disconnect(thread_conn(id));
        *state.consumer_mut(id) = Consumer {
            life: Life::Down,
            ..Consumer::default()
        };
    }
}

/// Sends a statement, or reads the answer to one that has waited.
fn send(
    state: &mut State,
    id: ConsumerId,
    conn: Conn,
    statement: Statement,
    observer: &mut impl Observer,
) -> Answer {
    if !state.database.has_answer(conn) {
        observer.see(|| view::query(id, statement));
    }
    let answer = state.database.execute(conn, statement);
    if let Some(effect) = view::answered(state, conn, statement, answer) {
        observer.see(|| effect);
    }
    answer
}

pub(super) fn advance(state: &mut State, id: ConsumerId) {
    if let Some(task) = &mut state.consumer_mut(id).task {
        task.next += 1;
        task.takes_over = None;
    }
}

pub(super) fn follow(state: &mut State, id: ConsumerId, plan: Plan) {
    if let Some(task) = &mut state.consumer_mut(id).task {
        task.plan = plan;
        task.next = 0;
        task.takes_over = None;
    }
}

/// The first of a consumer's connections whose transaction is open.
pub(super) fn open_conn(state: &State, id: ConsumerId) -> Option<Conn> {
    let conns = [main_conn(id), other_conn(id)];
    conns
        .into_iter()
        .find(|conn| state.transaction(*conn) != Transaction::None)
}
