//! One clear line about something that was refused, cut short or done.

use leptos::prelude::*;

use super::element::{button, el, nothing, part, words};
use super::page::Page;
use crate::machine::Arg;
use crate::run::{RunError, Stopped};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A file or a link could not be opened; the run stays as it was.
    Refused(RunError),
    /// The link with which the page was loaded could not be opened.
    Unopened(RunError),
    /// After a change of the settings the run is shorter.
    Stopped(Stopped),
    /// Something went well and should be said.
    Said(&'static str),
    /// Something could not be done.
    Failed(&'static str),
}

/// The line, over the bar below the diagram: it pushes nothing away, and neither the names of the lanes
/// nor the step that was taken are under it.
pub fn bar(page: Page) -> AnyView {
    let bar = move |notice: Notice| {
        let class = match notice {
            Notice::Said(_) => "notice",
            _ => "notice bad",
        };
        let dismiss = button("", move || page.notice.set(None))
            .words("aria-label", page.text("ui.dismiss"))
            .text("×");
        el("p", class)
            .set("role", "alert")
            .child(el("span", "").say(words(move || in_words(page, &notice))))
            .child(dismiss)
            .into()
    };
    part(move || page.notice.get().map_or_else(nothing, bar))
}

fn in_words(page: Page, notice: &Notice) -> String {
    let typed = |text: String| Arg::Typed(text.into());
    // Where it is, and what is wrong there.
    let wrong = |error: &RunError| {
        let (place, problem) = (error.place(), page.say_now(&error.problem()));
        typed(match place.is_empty() {
            true => problem,
            false => page.fill_now("ui.notice.at", &[typed(place), typed(problem)]),
        })
    };
    match notice {
        Notice::Refused(error) => page.fill_now("ui.notice.refused", &[wrong(error)]),
        Notice::Unopened(error) => page.fill_now("ui.notice.unopened", &[wrong(error)]),
        Notice::Stopped(stopped) => {
            let step = Arg::Number(stopped.at as i64 + 1);
            match &stopped.label {
                Some(label) => {
                    let action = typed(page.say_now(label));
                    page.fill_now("ui.notice.stopped", &[step, action])
                }
                None => page.fill_now("ui.notice.ends", &[step]),
            }
        }
        Notice::Said(key) | Notice::Failed(key) => page.now(key),
    }
}
