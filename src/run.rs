//! Runs: what a person did, and everything that follows from it.
//!
//! A run is `lab + settings + actions`. [`Session`] is the run under a person's hands with its
//! cursor and its branches, [`Run`] is what is written to files and links.

mod file;
mod history;
mod link;
mod session;

pub use file::{Run, RunError};
pub use history::CHANGES_MAX;
pub use session::{BRANCHES_MAX, Branch, Session, Shown, Snapshot, Stopped};

/// The longest run, in actions. Far more than anybody steps through; it keeps a link that was
/// made by hand from exhausting the memory.
pub const ACTIONS_MAX: usize = 10_000;

/// The largest run file, in bytes: far more than the longest run needs.
pub const FILE_BYTES_MAX: u64 = 16 << 20;
