"""An IMAP server in memory with behaviour that standards allow and few servers show: imap.py FOLDER PORT [HABIT...]

Each habit is a behaviour allowed by RFC 3501 or RFC 9051, or one extension. FOLDER/habits.txt, if it exists, replaces them, and is
read again for each command, so that a test can change them while a program is connected. FOLDER/log.txt logs the commands.
User 'ana', password 'secret'.

  caps=A,B          capabilities in addition to IMAP4rev1
  no-uidnext        SELECT omits UIDNEXT                          status-no-uidnext     so does STATUS
  no-uidvalidity    SELECT omits UIDVALIDITY                      status-no-uidvalidity so does STATUS
  no-permanent      SELECT omits PERMANENTFLAGS                   fixed-flags           PERMANENTFLAGS without \\*
  no-keep           PERMANENTFLAGS ()                             status-refused=NAME   STATUS of that mailbox is refused
  broken=NAME       that mailbox is refused by STATUS and SELECT  read-only=NAME        it can be opened, but not changed
  rights=NAME:lr    MYRIGHTS of a mailbox (with ACL)              noisy                 unsolicited data before each response
  twice             data is sent twice                            reversed              items of FETCH in another order
  literals          strings are sent as literals                  lower                 protocol words in lower case, after the sign-in
  no-delimiter      LIST returns NIL for the delimiter            delimiter=.           the hierarchy delimiter
  split-search      SEARCH answers in several lines               deaf                  FETCH n:* returns nothing, SEARCH is correct
  shy               STATUS returns 0 messages                     scattered             flags are sent in a separate response
  no-append-uid     APPEND and COPY return no numbers             over-quota            APPEND and COPY are refused
  refuse-first      the first sign-in is refused                  preauth               no sign-in is required
  others            'Other Users/' holds mailboxes of others (NAMESPACE)
  utf8-heads        headers with UTF-8 characters are accepted only by APPEND UTF8 (RFC 6855)
  one-validity      all mailboxes have the same UIDVALIDITY       (caps=OBJECTID gives them ids, RFC 8474)
  all=NAME          that mailbox shows the messages of other mailboxes (RFC 6154, \\All)
  drop=COMMAND      the connection is cut at that command         utf8-quoted           names in quoted UTF-8
"""

import base64
import os
import re
import socketserver
import sys
import threading
import time

folder, port, given = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
lock = threading.RLock()
log = open(os.path.join(folder, "log.txt"), "a", encoding="utf-8", buffering=1)


def habits():
    try:
        with open(os.path.join(folder, "habits.txt"), encoding="utf-8") as file:
            words = file.read().split()
    except FileNotFoundError:
        words = given
    return {word.partition("=")[0]: word.partition("=")[2] for word in words}


class Mailbox:
    def __init__(self, name, validity):
        self.name, self.validity, self.next, self.messages = name, validity, 1, []
        self.id = "F" + os.urandom(8).hex()

    def add(self, data, flags, date):
        message = {"uid": self.next, "data": data, "flags": set(flags), "date": date}
        self.next += 1
        self.messages.append(message)
        return message


boxes = {"INBOX": Mailbox("INBOX", 1700000000)}
clock = [1700000000]
subscribed = {"INBOX"}


def make(name):
    clock[0] += "one-validity" not in habits()
    boxes[name] = Mailbox(name, clock[0])


def key(name):
    return "INBOX" if name.upper() == "INBOX" else name


def encoded(name):
    """Modified UTF-7 (RFC 3501, section 5.1.3)."""
    def part(match):
        return "&" + base64.b64encode(match[0].encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"
    return re.sub(r"[^\x20-\x7e]+", part, name.replace("&", "&-"))


def decoded(name):
    def part(match):
        text = match[1].replace(",", "/")
        return base64.b64decode(text + "=" * (-len(text) % 4)).decode("utf-16-be") if text else "&"
    return re.sub(r"&([^-]*)-", part, name)


class Refused(Exception):
    pass


class Session(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    wbufsize = -1

    def say(self, text, data=None):
        self.wfile.write(text.encode() if isinstance(text, str) else text)

    def word(self, text):
        return text.lower() if "lower" in self.habits and self.wasIn else text

    def untagged(self, text):
        self.say(f"* {text}\r\n")
        if "twice" in self.habits and not text.startswith(("BYE", "ESEARCH", "SEARCH")):
            self.say(f"* {text}\r\n")

    def string(self, text):
        raw = text.encode()
        if "literals" in self.habits:
            return f"{{{len(raw)}}}\r\n{text}"
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def name(self, name):
        return self.string(name if self.utf8 or "utf8-quoted" in self.habits else encoded(name))

    def capability(self):
        more = [word for word in self.habits.get("caps", "UIDPLUS,LITERAL+,MOVE").split(",") if word]
        return " ".join(["IMAP4rev1", "AUTH=PLAIN"] + more)

    def can(self, name):
        return name in self.capability().split()

    # Reading

    def read_command(self):
        """A line with its literals, as a list of tokens."""
        text, literals = "", []
        while True:
            self.wfile.flush()
            line = self.rfile.readline()
            if not line:
                return None
            line = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
            match = re.search(r"\{(\d+)(\+?)\}$", line)
            if not match:
                text += line
                break
            if not match[2]:
                self.say("+ go on\r\n")
            elif not self.can("LITERAL+") and not self.can("LITERAL-"):
                raise Refused("literals without leave are not known here")
            self.wfile.flush()
            literals.append(self.rfile.read(int(match[1])))
            text += line[: match.start()] + f"\x00{len(literals) - 1}\x00"
        log.write(text.replace("\x00", "?") + "\n")
        return text, literals

    def tokens(self, text, literals):
        found, place = [], 0
        while place < len(text):
            letter = text[place]
            if letter == " ":
                place += 1
            elif letter == '"':
                value, place = "", place + 1
                while text[place] != '"':
                    if text[place] == "\\":
                        place += 1
                    value += text[place]
                    place += 1
                place += 1
                if any(ord(sign) > 126 for sign in value) and not self.utf8:
                    raise Refused("quoted strings are ASCII here")
                found.append(value)
            elif letter == "\x00":
                end = text.index("\x00", place + 1)
                found.append(literals[int(text[place + 1:end])])
                place = end + 1
            elif letter == "(":
                depth, end = 0, place
                while True:
                    depth += {"(": 1, ")": -1}.get(text[end], 0)
                    end += 1
                    if depth == 0:
                        break
                found.append(text[place:end])
                place = end
            else:
                match = re.compile(r"(\[[^\]]*\]|[^ ])+").match(text, place)
                found.append(match[0])
                place = match.end()
        return found

    def mailbox_name(self, token):
        if isinstance(token, bytes):
            token = token.decode()
        return key(token if self.utf8 else decoded(token))

    def box(self, name):
        if name not in boxes:
            raise Refused("[TRYCREATE] there is no such mailbox")
        return boxes[name]

    # The session

    def handle(self):
        self.habits, self.utf8, self.selected, self.writable, self.known = habits(), False, None, False, 0
        self.isIn = self.wasIn = "preauth" in self.habits
        self.untagged(f"{'PREAUTH' if self.isIn else 'OK'} [CAPABILITY {self.capability()}] ready")
        while True:
            try:
                command = self.read_command()
            except Refused as error:
                self.untagged(f"BAD {error}")
                return
            if command is None:
                return
            tag, _, rest = command[0].partition(" ")
            name, _, rest = rest.partition(" ")
            name = name.upper()
            if name == "UID":
                sub, _, rest = rest.partition(" ")
                name = "UID " + sub.upper()
            self.habits, self.wasIn = habits(), self.isIn
            if self.habits.get("drop") == name.replace(" ", "-"):
                return
            if name == "LOGOUT":
                self.untagged("BYE until then")
                self.say(f"{tag} OK done\r\n")
                return
            with lock:
                try:
                    if "noisy" in self.habits:
                        self.noise()
                    self.literals = command[1]
                    answer = self.perform(name, self.tokens(rest, command[1])) or "done"
                    if "noisy" in self.habits:
                        self.noise()
                    self.say(f"{tag} {self.word('OK')} {answer}\r\n")
                except Refused as error:
                    self.say(f"{tag} {self.word('NO')} {error}\r\n")
                except Exception as error:
                    self.say(f"{tag} BAD {type(error).__name__} {error}\r\n")

    def noise(self):
        self.untagged("OK still here")
        self.untagged(f"CAPABILITY {self.capability()}" if self.isIn else "OK [ALERT] mind the gap")
        if self.selected:
            box = boxes.get(self.selected)
            if box is None:
                return
            self.untagged(f"{len(box.messages)} EXISTS")
            self.untagged("0 RECENT")
            if box.messages:
                # Unsolicited flags without a UID, as servers send them.
                self.untagged(f"1 FETCH (FLAGS ({' '.join(sorted(box.messages[0]['flags']))}))")

    def perform(self, name, words):
        if name in ("CAPABILITY",):
            self.untagged(f"CAPABILITY {self.capability()}")
        elif name == "NOOP":
            pass
        elif name == "LOGIN":
            self.sign_in(self.text(words[0]), self.text(words[1]))
        elif name == "AUTHENTICATE":
            return self.authenticate(words)
        elif not self.isIn:
            raise Refused("sign in first")
        elif name == "ENABLE":
            given = [word for word in words if self.can(word.upper())]
            self.utf8 = self.utf8 or "UTF8=ACCEPT" in [word.upper() for word in given]
            self.untagged("ENABLED " + " ".join(given))
        elif name == "NAMESPACE":
            others = '(("Other Users/" "/"))' if "others" in self.habits else "NIL"
            self.untagged(f'NAMESPACE (("" "/")) {others} NIL')
        elif name == "LIST":
            self.list()
        elif name == "LSUB":
            for mailbox in sorted(subscribed & set(boxes)):
                self.untagged(f'LSUB () "{self.delimiter()}" {self.name(mailbox)}')
        elif name == "SUBSCRIBE":
            subscribed.add(self.mailbox_name(words[0]))
        elif name == "STATUS":
            self.status(self.mailbox_name(words[0]), words[1])
        elif name == "MYRIGHTS":
            mailbox = self.mailbox_name(words[0])
            self.untagged(f"MYRIGHTS {self.name(mailbox)} {self.rights(mailbox)}")
        elif name in ("SELECT", "EXAMINE"):
            return self.select(self.mailbox_name(words[0]), name == "EXAMINE")
        elif name == "CREATE":
            mailbox = self.mailbox_name(words[0])
            if mailbox in boxes:
                raise Refused("[ALREADYEXISTS] it is there")
            make(mailbox)
        elif name == "DELETE":
            self.box(self.mailbox_name(words[0]))
            del boxes[self.mailbox_name(words[0])]
        elif name == "RENAME":
            old, new = self.mailbox_name(words[0]), self.mailbox_name(words[1])
            for box in [box for box in boxes if box == old or box.startswith(old + "/")]:
                boxes[new + box[len(old):]] = boxes.pop(box)
                boxes[new + box[len(old):]].name = new + box[len(old):]
        elif name in ("UNSUBSCRIBE", "CHECK"):
            pass
        elif name == "APPEND":
            return self.append(words)
        elif self.selected is None:
            raise Refused("open a mailbox first")
        elif name in ("UID FETCH", "FETCH"):
            self.fetch(words, name.startswith("UID"))
        elif name in ("UID SEARCH", "SEARCH"):
            self.search(words)
        elif name == "UID STORE":
            self.store(words)
        elif name in ("UID COPY", "UID MOVE"):
            return self.copy(words, name.endswith("MOVE"))
        elif name in ("EXPUNGE", "UID EXPUNGE"):
            self.expunge(self.numbers(words[0]) if name.startswith("UID") else None)
        elif name in ("CLOSE", "UNSELECT"):
            self.selected = None
        else:
            raise ValueError("it is not known")
        return None

    def text(self, token):
        return token.decode() if isinstance(token, bytes) else token

    def sign_in(self, user, password):
        if "refuse-first" in self.habits and not getattr(Session, "refused", False):
            Session.refused = True
            raise Refused("[AUTHENTICATIONFAILED] not this time")
        if (user, password) != ("ana", "secret"):
            raise Refused("[AUTHENTICATIONFAILED] wrong")
        self.isIn = True

    def authenticate(self, words):
        if len(words) > 1 and not self.can("SASL-IR"):
            raise ValueError("a first answer in the command is not known here")
        if words[0].upper() != "PLAIN":
            raise Refused("only PLAIN")
        if len(words) > 1:
            answer = words[1]
        else:
            self.say("+ \r\n")
            self.wfile.flush()
            answer = self.rfile.readline().decode().strip()
        _, user, password = base64.b64decode(answer).decode().split("\0")
        self.sign_in(user, password)
        return None

    def delimiter(self):
        return self.habits.get("delimiter", "/")

    def list(self):
        mark = "NIL" if "no-delimiter" in self.habits else '"' + self.delimiter() + '"'
        for name in sorted(boxes):
            more = " \\All" if name == self.habits.get("all") else ""
            self.untagged(f"{self.word('LIST')} (\\HasNoChildren{more}) {mark} {self.name(name)}")
            if "twice" in self.habits:
                self.untagged(f"LIST () {mark} {self.name(name)} (OLDNAME ({self.name(name)}))")

    def status(self, name, items):
        if name in (self.habits.get("status-refused"), self.habits.get("broken")):
            raise Refused("[CANNOT] not to be looked at")
        box = self.box(name)
        known = {
            "MESSAGES": 0 if "shy" in self.habits else len(box.messages), "UIDNEXT": box.next,
            "UIDVALIDITY": box.validity, "UNSEEN": 0, "MAILBOXID": f"({box.id})",
        }
        if "status-no-uidnext" in self.habits:
            del known["UIDNEXT"]
        if "status-no-uidvalidity" in self.habits:
            del known["UIDVALIDITY"]
        words = items.strip("()").split()
        if "reversed" in self.habits:
            words.reverse()
        told = " ".join(f"{word} {known[word]}" for word in words if word in known)
        self.untagged(f"{self.word('STATUS')} {self.name(name)} ({told})")

    def rights(self, name):
        mailbox, _, rights = self.habits.get("rights", "").partition(":")
        return rights if mailbox == name else "lrswipkxtea"

    def select(self, name, only):
        self.selected = None
        if name == self.habits.get("broken"):
            raise Refused("[UNAVAILABLE] it is broken\x1b[31m\x1b]0;owned\x07")
        box = self.box(name)
        lines = [f"{len(box.messages)} EXISTS", "0 RECENT", "FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)"]
        if "no-uidvalidity" not in self.habits:
            lines.append(f"OK [UIDVALIDITY {box.validity}] numbers")
        if "no-uidnext" not in self.habits:
            lines.append(f"OK [UIDNEXT {box.next}] the next")
        if "no-keep" in self.habits:
            lines.append("OK [PERMANENTFLAGS ()] none stay")
        elif "no-permanent" not in self.habits:
            more = "" if "fixed-flags" in self.habits else " \\*"
            lines.append(f"OK [PERMANENTFLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft{more})] they stay")
        if "reversed" in self.habits:
            lines.reverse()
        for line in lines:
            self.untagged(self.word(line))
        self.selected = name
        self.writable = not only and name != self.habits.get("read-only")
        return "[READ-WRITE] open" if self.writable else "[READ-ONLY] open"

    # Messages

    def numbers(self, text):
        """The messages of the open mailbox in a set of UIDs."""
        box = boxes[self.selected]
        last = max((message["uid"] for message in box.messages), default=0)
        found = set()
        for part in text.split(","):
            first, _, end = part.partition(":")
            ends = [last if word == "*" else int(word) for word in (first, end or first)]
            found |= {message["uid"] for message in box.messages if min(ends) <= message["uid"] <= max(ends)}
        if "deaf" in self.habits and text.endswith(":*"):
            return set()
        return found

    def fetch(self, words, by_uid):
        box = boxes[self.selected]
        wanted = self.numbers(words[0]) if by_uid else {
            message["uid"] for place, message in enumerate(box.messages) if str(place + 1) in words[0].split(",")}
        items = re.findall(r"BODY(?:\.PEEK)?\[[^\]]*\](?:<[\d.]+>)?|[^\s()]+", words[1])
        for place, message in enumerate(box.messages):
            if message["uid"] not in wanted:
                continue
            parts = [part for part in (self.item(item, message) for item in items) if part]
            if not any(part.startswith(b"UID ") for part in parts):
                parts.append(b"UID %d" % message["uid"])
            if "reversed" in self.habits:
                parts.reverse()
            if "scattered" in self.habits:
                flags = [part for part in parts if part.startswith(b"FLAGS")]
                rest = [part for part in parts if not part.startswith(b"FLAGS")]
                numbered = b"UID %d" % message["uid"]
                if flags and len(rest) > 1:
                    self.give(place, rest)
                    parts = flags + [numbered]
            self.give(place, parts)
            if "twice" in self.habits:
                self.give(place, parts)

    def give(self, place, parts):
        name = self.word("FETCH").encode()
        self.wfile.write(b"* %d %s (" % (place + 1, name) + b" ".join(parts) + b")\r\n")

    def item(self, item, message):
        name = item.upper()
        data = message["data"]
        if name == "UID":
            return b"UID %d" % message["uid"]
        if name == "FLAGS":
            return b"FLAGS (" + " ".join(sorted(message["flags"])).encode() + b")"
        if name == "INTERNALDATE":
            return b"INTERNALDATE " + self.string(message["date"]).encode()
        if name == "RFC822.SIZE":
            return b"RFC822.SIZE %d" % len(data)
        head = data.split(b"\r\n\r\n")[0] + b"\r\n\r\n"
        if "HEADER.FIELDS" in name:
            asked = re.search(r"\(([^)]*)\)", name)[1].split()
            lines = re.split(rb"\r\n(?=\S)", head.strip())
            kept = [line for line in lines if line.split(b":")[0].strip().decode().upper() in asked]
            answer = b"".join(line + b"\r\n" for line in kept) + b"\r\n"
            label = b"BODY[HEADER.FIELDS (" + " ".join(f'"{word}"' if "literals" in self.habits else word
                                                       for word in asked).encode() + b")]"
            return label + b" {%d}\r\n" % len(answer) + answer
        if name.startswith("BODY"):
            answer = head if "HEADER" in name else data
            if "PEEK" not in name:
                message["flags"].add("\\Seen")
            label = b"BODY[HEADER]" if "HEADER" in name else b"BODY[]"
            return label + b" {%d}\r\n" % len(answer) + answer
        return None

    def search(self, words):
        box = boxes[self.selected]
        text = " ".join(self.text(word) for word in words).upper()
        found = list(box.messages)
        if "DELETED" in text:
            found = [message for message in found if "\\Deleted" in message["flags"]]
        if "HEADER" in text:
            wanted = self.text(words[-1]).encode()
            found = [message for message in found if wanted in message["data"]]
        uids = [message["uid"] for message in found]
        if "RETURN" in text and self.can("ESEARCH"):
            told = f" ALL {','.join(map(str, uids))}" if uids else ""
            self.untagged(f'ESEARCH (TAG "x") UID{told}')
        elif "split-search" in self.habits:
            for uid in uids:
                self.untagged(f"SEARCH {uid}")
            self.untagged("SEARCH")
        else:
            self.untagged((self.word("SEARCH") + " " + " ".join(map(str, uids))).rstrip())

    def must_write(self, rights):
        if not self.writable:
            raise Refused("[READ-ONLY] nothing changes here")
        if not set(rights) <= set(self.rights(self.selected)):
            raise Refused("[NOPERM] not for you")

    def store(self, words):
        self.must_write("w" if "\\Deleted" not in words[2] else "t")
        wanted = self.numbers(words[0])
        flags = set(words[2].strip("()").split())
        fixed = {"\\Answered", "\\Flagged", "\\Deleted", "\\Seen", "\\Draft"}
        if "fixed-flags" in self.habits:
            flags &= fixed
        for place, message in enumerate(boxes[self.selected].messages):
            if message["uid"] not in wanted:
                continue
            if words[1].startswith("+"):
                message["flags"] |= flags
            elif words[1].startswith("-"):
                message["flags"] -= flags
            else:
                message["flags"] = flags
            if "SILENT" not in words[1].upper() or "noisy" in self.habits:
                self.give(place, [self.item("FLAGS", message), b"UID %d" % message["uid"]])

    def append(self, words):
        name = self.mailbox_name(words[0])
        box = self.box(name)
        if "over-quota" in self.habits:
            raise Refused("[OVERQUOTA] there is no room")
        if name == self.habits.get("read-only") or "i" not in self.rights(name):
            raise Refused("[NOPERM] not for you")
        rest = words[1:]
        flags = rest.pop(0).strip("()").split() if isinstance(rest[0], str) and rest[0].startswith("(") else []
        date = rest.pop(0) if isinstance(rest[0], str) else time.strftime("%d-%b-%Y %H:%M:%S +0000", time.gmtime())
        if rest[0] == "UTF8":
            if not self.utf8:
                raise ValueError("UTF8 is not known here")
            rest = [self.literals[int(re.match(r"\(~\x00(\d+)\x00\)$", rest[1])[1])]]
        elif any(byte > 127 for byte in rest[0].split(b"\r\n\r\n")[0]) and "utf8-heads" in self.habits:
            raise Refused("[CANNOT] a head with UTF-8 has to be said to be one")
        message = box.add(rest[0], flags, date)
        if self.can("UIDPLUS") and "no-append-uid" not in self.habits:
            return f"[APPENDUID {box.validity} {message['uid']}] filed"
        return None

    def copy(self, words, moves):
        if moves:
            self.must_write("t")
        target = self.box(self.mailbox_name(words[1]))
        if "over-quota" in self.habits:
            raise Refused("[OVERQUOTA] there is no room")
        wanted = self.numbers(words[0])
        pairs = []
        for message in [message for message in boxes[self.selected].messages if message["uid"] in wanted]:
            new = target.add(message["data"], message["flags"], message["date"])
            pairs.append((message["uid"], new["uid"]))
        code = "[COPYUID %d %s %s]" % (
            target.validity, ",".join(str(pair[0]) for pair in pairs), ",".join(str(pair[1]) for pair in pairs))
        isTold = pairs and self.can("UIDPLUS") and "no-append-uid" not in self.habits
        if moves:
            if isTold:
                self.untagged(f"OK {code} moved")
            self.remove(wanted)
            return None
        return code + " copied" if isTold else None

    def remove(self, uids):
        box = boxes[self.selected]
        for place in range(len(box.messages) - 1, -1, -1):
            if box.messages[place]["uid"] in uids:
                del box.messages[place]
                self.say(f"* {place + 1} EXPUNGE\r\n")

    def expunge(self, uids):
        self.must_write("e")
        gone = {message["uid"] for message in boxes[self.selected].messages if "\\Deleted" in message["flags"]}
        self.remove(gone if uids is None else gone & uids)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    Server(("127.0.0.1", port), Session).serve_forever()
