//! Machines made by chance, against searches too simple to be wrong.

use std::collections::{BTreeMap, BTreeSet};

use super::{Toy, explored, mapped};
use crate::explore::{Map, STATES_MAX, Search};
use crate::machine::{Fault, Harm, Machine, Progress};
use crate::random::Random;

const MACHINES: u64 = 3000;
const HARMS: [Harm; 4] = [Harm::Stuck, Harm::WrongBelief, Harm::Lost, Harm::Duplicated];

fn machine(random: &mut Random) -> Toy {
    let states = 2 + random.below(9);
    let mut toy = Toy::default();
    for _ in 0..random.below(3 * states) {
        let fault = *random.pick(&[None, None, Some(Fault::Crash), Some(Fault::LoseReply)]);
        let edge = (
            random.below(states) as u8,
            random.below(states) as u8,
            fault,
        );
        toy.edges.push(edge);
    }
    for state in 1..states as u8 {
        match random.below(8) {
            0 => toy.harms.push((state, *random.pick(&HARMS))),
            1 | 2 => toy.done.push(state),
            _ => {}
        }
    }
    toy
}

/// A run of at most so many steps.
fn run(toy: &Toy, random: &mut Random) -> Vec<u8> {
    let mut run = vec![0];
    for _ in 0..random.below(6) {
        let last = run[run.len() - 1];
        let edges: Vec<_> = toy.edges.iter().filter(|edge| edge.0 == last).collect();
        if !edges.is_empty() {
            run.push(random.pick(&edges).1);
        }
    }
    run
}

/// Fewest faults and steps from a state to each other, by relaxing all edges again and again.
fn lengths(toy: &Toy, from: u8, faults_max: u8) -> BTreeMap<u8, (u8, u32)> {
    let mut lengths = BTreeMap::from([(from, (0, 0))]);
    loop {
        let before = lengths.clone();
        for (from, to, fault) in &toy.edges {
            let Some((faults, steps)) = lengths.get(from) else {
                continue;
            };
            let length = (faults + u8::from(fault.is_some()), steps + 1);
            if length.0 <= faults_max && lengths.get(to).is_none_or(|old| length < *old) {
                lengths.insert(*to, length);
            }
        }
        if lengths == before {
            return lengths;
        }
    }
}

/// Whether no end is reached from a state without a further fault.
fn is_endless(toy: &Toy, state: u8) -> bool {
    let mut reached = lengths(toy, state, 0).into_keys();
    !reached.any(|state| toy.verdict(&state).progress != Progress::Running)
}

/// The harm of a state, with the harm of going on for ever.
fn harm(toy: &Toy, state: u8) -> Harm {
    match is_endless(toy, state) {
        true => toy.harm(state).max(Harm::Endless),
        false => toy.harm(state),
    }
}

/// Whether a harm of at least this much comes, whatever the protocol does: nobody avoids it for as
/// many steps as there are states.
fn is_inevitable(toy: &Toy, state: u8, least: Harm, patience: usize) -> bool {
    let steps = toy
        .edges
        .iter()
        .filter(|edge| edge.0 == state && edge.2.is_none());
    let mut next = steps.map(|edge| edge.1).peekable();
    let goes_on = patience > 0 && next.peek().is_some();
    toy.harm(state) >= least
        || goes_on && next.all(|next| is_inevitable(toy, next, least, patience - 1))
}

#[test]
fn a_search_finds_what_a_simple_one_finds() {
    for seed in 1..MACHINES {
        let toy = machine(&mut Random::new(seed));
        for faults_max in 0..3 {
            let search = explored(&toy, faults_max);
            let lengths = lengths(&toy, 0, faults_max);
            let found: BTreeSet<_> = search.iter().copied().collect();
            assert!(found.iter().eq(lengths.keys()), "{toy:?}");
            assert_eq!(search.states(), lengths.len(), "each once");
            let worst = found.iter().map(|state| harm(&toy, *state)).max();
            assert_eq!(Some(search.worst()), worst, "{toy:?}");
            for wanted in Harm::ALL {
                let shows = |state: &u8| match wanted {
                    Harm::Endless => is_endless(&toy, *state),
                    _ => toy.harm(*state) == wanted,
                };
                let nearest = found.iter().filter(|s| shows(s)).map(|s| lengths[s]).min();
                let run = search.shortest(wanted);
                let length = run.map(|run| {
                    let faults = run.iter().filter(|edge| toy.edges[**edge].2.is_some());
                    let end = run.iter().fold(0, |from, edge| {
                        assert_eq!(toy.edges[*edge].0, from);
                        toy.edges[*edge].1
                    });
                    assert!(shows(&end), "{wanted:?} at {end} of {toy:?}");
                    (faults.count() as u8, run.len() as u32)
                });
                assert_eq!(length, nearest, "{wanted:?} in {toy:?}");
            }
        }
    }
}

#[test]
fn a_map_finds_what_a_simple_one_finds() {
    for seed in 1..MACHINES {
        let mut random = Random::new(seed);
        let toy = machine(&mut random);
        let run = run(&toy, &mut random);
        for faults_max in 1..4 {
            let map = mapped(&toy, &run, faults_max);
            let mut windows = map.windows().iter();
            for (gap, state) in run.iter().enumerate() {
                for fault in [Fault::Crash, Fault::LoseReply] {
                    let edges = toy.edges.iter();
                    let edges = edges.filter(|edge| edge.0 == *state && edge.2 == Some(fault));
                    let mut nearest = BTreeMap::new();
                    for (state, length) in edges.flat_map(|e| lengths(&toy, e.1, faults_max - 1)) {
                        let ends = toy.verdict(&state).progress != Progress::Running;
                        let harm = harm(&toy, state);
                        if harm > Harm::Clean || ends {
                            let old = nearest.entry(harm).or_insert(length);
                            *old = length.min(*old);
                        }
                    }
                    // No entry: nothing possible here, for a state without harm reaches an end.
                    let Some((worst, nearest)) = nearest.pop_last() else {
                        continue;
                    };
                    let window = windows.next().expect("a window");
                    assert_eq!((window.gap, window.fault), (gap, fault));
                    assert_eq!(window.harm, worst, "gap {gap} of {run:?} in {toy:?}");
                    let end = window.run.iter().fold(*state, |from, edge| {
                        assert_eq!(toy.edges[*edge].0, from);
                        toy.edges[*edge].1
                    });
                    assert_eq!(harm(&toy, end), worst, "it leads there");
                    let faults = window
                        .run
                        .iter()
                        .filter(|edge| toy.edges[**edge].2.is_some());
                    let length = (faults.count() as u8 - 1, window.run.len() as u32 - 1);
                    assert_eq!(length, nearest, "gap {gap} of {run:?} in {toy:?}");
                }
            }
            assert_eq!(windows.next(), None);
            let worst = run.iter().map(|state| toy.harm(*state)).max();
            let no_return = worst
                .filter(|worst| *worst > Harm::Clean)
                .and_then(|worst| {
                    let mut states = run.iter();
                    states.position(|state| is_inevitable(&toy, *state, worst, 11))
                });
            assert_eq!(map.no_return(), no_return, "{run:?} in {toy:?}");
        }
    }
}

#[test]
fn slices_make_no_difference() {
    for seed in 1..MACHINES / 10 {
        let mut random = Random::new(seed);
        let toy = machine(&mut random);
        let run = run(&toy, &mut random);
        let (whole, whole_map) = (explored(&toy, 2), mapped(&toy, &run, 2));
        let mut search = Search::new(toy.clone(), 2, STATES_MAX);
        while !search.advance(1) {}
        assert!(search.iter().eq(whole.iter()));
        for harm in Harm::ALL {
            assert_eq!(search.shortest(harm), whole.shortest(harm));
            assert_eq!(search.ends(harm), whole.ends(harm));
        }
        assert_eq!(search.lasso(), whole.lasso());
        let mut map = Map::new(toy.into(), run, 2, STATES_MAX);
        while !map.advance(1) {}
        assert_eq!(map.windows(), whole_map.windows());
        assert_eq!(map.no_return(), whole_map.no_return());
    }
}
