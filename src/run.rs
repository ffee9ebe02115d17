//! Runs: what a person did, and everything that follows from it.
//!
//! A run is `lab + settings + actions`. [`Timeline`] folds the actions into states, [`Session`] is
//! the run under a person's hands with its cursor and its branches, [`Run`] is what is written to
//! files and links.

mod file;
mod link;
mod session;
mod timeline;

pub use file::{Run, RunError};
pub use session::{BRANCHES_MAX, Branch, Session, Stopped};
pub use timeline::Timeline;

/// The longest run, in actions. Far more than anybody steps through; it keeps a link that was
/// made by hand from exhausting the memory.
pub const ACTIONS_MAX: usize = 10_000;
