#[cfg(all(target_arch = "wasm32", feature = "ui"))]
fn main() {
    use leptos::prelude::*;
    leptos::mount::mount_to_body(|| {
        let (n, set) = signal(0);
        view! { <button on:click=move |_| set.update(|n| *n += 1)>{n}</button> }
    });
}

#[cfg(not(all(target_arch = "wasm32", feature = "ui")))]
fn main() {}
