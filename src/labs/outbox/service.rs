//! The service: what each step of its handler does, and what its customers hear.

use super::settings::{Outbox, Repeat, Step};
use super::state::{Answer, Entry, Hop, ORDERS, OrderId, Row, RowId, State, Task, Told};
use super::view::{self, DATABASE, PROVIDER, SERVICE, message_name, order_name};
use super::{WriteFault, text};
use crate::machine::{Effect, Label, Mark, Observer};

impl Outbox {
    /// A customer who has heard nothing sends the order, again if need be, with the same order id. The
    /// first order is the one that is placed first.
    pub(super) fn can_place(&self, state: &State, order: OrderId) -> bool {
        let is_its_turn = order == 0 || state.told(0) != Told::NotAsked;
        state.service.is_up
            && is_its_turn
            && state.task(order).is_none()
            && matches!(state.told(order), Told::NotAsked | Told::Nothing)
            && self.has_order(order)
    }

    /// An order comes in. Where the outbox row is the record of what was handled, it is looked for
    /// before anything else.
    pub(super) fn place(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        state.told[usize::from(order)] = Told::Nothing;
        let is_recorded = self.repeat == Repeat::OutboxRow && state.entry(order).row_id().is_some();
        let next = if is_recorded { self.reply_from(0) } else { 0 };
        state.service.tasks[usize::from(order)] = Some(Task {
            next,
            ..Task::default()
        });
        let arrives = text::EFFECT_ARRIVES.with([order_name(order)]);
        observer.see(|| note(Mark::Note, arrives));
        if is_recorded {
            let there = text::EFFECT_THERE.with([message_name(order)]);
            observer.see(|| marked(Mark::Refused, there));
        }
        self.settle_in(state, order);
    }

    pub(super) fn next_step(&self, task: &Task) -> Option<Step> {
        self.handler.get(usize::from(task.next)).copied()
    }

    /// The handler takes its next step.
    pub(super) fn handle(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let Some(task) = state.task_mut(order) else {
            return;
        };
        let step = self.next_step(task);
        task.next += 1;
        match step {
            Some(Step::Begin) => {
                task.in_transaction = true;
                observer.see(|| note(Mark::Note, text::STEP_BEGIN.label()));
            }
            Some(Step::Order) => self.write_order(state, order, observer),
            Some(Step::Outbox) => self.write_row(state, order, observer),
            Some(Step::Commit) => self.commit(state, order, observer),
            Some(Step::Send) => self.send_directly(state, order, observer),
            Some(Step::Reply) => {
                state.told[usize::from(order)] = Told::Accepted;
                let accepted = text::EFFECT_ACCEPTED.with([order_name(order)]);
                observer.see(|| note(Mark::Note, accepted));
            }
            None => {}
        }
        self.settle_in(state, order);
    }

    /// Passes over a commit with nothing to commit, and ends after the last step. A transaction that
    /// nobody has committed is rolled back.
    fn settle_in(&self, state: &mut State, order: OrderId) {
        while let Some(task) = state.task_mut(order) {
            match self.next_step(task) {
                _ if task.sending.is_some() => return,
                Some(Step::Commit) if !task.in_transaction => task.next += 1,
                Some(_) => return,
                None => state.service.tasks[usize::from(order)] = None,
            }
        }
    }

    fn write_order(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let is_known = self.knows_order(state, order);
        let Some(task) = state.task_mut(order) else {
            return;
        };
        if is_known {
            // The unique key says that the order was taken. Whoever asks again is only answered.
            *task = Task {
                next: self.reply_from(task.next),
                ..Task::default()
            };
            observer.see(|| written(view::order_label(order)));
            let there = text::EFFECT_THERE.with([order_name(order)]);
            return observer.see(|| marked(Mark::Refused, there));
        }
        let mark = match task.in_transaction {
            true => {
                task.staged_order = true;
                Mark::Staged
            }
            false => {
                state.add_order(order);
                Mark::Durable
            }
        };
        observer.see(|| written(view::order_label(order)));
        observer.see(|| arrived(mark));
    }

    /// Whether the order's row cannot be written a second time.
    fn knows_order(&self, state: &State, order: OrderId) -> bool {
        self.repeat == Repeat::OrderKey && state.is_placed(order)
    }

    /// The place of the reply, or the end if none is left.
    fn reply_from(&self, next: u8) -> u8 {
        let reply = self.handler.iter().position(|step| *step == Step::Reply);
        let reply = reply.filter(|reply| *reply >= usize::from(next));
        reply.unwrap_or(self.handler.len()) as u8
    }

    fn write_row(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let name = message_name(order);
        if state.entry(order).row_id().is_some() {
            observer.see(|| written(text::ROW.with([name.clone()])));
            return observer.see(|| marked(Mark::Refused, text::EFFECT_THERE.with([name])));
        }
        let id = state.take_row_id();
        let Some(task) = state.task_mut(order) else {
            return;
        };
        let mark = match task.in_transaction {
            true => {
                task.staged_row = Some(id);
                Mark::Staged
            }
            false => {
                self.add_row(state, order, id);
                Mark::Durable
            }
        };
        let label = match self.polling.is_cursor() {
            true => text::ROW_NUMBERED.with([name, view::number(id)]),
            false => text::ROW.with([name]),
        };
        observer.see(|| written(label));
        observer.see(|| arrived(mark));
    }

    /// What was said of the context before, such as that it is delivered, is not said anew.
    fn add_row(&self, state: &mut State, order: OrderId, id: RowId) {
        let entry = state.entry_mut(order);
        *entry = Entry {
            row: Row::There(id),
            ..*entry
        };
    }

    fn commit(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let Some(task) = state.task_mut(order) else {
            return;
        };
        let staged = *task;
        *task = Task {
            next: staged.next,
            ..Task::default()
        };
        if staged.staged_order {
            state.add_order(order);
        }
        if let Some(id) = staged.staged_row {
            self.add_row(state, order, id);
        }
        observer.see(|| written(text::STEP_COMMIT.label()));
        observer.see(|| arrived(Mark::Durable));
    }

    /// Without an outbox: the handler sends the message itself, and waits until it is accepted.
    fn send_directly(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let message = self.next_message(state, order);
        view::see_sent(view::parcel(message, None), observer);
        if let Some(task) = state.task_mut(order) {
            task.sending = Some((message, Hop::There));
        }
    }

    /// The message that a handler sends itself arrives.
    pub(super) fn arrive_from_service(
        &self,
        state: &mut State,
        order: OrderId,
        observer: &mut impl Observer,
    ) {
        let Some(Task {
            sending: Some((message, hop)),
            ..
        }) = state.task_mut(order)
        else {
            return;
        };
        *hop = Hop::Back(Answer::Accepted);
        let message = *message;
        observer.see(|| Effect::Arrived {
            message: view::parcel_id(view::parcel(message, None)),
        });
        self.take(state, message, observer);
        observer.see(|| Effect::Sent {
            message: view::confirmation_id(order),
            from: PROVIDER,
            to: SERVICE,
            label: view::answer(Answer::Accepted),
        });
    }

    /// The handler hears that its message is accepted, and goes on.
    pub(super) fn go_on(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        if let Some(task) = state.task_mut(order) {
            task.sending = None;
        }
        observer.see(|| Effect::Arrived {
            message: view::confirmation_id(order),
        });
        self.settle_in(state, order);
    }

    /// The handler's message or the answer to it is lost.
    pub(super) fn lose_of_service(
        &self,
        state: &mut State,
        order: OrderId,
        observer: &mut impl Observer,
    ) {
        let Some(Task {
            sending: Some((message, hop)),
            ..
        }) = state.task_mut(order)
        else {
            return;
        };
        let lost = match hop {
            Hop::Back(_) => view::confirmation_id(order),
            Hop::There | Hop::Lost => view::parcel_id(view::parcel(*message, None)),
        };
        *hop = Hop::Lost;
        observer.see(|| Effect::Lost { message: lost });
    }

    /// Nobody answers in time. The handler fails, and with it its transaction; its customer hears
    /// nothing, and asks again.
    pub(super) fn fail_handler(
        &self,
        state: &mut State,
        order: OrderId,
        observer: &mut impl Observer,
    ) {
        observer.see(|| note(Mark::Wait, text::EFFECT_TIME_OUT.label()));
        self.abandon(state, order, observer);
    }

    /// A handler is gone, and its transaction is rolled back. A message that it has sent goes on.
    pub(super) fn abandon(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let task = state.service.tasks[usize::from(order)].take();
        match task.and_then(|task| task.sending) {
            Some((message, Hop::There)) => {
                let parcel = view::parcel(message, None);
                if state.parcels.is_full() {
                    view::see_lost(parcel, observer);
                }
                state.parcels.add(parcel);
            }
            Some((_, Hop::Back(_))) => observer.see(|| Effect::Lost {
                message: view::confirmation_id(order),
            }),
            Some((_, Hop::Lost)) | None => {}
        }
    }

    /// Whether the next step of the handler writes something that lasts.
    pub(super) fn writes_next(&self, state: &State, order: OrderId) -> bool {
        let Some(task) = state.task(order).filter(|task| task.sending.is_none()) else {
            return false;
        };
        match self.next_step(task) {
            Some(Step::Order) => !task.in_transaction && !self.knows_order(state, order),
            Some(Step::Outbox) => !task.in_transaction && state.entry(order).row_id().is_none(),
            Some(Step::Commit) => task.staged_order || task.staged_row.is_some(),
            _ => false,
        }
    }

    /// The write that comes next fails, in one of three ways. After the first two the handler does
    /// not know what became of it, and gives no answer; after the third it knows.
    pub(super) fn fail_write(
        &self,
        state: &mut State,
        order: OrderId,
        how: WriteFault,
        observer: &mut impl Observer,
    ) {
        match how {
            WriteFault::Stored => self.handle(state, order, observer),
            WriteFault::Lost => {
                observer.see(|| marked(Mark::Refused, text::EFFECT_NOT_STORED.label()));
            }
            WriteFault::Rejected => {
                observer.see(|| marked(Mark::Refused, text::EFFECT_REJECTED.label()));
                if !state.is_placed(order) {
                    state.told[usize::from(order)] = Told::Rejected;
                    observer.see(|| note(Mark::Note, text::EFFECT_TOLD_REJECTED.label()));
                }
            }
        }
        state.service.tasks[usize::from(order)] = None;
    }

    pub(super) fn crash_service(&self, state: &mut State, observer: &mut impl Observer) {
        ORDERS
            .iter()
            .for_each(|order| self.abandon(state, *order, observer));
        state.service.is_up = false;
        observer.see(|| Effect::Down { lane: SERVICE });
    }
}

fn note(mark: Mark, label: Label) -> Effect {
    Effect::marked(SERVICE, mark, label)
}

fn marked(mark: Mark, label: Label) -> Effect {
    Effect::marked(DATABASE, mark, label)
}

/// The mark at the end of an arrow that says what it is.
fn arrived(mark: Mark) -> Effect {
    Effect::ended(DATABASE, mark)
}

fn written(label: Label) -> Effect {
    Effect::passed(SERVICE, DATABASE, label)
}
