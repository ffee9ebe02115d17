//! The failure-window map of every preset's run, against a search that is too simple to be wrong.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use effectively_once::explore::{Map, STATES_MAX};
use effectively_once::lab::Lab;
use effectively_once::labs::{balance::Balance, delivery::Delivery, inbox::Inbox, outbox::Outbox};
use effectively_once::machine::{Fault, Harm, Preset, Progress};

/// The states of a preset's run.
fn states<L: Lab>(lab: &L, preset: &Preset) -> Vec<L::State> {
    let mut states = vec![lab.initial()];
    for name in &preset.run {
        let mut state = states[states.len() - 1].clone();
        let actions = actions(lab, &state);
        let action = actions
            .into_iter()
            .find(|action| lab.name(*action) == *name);
        lab.step(&mut state, action.expect("a possible action"), &mut ());
        states.push(state);
    }
    states
}

fn actions<L: Lab>(lab: &L, state: &L::State) -> Vec<L::Action> {
    let mut actions = Vec::new();
    lab.actions(state, &mut actions);
    actions
}

/// Worst harms by trying everything, once for each number of faults that are left.
struct Simple<L: Lab> {
    lab: Rc<L>,
    reaches_end: HashMap<L::State, bool>,
}

impl<L: Lab> Simple<L> {
    fn next(&self, state: &L::State, action: L::Action) -> L::State {
        let mut next = state.clone();
        self.lab.step(&mut next, action, &mut ());
        next
    }

    fn harm(&mut self, state: &L::State) -> Harm {
        let harm = self.lab.verdict(state).harm();
        match self.reaches_end(state) {
            true => harm,
            false => harm.max(Harm::Endless),
        }
    }

    fn reaches_end(&mut self, state: &L::State) -> bool {
        if let Some(known) = self.reaches_end.get(state) {
            return *known;
        }
        let (mut seen, mut waiting) = (HashSet::new(), vec![state.clone()]);
        let found = loop {
            let Some(state) = waiting.pop() else {
                break false;
            };
            let ended = self.lab.verdict(&state).progress != Progress::Running;
            if ended || self.reaches_end.get(&state) == Some(&true) {
                break true;
            }
            let steps = actions(&*self.lab, &state).into_iter();
            let steps = steps.filter(|action| self.lab.fault(&state, *action).is_none());
            waiting.extend(steps.map(|action| self.next(&state, action)));
            waiting.retain(|state| !seen.contains(state));
            seen.insert(state);
        };
        self.reaches_end.insert(state.clone(), found);
        found
    }

    fn worst(&mut self, from: L::State, faults: u8) -> Harm {
        let (mut seen, mut waiting) = (HashSet::new(), vec![(from, faults)]);
        let mut worst = Harm::Clean;
        while let Some((state, faults)) = waiting.pop() {
            if seen.contains(&(state.clone(), faults)) {
                continue;
            }
            worst = worst.max(self.harm(&state));
            for action in actions(&*self.lab, &state) {
                let fault = u8::from(self.lab.fault(&state, action).is_some());
                if fault <= faults {
                    waiting.push((self.next(&state, action), faults - fault));
                }
            }
            seen.insert((state, faults));
        }
        worst
    }
}

/// The windows that a simple search finds: gap, fault, worst harm.
fn simple_windows<L: Lab>(lab: Rc<L>, run: &[L::State], faults: u8) -> Vec<(usize, Fault, Harm)> {
    let mut simple = Simple {
        lab: lab.clone(),
        reaches_end: HashMap::new(),
    };
    let mut windows = Vec::new();
    for (gap, state) in run.iter().enumerate() {
        for fault in Fault::ALL {
            let exits = actions(&*lab, state).into_iter();
            let exits = exits.filter(|action| lab.fault(state, *action) == Some(fault));
            let worst = exits.map(|action| simple.worst(simple.next(state, action), faults - 1));
            windows.extend(worst.max().map(|worst| (gap, fault, worst)));
        }
    }
    windows
}

fn try_maps<L: Lab>(faults: u8, is_small: impl Fn(&str) -> bool) {
    for preset in L::presets().iter().filter(|preset| is_small(preset.id)) {
        let lab = Rc::new(L::new(&preset.settings));
        let run = states(&*lab, preset);
        let mut map = Map::new(lab.clone(), run.clone(), faults, STATES_MAX);
        map.advance(usize::MAX);
        assert!(map.complete() && map.gaps() == run.len());
        let windows = map.windows().iter();
        let found: Vec<_> = windows
            .map(|window| (window.gap, window.fault, window.harm))
            .collect();
        assert_eq!(
            found,
            simple_windows(lab.clone(), &run, faults),
            "{}",
            preset.id
        );
        for window in map.windows() {
            let mut state = run[window.gap].clone();
            let fault = lab.fault(&state, window.run[0]);
            assert_eq!(fault, Some(window.fault), "{}", preset.id);
            for action in &window.run {
                assert!(actions(&*lab, &state).contains(action), "{}", preset.id);
                lab.step(&mut state, *action, &mut ());
            }
            // That it never ends no single state shows.
            let in_state = match window.harm {
                Harm::Endless => Harm::Clean,
                harm => harm,
            };
            assert_eq!(lab.verdict(&state).harm(), in_state, "{}", preset.id);
        }
    }
}

// The designs that are left out have too many states for a search that is this simple.

#[test]
fn maps_of_the_balance_lab_with_one_fault() {
    try_maps::<Balance>(1, |preset| preset != "two_processes");
}

#[test]
fn maps_of_the_balance_lab_with_two_faults() {
    let large = ["two_processes", "check_then_act", "lock_late", "in_memory"];
    try_maps::<Balance>(2, |preset| !large.contains(&preset));
}

#[test]
fn maps_of_the_inbox_lab_with_one_fault() {
    let small = [
        "correct",
        "one_statement",
        "digest_raw",
        "short_retention",
        "autocommit",
        "receipt_apart_first",
        "swallowed",
        "ack_first",
        "no_lease",
        "lease_unfenced",
    ];
    try_maps::<Inbox>(1, |preset| small.contains(&preset));
}

#[test]
fn maps_of_the_delivery_lab_with_one_fault() {
    try_maps::<Delivery>(1, |_| true);
}

#[test]
fn maps_of_the_delivery_lab_with_two_faults() {
    let small = [
        "no_ack",
        "reused_transport_id",
        "at_most_once",
        "fixed_window",
        "late_operator",
    ];
    try_maps::<Delivery>(2, |preset| small.contains(&preset));
}

/// Designs with two orders.
const OF_TWO_ORDERS: [&str; 6] = [
    "two_orders",
    "oldest_running",
    "gap_limit",
    "highest_id",
    "gap_short",
    "gap_for_ever",
];

#[test]
fn maps_of_the_outbox_lab_with_one_fault() {
    try_maps::<Outbox>(1, |preset| !OF_TWO_ORDERS.contains(&preset));
}

#[test]
fn maps_of_the_outbox_lab_with_two_faults() {
    let small = [
        "send_after",
        "mark_first",
        "provider",
        "look_up",
        "neither_sent",
    ];
    try_maps::<Outbox>(2, |preset| small.contains(&preset));
}
