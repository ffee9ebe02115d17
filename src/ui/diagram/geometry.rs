//! Where things stand in the diagram, in its own units; a rem has [`REM`] of them.

use crate::lab::Lanes;
use crate::machine::LaneId;

/// The height of a row.
pub const ROW: i32 = 42;
/// The height of the lanes' names.
pub const HEAD: i32 = 38;
/// The width of a column of failure windows; the style sheet has it as a rem's part.
const COLUMN: i32 = 17;
/// The width of the one column that is left on a phone, where it must fit a finger.
const COLUMN_FOLDED: i32 = 28;
/// Beside the columns, for the ring around a cell.
const MARGIN: i32 = 3;
/// Their heading needs this much.
const STRIP_MIN: i32 = 86;
const REM: f64 = 14.0;
/// Above the first row there is room for the windows before the first step.
const TOP: i32 = 12;
/// Room for the number of a step on the left of the lanes.
const NUMBER: i32 = 30;
/// Below this distance labels no longer fit, and the diagram scrolls sideways instead.
const GAP_MIN: i32 = 84;

/// The pane in which the diagram is shown, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    pub width: i32,
    pub height: i32,
    pub rem: f64,
}

impl Default for Viewport {
    fn default() -> Viewport {
        Viewport {
            width: 0,
            height: 0,
            rem: REM,
        }
    }
}

impl Viewport {
    pub fn pixels(self, units: i32) -> i32 {
        (f64::from(units) * self.rem / REM).round() as i32
    }

    pub fn units(self, pixels: i32) -> i32 {
        (f64::from(pixels) * REM / self.rem) as i32
    }

    /// The row that is so many pixels from the top.
    pub fn row_at(self, pixels: i32) -> usize {
        usize::try_from((self.units(pixels) - TOP) / ROW).unwrap_or(0)
    }
}

/// How the failure windows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// A column a fault.
    Columns(usize),
    /// One column, with the worst of each gap.
    Folded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    pub width: i32,
    /// The distance of two lanes.
    pub gap: i32,
    /// Where the map of failure windows ends and the rows begin.
    pub left: i32,
    /// The width of a column of failure windows.
    column: i32,
    /// The lanes that are drawn, a bit a lane.
    shown: u32,
}

impl Geometry {
    /// Room for so many columns of failure windows, and for those of the lanes that are present in
    /// the end: a participant that never runs takes none.
    pub fn new(viewport: Viewport, map: Map, lanes: Lanes, count: usize) -> Geometry {
        let present = (0..count as u8).filter(|lane| lanes.is_present(*lane));
        let shown = present.fold(0, |bits, lane| bits | 1_u32 << lane);
        let (left, column) = match map {
            Map::Columns(0) => (0, COLUMN),
            Map::Columns(columns) => {
                let width = columns as i32 * COLUMN + 2 * MARGIN;
                (width.max(STRIP_MIN), COLUMN)
            }
            Map::Folded => (COLUMN_FOLDED + 2 * MARGIN, COLUMN_FOLDED),
        };
        let lanes = shown.count_ones().max(1) as i32;
        let gap = ((viewport.units(viewport.width) - left - NUMBER) / lanes).max(GAP_MIN);
        Geometry {
            width: left + NUMBER + gap * lanes,
            gap,
            left,
            column,
            shown,
        }
    }

    /// The middle of a column of failure windows.
    pub fn column(self, column: usize) -> i32 {
        MARGIN + column as i32 * self.column + self.column / 2
    }

    pub fn shows(self, lane: LaneId) -> bool {
        self.shown & 1 << lane != 0
    }

    /// Whether no lane is drawn on the right of this one.
    pub fn is_last(self, lane: LaneId) -> bool {
        self.shown >> lane == 1
    }

    /// The middle of a lane.
    pub fn lane(self, lane: LaneId) -> i32 {
        let before = self.shown & ((1 << lane) - 1);
        self.left + NUMBER + self.gap * before.count_ones() as i32 + self.gap / 2
    }

    /// Where the lanes begin.
    pub fn lanes(self) -> i32 {
        self.left + NUMBER
    }

    /// Where the numbers of the steps end.
    pub fn number(self) -> i32 {
        self.left + NUMBER - 8
    }
}

/// Where a row begins, and the one above it ends: the gap between two steps.
pub fn top(index: usize) -> i32 {
    TOP + index as i32 * ROW
}

/// Where the lanes of a row begin: the first row has the room above it, too.
pub fn start(index: usize) -> i32 {
    match index {
        0 => 0,
        _ => top(index),
    }
}

/// The middle of a row: below its words.
pub fn middle(index: usize) -> i32 {
    top(index) + ROW / 2 + 4
}

/// How wide a text is drawn at most, in units.
pub fn width(text: &str) -> i32 {
    (text.chars().map(char_width).sum::<i32>() + 9) / 10
}

/// In tenths of a unit: as wide as the wider of the usual typefaces of a screen have it.
const fn char_width(c: char) -> i32 {
    match c {
        '\u{2e80}'.. => 121,
        'i' | 'l' | 'j' | 'I' | 'J' | ' ' | '.' | ',' | '\'' | '|' | '·' => 38,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | ':' | ';' | '!' => 48,
        's' | 'c' | 'z' | '?' | '_' | '*' | '“' | '”' => 66,
        'm' | 'M' | 'W' | '@' | '%' | '…' | '—' => 120,
        'w' | 'A'..='Z' | '&' => 94,
        '+' | '=' | '<' | '>' | '~' | '#' | '→' | '←' | '×' | '≥' | '≤' => 101,
        _ => 76,
    }
}

/// The text, cut with an ellipsis where it would be wider than `max`.
pub fn fit(text: &str, max: i32) -> String {
    if width(text) <= max {
        return text.to_owned();
    }
    let mut used = char_width('…');
    let kept = text.chars().take_while(|c| {
        used += char_width(*c);
        used <= max * 10
    });
    let mut cut: String = kept.collect();
    cut.push('…');
    cut
}
