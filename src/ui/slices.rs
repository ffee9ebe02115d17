//! Long work in slices, one a frame, so that the page never stands still.

use leptos::prelude::*;

/// How long a slice may take; the rest of the frame is for drawing.
const SLICE_MS: f64 = 9.0;

/// How many states a portion of work looks at: few enough that a slice ends in time, and so many that the
/// clock is not asked all the time.
pub const PORTION: usize = 512;

/// Work that is done in small portions.
pub trait Work {
    /// Does a portion; gives whether all is done.
    fn advance(&mut self) -> bool;
    /// Shows how far it has come: after every slice, and when all is done.
    fn report(&mut self, done: bool);
}

/// One piece of work at a time: who starts another drops the one before.
#[derive(Clone, Copy)]
pub struct Slices {
    work: StoredValue<Option<Box<dyn Work>>, LocalStorage>,
    planned: StoredValue<bool, LocalStorage>,
}

impl Slices {
    pub fn new() -> Slices {
        Slices {
            work: StoredValue::new_local(None),
            planned: StoredValue::new_local(false),
        }
    }

    /// Does the first slice at once, so that short work is done in the frame that asked for it.
    pub fn start(self, work: impl Work + 'static) {
        self.work.set_value(Some(Box::new(work)));
        self.slice();
    }

    pub fn stop(self) {
        self.work.set_value(None);
    }

    fn slice(self) {
        let Some(mut work) = self.work.try_update_value(Option::take).flatten() else {
            return;
        };
        let end = now() + SLICE_MS;
        let mut done = false;
        while !done && now() < end {
            done = work.advance();
        }
        work.report(done);
        if done {
            return;
        }
        self.work.set_value(Some(work));
        if !self.planned.get_value() {
            self.planned.set_value(true);
            request_animation_frame(move || {
                if self.planned.try_set_value(false).is_none() {
                    self.slice();
                }
            });
        }
    }
}

fn now() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}
