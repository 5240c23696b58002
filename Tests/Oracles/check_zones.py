"""Reads VTIMEZONEs as two other programs do, and compares them with the zones that they are named after.

Standard input: VTIMEZONE components, each after a line `X-CHECK:FROM-TO` with the UTC seconds between which it must be
right. Standard output: one line for each second at which dateutil or libical reads another offset than the system's zone,
and at the end the number of comparisons. zoneinfo is the truth. libical is asked at every change between the two seconds,
a second and an hour before and after it, dateutil 26 hours from it; both in the middles between changes.
"""

import ctypes
import datetime
import io
import sys
import zoneinfo

import dateutil.tz

UTC = datetime.timezone.utc


class ICalTime(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in
                ("year", "month", "day", "hour", "minute", "second", "is_date", "is_daylight")]
    _fields_.append(("zone", ctypes.c_void_p))


def load_libical():
    library = ctypes.CDLL("libical.so.3")
    library.icalparser_parse_string.restype = ctypes.c_void_p
    library.icalparser_parse_string.argtypes = [ctypes.c_char_p]
    library.icalcomponent_get_first_component.restype = ctypes.c_void_p
    library.icaltimezone_new.restype = ctypes.c_void_p
    library.icaltimezone_set_component.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.icaltimezone_get_utc_offset_of_utc_time.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(ICalTime), ctypes.POINTER(ctypes.c_int)]
    return library


LIBICAL = load_libical()


def libical_reader(text):
    component = LIBICAL.icalparser_parse_string(text.encode())
    zone = LIBICAL.icaltimezone_new()
    if not component or not LIBICAL.icaltimezone_set_component(zone, component):
        raise ValueError("libical reads no zone")

    def offset(second, wanted):
        at = datetime.datetime.fromtimestamp(second, UTC)
        time = ICalTime(at.year, at.month, at.day, at.hour, at.minute, at.second, 0, 0, None)
        daylight = ctypes.c_int(0)
        return LIBICAL.icaltimezone_get_utc_offset_of_utc_time(zone, ctypes.byref(time), ctypes.byref(daylight))

    return offset


def dateutil_reader(text):
    zone = dateutil.tz.tzical(io.StringIO("BEGIN:VCALENDAR\r\n" + text + "END:VCALENDAR\r\n")).get()

    def offset(second, wanted):
        # From the wall clock, as events name their times: dateutil's own way back from UTC holds every change of a
        # zone's standard time for summer time.
        at = datetime.datetime.fromtimestamp(second + wanted, UTC).replace(tzinfo=zone)
        return int(at.utcoffset().total_seconds())

    return offset


def system_offset(zone, second):
    return int(datetime.datetime.fromtimestamp(second, UTC).astimezone(zone).utcoffset().total_seconds())


CHANGES = {}


def changes(name):
    """The seconds from 1968 to 2062 at which the system's zone changes its offset."""
    if name in CHANGES:
        return CHANGES[name]
    zone = zoneinfo.ZoneInfo(name)
    step = 43200
    second = -2 * 366 * 86400
    end = 92 * 366 * 86400
    before = system_offset(zone, second)
    found = []
    while second < end:
        now = system_offset(zone, second + step)
        if now != before:
            low, high = second, second + step
            while high - low > 1:
                middle = (low + high) // 2
                if system_offset(zone, middle) == before:
                    low = middle
                else:
                    high = middle
            found.append(high)
            before = now
        second += step
    CHANGES[name] = found
    return found


def check(name, text, start, end):
    zone = zoneinfo.ZoneInfo(name)
    inside = [at for at in changes(name) if start < at < end]
    seconds = {start + 43200, end - 43200}
    near = set()
    for at in inside:
        seconds.update((at - 26 * 3600, at + 26 * 3600))
        near.update((at - 1, at, at + 1, at - 3600, at + 3600))
    for a, b in zip([start] + inside, inside + [end]):
        seconds.add((a + b) // 2)
    dateutil_offset, libical_offset = dateutil_reader(text), libical_reader(text)
    count = 0
    for second in sorted(second for second in seconds | near if start <= second < end):
        wanted = system_offset(zone, second)
        # Wall clocks read an hour twice at a change; UTC never does.
        readers = [("libical", libical_offset)] + ([("dateutil", dateutil_offset)] if second in seconds else [])
        for program, offset in readers:
            count += 1
            found = offset(second, wanted)
            if found != wanted:
                when = datetime.datetime.fromtimestamp(second, UTC).isoformat()
                print(f"{name} {program} {when}: {found} instead of {wanted}")
    return count


def main():
    total = 0
    text, name, bounds = "", None, None
    for line in sys.stdin:
        if line.startswith("X-CHECK:"):
            bounds = [int(part) for part in line[8:].strip().split("..")]
            text = ""
            continue
        text += line.rstrip("\r\n") + "\r\n"
        if line.startswith("TZID:"):
            name = line[5:].strip()
        if line.startswith("END:VTIMEZONE"):
            total += check(name, text, *bounds)
    print(f"compared {total}")


main()
