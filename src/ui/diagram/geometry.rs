//! Where things stand in the diagram, in its own units; a rem has [`REM`] of them.

/// The height of a row.
pub const ROW: i32 = 42;
/// The height of the lanes' names.
pub const HEAD: i32 = 38;
const REM: f64 = 14.0;
/// Room for the number of a step on the left.
const LEFT: i32 = 30;
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
        usize::try_from(self.units(pixels) / ROW).unwrap_or(0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    pub width: i32,
    /// The distance of two lanes.
    pub gap: i32,
}

impl Geometry {
    pub fn new(viewport: Viewport, lanes: usize) -> Geometry {
        let lanes = lanes.max(1) as i32;
        let gap = ((viewport.units(viewport.width) - LEFT) / lanes).max(GAP_MIN);
        Geometry {
            width: LEFT + gap * lanes,
            gap,
        }
    }

    /// The middle of a lane.
    pub fn lane(self, lane: u8) -> i32 {
        LEFT + self.gap * i32::from(lane) + self.gap / 2
    }

    /// Where the numbers of the steps end.
    pub fn number(self) -> i32 {
        LEFT - 8
    }

    /// The middle of a row: below its words.
    pub fn row(self, index: usize) -> i32 {
        self.top(index) + ROW / 2 + 4
    }

    /// Where a row begins, and the one above it ends.
    pub fn top(self, index: usize) -> i32 {
        index as i32 * ROW
    }
}

/// How wide a text is about drawn, in units: a full-width character takes one em, others half of
/// it or so.
fn width(text: &str) -> i32 {
    text.chars().map(char_width).sum()
}

const fn char_width(c: char) -> i32 {
    match c {
        '\u{1100}'.. => 12,
        'i' | 'l' | 'j' | ' ' | '.' | ',' | '\'' => 4,
        'm' | 'w' | 'M' | 'W' => 10,
        _ => 7,
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
        used <= max
    });
    let mut cut: String = kept.collect();
    cut.push('…');
    cut
}
