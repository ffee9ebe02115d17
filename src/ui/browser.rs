//! What the page asks of the browser: its address, its preferences, files. A browser may refuse
//! any of it (a file opened from disk, a private window); then the page goes on without.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::js_sys::{Function, Promise, Reflect};
use wasm_bindgen_futures::JsFuture;

use super::element::Ref;
use super::page::Theme;
use super::size::Size;
use crate::locale::Language;

const LANGUAGE: &str = "effectively-once.language";
const BRANCHES: &str = "effectively-once.branches";
const THEME: &str = "effectively-once.theme";
const SIZE: &str = "effectively-once.size";

/// The address after `#`, if there is anything.
pub fn fragment() -> Option<String> {
    let hash = window().location().hash().ok()?;
    let fragment = hash.strip_prefix('#')?;
    (!fragment.is_empty()).then(|| fragment.to_owned())
}

/// The whole address of the page with this after `#`.
pub fn address_of(fragment: &str) -> String {
    let address = window().location().href().unwrap_or_default();
    let page = address.split('#').next().unwrap_or_default();
    format!("{page}#{fragment}")
}

/// Changes the address without a new entry in the history, and says whether the browser let it.
pub fn replace_fragment(fragment: &str) -> bool {
    let url = format!("#{fragment}");
    // Refused where it happens too often; the next change tries again.
    window().history().is_ok_and(|history| {
        let replaced = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
        replaced.is_ok()
    })
}

/// The address of the page with this fragment, whether or not it stands there.
pub fn address(fragment: &str) -> String {
    let address = window().location().href().unwrap_or_default();
    let page = address.split('#').next().unwrap_or_default();
    format!("{page}#{fragment}")
}

/// Whether the page is shown inside another one.
pub fn is_framed() -> bool {
    let parent = window().parent().ok().flatten();
    parent.is_some_and(|parent| parent != window())
}

/// Leaves `fragment` in the history, so that the way back leads to it.
pub fn push_fragment(fragment: &str) {
    replace_fragment(fragment);
    if let Ok(history) = window().history() {
        let url = format!("#{fragment}");
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&url));
    }
}

/// Copies a text, and says whether the browser let it.
pub fn copy(text: &str, then: impl FnOnce(bool) + 'static) {
    let clipboard = window().navigator().clipboard();
    // Some browsers refuse by throwing, which only a call by name gives back. A page that is not
    // served from a safe origin has no clipboard.
    let write = Reflect::get(&clipboard, &"writeText".into()).ok();
    let write: Option<Function> = write.and_then(|write| write.dyn_into().ok());
    let promise = write.and_then(|write| write.call1(&clipboard, &text.into()).ok());
    match promise.and_then(|promise| promise.dyn_into::<Promise>().ok()) {
        Some(promise) => spawn_local(async move {
            then(JsFuture::from(promise).await.is_ok());
        }),
        None => then(false),
    }
}

pub fn preferred_language() -> Language {
    let by_tag = |tag: &str| Language::ALL.into_iter().find(|l| tag.starts_with(l.tag()));
    let kept = kept(LANGUAGE).and_then(|tag| by_tag(&tag));
    let asked = || window().navigator().language().and_then(|tag| by_tag(&tag));
    kept.or_else(asked).unwrap_or(Language::English)
}

pub fn keep_language(language: Language) {
    keep(LANGUAGE, language.tag());
}

/// Tells the browser in which language the page is.
pub fn show_language(language: Language) {
    let tag = match language {
        Language::English => "en",
        Language::Chinese => "zh-CN",
    };
    set_root_attribute("lang", tag);
}

pub fn preferred_theme() -> Theme {
    match kept(THEME).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

pub fn keep_theme(theme: Theme) {
    keep(THEME, theme.id());
    set_root_attribute("data-theme", theme.id());
}

pub fn preferred_size() -> Size {
    let kept = kept(SIZE);
    let is_it = |size: &Size| kept.as_deref() == Some(size.id());
    Size::ALL.into_iter().find(is_it).unwrap_or(Size::Normal)
}

pub fn keep_size(size: Size) {
    keep(SIZE, size.id());
    set_root_attribute("data-size", size.id());
}

pub fn set_title(title: &str) {
    document().set_title(title);
}

/// Takes an element out of the document, by its id.
pub fn take_away(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.remove();
    }
}

pub fn focus(element: Option<web_sys::Element>) {
    if let Some(element) = element {
        let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// Gives the focus of an element to where the run goes on.
pub fn focus_step(from: &web_sys::HtmlElement) {
    let _ = from.blur();
    focus(document().query_selector(".transport .step").ok().flatten());
}

/// Scrolls what is around an element just as far as needed to see it.
pub fn show(element: Option<web_sys::Element>) {
    if let Some(element) = element {
        let nearest = web_sys::ScrollIntoViewOptions::new();
        nearest.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&nearest);
    }
}

/// Whether the window is that of a phone; the style sheet has the same measure.
pub fn is_phone() -> bool {
    let query = window().match_media("(max-width: 599px)").ok().flatten();
    query.is_some_and(|query| query.matches())
}

/// Scrolls an element to the top of what it scrolls in.
pub fn show_start(element: Option<web_sys::Element>) {
    if let Some(element) = element {
        element.scroll_into_view();
    }
}

/// Scrolls the page so that `element` stands neither under the fixed `cover` at its end nor above
/// the window, if the part `around` it is in sight at all.
pub fn uncover(
    element: Option<web_sys::Element>,
    cover: Option<web_sys::Element>,
    around: &web_sys::Element,
) {
    let (Some(element), Some(cover)) = (element, cover) else {
        return;
    };
    let edges = |element: &web_sys::Element| {
        let area = element.get_bounding_client_rect();
        (area.top(), area.bottom())
    };
    let ((top, bottom), (end, _), (first, last)) = (edges(&element), edges(&cover), edges(around));
    let is_in_sight = first < end && last > 0.0;
    let past = match (top < 0.0, bottom > end) {
        (true, _) => top,
        (false, true) => bottom - end,
        (false, false) => return,
    };
    if is_in_sight {
        window().scroll_by_with_x_and_y(0.0, past);
    }
}

/// The field that a handle was kept of.
pub fn input(kept: Ref) -> Option<web_sys::HtmlInputElement> {
    kept.get_untracked().map(JsCast::unchecked_into)
}

/// Offers a text as a file to save.
pub fn download(name: &str, text: &str) {
    let parts = leptos::web_sys::js_sys::Array::of1(&text.into());
    let Ok(blob) = web_sys::Blob::new_with_str_sequence(&parts) else {
        return;
    };
    let Ok(url) = web_sys::Url::create_object_url_with_blob(&blob) else {
        return;
    };
    if let Ok(link) = document().create_element("a") {
        let link: web_sys::HtmlAnchorElement = link.unchecked_into();
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    let _ = web_sys::Url::revoke_object_url(&url);
}

/// Reads a file; gives `None` where that cannot be done.
pub fn read(file: web_sys::File, then: impl FnOnce(Option<String>) + 'static) {
    spawn_local(async move {
        let text = JsFuture::from(file.text()).await;
        then(text.ok().and_then(|text| text.as_string()));
    });
}

/// Hands over a file that is dropped anywhere on the page; else the browser would leave the page
/// and open it.
pub fn take_dropped(take: impl Fn(web_sys::File) + 'static) {
    let carried = |event: &web_sys::Event| {
        let event: &web_sys::DragEvent = event.dyn_ref()?;
        let carried = event.data_transfer()?;
        carried
            .types()
            .includes(&"Files".into(), 0)
            .then_some(carried)
    };
    let over = window_event_listener_untyped("dragover", move |event| {
        if carried(&event).is_some() {
            event.prevent_default();
        }
    });
    let drop = window_event_listener_untyped("drop", move |event| {
        let Some(carried) = carried(&event) else {
            return;
        };
        event.prevent_default();
        if let Some(file) = carried.files().and_then(|files| files.get(0)) {
            take(file);
        }
    });
    on_cleanup(move || {
        over.remove();
        drop.remove();
    });
}

/// How many CSS pixels a rem has; the page scales with the window.
pub fn rem() -> f64 {
    let root = document().document_element();
    let style = root.and_then(|root| window().get_computed_style(&root).ok().flatten());
    let size = style.and_then(|style| style.get_property_value("font-size").ok());
    // The browser's own parser is there already; Rust's would be a tenth of the page.
    let pixels = size.map(|size| leptos::web_sys::js_sys::parse_float(&size));
    pixels.filter(|pixels| *pixels > 0.0).unwrap_or(16.0)
}

/// Keeps the branches of the run for this tab alone, through a reload.
pub fn keep_branches(text: &str) {
    if let Ok(Some(storage)) = window().session_storage() {
        let _ = storage.set_item(BRANCHES, text);
    }
}

pub fn kept_branches() -> Option<String> {
    let storage = window().session_storage().ok().flatten()?;
    storage.get_item(BRANCHES).ok().flatten()
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

fn kept(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

fn keep(key: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(key, value);
    }
}

fn set_root_attribute(name: &str, value: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute(name, value);
    }
}
