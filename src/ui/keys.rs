//! The keyboard: every control has a key, and presentation remotes work.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::{ev, web_sys};

use super::browser;
use super::page::Page;
use super::windows::Move;
use crate::lab::Choice;
use crate::machine::Fault;

/// The key of a fault; with Shift it takes the second possibility of that kind.
pub const fn fault_key(fault: Fault) -> &'static str {
    match fault {
        Fault::Crash => "c",
        Fault::Duplicate => "d",
        Fault::LoseMessage => "m",
        Fault::LoseReply => "x",
        Fault::Reorder => "r",
        Fault::OtherContent => "o",
        Fault::SecondIncarnation => "i",
        Fault::TimeOut => "w",
        Fault::ServerError => "e",
        Fault::Refusal => "n",
        Fault::Contradiction => "y",
        Fault::WriteFailed => "f",
        Fault::KeyExpired => "k",
        Fault::SnapshotLost => "s",
        Fault::LeaseExpired => "l",
    }
}

/// What the sheet of keys lists: keys, and the text key of what they do.
pub const SHEET: &[(&str, &str)] = &[
    ("→  Space  PageDown", "ui.key.forward"),
    ("←  PageUp", "ui.key.back"),
    ("Home", "ui.key.first"),
    ("End", "ui.key.last"),
    ("p", "ui.key.play"),
    ("1 … 9", "ui.key.choice"),
    ("[  ]", "ui.key.branch"),
    ("z", "ui.key.undo"),
    ("Shift+Z", "ui.key.redo"),
    ("q", "ui.key.alternate"),
    ("v", "ui.key.windows"),
    ("h", "ui.key.fix"),
    ("a", "ui.key.check"),
    ("u", "ui.key.link"),
    ("g", "ui.key.language"),
    ("t", "ui.key.theme"),
    ("+  -", "ui.key.size"),
    (".  b", "ui.key.blank"),
    ("Esc", "ui.key.close"),
    ("?", "ui.key.help"),
];

pub fn listen(page: Page) {
    let handle = window_event_listener(ev::keydown, move |event| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() {
            return;
        }
        if is_taken(&event) {
            return;
        }
        if page.curtain.get_untracked() {
            event.prevent_default();
            return lift(page, &event.key());
        }
        // A list would choose by the letter, and so change what is shown.
        if is_letter_on_list(&event) {
            event.prevent_default();
        }
        if press(page, &event.key(), event.shift_key()) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

/// Whether the element that has the focus needs this key itself.
fn is_taken(event: &web_sys::KeyboardEvent) -> bool {
    let target = event
        .target()
        .and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    let Some(target) = target else {
        return false;
    };
    // Behind an open dialog nothing moves.
    if target.closest("dialog").ok().flatten().is_some() {
        return true;
    }
    let key = event.key();
    let key = key.as_str();
    let is_press = matches!(key, " " | "Enter");
    let is_move = key.starts_with("Arrow") || matches!(key, "Home" | "End");
    let kind = target.get_attribute("type").unwrap_or_default();
    match (target.tag_name().as_str(), kind.as_str()) {
        ("INPUT", "range") => is_move,
        ("INPUT", "file") | ("BUTTON" | "SUMMARY", _) => is_press,
        ("SELECT", _) => is_move || is_press,
        ("INPUT" | "TEXTAREA", _) => key != "Escape",
        _ => false,
    }
}

fn is_letter_on_list(event: &web_sys::KeyboardEvent) -> bool {
    let target = event.target();
    let is_list = target.is_some_and(|target| target.has_type::<web_sys::HtmlSelectElement>());
    is_list && event.key().chars().count() == 1
}

/// Takes the curtain away by the keys that drew it, and by those of a remote that go on or back.
fn lift(page: Page, key: &str) {
    if matches!(key, "." | "b" | "B" | "Escape" | " ")
        || key.starts_with("Page")
        || key.starts_with("Arrow")
    {
        page.lift_curtain();
    }
}

/// Does what a key stands for; `false` if it stands for nothing.
fn press(page: Page, key: &str, shift: bool) -> bool {
    match key {
        "ArrowRight" | " " | "PageDown" => page.forward(),
        "ArrowLeft" | "PageUp" => page.back(),
        "Home" => page.seek(0),
        "End" => page.seek(usize::MAX),
        "p" => page.playing.update(|playing| *playing = !*playing),
        "u" => page.copy_link(),
        "v" => windows(page),
        "h" => fix(page),
        "a" => page.check_design(),
        "g" => page.next_language(),
        "t" => page.next_theme(),
        "+" | "=" => page.sizing.resize(true),
        "-" => page.sizing.resize(false),
        "z" | "Z" if shift => page.redo(),
        "z" | "Z" => page.undo(),
        "q" => page.alternate(),
        "." | "b" => page.draw_curtain(),
        "[" => step_branch(page, false),
        "]" => step_branch(page, true),
        "?" => page.help_open.set(true),
        "Escape" => {
            page.menu.set(None);
            page.notice.set(None);
        }
        _ => return choose(page, key, shift),
    }
    true
}

/// Goes into the map, to the first window from here on.
fn windows(page: Page) {
    page.windows.go(Move::To(page.cursor.get_untracked()));
    browser::focus(document().query_selector(".windows").ok().flatten());
}

/// Does what the button of the fix does now, and goes there, so that what it finds is seen whole.
fn fix(page: Page) {
    browser::focus(document().query_selector(".fix-main").ok().flatten());
    page.repair();
}

fn step_branch(page: Page, up: bool) {
    let (open, count) = page
        .session
        .with_untracked(|s| (s.open_branch(), s.branches().len()));
    let next = if up { open + 1 } else { open + count - 1 };
    page.switch_branch(next % count);
}

/// A digit takes the protocol step of that number, a letter the fault of that kind.
fn choose(page: Page, key: &str, shift: bool) -> bool {
    let choices = page.choices.get_untracked();
    let choice: Option<&Choice> = match key.parse::<usize>() {
        Ok(number) => {
            let mut own = choices.iter().filter(|c| c.fault.is_none());
            number.checked_sub(1).and_then(|skipped| own.nth(skipped))
        }
        Err(_) => {
            let key = key.to_lowercase();
            let of_key = |c: &&Choice| c.fault.is_some_and(|fault| fault_key(fault) == key);
            choices.iter().filter(of_key).nth(usize::from(shift))
        }
    };
    let found = choice.is_some();
    if let Some(choice) = choice {
        page.act(&choice.name);
    }
    found
}
