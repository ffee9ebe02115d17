//! The other side: a broker with our receiver behind it, or a provider that mails by itself.

use super::settings::{CleanUp, Inbox, MessageId, Outbox, Polling, Provider, Repeat, Retention};
use super::state::{
    Answer, Ask, COUNT_MAX, DISPATCHERS, Delivery, DispatcherId, Effects, Entry, Hop, Message,
    ORDERS, OrderId, Row, Stage, State, Status,
};
use super::text;
use super::view::{self, DATABASE, PROVIDER, RECEIVER, message_name};
use crate::lab::Law;
use crate::machine::{Effect, Mark, Observer, Text};

impl Outbox {
    /// The message of an order as its latest attempt sends it.
    pub(super) fn message(&self, state: &State, order: OrderId) -> Message {
        Message {
            order,
            attempt: match self.message_id {
                MessageId::Stable => 0,
                MessageId::PerAttempt => state.effects(order).attempts,
            },
        }
    }

    /// Whether the provider takes what arrives now. A broker that is full lets it wait.
    pub(super) fn has_room(&self, state: &State) -> bool {
        self.provider.mails() || state.queue_has_room()
    }

    /// A dispatcher's request arrives.
    pub(super) fn arrive(&self, state: &mut State, id: DispatcherId, observer: &mut impl Observer) {
        let Some(job) = state.job(id).copied() else {
            return;
        };
        let answer = match job.stage {
            Stage::Waits(Ask::Send(message), Hop::There) => {
                let parcel = view::parcel(message, Some(id));
                observer.see(|| Effect::Arrived {
                    message: view::parcel_id(parcel),
                });
                self.take(state, message, observer);
                Answer::Accepted
            }
            Stage::Waits(Ask::LookUp, Hop::There) => {
                observer.see(|| Effect::Arrived {
                    message: view::look_up_id(job.order, id),
                });
                let asked = bit(self.message(state, job.order));
                match state.effects(job.order).ids & asked {
                    0 => Answer::NotFound,
                    _ => Answer::Found,
                }
            }
            _ => return,
        };
        self.reply(state, id, answer, observer);
    }

    /// The provider says no, and does nothing.
    pub(super) fn refuse(&self, state: &mut State, id: DispatcherId, observer: &mut impl Observer) {
        if let Some(Stage::Waits(Ask::Send(message), _)) = state.job(id).map(|job| job.stage) {
            let parcel = view::parcel(message, Some(id));
            observer.see(|| Effect::Arrived {
                message: view::parcel_id(parcel),
            });
            observer.see(|| Effect::marked(PROVIDER, Mark::Refused, text::EFFECT_REFUSED.label()));
            self.reply(state, id, Answer::Refused, observer);
        }
    }

    fn reply(
        &self,
        state: &mut State,
        id: DispatcherId,
        answer: Answer,
        observer: &mut impl Observer,
    ) {
        let Some(job) = &mut state.dispatcher_mut(id).job else {
            return;
        };
        let order = job.order;
        if let Stage::Waits(_, hop) = &mut job.stage {
            *hop = Hop::Back(answer);
        }
        observer.see(|| Effect::Sent {
            message: view::answer_id(order, id, answer),
            from: PROVIDER,
            to: view::lane_of(id),
            label: view::answer(answer),
        });
    }

    /// A message arrives that nobody waits to hear of.
    pub(super) fn arrive_late(&self, state: &mut State, place: u8, observer: &mut impl Observer) {
        if let Some(parcel) = state.parcels.get(place) {
            state.parcels.remove(place);
            observer.see(|| Effect::Arrived {
                message: view::parcel_id(parcel),
            });
            self.take(state, parcel.message, observer);
        }
    }

    /// A broker keeps the message until it is acknowledged; a mail provider sends the mail.
    pub(super) fn take(&self, state: &mut State, message: Message, observer: &mut impl Observer) {
        match self.provider {
            Provider::Broker => {
                state.queue.add(message);
                view::see_delivery(message, observer);
            }
            Provider::Recognises | Provider::LookUp | Provider::Neither => {
                let is_new = self.apply(state.effects_mut(message.order), message);
                let mails = state.effects(message.order).mails;
                if is_new {
                    observer.see(|| Effect::Passed {
                        from: PROVIDER,
                        to: RECEIVER,
                        label: text::MAIL.with([view::place(message.order)]),
                        lost: false,
                    });
                    observer.see(|| Effect::ended(RECEIVER, harm(mails)));
                } else {
                    let known = text::EFFECT_KNOWN.with([view::name_of(message)]);
                    observer.see(|| Effect::marked(PROVIDER, Mark::Refused, known));
                }
            }
        }
    }

    /// What a message does where the effect happens: nothing if it is recognised, else one mail,
    /// together with the record by which it will be recognised. Gives whether there is a mail.
    pub(super) fn apply(&self, effects: &mut Effects, message: Message) -> bool {
        let is_recognised = match (self.provider, self.inbox) {
            (Provider::Recognises, _) | (Provider::Broker, Inbox::Table | Inbox::Memory) => {
                effects.ids & bit(message) != 0
            }
            (Provider::Broker, Inbox::BusinessKey) => effects.mails > 0,
            (Provider::LookUp | Provider::Neither, _) | (Provider::Broker, Inbox::None) => false,
        };
        if is_recognised {
            return false;
        }
        effects.mails = (effects.mails + 1).min(COUNT_MAX);
        if self.remembers_ids() {
            effects.ids |= bit(message);
        }
        true
    }

    fn remembers_ids(&self) -> bool {
        match self.provider {
            Provider::Broker => matches!(self.inbox, Inbox::Table | Inbox::Memory),
            Provider::Recognises | Provider::LookUp => true,
            Provider::Neither => false,
        }
    }

    pub(super) fn can_look_up(&self) -> bool {
        self.provider == Provider::LookUp
    }

    /// The broker delivers a message to the receiver.
    pub(super) fn receive(&self, state: &mut State, place: u8, observer: &mut impl Observer) {
        let Some(message) = state.queue.get(place) else {
            return;
        };
        state.queue.remove(place);
        let deliveries = &mut state.effects_mut(message.order).deliveries;
        *deliveries = (*deliveries + 1).min(COUNT_MAX);
        state.receiver.delivery = Some(Delivery {
            message,
            is_handled: false,
        });
        observer.see(|| Effect::Arrived {
            message: view::delivery_id(message),
        });
    }

    /// The receiver's transaction: recognise the message, or take it in and do what it asks for.
    pub(super) fn handle_delivery(&self, state: &mut State, observer: &mut impl Observer) {
        let Some(delivery) = &mut state.receiver.delivery else {
            return;
        };
        delivery.is_handled = true;
        let message = delivery.message;
        let effects = &mut state.effects[usize::from(message.order)];
        let is_new = self.apply(effects, message);
        let mails = effects.mails;
        let name = view::name_of(message);
        observer.see(|| match is_new {
            true => {
                let mail = text::MAIL.with([view::place(message.order)]);
                Effect::marked(RECEIVER, harm(mails), mail)
            }
            false => Effect::marked(RECEIVER, Mark::Refused, text::EFFECT_KNOWN.with([name])),
        });
    }

    /// The receiver acknowledges. An acknowledgement that is lost brings the message back.
    pub(super) fn acknowledge(
        &self,
        state: &mut State,
        arrives: bool,
        observer: &mut impl Observer,
    ) {
        observer.see(|| Effect::Passed {
            from: RECEIVER,
            to: PROVIDER,
            label: text::ACK.label(),
            lost: !arrives,
        });
        match arrives {
            true => state.receiver.delivery = None,
            false => put_back(state, observer),
        }
    }

    pub(super) fn duplicate(&self, state: &mut State, place: u8, observer: &mut impl Observer) {
        if let Some(message) = state.queue.get(place) {
            state.queue.add(message);
            view::see_delivery(message, observer);
        }
    }

    /// The receiver dies. What it has not acknowledged is delivered again.
    pub(super) fn crash_receiver(&self, state: &mut State, observer: &mut impl Observer) {
        state.receiver.is_up = false;
        observer.see(|| Effect::Down { lane: RECEIVER });
        put_back(state, observer);
        if self.inbox == Inbox::Memory {
            state.effects.iter_mut().for_each(|effects| effects.ids = 0);
        }
    }

    /// Whether the receiver holds anything that a crash erases.
    pub(super) fn receiver_can_crash(&self, state: &State) -> bool {
        let remembers = self.inbox == Inbox::Memory && state.effects.iter().any(|of| of.ids != 0);
        state.receiver.is_up && (state.receiver.delivery.is_some() || remembers)
    }

    /// Whether ids are forgotten after a time that a message can outlive.
    fn forgets_ids(&self) -> bool {
        match self.provider {
            Provider::Broker => self.remembers_ids() && self.retention == Retention::Short,
            Provider::Recognises => true,
            Provider::LookUp | Provider::Neither => false,
        }
    }

    /// Whether time can pass the retentions, to some effect. Nothing that is under way lives as long,
    /// and no transaction runs as long.
    pub(super) fn can_expire(&self, state: &State) -> bool {
        let waits = |id: &DispatcherId| state.request(*id).is_some();
        let is_quiet = state.parcels.is_empty()
            && state.queue.is_empty()
            && state.receiver.delivery.is_none()
            && state.service.tasks == [None; 2]
            && !DISPATCHERS.iter().any(waits);
        let forgets = self.forgets_ids() && state.effects.iter().any(|of| of.ids != 0);
        let deletes = ORDERS
            .iter()
            .any(|order| self.is_deleted_with_time(state, *order));
        !state.expired && is_quiet && (forgets || deletes)
    }

    fn is_deleted_with_time(&self, state: &State, order: OrderId) -> bool {
        let is_deleted = match self.recorded(state, order) {
            // Nobody misses a row that is sent, unless it is the record by which an order is recognised.
            Some(Status::Sent) => {
                self.repeat == Repeat::OutboxRow
                    && (self.clean_up == CleanUp::All || self.retention == Retention::Short)
            }
            _ => self.clean_up == CleanUp::All,
        };
        is_deleted && state.entry(order).row_id().is_some()
    }

    /// Time passes the retentions.
    pub(super) fn expire(&self, state: &mut State, observer: &mut impl Observer) {
        state.expired = true;
        if self.forgets_ids() {
            state.effects.iter_mut().for_each(|effects| effects.ids = 0);
            let lane = match self.provider {
                Provider::Broker => RECEIVER,
                _ => PROVIDER,
            };
            observer.see(|| Effect::marked(lane, Mark::Wait, text::EFFECT_FORGOTTEN.label()));
        }
        for order in ORDERS {
            if self.is_deleted_with_time(state, order) {
                let words = match self.recorded(state, order) {
                    Some(Status::Sent) => text::EFFECT_CLEANED_UP,
                    _ => text::EFFECT_DELETED,
                };
                self.delete_row(state, order, words, observer);
            }
            let is_left = self
                .recorded(state, order)
                .is_some_and(|said| said != Status::Sent);
            state.entry_mut(order).is_old |= is_left;
        }
        // Whoever has slept as long does not know what others have done since.
        for dispatcher in &mut state.dispatchers {
            if let Some(job) = &mut dispatcher.job {
                job.may_be_sent = true;
                state.database.outbox[usize::from(job.order)].is_old = true;
            }
        }
    }

    /// Whether the row of a context that is delivered is still there.
    pub(super) fn can_clean_up(&self, state: &State, order: OrderId) -> bool {
        let entry = state.entry(order);
        self.polling == Polling::Context
            && entry.status == Status::Sent
            && entry.row_id().is_some()
            && state.task(order).is_none()
            && !DISPATCHERS.iter().any(|id| state.is_at_work_on(*id, order))
    }

    pub(super) fn clean_up(&self, state: &mut State, order: OrderId, observer: &mut impl Observer) {
        let status = state.entry(order).status;
        self.delete_row(state, order, text::EFFECT_CLEANED_UP, observer);
        state.entry_mut(order).status = status;
    }

    fn delete_row(
        &self,
        state: &mut State,
        order: OrderId,
        words: Text,
        observer: &mut impl Observer,
    ) {
        *state.entry_mut(order) = Entry {
            row: Row::CleanedUp,
            ..Entry::default()
        };
        observer.see(|| Effect::marked(DATABASE, Mark::Refused, words.with([message_name(order)])));
    }

    /// f(f(S,e),e) = f(S,e) where the effect happens, with every order's message as e.
    pub(super) fn try_laws(&self, state: &State) -> Vec<Law> {
        let law = |order: OrderId| {
            let message = self.message(state, order);
            let mut effects = *state.effects(order);
            let first = u8::from(self.apply(&mut effects, message));
            let once = effects;
            let second = u8::from(self.apply(&mut effects, message));
            // Mails are counted only so far, but the law is about every number of them.
            let mails = state.effects(order).mails;
            let chain = [mails, mails + first, mails + first + second];
            Law {
                subject: view::message_label(message),
                chain: chain.map(view::amount).into(),
                holds: Some(second == 0 && effects == once),
            }
        };
        ORDERS
            .into_iter()
            .filter(|order| self.has_order(*order))
            .map(law)
            .collect()
    }
}

/// What the receiver had not acknowledged goes back to the broker, which delivers it again.
fn put_back(state: &mut State, observer: &mut impl Observer) {
    if let Some(delivery) = state.receiver.delivery.take() {
        state.queue.add(delivery.message);
        view::see_delivery(delivery.message, observer);
    }
}

/// The place of an id among the ids that are remembered.
fn bit(message: Message) -> u8 {
    1 << message.attempt
}

fn harm(mails: u8) -> Mark {
    match mails {
        0 | 1 => Mark::Applied,
        _ => Mark::Harm,
    }
}
