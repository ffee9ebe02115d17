//! Where things stand in the diagram, in its own units; a rem has [`REM`] of them.

/// The height of a row.
pub const ROW: f64 = 42.0;
/// The height of the lanes' names.
pub const HEAD: f64 = 38.0;
const REM: f64 = 14.0;
/// Room for the number of a step on the left.
const LEFT: f64 = 30.0;
/// Below this distance labels no longer fit, and the diagram scrolls sideways instead.
const GAP_MIN: f64 = 84.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    pub width: f64,
    /// CSS pixels a unit.
    pub scale: f64,
    /// The distance of two lanes.
    pub gap: f64,
}

impl Geometry {
    /// For a pane of so many CSS pixels.
    pub fn new(pixels: f64, rem: f64, lanes: usize) -> Geometry {
        let scale = rem / REM;
        let lanes = lanes.max(1) as f64;
        let gap = ((pixels / scale - LEFT) / lanes).max(GAP_MIN);
        Geometry {
            width: LEFT + gap * lanes,
            scale,
            gap,
        }
    }

    pub fn pixels(self) -> f64 {
        self.width * self.scale
    }

    /// The middle of a lane.
    pub fn lane(self, lane: u8) -> f64 {
        LEFT + self.gap * (f64::from(lane) + 0.5)
    }

    /// Where the numbers of the steps end.
    pub fn number(self) -> f64 {
        LEFT - 8.0
    }

    /// The middle of a row: below its words.
    pub fn row(self, index: usize) -> f64 {
        self.end(index) + ROW * 0.5 + 4.0
    }

    /// Where the first so many rows end.
    pub fn end(self, rows: usize) -> f64 {
        rows as f64 * ROW
    }
}
