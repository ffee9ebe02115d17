//! What the page draws, as plain, comparable data.

mod state;

pub use state::{ShownEntry, ShownTable, StateView};
