#!/usr/bin/env bash
# Installs what is missing to build the page, to test it and to lint it; what is there is left alone.
# The Makefile calls it before everything, so it must be quick when nothing is missing.
#
# Usage: tools/setup.sh page|tests|lint|all
set -euo pipefail
# shellcheck source=tools/env.sh
. "$(dirname "$0")/env.sh"
cd "$project_dir"

case "${1:-}" in
  page | tests | lint | all) goal=$1 ;;
  *) echo "usage: tools/setup.sh page|tests|lint|all" >&2 && exit 2 ;;
esac

step() { echo "==> $*"; }
fail() { echo "set-up: $*" >&2 && exit 1; }
has() { command -v "$1" >/dev/null; }
wants() { [ "$goal" = "$1" ] || [ "$goal" = all ]; }

# How to become root for what is installed in /usr: not at all, by sudo, or with a clear word.
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)

# --- Debian packages: first found out, then installed at once -----------------------------------

packages=()
if [ "$toolchain" = debian ]; then
  packages+=(rustc-web cargo-web rust-web-src rust-web-llvm lld-22)
  if wants lint; then packages+=(rustfmt-web rust-web-clippy); fi
fi
has node || packages+=(nodejs)
has npm || packages+=(npm)
has make || packages+=(make)
if wants tests && [ -z "$CHROMIUM" ]; then packages+=(chromium); fi
# Without a server its test says that it was skipped; on a developer's machine that is no reason to install one.
if [ "$goal" = all ] && ! has initdb && ! compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null; then
  packages+=(postgresql)
fi

missing=()
for package in ${packages[@]+"${packages[@]}"}; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  has apt-get || fail "please install: ${missing[*]} (Rust by rustup)"
  [ ${#as_root[@]} = 0 ] || has sudo || fail "please run as root: apt-get install --no-install-recommends ${missing[*]}"
  step "Installing Debian packages: ${missing[*]} (1 to 2 minutes)"
  apt=(${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  apt_log="$(mktemp)"
  { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } >"$apt_log" 2>&1 ||
    fail "apt-get failed; Rust can come from rustup instead. $(cat "$apt_log")"
  rm "$apt_log"
  hash -r
fi

# Debian 12 has Node 18, which the browser's driver no longer supports. A newer one stands in the npm
# registry as well, and is put beside the other tools of this project.
node_major() { node -p 'process.versions.node.split(".")[0]'; }
if [ "$(node_major)" -lt 20 ]; then
  node_package="node-$(node -p 'process.platform + "-" + process.arch')"
  step "Installing Node $node_version, since $(node --version) is too old (half a minute)"
  mkdir -p "$node_dir/bin"
  npm install --prefix "$node_dir" --silent "$node_package@$node_version" ||
    fail "npm could not install $node_package: please install Node 20 or later"
  ln -sf "../node_modules/$node_package/bin/node" "$node_dir/bin/node"
  hash -r
  [ "$(node_major)" -ge 20 ] || fail "please install Node 20 or later: $(node --version) is too old"
fi

# --- The Rust compiler's wasm32 library ---------------------------------------------------------

if [ "$toolchain" = rustup ]; then
  if ! has_wasm_std; then
    step "Adding rustup's wasm32 target (half a minute)"
    rustup target add wasm32-unknown-unknown
  fi
  if wants lint && ! { cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1; then
    step "Adding rustfmt and clippy (half a minute)"
    rustup component add rustfmt clippy
  fi
elif [ "$(cat "$(wasm_std_dir)/built-by" 2>/dev/null)" != "$(rustc --version)" ]; then
  [ ${#as_root[@]} = 0 ] || has sudo || fail "please run as root: tools/install-wasm-std.sh"
  step "Building the wasm32 standard library (40 seconds)"
  tools/install-wasm-std.sh ${as_root[@]+"${as_root[@]}"}
fi

if [ "$goal" = lint ]; then exit 0; fi

# --- Tools that are compiled: Trunk and wasm-bindgen --------------------------------------------

# They are small programs that wait for the compiler: their own speed does not matter, so they are
# compiled without the optimizations that would take most of the time.
cargo_install() { # FOLDER OPTION…
  mkdir -p "$cache_dir"
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
    cargo install --quiet --root "$@"
}

if ! has trunk; then
  step "Compiling Trunk $trunk_version (2 to 5 minutes)"
  cargo_install "$trunk_dir" --locked --no-default-features "trunk@$trunk_version"
fi
if [ "$(wasm-bindgen --version 2>/dev/null)" != "wasm-bindgen $wasm_bindgen_version" ]; then
  step "Compiling wasm-bindgen $wasm_bindgen_version (1 to 3 minutes)"
  cargo_install "$wasm_bindgen_dir" "wasm-bindgen-cli@$wasm_bindgen_version"
fi

# --- Packages from npm: wasm-opt, the file server, what drives the browser ----------------------

lock=tools/package-lock.json
if ! cmp -s "$lock" tools/node_modules/installed-lock.json; then
  step "Installing npm packages (10 seconds)"
  npm ci --prefix tools --silent
  cp "$lock" tools/node_modules/installed-lock.json
fi
