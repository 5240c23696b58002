"""Runs the tests of `make test-faults` on the built program, and writes docs/reliability.md.

Usage: reliability.py HELIX OUT [MINUTES]: the approximate run time, half of it for faults.
"""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

helix, out, minutes = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 60
root = pathlib.Path(__file__).resolve().parent.parent
oracles = root / "Tests" / "Oracles"
venv = root / ".build" / "oracles" / "bin" / "python"
rows = []


def run(*command, env=None):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, env=dict(os.environ, **(env or {})))


def models(name, what, script, unit, python, count, share):
    """Runs a model with successive seeds for its share of the time."""
    until, seed, tried, failed = time.monotonic() + minutes * 60 * share, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            seed += 1
            result = run(python, oracles / script, helix, pathlib.Path(folder) / "model", seed, count)
            found = re.search(rf"{unit} (\d+)", result.stdout)
            tried += int(found[1]) if found else 0
            if result.returncode:
                failed += 1
                print(f"{name}, seed {seed}: {result.stdout[-1500:]}{result.stderr[-1500:]}", file=sys.stderr)
    rows.append((name, what, f"{tried:,}", failed, f"1–{seed}"))


def faults():
    share = min(1, max(0.02, minutes / 240))
    with tempfile.TemporaryDirectory() as folder:
        result = run("/usr/bin/python3", oracles / "fault_sweep.py", helix, pathlib.Path(folder) / "sweep", share)
    lines = result.stdout.splitlines()
    sums = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {"commands": 0, "faults": 0, "harm": 1}
    for line in lines:
        if line.startswith("HARM"):
            print(line, file=sys.stderr)
    print(result.stderr[-2000:], file=sys.stderr)
    rows.append(("Faults", f"kill -9, full disk, input/output errors and failing fsync at the writing system calls of {sums['commands']} commands, "
                 f"every {round(1 / share)}th call (two where there are fewer); the doctor and an independent look at tables and files after each", f"{sums['faults']:,}", sums["harm"], "–"))


def mail_model():
    tried, failed, seeds = 0, 0, 0
    until = time.monotonic() + minutes * 60 * 0.12
    while time.monotonic() < until:
        seeds += 1
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            environment = dict(HELIX_HOME=str(folder / "home"), HELIX_BACKGROUND="off", TZ="UTC", LANG="C.UTF-8")
            for box in ["", ".Old", ".Work"]:
                for part in ["cur", "new", "tmp"]:
                    (folder / "mail" / box / part).mkdir(parents=True)
            for number in range(30):
                (folder / "mail" / "cur" / f"170000{number:04d}.a.b:2,").write_text(
                    f"From: Ana <ana@example.org>\nSubject: model base {number}\nMessage-ID: <b{number}@x>\n\nwords\n")
            for command in (["config", "set", "user.email", "me@example.org"], ["account", "add", "home", "maildir", str(folder / "mail")]):
                run(helix, *command, env=environment)
            steps = 300
            running = [subprocess.Popen(["/usr/bin/python3", str(oracles / "mail_model.py"), helix, str(folder / "mail"), str(seeds * 10 + place), str(steps), kind],
                                        env=dict(os.environ, **environment), stderr=subprocess.PIPE, text=True)
                       for place, kind in enumerate(["helix", "index", "other", "helix"])]
            bad = [process.stderr.read() for process in running if process.wait()]
            tried += steps * len(running)
            run(helix, "mail", "index", env=environment)
            doctor = run(helix, "doctor", env=environment)
            if bad or doctor.returncode:
                failed += 1
                print(f"mail model, seed {seeds}: {bad} {doctor.stdout}", file=sys.stderr)
    rows.append(("One Maildir, four processes", "moves, marks, labels, drafts, deletions, undo and redo by two processes of helix, the index by a third, another mail "
                 "program's deliveries, marks, moves and deletions; files, rows, words and journal agree at the end", f"{tried:,} steps", failed, f"1–{seeds}"))


faults()
mail_model()
models("Undo and redo", "random changes over all kinds, all undone and made again; the store is what it was each time", "undo_model.py", "changes", "/usr/bin/python3", 80, 0.12)
models("Occurrences", "random calendars with rules, exceptions, moved occurrences and zones, against recurring-ical-events", "agenda_model.py", "occurrences", venv, 40, 0.1)
models("Searches", "random texts in several scripts, against a search that reads all of them", "search_model.py", "queries", "/usr/bin/python3", 100, 0.1)

table = "\n".join(f"| {name} | {what} | {tried} | {failed} | {seeds} |" for name, what, tried, failed, seeds in rows)
text = out.read_text() if out.exists() else ""
begin, end = "<!-- made by Tools/reliability.py -->", "<!-- end -->"
made = f"{begin}\n{datetime.date.today()}, release build.\n\n| what | how | tried | failed | seeds |\n|---|---|---|---|---|\n{table}\n{end}"
out.write_text(text[:text.index(begin)] + made + text[text.index(end) + len(end):] if begin in text else made + "\n")
print(table)
sys.exit(1 if any(row[3] for row in rows) else 0)
