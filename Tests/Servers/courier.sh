#!/bin/sh
# A private Courier IMAP, in one folder, for one test: courier.sh DIR IMAP_PORT (as root, after Tools/foreign-servers.sh)
# It runs in the foreground. Users ana and ben, password 'secret'; their mail is in DIR/mail/NAME. Courier reads its
# settings from fixed paths, so it runs in a namespace in which those are subfolders of DIR.
set -eu
dir=$1 port=$2
. "$(dirname "$0")/foreign.sh"
# The user who owns the mail needs access, whatever the umask of the tests.
umask 022
chmod 755 "$dir"
mkdir -p "$dir/etc" "$dir/run/authdaemon" "$dir/mail" /etc/courier /run/courier
export LD_LIBRARY_PATH="$root/usr/lib"
# The library loads its modules from a fixed path, too.
mkdir -p /usr/lib/courier-authlib
: > "$dir/etc/userdb"
: > "$dir/etc/userdbshadow"
uid=$(id -u nobody) gid=$(id -g nobody)
for name in ana ben; do
    home="$dir/mail/$name"
    [ -d "$home/Maildir" ] || { mkdir -p "$home" && "$root/usr/bin/maildirmake.courier" "$home/Maildir"; }
    hash=$(openssl passwd -1 secret)
    printf '%s\tuid=%s|gid=%s|home=%s|mail=%s/Maildir\n' "$name" "$uid" "$gid" "$home" "$home" >> "$dir/etc/userdb"
    printf '%s\tsystempw=%s\n' "$name" "$hash" >> "$dir/etc/userdbshadow"
done
echo . >> "$dir/etc/userdb"
echo . >> "$dir/etc/userdbshadow"
chmod 600 "$dir/etc/userdb" "$dir/etc/userdbshadow"
for name in ana ben; do
    for box in Sent Drafts Trash Archive; do
        [ -d "$dir/mail/$name/Maildir/.$box" ] || "$root/usr/bin/maildirmake.courier" -f "$box" "$dir/mail/$name/Maildir"
    done
done
chown -R "$uid:$gid" "$dir/mail"
cat > "$dir/etc/authdaemonrc" <<END
authmodulelist="authuserdb"
authmodulelistorig="authuserdb"
daemons=3
authdaemonvar=/run/courier/authdaemon
DEBUG_LOGIN=0
DEFAULTOPTIONS=""
LOGGEROPTS=""
END
cat > "$dir/start" <<END
set -eu
mount --bind "$dir/etc" /etc/courier
mount --bind "$dir/run" /run/courier
mount --bind "$root/usr/lib/courier-authlib" /usr/lib/courier-authlib
cd "$dir/etc"
make="$root/usr/lib/courier/courier/makedatprog"
"\$make" - userdb.tmp userdb.dat < userdb
"\$make" - userdbshadow.tmp userdbshadow.dat < userdbshadow
chmod 600 userdbshadow.dat
"$root/usr/lib/courier/courier-authlib/authdaemond" 2>>"$dir/log" &
# A sign-in before it listens is answered with a temporary error.
for _ in \$(seq 200); do
    [ -S /run/courier/authdaemon/socket ] && break
    sleep 0.1
done
set -a
. "$root/etc/courier/imapd"
TLS_PROTOCOL= IMAPLOGINTAG=imap IMAP_STARTTLS=NO
exec "$root/usr/sbin/couriertcpd" -address=127.0.0.1 -maxprocs=40 -maxperip=40 -nodnslookup -noidentlookup $port \
    "$root/usr/lib/courier/courier/imaplogin" "$root/usr/bin/imapd" Maildir 2>>"$dir/log"
END
exec unshare --mount --pid --fork --kill-child sh "$dir/start"
