//! Fixes of the design: the smallest change of its settings that closes its failure windows, with
//! what was proved of it.

use std::sync::Arc;

use leptos::prelude::*;

use super::browser;
use super::element::{all, button, el, flag, nothing, part, words};
use super::icons::{Icon, glyph};
use super::page::Page;
use super::slices::{PORTION, Slices, Work};
use crate::lab::{Change, Fix, Fixes};
use crate::machine::{Arg, Cell, Harm, Kind, Row, Setting, Settings, Value};
use crate::run::Session;

/// Within how many faults a fix is proved.
const FAULTS_MAX: u8 = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Search {
    NotBegun,
    /// So many designs were tried, of so many.
    Working(usize, usize),
    Stopped(usize, usize),
    /// The harm of the design as it is, and what makes it better.
    Finished(Harm, Arc<[Fix]>),
}

#[derive(Clone, Copy)]
pub struct Repair {
    /// The design that is shown, and the one for which was searched: what was found for another one
    /// says nothing.
    settings: Memo<Settings>,
    of: StoredValue<Option<Settings>, LocalStorage>,
    search: RwSignal<Search>,
    /// Which of the fixes is shown.
    shown: RwSignal<usize>,
    slices: Slices,
}

impl Repair {
    /// It begins anew when the design is another one.
    pub fn new(session: RwSignal<Session, LocalStorage>, settings: Memo<Settings>) -> Repair {
        let repair = Repair {
            settings,
            of: StoredValue::new_local(None),
            search: RwSignal::new(Search::NotBegun),
            shown: RwSignal::new(0),
            slices: Slices::new(),
        };
        let lab = Memo::new(move |_| session.with(|s| s.lab().id()));
        Effect::new(move |_| {
            // Reading is what makes a memo follow what it is made from.
            lab.get();
            settings.get();
            repair.slices.stop();
            repair.search.set(Search::NotBegun);
        });
        repair
    }

    fn start(self, session: &Session) {
        self.shown.set(0);
        self.of.set_value(Some(session.settings().clone()));
        self.slices.start(Trying {
            repair: self,
            fixes: Fixes::new(session.lab(), session.settings(), FAULTS_MAX),
        });
    }

    fn now(self) -> Search {
        let is_its = |settings: &Settings| self.of.with_value(|of| of.as_ref() == Some(settings));
        match self.search.get() {
            Search::Finished(..) if !self.settings.with(is_its) => Search::NotBegun,
            search => search,
        }
    }

    fn fix(self) -> Option<Fix> {
        match self.now() {
            Search::Finished(_, found) => found.get(self.shown.get()).cloned(),
            _ => None,
        }
    }

    fn count(self) -> usize {
        match self.now() {
            Search::Finished(_, found) => found.len(),
            _ => 0,
        }
    }
}

struct Trying {
    repair: Repair,
    fixes: Fixes,
}

impl Work for Trying {
    fn advance(&mut self) -> bool {
        self.fixes.advance(PORTION)
    }

    fn report(&mut self, done: bool) {
        let (tried, of) = self.fixes.progress();
        self.repair.search.set(match done {
            true => Search::Finished(self.fixes.harm(), self.fixes.found().into()),
            false => Search::Working(tried, of),
        });
    }
}

impl Page {
    /// Whether there is something to mend: in the state that is shown, or in the map.
    fn is_bad(self) -> bool {
        let here = self.state.with(|state| state.verdict.harm());
        here.max(self.windows.worst().unwrap_or(Harm::Clean)) > Harm::Clean
    }

    /// What the one button does now: look for a fix, stop looking, or apply the fix that is shown.
    pub fn repair(self) {
        let repair = self.repair;
        match repair.search.get_untracked() {
            Search::Working(tried, of) => {
                repair.slices.stop();
                repair.search.set(Search::Stopped(tried, of));
            }
            Search::Finished(..) => {
                if let Some(fix) = untrack(|| repair.fix()) {
                    self.apply_fix(fix.settings);
                    // The button goes; the run goes on here.
                    browser::focus(document().query_selector(".transport .step").ok().flatten());
                }
            }
            Search::NotBegun | Search::Stopped(..) => {
                if untrack(|| self.is_bad()) {
                    self.session.with_untracked(|session| repair.start(session));
                }
            }
        }
    }
}

pub fn block(page: Page) -> AnyView {
    let repair = page.repair;
    let does = move || match repair.now() {
        Search::NotBegun | Search::Stopped(..) if page.is_bad() => Some("ui.fix"),
        Search::Working(..) => Some("ui.stop"),
        Search::Finished(..) if repair.count() > 0 => Some("ui.fix.apply"),
        _ => None,
    };
    let main = button("fix-main", move || page.repair())
        .flag("hidden", flag(move || does().is_none()))
        .say(words(move || page.now(does().unwrap_or("ui.fix"))));
    let turn = move |forward: bool, icon: Icon, key: &'static str| -> AnyView {
        let act = move || {
            let count = untrack(|| repair.count()).max(1);
            let by = if forward { 1 } else { count - 1 };
            repair.shown.update(|shown| *shown = (*shown + by) % count);
        };
        button("small", act)
            .name(page.text(key))
            .child(glyph(icon))
            .into()
    };
    let place = words(move || format!("{} / {}", repair.shown.get() + 1, repair.count()));
    let several = el("div", "turn")
        .flag("hidden", flag(move || repair.count() < 2))
        .child(turn(false, Icon::Left, "ui.fix.previous"))
        .child(el("span", "").say(place))
        .child(turn(true, Icon::Right, "ui.fix.next"));
    el("section", "fix")
        .words("aria-label", page.text("ui.fix"))
        .class("found", flag(move || repair.count() > 0))
        .child(
            el("div", "fix-inner")
                .child(el("div", "fix-tools").child(main).child(several))
                .child(
                    el("div", "fix-words")
                        .set("aria-live", "polite")
                        .child(part(move || said(page))),
                ),
        )
        .into()
}

/// What the block says: the fix, or why there is none.
fn said(page: Page) -> AnyView {
    let repair = page.repair;
    let line = |class: &'static str, text: String| AnyView::from(el("p", class).text(text));
    let counts = |tried: usize, of: usize| [tried, of].map(|n| Arg::Number(n as i64));
    match repair.now() {
        Search::NotBegun if page.is_bad() => line("", page.now("ui.fix.about")),
        Search::NotBegun => line("", nothing_to_fix(page)),
        Search::Working(tried, of) => line("", page.fill_now("ui.fix.tried", &counts(tried, of))),
        Search::Stopped(tried, of) => line("", page.fill_now("ui.fix.stopped", &counts(tried, of))),
        Search::Finished(harm, found) if found.is_empty() => line(
            "",
            page.now(match harm {
                Harm::Clean => "ui.fix.not_needed",
                _ => "ui.fix.none",
            }),
        ),
        Search::Finished(..) => match repair.fix() {
            Some(fix) => all([
                all(fix.changes.iter().map(|one| change(page, one))),
                line("proof", proof(page, &fix)),
            ]),
            None => line("", String::new()),
        },
    }
}

fn nothing_to_fix(page: Page) -> String {
    let windows = page.windows;
    let map = windows
        .map
        .get()
        .filter(|map| windows.is_ready() && map.complete);
    let Some(map) = map else {
        return String::new();
    };
    // Of a run without steps next to nothing was tried.
    if page.len.get() == 0 {
        return page.now("ui.fix.no_steps");
    }
    let key = match windows.faults_max.get() {
        1 => "ui.fix.clean_map",
        _ => "ui.fix.clean_map_two",
    };
    page.fill_now(key, &[Arg::Number(map.states as i64)])
}

/// The value of a setting of a lab.
pub fn in_words(page: Page, lab: &str, setting: &Setting, value: &Value) -> String {
    match (setting.kind, value) {
        (Kind::Choice { options }, Value::Choice(index)) => {
            let option = options.get(usize::from(*index)).unwrap_or(&"");
            page.now(&format!("{lab}.{}.{option}", setting.id))
        }
        (Kind::Steps { all }, Value::Steps(steps)) => {
            let ids = steps.iter().filter_map(|step| all.get(usize::from(*step)));
            let names = ids.map(|step| page.now(&format!("{lab}.step.{step}")));
            names.collect::<Vec<_>>().join(" → ")
        }
        (_, Value::Rows(rows)) => {
            let cell = |cell: &Cell| match cell {
                Cell::Text(text) => text.to_string(),
                Cell::Integer(number) => number.to_string(),
            };
            let row = |row: &Row| row.iter().map(cell).collect::<Vec<_>>().join(" ");
            rows.iter().map(row).collect::<Vec<_>>().join(" · ")
        }
        _ => String::new(),
    }
}

/// The setting, what it is now, and what it becomes. Nothing where another lab has just been opened,
/// and this part of the page is about to go.
fn change(page: Page, change: &Change) -> AnyView {
    let id = page.session.with(|s| s.lab().id());
    let settings = page.settings.get();
    let Some((setting, now)) = settings.iter().nth(change.setting) else {
        return nothing();
    };
    let name = page.now(&format!("{id}.setting.{}", setting.id));
    let new = in_words(page, id, setting, &change.value);
    let (old, class) = match setting.kind {
        // The old steps stand beside it, in the design.
        Kind::Steps { .. } => (String::new(), "steps-new"),
        _ => (in_words(page, id, setting, now) + " → ", ""),
    };
    let before = page.fill_now(
        "ui.fix.change",
        &[name, old].map(|text| Arg::Typed(text.into())),
    );
    el("p", "change")
        .set("title", format!("{before}{new}"))
        .child(el("span", "").text(before))
        .child(el("b", class).text(new))
        .into()
}

/// What was proved of the fix, and what it does to the run.
fn proof(page: Page, fix: &Fix) -> String {
    let numbers = [fix.states as i64, i64::from(FAULTS_MAX)].map(Arg::Number);
    let [states, faults] = numbers;
    let proof = match fix.harm {
        Harm::Clean => page.fill_now("ui.fix.proof", &[states, faults]),
        harm => {
            let harm = Arg::Typed(page.now(&format!("headline.{}", harm.id())).into());
            page.fill_now("ui.fix.still", &[harm, states, faults])
        }
    };
    page.changed.track();
    let stops = page.session.with_untracked(|session| {
        let mut run = session.lab().start(&fix.settings);
        (0..session.len()).find(|step| !run.act(&session.run().name(*step)))
    });
    match stops {
        Some(step) => {
            let step = Arg::Number(step as i64 + 1);
            proof + " " + &page.fill_now("ui.fix.shortens", &[step])
        }
        None => proof,
    }
}
