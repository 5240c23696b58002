#!/bin/sh
# Installs the given Debian packages that are missing; prints a hint if it lacks the rights.
missing=""
for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ]; then as=""; elif command -v sudo >/dev/null; then as=sudo; else
    echo "These Debian packages are missing:$missing. Install them, then run make again." >&2
    exit 1
fi
echo "Installing these Debian packages${as:+ with sudo}:$missing"
if [ -n "${ASK:-}" ] && [ -t 0 ]; then
    printf 'Go on? [Y/n] '
    read -r answer
    case $answer in [nN]*) exit 1 ;; esac
fi
$as apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as apt-get install -y -qq --no-install-recommends $missing >/dev/null
