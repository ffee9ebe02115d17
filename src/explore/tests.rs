//! The explorer, tried on machines that are small enough to be known by heart.

mod chance;

use std::rc::Rc;

use super::{BYTES_MAX, Lasso, Map, STATES_LIMIT, STATES_MAX, Search, Window, states_kept};
use crate::machine::{Belief, Fault, Harm, Machine, Observer, Outcome, Progress, Verdict};

/// A machine that is nothing but its edges, in the order in which its actions are listed.
#[derive(Clone, Debug, Default)]
struct Toy {
    edges: Vec<(u8, u8, Option<Fault>)>,
    /// Where the protocol is done.
    done: Vec<u8>,
    harms: Vec<(u8, Harm)>,
}

impl Toy {
    /// Written `0 1 ! 2`: a protocol step from 0 to 1, a crash from 1 to 2.
    fn new(edges: &[&str], done: &[u8], harms: &[(u8, Harm)]) -> Toy {
        let mut toy = Toy {
            edges: Vec::new(),
            done: done.into(),
            harms: harms.into(),
        };
        for chain in edges {
            let (mut from, mut fault) = (None, None);
            for word in chain.split(' ') {
                match word {
                    "!" => fault = Some(Fault::Crash),
                    "?" => fault = Some(Fault::LoseReply),
                    word => {
                        let to = word.parse().expect("a state");
                        if let Some(from) = from.replace(to) {
                            toy.edges.push((from, to, fault.take()));
                        }
                    }
                }
            }
        }
        toy
    }

    fn edges_from(&self, state: u8) -> impl Iterator<Item = usize> {
        (0..self.edges.len()).filter(move |edge| self.edges[*edge].0 == state)
    }

    fn harm(&self, state: u8) -> Harm {
        let found = self.harms.iter().find(|(of, _)| *of == state);
        found.map_or(Harm::Clean, |(_, harm)| *harm)
    }
}

impl Machine for Toy {
    type State = u8;
    /// An edge, by its number.
    type Action = usize;

    fn initial(&self) -> u8 {
        0
    }

    fn protocol_steps(&self, state: &u8, out: &mut Vec<usize>) {
        out.extend(
            self.edges_from(*state)
                .filter(|edge| self.edges[*edge].2.is_none()),
        );
    }

    fn faults(&self, state: &u8, out: &mut Vec<usize>) {
        out.extend(
            self.edges_from(*state)
                .filter(|edge| self.edges[*edge].2.is_some()),
        );
    }

    fn fault(&self, _: &u8, action: usize) -> Option<Fault> {
        self.edges[action].2
    }

    fn step(&self, state: &mut u8, action: usize, _: &mut impl Observer) {
        assert_eq!(
            *state, self.edges[action].0,
            "an action that is not possible"
        );
        *state = self.edges[action].1;
    }

    fn verdict(&self, state: &u8) -> Verdict {
        let harm = self.harm(*state);
        Verdict {
            outcome: match harm {
                Harm::Duplicated => Outcome::Duplicated,
                Harm::Lost => Outcome::Lost,
                _ => Outcome::None,
            },
            belief: match harm {
                Harm::WrongBelief => Belief::Wrong,
                _ => Belief::Agrees,
            },
            progress: match harm {
                Harm::Stuck => Progress::Stuck,
                _ if self.done.contains(state) => Progress::Done,
                _ => Progress::Running,
            },
        }
    }
}

fn explored(toy: &Toy, faults_max: u8) -> Search<Toy> {
    let mut search = Search::new(toy.clone(), faults_max, STATES_MAX);
    assert!(search.advance(usize::MAX));
    search
}

fn mapped(toy: &Toy, run: &[u8], faults_max: u8) -> Map<Toy> {
    let mut map = Map::new(
        Rc::new(toy.clone()),
        run.iter().copied(),
        faults_max,
        STATES_MAX,
    );
    assert!(map.advance(usize::MAX));
    map
}

/// The states that a run passes.
fn states(toy: &Toy, run: &[usize]) -> Vec<u8> {
    run.iter().map(|edge| toy.edges[*edge].1).collect()
}

fn shortest(toy: &Toy, faults_max: u8, harm: Harm) -> Option<Vec<u8>> {
    let run = explored(toy, faults_max).shortest(harm);
    run.map(|run| states(toy, &run))
}

/// Two crashes lead to state 9 in two steps, one crash in three, none in five.
#[test]
fn the_shortest_run_has_the_fewest_faults_and_then_the_fewest_steps() {
    let edges = ["0 ! 1 ! 9", "0 ! 2 3 9", "0 4 5 6 7 9", "0 4 8 6"];
    let toy = Toy::new(&edges, &[9], &[(9, Harm::Lost)]);
    for faults_max in 0..3 {
        let run = shortest(&toy, faults_max, Harm::Lost);
        assert_eq!(run, Some(vec![4, 5, 6, 7, 9]), "{faults_max} faults");
    }
    let no_long_way = Toy::new(&edges[..2], &[9], &[(9, Harm::Lost)]);
    assert_eq!(shortest(&no_long_way, 0, Harm::Lost), None);
    assert_eq!(shortest(&no_long_way, 2, Harm::Lost), Some(vec![2, 3, 9]));
}

/// State 1 is found by a crash at once, and then without; so the second crash is still possible.
#[test]
fn a_state_is_expanded_with_the_fewest_faults() {
    let toy = Toy::new(&["0 ! 1 ! 2", "0 3 4 1"], &[2], &[(2, Harm::Lost)]);
    assert_eq!(shortest(&toy, 1, Harm::Lost), Some(vec![3, 4, 1, 2]));
    let search = explored(&toy, 1);
    assert_eq!((search.states(), search.transitions()), (5, 5));
}

#[test]
fn a_run_may_have_as_many_faults_as_there_are() {
    let run: Vec<_> = (0..=255).map(|state| state.to_string()).collect();
    let toy = Toy::new(&[&run.join(" ! ")], &[255], &[(255, Harm::Lost)]);
    let search = explored(&toy, u8::MAX);
    assert_eq!((search.states(), search.worst()), (256, Harm::Lost));
    assert_eq!(mapped(&toy, &[0], u8::MAX).windows().len(), 1);
}

/// In the layer of one crash state 9 is found after a long way by a crash of its own, and after a
/// shorter one by protocol steps.
#[test]
fn steps_and_faults_into_a_layer_are_merged_by_length() {
    let toy = Toy::new(
        &["0 1 2 3 4 5 ! 9 10", "0 ! 6 7 9"],
        &[10],
        &[(10, Harm::Lost)],
    );
    assert_eq!(shortest(&toy, 1, Harm::Lost), Some(vec![6, 7, 9, 10]));
    let toy = Toy::new(&["0 1 ! 9 10", "0 ! 6 7 8 9"], &[10], &[(10, Harm::Lost)]);
    assert_eq!(shortest(&toy, 1, Harm::Lost), Some(vec![1, 9, 10]));
}

#[test]
fn each_harm_is_counted_where_the_protocol_ends() {
    use Harm::{Clean, Duplicated, Lost, Stuck};
    let harms = [(2, Lost), (3, Lost), (4, Stuck), (5, Duplicated)];
    let toy = Toy::new(&["0 1", "0 ! 2 3", "0 4", "0 ! 5 1"], &[1, 3], &harms);
    let search = explored(&toy, 1);
    let ends = [Clean, Stuck, Lost, Duplicated].map(|harm| search.ends(harm));
    assert_eq!(ends, [1, 1, 1, 0], "what still goes on is no end");
    assert_eq!(search.worst(), Duplicated, "and is a harm all the same");
    assert_eq!(
        search.shortest(Lost).map(|run| states(&toy, &run)),
        Some(vec![2])
    );
    assert_eq!(search.shortest(Clean), Some(vec![]));
}

#[test]
fn a_search_that_is_cut_is_not_complete() {
    let toy = Toy::new(&["0 1 2 3"], &[3], &[(3, Harm::Lost)]);
    for (states_max, complete) in [(0, false), (1, false), (3, false), (4, true), (5, true)] {
        let mut search = Search::new(toy.clone(), 0, states_max);
        assert!(search.advance(usize::MAX));
        assert_eq!(search.complete(), complete, "{states_max}");
        assert_eq!(search.states(), states_max.min(4));
        assert_eq!(
            search.lasso(),
            None,
            "nobody knows whether an end is reached"
        );
        assert_eq!(search.ends(Harm::Endless), 0);
    }
    assert!(
        !Search::new(toy, 0, STATES_MAX).complete(),
        "it has not begun"
    );
}

#[test]
fn large_states_are_fewer() {
    assert_eq!(states_kept(STATES_MAX, 1), STATES_MAX);
    assert_eq!(states_kept(usize::MAX, 0), STATES_LIMIT);
    for bytes in [1000, 1500, 100_000, 2 * BYTES_MAX] {
        let kept = states_kept(STATES_MAX, bytes);
        assert!(
            kept * bytes <= BYTES_MAX && (kept + 1) * (bytes + 64) > BYTES_MAX,
            "{kept}"
        );
    }
}

#[test]
fn what_never_ends_is_found_with_its_cycle() {
    // A crash at 1 leads into the cycle 5, 6, 7, which only a further crash leaves.
    let toy = Toy::new(&["0 1 2", "1 ! 4 5 6 7 5", "7 ! 2"], &[2], &[]);
    for faults_max in [1, 2] {
        let search = explored(&toy, faults_max);
        assert_eq!(
            (search.worst(), search.ends(Harm::Endless)),
            (Harm::Endless, 4)
        );
        let lasso = search.lasso().expect("a lasso");
        assert_eq!(states(&toy, &lasso.run), [1, 4, 5]);
        assert_eq!(states(&toy, &lasso.cycle), [6, 7, 5]);
        let shortest = search.shortest(Harm::Endless).expect("a run");
        assert_eq!(
            states(&toy, &shortest),
            [1, 4],
            "from here on no end is reached"
        );
    }
    assert_eq!(explored(&toy, 0).lasso(), None);
}

#[test]
fn a_cycle_that_can_be_left_is_no_lasso() {
    let toy = Toy::new(&["0 1 2 0", "2 3"], &[3], &[]);
    let search = explored(&toy, 2);
    assert_eq!((search.lasso(), search.worst()), (None, Harm::Clean));
    let alone = Toy::new(&["0 0"], &[], &[]);
    let lasso = Lasso {
        run: vec![],
        cycle: vec![0],
    };
    assert_eq!(explored(&alone, 0).lasso(), Some(lasso));
    let nothing = Toy::default();
    assert_eq!(
        explored(&nothing, 0).lasso(),
        None,
        "running, and nowhere to go"
    );
}

fn window(gap: usize, fault: Fault, harm: Harm, run: &[usize]) -> Window<usize> {
    Window {
        gap,
        fault,
        harm,
        run: run.into(),
    }
}

/// Edges 0 to 3: the run 0, 1, 2, 3. A crash in gap 1 loses, one in gap 2 does no harm; the reply
/// that gets lost in gap 2 duplicates after another crash only.
#[test]
fn a_map_has_the_worst_of_each_window() {
    let edges = ["0 1 2 3", "1 ! 4 5", "2 ! 2", "2 ? 6 7", "6 ! 8", "1 ! 9 9"];
    let harms = [(5, Harm::Lost), (8, Harm::Duplicated)];
    let toy = Toy::new(&edges, &[3, 5, 7, 8], &harms);
    let lost = window(1, Fault::Crash, Harm::Lost, &[3, 4]);
    let unharmed = window(2, Fault::Crash, Harm::Clean, &[5, 2]);
    let clean = window(2, Fault::LoseReply, Harm::Clean, &[6, 7]);
    let map = mapped(&toy, &[0, 1, 2, 3], 1);
    assert_eq!(map.windows(), [lost.clone(), unharmed, clean]);
    assert_eq!(
        (map.no_return(), map.complete(), map.gaps()),
        (None, true, 4)
    );

    let twice = window(2, Fault::LoseReply, Harm::Duplicated, &[6, 8]);
    let crash = window(2, Fault::Crash, Harm::Duplicated, &[5, 6, 8]);
    let map = mapped(&toy, &[0, 1, 2, 3], 3);
    assert_eq!(map.windows(), [lost, crash, twice]);
    assert_eq!(mapped(&toy, &[0, 1, 2, 3], 0).windows(), []);
}

#[test]
fn a_window_may_lead_to_what_never_ends() {
    let toy = Toy::new(&["0 1", "0 ! 2 3 2"], &[1], &[]);
    let map = mapped(&toy, &[0, 1], 1);
    assert_eq!(
        map.windows(),
        [window(0, Fault::Crash, Harm::Endless, &[1])]
    );
}

/// The run 0, 1, 2, 3, 4 loses in state 4. Until 1 the protocol can still go to 5.
#[test]
fn the_point_of_no_return_is_where_every_way_leads_to_the_harm() {
    let run = [0, 1, 2, 3, 4];
    let lost = [(4, Harm::Lost), (8, Harm::Duplicated)];
    let toy = Toy::new(&["0 1 2 3 4", "1 5", "2 6 4", "3 ! 7"], &[4, 5, 7], &lost);
    assert_eq!(
        mapped(&toy, &run, 1).no_return(),
        Some(2),
        "a fault saves nobody"
    );
    assert_eq!(
        mapped(&toy, &run[..3], 1).no_return(),
        None,
        "the run is clean"
    );
    let mut worse = toy.clone();
    worse.edges.push((6, 8, None));
    assert_eq!(
        mapped(&worse, &run, 1).no_return(),
        Some(2),
        "worse is no way out"
    );
    let mut round = toy.clone();
    round.edges.push((6, 6, None));
    assert_eq!(
        mapped(&round, &run, 1).no_return(),
        Some(3),
        "going round for ever is"
    );
    let at_once = Toy::new(&["0 1"], &[1], &[(1, Harm::Lost)]);
    assert_eq!(mapped(&at_once, &[0, 1], 0).no_return(), Some(0));
}

#[test]
fn a_map_that_is_cut_says_so() {
    let toy = Toy::new(&["0 1 2 3 4", "0 ! 2"], &[4], &[(1, Harm::Lost)]);
    for states_max in 0..5 {
        let mut map = Map::new(Rc::new(toy.clone()), [0, 1], 1, states_max);
        assert!(map.advance(usize::MAX));
        assert!(!map.complete(), "{states_max}");
        assert_eq!(map.no_return(), None);
    }
}
