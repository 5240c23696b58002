"""A client of a gateway, written from docs/gateway.md alone: gateway_client.py URL SCENARIO [ARGUMENT…]

Each scenario tests required behaviour of a gateway. Used by GatewayProtocolTests.
"""

import asyncio
import base64
import hashlib
import json
import os
import sys
import time

import websockets
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SCOPES = ["operator.read", "operator.write", "operator.pairing"]


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Refused(Exception):
    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.error = error

    @property
    def detail(self):
        return (self.error.get("details") or {}).get("code")


class Closed(Exception):
    """Raised when the gateway closes the connection."""

    def __init__(self, code, reason):
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class Device:
    def __init__(self, seed=None):
        self.key = Ed25519PrivateKey.from_private_bytes(seed) if seed else Ed25519PrivateKey.generate()
        self.public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.id = hashlib.sha256(self.public).hexdigest()

    def sign(self, text):
        return encoded(self.key.sign(text.encode()))


class Gateway:
    """A connection. `change` may modify the parameters of `connect`, to test the response."""

    # The tolerated difference between the clocks, in seconds.
    skew = 60

    def __init__(self, url, device=None):
        self.url = url
        self.device = device or Device()
        self.events = []
        self.number = 0
        self.answers = {}

    async def open(self, **options):
        self.socket = await websockets.connect(self.url, max_size=None, compression=None, ping_interval=None, **options)
        challenge = await self.read()
        assert challenge["type"] == "event" and challenge["event"] == "connect.challenge", challenge
        self.nonce, self.moment = challenge["payload"]["nonce"], challenge["payload"]["ts"]
        assert abs(self.moment / 1000 - time.time()) < self.skew
        return self

    async def read(self):
        try:
            return json.loads(await asyncio.wait_for(self.socket.recv(), 20))
        except websockets.ConnectionClosed as closed:
            got = closed.rcvd
            raise Closed(got.code if got else 1006, got.reason if got else "") from None

    def params(self, auth, scopes=SCOPES, least=3, most=4, version="v2", moment=None, nonce=None, key=None):
        token = auth.get("token", "")
        moment, nonce = moment or self.moment, nonce or self.nonce
        fields = [version, self.device.id, "cli", "cli", "operator", ",".join(scopes), str(moment), token, nonce]
        if version == "v3":
            fields += ["linux", ""]
        return {
            "minProtocol": least, "maxProtocol": most,
            "client": {"id": "cli", "mode": "cli", "version": "1", "platform": "linux", "displayName": "python"},
            "caps": ["helix-1"], "role": "operator", "scopes": scopes,
            "device": {"id": self.device.id, "publicKey": encoded(self.device.public),
                       "signature": (key or self.device).sign("|".join(fields)), "signedAt": moment, "nonce": nonce},
            "auth": auth,
        }

    async def connect(self, auth, **options):
        return await self.hello(self.params(auth, **options))

    async def hello(self, params):
        await self.socket.send(json.dumps({"type": "req", "id": "c", "method": "connect", "params": params}))
        frame = await self.read()
        assert frame["type"] == "res" and frame["id"] == "c", frame
        if not frame["ok"]:
            raise Refused(frame["error"])
        hello = frame["payload"]
        assert hello["type"] == "hello-ok", hello
        self.policy = hello["policy"]
        return hello

    async def call(self, method, params=None, **more):
        self.number += 1
        name = f"q{self.number}"
        frame = {"type": "req", "id": name, "method": method, **more}
        if params is not None:
            frame["params"] = params
        await self.socket.send(json.dumps(frame))
        while True:
            answer = await self.read()
            if answer["type"] == "event":
                self.events.append(answer)
                continue
            if answer["id"] != name:
                self.answers[answer["id"]] = answer
                continue
            if not answer["ok"]:
                raise Refused(answer["error"])
            return answer.get("payload")

    async def event(self, name, seconds=10):
        end = time.time() + seconds
        while True:
            for place, event in enumerate(self.events):
                if event["event"] == name:
                    return self.events.pop(place)
            if time.time() > end:
                raise AssertionError(f"no event {name}")
            try:
                frame = json.loads(await asyncio.wait_for(self.socket.recv(), 1))
            except asyncio.TimeoutError:
                continue
            if frame["type"] == "event":
                self.events.append(frame)

    async def close(self):
        await self.socket.close()


async def signed_in(url, password, device=None, **options):
    gateway = await Gateway(url, device).open()
    gateway.first = await gateway.connect({"password": password}, **options)
    return gateway


async def refused(coroutine, code=None, detail=None, text=None):
    try:
        result = await coroutine
    except Refused as refusal:
        assert code is None or refusal.error["code"] == code, refusal
        assert detail is None or refusal.detail == detail, refusal
        assert text is None or text in refusal.error["message"], refusal
        return refusal.error
    raise AssertionError(f"it was not refused: {result}")


async def answered(gateway):
    """The next frame that is not an event."""
    while (frame := await gateway.read())["type"] == "event":
        pass
    return frame


async def ended(gateway, code, reason=None):
    try:
        while True:
            await gateway.read()
    except Closed as closed:
        assert closed.code == code, closed
        assert reason is None or reason in closed.reason, closed


# The scenarios

async def handshake(url, password):
    """Protocols 3 and 4, and both signature versions."""
    for least, most, version, expected in ((3, 3, "v2", 3), (3, 4, "v2", 4), (4, 4, "v3", 4), (3, 9, "v2", 4)):
        gateway = await Gateway(url).open()
        hello = await gateway.connect({"password": password}, least=least, most=most, version=version)
        assert hello["protocol"] == expected, hello
        assert hello["auth"]["deviceToken"] and hello["auth"]["role"] == "operator"
        assert hello["policy"]["maxPayload"] >= 512 * 1024 and hello["policy"]["tickIntervalMs"] >= 1000
        assert "users.me" in hello["features"]["methods"]
        assert (await gateway.call("users.me"))["device_id"] == gateway.device.id
        await refused(gateway.call("connect", {}), "INVALID_REQUEST")
        # The token is accepted from the same device only.
        again = await Gateway(url, gateway.device).open()
        hello = await again.connect({"token": hello["auth"]["deviceToken"]})
        assert "deviceToken" not in hello["auth"]
        token = (await again.call("device.token.rotate"))["token"]
        other = await Gateway(url).open()
        await refused(other.connect({"token": token}), "INVALID_REQUEST", "AUTH_DEVICE_TOKEN_MISMATCH")
        await ended(other, 1008)


async def strictness(url, password):
    """An invalid value in any field is refused and reported."""
    async def trial(change, code=None, detail=None, close=1008):
        gateway = await Gateway(url).open()
        params = gateway.params({"password": password})
        change(params)
        error = await refused(gateway.hello(params), code, detail)
        await ended(gateway, close)
        return error

    def setter(*path):
        *way, last, value = path
        def change(params):
            for name in way:
                params = params[name]
            params[last] = value
        return change

    for name in ("unknown", "userId", "nonce"):
        error = await trial(setter(name, "x"), "INVALID_REQUEST")
        assert name in error["message"], error
    for path in (("client", "x", 1), ("device", "x", 1), ("auth", "mode", "jwt"), ("client", "id", "nobody"),
                 ("client", "mode", "operator"), ("client", "version", ""), ("client", "platform", 3),
                 ("minProtocol", "3"), ("maxProtocol", 0), ("scopes", "operator.read"), ("role", "dual"),
                 ("scopes", ["operator.root"]), ("device", "signedAt", "now"), ("client", None), ("auth", [])):
        await trial(setter(*path), "INVALID_REQUEST")
    await trial(lambda p: p.update(minProtocol=5, maxProtocol=9), "INVALID_REQUEST", "PROTOCOL_MISMATCH", close=1002)
    await trial(lambda p: p.update(minProtocol=1, maxProtocol=2), "INVALID_REQUEST", "PROTOCOL_MISMATCH", close=1002)
    await trial(lambda p: p.pop("device"), "NOT_PAIRED", "DEVICE_IDENTITY_REQUIRED")
    await trial(lambda p: p["device"].pop("nonce"), "INVALID_REQUEST", "DEVICE_AUTH_NONCE_REQUIRED")
    await trial(lambda p: p.pop("auth"), "INVALID_REQUEST", "AUTH_PASSWORD_MISSING")


async def signatures(url, password):
    """Wrong, old and replayed signatures are refused."""
    auth = {"password": password}
    gateway = await Gateway(url).open()
    await refused(gateway.connect(auth, key=Device()), detail="DEVICE_AUTH_SIGNATURE_INVALID")
    await ended(gateway, 1008)
    gateway = await Gateway(url).open()
    await refused(gateway.connect(auth, nonce="another"), detail="DEVICE_AUTH_NONCE_MISMATCH")
    gateway = await Gateway(url).open()
    await refused(gateway.connect(auth, moment=gateway.moment - 86_400_000), detail="DEVICE_AUTH_SIGNATURE_EXPIRED")
    gateway = await Gateway(url).open()
    await refused(gateway.connect(auth, moment=gateway.moment + 86_400_000), detail="DEVICE_AUTH_SIGNATURE_EXPIRED")
    # Parameters recorded on one connection are invalid on another.
    first = await Gateway(url).open()
    params = first.params(auth)
    await first.hello(params)
    second = await Gateway(url).open()
    await refused(second.hello(params), detail="DEVICE_AUTH_NONCE_MISMATCH")
    # Only the signed scopes are accepted.
    third = await Gateway(url).open()
    params = third.params(auth, scopes=["operator.read"])
    params["scopes"] = SCOPES
    await refused(third.hello(params), detail="DEVICE_AUTH_SIGNATURE_INVALID")
    fourth = await Gateway(url).open()
    params = fourth.params(auth)
    params["device"]["id"] = "0" * 64
    await refused(fourth.hello(params), detail="DEVICE_AUTH_DEVICE_ID_MISMATCH")


async def frames(url, password):
    """Invalid frames are answered, and do not affect others."""
    witness = await signed_in(url, password)
    for text in ("", "{", "[]", "null", "\x00", '{"type":"req"}', '{"type":"req","id":"a"}', '{"type":"event"}',
                 '{"type":"req","id":"a","method":"connect","params":{},"x":1}', '{"type":"req","id":1,"method":"connect"}',
                 '{"type":"req","id":"a","id":"b","method":"connect"}', '{"type":"req","id":"a","method":"users.me"}'):
        gateway = await Gateway(url).open()
        await gateway.socket.send(text)
        frame = await gateway.read()
        assert frame["ok"] is False and frame["error"]["code"] == "INVALID_REQUEST", (text, frame)
        await ended(gateway, 1008)
    # Before the sign-in, the frame size is limited.
    gateway = await Gateway(url).open()
    await gateway.socket.send("x" * 70_000)
    await ended(gateway, 1009)
    # After that an invalid frame is answered, and the connection stays open.
    gateway = await signed_in(url, password)
    for text, name in (("{", "invalid"), ('{"type":"req","id":"z","method":1}', "z"), ('{"type":"res","id":"y","ok":true}', "y"),
                       (b"\xff\xfe", "invalid")):
        await gateway.socket.send(text)
        while (frame := await gateway.read())["type"] == "event":
            pass
        assert frame["id"] == name and frame["error"]["code"] == "INVALID_REQUEST", frame
    await refused(gateway.call("no.such.method"), "INVALID_REQUEST", text="unknown method")
    await refused(gateway.call("users.me", {"a": {}}), "INVALID_REQUEST", text="unexpected property 'a'")
    await refused(gateway.call("users.me", []), "INVALID_REQUEST", text="must be an object")
    await gateway.socket.send("[" * 100_000)
    while (frame := await gateway.read())["type"] == "event":
        pass
    assert frame["ok"] is False
    # Fragmented and binary messages are equivalent.
    question = json.dumps({"type": "req", "id": "p", "method": "users.me"})
    await gateway.socket.send([question[:7], question[7:20], question[20:]])
    assert (await answered(gateway))["id"] == "p"
    await gateway.socket.send(question.encode())
    assert (await answered(gateway))["id"] == "p"
    try:
        await gateway.socket.send("x" * (gateway.policy["maxPayload"] + 1))
    except websockets.ConnectionClosed:
        pass  # It closed before the end of the frame.
    await ended(gateway, 1009)
    assert (await witness.call("health"))["ok"] is True


async def guessing(url, name):
    """A client that guesses passwords is delayed, also with the right one."""
    device = Device()
    limited = None
    for number in range(12):
        gateway = await Gateway(url, device).open()
        error = await refused(gateway.connect({"password": f"{name}:guess {number}"}), "INVALID_REQUEST")
        if error["details"]["code"] == "AUTH_RATE_LIMITED":
            limited = error
            break
        assert error["details"]["code"] == "AUTH_PASSWORD_MISMATCH", error
    assert limited and limited["retryAfterMs"] > 0 and limited["retryable"], limited


async def guessing_within(url, password):
    """A device without the password cannot guess it, over any number of connections."""
    gateways = [await signed_in(url, password) for _ in range(3)]
    details = []
    while "AUTH_RATE_LIMITED" not in details:
        guess = {"old_password": f"guess {len(details)}", "new_password": "x" * 12}
        error = await refused(gateways[len(details) % 3].call("users.password", guess))
        details.append(error["details"]["code"])
        assert len(details) < 12, details
    assert details[:5] == ["AUTH_PASSWORD_MISMATCH"] * 5 and error["retryAfterMs"] > 0 and error["retryable"], error
    # The right one is delayed, too.
    right = {"old_password": password.split(":", 1)[1], "new_password": "x" * 12}
    await refused(gateways[0].call("users.password", right), detail="AUTH_RATE_LIMITED")


async def silence(url, password):
    """Silent connections do not block others, and are closed."""
    silent = await asyncio.gather(*(Gateway(url).open() for _ in range(300)))
    host, port = url.split("//")[1].split(":")
    mute = [await asyncio.open_connection(host, int(port)) for _ in range(300)]
    gateway = await signed_in(url, password)
    assert (await gateway.call("health"))["ok"] is True
    await ended(silent[0], 1008, "handshake timeout")
    for reader, writer in mute[:5]:
        assert await asyncio.wait_for(reader.read(), 15) == b""
    assert (await gateway.call("health"))["ok"] is True


async def origin(url, password):
    """A page of another origin cannot connect through its visitor's browser."""
    try:
        await Gateway(url).open(origin="https://evil.example")
    except websockets.InvalidStatusCode as refusal:
        assert refusal.status_code in (400, 403), refusal
    else:
        raise AssertionError("a foreign page was let in")
    await Gateway(url).open(origin="https://app.example.org")


async def pairing(url, password):
    """Scopes limit a device; a revoked device is disconnected."""
    first = await signed_in(url, password)
    second = await signed_in(url, password, scopes=["operator.read"])
    error = await refused(second.call("device.pair.list"), text="missing scope: operator.pairing")
    assert error["code"] == "FORBIDDEN" and error["details"]["missingScope"] == "operator.pairing", error
    old = await signed_in(url, password, scopes=["operator.read"], most=3)
    await refused(old.call("device.pair.list"), "INVALID_REQUEST", text="missing scope: operator.pairing")
    devices = (await first.call("device.pair.list"))["paired"]
    assert {first.device.id, second.device.id} <= {device["deviceId"] for device in devices}
    assert next(device for device in devices if device["deviceId"] == first.device.id)["current"] is True
    # A client without scopes has no rights, receives no events, and stays connected.
    idle = await signed_in(url, password, scopes=[])
    await refused(idle.call("users.me"), text="missing scope: operator.read")
    await signed_in(url, password)
    await asyncio.sleep(1.5)
    await refused(idle.call("users.me"), text="missing scope: operator.read")
    for query in ({"query": "a\u0000b"}, {"to": "\u0000"}):
        assert isinstance(await first.call("email.search", query), (dict, list))
    token = second.first["auth"]["deviceToken"]
    await first.call("device.token.revoke", {"deviceId": second.device.id, "role": "operator"})
    await ended(second, 1008, "revoked")
    again = await Gateway(url, second.device).open()
    await refused(again.connect({"token": token}, scopes=["operator.read"]), detail="AUTH_DEVICE_TOKEN_MISMATCH")
    await refused(first.call("device.token.revoke", {"deviceId": "' OR 1=1 --"}), "INVALID_REQUEST")
    await refused(first.call("device.pair.approve", {"requestId": "../../etc"}), "INVALID_REQUEST")
    # Numbers have bounds.
    event = "e" * 16
    for seconds in ("-9223372036854775808", "9223372036854775807"):
        await refused(first.call("calendar.get_event", {"id": f"{event}@{seconds}"}), "INVALID_REQUEST")
    results = (await first.call("sync.push", {"changes": [
        {"kind": "time_entry", "id": "t" * 16, "fields": {"start": 9223372036854775807, "title": "x", "tags": "", "is_billable": 0}}]}))["results"]
    assert results[0]["status"] == "refused", results
    assert (await first.call("health"))["ok"] is True


async def remote(url, password):
    """A user's first remote device is approved by the password, later ones by an approved device."""
    far = {"extra_headers": {"X-Forwarded-For": "203.0.113.9"}}
    first = await Gateway(url).open(**far)
    await first.connect({"password": password})
    second = await Gateway(url).open(**far)
    error = await refused(second.connect({"password": password}, scopes=["operator.read"]), "NOT_PAIRED", "PAIRING_REQUIRED")
    request = error["details"]["requestId"]
    assert error["details"]["reason"] == "not-paired" and error["details"]["pauseReconnect"] is True, error
    await ended(second, 1008)
    # A repeated attempt is the same request.
    again = await Gateway(url, second.device).open(**far)
    error = await refused(again.connect({"password": password}, scopes=["operator.read"]), "NOT_PAIRED")
    assert error["details"]["requestId"] == request
    waiting = (await first.call("device.pair.list"))["pending"]
    assert [(entry["requestId"], entry["remoteIp"]) for entry in waiting] == [(request, "203.0.113.9")], waiting
    # A prefix of a request's id is not accepted over the network.
    await refused(first.call("device.pair.approve", {"requestId": request[:6]}), "INVALID_REQUEST")
    await first.call("device.pair.approve", {"requestId": request})
    third = await Gateway(url, second.device).open(**far)
    await third.connect({"password": password}, scopes=["operator.read"])
    # More scopes require another approval.
    fourth = await Gateway(url, second.device).open(**far)
    error = await refused(fourth.connect({"password": password}), "NOT_PAIRED")
    assert error["details"]["reason"] == "scope-upgrade", error
    wish = error["details"]["requestId"]
    await first.call("device.pair.reject", {"requestId": wish})
    # No device can approve more scopes for itself.
    fifth = await Gateway(url, first.device).open(**far)
    error = await refused(fifth.connect({"password": password}, scopes=SCOPES + ["operator.admin"]), "NOT_PAIRED")
    await refused(first.call("device.pair.approve", {"requestId": error["details"]["requestId"]}), "FORBIDDEN")
    await first.call("device.pair.reject", {"requestId": error["details"]["requestId"]})
    assert (await first.call("device.pair.list"))["pending"] == []


async def places(url, password):
    """A user who signs up is no administrator, and is refused if they request that."""
    async def ask(scopes):
        gateway = await Gateway(url).open()
        return await gateway.connect({"password": password, "bootstrapToken": "helix-sign-up"}, scopes=scopes)
    await refused(ask(["operator.read", "operator.admin"]), "FORBIDDEN", "MISSING_SCOPE")
    # The name is still available.
    assert (await ask(["operator.read"]))["auth"]["scopes"] == ["operator.read"]
    await refused(ask(["operator.read"]), None, "AUTH_UNAUTHORIZED", "already")


async def presence(url, password):
    """A user's devices are notified of each other."""
    first = await signed_in(url, password)
    second = await signed_in(url, password)
    async def told(is_there):
        # Simultaneous changes are reported once, and a device's own ones are included.
        for _ in range(5):
            event = await first.event("presence")
            assert event["seq"] >= 1
            if (second.device.id in {entry["deviceId"] for entry in event["payload"]["presence"]}) == is_there:
                return
        raise AssertionError("the other device is not told of")
    await told(True)
    await second.close()
    await told(False)


async def tasks(url, password):
    """Tasks, boards and time, by the names that the mobile apps use."""
    gateway = await signed_in(url, password)
    other = await signed_in(url, password)
    made = await gateway.call("tasks.create", {"title": "Paint the house", "priority": "high", "tags": ["home"],
                              "description": "red", "due_date": "2030-05-01T00:00:00Z", "estimated_hours": 2.5})
    assert made["status"] == "todo" and made["priority"] == "high" and made["tags"] == ["home"], made
    assert made["due_date"] == "2030-05-01T00:00:00Z" and made["estimated_hours"] == 2.5, made
    assert made["description"] == "red" and made["subtask_count"] == 0 and made["is_deleted"] is False
    await other.event("sync.changed")
    boards = await gateway.call("tasks.boards.list")
    assert [board["name"] for board in boards] == ["main"] and boards[0]["is_default"], boards
    board = await gateway.call("tasks.boards.get", {"id": boards[0]["id"]})
    assert [column["status"] for column in board["columns"]] == ["todo", "in_progress", "in_review", "done"], board
    assert board["column_order"] == [column["id"] for column in board["columns"]]
    for status in ("in_progress", "in_review", "done", "todo", "InProgress"):
        task = await gateway.call("tasks.update", {"id": made["id"], "status": status})
        assert task["status"] == {"InProgress": "in_progress"}.get(status, status), task
        assert ("completed_at" in task) == (status == "done"), task
    task = await gateway.call("tasks.update", {"id": made["id"], "title": "Paint it", "tags": ["a", "b"], "due_date": None})
    assert task["title"] == "Paint it" and sorted(task["tags"]) == ["a", "b"] and "due_date" not in task, task
    part = await gateway.call("tasks.subtasks.create", {"task_id": made["id"], "title": "Buy paint"})
    assert part["taskId"] == made["id"] and part["is_completed"] is False, part
    part = await gateway.call("tasks.subtasks.toggle", {"id": part["id"], "is_completed": True})
    assert part["is_completed"] is True
    assert [p["title"] for p in await gateway.call("tasks.subtasks.list", {"task_id": made["id"]})] == ["Buy paint"]
    task = await gateway.call("tasks.get", {"id": made["id"]})
    assert (task["subtask_count"], task["completed_subtask_count"]) == (1, 1), task
    entry = await gateway.call("tasks.timetracking.start", {"task_id": made["id"]})
    assert entry["taskId"] == made["id"] and entry["is_running"] is True and entry["ended_at"] >= entry["started_at"]
    await asyncio.sleep(1.1)
    entry = await gateway.call("tasks.timetracking.stop", {"task_id": made["id"]})
    assert entry["is_running"] is False, entry
    await refused(gateway.call("tasks.timetracking.stop", {"task_id": made["id"]}), "INVALID_REQUEST")
    stats = await gateway.call("tasks.timetracking.stats")
    assert stats["tasks_tracked"] == 1 and len(stats["daily_totals"]) >= 1, stats
    for number in range(60):
        await gateway.call("tasks.create", {"board_id": boards[0]["id"], "title": f"task {number}"})
    page = await gateway.call("tasks.list", {"board_id": boards[0]["id"]})
    rest = await gateway.call("tasks.list", {"board_id": boards[0]["id"], "offset": 50, "status": ["todo"]})
    assert len(page) == 50 and len(rest) >= 9, (len(page), len(rest))
    found = await gateway.call("tasks.search", {"query": "paint", "priority": ["high"]})
    assert [task["id"] for task in found] == [made["id"]], found
    every = await gateway.call("tasks.analytics")
    assert sum(every["status_distribution"].values()) == every["total_tasks"] and every["in_progress_tasks"] == every["status_distribution"]["in_progress"], every
    numbers = await gateway.call("tasks.analytics", {"board_id": boards[0]["id"]})
    assert numbers["total_tasks"] == 62 and numbers["completed_tasks"] == 1, numbers
    assert numbers["status_distribution"]["in_progress"] == 1 and numbers["priority_distribution"]["high"] == 1, numbers
    focus = await gateway.call("tasks.focustime.update", {"daily_goal_minutes": 90})
    assert focus["daily_goal_minutes"] == 90 and (await gateway.call("tasks.focustime.get")) == focus
    await refused(gateway.call("tasks.focustime.update", {"start_hour": 12, "end_hour": 12}), "INVALID_REQUEST")
    assert (await gateway.call("tasks.focustime.get")) == focus
    await refused(gateway.call("tasks.update", {"id": made["id"], "title": " \n"}), "INVALID_REQUEST", "USAGE")
    assert (await gateway.call("tasks.delete", {"id": made["id"]}))["deleted"] is True
    await refused(gateway.call("tasks.get", {"id": made["id"]}), "INVALID_REQUEST", "NOT_FOUND")
    await refused(gateway.call("tasks.list", {"board_id": made["id"]}), "INVALID_REQUEST", "NOT_FOUND")
    for params in ({"id": "' OR 1=1 --"}, {"id": "../../etc/passwd"}, {"id": 7}, {"id": ["a"]}, {}, {"id": "0" * 5000}):
        await refused(gateway.call("tasks.get", params), "INVALID_REQUEST")
    await refused(gateway.call("tasks.create", {"title": "x", "priority": "urgent"}), "INVALID_REQUEST")
    await refused(gateway.call("tasks.create", {"title": "x", "due_date": "tomorrow"}), "INVALID_REQUEST")
    await refused(gateway.call("tasks.list", {"limit": 0}), "INVALID_REQUEST")
    await refused(gateway.call("tasks.list", {"status": ["nowhere"]}), "INVALID_REQUEST")
    bob = await signed_in(url, "bob:bob's password")
    assert await bob.call("tasks.list") == []
    await refused(bob.call("tasks.get", {"id": part["id"]}), "INVALID_REQUEST")
    await refused(bob.call("tasks.list", {"board_id": boards[0]["id"]}), "INVALID_REQUEST")
    reader = await signed_in(url, password, scopes=["operator.read"])
    assert len(await reader.call("tasks.list")) == 50
    await refused(reader.call("tasks.create", {"title": "x"}), "FORBIDDEN")


async def calendar(url, password):
    """Events and conflicts, by both apps' names."""
    gateway = await signed_in(url, password)
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 3 * 86400))
    account = None
    first = await gateway.call("calendar.create_event", {"title": "Review", "start_time": f"{day}T10:00:00Z",
                               "end_time": f"{day}T11:00:00Z", "is_all_day": False, "event_type": "event", "location": "Rome"})
    account = first["accountId"]
    assert first["duration_minutes"] == 60 and first["location"] == "Rome" and first["has_conflict"] is False, first
    second = await gateway.call("calendar.events.create", {"account_id": account, "title": "Lunch",
                                "start_time": f"{day}T10:30:00+00:00", "end_time": f"{day}T12:00:00Z", "is_all_day": False})
    assert second["has_conflict"] is True and second["conflict_severity"] == "warning", second
    whole = await gateway.call("calendar.create_event", {"title": "Holiday", "start_time": f"{day}T00:00:00Z",
                               "end_time": f"{day}T23:59:59Z", "is_all_day": True})
    assert whole["is_all_day"] is True and whole["duration_minutes"] == 1440, whole
    accounts = await gateway.call("calendar.list_accounts")
    assert [a["id"] for a in accounts] == [account] and (await gateway.call("calendar.accounts.primary"))["id"] == account
    found = await gateway.call("calendar.check_conflicts", {"event_id": first["id"]})
    assert [event["id"] for event in found["conflicts"]] == [second["id"]], found
    page = await gateway.call("calendar.list_events", {"account_id": account, "limit": 2})
    assert len(page["events"]) == 2 and page["has_more"] is True, page
    rest = await gateway.call("calendar.events.list", {"account_id": account, "limit": 2, "offset": 2})
    assert len(rest) == 1, rest
    moved = await gateway.call("calendar.update_event", {"id": second["id"], "start_time": f"{day}T14:00:00Z"})
    assert moved["start_time"] == f"{day}T14:00:00Z" and moved["duration_minutes"] == 90 and not moved["has_conflict"], moved
    renamed = await gateway.call("calendar.events.update", {"id": second["id"], "title": "Late lunch", "description": "soup"})
    assert renamed["title"] == "Late lunch" and renamed["description"] == "soup", renamed
    assert (await gateway.call("calendar.get_event", {"id": second["id"]}))["title"] == "Late lunch"
    assert (await gateway.call("calendar.get_attendees", {"event_id": second["id"]})) == {"attendees": []}
    hits = await gateway.call("calendar.search_events", {"query": "lunch"})
    assert [event["id"] for event in hits["results"]] == [second["id"]], hits
    hits = await gateway.call("calendar.search_events", {"start_date": f"{day}T00:00:00Z", "end_date": f"{day}T12:00:00Z"})
    assert len(hits["results"]) == 2, hits
    assert (await gateway.call("calendar.search_events", {"provider": "google"}))["results"] == []
    assert (await gateway.call("calendar.search_events", {"provider": "apple_icloud"}))["results"] != []
    numbers = await gateway.call("calendar.analytics")
    assert numbers["total_events"] == 3 and numbers["conflict_count"] == 0, numbers
    assert (await gateway.call("calendar.stats", {"account_id": account}))["busiest_day"] == day
    assert (await gateway.call("calendar.delete_event", {"id": second["id"], "hard_delete": False}))["deleted"] is True
    await refused(gateway.call("calendar.get_event", {"id": second["id"]}), "INVALID_REQUEST")
    for params in ({"title": "x", "start_time": f"{day}T10:00:00Z"},
                   {"title": "x", "start_time": f"{day}T10:00:00Z", "end_time": f"{day}T09:00:00Z"},
                   {"title": "x", "start_time": "now", "end_time": "later"}, {"start_time": 1}):
        await refused(gateway.call("calendar.create_event", params), "INVALID_REQUEST")
    await refused(gateway.call("calendar.list_events", {"account_id": "0" * 16}), "INVALID_REQUEST")
    await refused(gateway.call("calendar.get_event", {"id": first["id"] + "@x"}), "INVALID_REQUEST")
    bob = await signed_in(url, "bob:bob's password")
    await refused(bob.call("calendar.get_event", {"id": first["id"]}), "INVALID_REQUEST")
    assert (await bob.call("calendar.list_events"))["events"] == []


async def email(url, password):
    """Mail that the gateway stores for a user: lists, searches, flags, drafts. There are three messages."""
    gateway = await signed_in(url, password)
    page = await gateway.call("email.list")
    assert page["pagination"] == {"total_count": 3, "page_size": 20, "page_number": 1, "current_page": 1, "has_more": False}, page["pagination"]
    assert [mail["subject"] for mail in page["emails"]] == ["Third", "Re: First", "First"], page
    first = page["emails"][2]
    assert {"name": "Ana Rossi", "email": "ana@example.org"}.items() <= first["from"].items() and first["is_read"] is False, first
    assert len((await gateway.call("email.list", {"account_id": "mail", "limit": 2, "offset": 1}))["emails"]) == 2
    second = await gateway.call("email.list", {"limit": 2, "skip": 2})
    assert len(second["emails"]) == 1 and second["pagination"]["page_number"] == 2, second
    whole = await gateway.call("email.get", {"id": first["id"]})
    assert whole["body"].startswith("Hello") and whole["attachment_count"] == 1, whole
    part = whole["attachments"][0]
    assert part["filename"] == "note.txt", part
    address = await gateway.call("email.attachment_url", {"email_id": first["id"], "attachment_id": part["id"]})
    assert base64.b64decode(address.split(",")[1]) == b"attached\n", address
    await refused(gateway.call("email.attachment_url", {"email_id": first["id"], "attachment_id": "../../etc/passwd"}))
    assert (await gateway.call("email.mark_read", {"id": first["id"], "is_read": True}))["is_read"] is True
    assert (await gateway.call("email.mark_starred", {"id": first["id"], "is_starred": True}))["is_starred"] is True
    assert (await gateway.call("email.add_label", {"email_id": first["id"], "label": "work"}))["labels"] == ["work"]
    assert (await gateway.call("email.remove_label", {"id": first["id"], "label": "work"}))["labels"] == []
    found = await gateway.call("email.search", {"query": "hello", "is_starred": True})
    assert [mail["id"] for mail in found["results"]] == [first["id"]], found
    found = (await gateway.call("email.search", {"from": "ana", "has_attachment": True}))["results"]
    assert [mail["id"] for mail in found] == [first["id"]], found
    await refused(gateway.call("email.search", {"query": "from:("}), "INVALID_REQUEST")
    # The spellings of both apps: lists of addresses, camel case, a thread, a mailbox.
    assert {"isRead": True, "isStarred": True, "threadId": first["thread_id"]}.items() <= found[0].items(), found
    to = first["to"][0]["email"]
    for words in ({"to": [to]}, {"to": to}, {"isStarred": True}, {"threadId": first["thread_id"], "isRead": True}):
        found = (await gateway.call("email.search", words))["results"]
        assert first["id"] in [mail["id"] for mail in found], (words, found)
    assert (await gateway.call("email.search", {"to": [to, "nobody"]}))["results"] == []
    assert (await gateway.call("email.search", {"mailbox": "INBOX"}))["results"] != []
    await refused(gateway.call("email.search", {"mailbox": "nowhere"}))
    await refused(gateway.call("email.search", {"threadId": "x"}), "INVALID_REQUEST")
    conversation = await gateway.call("email.thread", {"thread_id": first["thread_id"]})
    assert [mail["subject"] for mail in conversation["emails"]] == ["First", "Re: First"], conversation
    answer = await gateway.call("email.get", {"id": conversation["emails"][1]["id"]})
    assert answer["in_reply_to"] == first["message_id"] and "in_reply_to" not in await gateway.call("email.get", {"id": first["id"]}), answer
    draft = await gateway.call("email.save_draft", {"to": [{"email": "bo@example.org", "name": "Bo"}], "subject": "Plan",
                               "body": "text", "in_reply_to": first["id"]})
    assert (await gateway.call("email.get", {"id": draft}))["subject"] == "Plan"
    other = await gateway.call("email.draft.save", {"to": ["bo@example.org"], "subject": "Plan B", "body": "text"})
    assert other["to"] == [{"email": "bo@example.org"}], other
    error = await refused(gateway.call("email.send", {"to": ["bo@example.org"], "subject": "x", "body": "y"}))
    assert error["code"] == "NOT_LINKED", error
    await refused(gateway.call("email.save_draft", {"to": ["bo@example.org\r\nBcc: x@y.z"], "subject": "x", "body": "y"}))
    # Drafts are not in the inbox, which is listed unless another mailbox is named.
    assert (await gateway.call("email.list"))["pagination"]["total_count"] == 3
    assert (await gateway.call("email.list", {"mailbox": "all"}))["pagination"]["total_count"] == 5
    assert len((await gateway.call("email.list", {"folder": "drafts"}))["emails"]) == 2
    numbers = await gateway.call("email.analytics")
    assert numbers["total_emails"] == 5 and numbers["draft_count"] == 2, numbers
    assert (await gateway.call("email.delete", {"id": first["id"]}))["deleted"] is True
    bob = await signed_in(url, "bob:bob's password")
    assert (await bob.call("email.list"))["emails"] == []
    await refused(bob.call("email.get", {"id": first["id"]}), "INVALID_REQUEST")


async def syncing(url, password):
    """Pull and push as documented: applied, already, conflict, refused."""
    gateway = await signed_in(url, password)
    other = await signed_in(url, password)
    empty = await gateway.call("sync.pull")
    calendar = {"kind": "calendar", "id": "k" * 16, "fields": {"name": "work", "color": "blue", "is_hidden": 0, "is_default": 1, "position": 0}}
    async def push(*changes):
        return (await gateway.call("sync.push", {"changes": list(changes)}))["results"]
    result = (await push(calendar))[0]
    assert result["status"] == "applied" and result["version"], result
    await other.event("sync.changed")
    assert (await push(calendar))[0]["status"] == "already"
    renamed = {**calendar, "fields": {**calendar["fields"], "name": "office"}}
    assert (await push({**renamed, "base": "0000000000000000"}))[0]["status"] == "conflict"
    assert (await push({**renamed, "base": result["version"]}))[0]["status"] == "applied"
    conflict = (await push({**calendar, "base": result["version"]}))[0]
    assert conflict["status"] == "conflict" and conflict["fields"]["name"] == "office", conflict
    page = await other.call("sync.pull", {"cursor": empty["cursor"]})
    assert [change["fields"]["name"] for change in page["changes"]] == ["office"] and page["has_more"] is False, page
    assert (await other.call("sync.pull", {"cursor": page["cursor"]}))["changes"] == []
    bad = await push({**calendar, "id": "z" * 16, "fields": {"name": "x", "evil": 1}},
                     {"kind": "event", "id": "e" * 16, "fields": {"calendar": "k" * 16, "uid": "u", "text": "no calendar"}},
                     {"kind": "event", "id": "f" * 16, "fields": {"calendar": "q" * 16, "uid": "u", "text": "BEGIN:VEVENT\r\nUID:u\r\nDTSTART:20300101T100000Z\r\nEND:VEVENT\r\n"}},
                     {**calendar, "id": "y" * 16, "fields": {**renamed["fields"]}},
                     {"kind": "task", "id": "t" * 16, "fields": {"title": "x"}})
    assert [entry["status"] for entry in bad] == ["refused"] * 5, bad
    entry = {"kind": "time_entry", "id": "n" * 16, "fields": {"start": "soon", "title": "x", "tags": "", "is_billable": 0}}
    odd = await push(entry, {**entry, "fields": {**entry["fields"], "start": 5, "title": -1}}, {**entry, "id": "m" * 16, "fields": {"start": 5, "is_billable": 0}})
    assert [one["status"] for one in odd] == ["refused", "refused", "applied"], odd
    deleted = (await push({"kind": "calendar", "id": "k" * 16, "base": conflict["version"], "fields": None}))[0]
    assert deleted["status"] == "applied", deleted
    for changes in ([{"kind": "message", "id": "k" * 16}], [{"kind": "account", "id": "k" * 16}], [{"kind": "task"}], [1],
                    [{"kind": "task", "id": "k" * 16, "fields": [1]}], [{"kind": "task", "id": "k" * 16, "x": 1}], "no"):
        await refused(gateway.call("sync.push", {"changes": changes}), "INVALID_REQUEST")
    await refused(gateway.call("sync.pull", {"cursor": "'; DROP TABLE change; --"}), "INVALID_REQUEST")
    assert (await gateway.call("sync.pull", {"cursor": "999999.-1.zzzzzz"}))["snapshot"] is True
    bob = await signed_in(url, "bob:bob's password")
    assert (await bob.call("sync.pull"))["changes"] == []


async def pages(url, password):
    """Changes are returned in pages, by conversations and by messages; together they are complete."""
    ana, bob = await signed_in(url, password), await signed_in(url, "bob:bob's password")
    keys = [f"{number:016d}" for number in range(2100)]
    # The limit of new groups per minute is per user; two users can create twice as many.
    for key in keys:
        by, other = (ana, "bob") if int(key) % 2 == 0 else (bob, "ana")
        await by.call("chat.create", {"id": key, "kind": "group", "name": f"Room {int(key)}", "members": [other]})
    # The first one was changed last, and its message is older than the change.
    await ana.call("chat.send", {"sessionKey": keys[0], "message": "early", "idempotencyKey": "e" * 16})
    for number in range(250):
        await bob.call("chat.send", {"sessionKey": keys[number % 7], "message": f"line {number}", "idempotencyKey": f"{number:016x}"})
    await ana.call("chat.update", {"conversation": keys[0], "name": "Renamed"})
    named, lines, cursor, count = {}, [], None, 0
    while True:
        page = await bob.call("chat.sync", {"cursor": cursor, "limit": 100} if cursor else {"limit": 100})
        named.update({room["id"]: room for room in page["conversations"]})
        # Messages never precede their conversation.
        assert all(line["conversation"] in named for line in page["messages"])
        lines += [line["id"] for line in page["messages"]]
        count, cursor = count + 1, page["cursor"]
        assert sum(len(room["members"]) for room in page["conversations"]) < 5000
        if not page["has_more"]:
            break
    assert count >= 4 and set(named) == set(keys) and named[keys[0]]["name"] == "Renamed", (count, len(named))
    assert len(lines) == len(set(lines)) and set(lines) >= {"e" * 16} | {f"{number:016x}" for number in range(250)}, len(lines)
    assert (await bob.call("chat.sync", {"cursor": cursor}))["conversations"] == []


async def chat(url, password):
    """Conversations: visibility, order, no duplicates; no access for others."""
    ana, phone = await signed_in(url, password), await signed_in(url, password)
    bob, carl = await signed_in(url, "bob:bob's password"), await signed_in(url, "carl:carl's password")
    me = (await ana.call("users.me"))["id"]
    empty = await bob.call("chat.sync")
    assert empty["conversations"] == [] and empty["messages"] == [] and empty["has_more"] is False, empty
    made = await ana.call("chat.create", {"id": "h" * 16, "kind": "group", "name": "House", "members": ["bob"]})
    assert [member["role"] for member in made["conversation"]["members"]] == ["owner", "member"], made
    assert (await ana.call("chat.create", {"id": "h" * 16, "kind": "group", "name": "Again"}))["conversation"]["name"] == "House"
    await bob.event("chat.changed")
    # Sent twice with one key, it is stored once; all others are notified, including the sender's other devices.
    question = {"sessionKey": "h" * 16, "message": "The keys?", "idempotencyKey": "m" * 16}
    first, again = await ana.call("chat.send", question), await ana.call("chat.send", question)
    assert first["message"]["number"] == again["message"]["number"] == 1, (first, again)
    for other in (bob, phone):
        event = (await other.event("chat"))["payload"]
        assert event["state"] == "final" and event["sessionKey"] == "h" * 16, event
        assert event["message"]["content"][0]["text"] == "The keys?" and event["entry"]["sender"] == me, event
    await bob.call("chat.send", {"sessionKey": "h" * 16, "message": "With me", "idempotencyKey": "any text", "replyToId": "m" * 16})
    page = await bob.call("chat.sync", {"cursor": empty["cursor"]})
    assert [line["content"] for line in page["messages"]] == ["The keys?", "With me"], page
    assert page["messages"][1]["reply_to"] == "m" * 16 and page["conversations"][0]["last"] == 2, page
    # Other members see read positions.
    await bob.call("chat.update", {"conversation": "h" * 16, "read_up_to": 99})
    seen = (await ana.call("chat.sync", {"cursor": "0"}))["conversations"][0]["members"]
    assert {member["name"]: member["read_up_to"] for member in seen} == {"ana": 1, "bob": 2}, seen
    await bob.call("chat.typing", {"conversation": "h" * 16})
    assert (await ana.event("chat.typing"))["payload"]["name"] == "bob"
    # Only the sender can edit and delete.
    await refused(bob.call("chat.edit", {"id": "m" * 16, "content": "mine now"}), "INVALID_REQUEST")
    await refused(bob.call("chat.delete", {"id": "m" * 16}), "INVALID_REQUEST")
    assert (await ana.call("chat.edit", {"id": "m" * 16, "content": "Who has the keys?"}))["message"]["edited_at"]
    assert (await bob.event("chat.edited"))["payload"]["entry"]["content"] == "Who has the keys?"
    assert (await ana.call("chat.delete", {"id": "m" * 16}))["message"]["deleted"] is True
    assert (await ana.call("chat.edit", {"id": "m" * 16, "content": "The keys?"}))["message"].get("deleted") is None
    # For a user who is not a member, no method finds the conversation.
    for method, params in [("chat.history", {"sessionKey": "h" * 16}), ("chat.send", {"sessionKey": "h" * 16, "message": "x", "idempotencyKey": "x" * 16}),
                           ("chat.update", {"conversation": "h" * 16, "name": "x"}), ("chat.typing", {"conversation": "h" * 16}),
                           ("chat.invite", {"conversation": "h" * 16, "name": "carl"}), ("chat.forget", {"conversation": "h" * 16}),
                           ("chat.remove", {"conversation": "h" * 16, "user": me}), ("chat.role", {"conversation": "h" * 16, "user": me, "role": "member"}),
                           ("chat.edit", {"id": "m" * 16, "content": "x"}), ("chat.delete", {"id": "m" * 16}),
                           ("sessions.resolve", {"key": "h" * 16}), ("sessions.delete", {"key": "h" * 16}),
                           ("sessions.patch", {"key": "h" * 16, "label": "x"}), ("chat.abort", {"sessionKey": "h" * 16})]:
        await refused(carl.call(method, params), "INVALID_REQUEST")
    await refused(carl.call("chat.create", {"id": "h" * 16, "kind": "group", "name": "Mine"}), "INVALID_REQUEST")
    assert (await carl.call("sessions.preview", {"keys": ["h" * 16]}))["previews"][0]["status"] == "missing"
    await refused(carl.call("chat.send", {"sessionKey": "main", "message": "x", "idempotencyKey": "m" * 16}), "INVALID_REQUEST")
    # Who comes later sees what is said from then on; who leaves, what was said until then.
    await refused(bob.call("chat.invite", {"conversation": "h" * 16, "name": "carl"}), "INVALID_REQUEST", text="owner or admin")
    await ana.call("chat.invite", {"conversation": "h" * 16, "name": "carl"})
    await ana.call("chat.send", {"sessionKey": "h" * 16, "message": "Welcome", "idempotencyKey": "w" * 16})
    history = await carl.call("chat.history", {"sessionKey": "h" * 16})
    assert [line["content"][0]["text"] for line in history["messages"]] == ["ana added carl", "Welcome"] and history["hasMore"] is False, history
    await refused(carl.call("chat.send", {"sessionKey": "h" * 16, "message": "x", "idempotencyKey": "y" * 16, "replyToId": "m" * 16}), "INVALID_REQUEST")
    cursor = (await carl.call("chat.sync"))["cursor"]
    await carl.call("chat.remove", {"conversation": "h" * 16})
    await ana.call("chat.send", {"sessionKey": "h" * 16, "message": "Carl is gone", "idempotencyKey": "g" * 16})
    page = await carl.call("chat.sync", {"cursor": cursor})
    assert page["conversations"][0]["role"] is None, page
    assert [line["content"] for line in page["messages"]] == ["carl left"], page
    await refused(carl.call("chat.send", {"sessionKey": "h" * 16, "message": "x", "idempotencyKey": "z" * 16}), "INVALID_REQUEST")
    # Roles: there is always an owner.
    await refused(ana.call("chat.role", {"conversation": "h" * 16, "user": me, "role": "member"}), "INVALID_REQUEST")
    await refused(bob.call("chat.role", {"conversation": "h" * 16, "user": me, "role": "member"}), "INVALID_REQUEST")
    await ana.call("chat.remove", {"conversation": "h" * 16})
    rest = (await bob.call("chat.sync"))["conversations"][0]["members"]
    assert [(member["name"], member["role"]) for member in rest] == [("bob", "owner")], rest
    # Two users share one direct conversation.
    one = await ana.call("chat.create", {"id": "d" * 16, "kind": "direct", "name": "bob", "members": ["bob"]})
    two = await bob.call("chat.create", {"id": "e" * 16, "kind": "direct", "name": "ana", "members": ["ana"]})
    assert one["conversation"]["id"] == two["conversation"]["id"] == "d" * 16, (one, two)
    # Deleted for oneself, it reappears with the next message, from that message on.
    await ana.call("chat.send", {"sessionKey": "d" * 16, "message": "before", "idempotencyKey": "b" * 16})
    await bob.call("chat.forget", {"conversation": "d" * 16})
    await refused(bob.call("chat.history", {"sessionKey": "d" * 16}), "INVALID_REQUEST")
    await ana.call("chat.send", {"sessionKey": "d" * 16, "message": "after", "idempotencyKey": "a" * 16})
    assert [line["entry"]["content"] for line in (await bob.call("chat.history", {"sessionKey": "d" * 16}))["messages"]] == ["after"]
    # The methods of the OpenClaw family.
    sessions = (await bob.call("sessions.list"))["sessions"]
    assert {session["key"] for session in sessions} == {"d" * 16, "h" * 16} and sessions[0]["updatedAt"] > 1e12, sessions
    previews = await bob.call("sessions.preview", {"keys": ["d" * 16, "q" * 16]})
    assert [preview["status"] for preview in previews["previews"]] == ["ok", "missing"], previews
    # A read-only device cannot send messages.
    reader = await signed_in(url, password, scopes=["operator.read"])
    await refused(reader.call("chat.send", {"sessionKey": "d" * 16, "message": "x", "idempotencyKey": "r" * 16}), "FORBIDDEN")
    # Invalid values in any field.
    for params in [{}, {"sessionKey": "d" * 16}, {"sessionKey": "d" * 16, "message": "x"}, {"sessionKey": 1, "message": "x", "idempotencyKey": "k"},
                   {"sessionKey": "d" * 16, "message": " ", "idempotencyKey": "k"}, {"sessionKey": "'; DROP TABLE message; --", "message": "x", "idempotencyKey": "k"},
                   {"sessionKey": "d" * 16, "message": "x", "idempotencyKey": "k", "evil": 1}, {"sessionKey": "d" * 16, "message": "x" * 70000, "idempotencyKey": "k"},
                   {"sessionKey": "d" * 16, "message": "x", "idempotencyKey": "k", "attachments": [{}]}, {"sessionKey": "../../etc", "message": "x", "idempotencyKey": "k"}]:
        await refused(ana.call("chat.send", params), "INVALID_REQUEST")
    assert (await ana.call("chat.sync", {"cursor": "999999999"}))["reset"] is True
    cursor = (await ana.call("chat.sync"))["cursor"]
    assert "reset" not in await ana.call("chat.sync", {"cursor": cursor})
    count, chance = cursor.split(".")
    other = await ana.call("chat.sync", {"cursor": f"{count}.{int(chance) ^ 1}"})
    assert other["reset"] is True and other["conversations"], other
    # The last message is identified by its count, too: a gateway that lost it returns reset, for any cursor.
    said = await ana.call("chat.send", {"sessionKey": next(c["id"] for c in other["conversations"] if c.get("role")), "message": "seen", "idempotencyKey": "seen000000000000"})
    assert "reset" not in await ana.call("chat.sync", {"cursor": cursor, "seen": said["cursor"]})
    count, chance = said["cursor"].split(".")
    assert (await ana.call("chat.sync", {"cursor": cursor, "seen": f"{count}.{int(chance) ^ 1}"}))["reset"] is True
    for bad in ("", "-1", "1.", ".1", "1.2.3", "1.x", "٣", "1e3", " 1", "9" * 30):
        await refused(ana.call("chat.sync", {"cursor": bad}), "INVALID_REQUEST")


async def files(url, password):
    """Files are transferred in pieces, resumed after a lost connection, and not accessible to others."""
    ana, bob, carl = await signed_in(url, password), await signed_in(url, "bob:bob's password"), await signed_in(url, "carl:carl's password")
    await ana.call("chat.create", {"id": "d" * 16, "kind": "direct", "name": "bob", "members": ["bob"]})
    data = bytes(range(256)) * 3000
    digest = hashlib.sha256(data).hexdigest()
    about = {"sha256": digest, "size": len(data)}
    async def put(gateway, start, end, **more):
        return (await gateway.call("chat.attachment.put", {**about, "offset": start, "data": base64.b64encode(data[start:end]).decode(), **more}))["received"]
    def said(key):
        return {"sessionKey": "d" * 16, "message": "", "idempotencyKey": key * 16,
                "attachments": [{"id": key * 16, "name": "../../plan.pdf", "type": "application/pdf", **about}]}
    assert (await ana.call("chat.attachment.state", about))["received"] == 0
    assert await put(ana, 0, 300000) == 300000
    await refused(put(ana, 400000, 500000), "UNAVAILABLE", text="missing")
    await refused(ana.call("chat.send", said("p")), "INVALID_REQUEST", text="not uploaded")
    # Another line goes on where the first one was cut off; a piece that comes twice does no harm.
    again = await signed_in(url, password)
    assert (await again.call("chat.attachment.state", about))["received"] == 300000
    assert await put(again, 200000, 600000) == 600000
    assert await put(again, 600000, len(data)) == len(data)
    assert (await ana.call("chat.send", said("p")))["message"]["attachments"][0]["size"] == len(data)
    got = b""
    while len(got) < len(data):
        got += base64.b64decode((await bob.call("chat.attachment.get", {"message": "p" * 16, "sha256": digest, "offset": len(got)}))["data"])
    assert got == data
    # A hash alone gives no access to the file: neither to fetch nor to forward it.
    await refused(carl.call("chat.attachment.get", {"message": "p" * 16, "sha256": digest}), "INVALID_REQUEST")
    await carl.call("chat.create", {"id": "c" * 16, "kind": "self", "name": "Mine"})
    await refused(carl.call("chat.send", {**said("q"), "sessionKey": "c" * 16}), "INVALID_REQUEST", text="not uploaded")
    assert (await carl.call("chat.attachment.state", about))["received"] == 0
    # Data that does not match its hash is refused.
    wrong = {"sha256": "0" * 64, "size": 4}
    await refused(ana.call("chat.attachment.put", {**wrong, "offset": 0, "data": "AAAAAA=="}), "INVALID_REQUEST", text="SHA-256")
    for bad in [{"sha256": "../../../etc/passwd", "size": 1}, {"sha256": "A" * 64, "size": 1}, {"sha256": digest, "size": -1},
                {"sha256": digest, "size": 1 << 40}, {"sha256": digest}]:
        await refused(ana.call("chat.attachment.put", {**bad, "data": "AA=="}), "INVALID_REQUEST")
    await refused(ana.call("chat.attachment.put", {**about, "data": "***"}), "INVALID_REQUEST")
    await ana.call("chat.delete", {"id": "p" * 16})
    await refused(bob.call("chat.attachment.get", {"message": "p" * 16, "sha256": digest}), "INVALID_REQUEST")


async def assistant(url, password):
    """The assistant answers like agents of the OpenClaw family, in pieces and to all devices of the user."""
    ana, phone, bob = await signed_in(url, password), await signed_in(url, password), await signed_in(url, "bob:bob's password")
    sent = await ana.call("chat.send", {"sessionKey": "main", "message": "one two three four", "idempotencyKey": "run-1"})
    assert sent["status"] == "started" and sent["runId"] == "run-1", sent
    for gateway in (ana, phone):
        while (event := (await gateway.event("chat"))["payload"])["state"] != "final" or event["message"]["role"] != "assistant":
            assert event["state"] == "final" or event["state"] == "delta" and event["message"]["content"][0]["text"].endswith(event["deltaText"]), event
        assert event["runId"] == "run-1" and event["message"]["content"][0]["text"] == "You said: one two three four", event
    again = await ana.call("chat.send", {"sessionKey": "agent:main:main", "message": "one two three four", "idempotencyKey": "run-1"})
    assert again["status"] == "ok", again
    history = (await phone.call("chat.history", {"sessionKey": "main"}))["messages"]
    assert [line["role"] for line in history] == ["user", "assistant"], history
    assert (await bob.call("chat.history", {"sessionKey": "main"}))["messages"] == []
    assert (await ana.call("chat.abort", {"sessionKey": "main"}))["aborted"] is False
    assert not [event for event in bob.events if event["event"] == "chat"]


async def run(scenario):
    await scenario
    # Without waiting for the connections to close one by one.
    os._exit(0)


SCENARIOS = {name: value for name, value in globals().items() if asyncio.iscoroutinefunction(value)}

if __name__ == "__main__":
    asyncio.run(run(SCENARIOS[sys.argv[2]](sys.argv[1], *sys.argv[3:])))
