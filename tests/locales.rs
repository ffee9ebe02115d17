//! The words: complete, the same in both languages, and none that nobody says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use effectively_once::lab::AnyLab;
use effectively_once::labs::LABS;
use effectively_once::machine::{Fault, Kind, Text, text::problem};

const ENGLISH: &str = include_str!("../locales/en.properties");
const CHINESE: &str = include_str!("../locales/zh.properties");

/// The lines of a catalogue in their order: key, sentence.
fn lines(catalogue: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = catalogue
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| {
        let (key, sentence) = line
            .split_once('=')
            .unwrap_or_else(|| panic!("no `=` in {line:?}"));
        (key.trim(), sentence.trim())
    })
}

/// The holes of a sentence: the argument, and whether the hole is only a word that depends on it.
/// `None` if a hole is not well formed.
fn holes(sentence: &str) -> Option<BTreeSet<(usize, bool)>> {
    let hole = |part: &str| {
        let (hole, _) = part.split_once('}')?;
        let parts: Vec<_> = hole.split('|').collect();
        let index = parts[0].parse().ok()?;
        matches!(parts.len(), 1 | 3).then_some((index, parts.len() == 3))
    };
    sentence.split('{').skip(1).map(hole).collect()
}

/// The arguments that a sentence shows, whatever words depend on them.
fn shown(sentence: &str) -> BTreeSet<usize> {
    let holes = holes(sentence).unwrap_or_else(|| panic!("a broken hole in {sentence}"));
    holes
        .into_iter()
        .filter(|(_, word)| !word)
        .map(|(index, _)| index)
        .collect()
}

/// Every key that the core uses, with its number of arguments.
fn core_keys() -> BTreeMap<String, usize> {
    let mut keys = BTreeMap::new();
    let mut add =
        |key: String| assert_eq!(keys.insert(key.clone(), 0), None, "{key} is used twice");
    for fault in Fault::ALL {
        add(format!("fault.{}", fault.id()));
        add(format!("fault.{}.help", fault.id()));
    }
    let verdicts = [
        ("durability", "durable volatile outside"),
        ("outcome", "none once lost duplicated"),
        ("belief", "agrees unknown wrong"),
        ("progress", "running done stuck"),
        ("harm", "clean stuck endless wrong_belief lost duplicated"),
        (
            "headline",
            "nothing running done unknown stuck endless wrong_belief lost duplicated",
        ),
    ];
    for (kind, ids) in verdicts {
        ids.split(' ').for_each(|id| add(format!("{kind}.{id}")));
    }
    for lab in LABS {
        lab_keys(*lab).into_iter().for_each(&mut add);
    }
    let texts = LABS.iter().flat_map(|lab| lab.texts()).chain(problem::ALL);
    for Text { key, arity } in texts {
        // A lab may say in a sentence what also follows from its schema, such as a step's name.
        let old = keys.insert((*key).to_owned(), *arity);
        assert!(
            old.is_none_or(|old| old == *arity),
            "{key} with {old:?} and {arity} arguments"
        );
    }
    keys
}

/// What follows from the schema and the presets of a lab.
fn lab_keys(lab: &dyn AnyLab) -> BTreeSet<String> {
    let id = lab.id();
    let mut keys = BTreeSet::from([format!("lab.{id}"), format!("lab.{id}.question")]);
    for setting in lab.schema() {
        let name = format!("{id}.setting.{}", setting.id);
        keys.extend([format!("{name}.help"), name]);
        match setting.kind {
            Kind::Choice { options } => {
                keys.extend(
                    options
                        .iter()
                        .map(|option| format!("{id}.{}.{option}", setting.id)),
                );
            }
            Kind::Steps { all } => keys.extend(all.iter().map(|step| format!("{id}.step.{step}"))),
            Kind::Rows { columns, .. } => {
                keys.extend(
                    columns
                        .iter()
                        .map(|column| format!("{id}.column.{}", column.id)),
                );
            }
        }
    }
    for preset in lab.presets() {
        let name = format!("{id}.preset.{}", preset.id);
        keys.extend([format!("{name}.story"), name]);
    }
    keys
}

/// All source files whose path has this in it, in one text.
fn source(wanted: impl Fn(&str) -> bool) -> String {
    fn read(path: &Path, wanted: &dyn Fn(&str) -> bool, all: &mut String) {
        if path.is_dir() {
            for entry in fs::read_dir(path).expect("a folder") {
                read(&entry.expect("an entry").path(), wanted, all);
            }
        } else if wanted(&path.to_string_lossy().replace('\\', "/")) {
            *all += &fs::read_to_string(path).expect("a source file");
        }
    }
    let mut all = String::new();
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &wanted,
        &mut all,
    );
    all
}

fn is_page(path: &str) -> bool {
    path.ends_with("src/ui.rs") || path.contains("/src/ui/")
}

fn is_text(path: &str) -> bool {
    path.ends_with("/text.rs")
}

/// The keys under `ui.` that the page names in quotes; those that end in a format hole are
/// prefixes.
fn ui_keys(source: &str) -> BTreeSet<&str> {
    let quoted = source
        .match_indices("\"ui.")
        .map(|(at, _)| &source[at + 1..]);
    quoted.filter_map(|rest| rest.split('"').next()).collect()
}

fn is_named(key: &str, named: &BTreeSet<&str>) -> bool {
    let fits = |name: &&str| match name.split_once('{') {
        Some((prefix, _)) => key.starts_with(prefix),
        None => *name == key,
    };
    named.iter().any(fits)
}

#[test]
fn no_key_is_there_twice_and_no_sentence_is_empty() {
    for catalogue in [ENGLISH, CHINESE] {
        let mut seen = BTreeSet::new();
        for (key, sentence) in lines(catalogue) {
            assert!(seen.insert(key), "{key} is there twice");
            assert!(!sentence.is_empty(), "{key} is empty");
        }
    }
}

#[test]
fn both_languages_have_the_same_keys_and_holes() {
    let english: BTreeMap<_, _> = lines(ENGLISH).collect();
    let chinese: BTreeMap<_, _> = lines(CHINESE).collect();
    let keys = |catalogue: &BTreeMap<&'static str, &str>| {
        catalogue.keys().copied().collect::<BTreeSet<_>>()
    };
    let different: Vec<_> = keys(&english)
        .symmetric_difference(&keys(&chinese))
        .copied()
        .collect();
    assert_eq!(different, [""; 0], "in one language only");
    for (key, sentence) in english {
        assert_eq!(shown(sentence), shown(chinese[key]), "{key}");
    }
}

#[test]
fn everything_that_the_core_says_has_words_with_the_right_holes() {
    let keys = core_keys();
    for catalogue in [ENGLISH, CHINESE] {
        let sentences: BTreeMap<_, _> = lines(catalogue).collect();
        let missing: Vec<_> = keys
            .keys()
            .filter(|key| !sentences.contains_key(key.as_str()))
            .collect();
        assert!(missing.is_empty(), "missing: {missing:#?}");
        for (key, arity) in &keys {
            let sentence = sentences[key.as_str()];
            let holes = holes(sentence).unwrap_or_else(|| panic!("a broken hole in {key}"));
            assert!(
                holes.iter().all(|(hole, _)| hole < arity),
                "{key} = {sentence}"
            );
        }
    }
}

#[test]
fn everything_that_the_page_names_has_words_and_there_are_no_others() {
    let source = source(is_page);
    let named = ui_keys(&source);
    let core = core_keys();
    let keys: BTreeSet<_> = lines(ENGLISH).map(|(key, _)| key).collect();
    let unused = keys
        .iter()
        .filter(|key| !core.contains_key(**key) && !is_named(key, &named));
    assert_eq!(unused.collect::<Vec<_>>(), [&""; 0], "nobody says these");
    let missing = named
        .iter()
        .filter(|name| !keys.iter().any(|key| is_named(key, &[**name].into())));
    assert_eq!(missing.collect::<Vec<_>>(), [&""; 0], "the page says these");
}

#[test]
fn every_sentence_that_is_declared_is_said() {
    let declared = source(is_text);
    let said = source(|path| !is_text(path));
    let names = declared
        .lines()
        .filter_map(|line| line.split_once(" = \""))
        .map(|(name, _)| name.trim());
    let names: Vec<_> = names.collect();
    assert!(names.len() > 50, "the declarations look otherwise");
    let is_said = |name: &str| {
        let used = format!("::{name}");
        let mut after = said
            .match_indices(&used)
            .map(|(at, _)| &said[at + used.len()..]);
        after.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let unsaid: Vec<_> = names.into_iter().filter(|name| !is_said(name)).collect();
    assert_eq!(unsaid, [""; 0], "nobody says these");
}

/// A Chinese sentence has Chinese punctuation.
fn half_width(sentence: &str) -> Option<char> {
    let is_han = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}');
    let chars: Vec<char> = sentence.chars().collect();
    (1..chars.len()).find_map(|at| {
        let next = chars[at + 1..].iter().find(|c| **c != ' ');
        let between = is_han(chars[at - 1]) && next.is_none_or(|next| is_han(*next));
        (between && ",.:;?!".contains(chars[at])).then_some(chars[at])
    })
}

#[test]
fn chinese_has_chinese_punctuation() {
    assert_eq!(half_width("余额,回执"), Some(','));
    assert_eq!(half_width("余额: 回执"), Some(':'));
    assert_eq!(half_width("已写入."), Some('.'));
    assert_eq!(half_width("余额，{0}.5 回执 f(f(S,e),e)。"), None);
    for (key, sentence) in lines(CHINESE) {
        assert_eq!(half_width(sentence), None, "{key} = {sentence}");
    }
}

/// The checks themselves, on sentences that are wrong.
#[test]
fn holes_are_found() {
    let found = [(0, false), (1, false), (1, true)].into();
    assert_eq!(holes("{0} of {1} {1|one|many}"), Some(found));
    assert_eq!(shown("{0} {1|is|are}"), [0].into());
    for broken in ["{0", "{x}", "{0|one}", "{0|a|b|c}", "{}"] {
        assert_eq!(holes(broken), None, "{broken}");
    }
    let named = ui_keys(r#"text("ui.a"); format!("ui.b.{}", x); "ui.c" "#);
    assert_eq!(named, ["ui.a", "ui.b.{}", "ui.c"].into());
    assert!(is_named("ui.b.x", &named) && !is_named("ui.ab", &named));
}
