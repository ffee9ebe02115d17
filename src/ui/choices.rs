//! The mechanisms of a design: what differs from the named design comes first and goes back by its
//! arrow; many are found by their words.

use leptos::prelude::*;

use super::browser;
use super::design::One;
use super::element::{all, button, el, flag, nothing, option, part, words};
use super::icons::{Icon, glyph};
use super::page::Page;
use crate::machine::{Arg, Kind, Preset, Setting, Settings, Value};

/// More settings than these have a field to find one by its words.
const PLAIN_MAX: usize = 8;
/// A longer value does not fit into its control; a wide character counts twice.
const VALUE_WIDTH_MAX: usize = 34;

/// The named design from which the settings came: the one that was last open, else the nearest.
#[derive(Clone, Copy)]
pub struct Named {
    design: Memo<(&'static str, Settings)>,
}

impl Named {
    pub fn new(page: Page) -> Named {
        let presets = StoredValue::new_local(("", Vec::<Preset>::new()));
        let design = move |before: Option<&(&'static str, Settings)>| {
            let lab = page.session.with_untracked(|s| s.lab());
            if presets.with_value(|(id, _)| *id != lab.id()) {
                presets.set_value((lab.id(), lab.presets()));
            }
            let settings = page.settings.get();
            let before = before.filter(|(id, _)| *id == lab.id());
            let named = presets.with_value(|(_, presets)| {
                let is_it = |preset: &&Preset| preset.settings == settings;
                match (presets.iter().find(is_it), before) {
                    (None, Some((_, before))) => Some(before.clone()),
                    (Some(preset), _) => Some(preset.settings.clone()),
                    (None, None) => {
                        let far = |preset: &&Preset| differences(&preset.settings, &settings);
                        let nearest = presets.iter().min_by_key(far);
                        nearest.map(|preset| preset.settings.clone())
                    }
                }
            });
            (lab.id(), named.unwrap_or(settings))
        };
        Named {
            design: Memo::new(design),
        }
    }

    /// What it has there; `None` where another lab has just been opened.
    pub fn value(self, setting: &Setting, index: usize) -> Option<Value> {
        self.design.with(|(_, settings)| {
            let (its, value) = settings.iter().nth(index)?;
            (its == setting).then(|| value.clone())
        })
    }

    /// How many settings of some kind differ.
    pub fn count(self, page: Page, holds: impl Fn(Kind) -> bool) -> usize {
        self.design.with(|(_, named)| {
            page.settings.with(|settings| {
                let pairs = named.iter().zip(settings.iter());
                let changed = pairs.filter(|((its, was), (setting, now))| {
                    its == setting && holds(setting.kind) && was != now
                });
                changed.count()
            })
        })
    }
}

fn differences(one: &Settings, other: &Settings) -> usize {
    let pairs = one.iter().zip(other.iter());
    pairs.filter(|((_, a), (_, b))| a != b).count()
}

/// How many settings are changed, in the room that it always has.
pub fn badge(page: Page, count: impl Fn() -> usize + Copy + Send + Sync + 'static) -> AnyView {
    let about = words(move || page.fill_now("ui.changed", &[Arg::Number(count() as i64)]));
    el("span", "changes")
        .set("role", "img")
        .name(about)
        .class("none", flag(move || count() == 0))
        .say(words(move || count().to_string()))
        .into()
}

/// All of them. Their order is that of the moment when they are drawn, so that none moves away
/// under the hand that changes it.
pub fn list(page: Page, mut held: Vec<One>) -> AnyView {
    held.sort_by_key(|one| untrack(|| one.was().is_none()));
    let sought = RwSignal::new(String::new());
    let is_found = move |one: One| {
        let sought = sought.get().trim().to_lowercase();
        sought.is_empty() || in_words(one).to_lowercase().contains(&sought)
    };
    let field = el("input", "filter")
        .set("type", "search")
        .set("autocomplete", "off")
        .flag(
            "hidden",
            flag({
                let few = held.len() <= PLAIN_MAX;
                move || few
            }),
        )
        .words("aria-label", page.text("ui.filter"))
        .words("placeholder", page.text("ui.filter"))
        .value("input", move |text| sought.set(text));
    let found = {
        let held = held.clone();
        flag(move || held.iter().any(|one| is_found(*one)))
    };
    let none = el("p", "note")
        .set("role", "status")
        .child(part(move || match found.get() {
            true => nothing(),
            false => el("span", "").text(page.now("ui.filter.none")).into(),
        }));
    let rows = held
        .into_iter()
        .map(|one| one.view(flag(move || !is_found(one))));
    all([field.into(), none.into(), all(rows)])
}

/// The words by which a setting is found: its name and all its values.
fn in_words(one: One) -> String {
    let One {
        page, lab, setting, ..
    } = one;
    let mut text = page.now(&format!("{lab}.setting.{}", setting.id));
    if let Kind::Choice { options } = setting.kind {
        for option in options {
            text += "\n";
            text += &page.now(&format!("{lab}.{}.{option}", setting.id));
        }
    }
    text
}

/// One of several mechanisms.
pub fn control(one: One, options: &'static [&'static str], name: String) -> AnyView {
    let One {
        page, lab, setting, ..
    } = one;
    let key = move |id: &str| format!("{lab}.{}.{id}", setting.id);
    let say = move |value: Option<Value>| {
        let id = match value {
            Some(Value::Choice(index)) => options.get(usize::from(index)),
            _ => None,
        };
        id.map_or(String::new(), |id| page.now(&key(id)))
    };
    let offered = |(index, id): (usize, &&str)| {
        let selected = flag(move || one.value() == Some(Value::Choice(index as u8)));
        option(index.to_string(), selected, page.text(key(id)))
    };
    let offered = all(options.iter().enumerate().map(offered));
    let choose = move |index: String| {
        if let Ok(index) = index.parse() {
            one.set(Value::Choice(index));
        }
    };
    let value = words(move || say(one.value()));
    let was = words(move || page.fill_now("ui.changed.was", &[Arg::Typed(say(one.was()).into())]));
    let reset =
        words(move || page.fill_now("ui.changed.reset", &[Arg::Typed(say(one.was()).into())]));
    let is_changed = move || one.was().is_some();
    let is_long = move || value.with(|value| width(value) > VALUE_WIDTH_MAX);
    let id = format!("setting-{}", setting.id);
    let select = el("select", "choice")
        .set("id", id.clone())
        .words("aria-label", page.text(name))
        // Where it is cut, the pointer reads it whole.
        .words("title", value)
        .value("change", choose)
        .child(offered);
    let back = button("small", move || {
        if let Some(was) = untrack(|| one.was()) {
            one.set(was);
            // The button goes; its setting stays.
            browser::focus(document().get_element_by_id(&id));
        }
    })
    .name(reset)
    .child(glyph(Icon::Undo));
    all([
        select.into(),
        el("p", "whole")
            .flag("hidden", flag(move || !is_long()))
            .set("aria-hidden", "true")
            .say(value)
            .into(),
        el("p", "was")
            .flag("hidden", flag(move || !is_changed()))
            .child(el("span", "").say(was))
            .child(back)
            .into(),
    ])
}

/// How wide a text is, in letters of an alphabet.
fn width(text: &str) -> usize {
    text.chars()
        .map(|one| if one < '\u{2e80}' { 1 } else { 2 })
        .sum()
}
