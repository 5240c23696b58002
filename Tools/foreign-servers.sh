#!/bin/sh
# Mail servers that cannot be installed beside Dovecot, because their packages exclude it: unpacked into a folder of their own.
set -eu
folder=.build/servers
[ -e "$folder/done" ] && exit 0
sh "$(dirname "$0")/packages.sh" libcourier-unicode4 libgamin0 libgdbm6 libidn12 libwrap0 \
    libsasl2-modules sasl2-bin libical3 libicu72 libjansson4 libshp2 libxapian30 libzephyr4 libclamav12 libnghttp2-14 libpq5 \
    libdb5.3 libltdl7 libpcre3
rm -rf "$folder"
mkdir -p "$folder/packages"
cd "$folder/packages"
apt-get download -qq courier-imap courier-authlib courier-authlib-userdb courier-base cyrus-imapd cyrus-common cyrus-caldav
for package in *.deb; do dpkg -x "$package" ..; done
cd ..
rm -r packages
touch done
