//! What was changed, to be taken back and to be made again.

use std::collections::VecDeque;

use super::session::Snapshot;

/// How many changes can be taken back.
pub const CHANGES_MAX: usize = 200;

#[derive(Default)]
pub struct History {
    past: VecDeque<Snapshot>,
    future: Vec<Snapshot>,
}

impl History {
    /// Keeps what was before a change. What was taken back before that is gone.
    pub fn record(&mut self, before: Snapshot) {
        self.future.clear();
        self.past.push_back(before);
        if self.past.len() > CHANGES_MAX {
            self.past.pop_front();
        }
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// What was before the last change.
    pub fn undo(&mut self, now: &Snapshot) -> Option<Snapshot> {
        let before = self.past.pop_back()?;
        self.future.push(now.clone());
        Some(before)
    }

    /// What was after the change that was taken back last.
    pub fn redo(&mut self, now: &Snapshot) -> Option<Snapshot> {
        let after = self.future.pop()?;
        self.past.push_back(now.clone());
        Some(after)
    }
}
