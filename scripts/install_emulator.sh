#!/usr/bin/env bash
# Installs the emulator of processors for scripts/processors.py, where that takes no questions: as root, with apt-get. Never
# fails; one line on stderr says why the emulator is missing.
set -u

has_emulator() { command -v qemu-x86_64 >/dev/null; }
missing() { echo "emulator: $1; processors are not compared" >&2; exit 0; }

has_emulator && exit 0
command -v apt-get >/dev/null || missing "no qemu-x86_64, and no apt-get to install it"
[ "$(id -u)" = 0 ] || missing "no qemu-x86_64 (apt-get install qemu-user needs root)"
export DEBIAN_FRONTEND=noninteractive
timeout 180 apt-get -qq update >/dev/null 2>&1
timeout 600 apt-get -qq install -y --no-install-recommends qemu-user >/dev/null 2>&1
has_emulator || missing "apt-get could not install qemu-user"
