#!/bin/sh
# A Radicale of one's own, in one folder, for one test: radicale.sh DIR PORT
# It stays in the foreground. Users ana and ben, password 'secret'.
set -eu
dir=$1 port=$2
mkdir -p "$dir/store"
printf 'ana:secret\nben:secret\n' > "$dir/users"
cat > "$dir/config" <<END
[server]
hosts = 127.0.0.1:$port
[auth]
type = htpasswd
htpasswd_filename = $dir/users
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = $dir/store
[logging]
level = error
END
exec radicale --config "$dir/config"
