//! What the page asks of the browser: its address, its preferences, files. A browser may refuse
//! any of it (a file opened from disk, a private window); then the page goes on without.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::element::Ref;
use super::page::Theme;
use crate::locale::Language;

const LANGUAGE: &str = "effectively-once.language";
const THEME: &str = "effectively-once.theme";

/// The address after `#`, if there is anything.
pub fn fragment() -> Option<String> {
    let hash = window().location().hash().ok()?;
    let fragment = hash.strip_prefix('#')?;
    (!fragment.is_empty()).then(|| fragment.to_owned())
}

/// Changes the address without a new entry in the history.
pub fn replace_fragment(fragment: &str) {
    if let Ok(history) = window().history() {
        let url = format!("#{fragment}");
        // Refused where it happens too often; the next change tries again.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
    }
}

/// Leaves `fragment` in the history, so that the way back leads to it.
pub fn push_fragment(fragment: &str) {
    replace_fragment(fragment);
    if let Ok(history) = window().history() {
        let url = format!("#{fragment}");
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&url));
    }
}

/// Copies the address, and says whether the browser let it.
pub fn copy_address(then: impl FnOnce(bool) + 'static) {
    let clipboard = window().navigator().clipboard();
    let address = window().location().href();
    match address {
        // A page that is not served from a safe origin has no clipboard.
        Ok(address) if !clipboard.is_undefined() => spawn_local(async move {
            then(JsFuture::from(clipboard.write_text(&address)).await.is_ok());
        }),
        _ => then(false),
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

pub fn set_title(title: &str) {
    document().set_title(title);
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

/// Reads a file that a person chose.
pub fn read(file: web_sys::File, then: impl FnOnce(String) + 'static) {
    spawn_local(async move {
        if let Ok(text) = JsFuture::from(file.text()).await {
            then(text.as_string().unwrap_or_default());
        }
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
