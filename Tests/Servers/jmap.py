"""A JMAP server in memory with behaviour that RFC 8620 and RFC 8621 allow and few servers show: jmap.py FOLDER PORT [HABIT...]

FOLDER/habits.txt, if it exists, replaces the habits, and is read again for each request. FOLDER/log.txt logs the methods
and addresses. User 'ana', password 'secret'. Sent messages are stored in FOLDER/sent, a file of JSON and text each.

  absolute          addresses in the session are absolute       moved            the address of the API has changed
  small=N           at most N objects in a request              forget           changes cannot be calculated
  blob              Blob/get (RFC 9404)                         busy             each third download is refused with 429
  gone=SUBJECT      the message of that subject cannot be downloaded
  upper             keywords are in capital letters             no-message-id    messageId is null
  no-total          Email/query returns no total                once             a message is stored once: alreadyExists
  read-only=NAME    nothing may be changed in that mailbox      refuse=TYPE      Email/set refuses each change for that reason
  no-send           no submission                               send=TYPE        EmailSubmission/set refuses for that reason
  cut-send          the connection is cut after sending         quota            Email/import refuses: over quota
"""

import base64
import hashlib
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder, port, given = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
lock = threading.RLock()
log = open(os.path.join(folder, "log.txt"), "a", encoding="utf-8", buffering=1)
os.makedirs(os.path.join(folder, "sent"), exist_ok=True)
MAIL, SUBMISSION = "urn:ietf:params:jmap:mail", "urn:ietf:params:jmap:submission"


def habits():
    try:
        with open(os.path.join(folder, "habits.txt"), encoding="utf-8") as file:
            words = file.read().split()
    except FileNotFoundError:
        words = given
    return dict((word.split("=", 1) + [True])[:2] for word in words)


class Refused(Exception):
    def __init__(self, kind, **more):
        self.error = dict(type=kind, **more)


class State:
    def __init__(self):
        self.blobs, self.emails, self.changes, self.count, self.boxes, self.downloads = {}, {}, [], 0, {}, 0
        for name, role in (("Inbox", "inbox"), ("Drafts", "drafts"), ("Sent", "sent"), ("Trash", "trash"), ("Archive", "archive")):
            self.box(name, None, role)

    def box(self, name, parent=None, role=None):
        self.count += 1
        key = f"box~{self.count}"
        self.boxes[key] = dict(id=key, name=name, parentId=parent, role=role, isSubscribed=True)
        return key

    def blob(self, data):
        key = "B" + hashlib.sha1(data).hexdigest()
        self.blobs[key] = data
        return key

    def note(self, kind, key):
        self.changes.append((kind, key))

    def put(self, data, boxes, keywords, received=None):
        self.count += 1
        key = f"mail/{self.count}"
        self.emails[key] = dict(
            id=key, blobId=self.blob(data), mailboxIds=dict(boxes), keywords=dict(keywords),
            receivedAt=received or "2026-01-02T03:04:05Z")
        self.note("created", key)
        return key


state = State()


def header(data, name):
    head = data.split(b"\r\n\r\n")[0].decode("utf-8", "replace")
    found = re.search(rf"(?im)^{name}:[ \t]*(.*)$", head)
    return found[1].strip() if found else None


def shown(email, names):
    data = state.blobs[email["blobId"]]
    whole = dict(email, size=len(data), messageId=None)
    identity = header(data, "Message-ID")
    if identity and "no-message-id" not in habits():
        whole["messageId"] = [identity.strip("<>")]
    if "upper" in habits():
        whole["keywords"] = {key.upper(): value for key, value in whole["keywords"].items()}
    head = data.split(b"\r\n\r\n")[0].decode()
    lines = re.split(r"\r\n(?![ \t])", head)
    whole["headers"] = [dict(name=line.split(":", 1)[0], value=line.split(":", 1)[1]) for line in lines]
    return {name: whole[name] for name in dict.fromkeys(["id"] + list(names or whole))}


def refuse_read_only(boxes):
    name = habits().get("read-only")
    if any(state.boxes.get(key, {}).get("name") == name for key in boxes):
        raise Refused("forbidden", description="nothing may be changed there")


def patch(target, changes):
    for path, value in changes.items():
        parts = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")]
        if len(parts) == 1:
            target[parts[0]] = value
        elif value is None:
            target[parts[0]].pop(parts[1], None)
        else:
            target[parts[0]][parts[1]] = value


def mailbox_get(arguments):
    found = []
    for box in state.boxes.values():
        inside = [email for email in state.emails.values() if box["id"] in email["mailboxIds"]]
        may = habits().get("read-only") != box["name"]
        rights = {name: may for name in ("mayAddItems", "mayRemoveItems", "maySetSeen", "maySetKeywords", "mayRename", "mayDelete")}
        found.append(dict(box, totalEmails=len(inside), myRights=dict(rights, mayReadItems=True, mayCreateChild=True)))
    ids = arguments.get("ids")
    return dict(state=str(state.count), list=[box for box in found if ids is None or box["id"] in ids], notFound=[])


def mailbox_set(arguments):
    answer = dict(created={}, notCreated={}, updated={}, notUpdated={}, destroyed=[], notDestroyed={})
    for key, box in arguments.get("create", {}).items():
        if any(other["name"] == box["name"] and other["parentId"] == box.get("parentId") for other in state.boxes.values()):
            answer["notCreated"][key] = dict(type="invalidProperties", description="there is one of that name")
            continue
        answer["created"][key] = dict(id=state.box(box["name"], box.get("parentId")))
    for key, changes in arguments.get("update", {}).items():
        state.boxes[key].update(changes)
        answer["updated"][key] = None
    for key in arguments.get("destroy", []):
        if any(key in email["mailboxIds"] for email in state.emails.values()):
            answer["notDestroyed"][key] = dict(type="mailboxHasEmail")
        else:
            del state.boxes[key]
            answer["destroyed"].append(key)
    return answer


def email_query(arguments):
    wanted = arguments.get("filter") or {}
    found = []
    for email in reversed(list(state.emails.values())):
        data = state.blobs[email["blobId"]]
        if "inMailbox" in wanted and wanted["inMailbox"] not in email["mailboxIds"]:
            continue
        if "header" in wanted and wanted["header"][1] not in (header(data, wanted["header"][0]) or ""):
            continue
        found.append(email["id"])
    first = arguments.get("position", 0)
    answer = dict(ids=found[first:first + min(arguments.get("limit", 256), limit())], position=first, queryState="1")
    if arguments.get("calculateTotal") and "no-total" not in habits():
        answer["total"] = len(found)
    return answer


def email_get(arguments):
    ids = arguments["ids"]
    if len(ids) > limit():
        raise Refused("requestTooLarge")
    names = arguments.get("properties")
    known = [key for key in ids if key in state.emails]
    return dict(
        state=str(len(state.changes)), list=[shown(state.emails[key], names) for key in known],
        notFound=[key for key in ids if key not in state.emails])


def email_changes(arguments):
    since = arguments["sinceState"]
    if "forget" in habits() or not since.isdigit() or int(since) > len(state.changes):
        raise Refused("cannotCalculateChanges")
    most = min(arguments.get("maxChanges") or 1000, limit())
    part = state.changes[int(since):int(since) + most]
    created = {key for kind, key in part if kind == "created"}
    destroyed = {key for kind, key in part if kind == "destroyed"}
    updated = {key for kind, key in part if kind == "updated"} - created - destroyed
    return dict(
        oldState=since, newState=str(int(since) + len(part)), hasMoreChanges=int(since) + len(part) < len(state.changes),
        created=sorted(created - destroyed), updated=sorted(updated), destroyed=sorted(destroyed))


def email_set(arguments):
    answer = dict(created={}, updated={}, notUpdated={}, destroyed=[], notDestroyed={})
    for key, changes in arguments.get("update", {}).items():
        try:
            if "refuse" in habits():
                raise Refused(habits()["refuse"])
            email = state.emails.get(key)
            if email is None:
                raise Refused("notFound")
            refuse_read_only(email["mailboxIds"])
            patch(email, changes)
            if not email["mailboxIds"]:
                raise Refused("invalidProperties", properties=["mailboxIds"])
            state.note("updated", key)
            answer["updated"][key] = None
        except Refused as refusal:
            answer["notUpdated"][key] = refusal.error
    for key in arguments.get("destroy", []):
        try:
            if key not in state.emails:
                raise Refused("notFound")
            refuse_read_only(state.emails[key]["mailboxIds"])
            del state.emails[key]
            state.note("destroyed", key)
            answer["destroyed"].append(key)
        except Refused as refusal:
            answer["notDestroyed"][key] = refusal.error
    return answer


def email_import(arguments):
    answer = dict(created={}, notCreated={})
    for key, email in arguments["emails"].items():
        try:
            if "quota" in habits():
                raise Refused("overQuota", description="there is no room left")
            refuse_read_only(email["mailboxIds"])
            same = [old for old in state.emails.values() if old["blobId"] == email["blobId"]]
            if "once" in habits() and same:
                raise Refused("alreadyExists", existingId=same[0]["id"])
            identity = state.put(
                state.blobs[email["blobId"]], email["mailboxIds"], email.get("keywords", {}), email.get("receivedAt"))
            answer["created"][key] = dict(id=identity, blobId=email["blobId"])
        except Refused as refusal:
            answer["notCreated"][key] = refusal.error
    return answer


def submission_set(arguments, made):
    answer = dict(created={}, notCreated={})
    for key, submission in arguments["create"].items():
        identity = submission["emailId"]
        identity = made.get(identity[1:]) if identity.startswith("#") else identity
        if identity not in state.emails:
            answer["notCreated"][key] = dict(type="emailNotFound")
        elif "send" in habits():
            kind = habits()["send"]
            people = [person["email"] for person in submission["envelope"]["rcptTo"]]
            answer["notCreated"][key] = dict(type=kind, invalidRecipients=people[:1], description="it is not wanted there")
        else:
            state.count += 1
            with open(os.path.join(folder, "sent", f"{state.count}.json"), "w", encoding="utf-8") as file:
                text = state.blobs[state.emails[identity]["blobId"]].decode()
                json.dump(dict(envelope=submission["envelope"], text=text), file)
            answer["created"][key] = dict(id=f"out{state.count}")
            if "cut-send" in habits():
                raise ConnectionError
            if f"#{key}" in arguments.get("onSuccessDestroyEmail", []):
                del state.emails[identity]
                state.note("destroyed", identity)
    return answer


def limit():
    return int(habits().get("small", 500))


def resolved(arguments, answers):
    found = {}
    for name, value in arguments.items():
        if not name.startswith("#"):
            found[name] = value
            continue
        source = next((answer for answer in answers if answer[2] == value["resultOf"] and answer[0] == value["name"]), None)
        if source is None:
            raise Refused("invalidResultReference")
        found[name[1:]] = source[1][value["path"].strip("/")]
    return found


def run(calls):
    answers, made = [], {}
    for method, arguments, key in calls:
        log.write(method + "\n")
        try:
            arguments = resolved(arguments, answers)
            if method == "EmailSubmission/set":
                answer = submission_set(arguments, made)
            elif method == "Identity/get":
                answer = dict(list=[dict(id="me", name="Ana", email="ana@example.org")])
            elif method == "Blob/get":
                answer = dict(list=[{"id": blob, "data:asBase64": base64.b64encode(state.blobs[blob]).decode()} for blob in arguments["ids"]])
            else:
                answer = METHODS[method](arguments)
            if method == "Email/import":
                made.update({name: value["id"] for name, value in answer["created"].items()})
                for name, value in answer["notCreated"].items():
                    if "existingId" in value:
                        made[name] = value["existingId"]
            answers.append([method, answer, key])
        except Refused as refusal:
            answers.append(["error", refusal.error, key])
    return answers


METHODS = {
    "Mailbox/get": mailbox_get, "Mailbox/set": mailbox_set, "Email/query": email_query, "Email/get": email_get,
    "Email/changes": email_changes, "Email/set": email_set, "Email/import": email_import,
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def is_allowed(self):
        if self.headers.get("Authorization") == "Basic " + base64.b64encode(b"ana:secret").decode():
            return True
        self.answer(401, {})
        return False

    def session(self):
        root = f"http://127.0.0.1:{port}" if "absolute" in habits() else ""
        api = "/other/api" if "moved" in habits() else "/api"
        capabilities = {"urn:ietf:params:jmap:core": dict(maxObjectsInGet=limit(), maxObjectsInSet=limit()), MAIL: {}}
        if "no-send" not in habits():
            capabilities[SUBMISSION] = {}
        if "blob" in habits():
            capabilities["urn:ietf:params:jmap:blob"] = {}
        return dict(
            username="ana", capabilities=capabilities, primaryAccounts={MAIL: "u~1"}, state=api,
            accounts={"u~1": dict(name="ana", isPersonal=True, accountCapabilities=capabilities)}, apiUrl=root + api,
            downloadUrl=root + "/download/{accountId}/{blobId}/{name}?type={type}", uploadUrl=root + "/upload/{accountId}/",
            eventSourceUrl=root + "/events?types={types}&closeafter={closeafter}&ping={ping}")

    def do_GET(self):
        if not self.is_allowed():
            return
        log.write("GET " + self.path.split("?")[0] + "\n")
        if self.path.startswith("/session"):
            return self.answer(200, self.session())
        if self.path == "/.well-known/jmap":
            self.send_response(307)
            self.send_header("Location", "/session")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if self.path.startswith("/download/"):
            with lock:
                state.downloads += 1
                data = state.blobs.get(self.path.split("/")[3])
                if "busy" in habits() and state.downloads % 3 == 0:
                    return self.answer(429, {})
            if data is None or header(data, "Subject") == habits().get("gone"):
                return self.answer(404, {})
            return self.answer(200, data, "application/octet-stream")
        if self.path.startswith("/events"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            before = len(state.changes)
            for _ in range(600):
                if len(state.changes) != before:
                    self.wfile.write(b'event: state\ndata: {"@type": "StateChange"}\n\n')
                    break
                time.sleep(0.1)
            self.close_connection = True
            return None
        return self.answer(404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/put":
            # For tests: a message that arrives from another client.
            with lock:
                given = json.loads(body)
                boxes = {}
                for name in given["box"].split("+"):
                    box = next((key for key, box in state.boxes.items() if box["name"] == name), None)
                    boxes[box or state.box(name)] = True
                state.put(given["text"].encode(), boxes, {word: True for word in given.get("keywords", [])})
            return self.answer(200, {})
        if self.path == "/rename":
            # For tests: mailboxes renamed by another client, {"old": "new"}, all at once.
            with lock:
                given = json.loads(body)
                for box in state.boxes.values():
                    box["name"] = given.get(box["name"], box["name"])
            return self.answer(200, {})
        if self.path == "/look":
            with lock:
                return self.answer(200, {
                    box["name"]: sorted(
                        " ".join([header(state.blobs[email["blobId"]], "Subject") or ""] + sorted(email["keywords"]))
                        for email in state.emails.values() if key in email["mailboxIds"])
                    for key, box in state.boxes.items()})
        if not self.is_allowed():
            return None
        if self.path.startswith("/upload/"):
            with lock:
                return self.answer(201, dict(accountId="u~1", blobId=state.blob(body), type="message/rfc822", size=len(body)))
        if self.path != ("/other/api" if "moved" in habits() else "/api"):
            return self.answer(404, {})
        try:
            with lock:
                answers = run(json.loads(body)["methodCalls"])
        except ConnectionError:
            self.close_connection = True
            return None
        if "garble-import" in habits() and any(answer[0] == "Email/import" for answer in answers):
            return self.answer(200, b"<html>", "text/html")
        return self.answer(200, dict(methodResponses=answers, sessionState="/other/api" if "moved" in habits() else "/api"))


ThreadingHTTPServer.allow_reuse_address = True
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
