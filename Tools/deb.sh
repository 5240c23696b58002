#!/bin/sh
# Builds the Debian package helix-suite from the release programs: deb.sh [folder]
# Both programs, man pages, completions and user units. The Swift and C++ runtimes and SQLite are linked in; other libraries
# are opened when they are needed, so the package recommends them.
set -eu
out=${1:-.build/deb}
version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' Sources/HelixCommands/Helix.swift | head -n 1)
architecture=$(dpkg --print-architecture)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
maintainer=${DEBFULLNAME:-$(git log -1 --format=%an 2>/dev/null || echo "the makers of helix")}" <"${DEBEMAIL:-$(git log -1 --format=%ae 2>/dev/null || echo "root@localhost")}">"
root=$out/root
rm -rf "$root"
mkdir -p "$root/DEBIAN"
umask 022
make --no-print-directory install DESTDIR="$root" PREFIX=/usr ${BINARY:+BINARY="$BINARY"} >/dev/null
# SwiftPM's search path is for libraries beside the programs; there are none.
patchelf --remove-rpath "$root/usr/bin/helix" "$root/usr/bin/helix-gateway"
# Debian's zsh looks for completions of packages here.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_helix" "$root/usr/share/zsh/vendor-completions/_helix"
rmdir "$root/usr/share/zsh/site-functions"
sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions/helix"
find "$root/usr/share/man" -type f -exec gzip -9n {} +

doc=$root/usr/share/doc/helix-suite
mkdir -p "$doc" "$root/usr/share/lintian/overrides"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n'
    printf 'Upstream-Name: helix\n\nFiles: *\n'
    printf 'Copyright: %s\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
    printf 'License: Expat\n'
    sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
    printf '\nFiles: usr/bin/*\nCopyright: the authors of the linked libraries\n'
    printf 'License: Apache-2.0 and Expat and BSD-3-clause\n'
    printf ' Linked into the programs: the Swift runtime and FoundationEssentials, swift-argument-parser,\n'
    printf ' swift-nio, swift-nio-ssl, swift-log and OpenSSL (Apache-2.0, with BoringSSL), TOMLKit and\n'
    printf ' toml++ (Expat), SQLite (public domain), the GNU C++ runtime (GPL-3 with its exception).\n'
    printf ' On Debian systems, the text of Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$doc/copyright"
printf 'helix-suite (%s) stable; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' \
    "$version" "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
# SQLite is linked in: the start of each command is half a millisecond shorter. A fixed address saves as much.
cat >"$root/usr/share/lintian/overrides/helix-suite" <<'OVERRIDES'
helix-suite: embedded-library
helix-suite: hardening-no-pie
helix-suite: statically-linked-binary
OVERRIDES

# The oldest C library that has all symbols that the programs use.
libc=$(objdump -T "$root/usr/bin/helix" "$root/usr/bin/helix-gateway" | sed -n 's/.*(\?GLIBC_\([0-9.]*\))\?.*/\1/p' |
    sort -V | tail -n 1)
cat >"$root/DEBIAN/control" <<CONTROL
Package: helix-suite
Version: $version
Section: utils
Priority: optional
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s "$root/usr" | cut -f 1)
Depends: libc6 (>= $libc), tzdata
Recommends: ca-certificates, libgmime-3.0-0, libxml2, libcurl4, libidn2-0, libunistring2, libical3, zlib1g, libcmark-gfm-extensions0.29.0.gfm.6, libsodium23, libgpgme11, gnupg, gpgsm, libpq5, libpam0g, libpangocairo-1.0-0, fonts-dejavu-core, poppler-utils
Suggests: libgdk-pixbuf-2.0-0, bash-completion, gocryptfs, libsecret-tools
Description: mail, calendar, tasks, time and chat for the command line
 helix keeps mail, calendars, tasks, time tracking and chat in one local
 store, answers from it in milliseconds, and syncs with IMAP, SMTP, JMAP,
 CalDAV, Maildir, vdir and gateways of the OpenClaw family.
 .
 The package has the program helix, the server helix-gateway, man pages,
 completions for bash, zsh and fish, and systemd user units.
CONTROL
# The service of 'helix lock --with login': all that the system asks for at a login, fingerprints included.
mkdir -p "$root/etc/pam.d"
printf '@include common-auth\n@include common-account\n' >"$root/etc/pam.d/helix"
echo /etc/pam.d/helix >"$root/DEBIAN/conffiles"
(cd "$root" && find usr etc -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -print0 | xargs -0r touch -h -d "@$SOURCE_DATE_EPOCH"
package=$out/helix-suite_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
rm -rf "$root"
echo "$package"
