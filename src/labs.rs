//! The labs, one folder each, and the one list of them.

pub mod balance;
pub mod payment;

use crate::lab::{AnyLab, Erased};

/// Every lab, in the order in which the page offers them.
pub static LABS: &[&dyn AnyLab] = &[
    &Erased::<balance::Balance>::new(),
    &Erased::<payment::Payment>::new(),
];

/// The lab of this id.
pub fn find(id: &str) -> Option<&'static dyn AnyLab> {
    LABS.iter().copied().find(|lab| lab.id() == id)
}

/// The actions of a preset's run, which is written as action names with commas between them;
/// `step a * 3` is three steps.
fn script(run: &str) -> Vec<String> {
    let repeated = run.split(", ").flat_map(|part| {
        let (name, times) = match part.split_once(" * ") {
            Some((name, times)) => (name, times.parse().expect("a number of steps")),
            None => (part, 1),
        };
        std::iter::repeat_n(name.to_owned(), times)
    });
    repeated.collect()
}
