//! An exhaustive search for tests inside and outside the crate: whoever includes it has [`Lab`] in
//! scope.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::Lab;

/// Visits every state that is reachable with at most `faults_max` faults, those that need the
/// fewest faults first: so each is expanded once, with as many faults left as it can have.
/// Gives the number of states.
///
/// # Panics
///
/// If there are more than `states_max`: a search that is cut proves nothing.
pub fn explore<L: Lab>(
    lab: &L,
    faults_max: usize,
    states_max: usize,
    mut visit: impl FnMut(&L::State),
) -> usize {
    let mut layers: Vec<Vec<L::State>> = vec![Vec::new(); faults_max + 1];
    layers[0].push(lab.initial());
    let mut seen: HashSet<L::State, BuildHasherDefault<Fold>> = HashSet::default();
    let mut actions = Vec::new();
    for faults in 0..=faults_max {
        while let Some(state) = layers[faults].pop() {
            if seen.contains(&state) {
                continue;
            }
            assert!(seen.len() < states_max, "more than {states_max} states");
            visit(&state);
            actions.clear();
            lab.actions(&state, &mut actions);
            for action in &actions {
                let spent = faults + usize::from(lab.fault(&state, *action).is_some());
                if spent <= faults_max {
                    let mut next = state.clone();
                    lab.step(&mut next, *action, &mut ());
                    layers[spent].push(next);
                }
            }
            seen.insert(state);
        }
    }
    seen.len()
}

/// A quick hash for large keys; the table still compares them.
#[derive(Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}
