#!/bin/sh
# Installs the independent programs that the tests compare helix with or run against it, from PyPI, in a separate folder.
set -eu
folder=.build/oracles
wanted="recurring-ical-events==3.8.0 icalendar==6.3.1 openclaw-sdk==2.1.0 mcp==2.3.0 cryptography==50.0.2"
[ -e "$folder/done" ] && [ "$(cat "$folder/done")" = "$wanted" ] && exit 0
rm -rf "$folder"
/usr/bin/python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check $wanted
printf '%s' "$wanted" > "$folder/done"
