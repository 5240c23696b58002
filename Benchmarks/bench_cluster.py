"""Measures gateways with PostgreSQL, and a gateway with SQLite beside them.

    bench_cluster.py --helix .build/release/helix --work .build/bench --out docs/benchmarks-cluster.md

Everything is on loopback and on the same cores: PostgreSQL, gateways and clients. PostgreSQL writes to the disk (fsync).
"""

import argparse
import asyncio
import json
import os
import select
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import load  # noqa: E402
from bench_gateway import free_port, memory  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
POSTGRES = "/usr/lib/postgresql/15/bin"


class Site:
    """A PostgreSQL server, and gateways."""

    def __init__(self, helix, work, buffers="512MB"):
        self.helix, self.program = helix, os.path.join(os.path.dirname(helix), "helix-gateway")
        self.work, self.port, self.processes = work, free_port(), []
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        os.chmod(work, 0o755)
        self.server = subprocess.Popen(
            ["/bin/sh", f"{HERE}/../Tests/Servers/postgres.sh", f"{work}/postgres", str(self.port), "fsync=on",
             f"shared_buffers={buffers}", "max_wal_size=4GB", "wal_compression=on"])
        self.wait(lambda: subprocess.run(
            [f"{POSTGRES}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0)

    @staticmethod
    def wait(body):
        for _ in range(600):
            if body():
                return
            time.sleep(0.1)
        raise SystemExit("a server does not start")

    def sql(self, text, database="postgres"):
        return subprocess.run(
            [f"{POSTGRES}/psql", "-qAt", "-h", "127.0.0.1", "-p", str(self.port), "-U", "helix", "-d", database,
             "-v", "ON_ERROR_STOP=1", "-c", text], check=True, capture_output=True, text=True).stdout.strip()

    def run(self, home, *words, text=None):
        done = subprocess.run(
            [self.helix, *words], input=text, text=True, capture_output=True, env={**os.environ, "HELIX_HOME": home})
        if done.returncode:
            raise SystemExit(f"{words}: {done.stderr}")
        return done.stdout

    def uri(self, name):
        return f"postgresql://helix@127.0.0.1:{self.port}/{name}"

    def database(self, name, users):
        """Makes a database with users; returns its address."""
        self.sql(f"CREATE DATABASE {name}")
        home = f"{self.work}/owner-{name}"
        self.run(home, "gateway", "database", "migrate", "--database", self.uri(name))
        self.run(home, "config", "set", "gateway.database", self.uri(name))
        for user in users:
            self.run(home, "gateway", "user", "add", user, text=f"{user}'s password\n")
        return self.uri(name)

    def gateway(self, name, database=None):
        """Starts a gateway; returns its address and process."""
        port = free_port()
        process = subprocess.Popen(
            [self.program, "--folder", f"{self.work}/{name}/gateway", "--port", str(port), "--most-connections", "12000"]
            + (["--database", database] if database else []), stderr=subprocess.DEVNULL,
            preexec_fn=lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_NOFILE, (20000, 20000)))
        self.processes.append(process)
        self.wait(lambda: subprocess.run(
            ["curl", "-sf", f"http://127.0.0.1:{port}/readyz"], stdout=subprocess.DEVNULL).returncode == 0)
        return f"ws://127.0.0.1:{port}", process

    def stop(self, *processes):
        for process in processes:
            process.terminate()
            process.wait()
            self.processes.remove(process)

    def end(self):
        for process in self.processes:
            process.kill()
        self.server.terminate()
        self.server.wait()


def seconds_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def groups(users):
    async def prepare(gateway, name):
        place = load.identity()
        other = users[(users.index(name) + 1) % len(users)]
        await gateway.call("chat.create", {"id": place, "kind": "group", "name": "g", "members": [other]})
        return place
    return prepare


def throughput(site, name, database, users):
    """Durable messages a second in 50 conversations at once, the gateway's CPU for each in µs, transactions for each."""
    if not database:
        for user in users:
            site.run(f"{site.work}/{name}", "gateway", "user", "add", user, text=f"{user}'s password\n")
    url, process = site.gateway(name, database)
    clients, places, _ = load.enter([url], users, groups(users))
    load.throughput(clients, places, 1)
    commits = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'chat'"
    before, cpu = database and int(site.sql(commits)), seconds_of(process.pid)
    rate, waits, refused = load.throughput(clients, places, 4)
    cpu = (seconds_of(process.pid) - cpu) / max(1, len(waits)) * 1e6
    time.sleep(1.5)
    trips = database and (int(site.sql(commits)) - before) / max(1, len(waits))
    site.stop(process)
    return rate, waits[len(waits) // 2] * 1000, cpu, trips


def latency(site, database, users):
    """Waits in ms from the sending of a message at one gateway to its arrival at all of 200 clients of two gateways."""
    first, one = site.gateway("one", database)
    second, other = site.gateway("other", database)
    place = load.identity()

    async def prepare(gateway, name):
        if name == users[0]:
            await gateway.call("chat.create", {"id": place, "kind": "group", "name": "all", "members": users[1:]})

    clients, _, _ = load.enter([first, second], users, prepare)
    time.sleep(1)
    for client in clients:
        client.read()
    waits = []
    poller = select.epoll()
    for client in clients:
        poller.register(client.socket, select.EPOLLIN)
    numbers = {client.socket.fileno(): client for client in clients}
    for number in range(120):
        sender = clients[number % len(clients)]
        text = f"message {number} of the trial"
        start = time.perf_counter()
        sender.send(load.frame(json.dumps({
            "type": "req", "id": f"x{number}", "method": "chat.send",
            "params": {"sessionKey": place, "message": text, "idempotencyKey": load.identity()}})))
        missing, needle = {c.socket.fileno() for c in clients if c is not sender}, text.encode()
        while missing and time.perf_counter() < start + 5:
            for descriptor, _ in poller.poll(1):
                for frame in numbers[descriptor].read():
                    if needle in frame and descriptor in missing:
                        missing.discard(descriptor)
                        waits.append((time.perf_counter() - start) * 1000)
        if missing:
            raise SystemExit(f"{len(missing)} clients got no message")
        time.sleep(0.05)
    site.stop(one, other)
    waits.sort()
    return waits[len(waits) // 2], waits[int(len(waits) * 0.99)]


def entities(site, database):
    """The time of `sync.push` with 1,000 changes in ms, its transactions, and first syncs of 50,000 entities in s."""
    url, process = site.gateway("entities", database)

    async def push():
        gateway = await load.signed_in(url, "u0")
        times = []
        for number in range(7):
            changes = [{
                "kind": "project", "id": load.identity(),
                "fields": {"name": f"p{number} {place}", "status": "active", "blocks": "[]", "created_at": 1795255200},
            } for place in range(1000)]
            start = time.perf_counter()
            await gateway.call("sync.push", {"changes": changes})
            times.append((time.perf_counter() - start) * 1000)
        await gateway.close()
        return statistics.median(times[1:])

    pushed = asyncio.run(push())
    laptop, phone = f"{site.work}/laptop", f"{site.work}/phone"
    tasks = f"{site.work}/tasks.json"
    with open(tasks, "w") as file:
        json.dump([{"uuid": f"00000000-0000-4000-8000-{n:012d}", "description": f"task {n}", "status": "pending",
                    "entry": "20260101T000000Z"} for n in range(50_000)], file)
    for home in (laptop, phone):
        site.run(home, "account", "add", "home", "gateway", url, "--user", "u1", "--password-command",
                 "echo \"u1's password\"")
        site.run(home, "gateway", "pair", "home")
    site.run(laptop, "tasks", "import", tasks)
    start = time.perf_counter()
    site.run(laptop, "sync")
    to = time.perf_counter() - start
    start = time.perf_counter()
    site.run(phone, "sync")
    back = time.perf_counter() - start
    site.stop(process)
    return pushed, to, back


def idle(site, database, count):
    """Resident memory with idle signed-in connections, in MB; those that the machine allows."""
    url, process = site.gateway("idle", database)
    before = memory(process.pid)

    async def enter():
        made, tokens = [], {}
        for number in range(count):
            name = f"u{number % 200}"
            # Few of the connections hash a password; the others have the token of their device.
            device, token = tokens.get(name, (load.gateway_client.Device(), None))
            gateway = await load.gateway_client.Gateway(url, device).open()
            hello = await gateway.connect({"token": token} if token else {"password": f"{name}:{name}'s password"})
            tokens[name] = (device, (hello.get("auth") or {}).get("deviceToken") or token)
            made.append(gateway)
        await asyncio.sleep(2)
        return len(made)

    asyncio.run(enter())
    after = memory(process.pid)
    site.stop(process)
    return before, after


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--helix", required=True)
    arguments.add_argument("--work", required=True)
    arguments.add_argument("--out", required=True)
    given = arguments.parse_args()
    site = Site(os.path.abspath(given.helix), os.path.abspath(given.work) + "/cluster")
    rows = []

    def row(what, value, unit, limit, more=False):
        bad = limit is not None and (value < limit if more else value > limit)
        shown = f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
        bound = "–" if limit is None else f"{limit:,} {unit}"
        rows.append(f"| {what} | {'**' if bad else ''}{shown} {unit}{'**' if bad else ''} | {bound} |")
        print(rows[-1], flush=True)

    try:
        users = [f"u{number}" for number in range(200)]
        crowd = site.database("crowd", users)
        median, late = latency(site, crowd, users)
        row("message between gateways, 200 clients in the conversation, median", median, "ms", 8)
        row("message between gateways, 200 clients in the conversation, 99th percentile", late, "ms", 40)
        rate, wait, cpu, _ = throughput(site, "sqlite", None, users[:50])
        row("durable messages a second, 50 conversations at once, SQLite", rate, "a second", 3000, more=True)
        row("CPU of the gateway for each", cpu, "µs", 150)
        chat = site.database("chat", users[:50])
        rate, wait, cpu, trips = throughput(site, "postgres", chat, users[:50])
        row("durable messages a second, 50 conversations at once, PostgreSQL", rate, "a second", 2000, more=True)
        row("CPU of the gateway for each, PostgreSQL", cpu, "µs", 150)
        row("transactions of PostgreSQL for each, presence and looks included", trips, "", 2)
        pushed, to, back = entities(site, site.database("entities", users[:2]))
        row("`sync.push` of 1,000 changes", pushed, "ms", 60)
        row("first sync of 50,000 tasks to a gateway", to, "s", 8)
        row("first sync of them from a gateway", back, "s", 8)
        before, after = idle(site, crowd, 2000)
        row("memory for 10,000 idle connections, from 2,000", (after - before) * 5 + before, "MB", 500)
    finally:
        site.end()
    with open(given.out, "w") as file:
        file.write(
            "# Cluster benchmarks\n\nPostgreSQL 15 that writes to the disk, gateways and clients on the same two cores and on "
            "loopback; the clients are in Python. **Bold** is over the limit.\n\n| what | helix | limit |\n|---|---|---|\n"
            + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
