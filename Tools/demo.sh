#!/bin/sh
# Demonstrates helix on a sample calendar, in a temporary home directory: demo.sh BINARY HOME SAMPLE
set -eu
binary=$(realpath "$1")
home=$2
sample=$3
rm -rf "$home"
mkdir -p "$home"
HELIX_HOME=$(realpath "$home")
# The sample is for this week; the clock is set to it.
HELIX_NOW=${HELIX_NOW:-2026-11-18T10:20:00}
TZ=${TZ:-Europe/Rome}
export HELIX_HOME HELIX_NOW TZ
show() {
    printf '\n$ helix %s\n' "$*"
    "$binary" "$@"
}
show cal import "$sample" --calendar work
show cal add "Dentist today 11:00 for 1h"
show cal week
show cal conflicts
show undo
rm -rf "$home"
