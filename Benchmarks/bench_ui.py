#!/usr/bin/env python3
"""Measures helix ui: the time to the first picture, the time of each key, and memory, with much data.

    bench_ui.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-ui.md [--messages 50000]

The program runs on a terminal of its own; a key is answered when the picture that follows it was written whole (it ends with the
mark of a synchronized update). Its plain commands are measured beside it, in the same turns.
"""

import argparse
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from bench import machine

EVENTS, RUNS, KEYS = 20_000, 31, 600
END = b"\x1b[?2026l"
WIDTH, HEIGHT = 120, 40


class Screen:
    """The program on a terminal."""

    def __init__(self, helix, environment, *words):
        self.start = time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
            os.execve(helix, [helix, *words], environment)
        self.first = self.picture()

    def picture(self, patience=5):
        """The milliseconds until the next picture is there; None if none comes."""
        got = b""
        end = time.perf_counter() + patience
        while time.perf_counter() < end:
            if not select.select([self.terminal], [], [], end - time.perf_counter())[0]:
                return None
            try:
                piece = os.read(self.terminal, 1 << 16)
            except OSError:
                return None
            got += piece
            if END in got:
                return (time.perf_counter() - self.start) * 1000
        return None

    def rest(self, seconds):
        """Reads what else is drawn for a while."""
        end = time.perf_counter() + seconds
        while select.select([self.terminal], [], [], max(0, end - time.perf_counter()))[0]:
            try:
                os.read(self.terminal, 1 << 16)
            except OSError:
                return

    def press(self, keys):
        self.start = time.perf_counter()
        os.write(self.terminal, keys.encode())
        return self.picture(0.6)

    def memory(self):
        """Resident and private memory in MB."""
        text = Path(f"/proc/{self.process}/smaps_rollup").read_text()
        values = {line.split(":")[0]: int(line.split()[1]) for line in text.splitlines()[1:]}
        own = values["Private_Clean"] + values["Private_Dirty"]
        return values["Rss"] / 1024, own / 1024

    def close(self):
        os.kill(self.process, signal.SIGTERM)
        self.rest(0.2)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--helix", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--messages", type=int, default=50_000)
    asked = parser.parse_args()
    helix, here = str(Path(asked.helix).resolve()), Path(__file__).parent
    work = Path(asked.work).resolve() / "ui"
    environment = {
        **os.environ, "HELIX_HOME": str(work / "home"), "TZ": "UTC", "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "HELIX_UI_TOUR": "false", "HELIX_UI_THEME": "dark",
    }

    def run(*words):
        start = time.perf_counter()
        done = subprocess.run(
            [helix, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"bench_ui.py: {' '.join(words)}: {done.stderr[-300:]}")
        return (time.perf_counter() - start) * 1000

    if not (work / "done").exists():
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        subprocess.run(
            [sys.executable, here / "generate.py", str(EVENTS), work / "events.ics"], check=True,
            stdout=subprocess.DEVNULL)
        subprocess.run(
            [sys.executable, here / "generate_mail.py", str(asked.messages), work / "mail"], check=True,
            stdout=subprocess.DEVNULL)
        run("cal", "import", str(work / "events.ics"))
        run("account", "add", "home", "maildir", str(work / "mail"), "--address", "me@example.org")
        run("mail", "list")
        for number in range(200):
            run("tasks", "add", f"Task {number} of the plan", "--due", f"2026-12-{number % 28 + 1:02d}")
        (work / "done").write_text("")
    places = [("today", ["today"]), ("mail", ["mail", "inbox", "--limit", "50"]), ("cal", ["cal", "week"]), ("tasks", ["tasks", "board"])]
    firsts = {name: [] for name, _ in places}
    plain = {name: [] for name, _ in places}
    for _ in range(RUNS):
        for name, words in places:
            screen = Screen(helix, environment, "ui", name)
            firsts[name].append(screen.first)
            screen.close()
            plain[name].append(run(*words))
    down, up, page = "j", "k", "\x1b[6~"
    walks = {
        "mail": [down] * 5 + [page] + [up] + ["\x1b[5~"] + [down],
        "mail, reading": ["J", "J", "J", "K", "J"],
        "cal": ["l", "l", "l", "h", ">", "<", "l"],
        "tasks": [down, down, up, "l", "h", down],
        "today": [down, down, up, down, up],
    }
    rows, memory = [], {}
    for name, walk in walks.items():
        screen = Screen(helix, environment, "ui", name.split(",")[0])
        screen.rest(1.0)
        if "reading" in name:
            screen.press("\r")
            screen.rest(0.5)
        times = []
        for number in range(KEYS):
            took = screen.press(walk[number % len(walk)])
            if took is not None and took < 590:
                times.append(took)
            # The person looks; what was put off is done.
            screen.rest(0.03)
        rows.append((f"{name}: moving", times))
        memory[name] = screen.memory()
        screen.close()
    # Keys that change something, and their undo.
    screen = Screen(helix, environment, "ui", "mail")
    screen.rest(1.0)
    times = []
    for number in range(100):
        for key in ["a", "u"]:
            times.append(screen.press(key))
            screen.rest(0.05)
    rows.append(("mail: archive, undo", times))
    times = []
    screen.press("/")
    for letter in "meeting plan for the project":
        took = screen.press(letter)
        if took is not None:
            times.append(took)
        screen.rest(0.1)
    rows.append(("mail: a letter of a search", times))
    memory["mail, after acts"] = screen.memory()
    screen.close()
    if os.environ.get("BENCH_TAILS"):
        for name, times in rows:
            print(name, [round(time, 1) for time in sorted(time for time in times if time is not None)[-12:]])
    lines = [
        "# helix ui",
        "",
        f"{asked.messages:,} messages, {EVENTS:,} events and 200 tasks, {machine()}, {WIDTH} × {HEIGHT}, all colours. Milliseconds, made by"
        f" `make bench`; medians of {RUNS} starts, in turns with the commands that print the same.",
        "",
        "| place | first picture | slowest | the command |",
        "|---|---|---|---|",
    ]
    for name, words in places:
        lines.append(
            f"| `ui {name}` | {statistics.median(firsts[name]):.1f} | {max(firsts[name]):.1f} | `{' '.join(words)}` "
            f"{statistics.median(plain[name]):.1f} |")
    lines += ["", "| keys | number | median | 99 of 100 | slowest |", "|---|---|---|---|---|"]
    for name, times in rows:
        times = sorted(time for time in times if time is not None)
        lines.append(
            f"| {name} | {len(times)} | {statistics.median(times):.1f} | {times[int(len(times) * 0.99) - 1]:.1f} | {times[-1]:.1f} |")
    lines += ["", "| memory after it | resident MB | of its own MB |", "|---|---|---|"]
    for name, (resident, own) in memory.items():
        lines.append(f"| {name} | {resident:.1f} | {own:.1f} |")
    Path(asked.out).write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
