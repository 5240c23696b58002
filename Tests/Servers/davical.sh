#!/bin/sh
# A private DAViCal, in one folder, for one test: davical.sh DIR PORT (after Tools/foreign-servers.sh)
# It runs in the foreground: Apache, with a PostgreSQL that only it can reach and that exits with it. Users ana and ben, password
# 'secret'; each has a calendar at /caldav.php/NAME/calendar/ and an address book at /caldav.php/NAME/addresses/.
set -eu
dir=$1 port=$2
. "$(dirname "$0")/foreign.sh"
bin=/usr/lib/postgresql/15/bin modules=/usr/lib/apache2/modules
# The user who owns the database needs access, whatever the umask of the tests.
umask 022
mkdir -p "$dir/www/config" "$dir/run"
chmod 755 "$dir"
user=$(id -un) group=$(id -gn) as=
if [ "$(id -u)" = 0 ]; then
    user=nobody group=$(id -gn nobody)
    # PostgreSQL does not run as root.
    as="setpriv --reuid=$user --regid=$group --clear-groups"
    chown "$user:$group" "$dir/run"
fi
# DAViCal finds its settings relative to its own path, so it is copied beside them.
[ -d "$dir/www/htdocs" ] || cp -r "$root/usr/share/davical/htdocs" "$root/usr/share/davical/inc" "$root/usr/share/davical/locale" "$dir/www"
cat > "$dir/www/config/config.php" <<END
<?php
\$c->pg_connect[] = 'dbname=davical host=$dir/run user=$user';
\$c->admin_email = 'root@localhost';
\$c->enable_auto_schedule = true;
END
cat > "$dir/httpd.conf" <<END
ServerRoot $dir
ServerName 127.0.0.1
Listen 127.0.0.1:$port
PidFile $dir/httpd.pid
ErrorLog $dir/log
Mutex file:$dir/run default
LoadModule mpm_prefork_module $modules/mod_mpm_prefork.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule alias_module $modules/mod_alias.so
LoadModule dir_module $modules/mod_dir.so
LoadModule php_module $modules/libphp8.2.so
<IfDefine root>
User $user
Group $group
</IfDefine>
StartServers 2
MaxRequestWorkers 20
Timeout 30
GracefulShutdownTimeout 1
DocumentRoot $dir/www/htdocs
DirectoryIndex index.php
AcceptPathInfo On
RedirectMatch 301 ^/\\.well-known/(caldav|carddav)\$ /caldav.php/
<Directory $dir/www/htdocs>
Require all granted
</Directory>
<FilesMatch \\.php\$>
SetHandler application/x-httpd-php
</FilesMatch>
php_value include_path $root/usr/share/awl/inc
php_admin_value error_log $dir/run/php.log
php_admin_value default_charset utf-8
php_admin_flag display_errors off
php_admin_flag log_errors on
END
database="$dir/run/database"
new=
if [ ! -d "$database" ]; then
    new=yes
    $as "$bin/initdb" -D "$database" -A trust -E UTF8 --no-locale -N >/dev/null
fi
rm -f "$database/postmaster.pid"
# It exits when Apache exits or is killed.
(cd "$dir/run" && exec $as setpriv --pdeathsig INT "$bin/postgres" -D "$database" -k "$dir/run" -c listen_addresses= \
    -c fsync=off -c full_page_writes=off -c max_connections=50 -c shared_buffers=32MB 2>>"$dir/run/postgres.log") &
for _ in $(seq 600); do
    "$bin/pg_isready" -q -h "$dir/run" -U "$user" -d postgres && break
    sleep 0.05
done
sql() { PGOPTIONS=--client-min-messages=warning "$bin/psql" -qXAt -v ON_ERROR_STOP=1 -h "$dir/run" -U "$user" "$@" >/dev/null; }
if [ -n "$new" ]; then
    awl="$root/usr/share/awl/dba" dba="$root/usr/share/davical/dba"
    sql -c 'CREATE DATABASE davical' postgres
    sql -f "$awl/awl-tables.sql" -f "$awl/schema-management.sql" -f "$dba/davical.sql" -f "$dba/supported_locales.sql" \
        -f "$dba/views/dav_principal.sql" -f "$dba/caldav_functions.sql" -f "$dba/rrule_functions.sql" -f "$dba/base-data.sql" davical
    for name in ana ben; do
        sql davical <<END
WITH new AS (
  INSERT INTO usr (active, email_ok, updated, username, password, fullname, email)
  VALUES (true, current_date, current_date, '$name', '**secret', initcap('$name'), '$name@example.org') RETURNING user_no
), person AS (
  INSERT INTO principal (type_id, user_no, displayname, default_privileges)
  SELECT 1, user_no, initcap('$name'), privilege_to_bits(ARRAY['caldav:read-free-busy', 'CALDAV:schedule-deliver']) FROM new
)
INSERT INTO collection (user_no, parent_container, dav_name, dav_etag, dav_displayname, is_calendar, is_addressbook, created,
  modified, resourcetypes)
SELECT user_no, '/$name/', '/$name/' || place || '/', '-1', title, place = 'calendar', place <> 'calendar', current_timestamp,
  current_timestamp, '<DAV::collection/><urn:ietf:params:xml:ns:' || kind || '/>'
FROM new, (VALUES ('calendar', 'Calendar', 'caldav:calendar'), ('addresses', 'Addresses', 'carddav:addressbook')) AS box (place, title, kind);
END
    done
fi
rm -f "$dir/httpd.pid"
as_root= stay=NO_DETACH
[ "$(id -u)" != 0 ] || as_root=-Droot
# Apache kills its process group on exit, which must not be the caller's; a group leader cannot create a new group.
[ "$(ps -o pgid= -p $$ | tr -d ' ')" != $$ ] || stay=FOREGROUND
exec /usr/sbin/apache2 $as_root "-D$stay" -f "$dir/httpd.conf" 2>>"$dir/log"
