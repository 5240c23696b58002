#!/bin/sh
# A private Xandikos, in one folder, for one test: xandikos.sh DIR PORT. It requires no password.
set -eu
mkdir -p "$1/store"
exec xandikos -d "$1/store" --defaults -l 127.0.0.1 -p "$2"
