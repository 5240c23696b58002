#!/bin/sh
# Runs the built tests, and says at the end how many were skipped, and why: test.sh [arguments of swift test]
# With HELIX_REQUIRE_SERVERS=1 it fails if a test was skipped because a server or a program is missing.
set -u
swift=${SWIFT:-swift}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{
    $swift test --skip-build "$@" 2>&1
    echo $? > "$folder/status"
} | tee "$folder/log"
status=$(cat "$folder/status")
skipped() { sed -n "s/^➜ $1 .* skipped\(: \"\(.*\)\"\)\{0,1\}\.\{0,1\}$/\2/p" "$folder/log"; }
tests=$(skipped Test | wc -l)
suites=$(skipped Suite | wc -l)
if [ "$tests" -gt 0 ] || [ "$suites" -gt 0 ]; then
    echo "Skipped: $tests tests, $suites suites:"
    { skipped Test; skipped Suite; } | sed 's/^$/no reason given/' | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/  \2 (\1)/'
else
    echo "Skipped: none."
fi
if [ "${HELIX_REQUIRE_SERVERS:-}" = 1 ] && { skipped Test; skipped Suite; } | grep -qv corpora; then
    echo "A test was skipped because something is missing that this machine should have." >&2
    exit 1
fi
exit "$status"
