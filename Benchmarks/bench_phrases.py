#!/usr/bin/env python3
"""Counts how helix reads the phrases of the tables: bench_phrases.py --helix PROGRAM --out FILE

Each phrase is read by `helix dates` as on Monday 23 November 2026, 10:20 in Berlin. Wrong is one that is read although the
table refuses it, or with another meaning than that of the table; a refusal that the table does not have counts as one too
many.
"""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

LANGUAGES = [("", "English"), ("-de", "German"), ("-fr", "French"), ("-es", "Spanish"), ("-it", "Italian")]


def rows(path):
    for line in path.read_text().splitlines():
        if " => " in line:
            phrase, meaning = line.split(" => ")
            yield phrase.strip(), meaning.strip()


def whole(text):
    """The meaning of the whole, which stands below the pieces."""
    parts = text.split("\n\n")
    lines = [line for line in (parts[-1] if len(parts) > 1 else "").splitlines() if not line.startswith("Left for a title")]
    return " ".join(" ".join(lines).split())


def expected(meaning):
    """The meaning without the title and the place."""
    rest = meaning[meaning.index("]") + 1:].strip()
    if rest.startswith("@("):
        rest = rest[rest.index(")") + 1:]
    return " ".join(rest.split()) or "No date or time."


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--helix", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    tables = Path(__file__).resolve().parent.parent / "Tests" / "Tables"
    lines = ["# Phrases", "", "How the phrases of Tests/Tables are read, and the time of a whole process that reads one.", "",
             "| Language | Phrases | Understood | Refused | Refused too often | Wrong | ms a phrase |", "|---|---|---|---|---|---|---|"]
    wrong = []
    for suffix, name in LANGUAGES:
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "HELIX_HOME": home, "HELIX_NOW": "2026-11-23T10:20:00", "TZ": "Europe/Berlin",
                           "LC_ALL": "C.UTF-8", "COLUMNS": "1000"}
            if suffix:
                subprocess.run([options.helix, "config", "set", "dates.languages", suffix[1:]], env=environment, check=True,
                               capture_output=True)
            counts = {"understood": 0, "refused": 0, "often": 0, "wrong": 0}
            table = list(rows(tables / f"event-phrases{suffix}.txt"))
            begin = time.perf_counter()
            for phrase, meaning in table:
                run = subprocess.run([options.helix, "dates", "--color", "never", "--", phrase], env=environment,
                                     capture_output=True, text=True)
                if run.returncode == 64:
                    counts["refused" if meaning == "refused" else "often"] += 1
                elif run.returncode == 0 and meaning != "refused" and whole(run.stdout) == expected(meaning):
                    counts["understood"] += 1
                else:
                    counts["wrong"] += 1
                    wrong.append((phrase, meaning, whole(run.stdout) or run.stderr))
            span = (time.perf_counter() - begin) * 1000 / len(table)
            lines.append(f"| {name} | {len(table)} | {counts['understood']} | {counts['refused']} | {counts['often']} | "
                         f"{counts['wrong']} | {span:.1f} |")
    for phrase, meaning, said in wrong:
        print(f"wrong: {phrase}\n  table: {meaning}\n  read:  {said}")
    Path(options.out).write_text("\n".join(lines) + "\n")
    print("\n".join(lines[4:]))


if __name__ == "__main__":
    main()
