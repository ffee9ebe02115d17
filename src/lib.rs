//! Effectively Once: step through the failure windows of message processing.
//!
//! The core of the product: it compiles and is tested without a browser, and has no clock, no
//! randomness, no I/O and no words of a natural language.
pub mod lab;
pub mod labs;
pub mod locale;
pub mod machine;
pub mod run;
#[cfg(all(target_arch = "wasm32", feature = "ui"))]
pub mod ui;
pub mod view;
