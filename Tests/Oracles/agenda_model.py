"""Random calendars: what helix lists against what recurring-ical-events finds.

Usage: agenda_model.py HELIX FOLDER SEED CALENDARS
"""

import datetime
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import zoneinfo

import icalendar
import recurring_ical_events

helix, folder, seed, calendars = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(seed)
ZONES = ["Europe/Rome", "America/New_York", "Australia/Lord_Howe", None]
UTC = datetime.timezone.utc


def time(name, at, zone, is_day):
    if is_day:
        return f"{name};VALUE=DATE:{at:%Y%m%d}"
    return f"{name};TZID={zone}:{at:%Y%m%dT%H%M%S}" if zone else f"{name}:{at:%Y%m%dT%H%M%SZ}"


def event(number):
    zone, is_day = chance.choice(ZONES), chance.random() < 0.2
    start = datetime.datetime(2026, 1, 1) + datetime.timedelta(days=chance.randrange(300), hours=4 + chance.randrange(16), minutes=chance.choice([0, 15, 30]))
    rule = chance.choice([None, "FREQ=DAILY;COUNT=12", "FREQ=WEEKLY;COUNT=10", "FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=15", "FREQ=MONTHLY;COUNT=6",
                          "FREQ=DAILY;INTERVAL=3;UNTIL=20261201T000000Z" if not is_day else "FREQ=DAILY;INTERVAL=3;UNTIL=20261201", "FREQ=WEEKLY"])
    length = "DURATION:P1D" if is_day else f"DURATION:PT{chance.choice([15, 60, 90, 300])}M"
    lines = ["BEGIN:VEVENT", f"UID:u{number}", f"SUMMARY:Event {number}", "DTSTAMP:20260101T000000Z", time("DTSTART", start, zone, is_day), length]
    extra = []
    if rule:
        lines.append(f"RRULE:{rule}")
        step = 7 if "WEEKLY" in rule and "BYDAY" not in rule else 3 if "INTERVAL" in rule else 1 if rule.startswith("FREQ=DAILY") else None
        if step:
            if chance.random() < 0.5:
                lines.append(time("EXDATE", start + datetime.timedelta(days=step * chance.randrange(1, 6)), zone, is_day))
            if chance.random() < 0.5:
                moved = start + datetime.timedelta(days=step * chance.randrange(6, 9))
                target = moved + datetime.timedelta(days=chance.choice([-20, -1, 1, 40, 900]), hours=0 if is_day else 1)
                extra = ["BEGIN:VEVENT", f"UID:u{number}", f"SUMMARY:Event {number}", "DTSTAMP:20260102T000000Z", "SEQUENCE:1",
                         time("RECURRENCE-ID", moved, zone, is_day), time("DTSTART", target, zone, is_day), length, "END:VEVENT"]
    return lines + ["END:VEVENT"] + extra


def listed(home, path, start, end):
    environment = dict(os.environ, HELIX_HOME=str(home), HELIX_NOW="2026-11-18T10:20:00", TZ="UTC", LANG="C.UTF-8")
    imported = subprocess.run([helix, "cal", "import", str(path)], capture_output=True, text=True, env=environment)
    assert imported.returncode == 0, imported.stderr
    result = subprocess.run([helix, "cal", "agenda", "--from", f"{start:%Y-%m-%d}", "--to", f"{end:%Y-%m-%d}", "--jsonl", "--fields", "uid,start,end"],
                            capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    return sorted((item["uid"], item["start"].replace("+00:00", "Z"), item["end"].replace("+00:00", "Z")) for item in map(json.loads, result.stdout.splitlines()))


def expected(text, start, end):
    found = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(start, end)

    def said(value):
        if not isinstance(value, datetime.datetime):
            return f"{value:%Y-%m-%d}"
        return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"

    return sorted((str(one["UID"]), said(one["DTSTART"].dt), said(one.end)) for one in found)


count = 0
for number in range(calendars):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"] + [line for index in range(8) for line in event(index)] + ["END:VCALENDAR", ""]
    text = "\r\n".join(lines)
    path = folder / "c.ics"
    path.write_bytes(text.encode())
    for offset in (chance.randrange(330), chance.randrange(900, 1100)):
        start = datetime.datetime(2026, 1, 1, tzinfo=UTC) + datetime.timedelta(days=offset)
        end = start + datetime.timedelta(days=chance.choice([1, 7, 31]))
        ours, theirs = listed(folder / "home", path, start, end), expected(text, start, end)
        count += len(theirs)
        if ours != theirs:
            print(f"seed {seed}, calendar {number}, {start:%Y-%m-%d} to {end:%Y-%m-%d}: only helix {sorted(set(ours) - set(theirs))}, only the other {sorted(set(theirs) - set(ours))}")
            print(text)
            sys.exit(1)
print(f"occurrences {count}")
