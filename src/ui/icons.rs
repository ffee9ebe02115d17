//! Line icons, drawn on a grid of 16.

use leptos::prelude::*;

use super::element::{Svg, shape, svg};
use crate::machine::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    First,
    Back,
    Forward,
    Last,
    Play,
    Pause,
    Up,
    Left,
    Right,
    Down,
    Plus,
    Minus,
    Theme,
    List,
    Undo,
    Fault(Fault),
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Icon::First => "M3.5 3v10M13 3 6.5 8l6.5 5z",
            Icon::Back => "M11.5 3 4.5 8l7 5z",
            Icon::Forward => "M4.5 3l7 5-7 5z",
            Icon::Last => "M12.5 3v10M3 3l6.5 5L3 13z",
            Icon::Play => "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M6.6 5.4v5.2L10.8 8z",
            Icon::Pause => "M5 3v10M11 3v10",
            Icon::Up => "M3.5 10 8 5.5l4.5 4.5",
            Icon::Down => "M3.5 6 8 10.5 12.5 6",
            Icon::Left => "M10 3.5 5.5 8l4.5 4.5",
            Icon::Right => "M6 3.5 10.5 8 6 12.5",
            Icon::Plus => "M8 3v10M3 8h10",
            Icon::Minus => "M3 8h10",
            Icon::Theme => "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2v11.6",
            Icon::List => "M3 4.5h10M3 8h10M3 11.5h6",
            Icon::Undo => "M5.5 2.5 2.5 5.5l3 3M2.5 5.5h7a4 4 0 0 1 0 8H6",
            Icon::Fault(Fault::Crash) => "M9.2 1.5 3.8 9h3.4L6.6 14.5l5.6-7.8H8.7z",
            Icon::Fault(Fault::Duplicate) => "M2.5 2.5H10V10H2.5zM6 13.5h7.5V6",
            Icon::Fault(Fault::LoseMessage) => "M2 8h5M10 5.5l5 5M15 5.5l-5 5",
            Icon::Fault(Fault::LoseReply) => "M14 8H9M6 5.5l-5 5M1 5.5l5 5",
            Icon::Fault(Fault::Reorder) => {
                "M2 5h3c3 0 3 6 6 6h2.5M11.5 8.8 13.7 11l-2.2 2.2M2 11h2.6M8.8 5h4.7M11.5 2.8 13.7 5l-2.2 2.2"
            }
            Icon::Fault(Fault::OtherContent) => "M2.5 6h11M2.5 10h11M10.5 2.5l-5 11",
            Icon::Fault(Fault::SecondIncarnation) => {
                "M6 3.2a3 3 0 1 0 0 6 3 3 0 0 0 0-6M1.5 13.8c.6-2 2.3-3.2 4.5-3.2M12 6.5v6M9 9.5h6"
            }
            Icon::Fault(Fault::TimeOut) => {
                "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M8 5v3.3l2.2 1.5"
            }
            Icon::Fault(Fault::ServerError) => "M8 2 14.5 13.5h-13zM8 6.4v3.4m0 1.7v.4",
            Icon::Fault(Fault::Refusal) => {
                "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M4 12 12 4"
            }
            Icon::Fault(Fault::Contradiction) => {
                "M2.5 5.5h9M9 3l2.5 2.5L9 8M13.5 10.5h-9M7 8l-2.5 2.5L7 13"
            }
            Icon::Fault(Fault::WriteFailed) => "M3 2.5h10v11H3zM6 6l4 4m0-4-4 4",
            Icon::Fault(Fault::KeyExpired) => {
                "M5 3.6a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8M7.9 6.5H14v2.8M11.4 6.5v2M2.5 13.5h11"
            }
            Icon::Fault(Fault::SnapshotLost) => {
                "M2.5 4.5h3l1-1.6h3l1 1.6h3v8h-11zM5.6 6.6l4.8 4m0-4-4.8 4"
            }
            Icon::Fault(Fault::LeaseExpired) => {
                "M4 2h8M4 14h8M5 2c0 3.5 6 8.5 6 12M11 2c0 3.5-6 8.5-6 12"
            }
        }
    }
}

pub fn glyph(icon: Icon) -> AnyView {
    svg(Svg::Picture, "icon")
        .set("viewBox", "0 0 16 16")
        .set("aria-hidden", "true")
        .child(shape("", icon.path()))
        .into()
}
