"""What dateutil gives for recurrence rules.

Standard input: lines `DTSTART RRULE FROM COUNT`; standard output: for each the first COUNT starts from FROM on, with the
DTSTART itself among all starts, separated by blanks. Times are local, as `20260101T090000`.
"""

import datetime
import sys

import dateutil.rrule

FORM = "%Y%m%dT%H%M%S"

for line in sys.stdin:
    start, rule, first, count = line.split()
    begin = datetime.datetime.strptime(start, FORM)
    target = datetime.datetime.strptime(first, FORM)
    given = []
    if begin >= target:
        given.append(begin)
    try:
        for at in dateutil.rrule.rrulestr(rule, dtstart=begin):
            if len(given) > int(count):
                break
            if at >= target and at != begin:
                given.append(at)
    except (OverflowError, ValueError):
        # Behind the year 9999 there is nothing.
        pass
    print(" ".join(at.strftime(FORM) for at in sorted(given)[: int(count)]))
