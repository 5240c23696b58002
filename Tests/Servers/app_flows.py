"""The flows of the family's apps through one dialect: app_flows.py URL ADMIN DIALECT MAIL

ADMIN is `NAME:PASSWORD` of a user who has mail of an account in the inbox, `MAIL` its subject. Signing up, signing in, talking
while somebody is away, sharing a file, tasks, calendar and mail: with the identity, the protocol and the names of methods that
the app has. Used by AppFlowTests.
"""

import asyncio
import base64
import sys

from gateway_client import SCOPES, Gateway, encoded, refused

#: client id, mode, platform, device family, protocols, capabilities, and the names of methods that differ.
DIALECTS = {
    "ios": ("openclaw-ios", "ui", "iOS 18.2", "iPhone", (3, 3), [], {
        "primary": "calendar.get_primary_account", "accounts": "calendar.list_accounts", "add": "calendar.create_event", "events": "calendar.list_events",
        "conflicts": "calendar.check_conflicts", "draft": "email.save_draft", "thread": "email.thread"}),
    "android": ("openclaw-android", "ui", "Android 15", "Pixel", (3, 3), [], {
        "primary": "calendar.accounts.primary", "accounts": "calendar.accounts.list", "add": "calendar.events.create", "events": "calendar.events.list",
        "conflicts": "calendar.conflicts.check", "draft": "email.draft.save", "thread": "email.thread.get"}),
    "sdk": ("gateway-client", "backend", "linux", None, (3, 3), [], None),
    "newest": ("openclaw-macos", "ui", "macOS 15", "Mac", (3, 4), [], None),
    "helix": ("cli", "cli", "linux", None, (3, 4), ["helix-1"], None),
}
PASSWORD = "correct horse battery"


class App(Gateway):
    """A connection with the identity of a client; it signs in as that does."""

    def __init__(self, url, dialect, device=None):
        super().__init__(url, device)
        self.dialect = dialect
        self.names = DIALECTS[dialect][6] or DIALECTS["ios"][6]

    def params(self, auth, scopes=SCOPES, **_):
        client, mode, platform, family, (least, most), caps, _ = DIALECTS[self.dialect]
        fields = ["v3" if family else "v2", self.device.id, client, mode, "operator", ",".join(scopes), str(self.moment),
                  auth.get("token", ""), self.nonce]
        fields += [platform.lower(), family.lower()] if family else []
        return {
            "minProtocol": least, "maxProtocol": most,
            "client": {"id": client, "mode": mode, "version": "1", "platform": platform,
                       **({"deviceFamily": family} if family else {})},
            "caps": caps, "role": "operator", "scopes": scopes,
            "device": {"id": self.device.id, "publicKey": encoded(self.device.public),
                       "signature": self.device.sign("|".join(fields)), "signedAt": self.moment, "nonce": self.nonce},
            "auth": auth,
        }


def rows(answer, *names):
    """A list, alone or in an object."""
    if isinstance(answer, list):
        return answer
    return next(answer[name] for name in names if name in answer)


async def enter(url, dialect, auth, device=None):
    app = await App(url, dialect, device).open()
    app.first = await app.connect(auth)
    return app


async def people(url, dialect):
    """Signing up with an address, signing in with the password and with the token, and the profile."""
    least, most = DIALECTS[dialect][4]
    await refused((await App(url, dialect).open()).connect({"password": f"nobody:{PASSWORD}"}), detail="AUTH_PASSWORD_MISMATCH")
    if most >= 4:
        new = await enter(url, dialect, {"password": f"zoe@example.org:{PASSWORD}", "bootstrapToken": "helix-sign-up"})
    else:
        # Apps of protocol 3 have no field for it: their users register with another client.
        other = await enter(url, "helix", {"password": f"zoe@example.org:{PASSWORD}", "bootstrapToken": "helix-sign-up"})
        await other.close()
        new = await enter(url, dialect, {"password": f"zoe@example.org:{PASSWORD}"})
    me = await new.call("users.update", {"display_name": "Zoe Lang", "status": "here"})
    assert me["display_name"] == "Zoe Lang" and me["email"] == "zoe@example.org", me
    token = new.first["auth"]["deviceToken"]
    await new.close()
    again = await enter(url, dialect, {"token": token}, new.device)
    assert (await again.call("users.me"))["name"] == me["name"]
    assert any(person["name"] == me["name"] for person in (await again.call("users.list"))["users"])
    return again, me["name"]


async def talk(url, dialect, zoe, name, password):
    """A message to somebody who is away arrives when they come, once, and its answer as an event."""
    is_helix = dialect == "helix"
    made = await zoe.call("chat.create", {"id": "q" * 16, "kind": "group", "name": "Trip", "members": ["ana"]})
    key = made["conversation"]["id"]
    for _ in range(2):
        # A client that has lost the answer sends it again.
        await zoe.call("chat.send", {"sessionKey": key, "message": "Are you there?", "idempotencyKey": "flow-1"})
    picture = {"type": "image", "mimeType": "image/png", "fileName": "map.png",
               "content": base64.b64encode(b"\x89PNG\r\n\x1a\nmap").decode()}
    await zoe.call("chat.send", {"sessionKey": key, "message": "The way", "idempotencyKey": "flow-2",
                                 "attachments": [picture]})
    ana = await enter(url, dialect, {"password": password})
    history = (await ana.call("chat.history", {"sessionKey": key}))["messages"]
    texts = [message["content"][0]["text"] for message in history]
    assert texts == ["Are you there?", "The way"], texts
    assert all(("entry" in message) == is_helix for message in history), history
    sessions = (await ana.call("sessions.list", {}))["sessions"]
    assert any(row["key"] == key for row in sessions), sessions
    await ana.call("chat.send", {"sessionKey": key, "message": "Yes", "idempotencyKey": "flow-3"})
    event = (await zoe.event("chat"))["payload"]
    assert event["sessionKey"] == key and event["state"] == "final", event
    assert event["message"]["content"][0]["text"] == "Yes" and ("entry" in event) == is_helix
    # The other one reads, leaves and is not told more.
    await ana.call("chat.update", {"conversation": key, "read_up_to": 3})
    await ana.call("chat.remove", {"conversation": key})
    await zoe.call("chat.send", {"sessionKey": key, "message": "Alone", "idempotencyKey": "flow-4"})
    await ana.close()


async def tasks(app):
    """A task is made, found, worked on with a clock, and done."""
    made = await app.call("tasks.create", {"title": "Pack", "priority": "high", "due_date": "2027-05-01T00:00:00Z"})
    task = made.get("task", made)
    found = rows(await app.call("tasks.search", {"query": "pack"}), "tasks", "results")
    assert [item["id"] for item in found] == [task["id"]] and found[0]["priority"] == "high", found
    await app.call("tasks.subtasks.create", {"task_id": task["id"], "title": "Socks"})
    assert len(rows(await app.call("tasks.subtasks.list", {"task_id": task["id"]}), "subtasks")) == 1
    await app.call("tasks.timetracking.start", {"task_id": task["id"]})
    await app.call("tasks.timetracking.stop", {"task_id": task["id"]})
    await app.call("tasks.update", {"id": task["id"], "status": "done"})
    done = await app.call("tasks.get", {"id": task["id"]})
    assert done.get("task", done)["status"] == "done", done
    await app.call("tasks.delete", {"id": task["id"]})
    await refused(app.call("tasks.get", {"id": task["id"]}))


async def calendar(app):
    """Two events that overlap are listed, and found as a conflict."""
    account = await app.call(app.names["primary"])
    assert [item["id"] for item in rows(await app.call(app.names["accounts"]), "accounts")] == [account["id"]]
    times = [("Dinner", "18:00", "20:00"), ("Film", "19:30", "22:00")]
    for title, start, end in times:
        await app.call(app.names["add"], {
            "account_id": account["id"], "title": title, "start_time": f"2027-05-02T{start}:00Z",
            "end_time": f"2027-05-02T{end}:00Z"})
    events = rows(await app.call(app.names["events"], {"account_id": account["id"]}), "events")
    assert sorted(event["title"] for event in events) == ["Dinner", "Film"], events
    dinner = next(event for event in events if event["title"] == "Dinner")
    clashes = rows(await app.call(app.names["conflicts"], {"event_id": dinner["id"]}), "conflicts")
    assert [event["title"] for event in clashes] == ["Film"], clashes


async def mail(app, subject):
    """Mail of the account is listed, read, marked and found, and a draft is stored."""
    listed = rows(await app.call("email.list", {"limit": 5}), "emails")
    message = next(item for item in listed if item["subject"] == subject)
    whole = await app.call("email.get", {"id": message["id"]})
    assert whole.get("email", whole)["subject"] == subject
    await app.call("email.mark_read", {"id": message["id"], "is_read": True})
    await app.call("email.mark_starred", {"id": message["id"], "is_starred": True})
    found = rows(await app.call("email.search", {"query": subject.split()[0]}), "results", "emails")
    hit = next(item for item in found if item["id"] == message["id"])
    assert hit.get("is_starred", hit.get("isStarred")) is True, hit
    await app.call(app.names["draft"], {"to": ["bo@example.org"], "subject": "Plan", "body": "Text"})


async def main(url, password, dialect, subject):
    zoe, name = await people(url, dialect)
    await talk(url, dialect, zoe, name, password)
    await tasks(zoe)
    await calendar(zoe)
    await zoe.close()
    ana = await enter(url, dialect, {"password": password})
    await mail(ana, subject)
    await ana.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
