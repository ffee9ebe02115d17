//! The space-time diagram: lanes across, time down. Only the rows in sight are drawn, so that a
//! step costs the same on a long run as on a short one.

mod geometry;
mod row;

use std::sync::Arc;

use leptos::prelude::*;

use super::browser;
use super::icons::{Glyph, Icon};
use super::page::page;
use super::words::{Say, fit};
use crate::machine::Lane;
use crate::view::Row;
use geometry::{Geometry, HEAD, ROW};
use row::{Drawn, RowView, life_line};

/// Rows drawn above and below those in sight, so that scrolling shows no gap.
const OVERSCAN: usize = 4;

#[component]
pub fn DiagramPane() -> impl IntoView {
    let page = page();
    let scroller = NodeRef::<leptos::html::Div>::new();
    let heads = NodeRef::<leptos::html::Div>::new();
    let size = RwSignal::new((0.0, 0.0, 16.0));
    let scrolled = RwSignal::new(0.0);
    let as_text = RwSignal::new(false);
    let lanes: Memo<Arc<[Lane]>> =
        Memo::new(move |_| page.session.with(|s| s.run().lanes().into()));

    let measure = move || {
        if let Some(element) = scroller.get_untracked() {
            let pixels = (element.client_width(), element.client_height());
            size.set((f64::from(pixels.0), f64::from(pixels.1), browser::rem()));
        }
    };
    Effect::new(move |_| {
        scroller.track();
        as_text.track();
        request_animation_frame(measure);
    });
    let handle = window_event_listener_untyped("resize", move |_| measure());
    on_cleanup(move || handle.remove());

    let geometry = Memo::new(move |_| {
        let (width, _, rem) = size.get();
        lanes.with(|lanes| Geometry::new(width, rem, lanes.len()))
    });
    // The rows in sight, in units of the diagram.
    let window = Memo::new(move |_| {
        let geometry = geometry.get();
        let (_, height, _) = size.get();
        let first = (scrolled.get() / geometry.scale / ROW) as usize;
        let count = (height / geometry.scale / ROW).ceil() as usize + 1;
        let first = first.saturating_sub(OVERSCAN);
        first..(first + count + 2 * OVERSCAN).min(page.len.get())
    });
    let rows = Memo::new(move |_| {
        let (cursor, window) = (page.cursor.get(), window.get());
        page.session.with(|session| {
            let all: &[Row] = session.run().diagram().rows();
            let drawn = |index: usize| Drawn::new(index, cursor, all[index].clone());
            let end = window.end.min(all.len());
            (window.start.min(end)..end).map(drawn).collect::<Vec<_>>()
        })
    });

    // Keeps the step that was taken in sight.
    Effect::new(move |_| {
        let (cursor, geometry) = (page.cursor.get(), geometry.get());
        let (_, height, _) = size.get();
        let Some(element) = scroller.get() else {
            return;
        };
        request_animation_frame(move || {
            let top = cursor.saturating_sub(1) as f64 * ROW * geometry.scale;
            let bottom = (cursor + 1) as f64 * ROW * geometry.scale;
            let seen = f64::from(element.scroll_top());
            if bottom > seen + height {
                element.set_scroll_top((bottom - height).ceil() as i32);
            } else if top < seen {
                element.set_scroll_top(top as i32);
            }
        });
    });

    // The canvas is as high as the run, and at least as the pane.
    let bottom = Memo::new(move |_| {
        let (_, height, _) = size.get();
        let geometry = geometry.get();
        geometry
            .end(page.len.get() + 1)
            .max((height - 1.0) / geometry.scale)
    });
    let total_height = move || format!("{}px", bottom.get() * geometry.get().scale);
    // The picture begins at the first row drawn; it ends with the last one, or with the canvas.
    let extent = Memo::new(move |_| {
        let window = window.get();
        let top = window.start as f64 * ROW;
        let end = match window.end < page.len.get() {
            true => window.end as f64 * ROW,
            false => bottom.get(),
        };
        (top, (end - top).max(ROW))
    });
    let svg_style = move || {
        let ((top, height), geometry) = (extent.get(), geometry.get());
        let scale = geometry.scale;
        format!(
            "top:{}px;width:{}px;height:{}px",
            top * scale,
            geometry.pixels(),
            height * scale
        )
    };
    let view_box = move || {
        let (top, height) = extent.get();
        format!("0 {top} {} {height}", geometry.get().width)
    };

    view! {
        <div class="diagram" class:as-text=move || as_text.get()>
            <button
                type="button"
                class="as-text-button"
                aria-label=move || page.text("ui.as_text")
                title=move || page.text("ui.as_text")
                aria-pressed=move || as_text.get().to_string()
                on:click=move |_| as_text.update(|shown| *shown = !*shown)
            >
                <Glyph icon=Icon::List />
            </button>
            <div class="lane-heads" aria-hidden="true" node_ref=heads>
                <LaneHeads lanes geometry />
            </div>
            <div
                class="scroller"
                node_ref=scroller
                tabindex="0"
                role="region"
                aria-label=move || page.text("ui.steps")
                on:scroll=move |_| {
                    if let Some(element) = scroller.get_untracked() {
                        scrolled.set(f64::from(element.scroll_top()));
                        if let Some(heads) = heads.get_untracked() {
                            heads.set_scroll_left(element.scroll_left());
                        }
                    }
                }
            >
                <div class="canvas" style:height=total_height>
                    <Show when=move || !as_text.get() fallback=move || view! { <Steps rows /> }>
                        <svg class="space-time" viewBox=view_box style=svg_style aria-hidden="true">
                            <Definitions />
                            <LaneTails lanes geometry bottom />
                            <For each=move || rows.get() key=Clone::clone let(drawn)>
                                <RowView drawn geometry lanes />
                            </For>
                        </svg>
                    </Show>
                </div>
            </div>
            // The text equivalent stands beside the picture for whoever cannot see it.
            <Show when=move || !as_text.get()>
                <div class="sr-only">
                    <Steps rows />
                </div>
            </Show>
        </div>
    }
}

/// The names of the lanes, and what a crash does to each.
#[component]
fn LaneHeads(lanes: Memo<Arc<[Lane]>>, geometry: Memo<Geometry>) -> impl IntoView {
    let page = page();
    let life = Memo::new(move |_| {
        let cursor = page.cursor.get();
        page.session.with(|s| s.run().diagram().lanes(cursor))
    });
    let head = move |index: usize, lane: Lane| {
        let id = index as u8;
        let x = move || geometry.get().lane(id);
        let kind = move || match (life.get().is_present(id), life.get().is_down(id)) {
            (false, _) => page.text("ui.not_started"),
            (true, true) => page.text("ui.down"),
            (true, false) => page.text(&format!("durability.{}", lane.durability.id())),
        };
        let name = {
            let name = lane.name.clone();
            move || fit(&page.say(&name), geometry.get().gap - 6.0)
        };
        view! {
            <g
                class:absent=move || !life.get().is_present(id)
                class:down=move || life.get().is_down(id)
            >
                <text class="lane-name" x=x y="15">{name}</text>
                <text class="lane-kind" x=x y="29">{kind}</text>
            </g>
        }
    };
    let heads = move || {
        let lanes = lanes.get();
        let heads = lanes.iter().cloned().enumerate();
        heads.map(|(index, lane)| head(index, lane)).collect_view()
    };
    view! {
        <svg
            viewBox=move || format!("0 0 {} {HEAD}", geometry.get().width)
            style=move || {
                let geometry = geometry.get();
                format!("width:{}px;height:{}px", geometry.pixels(), HEAD * geometry.scale)
            }
        >
            {heads}
        </svg>
    }
}

/// Below the last step the lanes go on to the bottom of the pane, as they were left.
#[component]
fn LaneTails(
    lanes: Memo<Arc<[Lane]>>,
    geometry: Memo<Geometry>,
    bottom: Memo<f64>,
) -> impl IntoView {
    let page = page();
    let tails = move || {
        let steps = page.len.get();
        let life = page.session.with(|s| s.run().diagram().lanes(steps));
        let geometry = geometry.get();
        let tail = |(id, lane): (u8, &Lane)| {
            life_line(
                geometry.lane(id),
                geometry.end(steps),
                bottom.get(),
                id,
                lane.durability,
                life,
            )
        };
        lanes.with(|lanes| (0..).zip(lanes.iter()).map(tail).collect_view())
    };
    view! { <g>{tails}</g> }
}

#[component]
fn Definitions() -> impl IntoView {
    view! {
        <defs>
            <marker
                id="head"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto-start-reverse"
            >
                <path class="tip" d="M0 .8 7.2 4 0 7.2z" />
            </marker>
            <pattern
                id="dead"
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
            >
                <line class="hatch" x1="0" y1="0" x2="0" y2="6" />
            </pattern>
        </defs>
    }
}

/// The text equivalent: what happened, a line a step.
#[component]
fn Steps(rows: Memo<Vec<Drawn>>) -> impl IntoView {
    let page = page();
    view! {
        <ol class="steps">
            <For each=move || rows.get() key=Clone::clone let(drawn)>
                <li
                    value=drawn.index + 1
                    class:now=drawn.is_now()
                    class:future=drawn.is_future()
                    aria-current=drawn.is_now().then_some("step")
                >
                    {drawn
                        .row
                        .fault
                        .map(|fault| {
                            let key = format!("fault.{}", fault.id());
                            view! { <b>{move || page.text(&key)} " · "</b> }
                        })}
                    <Say label=drawn.row.label.clone() />
                    {drawn
                        .said()
                        .into_iter()
                        .map(|label| view! { " — " <Say label /> })
                        .collect_view()}
                </li>
            </For>
        </ol>
    }
}
