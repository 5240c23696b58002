#!/bin/sh
# A private SOGo, in one folder, for one test: sogo.sh DIR PORT [PORT of an SMTP server] (as root; Debian's sogo,
# memcached and postgresql)
# It runs in the foreground, with a PostgreSQL and a memcached that listen in DIR alone. DAV is at /SOGo/dav/. Users ana and ben,
# password 'secret', ana@example.org and ben@example.org. SOGo reads its settings from a fixed path, so it runs in a namespace in
# which that is a subfolder of DIR. All users can query each other's free/busy times.
set -eu
mkdir -p "$1"
dir=$(cd "$1" && pwd) port=$2 mail=${3:-}
# The user of its processes needs access, whatever the umask of the tests.
umask 022
chmod 755 "$dir"
mkdir -p "$dir/etc" "$dir/run"
tells=NO
[ -z "$mail" ] || tells=YES
# The folder of PostgreSQL's socket as a host name: without one SOGo never reuses a connection.
url="postgresql://sogo:sogo@$(printf %s "$dir/run" | sed 's|/|%2F|g')/postgres"
cat > "$dir/etc/sogo.conf" <<END
{
  WOPort = "127.0.0.1:$port";
  WOWorkersCount = 3;
  WONoDetach = YES;
  WOLogFile = "-";
  WOPidFile = "$dir/run/sogo.pid";
  SOGoMemcachedHost = "$dir/run/memcached";
  SOGoProfileURL = "$url/sogo_user_profile";
  OCSFolderInfoURL = "$url/sogo_folder_info";
  OCSSessionsFolderURL = "$url/sogo_sessions_folder";
  OCSStoreURL = "$url/sogo_store";
  OCSAclURL = "$url/sogo_acl";
  OCSCacheFolderURL = "$url/sogo_cache_folder";
  SOGoUserSources = ({ type = sql; id = users; viewURL = "$url/users"; canAuthenticate = YES; isAddressBook = YES;
    displayName = Users; userPasswordAlgorithm = none; });
  SOGoMailDomain = "example.org";
  SOGoTimeZone = UTC;
  SOGoLanguage = English;
  SOGoCalendarDefaultRoles = (PublicDAndTViewer, ConfidentialDAndTViewer);
  SOGoAppointmentSendEMailNotifications = $tells;
  SOGoMailingMechanism = smtp;
  SOGoSMTPServer = "smtp://127.0.0.1:${mail:-25}";
}
END
cat > "$dir/users.sql" <<END
CREATE TABLE IF NOT EXISTS users (c_uid text PRIMARY KEY, c_name text, c_password text, c_cn text, mail text);
INSERT INTO users VALUES ('ana', 'ana', 'secret', 'Ana', 'ana@example.org'), ('ben', 'ben', 'secret', 'Ben', 'ben@example.org')
    ON CONFLICT DO NOTHING;
END
chown -R nobody "$dir"
cat > "$dir/start" <<END
set -eu
mount --bind "$dir/etc" /etc/sogo
cd "$dir"
export HOME="$dir" PGHOST="$dir/run" PGUSER=sogo LC_ALL=C.UTF-8
as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
bin=\$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
[ -e db ] || { rm -rf db.new && \$as "\$bin/initdb" -D db.new -U sogo -A trust -N -E UTF8 --locale=C >/dev/null && mv db.new db; }
# Files left by a server that was killed.
rm -f db/postmaster.pid run/.s.PGSQL.* run/memcached run/sogo.pid
\$as "\$bin/postgres" -D db -k "$dir/run" -c listen_addresses= -c fsync=off 2>>log.postgres &
\$as memcached -s run/memcached -m 16 2>>log.memcached &
for _ in \$(seq 200); do
    \$as "\$bin/psql" -q -f users.sql postgres 2>/dev/null && break
    sleep 0.1
done
\$as /usr/sbin/sogod >>log 2>&1
END
# The first request for a calendar creates it; until then its user cannot be invited.
(
    for name in ana ben; do
        for _ in $(seq 100); do
            curl -sf --max-time 5 --user "$name:secret" --request PROPFIND --header 'Depth: 0' \
                "http://127.0.0.1:$port/SOGo/dav/$name/Calendar/personal/" >/dev/null 2>&1 && break
            sleep 0.1
        done
    done
) &
# All processes exit when this one exits or is killed.
setpriv --pdeathsig=KILL unshare --mount-proc --pid --fork --kill-child sh "$dir/start" &
trap 'kill -KILL $!' TERM INT
wait "$!"
