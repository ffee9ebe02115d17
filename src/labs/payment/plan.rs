//! What an actor is doing: a plan of steps, and what it knows so far.

use super::settings::{Payment, Step};
use super::state::{Operation, ReceiptId};

/// One step of an actor. The first five are those that a person can put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    Check,
    Intent,
    Call,
    Outcome,
    Reply,
    /// Ask the gateway what became of the operation.
    LookUp,
    /// Record that the order is cancelled.
    Cancel,
}

impl From<Step> for Work {
    fn from(step: Step) -> Work {
        match step {
            Step::Check => Work::Check,
            Step::Intent => Work::Intent,
            Step::Call => Work::Call,
            Step::Outcome => Work::Outcome,
            Step::Reply => Work::Reply,
        }
    }
}

/// Why the actor is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    /// The customer's order to pay.
    Handler,
    /// An open payment or refund that nobody works on.
    Resolve,
    /// A result that came when nobody waited for it.
    Settle,
    /// The customer's cancel.
    Cancel,
    /// A cancelled order that was paid: give the money back.
    Refund,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    pub operation: Operation,
    pub plan: Plan,
    /// Which step comes next, by its place in the plan.
    pub next: u8,
    /// Whether it waits for the gateway's answer.
    pub waiting: bool,
    /// How it ended, where that is known.
    pub result: Option<Outcome>,
    /// How often it has called again at once.
    pub retries: u8,
}

/// How a payment or refund ended, as far as the actor knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Done(ReceiptId),
    Failed,
    Unknown,
}

impl Task {
    pub fn new(plan: Plan, operation: Operation) -> Task {
        Task {
            operation,
            plan,
            next: 0,
            waiting: false,
            result: None,
            retries: 0,
        }
    }
}

impl Payment {
    /// The steps of a plan, in order.
    pub fn steps(&self, plan: Plan) -> &[Work] {
        match plan {
            Plan::Handler => &self.handler,
            Plan::Resolve => &[Work::LookUp, Work::Call, Work::Outcome, Work::Reply],
            Plan::Settle => &[Work::Outcome, Work::Reply],
            Plan::Cancel => &[Work::Cancel, Work::Reply],
            Plan::Refund => &[Work::Intent, Work::Call, Work::Outcome, Work::Reply],
        }
    }

    /// The step that a task takes next.
    pub fn next_step(&self, task: &Task) -> Option<Work> {
        self.steps(task.plan).get(usize::from(task.next)).copied()
    }
}
