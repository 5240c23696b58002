#!/usr/bin/env python3
"""Measure `helix tasks`, `time`, `today` and `status` beside Taskwarrior and Timewarrior, and write a table.

    bench_tasks.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-tasks.md

20,000 tasks of five years, two fifths of them open and an eighth of those waiting for others, a board of 300 open cards, and
50,000 time entries of ten years beside a calendar of 20,000 events, all made from fixed seeds. Everything is measured in the same run, by hyperfine.
"""

import argparse
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import uuid
from datetime import datetime, timedelta
from pathlib import Path

import vocabulary
from bench import HERE, Case, Program, Report, Stopwatch, first_line, machine

TASKS = 20_000
ENTRIES = 50_000
VOCABULARY = vocabulary.text([])
STAMP = "%Y%m%dT%H%M%SZ"
NOW = datetime(2026, 11, 21, 9)


PROJECTS = ["house", "house.garden", "house.kitchen", "work", "work.site", "work.shop", "work.site.north", "club", "taxes", "travel",
            "health", "reading", "website", "music", "car", "archive"]
TAGS = ["phone", "errand", "deep", "billing", "waiting_for", "quick", "bug", "idea", "home", "someday"]
VERBS = ["Call", "Write", "Fix", "Order", "Review", "Plan", "Pay", "Draft", "Clean", "Send"]
THINGS = ["invoice", "boiler", "report", "garden", "slides", "offer", "bicycle", "contract", "server", "translation"]


def words(rng, least, most):
    return " ".join(rng.choices(VOCABULARY[0], cum_weights=VOCABULARY[1], k=rng.randint(least, most)))


def tasks(count, rng):
    made, waiting = [], []
    for index in range(count):
        is_open = rng.random() < 0.4
        entry = NOW - timedelta(days=5 * 365 * (1 - index / count), seconds=rng.randrange(30_000))
        task = {"uuid": str(uuid.UUID(int=rng.getrandbits(128), version=4)),
                "description": f"{rng.choice(VERBS)} {rng.choice(THINGS)} {index} {words(rng, 0, 5)}".strip(),
                "entry": entry.strftime(STAMP), "status": "pending" if is_open else "completed", "project": rng.choice(PROJECTS)}
        if not is_open:
            task["end"] = min(NOW, entry + timedelta(days=rng.expovariate(0.1))).strftime(STAMP)
        if rng.random() < 0.75:
            task["tags"] = rng.sample(TAGS, rng.choice([1, 1, 2, 3]))
        if rng.random() < 0.5:
            due = NOW + timedelta(days=rng.gauss(10, 30)) if is_open else entry + timedelta(days=rng.randint(1, 40))
            task["due"] = due.strftime(STAMP)
        if rng.random() < 0.5:
            task["priority"] = rng.choice("HML")
        if rng.random() < 0.2:
            task["annotations"] = [{"entry": task["entry"], "description": words(rng, 6, 18)}]
        if is_open and waiting and rng.random() < 0.12:
            task["depends"] = sorted({rng.choice(waiting[-50:]) for _ in range(rng.choice([1, 1, 2]))})
        if is_open:
            waiting.append(task["uuid"])
        made.append(task)
    for task in [t for t in made if t["status"] == "pending"][:125]:
        task["project"] = "bulk"
    return made


def entries(count, rng):
    made, slot = [], 10 * 365 * 86_400 // (count + 10)
    at = NOW - timedelta(seconds=slot * (count + 10))
    for number in range(count):
        length = rng.randrange(60, slot - 30)
        made.append({"id": count - number, "start": at.strftime(STAMP), "end": (at + timedelta(seconds=length)).strftime(STAMP),
                     "tags": sorted({rng.choice(PROJECTS), *rng.sample(TAGS, rng.choice([0, 1, 2]))})}
                    | ({"annotation": words(rng, 3, 7)} if rng.random() < 0.1 else {}))
        at += timedelta(seconds=slot)
    return made


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--helix", required=True, metavar="PATH", help="the binary to measure")
    arguments.add_argument("--work", required=True, type=Path, metavar="DIR", help="where data and stores are made")
    arguments.add_argument("--out", type=Path, metavar="FILE.md", help="write the report here too")
    arguments.add_argument("--quick", action="store_true", help="few runs, for a first look")
    options = arguments.parse_args()
    binary = str(Path(options.helix).resolve())
    folder = options.work.resolve() / "tasks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rng = random.Random(20261121)
    all_tasks = tasks(TASKS, rng)
    cards = [t for t in tasks(1_400, rng) if t["status"] == "pending"][:300]
    for card in cards:
        card.pop("depends", None)
    (folder / "tasks.json").write_text(json.dumps(all_tasks))
    (folder / "cards.json").write_text(json.dumps(cards))
    (folder / "time.json").write_text(json.dumps(entries(ENTRIES, rng)))
    home, fresh = folder / "helix", folder / "fresh"
    task_home, timew_home = folder / "task", folder / "timew"
    task_home.mkdir()
    (timew_home / "data").mkdir(parents=True)
    (timew_home / "timewarrior.cfg").write_text("")
    (task_home / "taskrc").write_text(f"data.location={task_home}\nconfirmation=no\nhooks=off\nverbose=nothing\n")

    def helix(words, home=home, **rest):
        return Program(f"`helix {words}`".replace(str(folder) + "/", ""), [binary, *shlex.split(words)],
                       environment={"HELIX_HOME": str(home)}, **rest)

    def task(words):
        return Program(f"`task {words}`", ["task", *shlex.split(words)], environment={
            "TASKDATA": str(task_home), "TASKRC": str(task_home / "taskrc")}, statuses=(0, 1))

    def timew(words, **rest):
        return Program(f"`timew {words}`", ["timew", *shlex.split(words)],
                       environment={"TIMEWARRIORDB": str(timew_home)}, statuses=(0, 1, 255), **rest)

    def run(program):
        done = subprocess.run(program.command, env={**os.environ, "TZ": "Europe/Rome", "LC_ALL": "C.UTF-8",
                                                    "HELIX_NOW": "2026-11-21T10:00:00", **program.environment},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in program.statuses:
            # What follows would be measured on an empty store.
            sys.exit(f"bench_tasks.py: {program.name}: {done.stderr[-300:]}")
        return done.stdout

    run(helix(f"tasks import {folder}/tasks.json"))
    run(helix(f"tasks import {folder}/cards.json --board team"))
    run(helix(f"time import {folder}/time.json"))
    subprocess.run([sys.executable, HERE / "generate.py", "20000", folder / "events.ics"], check=True)
    run(helix(f"cal import {folder}/events.ics --on-conflict allow"))
    found = run(helix("tasks list board:main --ids"))
    ids = found.split()
    if shutil.which("task"):
        run(task(f"import {folder}/tasks.json"))
    if shutil.which("timew"):
        lines = {}
        for entry in json.loads((folder / "time.json").read_text()):
            tag = entry["tags"][0]
            tag = f'"{tag}"' if " " in tag else tag
            lines.setdefault(entry["start"][:6], []).append(f"inc {entry['start']} - {entry['end']} # {tag}\n")
        for month, text in lines.items():
            (timew_home / "data" / f"{month[:4]}-{month[4:]}.data").write_text("".join(text))
    environment = {"HELIX_HOME": str(home)}
    one = ids[len(ids) // 2] if ids else "none"

    def prepared(words, *first):
        script = "; ".join(shlex.join([binary, *shlex.split(line)]) + " >/dev/null 2>&1" for line in first)
        return Program(f"`helix {words}`", [binary, *shlex.split(words)], ["sh", "-c", f"HELIX_HOME={shlex.quote(str(home))} TZ=Europe/Rome HELIX_NOW=2026-11-21T10:00:00; export HELIX_HOME TZ HELIX_NOW; {script}; true"],
                       environment)

    stopwatch = Stopwatch(120, options.quick)
    report = Report(stopwatch)
    cases = [
        Case(helix("tasks list --limit 50"), 0.008, beside=[task("list limit:50")]),
        Case(helix("tasks next --limit 10"), 0.008, beside=[task("next limit:10")]),
        Case(helix("tasks list 'project:work priority>=medium due<2026-12-10 +billing'"), 0.016,
             beside=[task("project:work due.before:2026-12-10 +billing list")]),
        Case(helix("tasks search invoice"), None),
        Case(helix("tasks board --board team"), 0.020),
        Case(helix("tasks add 'Bench +phone project:house due:fri'"), 0.008, beside=[task("add Bench +phone project:house")]),
        Case(prepared(f"tasks move {one} doing", f"tasks move {one} todo"), 0.014),
        Case(prepared(f"tasks done {one}", f"tasks reopen {one}"), 0.014),
        Case(prepared("tasks edit project:bulk +bench", "tasks edit project:bulk -bench"), 0.050),
        Case(helix(f"tasks import {folder}/tasks.json", fresh, prepare=["rm", "-rf", str(fresh)]), 0.500, memory=150 * 1024 * 1024),
        Case(prepared("time start Work", "time cancel"), 0.012),
        Case(prepared("time stop", "time cancel", "undo", "time cancel", "time start Work --at 9:59 --adjust"), 0.012),
        Case(helix("time report"), 0.014, beside=[timew("summary 2026-11-16 - 2026-11-23")]),
        Case(helix("time report 2026"), 0.020),
        Case(helix("time report 2026 --by project"), 0.040, beside=[timew("summary 2026-01-01 - 2027-01-01")]),
        Case(helix("today"), 0.010),
        Case(helix("status"), 0.008),
    ]
    head = ["what", "helix", "limit", "compared with", "ratio", "memory"]
    rows = [report.measured(case, "tasks") for case in cases]
    lines = ["# Task and time benchmarks", "",
             f"{machine()}; {first_line(['hyperfine', '--version'])}; Taskwarrior {first_line(['task', '--version'])}; "
             f"Timewarrior {first_line(['timew', '--version'])}.",
             f"{TASKS:,} tasks, {sum(t['status'] == 'pending' for t in all_tasks):,} of them open, {ENTRIES:,} time entries, "
             "20,000 events, a board of 300 open cards. Times are medians; a ratio is helix's time over the other's (below 1, helix is "
             "faster); memory is the peak of one run. **Bold** is over the limit."]
    lines += report.table(head, rows)
    lines += ["", "Over a limit: " + ("; ".join(report.broken) if report.broken else "nothing") + "."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
