//! The explorer against stateright's breadth-first checker: on the payment lab itself behind an
//! adapter, and on the lab's [twin](../tests/payment_twin/twin.rs), a model that shares no code with it.
//!
//! # What is compared
//!
//! One thread each, the same settings, the same fault budget, and the same question: which harms can
//! be reached? The explorer answers it by its verdict on every state, and stateright by a property for
//! each harm; a checker without any is measured too. Its state is a state of the lab with the faults
//! that were spent. The adapter makes no strings and allocates nothing, and like the explorer it asks
//! for faults only where the budget has one left.
//!
//! What counts is how many unique states a second each finds by its own count, in processor time, in the
//! best of some rounds: whatever else the machine does can only take time away.
//! stateright counts a state once for every number of faults that leads to it, and trusts a hash where
//! the explorer compares states; the explorer also finds the run with the fewest faults to each harm,
//! and what never ends.
//!
//! Prints a figure a line as `name: value unit`.

#[path = "../tests/payment_twin/twin.rs"]
#[allow(dead_code, unused_imports, reason = "it can say more than this asks")]
mod twin;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Debug;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use cpu_time::ProcessTime;
use effectively_once::explore::{Map, STATES_MAX, Search};
use effectively_once::lab::Lab;
use effectively_once::labs::payment::Payment;
use effectively_once::machine::{Harm, Machine, Settings};
use stateright::{Checker, Model, Property};
use twin::{Design, Twin};

/// All take a turn in each round, so that whatever else the machine does meets all.
const ROUNDS: usize = 5;

/// A preset of the payment lab, and a fault budget.
type Space = (&'static str, u8);
/// Everybody explores it: what the lab says of its correct design rests on this search.
const COMPARED: Space = ("correct", 3);
/// What the page's map is compared with.
const MAPPED: Space = ("correct", 2);
/// With more than ten times as many states for the second: of a larger world, a customer who also cancels;
/// and of the same world with one more fault, where each state has more steps as well.
const LARGER_WORLD: [Space; 2] = [("correct", 2), ("cancel", 2)];
const ONE_MORE_FAULT: [Space; 2] = [("ietf", 2), ("ietf", 3)];

/// A state with the faults that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Spent<S> {
    state: S,
    faults: u8,
}

/// The harms that a single state can show.
const HARMS: [(&str, Harm); 4] = [
    ("stuck", Harm::Stuck),
    ("wrong belief", Harm::WrongBelief),
    ("lost", Harm::Lost),
    ("duplicated", Harm::Duplicated),
];

/// What a checker is asked.
#[derive(Clone, Copy)]
enum Asked {
    /// Whether each of the harms can be reached.
    Harms,
    /// Only to go everywhere.
    Nothing,
}

fn properties<M: Model>(
    asked: Asked,
    conditions: [fn(&M, &M::State) -> bool; 4],
) -> Vec<Property<M>> {
    let named = HARMS.iter().zip(conditions);
    match asked {
        Asked::Harms => named
            .map(|((name, _), condition)| Property::always(name, condition))
            .collect(),
        Asked::Nothing => vec![Property::always("a state", |_, _| true)],
    }
}

/// The lab as stateright sees it.
struct OfLab {
    lab: Payment,
    faults_max: u8,
    asked: Asked,
}

impl OfLab {
    fn avoids<const HARM: usize>(&self, spent: &<OfLab as Model>::State) -> bool {
        self.lab.verdict(&spent.state).harm() != HARMS[HARM].1
    }
}

impl Model for OfLab {
    type State = Spent<<Payment as Machine>::State>;
    type Action = <Payment as Machine>::Action;

    fn init_states(&self) -> Vec<Self::State> {
        let state = self.lab.initial();
        vec![Spent { state, faults: 0 }]
    }

    fn actions(&self, from: &Self::State, out: &mut Vec<Self::Action>) {
        match from.faults < self.faults_max {
            true => Machine::actions(&self.lab, &from.state, out),
            false => self.lab.protocol_steps(&from.state, out),
        }
    }

    fn next_state(&self, from: &Self::State, action: Self::Action) -> Option<Self::State> {
        let mut next = *from;
        next.faults += u8::from(self.lab.fault(&from.state, action).is_some());
        self.lab.step(&mut next.state, action, &mut ());
        Some(next)
    }

    fn properties(&self) -> Vec<Property<OfLab>> {
        let conditions = [
            OfLab::avoids::<0>,
            OfLab::avoids::<1>,
            OfLab::avoids::<2>,
            OfLab::avoids::<3>,
        ];
        properties(self.asked, conditions)
    }
}

/// The twin, as its author has stateright explore it.
struct OfTwin {
    twin: Twin,
    faults_max: u8,
    asked: Asked,
}

impl OfTwin {
    fn avoids<const HARM: usize>(&self, spent: &Spent<twin::State>) -> bool {
        self.twin.verdict(&spent.state).harm() as usize != HARMS[HARM].1 as usize
    }
}

impl Model for OfTwin {
    type State = Spent<twin::State>;
    type Action = (twin::Action, bool);

    fn init_states(&self) -> Vec<Self::State> {
        let state = self.twin.initial();
        vec![Spent { state, faults: 0 }]
    }

    fn actions(&self, from: &Self::State, out: &mut Vec<Self::Action>) {
        let mut actions = Vec::new();
        self.twin.steps(&from.state, &mut actions);
        out.extend(actions.drain(..).map(|step| (step, false)));
        if from.faults < self.faults_max {
            self.twin.faults(&from.state, &mut actions);
            out.extend(actions.drain(..).map(|fault| (fault, true)));
        }
    }

    fn next_state(
        &self,
        from: &Self::State,
        (action, is_fault): Self::Action,
    ) -> Option<Self::State> {
        let mut next = *from;
        next.faults += u8::from(is_fault);
        self.twin.act(&mut next.state, action);
        Some(next)
    }

    fn properties(&self) -> Vec<Property<OfTwin>> {
        let conditions = [
            OfTwin::avoids::<0>,
            OfTwin::avoids::<1>,
            OfTwin::avoids::<2>,
            OfTwin::avoids::<3>,
        ];
        properties(self.asked, conditions)
    }
}

/// How many unique states somebody found, in how many seconds of the processor.
#[derive(Clone, Copy)]
struct Found {
    states: usize,
    seconds: f64,
}

impl Found {
    fn rate(self) -> f64 {
        self.states as f64 / self.seconds
    }
}

fn timed(find: impl FnOnce() -> usize) -> Found {
    let began = ProcessTime::now();
    let states = find();
    let seconds = began.elapsed().as_secs_f64();
    Found { states, seconds }
}

fn settings(preset: &str) -> Settings {
    let presets = Payment::presets();
    let named = presets.into_iter().find(|one| one.id == preset);
    named.expect("a preset of the payment lab").settings
}

fn explore((preset, faults_max): Space) -> Search<Payment> {
    let lab = Payment::new(&settings(preset));
    let mut search = Search::new(lab, faults_max, STATES_MAX);
    search.advance(usize::MAX);
    assert!(search.complete());
    search
}

fn by_explorer(space: Space) -> Found {
    timed(|| explore(space).states())
}

fn by_stateright<M>(model: M) -> Found
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync,
    M::Action: Clone + PartialEq + Send + Sync,
{
    let checker = model.checker().threads(1);
    timed(|| checker.spawn_bfs().join().unique_state_count())
}

/// The round in which somebody took the least time.
fn quickest(rounds: Vec<Found>) -> Found {
    let quickest = rounds
        .into_iter()
        .min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    quickest.expect("a round")
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("{name}: {} {unit}", (value * 100.0).round() / 100.0);
}

fn compare() {
    let (preset, faults_max) = COMPARED;
    let settings = &settings(preset);
    let lab = |asked| OfLab {
        lab: Payment::new(settings),
        faults_max,
        asked,
    };
    let json = serde_json::to_value(settings).expect("settings can be written");
    let twin = |asked| OfTwin {
        twin: Twin::new(Design::read(&json)),
        faults_max,
        asked,
    };
    let mut rounds: [Vec<Found>; 5] = Default::default();
    for _ in 0..ROUNDS {
        let found = [
            by_explorer(COMPARED),
            by_stateright(lab(Asked::Harms)),
            by_stateright(lab(Asked::Nothing)),
            by_stateright(twin(Asked::Harms)),
            by_stateright(twin(Asked::Nothing)),
        ];
        rounds
            .iter_mut()
            .zip(found)
            .for_each(|(all, one)| all.push(one));
    }
    let [explorer, others @ ..] = rounds.map(quickest);
    let say = |name: &str, found: Found| {
        figure(&format!("{name}_states"), found.states as f64, "states");
        figure(&format!("{name}_rate"), found.rate(), "states/s");
    };
    say("explore", explorer);
    let names = ["same_type", "same_type_unasked", "twin", "twin_unasked"];
    for (name, other) in names.into_iter().zip(others) {
        say(&format!("stateright_{name}"), other);
        figure(
            &format!("explore_vs_{name}"),
            explorer.rate() / other.rate(),
            "times",
        );
        figure(
            &format!("explore_vs_{name}_time"),
            other.seconds / explorer.seconds,
            "times",
        );
    }
}

/// What the page does in the browser: the failure-window map of a run that has not begun.
fn chart() {
    let (preset, faults_max) = MAPPED;
    let settings = &settings(preset);
    let rounds = (0..ROUNDS).map(|_| {
        timed(|| {
            let lab = Rc::new(Payment::new(settings));
            let mut map = Map::new(lab.clone(), [lab.initial()], faults_max, STATES_MAX);
            map.advance(usize::MAX);
            assert!(map.complete());
            map.states()
        })
    });
    let found = quickest(rounds.collect());
    figure("map_states", found.states as f64, "states");
    figure("map_time", found.seconds * 1000.0, "ms");
}

/// How the time grows with the states, and with the steps between them.
fn grow(name: &str, spaces: [Space; 2]) {
    let mut rounds: [Vec<Found>; 2] = Default::default();
    for _ in 0..ROUNDS {
        for (all, space) in rounds.iter_mut().zip(spaces) {
            all.push(by_explorer(space));
        }
    }
    let [few, many] = rounds.map(quickest);
    let time = many.seconds / few.seconds;
    let states = many.states as f64 / few.states as f64;
    let [fewer, more] = spaces.map(|space| explore(space).transitions());
    let steps = more as f64 / fewer as f64;
    figure(&format!("{name}_states"), states, "times");
    figure(&format!("{name}_steps"), steps, "times");
    let for_10 = |more: f64| time / more * 10.0;
    let for_states = format!("{name}_time_for_10_times_the_states");
    figure(&for_states, for_10(states), "times");
    let for_steps = format!("{name}_time_for_10_times_the_steps");
    figure(&for_steps, for_10(steps), "times");
}

/// What a state needs beside itself, at the most and in the end.
fn weigh() {
    COUNTS.store(true, Relaxed);
    let search = explore(COMPARED);
    COUNTS.store(false, Relaxed);
    let itself = size_of::<<Payment as Machine>::State>() as f64;
    let beside = |bytes: &AtomicUsize| bytes.load(Relaxed) as f64 / search.states() as f64 - itself;
    figure("explore_bytes_beside_a_state", beside(&MOST), "bytes");
    figure(
        "explore_bytes_beside_a_state_in_the_end",
        beside(&IN_USE),
        "bytes",
    );
}

/// Counts the bytes that are in use, and the most that ever were, while it is told to.
struct Counting;

static COUNTS: AtomicBool = AtomicBool::new(false);
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTS.load(Relaxed) {
            let before = IN_USE.fetch_add(layout.size(), Relaxed);
            MOST.fetch_max(before + layout.size(), Relaxed);
        }
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if COUNTS.load(Relaxed) {
            IN_USE.fetch_sub(layout.size(), Relaxed);
        }
        unsafe { System.dealloc(place, layout) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if COUNTS.load(Relaxed) {
            let before = IN_USE.fetch_add(size, Relaxed);
            MOST.fetch_max(before + size, Relaxed);
            IN_USE.fetch_sub(layout.size(), Relaxed);
        }
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Memory that was given back stays with the process, as that of a page always does. So nobody is timed
/// while the system clears memory for the first time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_memory() {
    let most = libc::c_int::MAX;
    let rules = [
        (libc::M_ARENA_MAX, 1),
        (libc::M_TRIM_THRESHOLD, most),
        (libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD_MAX),
    ];
    for (parameter, value) in rules {
        // SAFETY: it changes where later memory comes from, and nothing else.
        let is_taken = unsafe { libc::mallopt(parameter, value) };
        assert_eq!(is_taken, 1, "mallopt takes {parameter}");
    }
}

/// The most that the system's allocator takes for it: half of the heap of a thread.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MMAP_THRESHOLD_MAX: libc::c_int = 32 << 20;

fn main() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    keep_memory();
    compare();
    chart();
    grow("explore_larger_world", LARGER_WORLD);
    grow("explore_one_more_fault", ONE_MORE_FAULT);
    weigh();
}
