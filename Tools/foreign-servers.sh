#!/bin/sh
# Installs test servers that conflict with Dovecot or use settings at fixed paths: unpacks them into a separate folder.
# Starts none of them. If that fails, the suites that need them report it; on a build server it is an error.
set -u
folder=.build/servers
[ -e "$folder/done-2" ] && exit 0
fail() {
    echo "Cyrus, Courier, Postfix, DAViCal and SOGo are not installed ($1): their tests are left out." >&2
    [ "${CI:-}" != true ]
    exit
}
install="sh $(dirname "$0")/packages.sh"
$install libcourier-unicode4 libgamin0 libgdbm6 libidn12 libwrap0 libpcre3 \
    libsasl2-modules sasl2-bin libical3 libicu72 libjansson4 libshp2 libxapian30 libzephyr4 libclamav12 libnghttp2-14 libpq5 \
    libdb5.3 libltdl7 gawk libnsl2 libsasl2-2 openssl util-linux procps || fail "their libraries cannot be installed"
# DAViCal: Apache, PHP and PostgreSQL.
$install apache2-bin libapache2-mod-php8.2 php8.2-pgsql php8.2-xml postgresql-15 || fail "Apache and PostgreSQL cannot be installed"
# SOGo uses fixed paths. Its package starts it if systemd is running: then it is skipped.
if [ ! -d /run/systemd/system ]; then $install sogo memcached || fail "SOGo cannot be installed"; fi
rm -rf "$folder"
mkdir -p "$folder/packages"
cd "$folder/packages" || exit 1
wanted="courier-imap courier-authlib courier-authlib-userdb courier-base cyrus-imapd cyrus-common cyrus-caldav postfix davical libawl-php"
apt-get download -qq $wanted 2>/dev/null || { apt-get update -qq && apt-get download -qq $wanted; } 2>/dev/null \
    || fail "their packages cannot be fetched"
for package in *.deb; do dpkg -x "$package" .. || fail "$package cannot be unpacked"; done
cd ..
rm -r packages
touch done-2
