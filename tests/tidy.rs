//! The walls between the layers, and the form of the sources.

use std::fs;
use std::path::{Path, PathBuf};

use effectively_once::labs::LABS;

const LINE_CHARS_MAX: usize = 120;
const FILE_LINES_MAX: usize = 500;

/// What the core must not have: a web crate, a clock, randomness, a process, or an order that
/// differs from run to run.
const FORBIDDEN_IN_CORE: &[&str] = &[
    "leptos",
    "web_sys",
    "wasm_bindgen",
    "gloo",
    "js_sys",
    "std::time",
    "Instant::",
    "SystemTime",
    "rand::",
    "RandomState",
    "HashMap",
    "HashSet",
    "std::fs",
    "std::env",
    "std::process",
    "std::io",
    "thread::",
    "println!",
    "f32",
    "f64",
];
/// Words that say that something is not finished, written so that this file does not contain them.
const UNFINISHED: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];

/// The files of this folder with this ending: path from the root, text.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    fn walk(path: PathBuf, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("a folder");
            entries.for_each(|entry| walk(entry.expect("an entry").path(), found));
        } else {
            found.push(path);
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    walk(root.join(folder), &mut paths);
    paths.sort();
    let named = paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == ending));
    let read = named.map(|path| {
        let text = fs::read_to_string(&path).expect("a text file");
        let name = path.strip_prefix(root).expect("a path below the root");
        (name.to_string_lossy().replace('\\', "/"), text)
    });
    read.collect()
}

/// Every line of code with its place; comments are left out.
fn code_lines(file: &(String, String)) -> impl Iterator<Item = (String, &str)> {
    let (name, text) = file;
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines.map(move |(number, line)| (format!("{name}:{number}"), line))
}

fn is_page(name: &str) -> bool {
    name == "src/ui.rs" || name.starts_with("src/ui/")
}

fn is_core(name: &str) -> bool {
    !is_page(name) && !is_test(name) && !is_command(name) && name != "src/main.rs"
}

fn is_command(name: &str) -> bool {
    name == "src/headless.rs" || name.starts_with("src/headless/")
}

fn is_test(name: &str) -> bool {
    name.contains("/tests/") || name.ends_with("/tests.rs")
}

#[test]
fn the_core_has_no_web_no_clock_no_chance_and_no_outside() {
    let sources = files("src", "rs");
    let core: Vec<_> = sources.iter().filter(|(name, _)| is_core(name)).collect();
    assert!(core.len() > 20, "the core is somewhere else");
    for file in core {
        for (place, line) in code_lines(file) {
            // The catalogues are looked up by key; nobody asks for their order.
            let allowed = |word: &&str| file.0 == "src/locale.rs" && *word == "HashMap";
            let found = FORBIDDEN_IN_CORE
                .iter()
                .find(|word| !allowed(word) && line.contains(**word));
            assert_eq!(found, None, "{place}: {line}");
        }
    }
}

#[test]
fn the_page_names_no_lab() {
    for file in files("src", "rs").iter().filter(|(name, _)| is_page(name)) {
        for (place, line) in code_lines(file) {
            for lab in LABS {
                assert!(
                    !line.contains(&format!("\"{}", lab.id())),
                    "{place}: {line}"
                );
                assert!(
                    !line.contains(&format!("labs::{}", lab.id())),
                    "{place}: {line}"
                );
            }
        }
    }
}

#[test]
fn nothing_is_unwrapped_without_a_word() {
    for file in files("src", "rs").iter().filter(|(name, _)| !is_test(name)) {
        for (place, line) in code_lines(file) {
            assert!(!line.contains(".unwrap()"), "{place}: {line}");
        }
    }
}

#[test]
fn lines_and_files_are_short_and_finished() {
    let sources = [("src", "rs"), ("tests", "rs"), ("tests", "mjs")];
    for (name, text) in sources
        .into_iter()
        .flat_map(|(folder, ending)| files(folder, ending))
    {
        assert!(text.lines().count() <= FILE_LINES_MAX, "{name} is long");
        for (number, line) in (1..).zip(text.lines()) {
            assert!(
                line.chars().count() <= LINE_CHARS_MAX,
                "{name}:{number} is long"
            );
            assert!(
                !UNFINISHED.iter().any(|word| line.contains(word)),
                "{name}:{number}: {line}"
            );
        }
    }
}
