//! The design under test: its story, its named presets, and every setting, drawn from the schema.

use leptos::prelude::*;

use super::choices::Named;
use super::element::{Flag, all, button, el, flag, option, part, select, words};
use super::page::Page;
use super::{choices, handler, records};
use crate::lab::Law;
use crate::machine::{Kind, Preset, Setting, Value};

/// The panes of the settings, by the kind that they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tab {
    Steps,
    Choices,
    Rows,
}

impl Tab {
    const ALL: [Tab; 3] = [Tab::Steps, Tab::Choices, Tab::Rows];

    const fn id(self) -> &'static str {
        match self {
            Tab::Steps => "steps",
            Tab::Choices => "choices",
            Tab::Rows => "rows",
        }
    }

    const fn holds(self, kind: Kind) -> bool {
        matches!(
            (self, kind),
            (Tab::Steps, Kind::Steps { .. })
                | (Tab::Choices, Kind::Choice { .. })
                | (Tab::Rows, Kind::Rows { .. })
        )
    }
}

pub fn pane(page: Page) -> AnyView {
    let chosen = RwSignal::new(Tab::Steps);
    let lab = Memo::new(move |_| page.session.with(|s| s.lab().id()));
    let schema = move || {
        lab.track();
        page.session.with_untracked(|s| s.lab().schema())
    };
    let is_empty = move |tab: Tab| !schema().iter().any(|s| tab.holds(s.kind));
    // A lab without settings of the chosen kind shows those of the first.
    let tab = Memo::new(move |_| match chosen.get() {
        chosen if is_empty(chosen) => Tab::Steps,
        chosen => chosen,
    });
    let named = Named::new(page);
    let opened = Memo::new(move |_| page.changed.get().opened);
    let shown = move || {
        let (lab, tab) = (lab.get(), tab.get());
        // Only the choices have an order that follows from the design.
        if tab == Tab::Choices {
            opened.track();
        }
        let schema = schema();
        let held = schema.iter().enumerate().filter(|(_, s)| tab.holds(s.kind));
        let held: Vec<_> = held
            .map(|(index, setting)| One {
                page,
                lab,
                index,
                setting,
                named,
            })
            .collect();
        match tab {
            Tab::Choices => choices::list(page, held),
            Tab::Steps | Tab::Rows => all(held.into_iter().map(|one| one.view(flag(|| false)))),
        }
    };
    let count = move |one: Tab| named.count(page, |kind| one.holds(kind));
    let head = |one: Tab| {
        button("", move || chosen.set(one))
            .flag("hidden", flag(move || is_empty(one)))
            .set("role", "tab")
            .set("id", format!("tab-{}", one.id()))
            .set("aria-controls", "tab-panel")
            .words(
                "aria-selected",
                words(move || (tab.get() == one).to_string()),
            )
            .say(page.text(format!("ui.tab.{}", one.id())))
            .child(choices::badge(page, move || count(one)))
            .into()
    };
    let panel = el("div", "settings")
        .set("id", "tab-panel")
        .set("role", "tabpanel")
        // It may have to scroll, and then it must be reached by the keyboard.
        .set("tabindex", "0")
        .words(
            "aria-labelledby",
            words(move || format!("tab-{}", tab.get().id())),
        )
        .child(part(shown));
    el("aside", "pane design")
        .set("id", "design")
        .class("folded", flag(move || page.sizing.folded.get()))
        .words("aria-label", page.text("ui.design"))
        .child(presets(page))
        .child(
            el("div", "tabs")
                .set("role", "tablist")
                .children(Tab::ALL.map(head)),
        )
        .child(panel)
        .child(laws(page))
        .into()
}

/// The story, and the named designs to choose from.
fn presets(page: Page) -> AnyView {
    let presets = StoredValue::new_local(Vec::<Preset>::new());
    let lab = Memo::new(move |_| {
        let lab = page.session.with(|s| s.lab());
        presets.set_value(lab.presets());
        lab.id()
    });
    // The preset whose settings these are, if any.
    let open = Memo::new(move |_| {
        lab.track();
        page.settings.with(|settings| {
            presets.with_value(|all| all.iter().position(|p| p.settings == *settings))
        })
    });
    // A story tells of a run: it is not that of another one, nor of none.
    let is_told = Memo::new(move |_| {
        page.session.with(|s| {
            let story = |all: &Vec<Preset>| Some(all.get(open.get()?)?.run.clone());
            let story = presets.with_value(story).unwrap_or_default();
            let mut steps = story.iter().take(s.len()).enumerate();
            !s.is_empty() && steps.all(|(step, name)| s.run().name(step) == *name)
        })
    });
    let story = words(move || {
        let lab = lab.get();
        match open.get().filter(|_| is_told.get()) {
            Some(index) => {
                let id = presets.with_value(|all| all[index].id);
                page.now(&format!("{lab}.preset.{id}.story"))
            }
            None => page.now(&format!("lab.{lab}.question")),
        }
    });
    let of_kind = move |correct: bool| {
        let lab = lab.get();
        let one = |(index, preset): (usize, &Preset)| {
            let selected = flag(move || open.get() == Some(index));
            option(
                index.to_string(),
                selected,
                page.text(format!("{lab}.preset.{}", preset.id)),
            )
        };
        presets.with_value(|presets| {
            let held = presets
                .iter()
                .enumerate()
                .filter(|(_, p)| p.correct == correct);
            all(held.map(one))
        })
    };
    let group = move |key: &'static str, correct: bool| {
        let group = el("optgroup", "").words("label", page.text(key));
        group.child(part(move || of_kind(correct))).into()
    };
    let is_own = flag(move || open.get().is_none());
    let options = all([
        option("", is_own, page.text("ui.preset.own")),
        group("ui.preset.correct", true),
        group("ui.preset.wrong", false),
    ]);
    let choose = move |index: String| {
        if let Ok(index) = index.parse() {
            page.open_preset(index);
        }
    };
    el("section", "presets")
        .child(el("p", "story").say(story))
        .child(select("preset", page.text("ui.presets"), options, choose))
        .into()
}

/// One setting of the lab, with the way to change it.
#[derive(Clone, Copy)]
pub struct One {
    pub page: Page,
    pub lab: &'static str,
    pub index: usize,
    pub setting: &'static Setting,
    named: Named,
}

impl One {
    /// The value that it has now; `None` where another lab has just been opened, and this part of
    /// the page is about to go.
    pub fn value(self) -> Option<Value> {
        self.page.settings.with(|settings| {
            let (setting, value) = settings.iter().nth(self.index)?;
            (setting == self.setting).then(|| value.clone())
        })
    }

    /// Puts another value into its place; one that the schema refuses changes nothing.
    pub fn set(self, value: Value) {
        let settings = self.page.settings.get_untracked();
        if let Ok(settings) = settings.with(self.index, value) {
            self.page.set_settings(settings);
        }
    }

    /// What the named design has there, if that is something else.
    pub fn was(self) -> Option<Value> {
        self.named
            .value(self.setting, self.index)
            .filter(|was| self.value().is_some_and(|value| value != *was))
    }

    pub fn view(self, hidden: Flag) -> AnyView {
        let name = format!("{}.setting.{}", self.lab, self.setting.id);
        let help = format!("{name}.help");
        let control = match self.setting.kind {
            Kind::Choice { options } => choices::control(self, options, name.clone()),
            Kind::Steps { all } => handler::steps(self, all),
            Kind::Rows { columns, rows_max } => records::records(self, columns, rows_max),
        };
        // Closed when it is drawn; a person opens it.
        let about = el("details", "")
            .flag("open", flag(|| false))
            .child(el("summary", "").say(self.page.text(name)))
            .child(el("p", "").say(self.page.text(help)));
        el("div", "setting")
            .class("changed", flag(move || self.was().is_some()))
            .flag("hidden", hidden)
            .child(about)
            .child(control)
            .into()
    }
}

/// Laws tried on the very state that is shown.
fn laws(page: Page) -> AnyView {
    let law = move |law: &Law| {
        let (class, sign) = match law.holds {
            Some(true) => ("holds", "✓"),
            Some(false) => ("broken", "✕"),
            None => ("untried", "–"),
        };
        let chain = law.chain.iter();
        let chain = chain.map(|label| el("b", "").say(page.say(label.clone())).into());
        let labels = law.chain.clone();
        let whole = words(move || {
            let chain = labels.iter().map(|label| page.say_now(label));
            chain.collect::<Vec<_>>().join(" → ")
        });
        let sign = el("span", "sign")
            .set("role", "img")
            .words("aria-label", page.text(format!("ui.law.{class}")))
            .text(sign);
        el("li", class)
            .child(el("span", "subject").say(page.say(law.subject.clone())))
            .child(el("span", "chain").words("title", whole).children(chain))
            .child(sign)
            .into()
    };
    let all_laws = move || all(page.state.get().laws.iter().map(law));
    let head = el("h2", "")
        .child(el("span", "").say(page.text("ui.law")))
        .child(el("i", "").text("f(f(S,e),e) = f(S,e)"));
    el("section", "laws")
        .flag("hidden", flag(move || page.state.get().laws.is_empty()))
        .child(head)
        .child(el("ul", "").child(part(all_laws)))
        .into()
}
