#!/bin/sh
# Mail servers that cannot be installed beside Dovecot, because their packages exclude it: unpacked into a folder of their own.
# Where that fails, the suites that need them say so; on a build server it is an error.
set -u
folder=.build/servers
[ -e "$folder/done" ] && exit 0
fail() {
    echo "Cyrus and Courier are not installed ($1): their tests are left out." >&2
    [ "${CI:-}" != true ]
    exit
}
sh "$(dirname "$0")/packages.sh" libcourier-unicode4 libgamin0 libgdbm6 libidn12 libwrap0 libpcre3 \
    libsasl2-modules sasl2-bin libical3 libicu72 libjansson4 libshp2 libxapian30 libzephyr4 libclamav12 libnghttp2-14 libpq5 \
    libdb5.3 libltdl7 gawk || fail "their libraries cannot be installed"
rm -rf "$folder"
mkdir -p "$folder/packages"
cd "$folder/packages" || exit 1
wanted="courier-imap courier-authlib courier-authlib-userdb courier-base cyrus-imapd cyrus-common cyrus-caldav"
apt-get download -qq $wanted 2>/dev/null || { apt-get update -qq && apt-get download -qq $wanted; } 2>/dev/null \
    || fail "their packages cannot be fetched"
for package in *.deb; do dpkg -x "$package" .. || fail "$package cannot be unpacked"; done
cd ..
rm -r packages
touch done
