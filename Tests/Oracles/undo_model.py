"""Changes everything at random, undoes all of it and makes it again; the store must be what it was each time.

Usage: undo_model.py HELIX FOLDER SEED STEPS
"""

import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys

helix, folder, seed, steps = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(seed)
shutil.rmtree(folder, ignore_errors=True)
home = folder / "home"
for part in ["cur", "new", "tmp"]:
    (folder / "mail" / part).mkdir(parents=True)
for number in range(5):
    (folder / "mail" / "cur" / f"170000000{number}.a.b:2,").write_text(
        f"From: Ana <ana@example.org>\nSubject: m{number}\nMessage-ID: <m{number}@x>\nDate: Tue, 17 Nov 2026 09:00:00 +0000\n\nwords\n")
environment = dict(os.environ, HELIX_HOME=str(home), HELIX_NOW="2026-11-18T10:20:00", TZ="UTC", LANG="C.UTF-8", HELIX_BACKGROUND="off")


def run(*command):
    result = subprocess.run([helix, *command], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL, cwd=folder)
    if result.returncode not in (0, 64, 66, 80):
        raise SystemExit(f"{command}: {result.returncode} {result.stderr}")
    return result


def ids(*command):
    return [json.loads(line)["id"] for line in run(*command, "--jsonl", "--fields", "id").stdout.splitlines() if line.startswith("{")]


def state():
    store = sqlite3.connect(f"file:{home}/helix.db?mode=ro", uri=True)
    try:
        return {name: sorted(map(str, store.execute(sql))) for name, sql in {
            "calendar": "SELECT id, name, color, is_hidden FROM calendar", "event": "SELECT id, calendar, uid, text FROM event",
            "task": "SELECT id, state, column_id, rank, priority, due, tags, title, project, notes, blockers, blocking FROM task",
            "time": "SELECT id, start, \"end\", title, tags, project FROM time_entry", "link": "SELECT a, b, kind FROM link",
            "project": "SELECT id, name, status, notes FROM project", "board": "SELECT id, name FROM board",
            "column": "SELECT id, name, wip_limit FROM board_column", "view": "SELECT name, filter FROM saved_view",
            "message": "SELECT id, flags, labels, mailbox, subject FROM message", "chat": "SELECT id, content, is_deleted FROM chat_message",
            "conversation": "SELECT id, name, is_archived, is_muted FROM conversation",
            "occurrence": "SELECT o.start, o.\"end\", e.id FROM occurrence o JOIN event e ON e.n = o.event"}.items()}
    finally:
        store.close()


def step(number):
    tasks, events, times, mails = ids("tasks", "list"), ids("cal", "search", "word"), ids("time", "log", "today"), ids("mail", "list")
    some = lambda pool: chance.choice(pool) if pool else "zzzz"
    hour = chance.randrange(8, 18)
    return run(*chance.choice([
        ["tasks", "add", f"word {number} +tag{number % 3} due:fri"], ["tasks", "edit", some(tasks), f"priority:{chance.choice(['high', 'low'])}", f"word {number}"],
        ["tasks", "done", some(tasks)], ["tasks", "delete", some(tasks), "--yes"], ["tasks", "move", some(tasks), "doing"],
        ["tasks", "depend", some(tasks), some(tasks)], ["cal", "add", f"word {number} tomorrow {hour}:00"],
        ["cal", "add", f"word {number} mon {hour}:00", "--repeat", "weekly"], ["cal", "move", some(events), f"2026-12-0{1 + number % 9} {hour}:30"],
        ["cal", "edit", some(events), "--title", f"word changed {number}"], ["cal", "delete", some(events), "--yes"],
        ["cal", "calendars", "add", f"c{number}"], ["time", "add", f"{hour}:00-{hour}:20", f"word {number}", "--adjust"],
        ["time", "delete", some(times), "--yes"], ["projects", "add", f"p{number}"], ["mail", "move", some(mails), "--to", f"Box{number % 3}", "--create"],
        ["mail", "mark", chance.choice(["read", "unread", "starred"]), some(mails)], ["mail", "label", some(mails), f"+l{number % 2}"],
        ["mail", "delete", some(mails), "--yes"], ["chat", "new", f"Room {number}"], ["chat", "send", f"Room {max(0, number - chance.randrange(6))}", f"words {number}"],
        ["link", some(tasks), some(events)], ["tasks", "view", "save", f"v{number % 4}", "due:fri"], ["tasks", "columns", "edit", "doing", "--limit-to", str(1 + number % 5)],
    ]))


run("account", "add", "home", "maildir", str(folder / "mail"))
run("mail", "index")
# What is there before anything is changed, the first calendar and board among it.
run("cal", "add", "word first today 9:00")
run("tasks", "add", "word first")
states = [state()]
done = 0
for number in range(steps):
    step(number)
    now = state()
    if now != states[-1]:
        states.append(now)
        done += 1


def walk(command, place, step, last):
    """Goes back or forth through all states; says whether each is as it was. Changes of the same content leave the same state."""
    while place != last:
        result = run(command)
        if result.returncode:
            print(f"{command} refused at {place}: {result.stderr}")
            return False
        now = state()
        if now == states[place]:
            continue
        place += step
        if now != states[place]:
            different = [name for name in now if now[name] != states[place][name]]
            print(f"seed {seed}: {command} to {place}: {different} differ: {[(set(now[n]) ^ set(states[place][n])) for n in different][:1]}")
            return False
    return True


end = len(states) - 1
wrong = 0 if walk("undo", end, -1, 0) and walk("redo", 0, 1, end) else 1
doctor = run("doctor") if not wrong else None
print(f"changes {done}")
sys.exit(1 if wrong or doctor and doctor.returncode else 0)
