#!/bin/sh
# Installs the Debian package in a clean system, runs it and removes it again: deb-test.sh PACKAGE [suite [mirror]]
# Needs root and debootstrap. The clean system is in a temporary folder.
set -eu
package=$1
suite=${2:-bookworm}
mirror=${3:-http://deb.debian.org/debian}
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || { cat "$root.log" >&2; exit 1; }
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
[ -e /etc/apt/apt.conf.d ] && cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
mount -t proc proc "$root/proc" 2>/dev/null || true
cp "$package" "$root/tmp/helix-suite.deb"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
inside find / -xdev \( -path /proc -o -path /tmp -o -path /var -o -path /sys -o -path /root \) -prune -o -print |
    LC_ALL=C sort >"$root/tmp/before"
inside apt-get update -qq
inside apt-get install -y -qq /tmp/helix-suite.deb >/dev/null
inside helix --version
inside helix doctor
inside helix cal add "Lunch tomorrow 12:30"
inside helix cal week | grep -q Lunch
inside helix cal export --check | grep -q "SUMMARY:Lunch"
inside helix tasks add "Buy milk"
inside helix tasks export --format ics | grep -q "Buy milk"
inside helix mail list
inside helix undo
inside helix-gateway --help >/dev/null
inside test -e /usr/share/man/man1/helix-cal-week.1.gz -o -e /etc/dpkg/dpkg.cfg.d/docker
inside test -e /usr/share/bash-completion/completions/helix
inside test -e /usr/lib/systemd/user/helix-sync.timer
inside grep -q "x-scheme-handler/helix" /usr/share/applications/helix.desktop
inside apt-get purge -y -qq helix-suite >/dev/null
inside apt-get autoremove --purge -y -qq >/dev/null
inside find / -xdev \( -path /proc -o -path /tmp -o -path /var -o -path /sys -o -path /root \) -prune -o -print |
    LC_ALL=C sort >"$root/tmp/after"
left=$(LC_ALL=C comm -13 "$root/tmp/before" "$root/tmp/after" | grep -i helix || true)
if [ -n "$left" ]; then
    echo "The package leaves these files behind: $left" >&2
    exit 1
fi
echo "The package was installed, run and removed."
