#!/usr/bin/env python3
"""Measures what a lock and a vault cost: the same data in a plain home, behind a passphrase, and in a vault of gocryptfs.

    bench_vault.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-vault.md

Times are medians of whole processes; the three homes take turns within each run. It needs FUSE and gocryptfs.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench import machine

EVENTS, MESSAGES, RUNS = 20_000, 5_000, 21
PASSPHRASE = "a passphrase of the measurement\n"
HOMES = ["plain", "passphrase", "vault"]


class Home:
    def __init__(self, helix, work, name):
        self.helix, self.name = helix, name
        self.folder = work / name
        (self.folder / "run").mkdir(parents=True, mode=0o700)
        self.environment = {
            **os.environ, "HELIX_HOME": str(self.folder / "home"), "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "HELIX_BACKGROUND": "off", "TZ": "UTC", "LC_ALL": "C.UTF-8",
        }

    def run(self, *words, given=None):
        start = time.perf_counter()
        done = subprocess.run(
            [self.helix, *words], env=self.environment, input=given, text=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        if done.returncode != 0:
            sys.exit(f"bench_vault.py: {' '.join(words)}: {done.stderr[-300:]}")
        return (time.perf_counter() - start) * 1000


def size(folder):
    return sum(file.lstat().st_size for file in Path(folder).rglob("*") if file.is_file())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--helix", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    asked = parser.parse_args()
    helix, here = str(Path(asked.helix).resolve()), Path(__file__).parent
    work = Path(asked.work).resolve() / "vault"
    for name in HOMES:
        subprocess.run(["fusermount3", "-u", "-z", str(work / name / "home")], stderr=subprocess.DEVNULL)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    calendar, mail = work / "events.ics", work / "mail"
    subprocess.run([sys.executable, here / "generate.py", str(EVENTS), calendar], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        [sys.executable, here / "generate_mail.py", str(MESSAGES), mail], check=True, stdout=subprocess.DEVNULL)
    homes = [Home(helix, work, name) for name in HOMES]
    plain, passphrase, vault = homes
    passphrase.run("lock", "--with", "passphrase", given=PASSPHRASE)
    passphrase.run("unlock", given=PASSPHRASE)
    vault.run("vault", "create", given=PASSPHRASE)
    once = []

    def turn(title, words):
        once.append((title, [home.run(*words) for home in homes]))

    turn(f"import of {EVENTS:,} events", ["cal", "import", str(calendar)])
    turn(f"import of {MESSAGES:,} messages", ["mail", "import", str(mail)])
    for number in range(200):
        for home in homes:
            home.run("tasks", "add", f"Task {number} of the plan", "--due", f"2026-06-{number % 28 + 1:02d}")
    rows = [
        ("--version", ["--version"]), ("status", ["status"]), ("today", ["today"]), ("cal week", ["cal", "week"]),
        ("cal month", ["cal", "month"]), ("tasks list", ["tasks", "list"]), ("mail list", ["mail", "list", "--limit", "50"]),
        ("mail search", ["mail", "search", "report", "--limit", "50"]), ("search", ["search", "plan"]),
        ("tasks add", ["tasks", "add", "One more"]), ("cal add", ["cal", "add", "Lunch 2026-06-12 12:00"]),
    ]
    lines = []
    for title, words in rows:
        times = {home.name: [] for home in homes}
        for run in range(RUNS + 1):
            for home in homes:
                spent = home.run(*words)
                if run:
                    times[home.name].append(spent)
        found = [statistics.median(times[name]) for name in HOMES]
        lines.append(f"| `{title}` | " + " | ".join(f"{value:.1f}" for value in found) + f" | {found[2] / found[0]:.2f} |")
    for title, found in once:
        lines.append(f"| {title} | " + " | ".join(f"{value:,.0f}" for value in found) + f" | {found[2] / found[0]:.2f} |")
    openings, closings = [], []
    for _ in range(7):
        closings.append(vault.run("lock"))
        openings.append(vault.run("unlock", given=PASSPHRASE))
    bytes_of_plain = size(plain.folder / "home")
    bytes_of_vault = size(vault.folder / "home.vault" / "cipher")
    removal = vault.run("vault", "remove", "--yes")
    creation = vault.run("vault", "create", given=PASSPHRASE)
    resident = subprocess.run(
        ["ps", "-o", "rss=", "-C", "gocryptfs"], capture_output=True, text=True).stdout.split()
    vault.run("vault", "remove", "--yes")
    text = f"""# The lock and the vault

{EVENTS:,} events, {MESSAGES:,} messages and 200 tasks, {machine()}. Milliseconds of whole processes, made by `make bench`: medians of
{RUNS} runs, imports once. The homes take turns: plain, behind a passphrase (unlocked), and in an open vault (gocryptfs).

| command | plain | passphrase | vault | vault : plain |
|---|---|---|---|---|
""" + "\n".join(lines) + f"""

- `helix unlock` of the vault takes {statistics.median(openings):,.0f} ms (the passphrase is made expensive to guess), `helix lock` {statistics.median(closings):,.0f} ms.
- `vault create` of {bytes_of_plain / 1e6:,.0f} MB takes {creation / 1000:.1f} s, with the comparison of all bytes; `vault remove` {removal / 1000:.1f} s.
- On the disk, the vault takes {(bytes_of_vault / bytes_of_plain - 1) * 100:.1f} % more.
- While it is open, gocryptfs takes {max(map(int, resident), default=0) / 1024:,.0f} MB of memory.
"""
    Path(asked.out).write_text(text)
    print(text)


if __name__ == "__main__":
    main()
