//! The design as a whole: every run within a few faults, explored from the initial state; and the
//! shortest run that does harm, put on a branch.

use std::sync::Arc;

use leptos::prelude::*;

use super::browser;
use super::element::{button, el, flag, words};
use super::page::Page;
use super::slices::{PORTION, Slices, Work};
use crate::lab::{AnyLab, AnySearch};
use crate::machine::{Arg, Harm, Settings};
use crate::run::Session;

/// Within how many faults the design is checked.
const FAULTS_MAX: u8 = 2;
/// A check that needs more states is cut: a browser has less memory than the explorer would take.
const STATES_MAX: usize = 1_000_000;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Progress {
    NotBegun,
    /// So many states were seen.
    Working(usize),
    Stopped(usize),
    Finished(Found),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    harm: Harm,
    /// The shortest run to that harm, and how many of its steps are faults.
    run: Arc<[String]>,
    faults: usize,
    states: usize,
    /// If not, the harm is real, and there may be worse.
    complete: bool,
}

#[derive(Clone, Copy)]
pub struct Check {
    settings: Memo<Settings>,
    /// The design that is checked: what was found of another one says nothing.
    of: StoredValue<Option<Settings>, LocalStorage>,
    progress: RwSignal<Progress>,
    slices: Slices,
}

impl Check {
    /// It begins anew when the design is another one.
    pub fn new(session: RwSignal<Session, LocalStorage>, settings: Memo<Settings>) -> Check {
        let check = Check {
            settings,
            of: StoredValue::new_local(None),
            progress: RwSignal::new(Progress::NotBegun),
            slices: Slices::new(),
        };
        let lab = Memo::new(move |_| session.with(|s| s.lab().id()));
        Effect::new(move |_| {
            // Reading is what makes an effect follow.
            lab.get();
            settings.get();
            check.slices.stop();
            check.progress.set(Progress::NotBegun);
        });
        check
    }

    fn start(self, session: &Session) {
        self.of.set_value(Some(session.settings().clone()));
        self.slices.start(Checking {
            check: self,
            lab: session.lab(),
            settings: session.settings().clone(),
            search: session.lab().explore(session.settings(), FAULTS_MAX),
        });
    }

    fn now(self) -> Progress {
        let is_its = |settings: &Settings| self.of.with_value(|of| of.as_ref() == Some(settings));
        match self.progress.get() {
            Progress::NotBegun => Progress::NotBegun,
            _ if !self.settings.with(is_its) => Progress::NotBegun,
            progress => progress,
        }
    }
}

struct Checking {
    check: Check,
    lab: &'static dyn AnyLab,
    settings: Settings,
    search: Box<dyn AnySearch>,
}

impl Checking {
    fn found(&self) -> Found {
        let harm = self.search.worst();
        let run = match (harm, self.search.lasso()) {
            (Harm::Clean, _) => None,
            // Shown with its first round: only so one sees that it comes back.
            (Harm::Endless, Some(lasso)) => Some([lasso.run, lasso.cycle].concat()),
            (harm, _) => self.search.shortest(harm),
        };
        let run = run.unwrap_or_default();
        Found {
            harm,
            faults: faults(self.lab, &self.settings, &run),
            run: run.into(),
            states: self.search.states(),
            complete: self.search.complete(),
        }
    }
}

impl Work for Checking {
    fn advance(&mut self) -> bool {
        self.search.advance(PORTION) || self.search.states() > STATES_MAX
    }

    fn report(&mut self, done: bool) {
        self.check.progress.set(match done {
            true => Progress::Finished(self.found()),
            false => Progress::Working(self.search.states()),
        });
    }
}

/// How many steps of a run are faults.
fn faults(lab: &dyn AnyLab, settings: &Settings, run: &[String]) -> usize {
    let mut replay = lab.start(settings);
    let is_fault = |name: &&String| {
        let choices = replay.choices(replay.len());
        let chosen = choices.iter().find(|choice| choice.name == **name);
        let is_fault = chosen.is_some_and(|choice| choice.fault.is_some());
        replay.act(name) && is_fault
    };
    run.iter().filter(is_fault).count()
}

impl Page {
    /// What the one button does now: check the design, stop that, or show the run that was found.
    pub fn check_design(self) {
        let check = self.check;
        match untrack(|| check.now()) {
            Progress::Working(states) => {
                check.slices.stop();
                check.progress.set(Progress::Stopped(states));
            }
            Progress::Finished(found) if found.harm > Harm::Clean => {
                self.show_from_start(&found.run);
                browser::focus(document().query_selector(".transport .step").ok().flatten());
            }
            Progress::Finished(_) => {}
            Progress::NotBegun | Progress::Stopped(_) => {
                self.session.with_untracked(|session| check.start(session));
            }
        }
    }
}

pub fn block(page: Page) -> AnyView {
    let check = page.check;
    let does = move || match check.now() {
        Progress::NotBegun | Progress::Stopped(_) => Some("ui.check"),
        Progress::Working(_) => Some("ui.stop"),
        Progress::Finished(found) if found.harm > Harm::Clean => Some("ui.check.show"),
        Progress::Finished(_) => None,
    };
    let tone = words(move || match check.now() {
        Progress::Finished(found) if found.harm > Harm::Clean => {
            format!("check-words {}", found.harm.id())
        }
        Progress::Finished(found) if found.complete => "check-words clean".to_owned(),
        _ => "check-words".to_owned(),
    });
    let main = button("check-main", move || page.check_design())
        .flag("hidden", flag(move || does().is_none()))
        .words("title", page.text("ui.check"))
        .say(words(move || page.now(does().unwrap_or("ui.check"))));
    let text = words(move || said(page));
    el("section", "check")
        .words("aria-label", page.text("ui.check"))
        .child(main)
        .child(
            el("p", "")
                .words("class", tone)
                .set("aria-live", "polite")
                .words("title", text)
                .say(text),
        )
        .into()
}

fn said(page: Page) -> String {
    let numbers = |key: &str, numbers: &[usize]| {
        let numbers: Vec<_> = numbers.iter().map(|n| Arg::Number(*n as i64)).collect();
        page.fill_now(key, &numbers)
    };
    let faults_max = usize::from(FAULTS_MAX);
    match page.check.now() {
        Progress::NotBegun => page.now("ui.check.about"),
        Progress::Working(states) => numbers("ui.check.working", &[states, faults_max]),
        Progress::Stopped(states) => numbers("ui.check.stopped", &[states]),
        Progress::Finished(found) => match (found.harm, found.complete) {
            (Harm::Clean, true) => numbers("ui.check.clean", &[found.states, faults_max]),
            (Harm::Clean, false) => numbers("ui.check.cut", &[found.states]),
            (harm, complete) => {
                let harm = Arg::Typed(page.now(&format!("headline.{}", harm.id())).into());
                let [faults, steps] =
                    [found.faults, found.run.len()].map(|n| Arg::Number(n as i64));
                let worst = page.fill_now("ui.check.found", &[harm, faults, steps]);
                let rest = match complete {
                    true => numbers("ui.check.all", &[found.states]),
                    false => numbers("ui.check.worse", &[found.states]),
                };
                format!("{worst} {rest}")
            }
        },
    }
}
