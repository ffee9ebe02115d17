//! What holds in every state that two faults lead to.

use super::*;
use crate::explore::{STATES_MAX, Search};
use crate::labs::balance::settings::{Meaning, Workers};
use crate::labs::balance::state::Account;

fn explore(lab: &Balance, visit: impl FnMut(&State)) {
    let mut search = Search::new(lab.clone(), 2, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete(), "a search that is cut proves nothing");
    search.iter().for_each(visit);
}

/// Both bounds of an effect, counted from the balance alone: at most once, and at least once where
/// success was acknowledged. The powers of two tell which operations a balance contains, and how
/// often.
#[test]
fn the_correct_design_applies_once_at_most_and_once_at_least_if_it_said_so() {
    const ALLOWED: [i64; 8] = [0, 1, 4, 5, 16, 17, 20, 21];
    for workers in [Workers::One, Workers::Threads, Workers::Processes] {
        let mut lab = ledger(&[("a", 1), ("b", 4), ("c", 16)]);
        lab.workers = workers;
        explore(&lab, |state| {
            let balance = state.store.account.balance;
            assert!(ALLOWED.contains(&balance), "{workers:?}: {balance}");
            for (answer, operation) in told(&lab, state).into_iter().zip(&lab.operations) {
                let contained = balance & operation.delta != 0;
                assert!(
                    answer.is_none() || contained,
                    "{workers:?}: {balance}, {answer:?}"
                );
            }
        });
    }
}

/// The truth by which runs are judged travels with the number: every copy of a balance is the sum
/// of what it is said to contain.
#[test]
fn a_balance_is_the_sum_of_what_it_contains() {
    for preset in presets::all() {
        let lab = Balance::new(&preset.settings);
        if lab.meaning != Meaning::Add {
            continue;
        }
        explore(&lab, |state| {
            let tasks = state.tasks.iter().flatten();
            let planned = tasks
                .flat_map(|task| [task.plan, task.staged_account])
                .flatten();
            let memories = state.processes.iter().map(|process| process.memory.account);
            for account in memories.chain([state.store.account]).chain(planned) {
                assert_eq!(sum(&lab, &account), account.balance.into(), "{}", preset.id);
            }
        });
    }
}

fn sum(lab: &Balance, account: &Account) -> i128 {
    let parts = lab.operations.iter().zip(account.applied);
    parts
        .map(|(operation, times)| i128::from(operation.delta) * i128::from(times))
        .sum()
}
