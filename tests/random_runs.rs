//! Random runs of every preset of every lab: nothing panics, and a run says all there is to know.

#[path = "common/designs.rs"]
mod designs;
#[path = "common/odd.rs"]
mod odd;
#[path = "common/random.rs"]
mod random;

use std::collections::{BTreeMap, BTreeSet};

use effectively_once::lab::{AnyLab, AnyRun, Picture};
use effectively_once::labs::LABS;
use effectively_once::locale::Language;
use effectively_once::machine::{Fault, Settings, Verdict};
use effectively_once::run::{Run, Session};
use effectively_once::view::StateView;
use random::Random;

/// In all, spread over the presets.
const RUNS: usize = 100_000;
const ACTIONS_MAX: usize = 30;

/// Takes random actions; a fault less often than a step of the protocol.
fn play(run: &mut dyn AnyRun, random: &mut Random) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..random.below(ACTIONS_MAX) {
        let mut choices = run.choices(run.len());
        if random.below(4) > 0 && choices.iter().any(|choice| choice.fault.is_none()) {
            choices.retain(|choice| choice.fault.is_none());
        }
        if choices.is_empty() {
            break;
        }
        let name = choices.swap_remove(random.below(choices.len())).name;
        assert!(run.act(&name), "{name} after {names:?}");
        names.push(name);
    }
    names
}

/// All that a person can see of the end of a run.
fn end(run: &dyn AnyRun) -> (Picture, Verdict) {
    (run.picture(run.len()), run.verdict(run.len()))
}

#[test]
fn runs_never_panic_and_replaying_them_gives_the_same_state() {
    let presets = || {
        LABS.iter()
            .flat_map(|lab| lab.presets().into_iter().map(move |p| (*lab, p)))
    };
    let runs_each = RUNS.div_ceil(presets().count());
    let mut seen: BTreeMap<&str, BTreeSet<Fault>> = BTreeMap::new();
    for (number, (lab, preset)) in presets().enumerate() {
        for seed in 0..runs_each {
            let mut random = Random::new((number * runs_each + seed) as u64);
            let settings = match seed % 4 {
                0 => designs::vary(&preset.settings, &mut random),
                _ => preset.settings.clone(),
            };
            let mut run = lab.start(&settings);
            let names = play(&mut *run, &mut random);
            let mut again = lab.start(&settings);
            for name in &names {
                assert!(again.act(name), "{name} in {names:?}");
            }
            assert_eq!(end(&*again), end(&*run), "{} {names:?}", preset.id);
            if seed % 16 == 0 {
                assert_eq!(again.diagram(), run.diagram());
                try_everything_shown(lab, &*run, seen.entry(lab.id()).or_default());
                survives_file_and_link(lab, &settings, &*run, names);
            }
        }
    }
    for lab in LABS {
        assert_eq!(
            seen[lab.id()],
            lab.faults().iter().copied().collect(),
            "{}",
            lab.id()
        );
    }
}

/// Every state can be shown in every language, and its actions keep the contract: different names
/// of documented forms, faults last, and no fault that the lab does not offer.
fn try_everything_shown(lab: &dyn AnyLab, run: &dyn AnyRun, seen: &mut BTreeSet<Fault>) {
    for at in 0..=run.len() {
        let view = StateView::new(run, at);
        assert!(
            Language::ALL
                .iter()
                .all(|language| !language.say(&view.reason).is_empty())
        );
        let choices = run.choices(at);
        assert!(choices.is_sorted_by_key(|choice| choice.fault.is_some()));
        let names: BTreeSet<_> = choices.iter().map(|choice| choice.name.as_str()).collect();
        assert_eq!(names.len(), choices.len(), "{names:?}");
        for choice in &choices {
            assert!(is_of_a_form(&choice.name, lab.actions()), "{}", choice.name);
            assert!(
                Language::ALL
                    .iter()
                    .all(|language| !language.say(&choice.label).is_empty())
            );
        }
        seen.extend(choices.iter().filter_map(|choice| choice.fault));
    }
}

fn is_of_a_form(name: &str, forms: &[&str]) -> bool {
    let fits = |(word, form): (&str, &str)| match form.starts_with('<') {
        true => {
            word.parse().is_ok_and(|n: usize| n > 0) || matches!(word.as_bytes(), [b'a'..=b'z'])
        }
        false => word == form,
    };
    let same_length = |form: &str| form.split(' ').count() == name.split(' ').count();
    forms
        .iter()
        .any(|form| same_length(form) && name.split(' ').zip(form.split(' ')).all(fits))
}

fn survives_file_and_link(
    lab: &'static dyn AnyLab,
    settings: &Settings,
    run: &dyn AnyRun,
    actions: Vec<String>,
) {
    let at = actions.len().checked_sub(1);
    let saved = Run {
        lab,
        settings: settings.clone(),
        actions,
        at,
    };
    for opened in [
        Run::from_file(&saved.to_file()),
        Run::from_link(&saved.to_link()),
    ] {
        let session = Session::open(opened.expect("what was written can be read"));
        let session = session.expect("what was possible is possible");
        assert_eq!(session.settings(), settings);
        assert_eq!(session.cursor(), at.unwrap_or(0));
        assert_eq!(end(session.run()), end(run));
        assert_eq!(session.run().diagram(), run.diagram());
        assert_eq!(session.save().to_link(), saved.to_link());
    }
}
