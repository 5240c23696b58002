"""A name server for one test: dns.py DIR PORT answers from DIR/records.json, {"_imaps._tcp.example.org SRV": ["0 1 993 host"]}.

It listens on TCP as well, for callers that wait until it is reachable."""

import json
import os
import socket
import struct
import sys
import threading

TYPES = {33: "SRV", 15: "MX", 16: "TXT"}
folder, port = sys.argv[1], int(sys.argv[2])


def name(text):
    return b"".join(bytes([len(part)]) + part.encode() for part in text.split(".") if part) + b"\0"


def data(kind, text):
    if kind == "TXT":
        return bytes([len(text)]) + text.encode()
    *numbers, host = text.split()
    return b"".join(struct.pack("!H", int(number)) for number in numbers) + name(host)


def answer(question):
    place, parts = 12, []
    while question[place]:
        parts.append(question[place + 1 : place + 1 + question[place]].decode())
        place += 1 + question[place]
    kind = TYPES.get(struct.unpack("!H", question[place + 1 : place + 3])[0], "")
    with open(os.path.join(folder, "records.json"), encoding="utf-8") as file:
        records = json.load(file).get(".".join(parts).lower() + " " + kind, [])
    head = question[:2] + struct.pack("!HHHHH", 0x8180 if records else 0x8183, 1, len(records), 0, 0)
    body = question[12 : place + 5]
    for record in records:
        value = data(kind, record)
        body += b"\xc0\x0c" + question[place + 1 : place + 5] + struct.pack("!IH", 60, len(value)) + value
    return head + body


def accept():
    server = socket.create_server(("127.0.0.1", port))
    while True:
        server.accept()[0].close()


udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", port))
threading.Thread(target=accept, daemon=True).start()
while True:
    question, sender = udp.recvfrom(4096)
    udp.sendto(answer(question), sender)
