#!/bin/sh
# Runs the built tests, and says at the end how many were skipped, and why: test.sh [arguments of swift test]
# Without arguments four processes share the tests: they wait for programs and servers for a third of their time, those of the
# gateway most.
# With HELIX_REQUIRE_SERVERS=1 it fails if a test was skipped because a server or a program is missing: all but the corpora, and
# what no package can install.
set -u
swift=${SWIFT:-swift}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# run NAME [arguments]: the tests, with their output; their status is kept in the file NAME.
run() {
    name=$1
    shift
    $swift test --skip-build --ignore-lock "$@" 2>&1
    echo $? > "$folder/$name"
}
# started NAME: waits until the tests run. Before that they lock the database of the build, and another process would find none.
started() {
    until [ -e "$folder/$1" ] || grep -q 'Test run started' "$folder/$1.log" 2>/dev/null; do sleep 0.2; done
}
if [ $# -gt 0 ]; then
    parts=all
    run all "$@" | tee "$folder/log"
else
    parts='first middle last rest'
    run rest --skip EndToEndTests > "$folder/rest.log" &
    started rest
    run middle --filter 'EndToEndTests\.[G-L]' > "$folder/middle.log" &
    started middle
    run last --filter 'EndToEndTests\.[M-Z]' > "$folder/last.log" &
    started last
    run first --filter EndToEndTests --skip 'EndToEndTests\.[G-Z]' | tee "$folder/log"
    wait
    cat "$folder/middle.log" "$folder/last.log" "$folder/rest.log" | tee -a "$folder/log"
fi
status=0
for part in $parts; do
    # A part that was killed has no status.
    ended=$(cat "$folder/$part" 2>/dev/null) || ended=1
    [ "$ended" = 0 ] || status=$ended
done
skipped() { sed -n "s/^➜ $1 .* skipped\(: \"\(.*\)\"\)\{0,1\}\.\{0,1\}$/\2/p" "$folder/log"; }
tests=$(skipped Test | wc -l)
suites=$(skipped Suite | wc -l)
if [ "$tests" -gt 0 ] || [ "$suites" -gt 0 ]; then
    echo "Skipped: $tests tests, $suites suites:"
    { skipped Test; skipped Suite; } | sed 's/^$/no reason given/' | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/  \2 (\1)/'
else
    echo "Skipped: none."
fi
# The failures once more at the end, where people and CI look: the issues of the tests, and programs that crashed.
if [ "$status" != 0 ]; then
    echo "Failed:"
    # Each with the lines that explain it, up to the next event of a test.
    awk '/^(✘ Test .* recorded an issue|error: |Fatal error|.*[Uu]nexpected signal)/ { left = 16 }
        /^(✔|◇|➜|✘ (Suite|Test run))/ { left = 0 }
        left > 0 { print; left -= 1 }' "$folder/log" | cut -c 1-600 | head -n 80
    for part in $parts; do echo "Status of part $part: $(cat "$folder/$part" 2>/dev/null || echo none)"; done
fi
if [ "${HELIX_REQUIRE_SERVERS:-}" = 1 ] && { skipped Test; skipped Suite; } | grep -qv 'corpora\|FUSE\|administrator'; then
    echo "A test was skipped because something is missing that this machine should have." >&2
    exit 1
fi
exit "$status"
