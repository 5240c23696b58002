#!/bin/sh
# A private Radicale, in one folder, for one test: radicale.sh DIR PORT [over TLS: tls]
# It runs in the foreground. Users ana and ben, password 'secret'. Two instances can share a folder.
set -eu
dir=$1 port=$2 tls=${3:-}
safe=
if [ -n "$tls" ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
        -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -keyout "$dir/key.pem" -out "$dir/cert.pem" 2>/dev/null
    safe="ssl = True
certificate = $dir/cert.pem
key = $dir/key.pem"
fi
mkdir -p "$dir/store"
printf 'ana:secret\nben:secret\n' > "$dir/users"
cat > "$dir/config$tls" <<END
[server]
hosts = 127.0.0.1:$port
$safe
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
exec radicale --config "$dir/config$tls"
