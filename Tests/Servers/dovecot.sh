#!/bin/sh
# A private Dovecot, in one folder, for one test: dovecot.sh DIR IMAP_PORT IMAPS_PORT [without QRESYNC: yes] [PREFIX of names] [PORT of tokens.py] [SUBMISSION_PORT over TLS, RELAY_PORT]
# It runs in the foreground. Users ana and ben, password 'secret'; their mail is in DIR/mail/NAME. DIR/more.conf is read, too.
set -eu
dir=$1 port=$2 secure=$3 plain=${4:-} prefix=${5:-} tokens=${6:-} submission=${7:-} relay=${8:-}
mkdir -p "$dir/run" "$dir/mail" "$dir/state"
user=$(id -un) group=$(id -gn)
if [ "$(id -u)" = 0 ]; then user=nobody group=$(id -gn nobody); fi
[ -s "$dir/cert.pem" ] || openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -keyout "$dir/key.pem" -out "$dir/cert.pem" 2>/dev/null
capability=
separator=/
[ -z "$prefix" ] || separator=.
if [ -n "$plain" ]; then capability='imap_capability = IMAP4rev1 LITERAL+ UIDPLUS IDLE'; fi
mechanisms='plain login' oauth=
if [ -n "$tokens" ]; then
    mechanisms='plain login xoauth2 oauthbearer'
    oauth="passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $dir/oauth2.conf
}"
    cat > "$dir/oauth2.conf" <<END
introspection_mode = get
introspection_url = http://127.0.0.1:$tokens/?token=
username_attribute = user
active_attribute = active
active_value = true
END
fi
printf 'ana:{PLAIN}secret::::::\nben:{PLAIN}secret::::::\n' > "$dir/users"
protocols=imap sending=
if [ -n "$submission" ]; then
    protocols='imap submission'
    sending="submission_relay_host = 127.0.0.1
submission_relay_port = $relay
submission_relay_user = ana
submission_relay_password = secret
hostname = localhost
service submission-login {
  chroot =
  inet_listener submission {
    port = 0
  }
  inet_listener submissions {
    port = $submission
    ssl = yes
  }
}"
fi
cat > "$dir/dovecot.conf" <<END
base_dir = $dir/run
state_dir = $dir/state
log_path = $dir/log
protocols = $protocols
listen = 127.0.0.1
default_internal_user = $user
default_internal_group = $group
default_login_user = $user
first_valid_uid = 1
ssl = yes
ssl_cert = <$dir/cert.pem
ssl_key = <$dir/key.pem
ssl_dh =
disable_plaintext_auth = no
auth_mechanisms = $mechanisms
mail_location = maildir:$dir/mail/%n:LAYOUT=fs
mail_fsync = never
mail_max_userip_connections = 100
$oauth
passdb {
  driver = passwd-file
  args = username_format=%n $dir/users
}
userdb {
  driver = static
  args = uid=$user gid=$group home=$dir/mail/%n allow_all_users=yes
}
namespace inbox {
  inbox = yes
  separator = $separator
  prefix = $prefix
  mailbox Drafts {
    special_use = \\Drafts
    auto = subscribe
  }
  mailbox "Sent items" {
    special_use = \\Sent
    auto = subscribe
  }
  mailbox Trash {
    special_use = \\Trash
    auto = subscribe
  }
  mailbox Archive {
    special_use = \\Archive
    auto = subscribe
  }
}
mail_plugins = zlib
protocol imap {
  mail_plugins = zlib imap_zlib
  $capability
}
$sending
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = $port
  }
  inet_listener imaps {
    port = $secure
    ssl = yes
  }
}
service stats {
  chroot =
}
service auth {
  unix_listener auth-userdb {
    mode = 0600
  }
}
!include_try $dir/more.conf
END
if [ "$(id -u)" = 0 ]; then
    chown -R "$user:$group" "$dir"
    exec setpriv --reuid="$user" --regid="$group" --clear-groups env HOME="$dir" USER="$user" \
        /usr/sbin/dovecot -F -c "$dir/dovecot.conf"
fi
exec /usr/sbin/dovecot -F -c "$dir/dovecot.conf"
