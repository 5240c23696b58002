"""A CalDAV server in memory with behaviour that standards allow and few servers show: dav.py FOLDER PORT [HABIT...]

Each habit is a behaviour allowed by RFC 4918, 4791 or 6578, or that of some server. FOLDER/habits.txt, if it exists, replaces them,
and is read again for each request. FOLDER/log.txt logs the requests. User 'ana', password 'secret'; the calendars
'work' and 'home' are at /dav/ana/.

  blind       calendar-query without a component is empty            no-query    calendar-query is unknown
  no-sync     no sync-collection, no sync-token                      no-ctag     no getctag
  seconds     tokens and tags are the second of the last change      weak        ETags are weak, and compared literally
  strict      ETags are weak, and never match If-Match               no-etag     getetag is omitted
  absolute    addresses with the server's name                       encoded     every character of an address is escaped, if allowed
  no-404      propstat of missing properties is omitted              extra       responses and properties that were not requested
  pages       sync-collection answers in parts (507)                 no-slash    addresses of calendars end without a slash
  redirect    /.well-known redirects to the calendars, by 301        shy         collections do not list components
  no-put-etag PUT returns no ETag                                    schedules   the server sends invitations (RFC 6638)
  no-multiget calendar-multiget finds nothing                        stingy      GET of an object is refused
  read-only   nothing can be written                                 forgetful   tokens are unknown (403)
  bearer=PORT only tokens of oauth.py at that port are accepted
  recounts    a recreated object has its first ETag again            amnesia     an old token gets a list of all (DAViCal)
  rewrites    PUT of a meeting is stored with server properties       secret      objects named 'secret' cannot be read
  long-color  colours have eight digits, and MKCALENDAR accepts none  escapes     names are stored with an extra escape
  plain-recipient  the free/busy answer has the recipient without an element of its own
  fixed       objects named 'fixed' cannot be changed
  reordered   properties are before the address, and in CDATA        bare        no XML declaration, another prefix
"""

import base64
import json
import os
import re
import sys
import threading
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

folder, port, given = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
lock = threading.RLock()
log = open(os.path.join(folder, "log.txt"), "a", encoding="utf-8", buffering=1)
HOME = "/dav/ana/"
calendars = {name: {"name": name.capitalize(), "color": "#112233", "objects": {}, "gone": {}, "clock": 1, "at": 0}
             for name in ("work", "home")}
DAV, CAL, CS, APPLE = "DAV:", "urn:ietf:params:xml:ns:caldav", "http://calendarserver.org/ns/", "http://apple.com/ns/ical/"


def habits():
    try:
        with open(os.path.join(folder, "habits.txt"), encoding="utf-8") as file:
            return set(file.read().split())
    except FileNotFoundError:
        return set(given)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *arguments):
        pass

    # Responses

    def answer(self, status, body=b"", **fields):
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def href(self, path):
        safe = "/" if "encoded" in self.habits else "/@-_.~!$'()*,:="
        text = urllib.parse.quote(path, safe=safe).replace("%252F", "%2F").replace("%2525", "%25")
        if "encoded" in self.habits:
            text = re.sub(r"[-_.~]", lambda match: "%%%02x" % ord(match[0]), text)
        return f"http://{self.headers['Host']}{text}" if "absolute" in self.habits else text

    def etag(self, item):
        return ("W/" if self.habits & {"weak", "strict"} else "") + f'"{item["etag"]}"'

    def token(self, calendar):
        return str(calendar["at"]) if "seconds" in self.habits else f"http://example.org/sync/{calendar['clock']}"

    def response(self, path, found, missing=(), status=None):
        prop = "".join(found)
        parts = f"<D:propstat><D:prop>{prop}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>" if not status else ""
        if missing and "no-404" not in self.habits and not status:
            rest = "".join(f'<x:{name} xmlns:x="{space}"/>' for space, name in missing)
            parts += f"<D:propstat><D:prop>{rest}</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>"
        line = f"<D:status>HTTP/1.1 {status}</D:status>" if status else ""
        address = f"<D:href>{escape(self.href(path))}</D:href>"
        inner = parts + line + address if "reordered" in self.habits else address + line + parts
        return f"<D:response>{inner}</D:response>"

    def multistatus(self, responses, token=None):
        extra = ""
        if "extra" in self.habits:
            extra = '<D:response xmlns:E="urn:x"><D:href>/elsewhere/</D:href><D:propstat><D:prop><E:odd>1</E:odd></D:prop>' \
                    "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
        body = f'<D:multistatus xmlns:D="{DAV}" xmlns:C="{CAL}" xmlns:S="{CS}" xmlns:A="{APPLE}">' + "".join(responses) + extra
        body += f"<D:sync-token>{token}</D:sync-token>" if token else ""
        body += "</D:multistatus>"
        if "bare" in self.habits:
            body = body.replace("<D:", "<d:").replace("</D:", "</d:").replace("xmlns:D", "xmlns:d")
        else:
            body = '<?xml version="1.0" encoding="utf-8"?>\n' + body
        self.answer(207, body, Content_Type="application/xml; charset=utf-8")

    # Properties

    def property(self, space, name, calendar=None, item=None, home=False):
        if item is not None:
            if name == "getetag":
                return None if "no-etag" in self.habits else f"<D:getetag>{escape(self.etag(item))}</D:getetag>"
            if name == "calendar-data":
                text = item["data"]
                return "<C:calendar-data>" + (f"<![CDATA[{text}]]>" if "reordered" in self.habits else escape(text)) \
                    + "</C:calendar-data>"
            return "<D:resourcetype/>" if name == "resourcetype" else None
        if name == "resourcetype":
            return "<D:resourcetype><D:collection/>" + ("<C:calendar/>" if calendar else "") + "</D:resourcetype>"
        if name == "current-user-principal":
            return f"<D:current-user-principal><D:href>{self.href('/dav/principals/ana/')}</D:href></D:current-user-principal>"
        if name == "calendar-home-set":
            return f"<C:calendar-home-set><D:href>{self.href(HOME)}</D:href></C:calendar-home-set>"
        if name == "schedule-outbox-URL" and "schedules" in self.habits:
            return f"<C:schedule-outbox-URL><D:href>{self.href(HOME + 'outbox/')}</D:href></C:schedule-outbox-URL>"
        if not calendar:
            return None
        if name == "displayname":
            return f"<D:displayname>{escape(calendar['name'])}</D:displayname>" if calendar["name"] else "<D:displayname/>"
        if name == "calendar-color":
            return f"<A:calendar-color>{calendar['color']}</A:calendar-color>" if calendar["color"] else None
        if name == "supported-calendar-component-set" and "shy" not in self.habits:
            return '<C:supported-calendar-component-set><C:comp name="VEVENT"/><C:comp name="VTODO"/>' \
                   "</C:supported-calendar-component-set>"
        if name == "getctag" and "no-ctag" not in self.habits:
            return f"<S:getctag>{self.token(calendar)}</S:getctag>"
        if name == "sync-token" and "no-sync" not in self.habits:
            return f"<D:sync-token>{self.token(calendar)}</D:sync-token>"
        if name == "current-user-privilege-set":
            rights = "<D:read/>" if "read-only" in self.habits else "<D:read/><D:write/>"
            return f"<D:current-user-privilege-set><D:privilege>{rights}</D:privilege></D:current-user-privilege-set>"
        return None

    def properties(self, path, wanted, **of):
        found, missing = [], []
        for space, name in wanted:
            text = self.property(space, name, **of)
            (found if text else missing).append(text or (space, name))
        return self.response(path, found, missing)

    # Requests

    def place(self):
        path = urllib.parse.unquote(urllib.parse.urlparse(self.path).path)
        parts = [part for part in path.split("/") if part]
        calendar = calendars.get(parts[2]) if len(parts) >= 3 and parts[:2] == ["dav", "ana"] else None
        # The path after the calendar, with escaped slashes kept.
        raw = [part for part in urllib.parse.urlparse(self.path).path.split("/") if part]
        name = urllib.parse.unquote(raw[3]) if len(raw) > 3 else None
        return path, calendar, name

    def path_of(self, name, item=None):
        key = next(key for key, value in calendars.items() if value is name)
        if item:
            # A slash within a name is always escaped.
            return f"{HOME}{key}/" + item.replace("%", "%25").replace("/", "%2F")
        return f"{HOME}{key}" + ("" if "no-slash" in self.habits else "/")

    def handle_any(self):
        self.habits = habits()
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        log.write(f"{self.command} {self.path} {self.headers.get('If-Match', '')}\n")
        known = base64.b64encode(b"ana:secret").decode()
        said = self.headers.get("Authorization") or ""
        provider = next((habit[7:] for habit in self.habits if habit.startswith("bearer=")), None)
        if provider and said.startswith("Bearer "):
            query = urllib.parse.urlencode({"token": said[7:]})
            with urllib.request.urlopen(f"http://127.0.0.1:{provider}/?{query}") as answer:
                is_good = json.load(answer)["active"] == "true"
        else:
            is_good = not provider and said == "Basic " + known
        if not is_good:
            return self.answer(401, WWW_Authenticate='Bearer' if provider else 'Basic realm="x"')
        if "redirect" in self.habits and self.path.startswith("/.well-known/"):
            return self.answer(301, Location="/dav/")
        with lock:
            return getattr(self, "do_" + self.command.lower())(body)

    do_GET = do_PUT = do_DELETE = do_PROPFIND = do_REPORT = do_OPTIONS = do_MKCALENDAR = do_PROPPATCH = do_POST = handle_any

    def do_options(self, body):
        self.send_response(200)
        # In several header lines, as Cyrus does.
        for line in ("1, 3", "calendar-access" + (", calendar-auto-schedule" if "schedules" in self.habits else ""), "extra"):
            self.send_header("DAV", line)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_propfind(self, body):
        path, calendar, name = self.place()
        wanted = [(node.tag[1:].split("}")[0], node.tag.split("}")[1]) for node in xml.fromstring(body).find(f"{{{DAV}}}prop")]
        depth = self.headers.get("Depth", "0")
        if path in ("/", "/dav", "/dav/") or path.startswith("/dav/principals"):
            return self.multistatus([self.properties(path, wanted, home=True)])
        if path.rstrip("/") == HOME.rstrip("/"):
            found = [self.properties(HOME, wanted, home=True)]
            if depth == "1":
                found += [self.properties(self.path_of(each), wanted, calendar=each) for each in calendars.values()]
            return self.multistatus(found)
        if calendar is None:
            return self.answer(404)
        if name:
            if name not in calendar["objects"]:
                return self.answer(404)
            return self.multistatus([self.properties(self.path_of(calendar, name), wanted, item=calendar["objects"][name])])
        found = [self.properties(self.path_of(calendar), wanted, calendar=calendar)]
        if depth == "1":
            found += [self.properties(self.path_of(calendar, key), wanted, item=item)
                      for key, item in calendar["objects"].items()]
        return self.multistatus(found)

    def do_report(self, body):
        _, calendar, _ = self.place()
        if calendar is None:
            return self.answer(404)
        root = xml.fromstring(body)
        kind = root.tag.split("}")[1]
        wanted = [(node.tag[1:].split("}")[0], node.tag.split("}")[1]) for node in root.find(f"{{{DAV}}}prop")]
        if kind == "sync-collection":
            return self.sync(calendar, root.findtext(f"{{{DAV}}}sync-token") or "", wanted)
        if kind == "calendar-multiget":
            found = []
            for node in root.findall(f"{{{DAV}}}href"):
                name = urllib.parse.unquote(urllib.parse.urlparse(node.text).path.rstrip("/").split("/")[-1])
                path = self.path_of(calendar, name)
                item = None if "no-multiget" in self.habits or self.isSecret(name) else calendar["objects"].get(name)
                found.append(self.properties(path, wanted, item=item) if item else self.response(path, [], status="404 Not Found"))
            return self.multistatus(found)
        if kind != "calendar-query" or "no-query" in self.habits:
            return self.answer(403)
        inner = root.find(f".//{{{CAL}}}comp-filter/{{{CAL}}}comp-filter")
        if inner is None and "blind" in self.habits:
            return self.multistatus([])
        wants = inner.get("name") if inner is not None else None
        return self.multistatus([
            self.properties(self.path_of(calendar, key), wanted, item=item)
            for key, item in calendar["objects"].items() if wants is None or "BEGIN:" + wants in item["data"]])

    def sync(self, calendar, token, wanted):
        if "no-sync" in self.habits:
            return self.answer(400)
        if token and "forgetful" in self.habits:
            return self.answer(403)
        if "seconds" in self.habits:
            since, of = int(token or 0), lambda item: item["at"]
        elif "amnesia" in self.habits:
            since, of = 0, lambda item: item["clock"]
        else:
            since, of = int(token.split("/")[-1] or 0) if token else 0, lambda item: item["clock"]
        changed = sorted(((of(item), key, item) for key, item in calendar["objects"].items() if of(item) > since),
                         key=lambda row: row[0])
        gone = [key for key, item in calendar["gone"].items() if token and since and of(item) > since]
        isCut = "pages" in self.habits and "seconds" not in self.habits and len(changed) > 2
        new = f"http://example.org/sync/{changed[1][0]}" if isCut else self.token(calendar)
        found = [self.properties(self.path_of(calendar, key), wanted, item=item)
                 for _, key, item in (changed[:2] if isCut else changed)]
        if not isCut:
            found += [self.response(self.path_of(calendar, key), [], status="404 Not Found") for key in gone]
        else:
            found.append(self.response(self.path_of(calendar), [], status="507 Insufficient Storage"))
        self.multistatus(found, new)

    def touch(self, calendar):
        calendar["clock"] += 1
        calendar["at"] = int(time.time())
        return {"clock": calendar["clock"], "at": calendar["at"], "etag": f"e{calendar['clock']}"}

    def is_met(self, calendar, name):
        item = calendar["objects"].get(name)
        if self.headers.get("If-None-Match") == "*" and item:
            return False
        match = self.headers.get("If-Match")
        if match is None:
            return True
        if item is None or "strict" in self.habits:
            return False
        return match == self.etag(item)

    def do_put(self, body):
        _, calendar, name = self.place()
        if calendar is None or name is None:
            return self.answer(409)
        if "read-only" in self.habits or "fixed" in self.habits and name.startswith("fixed"):
            return self.answer(403)
        if not self.is_met(calendar, name):
            return self.answer(412)
        isNew = name not in calendar["objects"]
        text = body.decode()
        if "rewrites" in self.habits and "ATTENDEE" in text:
            text = re.sub(r"PARTSTAT=ACCEPTED(?=.*ben@)", "PARTSTAT=NEEDS-ACTION", text)
            text = re.sub(r"ATTENDEE(?!;SCHEDULE)", "ATTENDEE;SCHEDULE-STATUS=1.2", text)
        item = self.touch(calendar) | {"data": text}
        if "recounts" in self.habits and isNew:
            item["etag"] = "g0"
        calendar["objects"][name] = item
        calendar["gone"].pop(name, None)
        fields = {} if self.habits & {"no-put-etag", "no-etag"} else {"ETag": self.etag(item)}
        self.answer(201 if isNew else 204, **fields)

    def do_delete(self, body):
        _, calendar, name = self.place()
        if calendar is None or name not in calendar["objects"]:
            return self.answer(404)
        if "read-only" in self.habits or "fixed" in self.habits and name.startswith("fixed"):
            return self.answer(403)
        if not self.is_met(calendar, name):
            return self.answer(412)
        del calendar["objects"][name]
        calendar["gone"][name] = self.touch(calendar)
        self.answer(204)

    def isSecret(self, name):
        return "secret" in self.habits and name.startswith("secret")

    def do_get(self, body):
        _, calendar, name = self.place()
        if calendar is None or name not in calendar["objects"]:
            return self.answer(404)
        if "stingy" in self.habits or self.isSecret(name):
            return self.answer(403)
        self.answer(200, calendar["objects"][name]["data"], Content_Type="text/calendar", ETag=self.etag(calendar["objects"][name]))

    def do_mkcalendar(self, body):
        path, _, _ = self.place()
        key = path.rstrip("/").split("/")[-1]
        if key in calendars:
            return self.answer(405)
        root = xml.fromstring(body)
        calendars[key] = {"name": root.findtext(f".//{{{DAV}}}displayname") or key, "objects": {}, "gone": {}, "clock": 1, "at": 0,
                          "color": "#AAAAAAFF" if "long-color" in self.habits else
                          root.findtext(f".//{{{APPLE}}}calendar-color") or ""}
        self.answer(201)

    def do_proppatch(self, body):
        path, calendar, _ = self.place()
        if calendar is None or "read-only" in self.habits:
            return self.answer(403)
        root = xml.fromstring(body)
        for key, tag in (("name", f"{{{DAV}}}displayname"), ("color", f"{{{APPLE}}}calendar-color")):
            text = root.findtext(f".//{tag}")
            if text is not None:
                if key == "color" and "long-color" in self.habits and len(text) != 9:
                    return self.answer(400)
                calendar[key] = escape(text) if "escapes" in self.habits and key == "name" else text
        self.touch(calendar)
        self.multistatus([self.response(path, ["<D:displayname/>"])])

    def do_post(self, body):
        text = body.decode()
        if "schedules" not in self.habits or not self.path.rstrip("/").endswith("outbox"):
            return self.answer(404)
        person = re.search(r"ATTENDEE[^:]*:(mailto:[^\r\n]+)", text)[1]
        reply = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REPLY\r\nBEGIN:VFREEBUSY\r\nUID:x\r\nDTSTAMP:20261118T000000Z\r\n"
                 "DTSTART:20261119T000000Z\r\nDTEND:20261120T000000Z\r\n"
                 "FREEBUSY;FBTYPE=BUSY:20261119T090000Z/20261119T100000Z\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n")
        if person == "mailto:nobody@example.org":
            return self.answer(200, f'<C:schedule-response xmlns:C="{CAL}" xmlns:D="{DAV}"><C:response><C:recipient><D:href>{person}'
                               "</D:href></C:recipient><C:request-status>3.7;Invalid\x9b31m user</C:request-status></C:response>"
                               "</C:schedule-response>", Content_Type="application/xml")
        recipient = person if "plain-recipient" in self.habits else f"<D:href>{person}</D:href>"
        body = (f'<C:schedule-response xmlns:C="{CAL}" xmlns:D="{DAV}"><C:response><C:recipient>{recipient}'
                f"</C:recipient><C:request-status>2.0;Success</C:request-status><C:calendar-data>{reply}</C:calendar-data>"
                "</C:response></C:schedule-response>")
        self.answer(200, body, Content_Type="application/xml")


ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
