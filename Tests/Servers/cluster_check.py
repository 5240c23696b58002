"""A trial of a cluster: cluster_check.py HELIX-GATEWAY HELIX SECONDS [SEED]

Three gateways, PostgreSQL with a synchronous standby, and clients that write, read, go offline and come back: 20 devices of ten
users, written in Python, each at a gateway of its choice, and four homes of helix itself, whose lines lead to any gateway. Meanwhile
gateways are killed, stopped and continued, and lose their disks or find them full, the clock of one is a day ahead, lines are slow
and cut, PostgreSQL cuts connections, finds its disk full (where a file system may be mounted) and at last fails over. Afterwards the histories are checked: nothing that was
acknowledged is lost, nothing is there twice, a conversation has one order for all, every device read what it wrote before, and all
copies are equal.
"""

import asyncio
import contextlib
import json
import logging
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import websockets
from gateway_client import Closed, Device, Gateway, Refused

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
HERE = os.path.dirname(os.path.abspath(__file__))
POSTGRES = "/usr/lib/postgresql/15/bin"
LOST = (Closed, OSError, asyncio.TimeoutError, websockets.WebSocketException, EOFError)


def identity():
    return "".join(secrets.choice(ALPHABET) for _ in range(16))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Line:
    """Connections to one of some ports, as a network makes them: with a delay, and cut at times."""

    def __init__(self, ports, chance):
        self.ports, self.chance = ports, chance
        self.port, self.delay, self.open = free_port(), 0, set()

    async def begin(self):
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", self.port)

    async def carry(self, reader, writer):
        self.open.add(writer)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.chance.choice(self.ports))
            self.open.add(back)
            await asyncio.gather(self.pump(reader, back), self.pump(there, writer))
        except OSError:
            pass
        finally:
            for one in (writer, locals().get("back")):
                if one:
                    self.open.discard(one)
                    one.close()

    async def pump(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(data)
                await writer.drain()
        writer.close()

    def cut(self):
        for writer in list(self.open):
            writer.transport.abort()


class Site:
    """The servers."""

    def __init__(self, program, helix):
        self.program, self.helix = program, helix
        self.folder = tempfile.mkdtemp(prefix="helix-cluster-")
        os.chmod(self.folder, 0o755)
        self.database_ports = [free_port(), free_port()]
        self.ports = [free_port() for _ in range(3)]
        self.gateways = [None] * 3
        self.databases = [None] * 2
        self.faults, self.options, self.problems = [], [], []
        # The lines of clients to each gateway, those of helix to any, and those of the first gateway to PostgreSQL.
        self.lines, self.disk = [], f"{self.folder}/database0"

    def psql(self, text, number=0, database="postgres"):
        subprocess.run(
            [f"{POSTGRES}/psql", "-qAt", "-h", "127.0.0.1", "-p", str(self.database_ports[number]), "-U", "helix",
             "-d", database, "-c", text], check=True, stdout=subprocess.DEVNULL)

    def start_database(self, number, *settings):
        port = self.database_ports[number]
        folder = f"{self.folder}/database{number}"
        if not os.path.exists(folder):
            os.makedirs(folder)
            # The first one has a disk of its own, which can be full.
            self.is_mounted = number == 0 and subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=1g", "none", folder], stderr=subprocess.DEVNULL).returncode == 0 \
                or number == 1 and self.is_mounted
        log = open(f"{self.folder}/database{number}.log", "a")
        self.databases[number] = subprocess.Popen(
            ["/bin/sh", f"{HERE}/postgres.sh", folder, str(port), *settings], stdout=log, stderr=log)
        for _ in range(300):
            if subprocess.run([f"{POSTGRES}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]).returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit("PostgreSQL does not start")

    def run(self, *words, text=None, number=0):
        done = subprocess.run(
            [self.helix, *words], input=text, text=True, capture_output=True,
            env={**os.environ, "HELIX_HOME": f"{self.folder}/home{number}"})
        if done.returncode:
            raise SystemExit(f"{words}: {done.stderr}")

    async def begin(self, users, chance):
        self.start_database(0)
        self.start_database(1, f"standby={self.database_ports[0]}")
        self.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.psql("SELECT pg_reload_conf()")
        self.psql("CREATE DATABASE helix")
        first, second = self.database_ports
        self.uri = f"postgresql://helix@127.0.0.1:{first},127.0.0.1:{second}/helix"
        self.run("gateway", "database", "migrate", "--database", self.uri)
        self.run("config", "set", "gateway.database", self.uri)
        for user in users:
            self.run("gateway", "user", "add", user, text=f"{user}'s password\n")
        self.lines = [Line([port], chance) for port in self.ports + self.database_ports] + [Line(self.ports, chance)]
        for line in self.lines:
            await line.begin()
        for number in range(3):
            self.start_gateway(number)

    def start_gateway(self, number, room=None):
        """Starts a gateway; `room` is the largest size of its files in KB, as on a disk that is full."""
        log = open(f"{self.folder}/gateway{number}.log", "a")
        environment = dict(os.environ)
        faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
        if number == 2 and os.path.exists(faketime):
            # Its clock is a day ahead.
            environment.update(LD_PRELOAD=faketime, FAKETIME="+1d", FAKETIME_DONT_FAKE_MONOTONIC="1")
        limit = f"ulimit -f {room * 2}; " if room else ""
        self.gateways[number] = subprocess.Popen(
            ["/bin/sh", "-c", limit + 'exec "$@"', "sh", self.program, "--folder", f"{self.folder}/home{number}/gateway", "--port", str(self.ports[number]),
             "--database", self.uri if number else self.uri.replace(*self.swap(0)).replace(*self.swap(1)), *self.options],
            stderr=log, env=environment)

    def swap(self, number):
        """The port of a database, and that of the first gateway's line to it."""
        return str(self.database_ports[number]), str(self.lines[3 + number].port)

    def url(self, number=None):
        """The address of a gateway, or of any."""
        return f"ws://127.0.0.1:{self.lines[5 if number is None else number].port}"

    def fault(self, text):
        self.faults.append(text)
        print(f"{time.time() - self.start:6.1f} s  {text}", flush=True)

    async def disturb(self, seconds, chance):
        """Faults, one after the other; the failover comes at two thirds of the time."""
        self.start = time.time()
        failed = False
        while time.time() < self.start + seconds:
            await asyncio.sleep(chance.uniform(1.5, 4))
            if not failed and time.time() > self.start + seconds * 2 / 3:
                failed = True
                self.fault("the primary is killed, the standby promoted")
                with open(f"{self.folder}/database0/run/data/postmaster.pid") as file:
                    os.kill(int(file.readline()), signal.SIGKILL)
                self.databases[0].kill()
                for _ in range(40):
                    with contextlib.suppress(subprocess.CalledProcessError):
                        self.psql("SELECT pg_promote(true, 20)", 1)
                        break
                    await asyncio.sleep(0.25)
                continue
            number = chance.randrange(3)
            match chance.randrange(8):
                case 0:
                    self.fault(f"gateway {number} is killed")
                    self.gateways[number].kill()
                    self.gateways[number].wait()
                    await asyncio.sleep(chance.uniform(0.1, 1.5))
                    self.start_gateway(number)
                case 1:
                    self.fault(f"gateway {number} is stopped, and continued")
                    self.gateways[number].send_signal(signal.SIGSTOP)
                    await asyncio.sleep(chance.uniform(1, 4))
                    self.gateways[number].send_signal(signal.SIGCONT)
                case 2:
                    self.fault(f"gateway {number} loses its disk")
                    self.gateways[number].kill()
                    self.gateways[number].wait()
                    shutil.rmtree(f"{self.folder}/home{number}/gateway/users", ignore_errors=True)
                    self.start_gateway(number)
                case 3:
                    self.fault(f"the disk of gateway {number} is full for a while")
                    for room in (100, None):
                        self.gateways[number].kill()
                        self.gateways[number].wait()
                        self.start_gateway(number, room)
                        await asyncio.sleep(2)
                case 4 if not failed:
                    self.fault("PostgreSQL cuts all connections")
                    with contextlib.suppress(subprocess.CalledProcessError):
                        self.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'helix'")

                case 5:
                    self.fault(f"the lines of gateway {number} are slow")
                    slow = [self.lines[number]] + (self.lines[3:5] if number == 0 else [])
                    for line in slow:
                        line.delay = chance.uniform(0.05, 0.4)
                    await asyncio.sleep(chance.uniform(1, 4))
                    for line in slow:
                        line.delay = 0
                case 6:
                    self.fault(f"the lines of gateway {number}, and those of helix, are cut")
                    for line in [self.lines[number], self.lines[5]] + (self.lines[3:5] if number == 0 else []):
                        line.cut()
                case 7 if self.is_mounted and not failed:
                    self.fault("the disk of PostgreSQL is full")
                    await self.fill()

    async def fill(self):
        """Fills the disk of the database until it can write nothing, frees it, and starts the database if that has ended."""
        ballast = f"{self.disk}/ballast"
        with open(ballast, "wb") as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(1 << 20))
                file.flush()
        with contextlib.suppress(subprocess.CalledProcessError, subprocess.TimeoutExpired):
            subprocess.run([f"{POSTGRES}/psql", "-qAt", "-h", "127.0.0.1", "-p", str(self.database_ports[0]), "-U", "helix", "-d",
                            "postgres", "-c", "SELECT pg_switch_wal()"], timeout=3, capture_output=True)
        await asyncio.sleep(3)
        os.remove(ballast)
        await asyncio.sleep(1)
        if self.databases[0].poll() is not None:
            with contextlib.suppress(FileNotFoundError):
                os.remove(f"{self.folder}/database0/run/data/postmaster.pid")
            await asyncio.to_thread(self.start_database, 0)

    def end(self):
        for gateway in self.gateways:
            if gateway and gateway.poll() is None:
                gateway.send_signal(signal.SIGCONT)
                gateway.kill()
        for number in range(2):
            with contextlib.suppress(OSError, ValueError):
                with open(f"{self.folder}/database{number}/run/data/postmaster.pid") as file:
                    os.kill(int(file.readline()), signal.SIGQUIT)
        for _ in range(50):
            if not self.is_mounted or subprocess.run(["umount", self.disk], stderr=subprocess.DEVNULL).returncode == 0:
                break
            time.sleep(0.1)
        shutil.rmtree(self.folder, ignore_errors=True)


class Home:
    """A home of helix: a device of a user, whose commands are those of the prompt."""

    def __init__(self, site, user, number, chance):
        self.site, self.user, self.chance = site, user, chance
        self.folder = f"{site.folder}/helix{number}"
        # What its commands said that they have stored.
        self.tasks, self.words = [], []

    async def run(self, *words, fails=False):
        process = await asyncio.create_subprocess_exec(
            self.site.helix, *words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "HELIX_HOME": self.folder, "HELIX_BACKGROUND": "off"})
        output, errors = await process.communicate()
        self.errors = errors.decode()
        if process.returncode and not fails:
            raise SystemExit(f"helix {' '.join(words)}: {errors.decode()}")
        return process.returncode == 0, output.decode()

    async def begin(self):
        await self.run("account", "add", "home", "gateway", self.site.url(), "--user", self.user, "--password-command",
                       f"echo \"{self.user}'s password\"")

    async def live(self, place, end):
        while time.time() < end:
            word = f"{self.user} by helix {identity()}"
            if self.chance.random() < 0.6:
                await self.run("tasks", "add", word)
                self.tasks.append(word)
            elif (await self.run("chat", "send", place, word, fails=True))[0]:
                self.words.append(word)
            # A sync may fail; the next one sends what is left.
            await self.run("sync", fails=True)
            await asyncio.sleep(self.chance.uniform(0.1, 1.5))

    async def settle(self):
        # A message that a gateway could not take waits up to 30 seconds; a sync fails until it is sent.
        for _ in range(150):
            if (await self.run("sync", fails=True))[0]:
                return
            errors = self.errors
            await asyncio.sleep(0.5)
        _, outbox = await self.run("outbox", "list", fails=True)
        raise SystemExit(f"the home of {self.user} cannot sync: {errors}{outbox}")

    async def state(self, word):
        """The state of a message that did not arrive, as the home tells it."""
        _, outbox = await self.run("outbox", "list", "--json")
        waiting = [item for item in json.loads(outbox)["items"] if word in json.dumps(item)]
        _, shown = await self.run("chat", "show", "group 0", "--limit", "all", "--json")
        listed = [item for item in json.loads(shown)["items"] if item.get("content") == word]
        return json.dumps(waiting or listed)

    async def listed(self):
        """The titles of its tasks."""
        _, output = await self.run("tasks", "list", "--limit", "all", "--json")
        return sorted(item["title"] for item in json.loads(output)["items"])


class Client:
    """A device of a user, with what it was told and what it has."""

    def __init__(self, site, user, chance):
        self.site, self.user, self.chance = site, user, chance
        self.device, self.gateway, self.token = Device(), None, None
        # What was acknowledged: messages with their numbers, and the last version of each entity.
        self.said, self.pushed = {}, {}
        self.chat, self.chat_cursor, self.chat_places = {}, None, {}
        self.entities, self.cursor, self.seen = {}, None, None
        self.problems = []

    # The options of a connection.
    options = {}

    def place(self):
        """A gateway, by chance."""
        return Gateway(self.site.url(self.chance.randrange(3)), self.device)

    async def connect(self):
        while True:
            gateway = self.place()
            try:
                await asyncio.wait_for(gateway.open(**self.options), 5)
                auth = {"token": self.token} if self.token else {"password": f"{self.user}:{self.user}'s password"}
                gateway.first = await asyncio.wait_for(gateway.connect(auth), 15)
                self.token = (gateway.first.get("auth") or {}).get("deviceToken") or self.token
                self.gateway = gateway
                return
            except LOST:
                await asyncio.sleep(0.2)
            except Refused as refusal:
                if refusal.detail == "PAIRING_REQUIRED":
                    raise
                await asyncio.sleep(0.5)
            if hasattr(gateway, "socket"):
                gateway.socket.transport.abort()

    async def call(self, method, params):
        """Calls until there is an answer, at another gateway if one is lost."""
        while True:
            try:
                if self.gateway is None:
                    await self.connect()
                return await asyncio.wait_for(self.gateway.call(method, params), 15)
            except LOST:
                self.drop()
                await asyncio.sleep(0.1)
            except Refused as refusal:
                if refusal.error["code"] not in ("UNAVAILABLE", "RATE_LIMIT_EXCEEDED"):
                    raise
                await asyncio.sleep(max(refusal.error.get("retryAfterMs", 100), 50) / 1000)

    def drop(self):
        """Cuts the connection."""
        if self.gateway:
            self.gateway.socket.transport.abort()
        self.gateway = None

    async def leave(self):
        if self.chance.random() < 0.5:
            return self.drop()
        if self.gateway:
            with contextlib.suppress(*LOST):
                await asyncio.wait_for(self.gateway.close(), 2)
        self.gateway = None

    async def say(self, place):
        message = identity()
        answer = await self.call(
            "chat.send", {"sessionKey": place, "message": f"{self.user} {len(self.said)}", "idempotencyKey": message})
        self.said[message] = answer["message"]["number"]

    async def read(self):
        """Fetches what is new, and finds everything that this device has written."""
        while True:
            params = {"limit": 200, **({"cursor": self.chat_cursor, "seen": self.chat_cursor} if self.chat_cursor else {})}
            page = await self.call("chat.sync", params)
            if page.get("reset"):
                self.problems.append("a cursor of conversations is unknown")
            for message in page["messages"]:
                self.chat[message["id"]] = (message["conversation"], message["number"], message["content"])
            self.chat_cursor = page["cursor"]
            if not page["has_more"]:
                break
        for message in self.said:
            if message not in self.chat:
                self.problems.append(f"{self.user} does not read its own message {message}")
        listed = None
        while True:
            params = {name: value for name, value in (("cursor", self.cursor), ("seen", self.seen)) if value}
            page = await self.call("sync.pull", params)
            if page.get("reset"):
                self.problems.append("a cursor of entities is unknown")
            if page.get("snapshot") and listed is None:
                listed = {}
            for change in page["changes"]:
                (self.entities if listed is None else listed)[change["id"]] = change["version"]
            self.cursor = page["cursor"]
            if not page["has_more"]:
                break
        if listed is not None:
            self.entities = listed
        self.seen = self.cursor
        for entity, versions in self.pushed.items():
            if entity not in self.entities:
                self.problems.append(f"{self.user} does not read its own entity {entity}")

    async def push(self):
        """Makes or changes a project on the version that this device has."""
        own = [one for one, version in self.entities.items() if version]
        entity = self.chance.choice(own) if own and self.chance.random() < 0.6 else identity()
        change = {
            "kind": "project", "id": entity,
            "fields": {"name": f"{self.user} {identity()}", "status": "active", "blocks": "[]", "created_at": 1795255200},
        }
        if entity in self.entities:
            change["base"] = self.entities[entity]
        result = (await self.call("sync.push", {"changes": [change]}))["results"][0]
        if result["status"] in ("applied", "already"):
            self.pushed.setdefault(entity, []).append(result["version"])
            self.entities[entity] = result["version"]
        elif result["status"] != "conflict":
            self.problems.append(f"a change is refused: {result}")

    async def live(self, places, end):
        await self.connect()
        while time.time() < end:
            match self.chance.randrange(8):
                case 0 | 1 | 2:
                    await self.say(self.chance.choice(places))
                case 3 | 4:
                    await self.push()
                case 5 | 6:
                    await self.read()
                case 7:
                    await self.leave()
                    await asyncio.sleep(self.chance.uniform(0, 1.5))
            await asyncio.sleep(self.chance.uniform(0.02, 0.25))


async def trial(program, helix, seconds, seed):
    chance = random.Random(seed)
    users = [f"user{number}" for number in range(10)]
    site = Site(program, helix)
    try:
        await site.begin(users, chance)
        await asyncio.sleep(2)
        clients = []
        for user in users:
            first = Client(site, user, random.Random(f"{seed} {user} 1"))
            await first.connect()
            second = Client(site, user, random.Random(f"{seed} {user} 2"))
            # The second device is approved by the first one.
            try:
                await second.connect()
            except Refused as refusal:
                request = refusal.error["details"]["requestId"]
                await first.call("device.pair.approve", {"requestId": request})
                await second.connect()
            clients += [first, second]
        places = []
        for number in range(4):
            place = identity()
            await clients[number].call(
                "chat.create", {"id": place, "kind": "group", "name": f"group {number}", "members": users})
            places.append(place)
        homes = []
        for number in range(4):
            home = Home(site, users[number // 2], number, random.Random(f"{seed} home {number}"))
            await home.begin()
            # The first device of its user approves it, too.
            pairing = asyncio.ensure_future(home.run("gateway", "pair", "home", fails=True))
            device = clients[number // 2 * 2]
            while not pairing.done():
                await asyncio.sleep(0.2)
                for request in (await device.call("device.pair.list", {})).get("pending", []):
                    with contextlib.suppress(Refused):
                        await device.call("device.pair.approve", {"requestId": request["requestId"]})
            await home.run("gateway", "pair", "home")
            await home.settle()
            homes.append(home)
        end = time.time() + seconds
        lives = [asyncio.ensure_future(client.live(places, end)) for client in clients]
        lives += [asyncio.ensure_future(home.live("group 0", end)) for home in homes]
        await site.disturb(seconds, chance)
        await asyncio.wait_for(asyncio.gather(*lives), 120)
        for _ in range(2):
            for home in homes:
                await home.settle()
        for client in clients:
            await client.read()
        await check_homes(homes, clients)
        for client in clients:
            await client.leave()
        check(clients, places)
        print(
            f"{sum(len(h.tasks) + len(h.words) for h in homes)} commands of helix, {sum(len(c.said) for c in clients)} messages and {sum(len(v) for c in clients for v in c.pushed.values())} "
            f"changes acknowledged, {len(site.faults)} faults: nothing lost, nothing twice, one order")
    finally:
        site.end()


async def check_homes(homes, clients):
    """All homes of a user have the same tasks, and everybody has the messages that were sent in them, once."""
    texts = [content for (_, _, content) in clients[0].chat.values()]
    for home in homes:
        own = await home.listed()
        for other in homes:
            if other.user == home.user and await other.listed() != own:
                home.site.problems.append(f"the homes of {home.user} differ")
        for word in home.tasks:
            if own.count(word) != 1:
                home.site.problems.append(f"{home.user} has the task '{word}' {own.count(word)} times")
        for word in home.words:
            if texts.count(word) != 1:
                state = await home.state(word)
                home.site.problems.append(f"the message '{word}' is there {texts.count(word)} times; in the home: {state}")


def check(clients, places):
    problems = clients[0].site.problems + [problem for client in clients for problem in client.problems]
    acknowledged = {message: number for client in clients for message, number in client.said.items()}
    for client in clients:
        lost = [message for message in acknowledged if message not in client.chat]
        if lost:
            problems.append(f"{client.user} lacks {len(lost)} acknowledged messages")
        for message, number in acknowledged.items():
            if message in client.chat and client.chat[message][1] != number:
                problems.append(f"the number of {message} has changed")
        if client.chat != clients[0].chat:
            problems.append(f"{client.user} has other messages than {clients[0].user}")
    for place in places:
        numbers = sorted(number for (where, number, _) in clients[0].chat.values() if where == place)
        if numbers != list(range(1, len(numbers) + 1)):
            problems.append(f"the numbers of {place} have gaps or doubles")
    texts = [content for (_, _, content) in clients[0].chat.values()]
    for one, other in zip(clients[::2], clients[1::2]):
        if one.entities != other.entities:
            problems.append(f"the devices of {one.user} differ")
        for entity in {**one.pushed, **other.pushed}:
            if entity not in one.entities:
                problems.append(f"{one.user} has lost the entity {entity}")
            elif one.entities[entity] not in one.pushed.get(entity, []) + other.pushed.get(entity, []):
                problems.append(f"the entity {entity} of {one.user} has a version that nobody was told")
    if problems:
        raise SystemExit("\n".join(sorted(set(problems))[:40]) + f"\n{len(problems)} problems, {len(texts)} messages")


if __name__ == "__main__":
    Gateway.skew = 2 * 86_400
    # Connections that were cut have tasks that nobody waits for.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    sys.unraisablehook = lambda _: None
    asyncio.run(trial(
        sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "1"))
    sys.stdout.flush()
    os._exit(0)
