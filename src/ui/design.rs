//! The design under test: its story, its named presets, and every setting, drawn from the schema.

use leptos::prelude::*;

use super::icons::{Glyph, Icon};
use super::page::page;
use super::records::Records;
use super::words::Say;
use crate::lab::Law;
use crate::machine::{Kind, Preset, Setting, Settings, Value};
use crate::run::Session;

/// The panes of the settings, by the kind that they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tab {
    Steps,
    Choices,
    Rows,
}

impl Tab {
    const ALL: [Tab; 3] = [Tab::Steps, Tab::Choices, Tab::Rows];

    const fn id(self) -> &'static str {
        match self {
            Tab::Steps => "steps",
            Tab::Choices => "choices",
            Tab::Rows => "rows",
        }
    }

    const fn holds(self, kind: Kind) -> bool {
        matches!(
            (self, kind),
            (Tab::Steps, Kind::Steps { .. })
                | (Tab::Choices, Kind::Choice { .. })
                | (Tab::Rows, Kind::Rows { .. })
        )
    }
}

#[component]
pub fn Design() -> impl IntoView {
    let page = page();
    let tab = RwSignal::new(Tab::Steps);
    let lab = Memo::new(move |_| page.session.with(|s| s.lab().id()));
    let shown = move || {
        let (lab, tab) = (lab.get(), tab.get());
        let schema = page.session.with_untracked(|s| s.lab().schema());
        let held = schema.iter().enumerate().filter(|(_, s)| tab.holds(s.kind));
        held.map(|(index, setting)| view! { <SettingView lab index setting /> })
            .collect_view()
    };
    view! {
        <aside class="pane design" aria-label=move || page.text("ui.design")>
            <Presets />
            <div class="tabs" role="tablist">
                {Tab::ALL
                    .into_iter()
                    .map(|one| {
                        let key = format!("ui.tab.{}", one.id());
                        let id = format!("tab-{}", one.id());
                        view! {
                            <button
                                type="button"
                                role="tab"
                                id=id
                                aria-controls="tab-panel"
                                aria-selected=move || (tab.get() == one).to_string()
                                on:click=move |_| tab.set(one)
                            >
                                {move || page.text(&key)}
                            </button>
                        }
                    })
                    .collect_view()}
            </div>
            <div
                class="settings"
                id="tab-panel"
                role="tabpanel"
                aria-labelledby=move || format!("tab-{}", tab.get().id())
            >
                {shown}
            </div>
            <Laws />
        </aside>
    }
}

/// The story, and the named designs to choose from.
#[component]
fn Presets() -> impl IntoView {
    let page = page();
    let presets = StoredValue::new_local(Vec::<Preset>::new());
    let lab = Memo::new(move |_| {
        let lab = page.session.with(Session::lab);
        presets.set_value(lab.presets());
        lab.id()
    });
    // The preset whose settings these are, if any.
    let open = Memo::new(move |_| {
        lab.track();
        page.settings.with(|settings| {
            presets.with_value(|all| all.iter().position(|p| p.settings == *settings))
        })
    });
    let story = move || {
        let lab = lab.get();
        match open.get() {
            Some(index) => {
                let id = presets.with_value(|all| all[index].id);
                page.text(&format!("{lab}.preset.{id}.story"))
            }
            None => page.text(&format!("lab.{lab}.question")),
        }
    };
    let options = move |correct: bool| {
        let lab = lab.get();
        let option = |(index, preset): (usize, &Preset)| {
            let key = format!("{lab}.preset.{}", preset.id);
            view! {
                <option value=index.to_string() selected=move || open.get() == Some(index)>
                    {move || page.text(&key)}
                </option>
            }
        };
        presets.with_value(|all| {
            let of_kind = all.iter().enumerate().filter(|(_, p)| p.correct == correct);
            of_kind.map(option).collect_view()
        })
    };
    let choose = move |event| {
        if let Ok(index) = event_target_value(&event).parse() {
            page.open_preset(index);
        }
    };
    view! {
        <section class="presets">
            <p class="story">{story}</p>
            <select aria-label=move || page.text("ui.presets") on:change=choose>
                <option value="" disabled=true selected=move || open.get().is_none()>
                    {move || page.text("ui.preset.own")}
                </option>
                <optgroup label=move || page.text("ui.preset.correct")>
                    {move || options(true)}
                </optgroup>
                <optgroup label=move || page.text("ui.preset.wrong")>
                    {move || options(false)}
                </optgroup>
            </select>
        </section>
    }
}

#[component]
fn SettingView(lab: &'static str, index: usize, setting: &'static Setting) -> impl IntoView {
    let page = page();
    let name = format!("{lab}.setting.{}", setting.id);
    let help = format!("{name}.help");
    let value = Memo::new(move |_| page.settings.with(|s| s.at(index).clone()));
    let set = Callback::new(move |value: Value| {
        let with = |settings: &Settings| settings.with(index, value.clone());
        if let Ok(settings) = page.settings.with_untracked(with) {
            page.set_settings(settings);
        }
    });
    let control = match setting.kind {
        Kind::Choice { options } => {
            let prefix = format!("{lab}.{}", setting.id);
            let label = name.clone();
            view! { <Choices prefix options value set label /> }.into_any()
        }
        Kind::Steps { all } => view! { <Steps lab all value set /> }.into_any(),
        Kind::Rows { columns, rows_max } => {
            view! { <Records lab columns rows_max value set /> }.into_any()
        }
    };
    view! {
        <div class="setting">
            <details>
                <summary>{move || page.text(&name)}</summary>
                <p>{move || page.text(&help)}</p>
            </details>
            {control}
        </div>
    }
}

/// One of several mechanisms.
#[component]
fn Choices(
    prefix: String,
    options: &'static [&'static str],
    value: Memo<Value>,
    set: Callback<Value>,
    label: String,
) -> impl IntoView {
    let page = page();
    let chosen = move || match value.get() {
        Value::Choice(index) => usize::from(index),
        Value::Steps(_) | Value::Rows(_) => 0,
    };
    let option = move |(index, id): (usize, &&str)| {
        let key = format!("{prefix}.{id}");
        view! {
            <option value=index.to_string() selected=move || chosen() == index>
                {move || page.text(&key)}
            </option>
        }
    };
    let choose = move |event| {
        if let Ok(index) = event_target_value(&event).parse() {
            set.run(Value::Choice(index));
        }
    };
    view! {
        <select aria-label=move || page.text(&label) on:change=choose>
            {options.iter().enumerate().map(option).collect_view()}
        </select>
    }
}

/// An ordered list of steps: taken ones first, in their order, to be moved and left out; then
/// those that are left out, to be put back.
#[component]
fn Steps(
    lab: &'static str,
    all: &'static [&'static str],
    value: Memo<Value>,
    set: Callback<Value>,
) -> impl IntoView {
    let page = page();
    let dragged = RwSignal::new(None::<u8>);
    let taken = move || match value.get() {
        Value::Steps(steps) => steps,
        Value::Choice(_) | Value::Rows(_) => Vec::new(),
    };
    let shown = move || {
        let taken = taken();
        let left_out = (0..all.len() as u8).filter(|step| !taken.contains(step));
        let rows = taken.iter().copied().map(|step| (step, true));
        rows.chain(left_out.map(|step| (step, false)))
            .collect::<Vec<_>>()
    };
    let move_to = move |step: u8, to: usize| {
        let mut steps = taken();
        steps.retain(|other| *other != step);
        steps.insert(to.min(steps.len()), step);
        set.run(Value::Steps(steps));
    };
    let shift = move |step: u8, down: bool| {
        if let Some(at) = taken().iter().position(|other| *other == step) {
            move_to(step, if down { at + 1 } else { at.saturating_sub(1) });
        }
    };
    let toggle = move |step: u8| {
        let mut steps = taken();
        match steps.iter().position(|other| *other == step) {
            Some(at) => {
                steps.remove(at);
            }
            None => steps.push(step),
        }
        set.run(Value::Steps(steps));
    };
    let is_next = move |step: u8| {
        page.state
            .with(|s| s.next_steps.iter().any(|n| n.step == step))
    };
    let row = move |(step, is_taken): (u8, bool)| {
        let key = format!("{lab}.step.{}", all[usize::from(step)]);
        let name = move || page.text(&key);
        let act = move |icon: Icon, key: &'static str, act: Callback<()>| {
            view! {
                <button
                    type="button"
                    aria-label=move || page.text(key)
                    title=move || page.text(key)
                    on:click=move |_| act.run(())
                >
                    <Glyph icon />
                </button>
            }
        };
        let tools = match is_taken {
            true => view! {
                {act(Icon::Up, "ui.move_up", Callback::new(move |()| shift(step, false)))}
                {act(Icon::Down, "ui.move_down", Callback::new(move |()| shift(step, true)))}
                {act(Icon::Minus, "ui.leave_out", Callback::new(move |()| toggle(step)))}
            }
            .into_any(),
            false => act(
                Icon::Plus,
                "ui.put_back",
                Callback::new(move |()| toggle(step)),
            )
            .into_any(),
        };
        view! {
            <li
                class:left-out=!is_taken
                class:next=move || is_next(step)
                draggable=is_taken.to_string()
                on:dragstart=move |_| dragged.set(Some(step))
                on:dragend=move |_| dragged.set(None)
                on:dragover=move |event| event.prevent_default()
                on:drop=move |event| {
                    event.prevent_default();
                    let to = taken().iter().position(|other| *other == step);
                    if let (Some(moved), Some(to)) = (dragged.get_untracked(), to) {
                        move_to(moved, to);
                    }
                }
            >
                <span class="grip" aria-hidden="true"></span>
                <span class="word">{name}</span>
                <span class="row-tools">{tools}</span>
            </li>
        }
    };
    view! {
        <ol class="handler">
            <For each=shown key=|row| *row let(one)>
                {row(one)}
            </For>
        </ol>
    }
}

/// Laws tried on the very state that is shown.
#[component]
fn Laws() -> impl IntoView {
    let page = page();
    let laws = Memo::new(move |_| page.state.get().laws.clone());
    let law = move |law: Law| {
        let (class, sign) = match law.holds {
            Some(true) => ("holds", "✓"),
            Some(false) => ("broken", "✕"),
            None => ("untried", "–"),
        };
        let key = format!("ui.law.{class}");
        let chain = law
            .chain
            .into_iter()
            .map(|label| view! { <b><Say label /></b> });
        view! {
            <li class=class>
                <span class="subject"><Say label=law.subject /></span>
                <span class="chain">{chain.collect_view()}</span>
                <span class="sign" role="img" aria-label=move || page.text(&key)>{sign}</span>
            </li>
        }
    };
    view! {
        <section class="laws" hidden=move || laws.with(Vec::is_empty)>
            <h2>
                <span>{move || page.text("ui.law")}</span>
                <i>"f(f(S,e),e) = f(S,e)"</i>
            </h2>
            <ul>
                {move || laws.get().into_iter().map(law).collect_view()}
            </ul>
        </section>
    }
}
