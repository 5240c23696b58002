"""Reads and changes one Maildir from several processes at random, through helix and past it.

Usage: mail_model.py HELIX MAILDIR SEED STEPS KIND
KIND is `helix` (moves, marks, labels, drafts, deletions, undo, redo through the program), `index` (lists and looks for new
mail), or `other` (another mail program: delivers, marks, moves and deletes files itself).
"""

import os
import pathlib
import random
import subprocess
import sys

helix, maildir, seed, steps, kind = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
chance = random.Random(seed)
BOXES = ["INBOX", "Old", "Work"]


def run(*words):
    result = subprocess.run([helix, *words], capture_output=True, text=True)
    # Refusals are part of the game: an id that is gone, something changed since, a store in use. Crashes are not.
    if result.returncode not in (0, 64, 66, 75, 80):
        print(f"{words}: {result.returncode} {result.stderr}", file=sys.stderr)
        sys.exit(1)
    return result.stdout


def ids():
    return run("mail", "search", "run", "subject:model", "--ids").split()


def helix_step(number):
    known = ids()
    what = chance.choice(["move", "move", "mark", "label", "draft", "draft", "delete", "undo", "undo", "redo", "archive"])
    some = chance.sample(known, min(len(known), chance.randint(1, 3)))
    if what == "draft":
        run("mail", "new", "--to", "a@example.org", "-s", f"model {kind} {seed} {number}", "-b", "text", "--draft",
            "--account", "home")
    elif what in ("undo", "redo"):
        run(what)
    elif some and what == "move":
        run("mail", "move", *some, "--to", chance.choice(BOXES))
    elif some and what == "mark":
        run("mail", "mark", chance.choice(["read", "unread", "starred", "unstarred"]), *some)
    elif some and what == "label":
        run("mail", "label", *some, chance.choice(["+blue", "-blue", "+red"]))
    elif some and what == "delete":
        run("mail", "delete", some[0], "--yes")
    elif some and what == "archive":
        run("mail", "archive", some[0])


def other_files():
    return [path for box in ["", ".Old", ".Work"] for part in ["cur", "new"]
            for path in (maildir / box / part).iterdir()]


def rename(path, box, flags):
    """Renames a file into a mailbox, as a program that puts no file in the place of another."""
    base = path.name.split(":2,")[0]
    folder = maildir / box / "cur"
    if not any(file.name.split(":2,")[0] == base and file != path for file in folder.iterdir()):
        os.rename(path, folder / (base + ":2," + flags))


def other_step(number):
    what = chance.choice(["deliver", "deliver", "mark", "move", "remove"])
    try:
        if what == "deliver":
            name = f"17000{seed % 100:02d}{number:03d}.M{seed}P{number}.other"
            box = ""
            if number % 3 == 0 and other_files():
                # A copy put back, or another program's count: the name that a file of another mailbox has.
                twin = chance.choice(other_files())
                box = chance.choice([box for box in ["", ".Old", ".Work"] if maildir / box != twin.parent.parent])
                base = twin.name.split(":2,")[0]
                if not any(base == path.name.split(":2,")[0] for part in ["cur", "new"] for path in (maildir / box / part).iterdir()):
                    name = base
            part = maildir / "tmp" / name
            part.write_text(f"From: Bo <bo@example.org>\nSubject: model other {seed} {number}\n"
                            f"Message-ID: <m{seed}.{number}@example.org>\n\nbody {number}\n")
            os.rename(part, maildir / box / "new" / name)
            return
        path = chance.choice(other_files())
        if what == "mark":
            rename(path, path.parent.parent.relative_to(maildir), chance.choice(["", "S", "F", "RS"]))
        elif what == "move":
            rename(path, chance.choice(["", ".Old", ".Work"]), "S")
        elif number % 5 == 0:
            path.unlink()
    except (FileNotFoundError, IndexError):
        # Somebody else was first.
        pass


for number in range(steps):
    if kind == "helix":
        helix_step(number)
    elif kind == "index":
        run(*chance.choice([("mail", "index"), ("mail", "list"), ("mail", "index", "--full"), ("status",)]))
    else:
        other_step(number)
