# shellcheck shell=bash
# Sourced by the Makefile, .ci/run and setup.sh: puts this project's tools first in PATH.
# It installs nothing; setup.sh does.
#
# There are two ways to a Rust compiler that can build the page:
#   rustup   rustup's own, with its wasm32 target;
#   debian   Debian's rustc-web and cargo-web, where there is no rustup, or where
#            RUSTUP_AUTO_INSTALL=0 says that rustup must not fetch the target that is missing.

project_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# Trunk 0.22 needs a newer compiler than Debian's.
trunk_version=0.21.14
# The command line and the library of wasm-bindgen must have the same version, to the last digit.
wasm_bindgen_version="$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p;}' "$project_dir/Cargo.lock")"

# Kept outside the checkout, so that other checkouts need not compile the tools again.
cache_dir="${XDG_CACHE_HOME:-$HOME/.cache}/effectively-once"
trunk_dir="$cache_dir/trunk-$trunk_version"
wasm_bindgen_dir="$cache_dir/wasm-bindgen-cli-$wasm_bindgen_version"

# Only where the machine's own Node is too old.
node_version=22.23.5
node_dir="$cache_dir/node-$node_version"

wasm_std_dir() {
  echo "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib"
}
has_wasm_std() {
  compgen -G "$(wasm_std_dir 2>/dev/null)/libstd-*.rlib" >/dev/null
}

toolchain=debian
if command -v rustup >/dev/null && { [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ] || has_wasm_std; }; then
  toolchain=rustup
fi

if [ "$toolchain" = debian ]; then
  # cargo looks for its subcommands (clippy, fmt) in its own folder first, where rustup has put
  # those of another compiler, unless PATH names that folder: so name it, last.
  PATH="/usr/bin:$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
fi
export PATH="$node_dir/bin:$trunk_dir/bin:$wasm_bindgen_dir/bin:$project_dir/tools/node_modules/.bin:$PATH"

# Trunk must not look for a newer version of itself.
export TRUNK_SKIP_VERSION_CHECK=true
# It reads NO_COLOR as a truth value, and refuses the customary 1.
[ -z "${NO_COLOR:-}" ] || export NO_COLOR=true

# The browser of the tests; a CHROMIUM of your own goes first.
for browser in chromium chromium-browser google-chrome google-chrome-stable \
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
  CHROMIUM="${CHROMIUM:-$(command -v "$browser" || true)}"
done
export CHROMIUM
