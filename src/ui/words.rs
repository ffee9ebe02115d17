//! Small helpers for words in the page.

use leptos::prelude::*;

use super::page::page;
use crate::machine::Label;

/// A label in the language of the page; follows when the language changes.
#[component]
pub fn Say(label: Label) -> impl IntoView {
    let page = page();
    move || page.say(&label)
}

/// How wide a text is drawn at the diagram's size, in its units: a full-width character takes
/// one em, others about half of it.
pub fn width(text: &str) -> f64 {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> f64 {
    match c {
        '\u{1100}'.. => 12.0,
        'i' | 'l' | 'j' | ' ' | '.' | ',' | '\'' => 3.6,
        'm' | 'w' | 'M' | 'W' => 9.8,
        _ => 6.7,
    }
}

/// The text, cut with an ellipsis where it would be wider than `max`.
pub fn fit(text: &str, max: f64) -> String {
    if width(text) <= max {
        return text.to_owned();
    }
    let mut used = 12.0;
    let kept = text.chars().take_while(|c| {
        used += char_width(*c);
        used <= max
    });
    let mut cut: String = kept.collect();
    cut.push('…');
    cut
}
