#!/usr/bin/env python3
"""Write a realistic Maildir of N messages, the same one every time.

    generate_mail.py 50000 Mail/

Conversations of one to thirty messages over ten years up to 21 November 2026, in four mailboxes. Words are as rare as those of
real text, and in many scripts; two in five messages have HTML beside their text, one in twelve only HTML, one in seven something
attached; texts are in all transfer encodings, one in six subjects is not ASCII, in encoded words.
"""

import argparse
import base64
import quopri
import random
import time
from email.header import Header
from email.utils import format_datetime, formataddr
from datetime import datetime, timedelta, timezone
from pathlib import Path

import vocabulary
from generate import FIRST_NAMES, LAST_NAMES, WORDS, TEXT

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=timezone.utc)
SUBJECTS = ["Grüße aus Köln", "Réunion à Évry", "Příští týden", "Встреча в пятницу", "会議のお知らせ", "Reunión mañana",
           "Łódź i Kraków", "Συνάντηση αύριο", "회의 일정", "Überarbeitete Übersicht"]
MAILBOXES = [("", 30), (".Archive", 45), (".Sent", 15), (".Lists.dev", 10)]
DOMAINS = ["example.com", "example.org", "mail.example.net", "corp.example"]


class Writer:
    def __init__(self, count, root):
        self.random = random.Random("helix mail")
        self.root = root
        self.count = count
        self.people = []
        for number in range(400):
            first, last = self.random.choice(FIRST_NAMES), self.random.choice(LAST_NAMES)
            plain = "".join(c for c in f"{first}.{last}{number}".lower() if c.isascii())
            self.people.append((f"{first} {last}", f"{plain}@{self.random.choice(DOMAINS)}"))
        self.me = ("Ada Romano", "ada@example.org")
        for name, _ in MAILBOXES:
            for part in "cur", "new", "tmp":
                (root / name / part).mkdir(parents=True, exist_ok=True)

    def words(self, least, most):
        return self.random.choices(TEXT[0], cum_weights=TEXT[1], k=self.random.randint(least, most))

    def paragraph(self):
        sentences = []
        for _ in range(self.random.randint(2, 6)):
            words = self.words(6, 16)
            if self.random.random() < 0.1:
                words.insert(3, self.random.choice(vocabulary.FOREIGN))
            sentences.append(" ".join(words).capitalize() + ".")
        return sentences

    def wrapped(self, sentences):
        lines, line = [], ""
        for word in " ".join(sentences).split():
            if len(line) + len(word) > 71:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}".strip()
        return lines + [line]

    def part(self, kind, text):
        """A part of text in one of the transfer encodings."""
        encoding = self.random.choice(["7bit", "7bit", "8bit", "quoted-printable", "quoted-printable", "base64"])
        if encoding == "7bit" and not text.isascii():
            encoding = "8bit"
        body = {"quoted-printable": lambda: quopri.encodestring(text.encode()).decode(),
                "base64": lambda: base64.encodebytes(text.encode()).decode()}.get(encoding, lambda: text)()
        return f"Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n{body}"

    def run(self):
        written = 0
        while written < self.count:
            size = min(self.count - written, self.random.choices([1, 2, 3, 5, 8, 12, 30], [45, 20, 12, 10, 6, 5, 2])[0])
            self.conversation(written, size)
            written += size

    def conversation(self, first, size):
        pick = self.random
        mailbox = pick.choices([name for name, _ in MAILBOXES], [weight for _, weight in MAILBOXES])[0]
        subject = " ".join(self.words(3, 8)).capitalize()
        if pick.random() < 1 / 6:
            subject = pick.choice(SUBJECTS) + " " + subject
        people = pick.sample(self.people, min(3, size + 1)) + [self.me]
        moment = NOW - timedelta(seconds=pick.randint(0, 10 * 365 * 86400))
        references, quoted = [], []
        for number in range(first, first + size):
            sender = self.me if mailbox == ".Sent" else pick.choice(people)
            to = [person for person in people if person != sender][:2]
            moment = min(NOW, moment + timedelta(seconds=pick.randint(300, 200000)))
            quoted = self.message(number, mailbox, sender, to, subject, moment, references, quoted)
            references = references + [f"{number:08x}.{first}@mail.example.org"]

    def message(self, number, mailbox, sender, to, subject, moment, references, quoted):
        pick = self.random
        identity = f"{number:08x}.{number - len(references)}@mail.example.org"
        title = ("Re: " if references else "") + subject
        head = [f"Return-Path: <{sender[1]}>",
                f"Received: from mx.example.org (mx.example.org [192.0.2.7])\n\tby mail.example.org with ESMTPS id {number:x}\n"
                f"\tfor <{self.me[1]}>; {format_datetime(moment)}",
                f"Date: {format_datetime(moment)}", f"From: {formataddr(sender)}",
                f"To: {', '.join(map(formataddr, to))}",
                f"Subject: {title if title.isascii() else Header(title, 'utf-8', maxlinelen=70).encode()}",
                f"Message-ID: <{identity}>"]
        if references:
            head += [f"In-Reply-To: <{references[-1]}>",
                     "References: " + "\n ".join(f"<{name}>" for name in references[-8:])]
        if mailbox == ".Lists.dev":
            head += ["List-Id: Development <dev.lists.example.org>", "Precedence: list"]
        head += ["MIME-Version: 1.0", "User-Agent: Bench/1.0"]
        paragraphs = [self.wrapped(self.paragraph()) for _ in range(pick.randint(2, 6))]
        lines = [f"Hello {to[0][0].split()[0] if to else 'all'},", ""]
        for paragraph in paragraphs:
            lines += paragraph + [""]
        if quoted:
            lines += [f"{sender[0]} wrote:"] + ["> " + line for line in quoted[:12]] + [""]
        lines += ["-- ", sender[0]]
        text = "\n".join(lines) + "\n"
        kind = pick.random()
        plain = self.part("plain", text)
        html = self.part("html", "<html><head><style>p { margin: 0 }</style></head><body>" + "".join(
            f'<p class="text"><span lang="en">{line}</span></p>\n' if line else "<br>\n" for line in lines) + "</body></html>\n")
        if kind < 0.08:
            body = html
        elif kind < 0.48:
            body = f"Content-Type: multipart/alternative; boundary=alt\n\n--alt\n{plain}\n--alt\n{html}\n--alt--\n"
        else:
            body = plain
        if pick.random() < 0.14:
            name = f"{pick.choice(WORDS)}-{number}.pdf"
            data = base64.encodebytes(pick.randbytes(pick.randint(500, 6000))).decode()
            body = (f"Content-Type: multipart/mixed; boundary=mix\n\n--mix\n{body}\n--mix\n"
                    f"Content-Type: application/pdf; name=\"{name}\"\nContent-Disposition: attachment; filename=\"{name}\"\n"
                    f"Content-Transfer-Encoding: base64\n\n{data}\n--mix--\n")
        flags = ("F" if pick.random() < 0.02 else "") + ("R" if pick.random() < 0.2 else "") + ("S" if pick.random() < 0.9 else "")
        name = f"{int(moment.timestamp())}.M{number}P7.mail:2,{flags}"
        (self.root / mailbox / "cur" / name).write_bytes(("\n".join(head) + "\n" + body).encode())
        return [line for paragraph in paragraphs for line in paragraph]


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("count", type=int)
    arguments.add_argument("root", type=Path)
    options = arguments.parse_args()
    Writer(options.count, options.root).run()
