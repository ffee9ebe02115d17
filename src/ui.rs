//! The page: one generic set of components that can show any lab.
//!
//! Everything derives from one [`Session`](crate::run::Session) in [`Page`]; components read memos
//! of plain view models and send actions back. No component knows a lab.

mod actions;
mod browser;
mod design;
mod diagram;
mod header;
mod help;
mod icons;
mod keys;
mod page;
mod records;
mod state;
mod transport;
mod words;

use leptos::prelude::*;

use page::Page;

/// Shows the page in the document's body.
pub fn mount() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let page = Page::new();
    provide_context(page);
    keys::listen(page);
    page.follow_address();
    view! {
        <header::Header />
        <main class="main">
            <design::Design />
            <section class="centre" aria-label=move || page.text("ui.diagram")>
                <page::NoticeBar />
                <diagram::DiagramPane />
                <actions::Faults />
            </section>
            <state::StatePane />
        </main>
        <transport::Transport />
        <help::Help />
        <div class="sr-only" role="status">{move || page.announcement()}</div>
    }
}
