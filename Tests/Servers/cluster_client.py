"""Clients of several gateways with one database: cluster_client.py SCENARIO URL [URL…]

Users ana and bob, whose passwords are `NAME's password`. Each scenario tests what docs/scale.md promises.
"""

import asyncio
import http.server
import json
import os
import random
import secrets
import subprocess
import sys
import threading
import time
import uuid

from gateway_client import Device, Gateway, Refused, ended, refused, signed_in

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def identity():
    return "".join(secrets.choice(ALPHABET) for _ in range(16))


async def user(url, name, device=None):
    gateway = await Gateway(url, device).open()
    gateway.first = await gateway.connect({"password": f"{name}:{name}'s password"})
    return gateway


async def direct(gateway, other):
    answer = await gateway.call("chat.create", {"id": identity(), "kind": "direct", "name": other, "members": [other]})
    return answer["conversation"]["id"]


async def chat(first, second):
    """What one person writes at one gateway is at another's device within a second, once and in order."""
    ana, bob = await user(first, "ana"), await user(second, "bob")
    place = await direct(ana, "bob")
    assert (await bob.event("chat.changed", 2))["payload"]["conversation"] == place
    sent = []
    for number in range(30):
        start = time.time()
        answer = await ana.call("chat.send", {"sessionKey": place, "message": f"{number}", "idempotencyKey": identity()})
        sent.append(answer["message"]["id"])
        event = (await bob.event("chat", 2))["payload"]
        assert event["entry"]["id"] == sent[-1] and event["entry"]["content"] == f"{number}", event
        assert time.time() - start < 1
    # Edits, reactions, read marks and typing.
    await ana.call("chat.edit", {"id": sent[0], "content": "edited"})
    assert (await bob.event("chat.edited", 2))["payload"]["entry"]["content"] == "edited"
    await bob.call("chat.react", {"id": sent[1], "emoji": "👍"})
    assert (await ana.event("chat.edited", 2))["payload"]["entry"]["reactions"]
    await bob.call("chat.update", {"conversation": place, "read_up_to": 30})
    assert (await ana.event("chat.changed", 2))["payload"]["conversation"] == place
    await bob.call("chat.typing", {"conversation": place})
    assert (await ana.event("chat.typing", 2))["payload"]["name"] == "bob"
    # Looks for what was missed find nothing that was told before.
    await asyncio.sleep(7)
    pages = await bob.call("chat.sync", {})
    assert [m["id"] for m in pages["messages"]] == sent
    assert not [e for e in bob.events if e["event"] == "chat"], bob.events
    # A request that arrives at both at once begins one conversation.
    async def begin(gateway, new):
        return (await gateway.call("chat.create", {"id": new, "kind": "group", "name": "g", "members": ["bob"]}))["conversation"]["id"]
    again = await user(second, "ana")
    for _ in range(20):
        new = identity()
        assert await asyncio.gather(begin(ana, new), begin(again, new)) == [new, new]
    await again.close()


async def entities(first, second):
    """A change at one gateway is told to the user's device at another, which reads its own writes there."""
    one, other = await user(first, "ana"), await user(second, "ana")
    for number in range(10):
        writer, reader = (one, other) if number % 2 else (other, one)
        made = await writer.call("tasks.create", {"title": f"task {number}"})
        await reader.event("sync.changed", 2)
        task = made.get("task", made)
        assert (await reader.call("tasks.get", {"id": task["id"]}))["title"] == f"task {number}"
    # A repetition at the other gateway makes nothing twice, whatever it makes.
    for method, words in [
        ("tasks.create", {"title": "once"}),
        ("tasks.subtasks.create", {"title": "a part", "task_id": task["id"]}),
        ("projects.create", {"title": "House"}),
        ("calendar.create_event", {"title": "Dinner", "start_time": "2026-12-01T18:00:00Z", "end_time": "2026-12-01T19:00:00Z"}),
    ]:
        made = [await gateway.call(method, {**words, "idempotencyKey": "k1"}) for gateway in (one, other, one)]
        assert len({answer["id"] for answer in made}) == 1, (method, made)
        assert (await one.call(method, {**words, "title": "another", "idempotencyKey": "k2"}))["id"] != made[0]["id"]
    house = (await one.call("projects.list", {}))[0]["id"]
    nails = {"project_id": house, "material_name": "nails", "idempotencyKey": "k1"}
    assert len({(await gateway.call("projects.materials.create", nails))["id"] for gateway in (one, other)}) == 1
    # A key belongs to its method and place, and what was deleted does not come back.
    part = {"title": "other part", "idempotencyKey": "k1"}
    assert (await one.call("tasks.create", {"title": "once", "idempotencyKey": "k1"}))["title"] == "once"
    first_part = await one.call("tasks.subtasks.create", {**part, "task_id": task["id"], "idempotencyKey": "k9"})
    twin = await one.call("tasks.create", {"title": "another", "idempotencyKey": "k9"})
    assert twin["id"] != first_part["id"]
    second_part = await other.call("tasks.subtasks.create", {**part, "task_id": twin["id"], "idempotencyKey": "k9"})
    assert second_part["id"] != first_part["id"]
    gone = await one.call("tasks.create", {"title": "gone", "idempotencyKey": "k8"})
    await one.call("tasks.delete", {"id": gone["id"]})
    for gateway in (one, other):
        await refused(gateway.call("tasks.create", {"title": "gone", "idempotencyKey": "k8"}), "INVALID_REQUEST")
    for name in ("once", "another", "a part", "other part"):
        for found in [t for t in await one.call("tasks.list", {"limit": 200}) if t["title"] == name]:
            await one.call("tasks.delete", {"id": found["id"]})
    # Both at once: nothing is lost.
    await asyncio.gather(*(g.call("tasks.create", {"title": f"{n} {k}"}) for n, g in enumerate([one, other]) for k in ()))
    async def many(gateway, name):
        for number in range(15):
            while True:
                try:
                    await gateway.call("tasks.create", {"title": f"{name} {number}"})
                    break
                except Refused as error:
                    assert error.error["code"] == "UNAVAILABLE" and error.error.get("retryAfterMs"), error
    await asyncio.gather(many(one, "a"), many(other, "b"))
    lists = []
    for gateway in (one, other):
        found = await gateway.call("tasks.list", {"limit": 200})
        tasks = found if isinstance(found, list) else found["tasks"]
        lists.append(sorted(task["title"] for task in tasks))
    assert lists[0] == lists[1] and len(lists[0]) == 40, [len(one) for one in lists]


async def sessions(first, second):
    """A device that is revoked at one gateway is disconnected from another within a second; presence counts everywhere."""
    device = Device()
    ana, bob, phone = await user(first, "ana"), await user(second, "bob"), await user(second, "ana", device)
    await direct(ana, "bob")
    await asyncio.sleep(0.5)
    people = await ana.call("users.list", {})
    online = {person["name"]: person.get("online") for person in people["users"]}
    assert online["bob"], people
    await ana.call("device.pair.remove", {"deviceId": device.id})
    start = time.time()
    await ended(phone, 1008)
    assert time.time() - start < 2
    await bob.close()
    await asyncio.sleep(1)
    people = await ana.call("users.list", {})
    assert not {person["name"]: person.get("online") for person in people["users"]}["bob"], people


async def guessing(first, second):
    """Wrong passwords count at all gateways together."""
    wrong = 0
    for number in range(12):
        gateway = await Gateway([first, second][number % 2]).open()
        try:
            await gateway.connect({"password": f"ana:guess {number}"})
            raise AssertionError("a guess was right")
        except Refused as error:
            if error.detail == "AUTH_RATE_LIMITED":
                break
            wrong += 1
    assert wrong <= 6, wrong


async def tokens(first, second, issuer):
    """Tokens of another service sign in at all gateways; the first one makes the user."""
    import urllib.parse
    import urllib.request

    def token(**claims):
        return urllib.request.urlopen(f"{issuer}/token?{urllib.parse.urlencode(claims)}").read().decode()

    async def enter(url, device=None, scopes=None, **claims):
        gateway = await Gateway(url, device).open()
        more = {"scopes": scopes} if scopes else {}
        gateway.first = await gateway.connect({"token": token(**claims)}, **more)
        return gateway

    verified = {"email": "carla@example.org", "email_verified": "json:true"}
    one = await enter(first, sub="c1", **verified)
    me = await one.call("users.me", {})
    assert me["name"] == "carla", me
    # Another device, another algorithm, another gateway: the same user, without an approval.
    other = await enter(second, sub="c1", alg="ES256", **verified)
    assert (await other.call("users.me", {}))["id"] == me["id"]
    assert (await (await enter(second, sub="c1", alg="HS256")).call("users.me", {}))["id"] == me["id"]
    # Somebody else with the same address is somebody else; so is one who calls themselves like a user.
    twin = await (await enter(first, sub="c2", **verified)).call("users.me", {})
    assert twin["id"] != me["id"] and twin["name"] == "carla2", twin
    fake = await (await enter(first, sub="c3", name="ana")).call("users.me", {})
    assert fake["name"] == "ana2", fake
    # The device has a token of the gateway from now on.
    device = Device()
    phone = await enter(first, device, sub="c1")
    kept = phone.first["auth"]["deviceToken"]
    again = await Gateway(second, device).open()
    await again.connect({"token": kept})
    assert (await again.call("users.me", {}))["id"] == me["id"]
    # Nobody becomes an administrator, and no password opens the account.
    await refused(enter(first, scopes=["operator.admin"], sub="c1"), code="FORBIDDEN")
    for password in ("carla:", "carla: ", "carla:x"):
        await refused((await Gateway(first).open()).connect({"password": password}))
    for claims in ({"key": "other"}, {"aud": "else"}, {"exp": "json:1"}, {"alg": "none"}):
        await refused(enter(first, sub="c1", **claims))


class App:
    """An app of the family as PostgREST makes it for the database: psql with the role `helix_app` and the claims of a token."""

    def __init__(self, database, subject, name):
        self.database = database
        self.claims = json.dumps({"iss": "https://issuer.example.org", "sub": subject, "name": name, "role": "helix_app"})

    def rows(self, sql):
        done = subprocess.run(
            ["/usr/lib/postgresql/15/bin/psql", "-qAtd", self.database, "-v", "ON_ERROR_STOP=1", "-c",
             f"SET request.jwt.claims = '{self.claims}'", "-c", "SET ROLE helix_app", "-c", sql],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


class PushService:
    """A service that takes the notices for a telephone."""

    def __init__(self):
        notices = self.notices = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                notices.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}/topic"
        threading.Thread(target=server.serve_forever, daemon=True).start()


async def apps(first, second, issuer, database):
    """What an app writes to the database is on a user's device within a second, and the other way round."""
    import urllib.request

    subjects = {name: str(uuid.uuid4()) for name in ("dora", "emil")}

    async def enter(url, name):
        words = f"sub={subjects[name]}&name={name}"
        token = urllib.request.urlopen(f"{issuer}/token?{words}").read().decode()
        gateway = await Gateway(url).open()
        await gateway.connect({"token": token})
        return gateway

    async def within_a_second(start, waiting):
        result = await waiting
        assert time.time() - start < 1, time.time() - start
        return result

    dora = App(database, subjects["dora"], "dora")
    # The app comes first: its first change makes the user, who then signs in at a gateway.
    dora.rows("INSERT INTO helix_assistant.session_messages (session_key, content) VALUES ('agent:main:trip', 'first')")
    device, other = await enter(first, "dora"), await enter(second, "emil")
    history = await device.call("chat.history", {"sessionKey": "agent:main:trip"})
    assert [m["entry"]["content"] for m in history["messages"]] == ["first"], history
    # An assistant's chat.
    for number in range(10):
        start = time.time()
        dora.rows(f"INSERT INTO helix_assistant.session_messages (session_key, content, client_id) "
                  f"VALUES ('agent:main:trip', 'from the app {number}', 'c{number}')")
        # Between them come the events of its own messages.
        while (await within_a_second(start, device.event("chat", 2)))["payload"].get("entry", {}).get("content") \
                != f"from the app {number}":
            pass
        await device.call("chat.send", {
            "sessionKey": "agent:main:trip", "message": f"from the device {number}", "idempotencyKey": f"d{number}"})
        last = dora.rows("SELECT content FROM helix_assistant.session_messages WHERE session_key = 'agent:main:trip' "
                         "ORDER BY \"timestamp\" DESC LIMIT 1")
        assert last == [f"from the device {number}"], last
    # A reference that both use is one message.
    dora.rows("INSERT INTO helix_assistant.session_messages (session_key, content, client_id) "
              "VALUES ('agent:main:trip', 'again', 'd3')")
    assert dora.rows("SELECT count(*) FROM helix_assistant.session_messages") == ["21"]
    # A session that the device begins.
    await device.call("chat.send", {"sessionKey": "agent:x:y", "message": "hi", "idempotencyKey": "e1"})
    assert dora.rows("SELECT session_key FROM helix_assistant.conversations ORDER BY updated_at DESC LIMIT 1") == ["agent:x:y"]
    dora.rows("UPDATE helix_assistant.session_messages SET content = 'hi there' WHERE session_key = 'agent:x:y'")
    assert (await device.event("chat.edited", 2))["payload"]["entry"]["content"] == "hi there"
    # People.
    emil = App(database, subjects["emil"], "emil")
    place = str(uuid.uuid4())
    dora.rows(f"INSERT INTO helix_people.conversations (id, name) VALUES ('{place}', 'Team')")
    start = time.time()
    dora.rows(f"INSERT INTO helix_people.conversation_participants (conversation_id, user_id) "
              f"VALUES ('{place}', '{subjects['emil']}')")
    await within_a_second(start, other.event("chat.changed", 2))
    service = PushService()
    await other.call("push.register", {"kind": "ntfy", "address": service.url, "condition": "always"})
    start = time.time()
    dora.rows(f"INSERT INTO helix_people.messages (conversation_id, content) VALUES ('{place}', 'hello')")
    entry = (await within_a_second(start, other.event("chat", 2)))["payload"]["entry"]
    assert entry["content"] == "hello", entry
    dora.rows(f"INSERT INTO helix_people.typing_indicators (conversation_id) VALUES ('{place}')")
    assert (await other.event("chat.typing", 2))["payload"]["name"] == "dora"
    group = entry["conversation"] if "conversation" in entry else (await other.call("chat.sync", {}))["conversations"][0]["id"]
    await other.call("chat.send", {"sessionKey": group, "message": "hello, Dora", "idempotencyKey": identity()})
    assert dora.rows("SELECT sender_name, content FROM helix_people.messages ORDER BY created_at DESC LIMIT 1") == ["emil|hello, Dora"]
    assert emil.rows("SELECT count(*) FROM helix_people.messages") == ["2"]
    # One of the gateways has told the telephone that is away, as for a message of a device.
    await asyncio.sleep(1)
    assert len(service.notices) == 1, service.notices
    # A device that is connected to another gateway is not away.
    for target in (await other.call("push.list", {}))["targets"]:
        await other.call("push.unregister", {"id": target["id"]})
    await other.call("push.register", {"kind": "ntfy", "address": service.url, "condition": "device"})
    service.notices.clear()
    sender = await enter(first, "dora")
    for number in range(3):
        await sender.call("chat.send", {"sessionKey": group, "message": f"at another {number}", "idempotencyKey": identity()})
    await asyncio.sleep(1)
    assert not service.notices, service.notices
    await other.close()
    await asyncio.sleep(1)
    await sender.call("chat.send", {"sessionKey": group, "message": "you are away", "idempotencyKey": identity()})
    for _ in range(40):
        if service.notices: break
        await asyncio.sleep(0.1)
    assert len(service.notices) == 1, service.notices
    other = await enter(second, "emil")
    # Field work.
    start = time.time()
    house = str(uuid.uuid4())
    dora.rows(f"INSERT INTO helix_field.projects (id, title, assigned_user_id) VALUES ('{house}', 'Bath', '{subjects['dora']}')")
    await within_a_second(start, device.event("sync.changed", 2))
    dora.rows(f"INSERT INTO helix_field.project_tasks (project_id, task_description) VALUES ('{house}', 'tile the wall')")
    # What an app assigns reaches the assignee without a further change of the owner.
    dora.rows(f"UPDATE helix_field.projects SET assigned_user_id = '{subjects['emil']}'")
    for _ in range(50):
        shared = [p for p in await other.call("projects.list", {}) if p["title"] == "Bath (dora)"]
        if shared: break
        await asyncio.sleep(0.1)
    assert shared, "not shared"
    dora.rows(f"UPDATE helix_field.projects SET assigned_user_id = '{subjects['dora']}'")
    for _ in range(50):
        if not await other.call("projects.list", {}): break
        await asyncio.sleep(0.1)
    projects = await device.call("projects.list", {})
    tasks = await device.call("projects.tasks.list", {"project_id": projects[0]["id"]})
    assert [t["title"] for t in tasks] == ["tile the wall"], tasks
    await device.call("projects.update", {"id": projects[0]["id"], "status": "active"})
    assert dora.rows("SELECT status FROM helix_field.projects") == ["active"]
    await device.call("projects.materials.create", {
        "project_id": projects[0]["id"], "material_name": "tiles", "quantity": "12.5", "unit_price": "3.99"})
    assert dora.rows("SELECT material_name, quantity * unit_price FROM helix_field.project_materials") == ["tiles|49.875"]
    assert emil.rows("SELECT count(*) FROM helix_field.projects") == ["0"]


async def mail(first, second, subject):
    """Each gateway has the mail of an account that gateways keep."""
    for url in (first, second):
        ana = await user(url, "ana")
        for _ in range(300):
            try:
                found = [m["subject"] for m in (await ana.call("email.list", {}))["emails"]]
                # None is shown as long as none is known.
                assert found == [subject], found
                break
            except Refused as error:
                assert error.error["code"] == "UNAVAILABLE", error
                await asyncio.sleep(0.1)
        else:
            raise AssertionError(f"no mail at {url}")


async def send(first, second, count, word, only=None):
    """Messages are queued at both gateways, or, while the first one dies, at the second."""
    gateways = [await user(second, "ana")] + ([] if only else [await user(first, "ana")])
    for number in range(int(count)):
        request = {"to": ["ben@example.org"], "subject": f"{word} {number}", "body": "text"}
        while True:
            try:
                await gateways[number % len(gateways)].call("email.send", request)
                break
            except Refused as error:
                assert error.error["code"] == "UNAVAILABLE" and error.error.get("retryAfterMs"), error
                await asyncio.sleep(0.1)


async def calendars(first, second, only=None):
    """Lets a gateway sync the calendars of a user."""
    ana = await user(second if only else first, "ana")
    await ana.call("calendar.sync.start", {})


async def failover(first, second, fail, keeps):
    """The primary of the database is killed while clients write: they are told to try again, and with a synchronous standby
    (`keeps` is `all`) nothing that was acknowledged is gone; otherwise clients learn that something is, and start over."""
    writers = [await user(url, name) for url, name in ((first, "ana"), (second, "bob"))]
    place = await direct(writers[0], "bob")
    acknowledged, refusals, isDone = [{}, {}], [0, 0], False

    async def write(number):
        gateway, name = writers[number], ["ana", "bob"][number]
        count = 0
        while not isDone:
            message, text = identity(), f"{name} {count}"
            while True:
                try:
                    answer = await gateway.call(
                        "chat.send", {"sessionKey": place, "message": text, "idempotencyKey": message})
                    assert answer["message"]["id"] == message
                    acknowledged[number][message] = answer["message"]["number"]
                    break
                except Refused as error:
                    assert error.error["code"] == "UNAVAILABLE" and error.error["retryAfterMs"] > 0, error
                    refusals[number] += 1
                    await asyncio.sleep(0.1)
            count += 1
            # Messages are limited to 600 a minute.
            await asyncio.sleep(0.03)

    tasks = [asyncio.ensure_future(write(number)) for number in range(2)]
    await asyncio.sleep(1.5)
    reader, before, hasFailed = await user(first, "ana"), None, False

    async def read():
        nonlocal before
        cursor = None
        # The former primary may answer until it is killed: only its last answer counts.
        while not hasFailed:
            try:
                page = await reader.call("chat.sync", {"limit": 500, **({"cursor": cursor} if cursor else {})})
            except Refused:
                return
            if page.get("reset"):
                return
            before = cursor = page["cursor"]
            await asyncio.sleep(0.05)

    reading = asyncio.ensure_future(read())
    process = await asyncio.create_subprocess_shell(fail)
    assert await process.wait() == 0
    hasFailed = True
    await asyncio.wait_for(reading, 20)
    await asyncio.sleep(4)
    isDone = True
    await asyncio.wait_for(asyncio.gather(*tasks), 60)
    assert min(map(len, acknowledged)) > 10, (list(map(len, acknowledged)), refusals)

    lists = []
    for url, name in ((first, "ana"), (second, "bob"), (second, "ana")):
        gateway, cursor, found = await user(url, name), None, {}
        while True:
            page = await gateway.call("chat.sync", {"limit": 500, **({"cursor": cursor} if cursor else {})})
            for message in page["messages"]:
                assert message["id"] not in found
                found[message["id"]] = message["number"]
            cursor = page["cursor"]
            if not page["has_more"]:
                break
        lists.append(found)
    assert lists[0] == lists[1] == lists[2], [len(one) for one in lists]
    assert sorted(lists[0].values()) == list(range(1, len(lists[0]) + 1))
    lost = [message for one in acknowledged for message in one if message not in lists[0]]
    page = await (await user(second, "ana")).call("chat.sync", {"cursor": before})
    if keeps == "all":
        assert not page.get("reset"), before
        assert not lost, (len(lost), len(lists[0]))
        assert all(lists[0][message] == number for one in acknowledged for message, number in one.items())
    else:
        # What is lost is known: a cursor of before names transactions that the new primary never saw.
        assert lost, "the standby had everything"
        assert page.get("reset"), (before, page["cursor"])


async def run(scenario):
    await asyncio.wait_for(scenario, 150)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(run(globals()[sys.argv[1]](*sys.argv[2:])))
