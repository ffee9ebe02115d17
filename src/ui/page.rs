//! The one state of the page, and everything that can be done to it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::web_sys;

use super::browser;
use super::check::Check;
use super::element::{Words, words};
use super::fix::Repair;
use super::notice::Notice;
use super::size::Sizing;
use super::windows::Windows;
use crate::lab::{Cell, Choice};
use crate::labs::LABS;
use crate::locale::Language;
use crate::machine::{Arg, Harm, Label, Settings};
use crate::run::{ACTIONS_MAX, FILE_BYTES_MAX, Run, RunError, Session, Snapshot};
use crate::view::StateView;

/// Handles to the page's signals; copied freely, and handed to every part of the page.
#[derive(Clone, Copy)]
pub struct Page {
    pub session: RwSignal<Session, LocalStorage>,
    pub language: RwSignal<Language>,
    pub theme: RwSignal<Theme>,
    pub sizing: Sizing,
    pub notice: RwSignal<Option<Notice>>,
    pub help_open: RwSignal<bool>,
    /// Nothing is seen of the page, as by the blank key of a remote.
    pub curtain: RwSignal<bool>,
    pub(super) covered_focus: StoredValue<Option<web_sys::Element>, LocalStorage>,
    pub playing: RwSignal<bool>,
    pub pace: RwSignal<Pace>,
    /// The kind of action whose menu is open, by the id of its button.
    pub menu: RwSignal<Option<String>>,
    pub cursor: Memo<usize>,
    pub len: Memo<usize>,
    pub choices: Memo<Arc<[Choice]>>,
    pub state: Memo<Arc<StateView>>,
    pub settings: Memo<Settings>,
    pub changed: Memo<Changed>,
    pub windows: Windows,
    pub repair: Repair,
    pub check: Check,
    /// How many runs were opened.
    pub(super) opened: RwSignal<u32>,
    /// The sessions that were left for others, by their links.
    left: StoredValue<VecDeque<(String, Snapshot)>, LocalStorage>,
}

/// Tells runs apart: it is another one whenever the run or its settings may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    pub opened: u32,
    revision: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    pub const fn id(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    const fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

/// How fast a run plays by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Slow,
    Normal,
    Fast,
}

impl Pace {
    pub const ALL: [Pace; 3] = [Pace::Slow, Pace::Normal, Pace::Fast];

    pub const fn id(self) -> &'static str {
        match self {
            Pace::Slow => "slow",
            Pace::Normal => "normal",
            Pace::Fast => "fast",
        }
    }

    pub const fn millis_per_step(self) -> u32 {
        match self {
            Pace::Slow => 2_000,
            Pace::Normal => 1_000,
            Pace::Fast => 350,
        }
    }
}

/// How long the address waits for the next step before it is rewritten: browsers limit how often
/// that may happen, and the length of a link grows with the run.
const ADDRESS_DELAY_MS: u32 = 300;

/// How many sessions are kept for the way back.
const LEFT_MAX: usize = 50;

impl Page {
    pub fn new() -> Page {
        let (session, notice) = match browser::fragment() {
            None => (first_session(), None),
            Some(link) => match open_link(&link) {
                Ok(session) => (with_branches(session, &link), None),
                Err(error) => (first_session(), Some(Notice::Unopened(error))),
            },
        };
        let asked = browser::fragment().and_then(|link| language_of(&link));
        let language = asked.unwrap_or_else(browser::preferred_language);
        let session = RwSignal::new_local(session);
        let opened = RwSignal::new(0);
        let changed = Memo::new(move |_| Changed {
            opened: opened.get(),
            revision: session.with(Session::revision),
        });
        let settings = Memo::new(move |_| session.with(|s| s.settings().clone()));
        let page = Page {
            session,
            language: RwSignal::new(language),
            theme: RwSignal::new(browser::preferred_theme()),
            sizing: Sizing::new(),
            notice: RwSignal::new(notice),
            help_open: RwSignal::new(false),
            curtain: RwSignal::new(false),
            covered_focus: StoredValue::new_local(None),
            playing: RwSignal::new(false),
            pace: RwSignal::new(Pace::Normal),
            menu: RwSignal::new(None),
            cursor: Memo::new(move |_| session.with(Session::cursor)),
            len: Memo::new(move |_| session.with(Session::len)),
            choices: Memo::new(move |_| session.with(Session::choices).into()),
            state: Memo::new(move |_| {
                session.with(|s| Arc::new(StateView::new(s.run(), s.cursor())))
            }),
            settings,
            changed,
            windows: Windows::new(session, changed),
            repair: Repair::new(session, settings),
            check: Check::new(session, settings),
            opened,
            left: StoredValue::new_local(VecDeque::new()),
        };
        page.keep_preferences();
        page
    }

    fn keep_preferences(self) {
        Effect::new(move |_| {
            let language = self.language.get();
            browser::show_language(language);
            browser::set_title(&language.text("ui.title"));
        });
        Effect::new(move |_| browser::keep_theme(self.theme.get()));
    }

    /// Keeps the address in step with the run, and the run with the address.
    pub fn follow_address(self) {
        let pending = StoredValue::new_local(None);
        Effect::new(move |before: Option<()>| {
            self.session.track();
            // A link that was just opened stands there as it is; one that was refused would open
            // nothing when the page is loaded again.
            if before.is_none() && self.notice.with_untracked(Option::is_none) {
                return;
            }
            // Replacing a timer that waits cancels it.
            pending.set_value(Some(gloo_timers::callback::Timeout::new(
                ADDRESS_DELAY_MS,
                move || {
                    browser::replace_fragment(&self.link());
                    browser::keep_branches(&self.session.with_untracked(Session::keep));
                },
            )));
        });
        let handle = window_event_listener_untyped("popstate", move |_| {
            self.notice.set(None);
            let fragment = browser::fragment().unwrap_or_default();
            if fragment != self.link() {
                let left = self.left.with_value(|left| {
                    let found = left.iter().rev().find(|(link, _)| *link == fragment);
                    found.map(|(_, snapshot)| snapshot.clone())
                });
                match left.map_or_else(|| open_link(&fragment), |left| Ok(Session::of(left))) {
                    Ok(session) => {
                        self.show(session);
                        if let Some(language) = language_of(&fragment) {
                            self.language.set(language);
                        }
                    }
                    Err(error) => {
                        browser::replace_fragment(&self.link());
                        self.notice.set(Some(Notice::Refused(error)));
                    }
                }
            }
        });
        on_cleanup(move || handle.remove());
    }

    pub fn link(self) -> String {
        self.session.with_untracked(|s| s.save().to_link())
    }

    /// Replaces the session by another one.
    fn show(self, session: Session) {
        self.playing.set(false);
        self.notice.set(None);
        self.leave();
        self.opened.update(|opened| *opened += 1);
        self.session.update(|shown| shown.replace(session));
    }

    /// Keeps what is shown with all its branches, for the browser's way back.
    fn leave(self) {
        let snapshot = self.session.with_untracked(Session::snapshot);
        self.left.update_value(|left| {
            left.push_back((self.link(), snapshot));
            if left.len() > LEFT_MAX {
                left.pop_front();
            }
        });
    }

    /// Opens a run file; if it is refused, everything stays as it is.
    pub fn open_file(self, text: &str) {
        match Run::from_file(text).and_then(Session::open) {
            Ok(session) => {
                browser::push_fragment(&self.link());
                self.show(session);
            }
            Err(error) => self.notice.set(Some(Notice::Refused(error))),
        }
    }

    /// Reads and opens a file that a person chose or dropped.
    pub fn read_file(self, file: web_sys::File) {
        if file.size() > FILE_BYTES_MAX as f64 {
            return self.notice.set(Some(Notice::Refused(RunError::TooLarge)));
        }
        browser::read(file, move |text| match text {
            Some(text) => self.open_file(&text),
            None => self
                .notice
                .set(Some(Notice::Failed("ui.notice.file_unreadable"))),
        });
    }

    pub fn save_file(self) {
        let run = self.session.with_untracked(Session::save);
        browser::download(&format!("{}.json", run.lab.id()), &run.to_file());
        if browser::is_framed() {
            self.notice.set(Some(Notice::Said("ui.save_in_frame")));
        }
    }

    /// Copies the address of the run, with the language in which it is shown.
    pub fn copy_link(self) {
        let link = self.link();
        let stands = browser::replace_fragment(&link) && !browser::is_framed();
        let language = self.language.get_untracked().tag();
        let address = browser::address(&format!("{link}&lang={language}"));
        browser::copy(&address, move |copied| {
            self.notice.set(Some(match (copied, stands) {
                (true, _) => Notice::Said("ui.link_copied"),
                (false, true) => Notice::Said("ui.link_in_address"),
                (false, false) => Notice::Failed("ui.link_refused"),
            }));
        });
    }

    /// Opens another lab with its first preset.
    pub fn open_lab(self, index: usize) {
        browser::push_fragment(&self.link());
        self.show(preset_session(index, 0));
    }

    /// Loads a named design with its run, at the beginning. The way back is the browser's.
    pub fn open_preset(self, index: usize) {
        let lab = self.session.with_untracked(|s| s.lab().id());
        let Some(place) = LABS.iter().position(|l| l.id() == lab) else {
            return;
        };
        browser::push_fragment(&self.link());
        self.show(preset_session(place, index));
    }

    pub fn set_settings(self, settings: Settings) {
        self.playing.set(false);
        let stopped = self.session.try_update(|s| s.set(settings)).flatten();
        self.notice.set(stopped.map(Notice::Stopped));
    }

    pub fn act(self, name: &str) {
        self.menu.set(None);
        self.go(|session| session.act(name));
    }

    /// Puts the fault of a failure window into the run, with the steps that show the worst that
    /// comes of it; `false` while the map is not that of the run.
    pub fn put_fault(self, cell: &Cell) -> bool {
        if !untrack(|| self.windows.is_ready()) {
            return false;
        }
        self.playing.set(false);
        let put = self.session.try_update(|s| s.put(cell.gap, &cell.run));
        let too_long = Notice::Refused(RunError::TooLong);
        self.notice.set((put != Some(true)).then_some(too_long));
        self.windows.remember_put(cell);
        self.windows.pointed.set(None);
        true
    }

    /// Puts a run that begins at the initial state on a branch, and shows its start.
    pub fn show_from_start(self, run: &[String]) {
        self.playing.set(false);
        self.session.update(|session| {
            session.put(0, run);
            session.seek(0);
        });
        self.notice.set(None);
    }

    /// What is still to come of a fault that was put from the map.
    pub fn put_in_words(self) -> Option<String> {
        let put = self.windows.put()?;
        let taken = self.cursor.get().checked_sub(put.place.gap + 1)?;
        let left = (put.steps - 1)
            .checked_sub(taken)
            .filter(|left| *left > 0)?;
        let left = Arg::Number(left as i64);
        Some(match put.harm {
            Harm::Clean => self.fill_now("ui.windows.put_clean", &[left]),
            harm => {
                let harm = self.now(&format!("headline.{}", harm.id()));
                self.fill_now("ui.windows.put", &[left, Arg::Typed(harm.into())])
            }
        })
    }

    pub fn forward(self) {
        self.go(Session::forward);
    }

    fn go(self, step: impl FnOnce(&mut Session) -> bool) {
        let gone = self.session.try_update(step).unwrap_or(false);
        let at_limit = !gone && self.cursor.get_untracked() >= ACTIONS_MAX;
        self.notice
            .set(at_limit.then_some(Notice::Refused(RunError::TooLong)));
        if !gone {
            self.playing.set(false);
        }
    }

    pub fn back(self) {
        self.seek(self.cursor.get_untracked().saturating_sub(1));
    }

    pub fn seek(self, to: usize) {
        self.session.update(|s| s.seek(to));
    }

    pub fn switch_branch(self, branch: usize) {
        let stopped = self.session.try_update(|s| s.switch(branch)).flatten();
        self.notice.set(stopped.map(Notice::Stopped));
    }

    pub fn next_language(self) {
        self.language.update(|language| {
            *language = match language {
                Language::English => Language::Chinese,
                Language::Chinese => Language::English,
            }
        });
        browser::keep_language(self.language.get_untracked());
    }

    pub fn next_theme(self) {
        self.theme.update(|theme| *theme = theme.next());
    }

    /// Whether `forward` would do anything.
    pub fn can_go_forward(self) -> bool {
        self.cursor.get() < self.len.get() || self.choices.with(|all| has_protocol_step(all))
    }

    /// The sentence of a key, now.
    pub fn now(self, key: &str) -> String {
        self.language.get().text(key)
    }

    /// A label in words, now.
    pub fn say_now(self, label: &Label) -> String {
        self.language.get().say(label)
    }

    /// A sentence with its arguments, now.
    pub fn fill_now(self, key: &str, args: &[Arg]) -> String {
        self.language.get().fill(key, args)
    }

    /// The sentence of a key, in the language of the page.
    pub fn text(self, key: impl Into<Cow<'static, str>>) -> Words {
        let key = key.into();
        words(move || self.now(&key))
    }

    /// A label, in the language of the page.
    pub fn say(self, label: Label) -> Words {
        words(move || self.say_now(&label))
    }

    /// What a screen reader says after each step.
    pub fn announcement(self) -> String {
        let cursor = self.cursor.get();
        let step = self.session.with(|s| {
            let row = s.run().diagram().rows().get(cursor.wrapping_sub(1));
            row.map(|row| row.label.clone())
        });
        let step = step.map_or_else(|| self.now("ui.start"), |label| self.say_now(&label));
        let state = self.state.get();
        let verdict = self.now(&format!("headline.{}", state.headline()));
        let to_come = self.put_in_words().unwrap_or_default();
        let reason = self.say_now(&state.reason);
        format!("{cursor}. {step}. {verdict}. {reason} {to_come}")
    }
}

fn has_protocol_step(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| choice.fault.is_none())
}

fn open_link(fragment: &str) -> Result<Session, RunError> {
    match fragment {
        "" => Ok(first_session()),
        link => Run::from_link(link).and_then(Session::open),
    }
}

/// After a reload the page shows the run with all branches that it had.
fn with_branches(session: Session, link: &str) -> Session {
    let kept = browser::kept_branches().and_then(|text| Session::kept(&text));
    let kept = kept.filter(|kept| kept.save().to_link() == link);
    kept.unwrap_or(session)
}

/// The language in which a link is to be shown, if it says so.
fn language_of(link: &str) -> Option<Language> {
    let tag = Run::language_of_link(link)?;
    Language::ALL.into_iter().find(|one| one.tag() == tag)
}

fn first_session() -> Session {
    preset_session(0, 0)
}

/// A session that shows a preset with its run, at the beginning.
fn preset_session(lab: usize, preset: usize) -> Session {
    let lab = LABS[lab];
    let preset = lab.presets().swap_remove(preset);
    let empty = Session::new(lab, preset.settings.clone());
    let run = Run {
        lab,
        settings: preset.settings,
        actions: preset.run,
        at: Some(0),
    };
    Session::open(run).unwrap_or(empty)
}
