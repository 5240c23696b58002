"""Gmail's IMAP in memory: gmail.py FOLDER PORT [HABIT...], the extension X-GM-EXT-1 on top of imap.py

Messages are in one heap with labels; mailboxes are views of it, each with numbers of its own. Habits in addition to those of imap.py:

  german            the names of a German account                 hidden            'All Mail' is hidden from IMAP
  quoted            labels as quoted strings                      no-condstore      changes are not counted
"""

import re
import socketserver

import imap

heap, changes = [], [100]
names = {"all": "[Gmail]/All Mail", "trash": "[Gmail]/Trash", "spam": "[Gmail]/Spam", "sent": "[Gmail]/Sent Mail",
         "drafts": "[Gmail]/Drafts", "starred": "[Gmail]/Starred", "important": "[Gmail]/Important"}
if "german" in imap.habits():
    names.update(all="[Google Mail]/Alle Nachrichten", trash="[Google Mail]/Papierkorb", sent="[Google Mail]/Gesendet",
                 drafts="[Google Mail]/Entw\u00fcrfe", spam="[Google Mail]/Spam")
marks = {"all": "\\All", "trash": "\\Trash", "spam": "\\Junk", "sent": "\\Sent", "drafts": "\\Drafts", "starred": "\\Flagged",
         "important": "\\Important"}
own = {"INBOX": "\\Inbox", names["sent"]: "\\Sent", names["drafts"]: "\\Draft", names["important"]: "\\Important"}
for name in names.values():
    imap.make(name)


class Entity:
    count = 1278455344230334000

    def __init__(self, data, flags, date, place, labels):
        Entity.count += 1
        self.id, self.data, self.date, self.place = Entity.count, data, date, place
        self.flags, self.labels, self.modseq, self.former = set(flags), set(labels), 0, None


def belongs(entity, box):
    if box == names["all"]:
        return entity.place == "all"
    if box == names["trash"] or box == names["spam"]:
        return names[entity.place] == box
    if box == names["starred"]:
        return entity.place == "all" and "\\Flagged" in entity.flags
    return entity.place == "all" and own.get(box, box) in entity.labels


def settle():
    """Updates the views from the heap."""
    for entity in heap:
        now = (set(entity.flags), set(entity.labels), entity.place)
        if entity.former != now:
            changes[0] += 1
            entity.former, entity.modseq = now, changes[0]
    for box in imap.boxes.values():
        kept = [message for message in box.messages if message["entity"] in heap and belongs(message["entity"], box.name)]
        if len(kept) != len(box.messages):
            changes[0] += 1
        box.messages[:] = kept
        there = {id(message["entity"]) for message in kept}
        for entity in heap:
            if id(entity) not in there and belongs(entity, box.name):
                box.add(entity.data, entity.flags, entity.date)["entity"] = entity
                box.messages[-1]["flags"] = entity.flags


def put(entity, box):
    """Moves a message as requested by a client."""
    if box == names["trash"] or box == names["spam"]:
        entity.place = "trash" if box == names["trash"] else "spam"
        entity.labels.discard("\\Inbox")
        return
    entity.place = "all"
    if box != names["all"]:
        entity.labels.add(own.get(box, box))


class Gmail(imap.Session):
    def capability(self):
        condstore = "" if "no-condstore" in self.habits else " CONDSTORE"
        return "IMAP4rev1 AUTH=PLAIN UNSELECT IDLE NAMESPACE CHILDREN X-GM-EXT-1 UIDPLUS ENABLE MOVE ESEARCH UTF8=ACCEPT" \
            " LITERAL- SPECIAL-USE" + condstore

    def perform(self, name, words):
        settle()
        answer = self.gmail(name, words) if self.isIn else None
        answer = answer or super().perform(name, words)
        settle()
        return answer

    def gmail(self, name, words):
        if name == "UID STORE" and "X-GM-LABELS" in words[1]:
            labels = [imap.decoded(label) for label in self.labels(words[2])]
            for bad in labels:
                if bad.startswith("\\") and bad not in ("\\Inbox", "\\Important", "\\Starred", "\\Muted"):
                    raise ValueError("that label cannot be set")
            for entity in self.entities(words[0]):
                entity.labels = entity.labels | set(labels) if words[1][0] == "+" else entity.labels - set(labels)
            return "labelled"
        if name == "UID SEARCH" and words[0] == "X-GM-MSGID":
            found = [message["uid"] for message in imap.boxes[self.selected].messages
                     if str(message["entity"].id) == words[1]]
            self.untagged("SEARCH " + " ".join(map(str, found)))
            return "found"
        if name == "UID FETCH" and len(words) > 2:
            since = int(re.search(r"CHANGEDSINCE (\d+)", words[2])[1])
            box = imap.boxes[self.selected]
            wanted = self.numbers(words[0])
            changed = [message["uid"] for message in box.messages
                       if message["uid"] in wanted and message["entity"].modseq > since]
            if changed:
                super().perform(name, [",".join(map(str, changed)), words[1].replace(")", " MODSEQ)")])
            return "these"
        return None

    def labels(self, text):
        return [match[1].replace("\\\\", "\\").replace('\\"', '"') if match[1] is not None else match[2]
                for match in re.finditer(r'"((?:\\.|[^"\\])*)"|([^\s()"]+)', text)]

    def entities(self, numbers):
        wanted = self.numbers(numbers)
        return [message["entity"] for message in imap.boxes[self.selected].messages if message["uid"] in wanted]

    def list(self):
        for name in sorted(imap.boxes):
            kind = next((kind for kind, own_name in names.items() if own_name == name), None)
            if kind == "all" and "hidden" in self.habits:
                continue
            mark = f" {marks[kind]}" if kind else ""
            self.untagged(f'LIST (\\HasNoChildren{mark}) "/" {self.name(name)}')
        parent = names["all"].split("/")[0]
        self.untagged(f'LIST (\\HasChildren \\Noselect) "/" "{parent}"')

    def status(self, name, items):
        box = self.box(name)
        known = {"MESSAGES": len(box.messages), "UIDNEXT": box.next, "UIDVALIDITY": box.validity,
                 "HIGHESTMODSEQ": changes[0]}
        told = " ".join(f"{word} {known[word]}" for word in items.strip("()").split())
        self.untagged(f"STATUS {self.name(name)} ({told})")

    def select(self, name, only):
        answer = super().select(name, only)
        if self.can("CONDSTORE"):
            self.untagged(f"OK [HIGHESTMODSEQ {changes[0]}] counted")
        return answer

    def item(self, item, message):
        entity = message["entity"]
        if item.upper() == "X-GM-LABELS":
            own_label = own.get(self.selected, self.selected)
            told = []
            for label in sorted(entity.labels - {own_label}):
                label = imap.encoded(label)
                plain = re.fullmatch(r"[\\A-Za-z0-9/&+,-]+", label) and "quoted" not in self.habits
                told.append(label if plain else self.string(label))
            if "\\Flagged" in entity.flags:
                told.append("\\Starred")
            return f"X-GM-LABELS ({' '.join(told)})".encode()
        if item.upper() == "X-GM-MSGID":
            return b"X-GM-MSGID %d" % entity.id
        if item.upper() == "MODSEQ":
            return b"MODSEQ (%d)" % entity.modseq
        return super().item(item, message)

    def append(self, words):
        name = self.mailbox_name(words[0])
        box = self.box(name)
        rest = words[1:]
        flags = rest.pop(0).strip("()").split() if isinstance(rest[0], str) and rest[0].startswith("(") else []
        date = rest.pop(0)
        entity = next((entity for entity in heap if entity.data == rest[0]), None)
        if entity is None:
            entity = Entity(rest[0], flags, date, "all", [])
            heap.append(entity)
        put(entity, name)
        settle()
        uid = next(message["uid"] for message in box.messages if message["entity"] is entity)
        return f"[APPENDUID {box.validity} {uid}] filed"

    def copy(self, words, moves):
        name = self.mailbox_name(words[1])
        target = self.box(name)
        wanted = self.numbers(words[0])
        moved = [(message["uid"], message["entity"]) for message in imap.boxes[self.selected].messages
                 if message["uid"] in wanted]
        for _, entity in moved:
            put(entity, name)
            label = own.get(self.selected, self.selected)
            if moves and self.selected not in (names["all"], name):
                entity.labels.discard(label)
        former = self.selected
        settle()
        there = {id(message["entity"]): message["uid"] for message in target.messages}
        pairs = [(uid, there[id(entity)]) for uid, entity in moved if id(entity) in there]
        del former
        code = "[COPYUID %d %s %s]" % (target.validity, ",".join(str(pair[0]) for pair in pairs),
                                       ",".join(str(pair[1]) for pair in pairs))
        if pairs:
            self.untagged(f"OK {code} moved")
        return "moved"

    def expunge(self, uids):
        for message in list(imap.boxes[self.selected].messages):
            if "\\Deleted" not in message["flags"] or uids is not None and message["uid"] not in uids:
                continue
            entity = message["entity"]
            entity.flags.discard("\\Deleted")
            if self.selected in (names["trash"], names["spam"]):
                heap.remove(entity)
            else:
                entity.labels.discard(own.get(self.selected, self.selected))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    Server(("127.0.0.1", imap.port), Gmail).serve_forever()
