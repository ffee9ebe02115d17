//! How large the page is drawn, and what it folds away to have the room.

use leptos::prelude::*;

use super::browser;

/// How large the text is, in per cent of what fits the whole page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Size {
    Normal,
    Large,
    Larger,
}

impl Size {
    pub const ALL: [Size; 3] = [Size::Normal, Size::Large, Size::Larger];

    pub const fn id(self) -> &'static str {
        match self {
            Size::Normal => "100",
            Size::Large => "125",
            Size::Larger => "150",
        }
    }

    const fn next(self, larger: bool) -> Size {
        match (self, larger) {
            (Size::Normal, false) | (Size::Large, false) => Size::Normal,
            (Size::Normal, true) | (Size::Larger, false) => Size::Large,
            (Size::Large | Size::Larger, true) => Size::Larger,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Sizing {
    pub size: RwSignal<Size>,
    /// Whether the design is folded away, so that an enlarged page has room for the rest.
    pub folded: RwSignal<bool>,
    /// Whether the page is being printed: then the diagram is whole.
    pub printing: RwSignal<bool>,
}

impl Sizing {
    pub fn new() -> Sizing {
        let size = browser::preferred_size();
        let sizing = Sizing {
            size: RwSignal::new(size),
            folded: RwSignal::new(size > Size::Normal),
            printing: RwSignal::new(false),
        };
        Effect::new(move |_| browser::keep_size(sizing.size.get()));
        for (event, printing) in [("beforeprint", true), ("afterprint", false)] {
            let handle = window_event_listener_untyped(event, move |_| {
                sizing.printing.set(printing);
            });
            on_cleanup(move || handle.remove());
        }
        sizing
    }

    /// Makes the text larger or smaller; what is large has no room for the design beside it.
    pub fn resize(self, larger: bool) {
        let size = self.size.get_untracked().next(larger);
        self.size.set(size);
        self.folded.set(size > Size::Normal);
    }
}
