#!/usr/bin/env python3
"""Measures contacts beside khard: 10,000 vCards, each program with the same ones.

    bench_contacts.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-contacts.md

khard reads all files of its folder for each command; helix reads them once. Times are medians of whole processes, in one run.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench import machine

COUNT = 10_000
FIRST = "Ana Bo Cy Dee Eva Finn Gus Hal Ida Jo Kim Lea Max Nia Oli Pia Quin Ron Sue Tom Uma Vic Wes Xia Yan Zoe".split()
LAST = [
    name + end
    for name in "Ruiz Li Ode Berg Neri Rossi Khan Sato Kim Weber Novak Silva".split()
    for end in ["", "son", "ez", "ski", "mann"]
]


def card(index, rng):
    first, last = rng.choice(FIRST), rng.choice(LAST)
    lines = [
        "BEGIN:VCARD",
        "VERSION:3.0",
        f"UID:c{index}",
        f"FN:{first} {last} {index}",
        f"N:{last};{first};;;",
        f"EMAIL;TYPE=WORK:{first.lower()}.{last.lower()}{index}@example.org",
        f"EMAIL;TYPE=HOME:{first.lower()}{index}@home.example",
        f"TEL;TYPE=CELL:+34 6{index:08d}",
        f"ORG:Company {index % 300}",
        f"CATEGORIES:g{index % 20}",
    ]
    if index % 3 == 0:
        lines.append(f"BDAY:19{index % 80 + 10}-{index % 12 + 1:02d}-{index % 28 + 1:02d}")
    if index % 5 == 0:
        lines.append(f"NOTE:met at place {index % 50}\\, long ago")
        lines.append(f"ADR;TYPE=HOME:;;Street {index};City {index % 90};;280{index % 99:02d};Spain")
    return "\r\n".join(lines + ["END:VCARD", ""])


def median(words, environment, runs):
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        done = subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        times.append((time.perf_counter() - start) * 1000)
        if done.returncode != 0:
            sys.exit(f"bench_contacts.py: {' '.join(words)}: {done.stderr.decode()[-300:]}")
    return statistics.median(times[1:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--helix", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    asked = parser.parse_args()
    work = Path(asked.work).resolve() / "contacts"
    shutil.rmtree(work, ignore_errors=True)
    folder = work / "vcards"
    folder.mkdir(parents=True)
    rng = random.Random(35)
    for index in range(COUNT):
        (folder / f"c{index}.vcf").write_text(card(index, rng), newline="")
    environment = {**os.environ, "HELIX_HOME": str(work / "home"), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    helix = str(Path(asked.helix).resolve())
    start = time.perf_counter()
    subprocess.run([helix, "contacts", "import", str(folder)], env=environment, check=True, stdout=subprocess.DEVNULL)
    imported = (time.perf_counter() - start) * 1000
    settings = work / "khard.conf"
    settings.write_text(f"[addressbooks]\n[[all]]\npath = {folder}\n[general]\ndefault_action = list\n")
    khard = shutil.which("khard")
    rows = [
        ("search for a name", ["search", "sue"], ["list", "sue"]),
        ("addresses of a name", ["list", "name:sue", "has:email", "--format", "{name} {email}"], ["email", "sue"]),
        ("one contact", ["show", "c1-sue"], None),
        ("the first 100", ["list", "--limit", "100"], None),
        ("all, as JSON", ["list", "--json"], None),
        ("birthdays of 60 days", ["birthdays"], ["birthdays"]),
        ("add a contact", None, None),
    ]
    lines = []
    name = subprocess.run(
        [helix, "contacts", "search", "sue", "--format", "{name}", "--limit", "1"], env=environment,
        capture_output=True, text=True, check=True).stdout.splitlines()[0]
    for title, own, other in rows:
        if title == "one contact":
            own, other = ["show", name], ["show", name]
        if own is None:
            number = iter(range(1000))
            times = []
            for index in number:
                if index > 20:
                    break
                begun = time.perf_counter()
                subprocess.run(
                    [helix, "contacts", "add", f"New{index} Person", f"new{index}@new.example"], env=environment, check=True,
                    stdout=subprocess.DEVNULL)
                times.append((time.perf_counter() - begun) * 1000)
            ours = statistics.median(times)
        else:
            ours = median([helix, "contacts", *own], environment, 20)
        theirs = ""
        if other and khard:
            theirs = f"{median([khard, '-c', str(settings), *other], os.environ, 3):,.0f}"
        lines.append(f"| {title} | {ours:.1f} | {theirs} |")
    text = f"""# Contacts

{COUNT:,} vCards, {machine()}. Medians of whole processes in milliseconds, made by `make bench`. khard reads its folder for each
command; helix imports it once, in {imported / 1000:.1f} s.

| command | helix | khard |
|---|---|---|
""" + "\n".join(lines) + "\n"
    Path(asked.out).write_text(text)
    print(text)


if __name__ == "__main__":
    main()
