"""Writes docs/servers.md: runs the suites that need a server, and lists the tests that each server passed: servers.py OUT

The tests must be built. Servers that are not installed are listed, and have no column."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITES = [
    "ForeignServerTests", "ForeignServerHazardTests", "ForeignCalendarTests", "PostfixTests", "ServerHabitTests", "GmailTests",
    "JMAPHabitTests", "CalendarServerHabitTests", "CalendarServerFaultTests", "ServerSchedulingTests",
]
VERSIONS = {
    "dovecot": ["/usr/sbin/dovecot", "--version"],
    "cyrus": ["sh", "-c", "ls .build/servers/usr/share/doc/cyrus-common >/dev/null && apt-cache show cyrus-imapd | sed -n 's/^Version: //p' | head -1"],
    "jmap": ["sh", "-c", "ls .build/servers/usr/share/doc/cyrus-common >/dev/null && echo '(Cyrus)'"],
    "courier": ["sh", "-c", "apt-cache show courier-imap | sed -n 's/^Version: //p' | head -1"],
}
CALENDARS = {
    "radicale": ["radicale", "--version"],
    "xandikos": ["sh", "-c", "dpkg-query -W -f='${Version}' xandikos"],
    "cyrus": VERSIONS["cyrus"],
    "davical": ["sh", "-c", "apt-cache show davical | sed -n 's/^Version: //p' | head -1"],
    "sogo": ["sh", "-c", "dpkg-query -W -f='${Version}' sogo"],
}


TITLES = {"jmap": "JMAP", "davical": "DAViCal", "sogo": "SOGo"}


def words(name):
    """`aDraftIsOneDraft` as `a draft is one draft`."""
    splits = r"(?<=[a-z0-9])([A-Z])|(?<=[A-Z])([A-Z])(?=[a-z])"
    return re.sub(splits, lambda match: " " + (match[1] or match[2]).lower(), name).capitalize()


def version(server, commands):
    try:
        return subprocess.run(commands[server], capture_output=True, text=True, cwd=ROOT).stdout.split("\n")[0].strip()
    except OSError:
        return ""


def main(out):
    run = subprocess.run(
        ["swift", "test", "--skip-build", "--filter", "|".join(SUITES)], capture_output=True, text=True, cwd=ROOT)
    text = run.stdout + run.stderr
    missing = set(re.findall(r"\w+", " ".join(re.findall(r"not tried, because they are not installed: (.*)", text))))
    failed, cases = set(), {}
    for match in re.finditer(r"✘ Test (\w+)\([^)]*\) recorded an issue with 1 argument \w+ → (.*?) at ", text):
        failed.add((match[1], match[2].strip('."')))
    for match in re.finditer(r"✘ Test (\w+)\(\) recorded", text):
        failed.add((match[1], ""))
    for match in re.finditer(r"Test case passing 1 argument (\w+) → (.*?) to (\w+)\(", text):
        cases.setdefault(match[3], []).append((match[1], match[2].strip('."')))
    passed = set(re.findall(r"✔ Test (\w+)\(", text)) | set(re.findall(r"✘ Test (\w+)\(", text))
    lines = [
        "# Servers", "",
        "Results of the last run of `make servers`. The test steps are identical for all servers, and a separate client checks the results",
        "(Python's imaplib and http.client). mbsync and vdirsyncer run at the same time.",
    ]
    for title, commands in (("Mail", VERSIONS), ("Calendars and tasks", CALENDARS)):
        servers = [name for name in commands if name not in missing]
        lines += [
            "", f"## {title}", "",
            "| | " + " | ".join(f"{TITLES.get(name, name.capitalize())} {version(name, commands)}" for name in servers) + " |",
            "|---|" + "---|" * len(servers),
        ]
        for name, found in cases.items():
            tried = {server for kind, server in found if kind == "kind"}
            # A test that ran on a server without mail is a calendar test, any other one a mail test.
            if not tried or ("radicale" in tried or "davical" in tried) != (commands is CALENDARS):
                continue
            marks = ["✗" if (name, server) in failed else "✓" if server in tried else "–" for server in servers]
            lines.append(f"| {words(name)} | " + " | ".join(marks) + " |")
    lines += ["", "## Protocol variants", "",
              "Servers in memory (`Tests/Servers/imap.py`, `dav.py`, `jmap.py`) omit values, repeat them, or send them in another order or form; these",
              "variants are explained in those files.", "", "| protocol variant | passed |", "|---|---|"]
    for name, found in cases.items():
        for kind, habit in found:
            if (kind, name) in (("habit", "bothSidesMeetWhateverAServerLeavesOut"), ("habits", "bothSidesMeetWhateverAServerDoes")):
                title = ("JMAP: " if kind == "habits" else "") + (habit or "none")
                lines.append(f"| {title} | {'✗' if (name, habit) in failed else '✓'} |")
    lines += ["", "## Other tests", "", "| test | passed |", "|---|---|"]
    for name in sorted(passed - set(cases)):
        if name not in ("serversThatAreNotHereAreNamed", "calendarServersThatAreNotHereAreNamed"):
            lines.append(f"| {words(name)} | {'✗' if (name, '') in failed else '✓'} |")
    if missing:
        lines += ["", f"Not installed in that run: {', '.join(sorted(missing))}."]
    lines += ["", "Dovecot, Radicale and Xandikos are tested by further suites as well: docs/sync.md lists them. Mail is sent by Postfix.",
              "Gmail, Exchange and iCloud are tested only as far as servers in memory imitate them.", ""]
    Path(out).write_text("\n".join(lines))
    print(f"{len(failed)} failed")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
