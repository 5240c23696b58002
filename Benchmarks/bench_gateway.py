#!/usr/bin/env python3
"""Measures a gateway on loopback: first syncs, questions a second, how long an event takes, memory of idle connections.

usage: bench_gateway.py --helix BINARY --work DIR [--out FILE.md] [--load MINUTES]

With --load it does nothing but keep a gateway busy for so long, and says every minute how much memory that takes; what
comes of it has a section of its own in FILE.md, which a run without --load leaves as it is.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import select
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests" / "Servers"))
import bench_tasks  # noqa: E402
import gateway_client  # noqa: E402

PASSWORD = "a long password"
TASKS, ENTRIES, MESSAGES = 20_000, 30_000, 50_000
CLIENTS, IDLE, QUESTIONS, EVENTS = 200, 1000, 4000, 300
# A gateway lets in 64 connections of a user, 16 of a device and 512 from a network.
USERS = ["ada", "bea"] + [f"user{number}" for number in range(14)]
OF_DEVICE, OF_NETWORK = 16, 400


def run(binary, home, *words, text=None, check=True):
    return subprocess.run([binary, *words], env={**os.environ, "HELIX_HOME": str(home), "TZ": "UTC"}, input=text,
                          capture_output=True, text=True, check=check)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def memory(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


def allocated(url):
    """What the gateway says it has allocated, MB."""
    with urllib.request.urlopen(url.replace("ws:", "http:") + "/metrics") as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("helix_gateway_heap_bytes"):
                return int(line.split()[1]) / 1048576
    return 0


def timed(body):
    start = time.monotonic()
    body()
    return time.monotonic() - start


async def signed_in(url, user="ada"):
    return await gateway_client.signed_in(url, f"{user}:{PASSWORD}")


async def connected(url, count, users):
    """Clients of several users and devices, as many as one gateway lets in; each network has its own loopback address."""
    clients, device = [], {}
    for number in range(count):
        user, place = users[number % len(users)], number // len(users)
        if place % OF_DEVICE == 0:
            device[user] = await signed_in(url, user)
            clients.append(device[user])
            continue
        source = f"127.0.0.{2 + number // OF_NETWORK}"
        client = await gateway_client.Gateway(url, device[user].device).open(local_addr=(source, 0))
        await client.connect({"token": device[user].first["auth"]["deviceToken"]})
        clients.append(client)
    return clients


async def questions(url):
    """`email.list` of 20 messages, with 32 questions on the way at a time."""
    gateway = await signed_in(url)
    frame = '{"type":"req","id":"%d","method":"email.list","params":{"limit":20}}'
    answers = 0
    waiting = 0
    start = time.monotonic()
    for number in range(QUESTIONS):
        await gateway.socket.send(frame % number)
        waiting += 1
        while waiting >= 32 or number == QUESTIONS - 1 and waiting:
            text = await gateway.socket.recv()
            if '"type":"res"' in text[:40]:
                assert '"ok":true' in text[:60], text[:200]
                waiting -= 1
                answers += 1
    rate = answers / (time.monotonic() - start)
    await gateway.close()
    return rate


async def events(url):
    """From a push on one device to the event on another, with many connected."""
    sender, receiver = await signed_in(url), await signed_in(url)
    times = []
    for number in range(EVENTS):
        change = {"kind": "view", "id": "v" * 16, "fields": {"name": "bench", "filter": f"status:open +t{number}"}}
        start = time.monotonic()
        if number:
            change["base"] = version
        answer = asyncio.create_task(sender.call("sync.push", {"changes": [change]}))
        await receiver.event("sync.changed")
        times.append(time.monotonic() - start)
        version = (await answer)["results"][0]["version"]
    for client in (sender, receiver):
        await client.close()
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.99)]


async def messages(url):
    """From a message of one person to its receipt by another, in a conversation that all the connected clients are in."""
    receiver, sender = await signed_in(url, "bea"), await signed_in(url)
    await sender.call("chat.create", {"id": "c" * 16, "kind": "group", "name": "Bench", "members": USERS[1:4]})
    times = []
    for number in range(EVENTS):
        key = f"{number:016d}"
        start = time.monotonic()
        answer = asyncio.create_task(
            sender.call("chat.send", {"sessionKey": "c" * 16, "message": f"message {number}", "idempotencyKey": key}))
        while (await receiver.event("chat"))["payload"]["runId"] != key:
            pass
        times.append(time.monotonic() - start)
        await answer
    for client in (sender, receiver):
        await client.close()
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.99)]


def drain(clients, ready):
    """Takes what comes to clients and does nothing with it, until one is closed."""
    poll = select.epoll()
    lines = {}
    for client in clients:
        client.socket.transport.pause_reading()
        line = client.socket.transport.get_extra_info("socket")
        lines[line.fileno()] = os.dup(line.fileno())
        poll.register(lines[line.fileno()], select.EPOLLIN)
    ready.set()
    while True:
        for descriptor, _ in poll.poll():
            if not os.read(descriptor, 1 << 16):
                return


def crowd(url, ready):
    """The other clients, devices of four users in the conversation, in a process of their own that takes what comes and does
    nothing with it."""
    async def enter():
        drain(await connected(url, CLIENTS - 4, USERS[:4]), ready)

    asyncio.run(enter())


MEMBERS, WRITERS, PAUSE, SECONDS = 500, 50, 5, 30
MEMBER = "member{:03}"


def add_members(store):
    """Users beside the first one, with its password: hashing 500 passwords would take longer than all the rest."""
    database = sqlite3.connect(store)
    columns = [row[1] for row in database.execute("PRAGMA table_info(user)")]
    hers = dict(zip(columns, database.execute("SELECT * FROM user WHERE name = 'ada'").fetchone()))
    for number in range(MEMBERS):
        user = {**hers, "id": f"{number:016d}", "name": MEMBER.format(number), "is_admin": 0, "email": ""}
        database.execute(f"INSERT INTO user ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                         [user[column] for column in columns])
        database.execute("INSERT INTO user_key (kind, key, user) VALUES ('name', ?, ?)", [user["name"], user["id"]])
    database.commit()
    database.close()


async def member(url, number):
    """A member of the large group, signed in from an address of its own network."""
    client = await gateway_client.Gateway(url).open(local_addr=(f"127.1.{number // 200}.{1 + number % 200}", 0))
    await client.connect({"password": f"{MEMBER.format(number)}:{PASSWORD}"})
    return client


def listeners(url, ready, numbers):
    """Members who take what comes, in a process of their own."""
    async def enter():
        drain([await member(url, number) for number in numbers], ready)

    asyncio.run(enter())


async def large_group(url, writers):
    """From a message to its receipt by a member, in a group of which several write at the same time."""
    receiver = await member(url, 0)
    clients = [await member(url, number) for number in writers]
    await clients[0].call("chat.create", {"id": "g" * 16, "kind": "group", "name": "Large",
                                          "members": [MEMBER.format(number) for number in range(MEMBERS)
                                                      if number != writers[0]]})
    sent, times = {}, []

    async def write(client, place):
        await asyncio.sleep(PAUSE * place / len(clients))
        for number in range(SECONDS // PAUSE):
            key = f"g{place:07d}{number:08d}"
            sent[key] = time.monotonic()
            await client.call("chat.send", {"sessionKey": "g" * 16, "message": f"message {number}", "idempotencyKey": key})
            client.events = []
            await asyncio.sleep(max(0, sent[key] + PAUSE - time.monotonic()))

    async def receive():
        while len(times) < len(clients) * (SECONDS // PAUSE):
            key = (await receiver.event("chat"))["payload"]["runId"]
            if key in sent:
                times.append(time.monotonic() - sent[key])

    await asyncio.gather(receive(), *[write(client, place) for place, client in enumerate(clients)])
    # Writers have not read all events: a closing handshake would wait for them.
    for client in [receiver, *clients]:
        client.socket.transport.abort()
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.99)]


LOAD = "## Under load"


def load_section(rows):
    """What an hour or so of load did to the memory: rows of minute, messages, MB resident, MB allocated."""
    told, shown = 0, []
    for row in rows:
        if row[0] >= told or row is rows[-1]:
            shown.append(row)
            told += 10 if told else 1 if row[0] < 1 else 10
    warm = next((row for row in rows if row[0] >= 10), rows[0])
    grown = rows[-1][2] > warm[2] * 1.05
    lines = [LOAD, "",
             "Two users who talk, ask for lists and history, and a third device that comes, catches up and goes: in a minute "
             f"{rows[-1][1] / rows[-1][0]:.0f} messages, ten times as many questions, a fifth as many connections. Limit: after "
             "the first ten minutes, in which pages of the stores gather, no more than a twentieth is added. **Bold** is over it.",
             "", "| minutes | messages | resident | of it allocated |", "|---|---|---|---|"]
    for minute, count, resident, held in shown:
        mark = "**" if grown and minute == rows[-1][0] else ""
        lines.append(f"| {minute:.0f} | {count:,} | {mark}{resident:.1f} MB{mark} | {held:.1f} MB |")
    return "\n".join(lines) + "\n"


async def load(url, pid, minutes):
    """Messages, questions and connections that come and go, for a long time."""
    rows = []
    ada, bea = await signed_in(url), await signed_in(url, "bea")
    await ada.call("chat.create", {"id": "l" * 16, "kind": "group", "name": "Load", "members": ["bea"]})
    token = ada.first["auth"]["deviceToken"]
    end, number, told = time.monotonic() + minutes * 60, 0, 0
    while time.monotonic() < end:
        # A user may say ten things a second.
        for _ in range(5):
            number += 1
            await ada.call("chat.send", {"sessionKey": "l" * 16, "message": f"message {number} " + "x" * 200,
                                         "idempotencyKey": f"{number:016d}"})
            await bea.event("chat")
            for _ in range(5):
                await ada.call("tasks.list", {"limit": 20})
                await bea.call("chat.history", {"sessionKey": "l" * 16, "limit": 20})
        visitor = await gateway_client.Gateway(url, ada.device).open()
        await visitor.connect({"token": token})
        await visitor.call("chat.sync", {"cursor": "0", "limit": 50})
        await visitor.close()
        ada.events, bea.events = [], []
        if time.monotonic() > told + 60:
            told = time.monotonic()
            rows.append(((minutes * 60 - (end - told)) / 60, number, memory(pid), allocated(url)))
            print("{:5.1f} min  {:8,} messages  {:6.1f} MB, {:6.1f} MB of it allocated".format(*rows[-1]), flush=True)
        await asyncio.sleep(0.6)
    return rows


async def idle(url, pid):
    before = memory(pid)
    clients = await connected(url, IDLE, USERS)
    await asyncio.sleep(1)
    after = memory(pid)
    for client in clients:
        await client.close()
    return before, after


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--helix", required=True)
    arguments.add_argument("--work", required=True, type=Path, metavar="DIR")
    arguments.add_argument("--out", type=Path, metavar="FILE.md")
    arguments.add_argument("--load", type=float, metavar="MINUTES")
    options = arguments.parse_args()
    binary = str(Path(options.helix).resolve())
    folder = options.work.resolve() / ("load" if options.load else "gateway")
    shutil.rmtree(folder, ignore_errors=True)
    host, one, two = folder / "host", folder / "one", folder / "two"
    for home in (host, one, two):
        home.mkdir(parents=True)
    for user in USERS:
        run(binary, host, "gateway", "user", "add", user, text=PASSWORD + "\n")
    port = free_port()
    url = f"ws://127.0.0.1:{port}"
    server = subprocess.Popen([binary, "gateway", "serve", "--port", str(port)], stderr=subprocess.DEVNULL,
                              env={**os.environ, "HELIX_HOME": str(host)})
    try:
        for _ in range(100):
            if subprocess.run(["curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{port}/readyz"]).returncode == 0:
                break
            time.sleep(0.05)
        if options.load:
            section = load_section(asyncio.run(load(url, server.pid, options.load)))
            if options.out:
                former = options.out.read_text().split(LOAD)[0] if options.out.exists() else ""
                options.out.write_text(former.rstrip("\n") + "\n\n" + section)
            return print(section)
        idle_start = memory(server.pid)
        _, idle_memory = asyncio.run(idle(url, server.pid))
        rng = random.Random(7)
        (folder / "tasks.json").write_text(json.dumps(bench_tasks.tasks(TASKS, rng)))
        (folder / "time.json").write_text(json.dumps(bench_tasks.entries(ENTRIES, rng)))
        for home in (one, two):
            run(binary, home, "account", "add", "hub", "gateway", url, "--user", "ada", "--password-command", f"echo '{PASSWORD}'")
        run(binary, one, "tasks", "import", str(folder / "tasks.json"), check=False)
        run(binary, one, "time", "import", str(folder / "time.json"), check=False)
        push = timed(lambda: run(binary, one, "sync"))
        pull = timed(lambda: run(binary, two, "sync"))
        again = timed(lambda: run(binary, two, "sync"))
        mail = folder / "Mail"
        subprocess.run([sys.executable, HERE / "generate_mail.py", str(MESSAGES), mail], check=True)
        run(binary, host, "gateway", "as", "ada", "account", "add", "mail", "maildir", str(mail))
        rate = asyncio.run(questions(url))
        ready = multiprocessing.Event()
        others = multiprocessing.Process(target=crowd, args=(url, ready), daemon=True)
        others.start()
        assert ready.wait(120), "the crowd did not come"
        median, worst = asyncio.run(events(url))
        said, late = asyncio.run(messages(url))
        others.kill()
        add_members(host / "gateway" / "gateway.db")
        ready = multiprocessing.Event()
        others = multiprocessing.Process(target=listeners, args=(url, ready, range(1 + WRITERS, MEMBERS)), daemon=True)
        others.start()
        assert ready.wait(600), "the group did not come"
        group, group_late = asyncio.run(large_group(url, range(1, 1 + WRITERS)))
        others.kill()
        end = memory(server.pid)
    finally:
        server.terminate()
        server.wait()
    rows = [
        (f"first sync of {TASKS + ENTRIES:,} tasks and time entries to the gateway", f"{push:.1f} s", "10 s", push <= 10),
        (f"first sync of them from the gateway", f"{pull:.1f} s", "10 s", pull <= 10),
        ("sync with nothing new", f"{again * 1000:.0f} ms", "–", True),
        (f"`email.list` of 20 over {MESSAGES:,} messages", f"{rate:,.0f} a second", "2,000 a second", rate >= 2000),
        (f"event on another device, {CLIENTS} clients, median", f"{median * 1000:.1f} ms", "10 ms", median <= 0.010),
        (f"event on another device, {CLIENTS} clients, 99th percentile", f"{worst * 1000:.1f} ms", "50 ms", worst <= 0.050),
        (f"message of one person to another, {CLIENTS} clients in the conversation, median", f"{said * 1000:.1f} ms", "10 ms", said <= 0.010),
        (f"message of one person to another, {CLIENTS} clients in the conversation, 99th percentile", f"{late * 1000:.1f} ms", "50 ms", late <= 0.050),
        (f"message in a group of {MEMBERS}, {WRITERS} of whom write every {PAUSE} seconds, median", f"{group * 1000:.1f} ms", "10 ms", group <= 0.010),
        (f"message in a group of {MEMBERS}, {WRITERS} of whom write every {PAUSE} seconds, 99th percentile", f"{group_late * 1000:.1f} ms", "50 ms", group_late <= 0.050),
        (f"memory with {IDLE:,} idle connections", f"{idle_memory:.0f} MB", "150 MB", idle_memory <= 150),
        ("memory at the start, and after all of this", f"{idle_start:.0f} MB, {end:.0f} MB", "–", True),
    ]
    lines = ["# Gateway benchmarks", "",
             "One gateway on loopback, its clients on the same two cores; the clients of the middle rows are in Python. "
             "**Bold** is over the limit.", "", "| what | helix | limit |", "|---|---|---|"]
    lines += [f"| {what} | {shown if kept else '**' + shown + '**'} | {limit} |" for what, shown, limit, kept in rows]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        parts = options.out.read_text().split(LOAD) if options.out.exists() else []
        options.out.write_text(text + ("\n" + LOAD + parts[1] if len(parts) > 1 else ""))
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
