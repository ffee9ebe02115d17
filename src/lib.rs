//! Effectively Once: step through the failure windows of message processing.
//!
//! # The one idea
//!
//! Everything is one deterministic labelled transition system. A [`Machine`](machine::Machine) lists
//! the actions that are possible in a state, and takes one; crashes and duplicates are actions like
//! every other. A **run** is a lab, its settings and a list of actions, and nothing else: states,
//! diagram, verdicts, links and files are all derived from it.
//!
//! ```text
//! Settings ──► Machine ──► actions that are possible now ──► step ──► next State + Effects
//!                              ▲                                        │
//!                              └──────── a person or the explorer ◄─────┘
//! ```
//!
//! # Code map
//!
//! Each module knows only those above it.
//!
//! * [`machine`]: the vocabulary: machine, fault, effect, verdict, label, setting, preset. Begin with
//!   [`machine::Machine`].
//! * [`explore`]: every state within a fault budget ([`explore::Search`]): the shortest run to each
//!   harm, and what never ends; for a run, its failure-window map and its point of no return
//!   ([`explore::Map`]).
//! * [`lab`]: a lab as its author writes it ([`lab::Lab`]); its states and its diagram; the
//!   object-safe traits by which all else sees it ([`lab::AnyLab`], [`lab::AnyRun`]) and what the
//!   explorer finds of it; changes of its settings that make a design better ([`lab::Fixes`]).
//! * [`labs`]: one folder a lab, and the one list of them, [`labs::LABS`]. [`labs::balance`],
//!   [`labs::payment`], [`labs::inbox`], [`labs::outbox`] and [`labs::delivery`] read like the
//!   explanation of their protocols.
//! * [`run`]: a run under a person's hands ([`run::Session`]): cursor, branches, what takes changes back,
//!   file, link.
//! * [`view`]: a state as the page draws it, with what the last step changed.
//! * [`locale`]: the words, from `locales/`.
//! * `ui`: the page, on wasm32 with the feature `ui`. Begin with `ui::page::Page`; all its elements
//!   are made by `ui::element`, and all that changes in them is read through `ui::reading`.
//!
//! `main.rs` mounts the page in a browser; natively it is the headless command (`headless.rs`).
//!
//! # What is deliberately absent
//!
//! * The core has no clock, no randomness, no I/O and no web dependency. Time passes because somebody
//!   takes the action by which it passes.
//! * The core says nothing in a natural language: it gives [`Label`](machine::Label)s, and whoever shows
//!   them finds the words. What is wrong with an input is a label too.
//! * `ui` names no lab. A lab with other lanes, settings and messages needs no change there.
//! * A state holds no text and no hash map; a verdict is a function of the state alone.
//!
//! `tests/tidy.rs` keeps these walls.

pub mod explore;
pub mod lab;
pub mod labs;
pub mod locale;
pub mod machine;
#[cfg(test)]
#[path = "../tests/common/random.rs"]
mod random;
pub mod run;
#[cfg(all(target_arch = "wasm32", feature = "ui"))]
pub mod ui;
pub mod view;
