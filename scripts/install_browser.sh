#!/usr/bin/env bash
# Installs Chromium for the tests of pages, where that takes no questions: as root, with apt-get. Never fails; one line
# on stderr says why the browser is missing.
set -u

has_browser() { command -v chromium google-chrome >/dev/null; }
missing() { echo "browser: $1; the tests in tests/browser are skipped" >&2; exit 0; }

has_browser && exit 0
command -v apt-get >/dev/null || missing "no Chromium, and no apt-get to install it"
[ "$(id -u)" = 0 ] || missing "no Chromium (apt-get install chromium needs root)"
export DEBIAN_FRONTEND=noninteractive
timeout 180 apt-get -qq update >/dev/null 2>&1
timeout 600 apt-get -qq install -y --no-install-recommends chromium >/dev/null 2>&1
has_browser || missing "apt-get could not install chromium"
