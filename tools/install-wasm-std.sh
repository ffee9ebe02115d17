#!/usr/bin/env bash
# Builds the wasm32 standard library from Debian's rust-web-src and puts it where Debian's rustc
# looks for it: Debian has no package of it. Takes about 40 seconds.
#
# Usage: tools/install-wasm-std.sh [sudo]      (sudo is put before the commands that write in /usr)
set -euo pipefail

target=wasm32-unknown-unknown
export PATH="/usr/bin:$PATH"

lib_dir="$(rustc --print sysroot)/lib/rustlib/$target/lib"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# An empty crate: only the standard library that is built along with it is wanted.
mkdir "$work/src"
echo '#![no_std]' >"$work/src/lib.rs"
printf '[package]\nname = "empty"\nedition = "2021"\n' >"$work/Cargo.toml"

# Only a nightly compiler takes -Zbuild-std; RUSTC_BOOTSTRAP allows it for this one build.
# The bitcode lets release builds of the page optimize across the library (LTO).
(
  cd "$work"
  CARGO_TARGET_DIR="$work/target" RUSTFLAGS=-Cembed-bitcode=yes RUSTC_BOOTSTRAP=1 \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
    cargo build --quiet --release --target "$target" \
    -Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test
)

built="$work/target/$target/release/deps"
rm "$built"/libempty-*.rlib

# A library of another compiler must not stay beside the new one. The note of who built it comes
# last, so that a copy that broke off is done again.
"$@" mkdir -p "$lib_dir"
"$@" rm -f "$lib_dir"/*.rlib "$lib_dir/built-by"
"$@" cp "$built"/*.rlib "$lib_dir/"
rustc --version | "$@" tee "$lib_dir/built-by" >/dev/null
