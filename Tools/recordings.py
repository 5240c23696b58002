#!/usr/bin/env python3
"""Records helix at work, as asciicasts (version 2): at the prompt, and on the whole screen.

    recordings.py HELIX FOLDER

'asciinema play docs/recordings/ui.cast' plays one.
"""
import fcntl
import json
import os
import pathlib
import pty
import random
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

helix, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
WIDTH, HEIGHT = 100, 30
NOW = "2026-11-18T09:40"

LETTERS = [
    ("Ana Ruiz <ana@example.org>", "Keys for the house", "I left the keys with the neighbour. Can you come on Friday?"),
    ("Bo Lindqvist <bo@example.net>", "Re: Windows, second offer", "The price holds until the end of the month."),
    ("Water works <info@water.example>", "Invoice 4711", "Your invoice for October is attached."),
    ("Chen Wei <chen@example.com>", "Plan of the kitchen", "The plan is at https://plans.example/kitchen/7."),
    ("Dora Klein <dora@work.example>", "Lunch on Thursday?", "At the bridge, 12:30?"),
]

SETUP = [
    "account add home maildir {mail} --address me@example.org",
    "config set user.name Me", "config set ui.tour false", "config set ui.theme dark",
    "cal calendars add site orange",
    "cal add 'Visit the site' 2026-11-18 11:00-12:30 --calendar site",
    "cal add Dentist 2026-11-18 12:00-12:45",
    "cal add 'Windows are delivered' 2026-11-20 8:00-10:00 --calendar site",
    "cal add 'Plan the kitchen' 2026-11-17 14:00-16:00 --calendar site",
    "projects add house --customer 'Ana Ruiz' --rate 48 --currency EUR",
    "tasks add --project house --column doing --due 2026-11-18 --priority high -- Order windows",
    "tasks add --project house --column review -- Measure the rooms",
    "tasks add --project house --due 2026-11-20 -- Sockets in the hall",
    "tasks add --project house --estimate 3h -- Paint the door",
    "chat new House --message 'Who has the keys?'",
    "time add 8:00-9:30 Walls --project house --billable",
]

PROMPT = [
    "helix today", "helix cal add 'Lunch with Dora thu 12:30 for 1h'", "helix cal week",
    "helix tasks add 'Send the plan to Chen fri 10:00 project:house +kitchen'", "helix tasks board",
    "helix mail search windows", "helix search keys", "helix undo",
]

# Keys of 'helix ui', each with the seconds before it.
UI = [
    (2.5, "2"), (1.5, "j"), (0.8, "\r"), (2.5, "q"), (1.0, "a"), (1.5, "u"), (1.5, "3"), (1.5, "l"), (0.6, "j"), (1.5, "4"),
    (1.5, "l"), (0.8, "l"), (1.2, "\x10"), (0.8, "k"), (0.2, "e"), (0.2, "y"), (2.0, "\x1b"), (1.5, "?"), (2.5, "q"), (1.0, "q"),
]


def environment(home):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HELIX_")}
    clean.update(
        HELIX_HOME=str(home), HELIX_NOW=NOW, HELIX_BACKGROUND="off", TZ="Europe/Berlin", TERM="xterm-256color",
        COLORTERM="truecolor", LANG="C.UTF-8", LC_ALL="C.UTF-8", PAGER="cat", HELIX_PAGER="cat", HOME=str(home),
        PATH=f"{helix.parent}:{clean['PATH']}")
    return clean


def prepare(root):
    """A home with mail, events and tasks."""
    mail = root / "Mail"
    for box in ("", ".Archive", ".Trash", ".Sent", ".Drafts"):
        for part in ("cur", "new", "tmp"):
            (mail / box / part).mkdir(parents=True)
    for place, (sender, subject, text) in enumerate(LETTERS):
        letter = (
            f"From: {sender}\r\nTo: Me <me@example.org>\r\nSubject: {subject}\r\n"
            f"Date: Wed, 18 Nov 2026 0{9 - place}:1{place}:00 +0100\r\nMessage-ID: <{place}@example.org>\r\n\r\nHello,\r\n\r\n{text}\r\n")
        (mail / "new" / f"{place}.{place}.host").write_text(letter)
    home = root / "home"
    home.mkdir()
    for line in SETUP:
        words = "helix " + line.format(mail=mail)
        done = subprocess.run(words, shell=True, env=environment(home), capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{words}: {done.stderr}")
    return home


class Recording:
    """The output of a terminal, with its times."""

    def __init__(self, title):
        self.title, self.events, self.clock = title, [], 0.0

    def write(self, text, after=0.0):
        self.clock += after
        self.events.append([round(self.clock, 3), "o", text])

    def run(self, words, home, keys=(), most=30):
        """Runs a program in a terminal of its own; returns after it ended."""
        child, terminal = pty.fork()
        if child == 0:
            os.execvpe(words[0], words, environment(home))
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        begun = time.monotonic()
        start, waiting = self.clock, list(keys)
        due = begun + (waiting[0][0] if waiting else 0)
        while time.monotonic() - begun < most:
            ready, _, _ = select.select([terminal], [], [], 0.02)
            now = time.monotonic()
            if ready:
                try:
                    data = os.read(terminal, 1 << 16)
                except OSError:
                    break
                if not data:
                    break
                self.clock = start + now - begun
                self.write(data.decode("utf-8", "replace"))
            if waiting and now >= due:
                os.write(terminal, waiting.pop(0)[1].encode())
                due = now + (waiting[0][0] if waiting else 0)
        os.close(terminal)
        return os.waitpid(child, 0)[1]

    def save(self, path):
        head = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": self.title, "env": {"TERM": "xterm-256color"}}
        lines = [json.dumps(head)] + [json.dumps(event, ensure_ascii=False) for event in self.events]
        path.write_text("\n".join(lines) + "\n")


def main():
    folder.mkdir(parents=True, exist_ok=True)
    pace = random.Random(4)
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        home = prepare(root)
        prompt = Recording("helix at the prompt")
        for line in PROMPT:
            prompt.write("\x1b[1;32m$\x1b[0m ", after=1.0)
            for sign in line:
                prompt.write(sign, after=pace.uniform(0.03, 0.09))
            prompt.write("\r\n", after=0.4)
            if prompt.run(["sh", "-c", line], home):
                sys.exit(f"{line} failed")
            prompt.clock += 2.0
        prompt.save(folder / "prompt.cast")
        screen = Recording("helix ui")
        if screen.run([str(helix), "ui"], home, UI, most=60):
            sys.exit("helix ui failed")
        screen.save(folder / "ui.cast")


main()
