//! The transport: first, back, forward, last, play, the slider, the branches.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::actions::Steps;
use super::icons::{Glyph, Icon};
use super::page::{Pace, page};
use crate::machine::Arg;
use crate::run::Session;

#[component]
pub fn Transport() -> impl IntoView {
    let page = page();
    let at_start = move || page.cursor.get() == 0;
    let at_end = move || page.cursor.get() == page.len.get();
    let stuck = move || !page.can_go_forward();
    let button = move |icon: Icon, key: &'static str, off: Signal<bool>, act: Callback<()>| {
        view! {
            <button
                type="button"
                class="tool"
                aria-label=move || page.text(key)
                title=move || page.text(key)
                disabled=move || off.get()
                on:click=move |_| act.run(())
            >
                <Glyph icon />
            </button>
        }
    };
    view! {
        <footer class="transport">
            <div class="tools">
                {button(
                    Icon::First,
                    "ui.key.first",
                    Signal::derive(at_start),
                    Callback::new(move |()| page.seek(0)),
                )}
                {button(
                    Icon::Back,
                    "ui.key.back",
                    Signal::derive(at_start),
                    Callback::new(move |()| page.back()),
                )}
                <button
                    type="button"
                    class="step"
                    disabled=stuck
                    on:click=move |_| page.forward()
                >
                    <Glyph icon=Icon::Forward />
                    <span>{move || page.text("ui.step")}</span>
                    <kbd>"→"</kbd>
                </button>
                {button(
                    Icon::Last,
                    "ui.key.last",
                    Signal::derive(at_end),
                    Callback::new(move |()| page.seek(usize::MAX)),
                )}
                <Play />
            </div>
            <Slider />
            <Branches />
            <Steps />
        </footer>
    }
}

#[component]
fn Play() -> impl IntoView {
    let page = page();
    let timer = StoredValue::new_local(None);
    Effect::new(move |_| {
        // After every step the next one is planned; stopping drops the timer that waits.
        page.cursor.track();
        if !page.playing.get() {
            return timer.set_value(None);
        }
        if !page.can_go_forward() {
            return page.playing.set(false);
        }
        let wait = page.pace.get().millis_per_step();
        timer.set_value(Some(Timeout::new(wait, move || page.forward())));
    });
    let icon = move || match page.playing.get() {
        true => view! { <Glyph icon=Icon::Pause /> },
        false => view! { <Glyph icon=Icon::Play /> },
    };
    let choose = move |event| {
        let id = event_target_value(&event);
        if let Some(pace) = Pace::ALL.into_iter().find(|pace| pace.id() == id) {
            page.pace.set(pace);
        }
    };
    view! {
        <button
            type="button"
            class="tool"
            aria-label=move || page.text("ui.key.play")
            title=move || page.text("ui.key.play")
            aria-pressed=move || page.playing.get().to_string()
            disabled=move || !page.playing.get() && !page.can_go_forward()
            on:click=move |_| page.playing.update(|playing| *playing = !*playing)
        >
            {icon}
        </button>
        <select
            class="pace"
            aria-label=move || page.text("ui.pace")
            prop:value=move || page.pace.get().id()
            on:change=choose
        >
            {Pace::ALL
                .into_iter()
                .map(|pace| {
                    let key = format!("ui.pace.{}", pace.id());
                    view! {
                        <option value=pace.id() selected=pace == Pace::Normal>
                            {move || page.text(&key)}
                        </option>
                    }
                })
                .collect_view()}
        </select>
    }
}

#[component]
fn Slider() -> impl IntoView {
    let page = page();
    let seek = move |event| {
        if let Ok(to) = event_target_value(&event).parse() {
            page.seek(to);
        }
    };
    view! {
        <div class="slider">
            <input
                type="range"
                min="0"
                prop:max=move || page.len.get().to_string()
                prop:value=move || page.cursor.get().to_string()
                aria-label=move || page.text("ui.position")
                on:input=seek
            />
            <output class="position">
                {move || page.cursor.get()} " / " {move || page.len.get()}
            </output>
        </div>
    }
}

#[component]
fn Branches() -> impl IntoView {
    let page = page();
    let branches = Memo::new(move |_| page.session.with(Session::branches));
    let open = Memo::new(move |_| page.session.with(Session::open_branch));
    let choose = move |event| {
        if let Ok(branch) = event_target_value(&event).parse() {
            page.switch_branch(branch);
        }
    };
    let options = move || {
        let open = open.get();
        let option = |(place, branch): (usize, crate::run::Branch)| {
            let number = |n: usize| Arg::Number(n as i64);
            let args = [
                number(branch.id),
                number(branch.forked_at),
                number(branch.len),
            ];
            let key = match branch.forked_at {
                0 => "ui.branch.whole",
                _ => "ui.branch.forked",
            };
            view! {
                <option value=place.to_string() selected=place == open>
                    {move || page.fill(key, &args)}
                </option>
            }
        };
        branches
            .get()
            .into_iter()
            .enumerate()
            .map(option)
            .collect_view()
    };
    view! {
        <select
            class="branches"
            aria-label=move || page.text("ui.branches")
            title=move || page.text("ui.branches")
            disabled=move || branches.with(|all| all.len() < 2)
            on:change=choose
        >
            {options}
        </select>
    }
}
