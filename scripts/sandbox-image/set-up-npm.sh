#!/bin/bash
# Unpacks the npm registry's package of npm ($1) where it belongs in the file system at $2.
set -euo pipefail
root="${2%/}"
modules="$root/usr/local/lib/node_modules"
mkdir -p "$modules/npm" "$root/usr/local/bin"
tar -xzf "$1" -C "$modules/npm" --strip-components=1 --no-same-owner
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
chmod 755 "$modules/npm/bin/npm-cli.js" "$modules/npm/bin/npx-cli.js"
