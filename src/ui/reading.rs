//! Subscriptions that end with the part of the page that made them.
//!
//! The framework's effects and memos leave their name with every signal that they read, and take it
//! back when they run again, but not when they are dropped. A signal that seldom changes, such as
//! the language, would collect the names of all parts that were ever drawn: kilobytes a step, and
//! seconds when it changes at last. So everything on the page reads through [`reading`].

use std::sync::{Arc, Mutex, Weak};

use leptos::prelude::*;
use leptos::reactive::graph::{
    AnySource, AnySubscriber, Observer, ReactiveNode, Source, Subscriber, WithObserver,
};

/// Reads signals on behalf of the effect or memo that runs now. It hears of their changes until it
/// runs again or until the part of the page to which it belongs is gone.
pub fn reading<T>(read: impl FnOnce() -> T) -> T {
    let Some(observer) = Observer::get() else {
        return read();
    };
    let reader = Arc::new(Reader {
        observer,
        sources: Mutex::default(),
    });
    let weak: Weak<Reader> = Arc::downgrade(&reader);
    let name = AnySubscriber(Arc::as_ptr(&reader) as usize, weak);
    let value = name.with_observer(read);
    on_cleanup(move || reader.clear_sources(&name));
    value
}

/// Stands in for an effect or memo with the signals that it reads, and remembers which they are.
struct Reader {
    observer: AnySubscriber,
    sources: Mutex<Vec<AnySource>>,
}

/// A change is the observer's business.
impl ReactiveNode for Reader {
    fn mark_dirty(&self) {
        self.observer.mark_dirty();
    }

    fn mark_check(&self) {
        self.observer.mark_check();
    }

    fn mark_subscribers_check(&self) {
        self.observer.mark_subscribers_check();
    }

    fn update_if_necessary(&self) -> bool {
        self.observer.update_if_necessary()
    }
}

impl Subscriber for Reader {
    /// The observer asks its sources whether they have changed, so it must know them as well.
    fn add_source(&self, source: AnySource) {
        self.observer.add_source(source.clone());
        if let Ok(mut sources) = self.sources.lock()
            && !sources.contains(&source)
        {
            sources.push(source);
        }
    }

    fn clear_sources(&self, reader: &AnySubscriber) {
        let sources = self.sources.lock().map(|mut s| std::mem::take(&mut *s));
        for source in sources.unwrap_or_default() {
            source.remove_subscriber(reader);
        }
    }
}
