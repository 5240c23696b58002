#!/bin/sh
# A private Postfix, in one folder, for one test: postfix.sh DIR SMTP_PORT [URL that returns the owner of a token, such as http://127.0.0.1:PORT/?token=]
# (as root, after Tools/foreign-servers.sh). It runs in the foreground. Users ana and ben, password 'secret', who have to sign in;
# Dovecot authenticates them (PLAIN, LOGIN, CRAM-MD5; XOAUTH2 and OAUTHBEARER with a URL). Mail for ana@example.org and
# ben@example.org is stored in DIR/mail/NAME, a Maildir; other users of example.org are unknown; mail for other domains is stored in
# DIR/mail/elsewhere. STARTTLS is enabled if DIR/tls.pem, a key and its certificate, exists. The size limit of a message is 5 MB.
set -eu
dir=$1 port=$2 tokens=${3:-}
. "$(dirname "$0")/foreign.sh"
# The users who own the queue and the mail need access, whatever the umask of the tests.
umask 022
mkdir -p "$dir/conf" "$dir/data" "$dir/queue/pid" "$dir/mail" "$dir/auth/state"
chmod 755 "$dir"
# Postfix requires a separate user for the queue, other than the one that receives the mail, and a group for submitted mail.
owner=daemon group=mail
uid=$(id -u nobody) gid=$(id -g nobody)
for box in active bounce corrupt defer deferred flush hold incoming private saved trace maildrop public; do
    mkdir -p "$dir/queue/$box"
    chown "$owner" "$dir/queue/$box"
    chmod 700 "$dir/queue/$box"
done
chgrp "$group" "$dir/queue/maildrop" "$dir/queue/public"
chmod 730 "$dir/queue/maildrop"
chmod 710 "$dir/queue/public"
chown "$owner" "$dir/data"
chown "$uid:$gid" "$dir/mail"
tls=
[ ! -s "$dir/tls.pem" ] || tls="smtpd_tls_security_level = may
smtpd_tls_chain_files = $dir/tls.pem"
printf 'if !/@example\\.org$/\n/./ elsewhere/\nendif\n/^ana@example\\.org$/ ana/\n/^ben@example\\.org$/ ben/\n' > "$dir/conf/boxes"
cat > "$dir/conf/main.cf" <<END
compatibility_level = 3.6
queue_directory = $dir/queue
data_directory = $dir/data
daemon_directory = $root/usr/lib/postfix/sbin
command_directory = $root/usr/sbin
shlib_directory = $root/usr/lib/postfix
meta_directory = $dir/conf
import_environment = MAIL_CONFIG LD_LIBRARY_PATH TZ LANG
maillog_file = $dir/log
maillog_file_prefixes = $dir
mail_owner = $owner
setgid_group = $group
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = localhost
mydestination =
mynetworks =
alias_maps =
alias_database =
local_recipient_maps =
disable_dns_lookups = yes
smtpd_peername_lookup = no
smtputf8_enable = yes
message_size_limit = 5242880
virtual_mailbox_domains = example.org
virtual_mailbox_base = $dir/mail
virtual_mailbox_maps = regexp:$dir/conf/boxes
virtual_uid_maps = static:$uid
virtual_gid_maps = static:$gid
virtual_minimum_uid = 1
default_transport = virtual
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ../auth/socket
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_error_sleep_time = 0
smtpd_client_connection_count_limit = 0
in_flow_delay = 0
$tls
END
cat > "$dir/conf/master.cf" <<END
127.0.0.1:$port inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
END
mechanisms='plain login cram-md5' oauth=
if [ -n "$tokens" ]; then
    mechanisms="$mechanisms xoauth2 oauthbearer"
    oauth="passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $dir/auth/oauth2.conf
}"
    cat > "$dir/auth/oauth2.conf" <<END
introspection_mode = get
introspection_url = $tokens
username_attribute = user
active_attribute = active
active_value = true
END
fi
printf 'ana:{PLAIN}secret::::::\nben:{PLAIN}secret::::::\n' > "$dir/auth/users"
cat > "$dir/auth/dovecot.conf" <<END
base_dir = $dir/auth/run
state_dir = $dir/auth/state
log_path = $dir/auth/log
protocols =
listen = 127.0.0.1
default_internal_user = nobody
default_internal_group = $(id -gn nobody)
default_login_user = nobody
first_valid_uid = 1
ssl = no
auth_mechanisms = $mechanisms
auth_failure_delay = 0
$oauth
passdb {
  driver = passwd-file
  args = username_format=%n $dir/auth/users
}
userdb {
  driver = static
  args = uid=nobody gid=$(id -gn nobody) home=/ allow_all_users=yes
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
service auth {
  unix_listener $dir/auth/socket {
    mode = 0600
    user = $owner
  }
}
END
# Postfix waits until a settings file is some seconds old.
touch -d '1 minute ago' "$dir/conf/main.cf" "$dir/conf/master.cf" "$dir/conf/boxes"
rm -rf "$dir/auth/socket" "$dir/auth/run"
# It exits when Postfix exits or is killed.
setpriv --pdeathsig TERM /usr/sbin/dovecot -F -c "$dir/auth/dovecot.conf" &
# A sign-in before it listens is answered with a temporary error.
for _ in $(seq 200); do
    [ -S "$dir/auth/socket" ] && break
    sleep 0.05
done
export LD_LIBRARY_PATH="$root/usr/lib/postfix"
exec "$root/usr/lib/postfix/sbin/master" -d -c "$dir/conf" 2>>"$dir/log"
