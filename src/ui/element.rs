//! One way to make an element, and a few types for everything that changes in it.
//!
//! The framework's macro gives every element and every closure a type of its own, and compiles its
//! rendering code anew for each of them: with it the page is half as large again. Here an element
//! is made of few types, which are compiled once.

use std::borrow::Cow;

use leptos::attr::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use leptos::tachys::html::class::class;
use leptos::tachys::html::property::prop;
use leptos::wasm_bindgen::JsCast;
use leptos::{ev, html, web_sys};

use super::browser;
use super::reading::reading;

pub type Words = Signal<String>;
pub type Flag = Signal<bool>;
pub type Ref = NodeRef<html::Custom<&'static str>>;

/// Words that change.
pub fn words(words: impl Fn() -> String + Send + Sync + 'static) -> Words {
    Signal::derive(move || reading(&words))
}

/// Something that is so or not.
pub fn flag(flag: impl Fn() -> bool + Send + Sync + 'static) -> Flag {
    Signal::derive(move || reading(&flag))
}

/// A part of a view that is drawn anew when something that it reads changes.
pub fn part(mut draw: impl FnMut() -> AnyView + Send + 'static) -> AnyView {
    let draw: Box<dyn FnMut() -> AnyView + Send> = Box::new(move || reading(&mut draw));
    draw.into_any()
}

/// Several views as one.
pub fn all(views: impl IntoIterator<Item = AnyView>) -> AnyView {
    views.into_iter().collect::<Vec<_>>().into_any()
}

/// Nothing to see.
pub fn nothing() -> AnyView {
    ().into_any()
}

/// An element under construction.
pub struct Element {
    tag: Tag,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

#[derive(Clone, Copy)]
enum Tag {
    Html(&'static str),
    Svg(Svg),
}

/// The elements of SVG that the page draws with.
#[derive(Clone, Copy)]
pub enum Svg {
    Picture,
    Group,
    Path,
    Text,
    Title,
}

/// An HTML element; without a class where that is empty.
pub fn el(tag: &'static str, class: impl Into<Cow<'static, str>>) -> Element {
    element(Tag::Html(tag), class.into())
}

/// An SVG element.
pub fn svg(tag: Svg, class: impl Into<Cow<'static, str>>) -> Element {
    element(Tag::Svg(tag), class.into())
}

fn element(tag: Tag, class: Cow<'static, str>) -> Element {
    let element = Element {
        tag,
        attributes: Vec::new(),
        children: Vec::new(),
    };
    match class.is_empty() {
        true => element,
        false => element.set("class", class),
    }
}

/// A line or a shape.
pub fn shape(class: impl Into<Cow<'static, str>>, path: impl Into<Cow<'static, str>>) -> AnyView {
    svg(Svg::Path, class).set("d", path).into()
}

/// A button.
pub fn button(class: &'static str, act: impl Fn() + 'static) -> Element {
    el("button", class).set("type", "button").click(act)
}

/// A selection among options.
pub fn select(
    class: &'static str,
    name: Words,
    options: AnyView,
    choose: impl Fn(String) + 'static,
) -> Element {
    // Arrow keys go through the options, and the list is needed for the next one.
    let by_arrows = StoredValue::new_local(false);
    let press = move |event: web_sys::Event| {
        let event: web_sys::KeyboardEvent = event.unchecked_into();
        by_arrows.set_value(event.key().starts_with("Arrow"));
    };
    let change = move |event: web_sys::Event| {
        choose(event_target_value(&event));
        // Afterwards keys go to the run again.
        if !by_arrows.get_value() {
            browser::focus_step(&event_target(&event));
        }
    };
    el("select", class)
        .name(name)
        .on("keydown", press)
        .on("pointerdown", move |_| by_arrows.set_value(false))
        .on("change", change)
        .child(options)
}

/// One option of a selection.
pub fn option(value: impl Into<Cow<'static, str>>, selected: Flag, words: Words) -> AnyView {
    // The property, not the attribute: that one stands back once a person has chosen.
    let selected = prop("selected", selected).into_any_attr();
    el("option", "")
        .set("value", value)
        .with(selected)
        .say(words)
        .into()
}

impl Element {
    /// An attribute that never changes.
    pub fn set(self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Element {
        let value = value.into().into_owned();
        self.with(custom_attribute(name, value).into_any_attr())
    }

    pub fn words(self, name: &'static str, words: Words) -> Element {
        self.with(custom_attribute(name, words).into_any_attr())
    }

    /// An attribute that is there only while it has a value.
    pub fn maybe(
        self,
        name: &'static str,
        value: impl Fn() -> Option<String> + Send + Sync + 'static,
    ) -> Element {
        self.with(custom_attribute(name, Signal::derive(move || reading(&value))).into_any_attr())
    }

    /// An attribute that is there or not.
    pub fn flag(self, name: &'static str, flag: Flag) -> Element {
        self.with(custom_attribute(name, flag).into_any_attr())
    }

    /// The name of a control, read out and shown beside the pointer.
    pub fn name(self, name: Words) -> Element {
        self.words("aria-label", name).words("title", name)
    }

    /// A class that is there or not.
    pub fn class(self, name: &'static str, flag: Flag) -> Element {
        self.with(class((name, flag)).into_any_attr())
    }

    /// A property of the element itself, such as the value of a field.
    pub fn prop(self, name: &'static str, words: Words) -> Element {
        self.with(prop(name, words).into_any_attr())
    }

    pub fn on(self, event: &'static str, act: impl FnMut(web_sys::Event) + 'static) -> Element {
        let act: Box<dyn FnMut(web_sys::Event)> = Box::new(act);
        self.with(ev::on(ev::Custom::new(event), act).into_any_attr())
    }

    pub fn click(self, act: impl Fn() + 'static) -> Element {
        self.on("click", move |_| act())
    }

    /// What happens to the value that a field or a selection has now.
    pub fn value(self, event: &'static str, act: impl Fn(String) + 'static) -> Element {
        self.on(event, move |event| act(event_target_value(&event)))
    }

    /// Keeps a handle to the element.
    pub fn keep(self, kept: Ref) -> Element {
        self.with(leptos::tachys::html::node_ref::node_ref(kept).into_any_attr())
    }

    pub fn child(mut self, child: impl Into<AnyView>) -> Element {
        self.children.push(child.into());
        self
    }

    pub fn children(self, children: impl IntoIterator<Item = AnyView>) -> Element {
        self.child(all(children))
    }

    /// Words that change, as content.
    pub fn say(self, words: Words) -> Element {
        self.child(words.into_any())
    }

    /// Words that never change, as content.
    pub fn text(self, text: impl Into<Cow<'static, str>>) -> Element {
        self.child(text.into().into_owned().into_any())
    }

    fn with(mut self, attribute: AnyAttribute) -> Element {
        self.attributes.push(attribute);
        self
    }
}

impl From<Element> for AnyView {
    fn from(element: Element) -> AnyView {
        let Element {
            tag,
            attributes,
            children,
        } = element;
        macro_rules! build {
            ($made:expr) => {
                $made.add_any_attr(attributes).child(children).into_any()
            };
        }
        match tag {
            Tag::Html(tag) => build!(html::custom(tag)),
            Tag::Svg(Svg::Picture) => build!(leptos::svg::svg()),
            Tag::Svg(Svg::Group) => build!(leptos::svg::g()),
            Tag::Svg(Svg::Path) => build!(leptos::svg::path()),
            Tag::Svg(Svg::Text) => build!(leptos::svg::text()),
            Tag::Svg(Svg::Title) => build!(leptos::svg::title()),
        }
    }
}
