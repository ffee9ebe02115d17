//! In the browser: the page. Natively: the headless command.

#[cfg(all(target_arch = "wasm32", feature = "ui"))]
fn main() {
    effectively_once::ui::mount();
}

#[cfg(not(all(target_arch = "wasm32", feature = "ui")))]
mod headless;

#[cfg(not(all(target_arch = "wasm32", feature = "ui")))]
fn main() -> std::process::ExitCode {
    headless::main()
}
