//! The correct design against a plain model that was written from the seed text alone, and random
//! runs of every design.

use std::collections::BTreeMap;

use super::*;
use crate::labs::balance::settings::{Identity, Keep, Lock, Meaning, OPERATIONS_MAX, Workers};
use crate::labs::balance::state::{Task, WorkerId};
use crate::random::Random;

/// One process whose memory never fails: a balance, and a receipt (number, balance after) per id.
#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    balance: i64,
    receipts: BTreeMap<String, (i64, i64)>,
}

impl Model {
    fn apply(&mut self, id: &str, delta: i64) -> Answer {
        match self.receipts.get(id) {
            Some((same, after)) if *same == delta => return Applied(*after),
            Some(_) => return Conflict,
            None => {}
        }
        let sum = i128::from(self.balance) + i128::from(delta);
        if sum < 0 {
            return Insufficient;
        }
        let Ok(sum) = i64::try_from(sum) else {
            return Overflow;
        };
        self.balance = sum;
        self.receipts.insert(id.to_owned(), (delta, sum));
        Applied(sum)
    }
}

fn random_operations(random: &mut Random) -> Vec<Operation> {
    const IDS: [&str; 6] = ["a", "b", "A", "a ", "收款", "~&"];
    const DELTAS: [i64; 11] = [
        0,
        1,
        -1,
        7,
        -7,
        100,
        -100,
        i64::MAX,
        i64::MIN,
        i64::MAX - 5,
        i64::MIN + 1,
    ];
    let count = random.below(OPERATIONS_MAX + 1);
    let operation = |_| Operation {
        id: (*random.pick(&IDS)).into(),
        delta: *random.pick(&DELTAS),
    };
    (0..count).map(operation).collect()
}

/// The correct design and the model side by side. The lock puts the deliveries one after another;
/// each counts when its transaction commits.
struct Pair {
    lab: Balance,
    state: State,
    model: Model,
    /// What the model answers to what each worker is doing.
    expected: [Option<Answer>; 2],
    /// What the client must have been told: the last answer, but a success stands.
    told: Vec<Option<Answer>>,
}

impl Pair {
    fn new(mut lab: Balance, random: &mut Random) -> Pair {
        lab.operations = random_operations(random);
        lab.workers = *random.pick(Workers::ALL);
        Pair {
            state: lab.initial(),
            model: Model::default(),
            expected: [None; 2],
            told: vec![None; lab.operations.len()],
            lab,
        }
    }

    fn take(&mut self, action: Action) {
        if let Action::Step(worker) = action {
            self.follow(worker);
        }
        let before = self.state.store;
        self.lab.step(&mut self.state, action, &mut ());
        if self.state.store != before {
            self.compare();
        }
    }

    /// Lets the model do what the next step of a worker stands for.
    fn follow(&mut self, worker: WorkerId) {
        let task: Task = self.state.tasks[worker as usize].expect("a worker at work");
        let Operation { id, delta } = &self.lab.operations[task.operation as usize];
        let expected = &mut self.expected[worker as usize];
        match self.lab.handler[task.next as usize] {
            Step::LookUp => *expected = Some(self.model.clone().apply(id, *delta)),
            Step::Commit => assert_eq!(Some(self.model.apply(id, *delta)), *expected),
            Step::Reply => {
                let told = &mut self.told[task.operation as usize];
                if !matches!(told, Some(Applied(_))) {
                    *told = *expected;
                }
            }
            _ => {}
        }
    }

    fn compare(&self) {
        let store = &self.state.store;
        assert_eq!(store.account.balance, self.model.balance);
        let operation = |index: u8| &self.lab.operations[index as usize];
        let kept = (0_u8..)
            .zip(store.receipts)
            .filter_map(|(key, receipt)| Some((key, receipt?)));
        let receipts = kept.map(|(key, receipt)| match receipt.answer {
            Applied(after) => (
                operation(key).id.to_string(),
                (operation(receipt.operation).delta, after),
            ),
            other => panic!("a receipt of {other:?}"),
        });
        assert_eq!(receipts.collect::<BTreeMap<_, _>>(), self.model.receipts);
        assert_eq!(told(&self.lab, &self.state), self.told);
    }
}

/// Some possible action; a fault less often than a step of the protocol.
fn random_action(lab: &Balance, state: &State, random: &mut Random) -> Option<Action> {
    let mut actions = Vec::new();
    lab.actions(state, &mut actions);
    let steps = actions
        .iter()
        .take_while(|action| lab.fault(state, **action).is_none())
        .count();
    let among = if steps > 0 && random.below(4) > 0 {
        steps
    } else {
        actions.len()
    };
    (among > 0).then(|| actions[random.below(among)])
}

#[test]
fn the_correct_design_equals_the_model_on_random_runs() {
    let correct = design("correct");
    let mut applied = 0;
    for seed in 0..100_000 {
        let mut random = Random::new(seed);
        let mut pair = Pair::new(correct.clone(), &mut random);
        for _ in 0..random.below(100) {
            match random_action(&pair.lab, &pair.state, &mut random) {
                Some(action) => pair.take(action),
                None => break,
            }
        }
        pair.compare();
        applied += pair.model.receipts.len();
    }
    assert!(
        applied > 100_000,
        "{applied}: runs that hardly do anything show nothing"
    );
}

/// Replaying the names of a run gives the same state, in designs that nobody thought of, too.
#[test]
fn a_replayed_run_ends_in_the_same_state() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let lab = random_design(&mut random);
        let mut state = lab.initial();
        let mut names = Vec::new();
        for _ in 0..random.below(40) {
            let Some(action) = random_action(&lab, &state, &mut random) else {
                break;
            };
            names.push(lab.name(action));
            lab.step(&mut state, action, &mut ());
        }
        let mut again = lab.initial();
        for name in &names {
            assert!(take(&lab, &mut again, name).is_continue(), "{name}");
        }
        assert!(again == state, "{names:?}");
        assert_eq!(lab.verdict(&again), lab.verdict(&state));
    }
}

fn random_design(random: &mut Random) -> Balance {
    let mut steps = Step::ALL.to_vec();
    let mut handler = Vec::new();
    while !steps.is_empty() && random.below(10) > 0 {
        handler.push(steps.swap_remove(random.below(steps.len())));
    }
    Balance {
        operations: random_operations(random),
        handler,
        workers: *random.pick(Workers::ALL),
        balance: *random.pick(Keep::ALL),
        receipts: *random.pick(Keep::ALL),
        lock: *random.pick(Lock::ALL),
        identity: *random.pick(Identity::ALL),
        refusals: *random.pick(Refusals::ALL),
        meaning: *random.pick(Meaning::ALL),
    }
}
