#!/usr/bin/env python3
"""Write a realistic iCalendar file of N events, the same one every time.

    generate.py 20000 events.ics                  one VCALENDAR
    generate.py 20000 events.ics --vdir events/   and each UID as a file of its own

A larger calendar is a longer history, not a fuller week: events come at a rate of 2,000 a year,
most of them before 21 November 2026 and some after, more of them near that day than long ago. A
quarter of them recur, by all kinds of rules, some of them hourly or more often; they are in many
zones, one of them by Outlook's name, and their words are as rare as those of real text.
"""

import argparse
import random
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import vocabulary

TODAY = date(2026, 11, 21)
EVENTS_A_YEAR = 2000
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

# Ordered from frequent to rare: a word's weight falls with its rank, as in real text.
WORDS = """
the a to and of for with on in we from about this our new team project meeting review plan
please week bring notes agenda call discuss next before after update work time report group
room office client day progress open question draft list share early late short long first
second final main change point topic issue result design data system service product market
customer school family doctor lunch dinner coffee travel train flight hotel ticket museum
concert music book story letter paper table window door garden kitchen street bridge river
mountain forest beach island harbour station airport village city country morning evening
night spring summer autumn winter january monday friday weekend holiday birthday wedding
party guest friend neighbour teacher student lesson course exam university library science
history language english italian french german garage bicycle engine motor battery cable
printer laptop screen keyboard network server password account backup archive folder release
version feature branch merge deploy test measure metric graph chart quarter month year target
goal strategy vision mission value quality safety security policy contract invoice payment
budget finance tax salary bonus insurance loan bank price cost profit margin forecast sales
order delivery shipment warehouse supplier partner vendor legal lawyer notary permit passport
visa ambassador council election parliament theatre cinema painting sculpture photography
camera film studio stage dance ballet opera orchestra violin piano guitar drum choir rehearsal
football tennis swimming running cycling climbing hiking skiing sailing rowing yoga fitness
dentist hospital clinic nurse pharmacy vaccine therapy recovery breakfast recipe bread cheese
pasta salad soup apple orange lemon cherry chocolate sugar pepper butter cream water
volunteer charity donation community workshop seminar conference keynote panel speaker poster
abstract journal editor publisher translation glossary chapter paragraph appendix summary
hiring interview candidate onboarding mentor feedback appraisal promotion retreat offsite
electrician plumber carpenter painter roof furnace boiler heating plaster renovation moving
""".split()
TEXT = vocabulary.text(WORDS)
TITLE = vocabulary.with_weights(WORDS[18:])  # without the small words

FIRST_NAMES = """Anna Marco Sofia José Élodie Björn Grace Liam Noah Emma Łukasz Chloé Dario
Elena Felix Giulia Hannah Ivan Jana Karim Lucía Mateo Nina Oscar Paula Quentin""".split()
LAST_NAMES = """Rossi Bianchi Smith Johnson Müller Núñez Dubois Kowalski Novák Silva Fischer
Conti Greco Brown Taylor Moreau Jensen Eriksson Horák Ricci""".split()
PLACES = ["Meeting Room 1", "Meeting Room 2", "Main Hall", "Caffè Greco, Via dei Condotti 86",
          "Piazza Navona 12, Roma", "350 Fifth Avenue, New York, NY 10118", "Online",
          "Library, second floor", "Café de Flore", "Gate B12", "Dr. Conti's office",
          "https://meet.example.com/room/4711", "Kitchen", "Sports Centre; court 3"]
CATEGORIES = ["WORK", "PERSONAL", "FAMILY", "TRAVEL", "HEALTH", "SCHOOL", "FINANCE", "SPORT"]

EUROPE = "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"
AMERICA = "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"
AUSTRALIA = "FREQ=YEARLY;BYMONTH=4;BYDAY=1SU", "FREQ=YEARLY;BYMONTH=10;BYDAY=1SU"


def timezone_lines(tzid, standard, daylight=None, rules=None, starts=None):
    """The VTIMEZONE of a zone: offsets and names of its standard and daylight time, their rules and first days."""
    def observance(kind, before, after, start, rule):
        lines = [f"BEGIN:{kind}", f"TZOFFSETFROM:{before}", f"TZOFFSETTO:{after[0]}", f"TZNAME:{after[1]}", f"DTSTART:{start}"]
        return lines + ([f"RRULE:{rule}"] if rule else []) + [f"END:{kind}"]

    lines = ["BEGIN:VTIMEZONE", f"TZID:{tzid}"]
    if daylight:
        lines += observance("DAYLIGHT", standard[0], daylight, starts[1], rules[1])
        lines += observance("STANDARD", daylight[0], standard, starts[0], rules[0])
    else:
        lines += observance("STANDARD", standard[0], standard, "19700101T000000", None)
    return lines + ["END:VTIMEZONE"]


SINCE_1996 = "19961027T030000", "19960331T020000"
SINCE_2007 = "20071104T020000", "20070311T020000"
TIMEZONES = {
    "Europe/Rome": timezone_lines("Europe/Rome", ("+0100", "CET"), ("+0200", "CEST"), EUROPE, SINCE_1996),
    "America/New_York": timezone_lines("America/New_York", ("-0500", "EST"), ("-0400", "EDT"), AMERICA, SINCE_2007),
    "Europe/London": timezone_lines("Europe/London", ("+0000", "GMT"), ("+0100", "BST"), EUROPE, ("19961027T020000", "19960331T010000")),
    "America/Los_Angeles": timezone_lines("America/Los_Angeles", ("-0800", "PST"), ("-0700", "PDT"), AMERICA, SINCE_2007),
    "Australia/Sydney": timezone_lines("Australia/Sydney", ("+1000", "AEST"), ("+1100", "AEDT"), AUSTRALIA, ("20080406T030000", "20081005T020000")),
    "Asia/Tokyo": timezone_lines("Asia/Tokyo", ("+0900", "JST")),
    "Asia/Kolkata": timezone_lines("Asia/Kolkata", ("+0530", "IST")),
    "W. Europe Standard Time": timezone_lines("W. Europe Standard Time", ("+0100", "CET"), ("+0200", "CEST"), EUROPE, ("16011028T030000", "16010325T020000")),
}
ZONES = {name: ZoneInfo("Europe/Berlin" if name.startswith("W.") else name) for name in TIMEZONES}
FORMS = {"Europe/Rome": 40, "America/New_York": 12, "Europe/London": 7, "America/Los_Angeles": 4, "Australia/Sydney": 3, "Asia/Tokyo": 4,
         "Asia/Kolkata": 3, "W. Europe Standard Time": 5, "UTC": 8, "all-day": 10, None: 4}


def folded(line):
    """The content line as octets, CRLF at its end, folded at 75 octets between characters."""
    data = line.encode()
    pieces, limit = [], 75
    while len(data) > limit:
        cut = limit
        while data[cut] & 0xC0 == 0x80:
            cut -= 1
        pieces.append(data[:cut])
        data, limit = data[cut:], 74
    return b"\r\n ".join(pieces + [data]) + b"\r\n"


def escaped(text):
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def calendar(lines):
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//helix//benchmark data//EN", "CALSCALE:GREGORIAN"]
    return b"".join(map(folded, head + lines + ["END:VCALENDAR"]))


class Series:
    """One UID: an event, perhaps recurring, perhaps with one changed occurrence."""

    def __init__(self, number, days):
        self.random = random.Random(f"helix {number}")
        self.days = days  # the length of the history
        self.uid = f"{self.random.getrandbits(64):016x}-{number}@bench.example.com"
        self.pick_time()
        recurs = self.random.random() < 0.25
        rule = self.pick_rule() if recurs else []
        self.components = [self.component(self.start, rule)]
        if recurs and self.steps and self.random.random() < 0.03:  # 2 % of all that recur
            self.components.append(self.override())

    def chance(self, probability):
        return self.random.random() < probability

    # Times

    def pick_time(self):
        pick = self.random
        back = round(self.days * 0.85)
        day = TODAY + timedelta(days=round(self.days * pick.random() ** 0.85) - back)
        self.all_day, self.zone = False, pick.choices(list(FORMS), list(FORMS.values()))[0]
        if self.zone == "all-day":
            self.all_day, self.zone = True, None
            self.start = datetime(day.year, day.month, day.day)
            self.length = timedelta(days=pick.choice([1, 1, 1, 2, 3, 5, 14]))
            return
        self.start = datetime(day.year, day.month, day.day, pick.randrange(7, 21), pick.choice([0, 0, 15, 30, 30, 45]))
        self.length = timedelta(minutes=pick.choice([15, 30, 30, 45, 60, 60, 60, 90, 120, 180, 480]))

    def value(self, moment):
        if self.all_day:
            return f"{moment:%Y%m%d}"
        return f"{moment:%Y%m%dT%H%M%S}" + ("Z" if self.zone == "UTC" else "")

    def timed(self, name, *moments):
        parameter = ";VALUE=DATE" if self.all_day else ""
        if self.zone and self.zone != "UTC":
            parameter = f";TZID={self.zone}"
        return f"{name}{parameter}:" + ",".join(map(self.value, moments))

    # Recurrence

    def pick_rule(self):
        """The RRULE and EXDATE lines. Moves the start to a day the rule holds, and notes in
        `steps` a few later starts that the rule surely gives."""
        pick = self.random
        kinds = {"weekly": 44, "daily": 14, "monthly": 20, "yearly": 14} | ({} if self.all_day else {"hourly": 4, "minutely": 2, "secondly": 2})
        kind = pick.choices(list(kinds), list(kinds.values()))[0]
        self.steps = []
        if kind == "weekly":
            interval = pick.choice([1, 1, 1, 1, 2, 3])
            days = sorted({self.start.weekday(), *pick.sample(range(7), pick.choice([0, 0, 1, 2, 4]))})
            rule = "FREQ=WEEKLY" + (f";INTERVAL={interval}" if interval > 1 else "")
            rule += ";BYDAY=" + ",".join(WEEKDAYS[day] for day in days)
            rule += "" if self.chance(0.05) else f";COUNT={pick.randint(10, 60)}" if self.chance(0.6) else self.until(pick.randint(70, 420))
            self.steps = [self.start + timedelta(weeks=n * interval) for n in (1, 2, 3)]
        elif kind == "monthly":
            form = pick.choice(["nth", "nth", "day", "last", "workday"])
            first = self.start.replace(day=1)
            if form == "nth":
                self.start = first + timedelta(days=(1 - first.weekday()) % 7 + 7)
                rule = "FREQ=MONTHLY;BYDAY=2TU"
            elif form == "day":
                self.start = self.start.replace(day=min(self.start.day, 28))
                rule = f"FREQ=MONTHLY;BYMONTHDAY={self.start.day}"
            else:
                end = (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
                self.start = end - timedelta(days=max(0, end.weekday() - 4)) if form == "workday" else end
                rule = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1" if form == "workday" else "FREQ=MONTHLY;BYMONTHDAY=-1"
            rule += "" if self.chance(0.15) else f";COUNT={pick.randint(6, 36)}"
        elif kind == "daily":
            rule = f"FREQ=DAILY;COUNT={pick.randint(5, 30)}"
            self.steps = [self.start + timedelta(days=n) for n in (1, 2, 3, 4)]
        elif kind == "yearly":
            form = pick.choice(["plain", "plain", "nth", "yearday"])
            if form == "nth":
                first = self.start.replace(day=1)
                self.start = first + timedelta(days=(3 - first.weekday()) % 7 + 14)
            rule = {"plain": "FREQ=YEARLY", "nth": f"FREQ=YEARLY;BYMONTH={self.start.month};BYDAY=3TH",
                    "yearday": f"FREQ=YEARLY;BYYEARDAY={self.start.timetuple().tm_yday}"}[form]
            rule += "" if self.chance(0.7) else f";COUNT={pick.randint(4, 12)}"
        else:
            self.length = timedelta(minutes=10)
            interval = pick.choice({"hourly": [1, 2, 4], "minutely": [15, 30, 45], "secondly": [10, 20, 30]}[kind])
            rule = f"FREQ={kind.upper()};INTERVAL={interval};COUNT={pick.randint(3, 9)}"
        lines = [f"RRULE:{rule}"]
        if self.steps and self.chance(0.3):
            excluded = sorted(pick.sample(self.steps, pick.randint(1, 2)))
            self.steps = [step for step in self.steps if step not in excluded]
            lines.append(self.timed("EXDATE", *excluded))
        return lines

    def until(self, days):
        """UNTIL in the form of the start: a date, a floating time, or UTC (RFC 5545 §3.3.10)."""
        end = self.start + timedelta(days=days)
        if self.zone and self.zone != "UTC":
            end = end.replace(tzinfo=ZONES[self.zone]).astimezone(timezone.utc)
            return f";UNTIL={end:%Y%m%dT%H%M%SZ}"
        return f";UNTIL={self.value(end)}"

    def override(self):
        original = self.random.choice(self.steps)
        moved = original + (timedelta(days=1) if self.all_day else timedelta(minutes=30))
        return self.component(moved, [self.timed("RECURRENCE-ID", original)])

    # Text

    def words(self, source, low, high):
        words, weights = source
        return self.random.choices(words, cum_weights=weights, k=self.random.randint(low, high))

    def sentence(self):
        words = self.words(TEXT, 5, 14)
        if len(words) > 9:
            words[4] += ","
        return " ".join(words).capitalize() + "."

    def person(self):
        first, last = self.random.choice(FIRST_NAMES), self.random.choice(LAST_NAMES)
        mailbox = f"{first}.{last}".lower().encode("ascii", "ignore").decode()
        return f"{first} {last}", f"mailto:{mailbox}@example.com"

    def component(self, start, recurrence):
        pick, chance = self.random, self.chance
        made = datetime.combine(TODAY, datetime.min.time()) - timedelta(minutes=pick.randrange(1_500_000))
        stamp = f"{made:%Y%m%dT%H%M%SZ}"
        lines = ["BEGIN:VEVENT", f"UID:{self.uid}", f"DTSTAMP:{stamp}", f"CREATED:{stamp}", f"LAST-MODIFIED:{stamp}",
                 f"SEQUENCE:{pick.choice([0, 0, 0, 1, 2])}", self.timed("DTSTART", start)]
        if chance(0.85):
            lines.append(self.timed("DTEND", start + self.length))
        else:
            minutes = int(self.length.total_seconds()) // 60
            lines.append(f"DURATION:P{self.length.days}D" if self.all_day else f"DURATION:PT{minutes}M")
        lines += recurrence
        lines.append("SUMMARY:" + escaped(" ".join(self.words(TITLE, 2, 4)).capitalize()))
        if chance(0.5):
            lines.append("LOCATION:" + escaped(pick.choice(PLACES)))
        if chance(0.7):
            gap = pick.choice([" ", " ", "\n", "\n\n"])
            lines.append("DESCRIPTION:" + escaped(gap.join(self.sentence() for _ in range(pick.choice([1, 2, 3, 6, 12])))))
        guests = pick.choices([0, 1, 2, 3, 4, 6, 10, 25], [60, 8, 9, 7, 6, 5, 3, 2])[0]
        if guests:
            name, address = self.person()
            lines.append(f"ORGANIZER;CN={name}:{address}")
        for _ in range(guests):
            name, address = self.person()
            answer = pick.choice(["ACCEPTED", "ACCEPTED", "TENTATIVE", "NEEDS-ACTION", "DECLINED"])
            lines.append(f"ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT={answer};RSVP=TRUE;CN={name}:{address}")
        if chance(0.4):
            lines.append("CATEGORIES:" + ",".join(pick.sample(CATEGORIES, pick.randint(1, 2))))
        lines.append("STATUS:" + pick.choices(["CONFIRMED", "TENTATIVE", "CANCELLED"], [90, 7, 3])[0])
        if chance(0.3):
            lines.append("TRANSP:" + pick.choice(["OPAQUE", "OPAQUE", "TRANSPARENT"]))
        if chance(0.3):
            lines.append("X-MICROSOFT-CDO-BUSYSTATUS:" + pick.choice(["BUSY", "FREE", "TENTATIVE"]))
        if chance(0.2):
            lines.append("X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC")
        if chance(0.1):
            lines.append(f"X-GOOGLE-CONFERENCE:https://meet.example.com/{pick.getrandbits(40):010x}")
        if chance(0.5):
            lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Reminder",
                      f"TRIGGER:-PT{pick.choice([5, 10, 15, 30, 60])}M", "END:VALARM"]
        return lines + ["END:VEVENT"]


def all_series(count):
    """Series until they make `count` components; an override that would be one too many is left out."""
    made, number = 0, 0
    while made < count:
        series = Series(number, count * 365 / EVENTS_A_YEAR)
        series.components = series.components[: count - made]
        made += len(series.components)
        number += 1
        yield series


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("count", metavar="N", type=int, help="how many VEVENTs")
    arguments.add_argument("out", metavar="OUT.ics", type=Path)
    arguments.add_argument("--vdir", metavar="DIR", type=Path, help="also write one file for each UID here")
    options = arguments.parse_args()

    series = list(all_series(options.count))
    zones = [line for lines in TIMEZONES.values() for line in lines]
    events = [line for one in series for component in one.components for line in component]
    options.out.write_bytes(calendar(zones + events))
    if options.vdir:
        options.vdir.mkdir(parents=True, exist_ok=True)
        for one in series:
            lines = [line for component in one.components for line in component]
            name = one.uid.partition("@")[0] + ".ics"
            (options.vdir / name).write_bytes(calendar(TIMEZONES.get(one.zone, []) + lines))


if __name__ == "__main__":
    main()
