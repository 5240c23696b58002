"""Breaks every command that changes anything at its system calls, and looks at what is left.

Usage: fault_sweep.py HELIX FOLDER SHARE [WORD…]

The commands come from the command tree: each example in the help of a command is tried on a home that has something of
everything, with real ids in the place of the help's. What writes is then run again and again: killed, with a full disk, with
an input/output error, and with fsync failing, at SHARE of its writing calls (1 for all). After each run the doctor must find
nothing, the tables must be as before the command or as after it, and what the command said must be true. WORDs choose
commands. Standard output: one line a command with counts, one for each fault that did harm, and a line with the sums.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time

helix, folder, share, words = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
CALLS = "pwrite64,write,rename,renameat,renameat2,link,unlink,ftruncate,fdatasync,fsync,mkdir"
SYNCS = "fdatasync,fsync"
folder.mkdir(parents=True, exist_ok=True)
home, base, work = folder / "home", folder / "base", folder / "work"
environment = dict(os.environ, HELIX_HOME=str(home), HELIX_NOW="2026-11-18T10:20:00", TZ="UTC", LANG="C.UTF-8",
                   HELIX_BACKGROUND="off", EDITOR="true", VISUAL="true", HELIX_PAGER="cat")


def run(*command, prefix=(), check=False, **options):
    result = subprocess.run([*prefix, helix, *command], capture_output=True, text=True, env=environment, cwd=work,
                            stdin=subprocess.DEVNULL, errors="replace", timeout=120, **options)
    if check and result.returncode:
        raise SystemExit(f"{command}: {result.stderr}")
    return result


def build():
    """A home with something of everything."""
    for path in (home, base, work):
        shutil.rmtree(path, ignore_errors=True)
    home.mkdir()
    work.mkdir()
    mail = folder / "mail"
    shutil.rmtree(mail, ignore_errors=True)
    for box in ["", ".Old", ".Projects.House"]:
        for part in ["cur", "new", "tmp"]:
            (home / "maildir" / box / part).mkdir(parents=True)
    for number in range(6):
        text = (f"From: Ana <ana@example.org>\nTo: me@example.org\nSubject: Message {number}\nMessage-ID: <m{number}@example.org>\n"
                f"Date: Tue, 17 Nov 2026 0{number}:00:00 +0000\n\nwords {number} invoice\n")
        (home / "maildir" / "cur" / f"170000001{number}.a.b:2,").write_text(text)
    for name, text in (("holidays.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:h1\r\nDTSTART;VALUE=DATE:20261225\r\nSUMMARY:Christmas\r\n"
                        "RRULE:FREQ=YEARLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"), ("plan.pdf", "a plan"), ("hydro.pdf", "a receipt"),
                       ("old.mbox", "".join(
                            f"From a Thu Jan  1 00:00:0{n} 1970\nFrom: Bo <bo@example.org>\nSubject: Old one {n}\nMessage-ID: <o{n}@x>\n\nold\n\n"
                            for n in range(4)))):
        (work / name).write_text(text)
    for command in (
            "config set user.email me@example.org", "cal calendars add work green", "cal calendars add holidays", "cal calendars add old",
            "cal add 'Team meeting tomorrow 9:00-10:00'", "cal add 'Standup mon 9:00-9:15' --repeat weekly",
            "tasks boards add house", "tasks boards add empty", "tasks columns add spare", "tasks columns add review --before done", "projects add house --rate 48 --budget-hours 100",
            "projects blocks add house Demolition", "projects blocks add house Rough-in", "projects blocks add house Finish",
            "projects material add house 'Copper pipe' 12 m 4.80", "projects attach house hydro.pdf",
            "tasks add 'Paint the fence project:house due:fri'", "tasks add 'Buy paint +phone'", "tasks add 'Call Bo'",
            "tasks view save mine 'assignee:me'", "time add 8:00-9:00 Plan", "time add 9:00-9:30 Talk", "time start Review",
            f"account add home maildir {home}/maildir", "mail search save bills subject:invoice",
            "mail new --to bo@example.org -s Draft -b text --draft --account home",
            "mail mailboxes add Bare --account home", "chat new Notes", "chat new House", "chat send Notes 'first words'", "link 1 2"):
        run(*shlex.split(command))
    run("mail", "index", check=True)
    shutil.copytree(home, base, symlinks=True)


def ids(*command):
    lines = run(*command, "--jsonl", "--fields", "id").stdout.splitlines()
    return [json.loads(line)["id"] for line in lines if line.startswith("{")]


def restore():
    # A process that was killed may be writing its last still.
    for _ in range(50):
        shutil.rmtree(home, ignore_errors=True)
        if not home.exists():
            break
        time.sleep(0.02)
    shutil.copytree(base, home, symlinks=True)


def leaves(command, path=()):
    path = path + (command["commandName"],) if command["commandName"] != "helix" else ()
    inner = [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help"]
    if not inner:
        yield path, command.get("discussion") or ""
    for sub in inner:
        yield from leaves(sub, path)


def substitutes():
    """Ids by the noun whose help names them."""
    tasks, events, messages = ids("tasks", "list"), ids("cal", "search", "meeting", "standup") or ids("cal", "agenda", "today", "14d"), ids("mail", "list")
    drafts, times = ids("mail", "drafts"), ids("time", "log", "today")
    chat, files, materials = ids("chat", "show", "Notes"), ids("projects", "files", "list", "house"), ids("projects", "material", "list", "house")
    messages = [one for one in messages if one not in drafts]
    return {"tasks": tasks, "cal": events, "mail": messages, "time": times, "chat": chat, "draft": drafts, "files": files,
            "material": materials, "link": tasks, "unlink": tasks, "show": tasks}


def examples():
    tree = json.loads(run("--experimental-dump-help").stdout)
    known = substitutes()
    for path, discussion in leaves(tree["command"]):
        if words and not any(word in " ".join(path) for word in words):
            continue
        if path[0] in ("gateway", "completions", "schema", "sync") or path[:2] in (("chat", "open"), ("chat", "follow")):
            continue
        for line in discussion.splitlines():
            line = line.strip()
            if not line.startswith("helix ") or "--watch" in line or "|" in line or ">" in line or "<" in line.replace("<ana", ""):
                continue
            noun = "draft" if path in (("mail", "send"), ("mail", "edit"), ("mail", "discard")) else \
                "files" if path[:2] == ("projects", "files") else "material" if path[:2] == ("projects", "material") else path[0]
            pool = known.get(noun, known["tasks"])
            try:
                parts = shlex.split(line)[1:]
            except ValueError:
                continue
            order = {"k3f7": 0, "x2b9": 1, "m2pa": 1}
            parts = [pool[order[part]] if part in order and len(pool) > order[part] else part for part in parts]
            parts = [str(folder / "backup.db") if part.startswith("~/helix-") else part for part in parts]
            yield path, parts
    paths = [path for path, _ in leaves(tree["command"])]
    for line in EXTRA.splitlines():
        parts = shlex.split(line)
        path = max((path for path in paths if tuple(parts[:len(path)]) == path), key=len)
        if not words or any(word in " ".join(path) for word in words):
            yield (*path, "2"), parts


# Commands that write and whose help has no example that runs here.
EXTRA = """tasks boards add garden
tasks boards rename house home
tasks boards delete empty
tasks boards default house
tasks columns delete spare
tasks view delete mine
mail search delete bills
mail mailboxes rename Old Older
mail mailboxes delete Bare
mail move subject:Message --to Fresh --create
mail import old.mbox --mailbox Imported
cal calendars rename old former
cal calendars delete old
chat new Club
chat rename House Home
chat delete House --yes
config set user.email you@example.org"""


TABLES = ["calendar", "event", "component", "occurrence", "task", "board", "board_column", "project", "time_entry", "link", "saved_view",
          "material", "attachment", "account", "saved_search", "message", "message_body", "outgoing", "conversation", "chat_message", "change_set",
          "change"]


def state():
    """What the tables hold, without identities and moments that differ from run to run."""
    store = sqlite3.connect(f"file:{home}/helix.db?mode=ro", uri=True)
    try:
        assert store.execute("PRAGMA quick_check").fetchone()[0] == "ok"
        # What is in helix's own keeping is seen by nobody: drafts that are being written, and what was deleted.
        seen = " WHERE mailbox NOT IN (SELECT n FROM mailbox WHERE role = 'deleted')"
        counts = {table: store.execute(f"SELECT COUNT(*) FROM {table}{seen if table == 'message' else ''}").fetchone()[0] for table in TABLES}
        texts = {}
        for table, column in (("task", "title || state || ifnull(due, '') || ifnull(tags, '') || column_id || ifnull(project, '')"),
                              ("event", "length(text)"), ("time_entry", "ifnull(title, '') || ifnull(\"end\", '')"),
                              ("message", "mailbox || flags || ifnull(labels, '') || subject"), ("board_column", "name"), ("calendar", "name || color || is_hidden"),
                              ("project", "name || status || ifnull(blocks, '')"), ("conversation", "name || is_archived || is_muted"),
                              ("outgoing", "state || subject"), ("account", "name"),
                              ("board", "name || is_default"), ("saved_view", "name"), ("saved_search", "name")):
            texts[table] = sorted(str(row[0]) for row in store.execute(f"SELECT {column} FROM {table}{seen if table == 'message' else ''}"))
        # The mailboxes that lists show, and whether their folders are there.
        texts["mailbox"] = sorted(
            f"{name} {(pathlib.Path(account) / path / 'cur').is_dir()}" for name, path, account in store.execute(
                "SELECT b.name, b.path, a.path FROM mailbox b JOIN account a ON a.n = b.account WHERE b.role IS NOT 'deleted'"))
        return counts, texts
    finally:
        store.close()


def shown(state):
    """What a person has in a store. Of an account that was made first a command tells."""
    return {table: rows for table, rows in state[1].items() if table != "account"}


def mails():
    """The subjects of all mail files, wherever they are: none may be lost."""
    found = []
    for place in [home / "maildir", home / "helix.db.deleted-mail", home / "mail"]:
        for path in place.rglob("*"):
            if path.is_file() and path.parent.name in ("cur", "new"):
                found.append(next((line for line in path.read_text(errors="replace").splitlines() if line.startswith("Subject:")), ""))
    return sorted(found)


def writes(trace, calls):
    return sum(1 for line in trace.read_text(errors="replace").splitlines() if line.split(" ", 1)[-1].lstrip().startswith(tuple(call + "(" for call in calls.split(","))))


def traced(parts, calls, trace, *inject):
    return run(*parts, prefix=["strace", "-f", "-qq", "-o", str(trace), "-e", f"trace={calls}", *inject])


def harmless(parts, before, after, subjects, fault, result):
    """What is wrong after a fault; None if nothing is."""
    said = state()
    doctor = run("doctor")
    if doctor.returncode:
        return f"the doctor: {[line for line in doctor.stdout.splitlines() if '✗' in line]}{doctor.stderr[:200]}"
    run("mail", "index")
    now = state()
    # A command may not say that it changed nothing when it did. What was broken off is settled by the look at the mail.
    if re.search(r"nothing was changed", result.stderr, re.I) and shown(before) != shown(said):
        return f"it said that nothing was changed: {result.stderr.strip()[:200]}"
    same = lambda other: now[1] == other[1] and all(now[0][table] == other[0][table] for table in TABLES if table not in ("message_body",))
    lost = [subject for subject in subjects if mails().count(subject) < 1]
    if lost:
        return f"mail is lost: {lost}"
    if same(after):
        # A kill comes when it comes; a command that failed must not have done it.
        if fault == "kill" or result.returncode == 0 or "delivered to the mailbox" in " ".join(result.stderr.split()):
            return None
        return f"it said {result.returncode} ({result.stderr.strip()[:120]}), and it is done"
    if same(before):
        if fault == "kill" or result.returncode != 0:
            return None
        # What goes without being asked for, such as marking what is read, may fail with a warning.
        return None if result.stderr.strip() else "it said that it is done, and it is not"
    steps = after[0]["change_set"] - before[0]["change_set"]
    # An import of mail keeps what came before it was broken off, and says so.
    if (steps > 1 or parts[:2] == ["mail", "import"]) and (fault == "kill" or result.returncode != 0):
        # An editor lies between: each step is whole, and what was written is kept.
        if all(min(before[0][table], after[0][table]) <= now[0][table] <= max(before[0][table], after[0][table]) + 1 for table in TABLES):
            if parts[:2] != ["mail", "import"]:
                return None
            # What came can be taken back.
            undone = run("undo")
            back = state()[1]["message"] == before[1]["message"]
            return None if back else f"undo does not take back what came: {undone.stdout}{undone.stderr}"
    different = [table for table in TABLES if now[0][table] not in (before[0][table], after[0][table])] or \
        [table for table in now[1] if now[1][table] not in (before[1][table], after[1][table])]
    return f"neither before nor after: {different or 'a mixture'}"


def tried(path, parts, sums):
    restore()
    before, subjects = state(), mails()
    trace = folder / "trace"
    if (folder / "backup.db").exists() and path == ("backup",):
        (folder / "backup.db").unlink()
    result = traced(parts, CALLS, trace)
    if result.returncode == 64 and "--yes" not in parts:
        parts = parts + ["--yes"]
        restore()
        result = traced(parts, CALLS, trace)
    if result.returncode not in (0,):
        return "no example that runs", 0
    after = state()
    if path in (("backup",), ("restore",)) or before == after:
        return "changes nothing", 0
    # Undo and redo bring rows of derived tables with other numbers; counts are compared all the same.
    kinds = [("kill", CALLS, "signal=KILL"), ("ENOSPC", "pwrite64,write", "error=ENOSPC"), ("EIO", "pwrite64", "error=EIO"), ("sync", SYNCS, "error=EIO")]
    count = 0
    for fault, calls, inject in kinds:
        total = writes(trace, calls)
        step = max(1, round(1 / share)) if total > 1 / share else max(1, total // 2)
        for number in range(1 + count % step, total + 1, step):
            restore()
            suffix = "+" if fault == "ENOSPC" else ""
            broken = traced(parts, calls, os.devnull, "-e", f"inject={calls}:{inject}:when={number}{suffix}")
            count += 1
            problem = harmless(parts, before, after, subjects, fault, broken)
            if problem:
                sums["harm"] += 1
                print(f"HARM {' '.join(path)}: {fault} at {number} of {total}: {problem}", flush=True)
    return "ok", count


build()
sums = {"commands": 0, "faults": 0, "harm": 0}
seen = set()
for path, parts in examples():
    if (path in seen and share < 1) or path[:1] == ("restore",):
        continue
    verdict, count = tried(path, parts, sums)
    if verdict == "ok":
        seen.add(path)
        sums["commands"] += 1
        sums["faults"] += count
        print(f"{' '.join(path)}: {count}", flush=True)
print(json.dumps({**sums, "paths": sorted(" ".join(path) for path in seen)}))
