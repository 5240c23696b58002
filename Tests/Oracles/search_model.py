"""Random texts: what helix finds against a search that reads all of them.

Usage: search_model.py HELIX FOLDER SEED QUERIES
"""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import unicodedata

helix, folder, seed, queries = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(seed)
shutil.rmtree(folder, ignore_errors=True)
environment = dict(os.environ, HELIX_HOME=str(folder / "home"), HELIX_NOW="2026-11-18T10:20:00", TZ="UTC", LANG="C.UTF-8")
WORDS = ["invoice", "Invoices", "café", "CAFE", "Straße", "strasse", "naïve", "résumé", "house", "HOUSE", "mouse", "ÉLAN", "élan", "Ärger", "argent",
         "東京会議", "会議室", "京都", "予定表", "привет", "ПРИВЕТ", "ελλάδα", "house-boat", "2026", "plan9", "x", "งานประชุม", "Ünïcödé"]
WIDE = re.compile("[\u0e00-\u0eff\u3040-\u31ff\u3400-\u9fff\uac00-\ud7af]")


def tokens(text):
    found = []
    for word in re.findall(r"[^\W_]+(?:[\u0e30-\u0e4e]+[^\W_]*)*", unicodedata.normalize("NFC", text)):
        plain = "".join(sign for sign in unicodedata.normalize("NFD", word.lower().replace("ß", "ss")) if not unicodedata.combining(sign) or WIDE.match(sign))
        found += [part for part in re.split(f"({WIDE.pattern})", plain) if part]
    return found


def matches(text, query):
    words = tokens(text)
    for phrase in re.findall(r"[^\W_]+(?:[\u0e30-\u0e4e]+[^\W_]*)*", query):
        wanted = tokens(phrase)
        if not any(words[place:place + len(wanted) - 1] == wanted[:-1] and place + len(wanted) <= len(words)
                   and words[place + len(wanted) - 1].startswith(wanted[-1]) for place in range(len(words))):
            return False
    return True


def run(*command, text=None):
    result = subprocess.run([helix, *command], capture_output=True, text=True, env=environment, input=text)
    assert result.returncode == 0, (command, result.stderr)
    return result.stdout


kinds = {"task": {}, "event": {}, "time_entry": {}, "project": {}}
titles = lambda: " ".join(chance.choice(WORDS) for _ in range(chance.randrange(1, 5)))
for number in range(30):
    title = f"t{number} {titles()}"
    run("tasks", "add", f'"{title}"')
    kinds["task"][title] = title
    title = f"p{number} {titles()}"
    run("projects", "add", title)
    kinds["project"][title] = title
events = [f"e{number} {titles()}" for number in range(60)]
run("cal", "import", "-", text="BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + "".join(
    f"BEGIN:VEVENT\r\nUID:{number}\r\nDTSTART:20261201T090000Z\r\nSUMMARY:{title}\r\nEND:VEVENT\r\n" for number, title in enumerate(events)) + "END:VCALENDAR\r\n")
kinds["event"] = {title: title for title in events}
for number in range(20):
    title = f"w{number} {titles()}"
    run("time", "add", f"2026-11-{1 + number // 4:02d} {8 + number % 4}:00-{8 + number % 4}:30", f'"{title}"')
    kinds["time_entry"][title] = title
wrong = 0
for number in range(queries):
    query = " ".join(chance.choice(WORDS + [word[:3] for word in WORDS]) for _ in range(chance.randrange(1, 3)))
    found = {}
    for item in json.loads(run("search", query, "--json", "--limit", "1000"))["items"]:
        found.setdefault(item["kind"], set()).add(item["title"].strip('"'))
    for kind, known in kinds.items():
        wanted = {title for title in known if matches(title, query)}
        if found.get(kind, set()) != wanted:
            print(f"seed {seed}, {query!r}, {kind}: helix alone {found.get(kind, set()) - wanted}, the other alone {wanted - found.get(kind, set())}")
            wrong += 1
print(f"queries {queries * len(kinds)}")
sys.exit(1 if wrong else 0)
