#!/usr/bin/env python3
"""Measure `helix mail` beside notmuch, mu and a C program on GMime and SQLite, and write a table.

    bench_mail.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-mail.md

50,000 messages in four mailboxes, made by generate_mail.py. Everything is measured in the same run.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from bench import Case, Program, Report, Stopwatch, first_line, machine

HERE = Path(__file__).resolve().parent
COUNT = 50_000


def once(command, environment):
    """Seconds and peak MB of one run; None if it fails."""
    begin = time.monotonic()
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return (time.monotonic() - begin, usage.ru_maxrss / 1024) if status == 0 else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--helix", required=True, metavar="PATH")
    arguments.add_argument("--work", required=True, type=Path, metavar="DIR")
    arguments.add_argument("--out", type=Path, metavar="FILE.md")
    arguments.add_argument("--count", type=int, default=COUNT)
    arguments.add_argument("--quick", action="store_true")
    options = arguments.parse_args()
    binary = str(Path(options.helix).resolve())
    folder = options.work.resolve() / "mail"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mail, home = folder / "Mail", folder / "helix"
    subprocess.run([sys.executable, HERE / "generate_mail.py", str(options.count), mail], check=True)
    subprocess.run(["make", "-s", "-C", HERE], stdout=sys.stderr)
    notmuch_config, mu_home = folder / "notmuch", folder / "mu"
    notmuch_config.write_text(f"[database]\npath={mail}\n[user]\nname=Ada\nprimary_email=ada@example.org\n"
                              "[new]\ntags=\n[search]\nexclude_tags=\n[maildir]\nsynchronize_flags=false\n")
    peers = {"NOTMUCH_CONFIG": str(notmuch_config), "HOME": str(folder)}
    own = {"HELIX_HOME": str(home)}

    # Twice each, in turn; the better of the two, because whatever else runs only ever adds.
    runs = {"helix": [], "C": [], "notmuch": [], "mu": []}
    rounds = 1 if options.quick else 2
    for _ in range(rounds):
        shutil.rmtree(home, ignore_errors=True)
        runs["helix"].append(once([binary, "account", "add", "bench", "maildir", str(mail)], own))
        runs["C"].append(once(["taskset", "-c", "0", str(HERE / "index_mail"), str(mail), str(folder / "c.db")], {}))
    for name, command in (("notmuch", ["notmuch", "new", "--quiet"]), ("mu", None)):
        if not shutil.which(name):
            continue
        if name == "mu":
            subprocess.run(["mu", "init", f"--muhome={mu_home}", f"--maildir={mail}"], capture_output=True, env={**os.environ, **peers})
            command = ["mu", "index", "--quiet", f"--muhome={mu_home}"]
        runs[name].append(once(command, peers))

    def best(name):
        found = [run for run in runs[name] if run]
        return min(found) if found else None

    report = Report(Stopwatch(120, options.quick))
    helix_run, c_run = best("helix"), best("C")
    lines = ["# Mail benchmarks", "",
             f"{machine()}; {first_line(['hyperfine', '--version'])}; {first_line(['notmuch', '--version'])}; "
             f"{first_line(['mu', '--version'])}; GMime {first_line(['pkg-config', '--modversion', 'gmime-3.0'])}; "
             f"SQLite {first_line(['pkg-config', '--modversion', 'sqlite3'])}.",
             f"{options.count:,} generated messages in four mailboxes. Times of the table are medians of many runs, those of the "
             "first index the better of two; a ratio is helix's time over the other's (below 1, helix is faster). "
             "**Bold** is over the limit.", "", "## The first index", ""]
    ratio = helix_run[0] / c_run[0] if helix_run and c_run else None
    if not ratio or ratio > 1.5:
        report.broken.append("first index: time")
    if not helix_run or helix_run[1] > 150:
        report.broken.append("first index: memory")
    shown = lambda run: f"{run[0]:.1f} s, {run[1]:.0f} MB" if run else "–"
    lines += ["| helix | C program on GMime and FTS5, one core | ratio, at most 1.5 | notmuch | mu |", "|---|---|---|---|---|",
              f"| {shown(helix_run)} (150 MB) | {shown(c_run)} | {f'{ratio:.2f}' if ratio else '–'} | "
              f"{shown(best('notmuch'))} | {shown(best('mu'))} |", "", "## Afterwards", ""]

    def helix(words, **rest):
        return Program(f"`helix {words}`", [binary, *shlex.split(words)], environment=own, **rest)

    def notmuch(words, **rest):
        return Program(f"`notmuch {words}`", ["notmuch", *shlex.split(words)], environment=peers, **rest)

    def mu(words, **rest):
        verb, *others = shlex.split(words)
        return Program(f"`mu {words}`", ["mu", verb, f"--muhome={mu_home}", *others], environment=peers, statuses=(0, 2, 4), **rest)

    found = subprocess.run([binary, "mail", "search", "meeting", "--ids", "--limit", "1"], env={**os.environ, **own},
                           capture_output=True, text=True).stdout.strip()
    deliver = ("n=$(date +%s%N); printf 'From: Neo <neo@example.com>\\nTo: ada@example.org\\nSubject: fresh %s\\nDate: %s\\n"
               "Message-ID: <%s@x>\\n\\nhello\\n' $n \"$(date -R)\" $n > \"$0/tmp/$n\" && mv \"$0/tmp/$n\" \"$0/new/$n.x\"")
    arrival = ["sh", "-c", deliver, str(mail)]
    ids = subprocess.run([binary, "mail", "search", "in:archive", "--ids", "--limit", "1000"], env={**os.environ, **own},
                         capture_output=True, text=True).stdout
    (folder / "ids").write_text(ids)
    mark = lambda word: f"HELIX_HOME={shlex.quote(str(home))} {shlex.quote(binary)} mail mark {word} - --no-index < {shlex.quote(str(folder / 'ids'))}"
    cases = [
        Case(helix("mail index"), 0.007, beside=[notmuch("new --quiet"), mu("index --quiet")]),
        Case(helix("mail list --limit 50", prepare=arrival), 0.030,
             beside=[Program("`notmuch new && notmuch search --limit=50 '*'`", ["sh", "-c", "notmuch new --quiet && notmuch search --limit=50 '*'"],
                             prepare=arrival, environment=peers)]),
        Case(helix("mail list --limit 50"), 0.007, beside=[notmuch("search --limit=50 '*'"), mu("find --maxnum=50 --sortfield=date --reverse ''")]),
        Case(helix("mail inbox --limit 50"), 0.007),
        Case(helix(f"mail read {found} --keep-unread"), 0.012),
        Case(helix("mail search meeting --limit 50"), 0.007, beside=[notmuch("search --limit=50 meeting"), mu("find --maxnum=50 --sortfield=date --reverse meeting")]),
        Case(helix("mail search violin --limit 50"), 0.007, beside=[notmuch("search --limit=50 violin"), mu("find --maxnum=50 --sortfield=date --reverse violin")]),
        Case(helix("mail search 'meeting violin' --limit 50"), 0.007, beside=[notmuch("search --limit=50 meeting violin")]),
        Case(helix("mail search '\"team meeting\"' --limit 50"), 0.007, beside=[notmuch("search --limit=50 '\"team meeting\"'")]),
        Case(helix("mail search from:anna --limit 50"), 0.007, beside=[notmuch("search --limit=50 from:anna"), mu("find --maxnum=50 --sortfield=date --reverse from:anna")]),
        Case(helix("mail search subject:meeting --limit 50"), 0.007, beside=[notmuch("search --limit=50 subject:meeting"), mu("find --maxnum=50 --sortfield=date --reverse subject:meeting")]),
        Case(helix("mail search meeting --by rank --limit 50"), 0.007),
        Case(helix("mail search has:attachment is:unread --limit 50"), 0.007),
        Case(helix("mail mailboxes"), None),
        Case(helix("mail people anna"), None),
        Case(helix("mail stats"), None),
        Case(Program("`helix mail mark starred -`, 1,000 messages", ["sh", "-c", mark("starred")], ["sh", "-c", mark("unstarred")]), 0.150,
             memory=40 * 1024 * 1024),
    ]
    rows = [report.measured(case, "mail") for case in cases]
    lines += report.table(["what", "helix", "limit", "compared with", "ratio", "memory"], rows)
    lines += ["", "Over a limit: " + ("; ".join(report.broken) if report.broken else "nothing") + "."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
