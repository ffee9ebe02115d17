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

/// Why the actor is at work; in the order of [`Plans`].
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

/// The steps of each plan, in order, and nothing after the last.
#[derive(Clone, Debug)]
pub struct Plans([[Option<Work>; STEPS_MAX]; PLANS]);

/// More than a plan has.
const STEPS_MAX: usize = 8;
const PLANS: usize = 5;

impl Plans {
    pub fn new(handler: &[Work]) -> Plans {
        let plan = |steps: &[Work]| std::array::from_fn(|place| steps.get(place).copied());
        Plans([
            plan(handler),
            plan(&[Work::LookUp, Work::Call, Work::Outcome, Work::Reply]),
            plan(&[Work::Outcome, Work::Reply]),
            plan(&[Work::Cancel, Work::Reply]),
            plan(&[Work::Intent, Work::Call, Work::Outcome, Work::Reply]),
        ])
    }
}

impl Payment {
    /// The step that a task takes next.
    pub fn next_step(&self, task: &Task) -> Option<Work> {
        let steps = &self.plans.0[task.plan as usize];
        steps.get(usize::from(task.next)).copied().flatten()
    }
}
