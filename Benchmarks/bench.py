#!/usr/bin/env python3
"""Measure `helix cal` beside khal, calcurse and two C programs on libical, and write a table.

    bench.py --helix .build/release/helix --work .build/bench --out docs/benchmarks.md
    bench.py --helix .build/release/helix --work .build/bench --sizes 200 --quick

Everything is measured in the same run, on calendars made by generate.py, by hyperfine (no
shell between). Memory is the peak resident set of one run. What cannot be measured is said,
never guessed.
"""

import argparse
import json
import os
import platform
import shlex
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

HERE = Path(__file__).resolve().parent
NOW = "2026-11-21T10:00:00"
ZONE = "Europe/Rome"
VIEWS = ["cal week", "cal day", "cal agenda", "cal month"]
LIMITED_SIZE = 20_000  # the limits are for this many events and more
MOST_GROWTH = 1.3  # of a view, from a calendar with nothing but what it shows to the largest
MB = 1024 * 1024


@dataclass
class Program:
    """A command to measure. `prepare` runs before every run, outside the clock; `statuses` are
    the exit statuses of a run that counts."""

    name: str
    command: list
    prepare: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    statuses: tuple = (0,)


@dataclass
class Case:
    """A helix command, what it may cost, and the programs that do the same beside it.

    The limit is `seconds`, or `times` the first program's time."""

    helix: Program
    seconds: float = None
    times: float = None
    memory: int = 40 * MB
    beside: list = field(default_factory=list)


@dataclass
class Measurement:
    seconds: float = None  # the median
    peak: int = None       # bytes
    problem: str = None    # why there is no time


class Stopwatch:
    # Waits for the program in a small process of its own: a child's peak is never less than
    # that of the process it was started from, and this one is the smallest at hand.
    WAITER = """if True:
        import os, sys
        null = os.open(os.devnull, os.O_RDWR)
        pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ,
                              file_actions=[(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)])
        _, status, usage = os.wait4(pid, 0)
        print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)"""

    def __init__(self, limit, quick):
        self.limit = limit
        self.budget, self.most_runs = (0.5, 5) if quick else (3, 50)
        self.given_up = set()
        self.floor = self.once(Program("true", ["true"])).peak

    def alternate(self, programs, rounds=6, runs=10):
        """The medians of programs whose times are compared with each other: they take turns, so that a minute in which the
        machine is slower is one for all of them."""
        times = [[] for _ in programs]
        for _ in range(rounds):
            for place, program in enumerate(programs):
                print(f"  {program.name}", file=sys.stderr, flush=True)
                with tempfile.NamedTemporaryFile(suffix=".json") as report:
                    subprocess.run(["hyperfine", "-N", "--style", "none", "--warmup", "1", "--runs", str(runs), "--export-json",
                                    report.name, shlex.join(program.command)], env=environment(program), check=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    times[place] += json.load(open(report.name))["results"][0]["times"]
        return [statistics.median(own) for own in times]

    def measure(self, program):
        """The median of as many runs as fit the budget, at least three; of a slow program, one run.

        One that was stopped at the time limit is not tried again on the same calendar."""
        print(f"  {program.name}", file=sys.stderr, flush=True)
        if not shutil.which(program.command[0]):
            return Measurement(problem="not installed")
        over_limit = Measurement(problem=f"not measured (over {self.limit:g} s)")
        program_and_store = tuple(program.command[:3])
        if program_and_store in self.given_up:
            return over_limit
        try:
            first = self.once(program)
        except subprocess.TimeoutExpired:
            self.given_up.add(program_and_store)
            return over_limit
        if first.problem or first.seconds * 4 > self.limit:
            return first
        runs = max(3, min(self.most_runs, int(self.budget / first.seconds)))
        with tempfile.NamedTemporaryFile(suffix=".json") as report:
            hyperfine = ["hyperfine", "-N", "--style", "none", "--warmup", "1", "--runs", str(runs),
                         "--export-json", report.name]
            if program.prepare:
                hyperfine += ["--prepare", shlex.join(program.prepare)]
            if program.statuses != (0,):
                hyperfine += ["--ignore-failure"]
            done = subprocess.run(hyperfine + [shlex.join(program.command)], env=environment(program),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                return self.failed(program, "failed when run again", done.stderr)
            return Measurement(json.load(report)["results"][0]["median"], first.peak)

    def once(self, program):
        """Time and peak memory of one run."""
        if program.prepare:
            subprocess.run(program.prepare, check=True)
        start = time.monotonic()
        waiter = subprocess.Popen([sys.executable, "-I", "-S", "-c", self.WAITER, *program.command],
                                  env=environment(program), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, start_new_session=True)
        try:
            output, errors = waiter.communicate(timeout=self.limit)
        except subprocess.TimeoutExpired:
            os.killpg(waiter.pid, signal.SIGKILL)
            waiter.communicate()
            raise
        seconds = time.monotonic() - start
        status, peak = map(int, output.split()) if waiter.returncode == 0 else (waiter.returncode, 0)
        if status not in program.statuses:
            return self.failed(program, f"failed (exit {status})", errors)
        return Measurement(seconds, peak * 1024)

    @staticmethod
    def failed(program, problem, errors):
        last = errors.strip().splitlines()[-1:] or ["no message"]
        print(f"    {shlex.join(program.command)}: {problem}: {last[0]}", file=sys.stderr)
        return Measurement(problem=problem)


def environment(program):
    return {**os.environ, "TZ": ZONE, "LC_ALL": "C.UTF-8", "HELIX_NOW": NOW, **program.environment}


# What is measured

class Calendar:
    """A generated calendar of one size, and where each program keeps it."""

    def __init__(self, count, work):
        self.count = count
        self.folder = work / str(count)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.file = self.folder / "events.ics"
        self.vdir = self.folder / "vdir"
        self.home = self.folder / "helix"
        self.database = self.folder / "import.db"
        self.calcurse = self.folder / "calcurse"
        self.khal_config = self.folder / "khal.conf"
        self.khal_cache = self.folder / "khal.db"
        subprocess.run([sys.executable, HERE / "generate.py", str(count), self.file, "--vdir", self.vdir], check=True)
        self.khal_config.write_text(f"""\
[calendars]
[[bench]]
path = {self.vdir}
[sqlite]
path = {self.khal_cache}
[locale]
local_timezone = {ZONE}
default_timezone = {ZONE}
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[default]
default_calendar = bench
""")

    def contents(self):
        """Numbers of occurrences and of search hits, from the store of import_ical."""
        def instant(text):
            return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE)).timestamp())

        store = sqlite3.connect(self.database)
        touching = 'SELECT count(*) FROM occurrence WHERE start < ? AND "end" > ?'
        return [
            store.execute("SELECT count(*) FROM occurrence").fetchone()[0],
            store.execute(touching, (instant("2026-11-23"), instant("2026-11-16"))).fetchone()[0],
            store.execute(touching, (instant("2026-12-01"), instant("2026-11-01"))).fetchone()[0],
            store.execute("SELECT count(*) FROM component_text WHERE component_text MATCH 'budget'").fetchone()[0],
        ]


def cases_of(binary, calendar):
    """In an order that measures what changes a store after what reads it."""
    def helix(arguments, home=calendar.home, **options):
        name = f"`helix {arguments}`".replace(str(calendar.file), "FILE")
        return Program(name, [binary, *shlex.split(arguments)], environment={"HELIX_HOME": str(home)}, **options)

    def khal(arguments, **options):
        # Under C.UTF-8, khal's calendar asks for en_US.UTF-8, which need not be there.
        command = ["khal", "-c", str(calendar.khal_config), *shlex.split(arguments)]
        return Program(f"`khal {arguments}`", command, environment={"LC_ALL": "C"}, **options)

    def calcurse(arguments, **options):
        command = ["calcurse", "-D", str(calendar.calcurse), "--input-datefmt", "4", *shlex.split(arguments)]
        return Program(f"`calcurse {arguments}`".replace(str(calendar.file), "FILE"), command, **options)

    def view(command, first, days):
        return Case(helix(command), 0.008 if command in ("cal week", "cal month") else 0.014, beside=[
            khal(f"calendar {first} {days}d" if command == "cal month" else f"list {first} {days}d"),
            calcurse(f"-Q --from {first} --days {days}")])

    fresh = calendar.folder / "fresh"
    store = [str(calendar.database) + suffix for suffix in ("", "-wal", "-shm")]
    first_read = khal("list 2026-11-16 7d", prepare=["rm", "-f", str(calendar.khal_cache)])
    first_read.name = "khal's first read"
    # Leaves out, with status 1, weekly series of another zone that fall on another day here.
    calcurse_import = calcurse(f"-i {shlex.quote(str(calendar.file))}", statuses=(0, 1),
                               environment={"TMPDIR": str(calendar.calcurse)},
                               prepare=["sh", "-c", 'rm -rf "$1" && mkdir "$1"', "sh", str(calendar.calcurse)])
    import_file = f"cal import {shlex.quote(str(calendar.file))} --on-conflict allow"
    again = helix(import_file)
    again.name += " again"
    return [
        Case(helix(import_file, home=fresh, prepare=["rm", "-rf", str(fresh)]), times=1, memory=150 * MB, beside=[
            Program("import_ical", [str(HERE / "import_ical"), str(calendar.file), store[0]], ["rm", "-f", *store]),
            calcurse_import, first_read]),
        Case(again, times=1.5, memory=150 * MB, beside=[
            Program("parse_ical", [str(HERE / "parse_ical"), str(calendar.file)])]),
        view("cal week", "2026-11-16", 7),
        view("cal day", "2026-11-21", 1),
        view("cal agenda", "2026-11-21", 7),
        view("cal month", "2026-11-01", 30),
        Case(helix("cal conflicts 2026 --limit 50"), 0.060),
        # All 10,000 that a report lists at most, 16 MB of JSON: told, without a limit.
        Case(helix("cal conflicts 2026 --json")),
        Case(helix("cal search budget --limit 25"), 0.008, beside=[khal("search budget")]),
        Case(helix("cal export -o /dev/null"), 0.400, beside=[calcurse("--export")]),
        Case(helix("cal add 'Bench tomorrow 12:30 for 45m'"), 0.010, beside=[khal("new 2026-11-22 12:30 13:15 Bench")]),
    ]


def version_case(binary):
    return Case(Program("`helix --version`", [binary, "--version"]), 0.0016, beside=[
        Program("`khal --version`", ["khal", "--version"]), Program("`calcurse --version`", ["calcurse", "--version"])])


# How it is told

def shown(seconds):
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def judged(text, kept):
    return text if kept else f"**{text}**"


def cell(measurement):
    return measurement.problem or shown(measurement.seconds)


class Report:
    def __init__(self, stopwatch):
        self.stopwatch = stopwatch
        self.broken = []

    def table(self, head, rows):
        return ["", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows]

    def measured(self, case, where, limited=True):
        """The row of one case; measures it, and judges its time if it is `limited`."""
        helix = self.stopwatch.measure(case.helix)
        beside = [(program.name, self.stopwatch.measure(program)) for program in case.beside]
        limit, limit_name = (case.seconds, shown(case.seconds)) if limited and case.seconds else (None, "–")
        if limited and case.times:
            limit_name = f"{case.times} × {beside[0][0]}"
            limit = case.times * beside[0][1].seconds if beside[0][1].seconds else None

        def verdict(what, text, kept):
            if not kept:
                self.broken.append(f"{case.helix.name}, {where}: {what}")
            return judged(text, kept)

        time_cell = verdict("time" if helix.seconds else helix.problem, cell(helix),
                            helix.seconds and (limit is None or helix.seconds <= limit))
        ratios = [f"{helix.seconds / other.seconds:.2g}" if helix.seconds and other.seconds else "–" for _, other in beside]
        memory = "–"
        if helix.peak:
            small = helix.peak <= self.stopwatch.floor
            size = f"under {self.stopwatch.floor / MB:.0f}" if small else f"{helix.peak / MB:.0f}"
            memory = verdict("memory", f"{size} of {case.memory // MB} MB", helix.peak <= case.memory)
        return [case.helix.name, time_cell, limit_name, "<br>".join(f"{name} {cell(other)}" for name, other in beside) or "–",
                "<br>".join(ratios) or "–", memory]

    def growth(self, binary, calendars):
        """Views of the smallest and the largest calendar, and of one that has nothing but what the largest shows: what a
        view costs because the store is large, told from what it costs because there is more to draw."""
        small, large = calendars[0], calendars[-1]
        home = large.folder / "shown"
        shutil.rmtree(home, ignore_errors=True)
        month = large.folder / "shown.ics"
        for words in (["cal", "export", "--from", "2026-10-26", "--to", "2026-12-07", "--force", "-o", str(month)],
                      ["cal", "import", str(month), "--on-conflict", "allow"]):
            subprocess.run([binary, *words], env=environment(Program("", [], environment={
                "HELIX_HOME": str(large.home if words[1] == "export" else home)})), check=True, capture_output=True)
        events = month.read_text().count("BEGIN:VEVENT")
        rows = []
        for view in VIEWS:
            seconds = self.stopwatch.alternate([
                Program(f"`helix {view}`, {where}", [binary, *view.split()], environment={"HELIX_HOME": str(store)})
                for where, store in ((f"{small.count:,} events", small.home), (f"{large.count:,} events", large.home),
                                     ("what is shown", home))])
            ratio, own = (seconds[1] / seconds[0], seconds[1] / seconds[2]) if all(seconds) else (None, None)
            kept = own is not None and own <= MOST_GROWTH
            if not kept:
                self.broken.append(f"`helix {view}`: growth")
            rows.append([f"`helix {view}`", *[shown(s) if s else "–" for s in seconds],
                         f"{ratio:.2f}" if ratio else "–", judged(f"{own:.2f}" if own else "–", kept), str(MOST_GROWTH)])
        return self.table(["what", f"{small.count:,}", f"{large.count:,}", f"{events:,}, all that is shown of the {large.count:,}",
                           f"{large.count:,} : {small.count:,}", f"{large.count:,} : {events:,}", "at most"], rows)


def fill(binary, calendar, limit):
    """Import the calendar into the store that the measurements read."""
    program = Program("fill", [binary, "cal", "import", str(calendar.file), "--on-conflict", "allow"],
                      environment={"HELIX_HOME": str(calendar.home)})
    try:
        done = subprocess.run(program.command, env=environment(program), stdout=subprocess.DEVNULL, timeout=limit)
        if done.returncode:
            print(f"bench.py: the import failed (exit {done.returncode}): what follows reads an incomplete store", file=sys.stderr)
    except subprocess.TimeoutExpired:
        print(f"bench.py: the import took over {limit:g} s: what follows reads an incomplete store", file=sys.stderr)


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip().partition("\n")[0] or "no answer"
    except OSError:
        return f"{command[0]} not installed"


def machine():
    model = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return f"{os.cpu_count()} × {model[0] if model else platform.machine()}, {platform.system()}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--helix", required=True, metavar="PATH", help="the binary to measure")
    arguments.add_argument("--work", required=True, type=Path, metavar="DIR", help="where data and stores are made")
    arguments.add_argument("--sizes", metavar="N,N,…", help="numbers of events (200,2000,20000; with --quick 200,2000)")
    arguments.add_argument("--out", type=Path, metavar="FILE.md", help="write the report here too")
    arguments.add_argument("--quick", action="store_true", help="few runs, for a first look")
    arguments.add_argument("--time-limit", type=float, default=120, metavar="SECONDS", help="for one run of anything (120)")
    options = arguments.parse_args()
    if not shutil.which("hyperfine"):
        sys.exit("bench.py: hyperfine is not installed")
    binary = shutil.which(options.helix)
    if not binary:
        sys.exit(f"bench.py: {options.helix}: no such program")
    binary = str(Path(binary).resolve())
    sizes = sorted({int(size) for size in (options.sizes or ("200,2000" if options.quick else "200,2000,20000")).split(",")})
    if subprocess.run(["make", "-s", "-C", HERE], stdout=sys.stderr).returncode:
        print("bench.py: the C programs could not be built, so nothing stands beside import", file=sys.stderr)

    stopwatch = Stopwatch(options.time_limit, options.quick)
    report = Report(stopwatch)
    head = ["what", "helix", "limit", "compared with", "ratio", "memory"]
    lines = ["# Calendar benchmarks", "",
             f"{machine()}; {first_line(['hyperfine', '--version'])}; {first_line(['khal', '--version'])}; "
             f"{first_line(['calcurse', '--version'])}; libical {first_line(['pkg-config', '--modversion', 'libical'])}; "
             f"SQLite {first_line(['pkg-config', '--modversion', 'sqlite3'])}.",
             f"helix runs with the clock fixed at {NOW}, {ZONE}. Times are medians; a ratio is helix's time over the other's "
             f"(below 1, helix is faster); memory is the peak of one run. The limits are those for {LIMITED_SIZE:,} events. **Bold** is over the limit."]
    lines += ["", "## Start"] + report.table(head, [report.measured(version_case(binary), "start")])
    contents = []
    calendars = []
    for size in sizes:
        print(f"{size} events", file=sys.stderr, flush=True)
        calendar = Calendar(size, options.work.resolve())
        fill(binary, calendar, options.time_limit)
        calendars.append(calendar)
        rows = [report.measured(case, f"{size:,} events", size >= LIMITED_SIZE) for case in cases_of(binary, calendar)]
        lines += ["", f"## {size:,} events"] + report.table(head, rows)
        if calendar.database.exists():
            contents.append([f"{size:,}", f"{calendar.file.stat().st_size / 1e6:.1f} MB", *[f"{n:,}" for n in calendar.contents()]])
    if len(sizes) > 1:
        lines += ["", "## The size of the calendar"] + report.growth(binary, calendars)
    lines += report.table(["events", "file", "occurrences", "in the week", "in the month", "found by search"], contents)
    lines += ["", "Over a limit: " + ("; ".join(report.broken) if report.broken else "nothing") + "."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
