"""When the reminders of events go off, by dateutil and zoneinfo.

Standard input: a JSON object on each line with `start` (local, as 20260101T090000, or a date), `zone` (a name, or null for
floating times and dates), `viewer` (the zone of the person), `hour` (the second of the day for reminders of days), `rule` (or
null), `excluded` and `moved` (original start to new start), `minutes` (the length; days for dates), `alarms` (`days`,
`seconds`, `end`, `count`, `interval`, or `at` in seconds) and `from` and `to` in seconds. Standard output: the times in
seconds, sorted, separated by blanks.
"""

import datetime
import json
import sys
import zoneinfo

import dateutil.rrule

DAY = datetime.timedelta(days=1)


def parse(text):
    return datetime.datetime.strptime(text, "%Y%m%dT%H%M%S" if "T" in text else "%Y%m%d")


def seconds(civil, zone):
    return int(civil.replace(tzinfo=zone).timestamp())


for line in sys.stdin:
    event = json.loads(line)
    viewer = zoneinfo.ZoneInfo(event["viewer"])
    zone = zoneinfo.ZoneInfo(event["zone"]) if event["zone"] else viewer
    is_day = "T" not in event["start"]
    begin = parse(event["start"])
    horizon = datetime.datetime.fromtimestamp(event["to"]) + 60 * DAY
    starts = {begin}
    if event["rule"]:
        for at in dateutil.rrule.rrulestr(event["rule"], dtstart=begin):
            if at > horizon:
                break
            starts.add(at)
    starts -= {parse(text) for text in event["excluded"]}
    moved = {parse(old): parse(new) for old, new in event["moved"].items()}
    given = []
    for alarm in event["alarms"]:
        repeats = [number * alarm["interval"] for number in range(alarm["count"] + 1)]
        if alarm.get("at") is not None:
            given += [alarm["at"] + shift for shift in repeats]
            continue
        for start in starts:
            civil = moved.get(start, start)
            if is_day:
                day = civil + datetime.timedelta(days=event["minutes"] if alarm["end"] else 0)
                if alarm["seconds"] % 86400 == 0:
                    day += alarm["days"] * DAY + datetime.timedelta(seconds=alarm["seconds"] + event["hour"])
                    time = seconds(day, viewer)
                else:
                    time = seconds(day + alarm["days"] * DAY, viewer) + alarm["seconds"]
            else:
                if alarm["end"] and not event["zone"]:
                    # Floating times are those of a wall clock.
                    civil += datetime.timedelta(minutes=event["minutes"])
                elif alarm["end"]:
                    # An exact length after the start.
                    last = seconds(civil, zone) + event["minutes"] * 60
                    civil = datetime.datetime.fromtimestamp(last, zone).replace(tzinfo=None)
                    if alarm["days"] == 0:
                        given += [last + alarm["seconds"] + shift for shift in repeats]
                        continue
                time = seconds(civil + alarm["days"] * DAY, zone) + alarm["seconds"]
            given += [time + shift for shift in repeats]
    print(" ".join(str(at) for at in sorted(given) if event["from"] <= at < event["to"]))
