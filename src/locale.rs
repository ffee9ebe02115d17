//! The words: one catalogue a language, from `locales/`.
//!
//! A catalogue has a line `key = sentence` for everything that a person reads. `{0}` stands for an
//! argument, `{0|one|many}` for a word that depends on a number.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::machine::{Arg, Label};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    English,
    Chinese,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// The language tag for HTML and for the address.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    pub fn catalogue(self) -> &'static Catalogue {
        static ENGLISH: LazyLock<Catalogue> =
            LazyLock::new(|| Catalogue::parse(include_str!("../locales/en.properties")));
        static CHINESE: LazyLock<Catalogue> =
            LazyLock::new(|| Catalogue::parse(include_str!("../locales/zh.properties")));
        match self {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }

    /// The sentence of a key that takes no arguments.
    ///
    /// A missing sentence shows its key; a test makes sure that none is missing.
    pub fn text(self, key: &str) -> String {
        self.fill(key, &[])
    }

    /// A label in words.
    pub fn say(self, label: &Label) -> String {
        self.fill(label.text.key, &label.args)
    }

    /// The sentence of a key with arguments.
    pub fn fill(self, key: &str, args: &[Arg]) -> String {
        match self.catalogue().get(key) {
            Some(sentence) => self.fill_sentence(sentence, args),
            None => key.to_owned(),
        }
    }

    fn fill_sentence(self, sentence: &str, args: &[Arg]) -> String {
        let mut out = String::with_capacity(sentence.len());
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            let (hole, after) = after.split_once('}').unwrap_or((after, ""));
            out += before;
            out += &self.fill_hole(hole, args);
            rest = after;
        }
        out + rest
    }

    fn fill_hole(self, hole: &str, args: &[Arg]) -> String {
        let mut parts = hole.split('|');
        let index = parts.next().and_then(|index| index.parse::<usize>().ok());
        let arg = index.and_then(|index| args.get(index));
        match (arg, parts.next(), parts.next()) {
            (Some(Arg::Number(1 | -1)), Some(one), _) => one.to_owned(),
            (_, Some(_), Some(many)) => many.to_owned(),
            (Some(arg), _, _) => self.argument(arg),
            (None, _, _) => String::new(),
        }
    }

    fn argument(self, arg: &Arg) -> String {
        match arg {
            Arg::Number(number) => group(*number),
            Arg::Signed(number @ 0..) => format!("+{}", group(*number)),
            Arg::Signed(number) => group(*number),
            Arg::Typed(text) => text.to_string(),
            Arg::Label(label) => self.say(label),
        }
    }
}

/// A number with a typographic minus, and its digits in groups of three from five digits on.
fn group(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut out = String::new();
    if number < 0 {
        out.push('\u{2212}');
    }
    let grouped = digits.len() > 4;
    for (index, digit) in digits.chars().enumerate() {
        let left = digits.len() - index;
        if grouped && index > 0 && left.is_multiple_of(3) {
            // A narrow space that does not break.
            out.push('\u{202F}');
        }
        out.push(digit);
    }
    out
}

/// The sentences of one language.
pub struct Catalogue(HashMap<&'static str, &'static str>);

impl Catalogue {
    fn parse(text: &'static str) -> Catalogue {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let entries = lines.filter_map(|line| line.split_once('='));
        Catalogue(
            entries
                .map(|(key, sentence)| (key.trim(), sentence.trim()))
                .collect(),
        )
    }

    pub fn get(&self, key: &str) -> Option<&'static str> {
        self.0.get(key).copied()
    }

    /// Every key, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::text::problem;

    #[test]
    fn numbers_are_grouped_and_signed() {
        let say = |arg: Arg| Language::English.argument(&arg);
        let cases = [
            (0, "0"),
            (-1, "−1"),
            (1234, "1234"),
            (12_345, "12\u{202F}345"),
        ];
        assert_eq!(
            cases.map(|(number, _)| say(Arg::Number(number))),
            cases.map(|(_, words)| words)
        );
        assert_eq!(say(Arg::Number(-1_234_567)), "−1\u{202F}234\u{202F}567");
        assert_eq!(
            say(Arg::Number(i64::MIN))
                .chars()
                .filter(char::is_ascii_digit)
                .count(),
            19
        );
        assert_eq!(
            [0, 5, -5].map(|number| say(Arg::Signed(number))),
            ["+0", "+5", "−5"]
        );
    }

    #[test]
    fn holes_take_their_arguments() {
        let fill = |sentence: &str, args: &[Arg]| Language::English.fill_sentence(sentence, args);
        let args = [
            Arg::Number(2),
            Arg::Typed("{0}".into()),
            problem::MISSING.into(),
        ];
        assert_eq!(fill("{1}: {0} of {0}", &args), "{0}: 2 of 2");
        assert_eq!(
            fill("{2}", &args),
            Language::English.text("problem.missing")
        );
        for (number, words) in [
            (1, "1 step"),
            (-1, "−1 step"),
            (0, "0 steps"),
            (2, "2 steps"),
        ] {
            assert_eq!(fill("{0} {0|step|steps}", &[Arg::Number(number)]), words);
        }
    }

    #[test]
    fn broken_holes_and_missing_sentences_do_no_harm() {
        for sentence in ["{", "{0", "{x}", "{9}", "{}", "{|}", "{0|a}"] {
            Language::English.fill_sentence(sentence, &[]);
        }
        assert_eq!(Language::English.text("no.such.key"), "no.such.key");
    }
}
