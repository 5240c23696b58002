#!/usr/bin/env python3
"""Measure `helix sync` beside mbsync and vdirsyncer, against Dovecot and Radicale on this machine, and write a table.

    bench_sync.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-sync.md

20,000 messages in one mailbox, 5,000 events in one calendar; all in the same run.
"""

import argparse
import imaplib
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from bench import first_line, machine

HERE = Path(__file__).resolve().parent
SERVERS = HERE.parent / "Tests" / "Servers"


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def start(script, folder, *ports):
    process = subprocess.Popen(["sh", SERVERS / script, folder, *map(str, ports)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for port in ports:
        for _ in range(200):
            with socket.socket() as place:
                if place.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
    return process


def once(command, environment=None):
    """Seconds, own seconds of CPU and peak MB of one run."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in command], env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command} failed with {status}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def median(command, environment=None, runs=7):
    found = sorted(once(command, environment) for _ in range(runs))
    return found[len(found) // 2]


def shown(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def fill_mail(folder, source, count):
    """A Maildir of Dovecot's with so many messages of those that bench_mail.py made."""
    target = folder / "mail" / "ana"
    for part in ("cur", "new", "tmp"):
        (target / part).mkdir(parents=True)
    files = [path for part in sorted(source.rglob("cur")) for path in sorted(part.iterdir())][:count]
    for number, path in enumerate(files):
        shutil.copyfile(path, target / "cur" / f"{1700000000 + number}.m{number}.bench:2,S")
    return len(files)


def fill_cyrus(port, source, count):
    """An inbox of Cyrus's with so many messages of those that bench_mail.py made, by four clients at once."""
    files = [path for part in sorted(source.rglob("cur")) for path in sorted(part.iterdir())][:count]

    def append(own):
        client = imaplib.IMAP4("127.0.0.1", port)
        client.login("ana", "secret")
        for path in own:
            text = re.sub(rb"\r?\n", b"\r\n", path.read_bytes()).replace(b"\0", b"")
            client.append("INBOX", "(\\Seen)", None, text)
        client.logout()

    threads = [threading.Thread(target=append, args=(files[place::4],)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def counting(target):
    """A port that leads to another one, and how many bytes came from there."""
    came = [0]
    listener = socket.create_server(("127.0.0.1", 0))

    def pump(source, sink, counts):
        while data := source.recv(1 << 16):
            if counts:
                came[0] += len(data)
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)

    def accept():
        while True:
            near, _ = listener.accept()
            far = socket.create_connection(("127.0.0.1", target))
            threading.Thread(target=pump, args=(near, far, False), daemon=True).start()
            threading.Thread(target=pump, args=(far, near, True), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1], came


def event(number):
    day = 1 + number % 28
    return (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\nBEGIN:VEVENT\r\n"
        f"UID:event-{number}@bench\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:2026{1 + number % 12:02}{day:02}T{8 + number % 9:02}0000Z\r\n"
        f"DURATION:PT45M\r\nSUMMARY:Meeting {number}\r\nLOCATION:Room {number % 40}\r\nDESCRIPTION:What is to be said of number {number}.\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--helix", required=True, metavar="PATH")
    arguments.add_argument("--work", required=True, type=Path, metavar="DIR")
    arguments.add_argument("--out", type=Path, metavar="FILE.md")
    arguments.add_argument("--messages", type=int, default=20_000)
    arguments.add_argument("--events", type=int, default=5_000)
    options = arguments.parse_args()
    helix = str(Path(options.helix).resolve())
    work = (options.work / "sync").resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    source = options.work / "mail" / "Mail"
    if not source.is_dir():
        raise SystemExit(f"There is no mail in {source}: run bench_mail.py before.")
    rows = []

    # Mail.
    place = work / "dovecot"
    count = fill_mail(place, source, options.messages)
    port, secure = free_port(), free_port()
    dovecot = start("dovecot.sh", place, port, secure)
    other = work / "mbsync"
    other.mkdir()
    (work / "mbsyncrc").write_text(
        f"IMAPAccount a\nHost localhost\nPort {secure}\nUser ana\nPass secret\nSSLType IMAPS\nCertificateFile {place}/cert.pem\n\n"
        f"IMAPStore far\nAccount a\n\nMaildirStore near\nPath {other}/\nInbox {other}/INBOX\nSubFolders Verbatim\n\n"
        "Channel all\nFar :far:\nNear :near:\nPatterns *\nCreate Near\nSyncState *\n")
    mbsync = ["mbsync", "-q", "-c", work / "mbsyncrc", "all"]
    home = {"HELIX_HOME": str(work / "home")}
    once([helix, "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host", "localhost",
          "--imap-port", secure, "--imap-security", "tls", "--ca", place / "cert.pem", "--password-command", "echo secret"], home)
    # The server's own indexes are made by whoever comes first.
    once(mbsync)
    shutil.rmtree(other)
    other.mkdir()
    theirs = once(mbsync)
    ours = once([helix, "sync"], home)
    rows.append((f"first sync of {count:,} messages, full text included", ours, "mbsync", theirs, 1.0, 100))
    trips = json.loads(subprocess.run([helix, "sync", "--json"], env={**os.environ, **home}, capture_output=True, text=True).stdout)
    ours, theirs = median([helix, "sync"], home), median(mbsync)
    rows.append((f"nothing new ({trips['items'][0]['round_trips']} round trips)", ours, "mbsync", theirs, None, None))
    own_mail = ours[1]
    alone = median([helix, "mail", "list", "--limit", "50", "--no-index"], home, 30)
    dovecot.terminate()

    # How much a sync that writes slows a reader.
    dovecot.wait()
    dovecot = start("dovecot.sh", place, port, secure)
    second = {"HELIX_HOME": str(work / "home2")}
    once([helix, "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host", "localhost",
          "--imap-port", secure, "--imap-security", "tls", "--ca", place / "cert.pem", "--password-command", "echo secret"], second)
    writer = subprocess.Popen([helix, "sync"], env={**os.environ, **second}, stdout=subprocess.DEVNULL)
    beside = []
    while writer.poll() is None:
        beside.append(once([helix, "mail", "list", "--limit", "50", "--no-index"], second)[0])
    dovecot.terminate()

    # The same mailbox by IMAP and by JMAP, and how many bytes packed lines save.
    notes = []
    if (HERE.parent / ".build" / "servers" / "usr" / "lib" / "cyrus").is_dir():
        place = work / "cyrus"
        ports = [free_port() for _ in range(3)]
        cyrus = start("cyrus.sh", place, *ports)
        time.sleep(3)
        fill_cyrus(ports[0], source, options.messages)
        imap = ["imap", "--imap-host", "127.0.0.1", "--imap-port", ports[0], "--imap-security", "none"]
        found = {}
        for name, words in (("imap", imap), ("jmap", ["jmap", f"http://127.0.0.1:{ports[1]}/jmap/"])):
            own = {"HELIX_HOME": str(work / f"cyrus-{name}")}
            once([helix, "account", "add", "work", *words, "--address", "ana@example.org", "--user", "ana", "--password-command",
                  "echo secret"], own)
            first = once([helix, "sync"], own)
            trips = json.loads(subprocess.run([helix, "sync", "--json"], env={**os.environ, **own}, capture_output=True, text=True).stdout)
            found[name] = (first, median([helix, "sync"], own), trips["items"][0]["round_trips"])
        rows.append((f"first sync of {count:,} messages by JMAP (Cyrus)", found["jmap"][0], "helix by IMAP", found["imap"][0], 1.0, 100))
        rows.append((f"nothing new by JMAP ({found['jmap'][2]} round trip, {found['imap'][2]} by IMAP)", found["jmap"][1],
                     "helix by IMAP", found["imap"][1], None, None))
        told = []
        for way in ("no", "yes"):
            port, came = counting(ports[0])
            own = {"HELIX_HOME": str(work / f"packed-{way}")}
            words = [str(port) if word == ports[0] else word for word in imap]
            once([helix, "account", "add", "work", *words, "--address", "ana@example.org", "--user", "ana", "--compress", way,
                  "--password-command", "echo secret"], own)
            once([helix, "sync"], own)
            told.append(f"{came[0] / 1e6:.1f} MB")
        notes.append(f"Bytes from the server in a first sync of {count:,} messages by IMAP: {told[0]}, packed (COMPRESS=DEFLATE) {told[1]}.")
        cyrus.terminate()

    # Events.
    place = work / "radicale"
    place.mkdir()
    port = free_port()
    collection = place / "store" / "collection-root" / "ana" / "cal"
    collection.mkdir(parents=True)
    (collection / ".Radicale.props").write_text('{"tag": "VCALENDAR", "D:displayname": "cal"}')
    for number in range(options.events):
        (collection / f"event-{number}@bench.ics").write_text(event(number), newline="")
    radicale = start("radicale.sh", place, port)
    (work / "vdirsyncer").mkdir()
    (work / "vdirsyncer.conf").write_text(
        f'[general]\nstatus_path = "{work}/status"\n\n[pair p]\na = "near"\nb = "far"\ncollections = ["from b"]\n\n'
        f'[storage near]\ntype = "filesystem"\npath = "{work}/vdirsyncer"\nfileext = ".ics"\n\n'
        f'[storage far]\ntype = "caldav"\nurl = "http://127.0.0.1:{port}/"\nusername = "ana"\npassword = "secret"\n')
    vdirsyncer = ["vdirsyncer", "-c", work / "vdirsyncer.conf"]
    dav = {"HELIX_HOME": str(work / "home3")}
    once([helix, "account", "add", "cal", "caldav", f"http://127.0.0.1:{port}/", "--user", "ana", "--password-command", "echo secret"], dav)
    # The server reads its files once, for whoever comes first.
    once([helix, "sync"], dav)
    shutil.rmtree(work / "home3")
    once([helix, "account", "add", "cal", "caldav", f"http://127.0.0.1:{port}/", "--user", "ana", "--password-command", "echo secret"], dav)
    ours = once([helix, "sync"], dav)
    subprocess.run([str(word) for word in vdirsyncer + ["discover"]], input="y\n" * 9, text=True, capture_output=True)
    theirs = once(vdirsyncer + ["sync"])
    rows.append((f"first sync of {options.events:,} events", ours, "vdirsyncer", theirs, 0.2, 100))
    ours, theirs = median([helix, "sync"], dav, 5), median(vdirsyncer + ["sync"], None, 3)
    rows.append(("nothing new", ours, "vdirsyncer", theirs, None, None))
    radicale.terminate()

    lines = [
        "# Sync benchmarks", "",
        f"{machine()}; {first_line(['mbsync', '--version'])}; {first_line(['vdirsyncer', '--version'])}; Dovecot and Radicale on the "
        "same machine, over TLS and in the clear.",
        "Ratios are helix's time over the other's (below 1, helix is faster); own time is what helix itself computes. "
        "**Bold** is over the limit.", "",
        "| what | helix | own time | memory | compared with | ratio | limit |", "|---|---|---|---|---|---|---|"]
    for what, ours, name, theirs, limit, memory in rows:
        ratio = ours[0] / theirs[0]
        text = f"{ratio:.2f}"
        if limit and ratio > limit:
            text = f"**{text}**"
        size = f"{ours[2]:.0f} MB"
        if memory:
            size = (f"**{size}**" if ours[2] > memory else size) + f" of {memory}"
        lines.append(
            f"| {what} | {shown(ours[0])} | {shown(ours[1])} | {size} | `{name}` {shown(theirs[0])} | {text} | {limit or '–'} |")
    slow = sorted(beside)[len(beside) // 2] if beside else alone[0]
    verdict = "met" if own_mail <= 0.06 else "**over**"
    lines += [
        "", f"Own time of a mail sync with nothing new: {own_mail * 1000:.0f} ms (at most 60): {verdict}.",
        f"`helix mail list --limit 50` takes {alone[0] * 1000:.1f} ms alone and {slow * 1000:.1f} ms while a sync writes "
        f"({len(beside)} runs on {os.cpu_count()} cores, all of which the sync, the server and the indexing use)."]
    lines += notes
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text)


main()
