#!/usr/bin/env bash
# Installs what the browser tests need: Chromium with its driver, a typeface for the pictures, and axe-core.
# Does nothing where it is there already. On Debian and its relatives; elsewhere install a Chromium and a chromedriver of
# the same version by hand and put both on the PATH.
set -euo pipefail
cd "$(dirname "$0")/../.."

AXE_VERSION=4.10.3

if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null || ! [ -d /usr/share/fonts/opentype/inter ] && ! [ -d /usr/share/fonts/truetype/inter ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  packages=(chromium chromium-driver fonts-inter fonts-liberation)
  # A Node from elsewhere brings an npm of its own, which Debian's conflicts with.
  command -v npm >/dev/null || packages+=(npm)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    "${packages[@]}" >/dev/null
fi

home="${CARGO_TARGET_DIR:-target}/browser"
if ! grep -qs "\"version\": \"$AXE_VERSION\"" "$home/node_modules/axe-core/package.json"; then
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error \
    "axe-core@$AXE_VERSION"
fi
echo "browser tests: $(chromium --version 2>/dev/null | head -1), axe-core $AXE_VERSION in $home"
