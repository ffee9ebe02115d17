//! The transport: first, back, forward, last, play, the slider, the branches.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::actions;
use super::element::{Flag, all, button, el, flag, nothing, option, part, select, words};
use super::icons::{Icon, glyph};
use super::page::{Pace, Page};
use super::state;
use crate::machine::Arg;
use crate::run::{Branch, Shown};

/// What is chosen among the branches and is none of them.
const NEW: &str = "new";
const OTHER: &str = "other";

pub fn bar(page: Page) -> AnyView {
    let at_start = flag(move || page.cursor.get() == 0);
    let at_end = flag(move || page.cursor.get() == page.len.get());
    let tool = move |icon: Icon, key: &'static str, off: Flag, act: fn(Page)| {
        let tool = button("tool", move || act(page)).name(page.text(key));
        tool.flag("disabled", off).child(glyph(icon))
    };
    let step = button("step", move || page.forward())
        .flag("disabled", flag(move || !page.can_go_forward()))
        .child(glyph(Icon::Forward))
        .child(el("span", "").say(page.text("ui.step")))
        .child(el("kbd", "").text("→"));
    let tools = el("div", "tools")
        .child(tool(Icon::First, "ui.key.first", at_start, |page| {
            page.seek(0)
        }))
        .child(tool(Icon::Back, "ui.key.back", at_start, Page::back))
        .child(step)
        .child(tool(Icon::Last, "ui.key.last", at_end, |page| {
            page.seek(usize::MAX)
        }))
        .child(play(page));
    el("footer", "transport")
        .flag("inert", page.curtain.into())
        .child(state::outcome(page))
        .child(tools)
        .child(slider(page))
        .child(branches(page))
        .child(actions::steps(page))
        .into()
}

fn play(page: Page) -> AnyView {
    let timer = StoredValue::new_local(None);
    Effect::new(move |_| {
        // After every step the next one is planned; stopping drops the timer that waits.
        page.cursor.track();
        if !page.playing.get() {
            return timer.set_value(None);
        }
        if !page.can_go_forward() {
            return page.playing.set(false);
        }
        let wait = page.pace.get().millis_per_step();
        timer.set_value(Some(Timeout::new(wait, move || page.forward())));
    });
    let icon = move || {
        glyph(match page.playing.get() {
            true => Icon::Pause,
            false => Icon::Play,
        })
    };
    let paces = Pace::ALL.map(|pace| {
        let selected = flag(move || page.pace.get() == pace);
        option(
            pace.id(),
            selected,
            page.text(format!("ui.pace.{}", pace.id())),
        )
    });
    let choose = move |id: String| {
        if let Some(pace) = Pace::ALL.into_iter().find(|pace| pace.id() == id) {
            page.pace.set(pace);
        }
    };
    let toggle = button("tool", move || {
        page.playing.update(|playing| *playing = !*playing)
    })
    .name(page.text("ui.key.play"))
    .words(
        "aria-pressed",
        words(move || page.playing.get().to_string()),
    )
    .flag(
        "disabled",
        flag(move || !page.playing.get() && !page.can_go_forward()),
    )
    .child(part(icon));
    let pace = select("pace", page.text("ui.pace"), all(paces), choose);
    all([toggle.into(), pace.into()])
}

fn slider(page: Page) -> AnyView {
    let seek = move |to: String| {
        if let Ok(to) = to.parse() {
            page.seek(to);
        }
    };
    let position = move || format!("{} / {}", page.cursor.get(), page.len.get());
    let range = el("input", "")
        .set("type", "range")
        .set("min", "0")
        .words("aria-label", page.text("ui.position"))
        .prop("max", words(move || page.len.get().to_string()))
        .prop("value", words(move || page.cursor.get().to_string()))
        .value("input", seek);
    el("div", "slider")
        .child(range)
        .child(el("span", "position").say(words(position)))
        .into()
}

fn branches(page: Page) -> AnyView {
    let branches = Memo::new(move |_| {
        page.session
            .with(|s| (s.branches(), s.open_branch(), s.shown()))
    });
    let choose = move |place: String| match place.as_str() {
        NEW => page.start_over(),
        OTHER => page.alternate(),
        place => {
            if let Ok(place) = place.parse() {
                page.switch_branch(place);
            }
        }
    };
    let options = move || {
        let (branches, open, shown) = branches.get();
        let one = |(place, branch): (usize, &Branch)| {
            let number = |n: usize| Arg::Number(n as i64);
            let args = [
                number(branch.id),
                number(branch.forked_at),
                number(branch.len),
            ];
            let key = match (shown.filter(|_| place == open), branch.forked_at) {
                (Some(Shown::WithFix), _) => "ui.branch.with",
                (Some(Shown::WithoutFix), _) => "ui.branch.without",
                (None, 0) => "ui.branch.whole",
                (None, _) => "ui.branch.forked",
            };
            let name = words(move || page.fill_now(key, &args));
            option(place.to_string(), flag(move || place == open), name)
        };
        let never = flag(|| false);
        let other = match shown {
            Some(Shown::WithFix) => option(OTHER, never, page.text("ui.branch.see_without")),
            Some(Shown::WithoutFix) => option(OTHER, never, page.text("ui.branch.see_with")),
            None => nothing(),
        };
        let new = option(NEW, never, page.text("ui.branch.new"));
        all([all(branches.iter().enumerate().map(one)), other, new])
    };
    let alone = flag(move || {
        page.session
            .with(|s| s.branches().len() < 2 && s.is_empty())
    });
    select("branches", page.text("ui.branches"), part(options), choose)
        .flag("disabled", alone)
        .into()
}
