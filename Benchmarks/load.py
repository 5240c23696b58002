"""Many clients of gateways in one process: signed in with asyncio, then driven over their bare sockets, so that the clients cost
little beside the gateways.
"""

import asyncio
import heapq
import json
import os
import secrets
import selectors
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tests", "Servers"))
import gateway_client  # noqa: E402

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def identity():
    return "".join(secrets.choice(ALPHABET) for _ in range(16))


def frame(text):
    """A masked text frame (RFC 6455, 5.2); the mask is zero, so that nothing is to be computed."""
    data = text.encode()
    if len(data) < 126:
        head = struct.pack("!BB", 0x81, 0x80 | len(data))
    elif len(data) < 65536:
        head = struct.pack("!BBH", 0x81, 0x80 | 126, len(data))
    else:
        head = struct.pack("!BBQ", 0x81, 0x80 | 127, len(data))
    return head + b"\0\0\0\0" + data


class Client:
    """A signed-in connection."""

    def __init__(self, gateway):
        # The transport of asyncio is left alone; a copy of its socket is used.
        self.socket = socket.socket(fileno=os.dup(gateway.socket.transport.get_extra_info("socket").fileno()))
        self.socket.setblocking(False)
        self.gateway = gateway
        self.buffer = b""

    def send(self, frames):
        while frames:
            try:
                frames = frames[self.socket.send(frames):]
            except BlockingIOError:
                time.sleep(0.0005)

    def read(self):
        """The texts that have arrived."""
        try:
            while True:
                data = self.socket.recv(1 << 20)
                if not data:
                    raise SystemExit("the gateway closed a connection")
                self.buffer += data
                if len(data) < 1 << 20:
                    break
        except BlockingIOError:
            pass
        texts, place, buffer = [], 0, self.buffer
        while len(buffer) - place >= 2:
            size, start = buffer[place + 1] & 127, place + 2
            if size == 126:
                if len(buffer) < place + 4:
                    break
                size, start = int.from_bytes(buffer[place + 2:place + 4], "big"), place + 4
            elif size == 127:
                if len(buffer) < place + 10:
                    break
                size, start = int.from_bytes(buffer[place + 2:place + 10], "big"), place + 10
            if len(buffer) < start + size:
                break
            if buffer[place] & 15 == 1:
                texts.append(buffer[start:start + size])
            place = start + size
        self.buffer = buffer[place:]
        return texts


async def signed_in(url, name, device=None):
    gateway = await gateway_client.Gateway(url, device).open()
    for attempt in range(50):
        try:
            await gateway.connect({"password": f"{name}:{name}'s password"})
            return gateway
        except gateway_client.Refused as refusal:
            if not refusal.error.get("retryable"):
                raise
            await asyncio.sleep(0.2)
            gateway = await gateway_client.Gateway(url, device).open()
    raise SystemExit(f"{name} cannot sign in")


def enter(urls, names, prepare):
    """Signs users in, runs `prepare(gateway, name)` for each, and returns their clients and what it returned."""
    async def all():
        gateways, prepared = [], []
        for place, name in enumerate(names):
            gateway = await signed_in(urls[place % len(urls)], name)
            prepared.append(await prepare(gateway, name))
            gateways.append(gateway)
            # Nobody reads from the connection from now on but the caller.
            gateway.socket.transport.pause_reading()
        return gateways, prepared
    loop = asyncio.new_event_loop()
    gateways, prepared = loop.run_until_complete(all())
    return [Client(gateway) for gateway in gateways], prepared, loop


def throughput(clients, places, seconds, window=1):
    """Acknowledged messages a second, with one conversation for each client and `window` messages under way in each, and the
    waits for an answer in seconds, sorted."""
    selector = selectors.DefaultSelector()
    # Who is refused waits as long as the gateway says: a flood of refusals would count as work for messages.
    later = []
    sent = [{} for _ in clients]
    waits, refused, number = [], 0, 0

    def say(place):
        nonlocal number
        number += 1
        name = f"n{number}"
        sent[place][name.encode()] = time.perf_counter()
        clients[place].send(frame(json.dumps({
            "type": "req", "id": name, "method": "chat.send",
            "params": {"sessionKey": places[place], "message": "the valve leaks again", "idempotencyKey": identity()}})))

    for place, client in enumerate(clients):
        selector.register(client.socket, selectors.EVENT_READ, place)
    start = time.perf_counter()
    for place in range(len(clients)):
        for _ in range(window):
            say(place)
    while (now := time.perf_counter()) < start + seconds:
        while later and later[0][0] <= now:
            say(heapq.heappop(later)[1])
        for key, _ in selector.select(min(0.1, max(0, later[0][0] - now)) if later else 0.1):
            place = key.data
            for text in clients[place].read():
                if b'"type":"res"' not in text[:200] and b'"type":"event"' in text[:200]:
                    continue
                at = text.index(b'"id":"') + 6
                name = text[at:text.index(b'"', at)]
                begun = sent[place].pop(name, None)
                if begun is None:
                    continue
                if b'"ok":true' in text:
                    waits.append(time.perf_counter() - begun)
                else:
                    refused += 1
                    if refused == 1:
                        sys.stderr.write(text[:300].decode() + "\n")
                    pause = json.loads(text)["error"].get("retryAfterMs", 100)
                    heapq.heappush(later, (time.perf_counter() + pause / 1000, place))
                    continue
                say(place)
    time_spent = time.perf_counter() - start
    selector.close()
    return len(waits) / time_spent, sorted(waits), refused
