//! What the page draws, as plain, comparable data.

mod diagram;
mod state;

pub use diagram::{Diagram, End, Item, Lanes, Row};
pub use state::{ShownEntry, ShownTable, StateView};
