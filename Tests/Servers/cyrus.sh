#!/bin/sh
# A private Cyrus, in one folder, for one test: cyrus.sh DIR IMAP_PORT HTTP_PORT SIEVE_PORT (after Tools/foreign-servers.sh)
# It runs in the foreground: IMAP, HTTP (CalDAV, CardDAV, JMAP) and ManageSieve. Users ana and ben, password 'secret', and the
# administrator cyrus with that password.
set -eu
dir=$1 port=$2 http=$3 sieve=$4
. "$(dirname "$0")/foreign.sh"
bin="$root/usr/lib/cyrus/bin"
export LD_LIBRARY_PATH="$root/usr/lib:$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/cyrus"
user=$(id -un)
if [ "$(id -u)" = 0 ]; then user=nobody; fi
export CYRUS_USER="$user"
mkdir -p "$dir/conf/proc" "$dir/conf/socket" "$dir/conf/db" "$dir/mail" "$dir/sieve"
cat > "$dir/imapd.conf" <<END
configdirectory: $dir/conf
defaultpartition: default
partition-default: $dir/mail
sievedir: $dir/sieve
mboxname_lockpath: $dir/conf/lock
proc_path: $dir/conf/proc
cyrus_user: $user
admins: cyrus
servername: localhost
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: $dir/sasldb2
sasl_mech_list: PLAIN LOGIN
virtdomains: off
unixhierarchysep: yes
altnamespace: yes
autocreate_users: anyone
autocreate_post: yes
autocreate_quota: 0
autocreate_inbox_folders: Drafts|Sent|Trash|Archive
autocreate_subscribe_folders: Drafts|Sent|Trash|Archive
xlist-drafts: Drafts
xlist-sent: Sent
xlist-trash: Trash
xlist-archive: Archive
conversations: yes
conversations_db: twoskip
httpmodules: caldav carddav jmap
httpallowcompress: no
caldav_realm: Cyrus
calendar_user_address_set: example.org
caldav_allowscheduling: yes
jmap_nonstandard_extensions: no
jmapuploadfolder: #jmap
timsieved_timeout: 10
syslog_prefix: helix-test
duplicate_db_path: $dir/conf/deliver.db
statuscache: yes
END
cat > "$dir/cyrus.conf" <<END
START {
  recover cmd="$bin/ctl_cyrusdb -C $dir/imapd.conf -r"
}
SERVICES {
  imap cmd="$bin/imapd -C $dir/imapd.conf -U 30" listen="127.0.0.1:$port" prefork=0
  http cmd="$bin/httpd -C $dir/imapd.conf -U 30" listen="127.0.0.1:$http" prefork=0
  sieve cmd="$bin/timsieved -C $dir/imapd.conf" listen="127.0.0.1:$sieve" prefork=0
}
EVENTS {
}
DAEMON {
  idled cmd="$bin/idled -C $dir/imapd.conf"
}
END
if [ ! -e "$dir/sasldb2" ]; then
    for name in ana ben cyrus; do printf secret | /usr/sbin/saslpasswd2 -p -c -f "$dir/sasldb2" -u localhost "$name"; done
fi
if [ "$(id -u)" = 0 ]; then chown -R "$user" "$dir"; fi
# The first sign-in by IMAP creates a user's INBOX, which DAV and JMAP need.
(
    for name in ana ben; do
        for _ in $(seq 100); do
            curl -s --max-time 5 --user "$name:secret" "imap://127.0.0.1:$port/" >/dev/null 2>&1 && break
            sleep 0.1
        done
    done
) &
exec "$bin/master" -C "$dir/imapd.conf" -M "$dir/cyrus.conf" -p "$dir/master.pid" -D 2>>"$dir/log"
