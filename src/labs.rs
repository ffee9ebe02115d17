//! The labs, one folder each, and the one list of them.

pub mod balance;

use crate::lab::{AnyLab, Erased};

/// Every lab, in the order in which the page offers them.
pub static LABS: &[&dyn AnyLab] = &[&Erased::<balance::Balance>::new()];

/// The lab of this id.
pub fn find(id: &str) -> Option<&'static dyn AnyLab> {
    LABS.iter().copied().find(|lab| lab.id() == id)
}
