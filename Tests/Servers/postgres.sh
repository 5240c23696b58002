#!/bin/sh
# A PostgreSQL on loopback, in one folder, for tests: postgres.sh DIR PORT [standby=PORT] [SETTING=VALUE ...]
# With standby=PORT it is a copy of the server at that port, and follows it.
# The role helix owns it and needs no password there; it ends with the process that started this script.
set -eu
dir=$1 port=$2
shift 2
PATH=$PATH:/usr/lib/postgresql/15/bin
# The user who owns the database needs access, whatever the umask of the tests.
umask 022
mkdir -p "$dir/run"
chmod 755 "$dir"
as=
if [ "$(id -u)" = 0 ]; then
    # PostgreSQL does not run as root.
    user=nobody
    as="setpriv --reuid=$user --regid=$(id -gn $user) --clear-groups"
    chown "$user:$(id -gn $user)" "$dir/run"
fi
cd "$dir/run"
data=$dir/run/data
case "${1:-}" in
standby=*)
    [ -d "$data" ] || $as pg_basebackup -D "$data" -h 127.0.0.1 -p "${1#*=}" -U helix -R -X stream --checkpoint=fast --no-sync
    shift
    ;;
*) [ -d "$data" ] || $as initdb -D "$data" -U helix -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null ;;
esac
# The last value of a setting counts.
set -- fsync=off synchronous_commit=on max_connections=200 unix_socket_directories="$dir/run" listen_addresses=127.0.0.1 "$@"
options=
for setting in "$@"; do options="$options -c $setting"; done
$as postgres -D "$data" -p "$port" $options >"$dir/log.txt" 2>&1 &
server=$!
stop() {
    kill -QUIT "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    exit 0
}
trap stop TERM INT
while kill -0 "$PPID" 2>/dev/null && kill -0 "$server" 2>/dev/null; do
    sleep 0.5 &
    wait $! || true
done
stop
