"""Attacks of users and unknown clients on a gateway: gateway_attack.py URL SCENARIO [ARGUMENT…]

Each scenario fails if the gateway discloses data or delays other clients. Used by GatewayAttackTests; `make
test-attack` runs all of them, with more frames.
"""

import asyncio
import base64
import hashlib
import json
import os
import random
import socket
import struct
import sys
import time
import urllib.parse

import websockets

from gateway_client import Closed, Device, Gateway, Refused, answered, ended, refused, signed_in

FRAMES = int(os.environ.get("HELIX_FRAMES", "3000"))


def former_main(user):
    """The predictable identity that earlier gateways gave a user's conversation with the assistant."""
    digest = hashlib.sha256(f"main\0{user}\0".encode()).digest()
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    number = int.from_bytes(digest[:10], "big")
    return "".join(alphabet[number >> shift & 31] for shift in range(75, -5, -5))


async def hijack(url, password):
    """No user can claim another user's conversation with the assistant, or a message's identity, in advance."""
    ana, bob = await signed_in(url, password), await signed_in(url, "bob:bob's password")
    victim = (await ana.call("users.me"))["id"]
    for members in ([], ["ana"]):
        try:
            await bob.call("chat.create", {"id": former_main(victim), "kind": "group", "name": "Assistant", "members": members})
        except Refused:
            pass
    sent = await ana.call("chat.send", {"sessionKey": "main", "message": "my secret", "idempotencyKey": "1"})
    assert sent["message"]["conversation"] != former_main(victim), sent
    await asyncio.sleep(0.3)
    page = await bob.call("chat.sync")
    assert not [line for line in page["messages"] if "secret" in (line.get("content") or "")], page
    # The identity derived from a key is not predictable.
    guess = hashlib.sha256(f"key\0{victim}\0run-7".encode()).digest()
    assert sent["message"]["id"] != guess.hex()[:16]


async def readonly(url, password):
    """A read-only device cannot create anything."""
    token = (await (await Gateway(url).open()).connect({"password": password}))["auth"]["deviceToken"]
    device = Device()
    gateway = await Gateway(url, device).open()
    hello = await gateway.connect({"password": password}, scopes=["operator.read"])
    assert (await gateway.call("chat.history", {"sessionKey": "main"}))["messages"] == []
    await refused(gateway.call("sessions.resolve", {"key": "main"}), "INVALID_REQUEST")
    other = await signed_in(url, password)
    assert (await other.call("sessions.list"))["sessions"] == []
    # Its token grants only the approved scopes, even locally.
    again = await Gateway(url, device).open()
    scopes = ["operator.read", "operator.write", "operator.admin", "operator.pairing"]
    await refused(again.connect({"token": hello["auth"]["deviceToken"]}, scopes=scopes), detail="PAIRING_REQUIRED")
    assert token


async def approval(url, password):
    """An approval grants exactly the scopes that were shown."""
    ana = await signed_in(url, password)
    device = Device()
    proxied = {"extra_headers": {"X-Forwarded-For": "203.0.113.7"}}

    async def ask(scopes):
        gateway = await Gateway(url, device).open(**proxied)
        try:
            await gateway.connect({"password": password}, scopes=scopes)
            raise AssertionError("let in")
        except Refused as refusal:
            return refusal.error["details"]["requestId"]

    first = await ask(["operator.read"])
    assert await ask(["operator.read"]) == first
    second = await ask(["operator.read", "operator.write", "operator.pairing"])
    assert second != first
    await refused(ana.call("device.pair.approve", {"requestId": first}), "INVALID_REQUEST")
    paired = (await ana.call("device.pair.list"))["paired"]
    assert device.id not in [entry["deviceId"] for entry in paired], paired


async def sessions(url, password):
    """A changed password ends other sessions; their connections get no new tokens."""
    thief, owner = await signed_in(url, password), await signed_in(url, password)
    await owner.call("users.password", {"old_password": "ana's password", "new_password": "another password"})
    try:
        for _ in range(30):
            await thief.call("device.token.rotate")
            await asyncio.sleep(0.05)
        raise AssertionError("still there")
    except (Refused, Closed, websockets.ConnectionClosed):
        pass
    assert (await owner.call("health"))["ok"] is True
    # The device that sent both passwords stays connected, after any number of changes.
    await owner.call("users.password", {"old_password": "another password", "new_password": "a third password"})
    await asyncio.sleep(1.5)
    assert (await owner.call("device.token.rotate"))["token"]


async def headers(url, password):
    """Client-supplied values cannot inject a header into a message."""
    ana = await signed_in(url, password)
    for bad in ("x@y>\r\nBcc: evil@example.org\r\nX: 1", "a\nb@c", "<a@b> <c@d>", "a b@c", "\u0000@x", "x" * 1000):
        await refused(ana.call("email.save_draft", {
            "to": ["a@example.org"], "subject": "x", "body": "y", "in_reply_to": bad}), "INVALID_REQUEST")
    saved = await ana.call("email.save_draft", {
        "to": ["a@example.org"], "subject": "x\r\nBcc: e@example.org", "body": "y", "in_reply_to": "<a@b>"})
    assert saved
    assert (await ana.call("email.list", {}))["emails"] == []
    mails = json.dumps(await ana.call("email.list", {"mailbox": "all"}))
    assert "x  Bcc: e@example.org" in mails, mails
    assert "e@example.org" not in mails.replace("x  Bcc: e@example.org", ""), mails


async def filters(url, password):
    """Empty lists and boards with few columns cause no errors."""
    ana = await signed_in(url, password)
    for params in ({"status": []}, {"status": ["todo"]}, {}):
        assert (await ana.call("tasks.list", params)) is not None
    await ana.call("tasks.analytics", {})


async def never(url, password):
    """Events without an occurrence, and with one every second, are found, read and deleted."""
    ana = await signed_in(url, password)
    snapshot = (await ana.call("sync.pull", {}))["changes"]
    events = {change["id"]: change["fields"]["text"] for change in snapshot if change["kind"] == "event"}
    for identity, text in events.items():
        title = "Never" if "Never" in text else "Often"
        start = time.monotonic()
        event = await ana.call("calendar.get_event", {"id": identity})
        assert (event.get("event") or event)["title"] == title, event
        assert time.monotonic() - start < 8
        await ana.call("calendar.check_conflicts", {"event_id": identity})
        assert (await ana.call("calendar.delete_event", {"id": identity}))["deleted"] is True
    assert len(events) == 2, events


async def pings(url, password):
    """A client that pings endlessly is disconnected, and others are not affected."""
    witness, flood = await signed_in(url, password), await signed_in(url, "bob:bob's password")

    async def send():
        try:
            for _ in range(20_000):
                await flood.socket.ping()
        except websockets.ConnectionClosed:
            return True
        return False

    task = asyncio.create_task(send())
    slowest = 0
    while not task.done():
        start = time.monotonic()
        await witness.call("health")
        slowest = max(slowest, time.monotonic() - start)
    assert task.result(), "still there"
    assert slowest < 5, slowest


async def guesses(url, password):
    """Password guessing does not block the sign-in or the requests of others."""
    device = Device()
    witness = await Gateway(url, device).open()
    token = (await witness.connect({"password": password}))["auth"]["deviceToken"]
    done = asyncio.Event()

    async def guess(number):
        while not done.is_set():
            try:
                headers = {"extra_headers": {"X-Forwarded-For": f"2001:db8:1:1::{number:x}"}}
                gateway = await Gateway(url).open(**headers)
                await gateway.connect({"password": f"ana:guess {number}"})
            except (Refused, Closed, OSError, asyncio.TimeoutError, websockets.WebSocketException):
                await asyncio.sleep(0.01)

    tasks = [asyncio.create_task(guess(number)) for number in range(40)]
    slowest, signs = 0, 0
    until = time.monotonic() + 5
    # A loaded machine is slower for guesses and sign-ins alike.
    while time.monotonic() < until or signs <= 5 and time.monotonic() < until + 55:
        start = time.monotonic()
        assert (await witness.call("health"))["ok"]
        assert await witness.call("users.me")
        slowest = max(slowest, time.monotonic() - start)
        # A valid token is accepted from the guessing network, too.
        gateway = await Gateway(url, device).open(extra_headers={"X-Forwarded-For": "2001:db8:1:1::ffff"})
        await gateway.connect({"token": token})
        await gateway.socket.close()
        signs += 1
        await asyncio.sleep(0.05)
    done.set()
    for task in tasks:
        task.cancel()
    assert signs > 5, signs
    assert slowest < 6, slowest


async def resets(url, password):
    """A valid own password does not reset the limit for guesses at others' passwords."""
    limited = 0
    for number in range(40):
        try:
            gateway = await Gateway(url).open(extra_headers={"X-Forwarded-For": "203.0.113.9"})
            await gateway.connect({"password": "bob:bob's password" if number % 5 == 4 else f"ana:guess {number}"})
        except Refused as refusal:
            limited += refusal.detail == "AUTH_RATE_LIMITED"
    assert limited > 20, limited
    # Guessing from many networks does not lock the user out.
    for number in range(30):
        try:
            gateway = await Gateway(url).open(extra_headers={"X-Forwarded-For": f"2001:db8:{number:x}::1"})
            await gateway.connect({"password": f"ana:guess {number}"})
        except Refused:
            pass
    try:
        gateway = await Gateway(url).open(extra_headers={"X-Forwarded-For": "198.51.100.7"})
        await gateway.connect({"password": password})
    except Refused as refusal:
        assert refusal.detail == "PAIRING_REQUIRED" or refusal.error["code"] == "NOT_PAIRED", refusal


async def forwarded(url, password):
    """Behind a proxy, limits apply to the addresses that it forwards."""
    lines = []
    try:
        for _ in range(700):
            lines.append(await websockets.connect(url, extra_headers={"X-Forwarded-For": "203.0.113.9"}, ping_interval=None, open_timeout=8))
            await lines[-1].recv()
    except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
        pass
    assert 100 < len(lines) < 600, len(lines)
    other = await Gateway(url).open(extra_headers={"X-Forwarded-For": "198.51.100.1"})
    assert other


async def connections(url, password):
    """Idle connections do not exhaust the descriptors."""
    host, port = urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port
    witness = await signed_in(url, password)
    idle = []
    for _ in range(1400):
        try:
            idle.append(socket.create_connection((host, port), timeout=2))
        except OSError:
            break
    assert len(idle) > 500
    assert (await asyncio.wait_for(witness.call("health"), 15))["ok"] is True
    for line in idle:
        line.close()
    await asyncio.sleep(0.5)
    assert await signed_in(url, "bob:bob's password")


async def fairness(url, password):
    """A client with many requests delays only itself."""
    ana, bob = await signed_in(url, password), await signed_in(url, "bob:bob's password")
    for number in range(120):
        await bob.call("chat.create", {"id": f"{number:016d}", "kind": "group", "name": f"R{number}", "members": ["ana"]})
    lines = [await signed_in(url, "bob:bob's password", Device()) for _ in range(3)]

    async def flood(gateway):
        for number in range(400):
            await gateway.socket.send(json.dumps({"type": "req", "id": f"f{number}", "method": "sessions.list", "params": {"limit": 500}}))

    tasks = [asyncio.create_task(flood(gateway)) for gateway in lines]
    await asyncio.sleep(0.2)
    slowest = 0
    for number in range(20):
        start = time.monotonic()
        await ana.call("chat.send", {"sessionKey": "main", "message": f"m{number}", "idempotencyKey": f"k{number}"})
        slowest = max(slowest, time.monotonic() - start)
    assert slowest < 6, slowest
    for task in tasks:
        task.cancel()
    for gateway in lines:
        gateway.socket.transport.abort()
    # Requests of a disconnected client are dropped.
    await asyncio.sleep(0.5)
    start = time.monotonic()
    await bob.call("chat.sync", {"limit": 1})
    assert time.monotonic() - start < 8


async def slow(url, password):
    """A client that does not read its responses does not hold memory for long."""
    ana = await signed_in(url, password)
    room = "m" * 16
    await ana.call("chat.create", {"id": room, "kind": "self", "name": "n"})
    for number in range(16):
        await ana.call("chat.send", {"sessionKey": room, "message": "\u0001" * 60_000 + str(number), "idempotencyKey": f"s{number}"})
    lines = [await signed_in(url, password, Device()) for _ in range(12)]
    for line in lines:
        line.socket.transport.pause_reading()
        for number in range(8):
            await line.socket.send(json.dumps({"type": "req", "id": f"h{number}", "method": "chat.history", "params": {"sessionKey": room, "limit": 50}}))
    start = time.monotonic()
    assert (await ana.call("health"))["ok"]
    assert time.monotonic() - start < 8


async def upgrades(url, password):
    """Only valid requests are upgraded to a WebSocket, and only valid frames are read."""
    host, port = urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port
    key = base64.b64encode(b"0123456789abcdef").decode()
    usual = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"

    def status(head):
        with socket.create_connection((host, port), timeout=5) as line:
            line.sendall(head.encode())
            return line.recv(100).split(b"\r\n")[0]

    assert b"101" in status(f"GET / HTTP/1.1\r\nHost: {host}\r\n{usual}\r\n")
    for head in (f"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n{usual}\r\n", f"GET / HTTP/1.0\r\nHost: {host}\r\n{usual}\r\n",
                 f"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n{usual}\r\n", f"GET / HTTP/1.1\r\n{usual}\r\n"):
        assert b"101" not in status(head), head

    def frame(first, payload):
        masked = bytes(byte ^ mask for byte, mask in zip(payload, b"\1\2\3\4" * (len(payload) // 4 + 1)))
        return struct.pack("!BB", first, 0x80 | len(payload)) + b"\1\2\3\4" + masked

    def closed(data):
        with socket.create_connection((host, port), timeout=5) as line:
            line.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\n{usual}\r\n".encode())
            time.sleep(0.2)
            line.recv(4096)
            line.sendall(data)
            rest = b""
            try:
                while piece := line.recv(4096):
                    rest += piece
            except OSError:
                pass
            place = rest.find(b"\x88")
            return struct.unpack("!H", rest[place + 2:place + 4])[0] if place >= 0 else None

    assert closed(frame(0xC1, b"{}")) == 1002
    assert closed(frame(0x81, b"\xff\xfe")) == 1007


async def scopes(url, password):
    """Each method is refused without the scope that it requires; unknown methods are always refused."""
    admin = await Gateway(url).open()
    hello = await admin.connect({"password": password}, scopes=["operator.read", "operator.write", "operator.pairing"])
    methods = hello["features"]["methods"]
    reader = await Gateway(url).open()
    await reader.connect({"password": password}, scopes=["operator.read"])
    nobody = await Gateway(url).open()
    await nobody.connect({"password": password}, scopes=[])
    may_write, may_read = set(), set()
    for method in methods:
        try:
            await nobody.call(method, {})
            raise AssertionError(f"{method} is open to everybody")
        except Refused as refusal:
            # Without requested scopes, protocols 3 and 4 grant none, or read and write.
            if refusal.detail != "MISSING_SCOPE":
                may_read.add(method)
        try:
            await reader.call(method, {})
        except Refused as refusal:
            if refusal.detail == "MISSING_SCOPE":
                may_write.add(method)
    assert not may_read, may_read
    # Every method that changes something requires more than the read scope.
    for word in ("create", "update", "delete", "send", "save", "move", "mark", "invite", "remove", "push", "approve", "reject", "revoke", "password"):
        for method in methods:
            part = method.split(".")[-1]
            if part.startswith(word) and method not in (
                    "calendar.mark_conflicts", "calendar.conflicts.mark", "device.token.revoke", "device.pair.remove"):
                assert method in may_write, method
    # Each device may sign itself out, and no other one without the scope that pairs devices.
    other = (await admin.call("users.me"))["device_id"]
    for method in ("device.token.revoke", "device.pair.remove"):
        await refused(reader.call(method, {"deviceId": other}), "FORBIDDEN")
    assert (await admin.call("users.me"))["device_id"] == other


async def strangers(url, password):
    """The identity of another user's entity gives no access, in any parameter."""
    ana, bob = await signed_in(url, password), await signed_in(url, "bob:bob's password")
    made = []
    task = await ana.call("tasks.create", {"title": "ana's task"})
    made.append((task.get("task") or task)["id"])
    event = await ana.call("calendar.create_event", {
        "title": "ana's event", "start_time": "2026-12-01T09:00:00Z", "end_time": "2026-12-01T10:00:00Z"})
    made.append((event.get("event") or event)["id"].split("@")[0])
    draft = await ana.call("email.save_draft", {"to": ["a@example.org"], "subject": "ana's draft", "body": "x"})
    made.append(draft if isinstance(draft, str) else draft["id"])
    room = "r" * 16
    await ana.call("chat.create", {"id": room, "kind": "self", "name": "ana's notes"})
    sent = await ana.call("chat.send", {"sessionKey": room, "message": "ana's words", "idempotencyKey": "w" * 16})
    made += [room, sent["message"]["id"], (await ana.call("users.me"))["device_id"]]
    hello = await (await Gateway(url).open()).connect({"password": "bob:bob's password"})
    names = ["id", "task_id", "taskId", "event_id", "email_id", "conversation", "sessionKey", "key", "message", "thread_id", "board_id",
             "account_id", "deviceId", "requestId", "user", "replyToId", "in_reply_to", "parent_id"]
    for method in hello["features"]["methods"]:
        for identity in made:
            for name in names:
                try:
                    answer = await bob.call(method, {name: identity})
                except Refused:
                    continue
                except Closed:
                    bob = await signed_in(url, "bob:bob's password")
                    continue
                assert "ana's" not in json.dumps(answer), (method, name, answer)
    assert "ana's task" in json.dumps(await ana.call("tasks.list", {}))
    assert [line for line in (await ana.call("chat.sync"))["messages"] if line["content"] == "ana's words"]


def noise(chance, depth=0):
    kind = chance.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return chance.choice([0, -1, 1, 2**31, -2**63, 2**63, 1e308, 0.5, 10**30])
    if kind == 1:
        return chance.choice(["", "main", "a" * 300, "\u0000", "\u202e", "' OR 1=1 --", "../../etc/passwd", "2026-02-30", "9" * 40, "🙂", "%s%n"])
    if kind == 2:
        return chance.choice([True, False, None])
    if kind in (3, 4, 5):
        return "".join(chance.choice("abcdefgh0123456789-_:/@.% ") for _ in range(chance.randrange(20)))
    if kind == 6:
        return [noise(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): noise(chance, depth + 1) for _ in range(chance.randrange(4))}


NAMES = ["id", "title", "status", "priority", "limit", "query", "start_date", "end_date", "sessionKey", "message", "idempotencyKey",
         "conversation", "name", "members", "kind", "cursor", "changes", "seen", "board_id", "task_id", "event_id", "attachments", "data",
         "offset", "sha256", "size", "to", "subject", "body", "in_reply_to", "keys", "scopes", "user", "role", "x"]


async def fuzz(url, password, seed="1"):
    """Frames with any content are answered or refused, without internal errors or effects on others."""
    chance = random.Random(int(seed))
    gateway = await signed_in(url, password)
    hello = await (await Gateway(url).open()).connect({"password": password})
    methods = [name for name in hello["features"]["methods"] if name not in ("users.password",)]
    witness = await signed_in(url, "bob:bob's password")
    sent = 0
    while sent < FRAMES:
        batch = min(40, FRAMES - sent)
        wanted = set()
        for number in range(batch):
            name = f"z{sent + number}"
            frame = {"type": "req", "id": name, "method": chance.choice(methods)}
            if chance.random() < 0.9:
                frame["params"] = {chance.choice(NAMES): noise(chance) for _ in range(chance.randrange(5))}
            if chance.random() < 0.05:
                frame[chance.choice(["type", "id", "extra", "method"])] = noise(chance)
            if isinstance(frame.get("id"), str) and frame["id"] == name:
                wanted.add(name)
            try:
                await gateway.socket.send(json.dumps(frame))
            except websockets.ConnectionClosed:
                gateway, wanted = await signed_in(url, password), set()
        sent += batch
        try:
            while wanted:
                answer = await gateway.read()
                if answer["type"] == "res":
                    wanted.discard(answer["id"])
                    if not answer["ok"]:
                        assert "failed" not in answer["error"]["message"].split(":")[0].split()[-1:], answer
        except Closed:
            gateway = await signed_in(url, password)
        start = time.monotonic()
        assert (await witness.call("health"))["ok"] is True
        assert time.monotonic() - start < 10


async def run(scenario):
    await scenario
    # Without waiting for the connections to close one by one.
    os._exit(0)


SCENARIOS = {name: value for name, value in globals().items() if asyncio.iscoroutinefunction(value) and name != "run"}

if __name__ == "__main__":
    asyncio.run(run(SCENARIOS[sys.argv[2]](sys.argv[1], *sys.argv[3:])))
