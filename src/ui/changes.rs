//! What takes changes back, sets two runs side by side, or covers the page.

use leptos::prelude::*;

use super::browser;
use super::notice::Notice;
use super::page::Page;
use crate::machine::Settings;
use crate::run::Session;

impl Page {
    pub fn undo(self) {
        self.travel(Session::undo);
    }

    pub fn redo(self) {
        self.travel(Session::redo);
    }

    /// Shows the run without the fix instead of that with it, or the other way round.
    pub fn alternate(self) {
        self.travel(Session::alternate);
    }

    /// Opens an empty branch.
    pub fn start_over(self) {
        self.travel(Session::start_over);
    }

    fn travel(self, change: impl FnOnce(&mut Session) -> bool) {
        self.playing.set(false);
        self.menu.set(None);
        let lab = self.session.with_untracked(|s| s.lab().id());
        if self.session.try_update(change) == Some(true) {
            self.notice.set(None);
            if self.session.with_untracked(|s| s.lab().id()) != lab {
                self.opened.update(|opened| *opened += 1);
            }
        }
    }

    /// Puts a fix into the settings; the run without it stays beside the one with it.
    pub fn apply_fix(self, settings: Settings) {
        self.playing.set(false);
        self.session.update(|s| s.repair(settings));
        self.notice.set(Some(Notice::Said("ui.notice.repaired")));
    }

    pub fn draw_curtain(self) {
        self.playing.set(false);
        self.covered_focus.set_value(document().active_element());
        self.curtain.set(true);
    }

    /// The focus comes back to where it was.
    pub fn lift_curtain(self) {
        self.curtain.set(false);
        request_animation_frame(move || {
            browser::focus(self.covered_focus.try_get_value().flatten());
        });
    }
}
