#!/bin/sh
# Tries a vault whose password is in GNOME's keyring: HELIX. It needs a bus (dbus-run-session) and a home with a task.
set -eu
helix=$1
printf 'login' | gnome-keyring-daemon --foreground --unlock --components=secrets > keyring.log 2>&1 &
keyring=$!
trap 'kill $keyring' EXIT
tries=0
# A call before it is there would start another one, with a window that asks for a password.
until dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
    string:org.freedesktop.secrets | grep -q 'boolean true'; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || exit 1
    sleep 0.1
done
printf 'the password of mail\n' | $helix account add work imap --address ana@example.org --imap-host localhost \
    --smtp-host localhost --keyring
test "$(secret-tool lookup service helix account work)" = 'the password of mail'
$helix doctor | grep "of 'work': in the system's keyring"
$helix vault create --key keyring --json > created.json < /dev/null
key=$(sed -n 's/.*"recoveryKey": "\([0-9a-f]*\)".*/\1/p' created.json)
$helix lock
$helix unlock < /dev/null
echo "opened by the keyring: $($helix tasks)"
# Another password, and then none.
$helix vault passphrase --key keyring < /dev/null
$helix lock
$helix unlock < /dev/null
$helix lock
secret-tool clear service helix-vault account "$HELIX_HOME"
if $helix unlock < /dev/null; then exit 1; else echo "refused without it: $?"; fi
printf '%s\nanother passphrase\n' "$key" | $helix vault passphrase --recovery
printf 'another passphrase\n' | $helix unlock
echo "opened by a passphrase: $($helix tasks)"
$helix vault remove --yes
