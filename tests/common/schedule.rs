//! A public report as a run that a person can open: the settings that go wrong by the reported
//! schedule, and the right settings under the same schedule, which must not go wrong by any other
//! either.

use effectively_once::machine::Harm;
use effectively_once::run::{Run, Session};

const FAULTS_MAX: u8 = 2;

/// The run in a file of `tests/cases/`.
pub fn open(name: &str) -> Session {
    let path = format!("{}/tests/cases/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a run file for each case");
    let opened = Run::from_file(&text).and_then(Session::open);
    opened.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The worst harm of any state of a run.
pub fn shown(session: &Session) -> Harm {
    let harms = (0..=session.len()).map(|at| session.run().verdict(at).harm());
    harms.max().unwrap_or(Harm::Clean)
}

/// The worst harm of any schedule, where it matters.
pub fn worst(session: &Session, enough: Harm) -> Harm {
    let mut search = session.lab().explore(session.settings(), FAULTS_MAX);
    while !search.advance(10_000) && search.worst() < enough {}
    search.worst()
}

/// `schedule` stands in the wrong run and in the right one. The wrong run shows `harm`, unless that
/// is one that no single state shows.
pub fn try_case(name: &str, harm: Harm) {
    let wrong = open(&format!("{name}-wrong"));
    let in_states = if harm == Harm::Endless {
        Harm::Clean
    } else {
        harm
    };
    assert_eq!(shown(&wrong), in_states, "{name} by its schedule");
    assert_eq!(worst(&wrong, harm), harm, "{name} by any schedule");

    let right = open(&format!("{name}-right"));
    assert_eq!(shown(&right), Harm::Clean, "{name}, right, by the schedule");
    let worst = worst(&right, Harm::Endless);
    assert!(
        worst <= Harm::Stuck,
        "{name}, right, by any schedule: {worst:?}"
    );
}
