"""HAProxy before three gateways, as in docs/scale.md: proxy_check.py HELIX-GATEWAY HELIX

Twelve clients write through the proxy, over TLS, while each gateway in turn is drained, stopped and started again: every request is
answered. Then a gateway is killed: its clients are served by the others within seconds. At the end everybody has everything.
"""

import asyncio
import logging
import os
import random
import re
import signal
import socket
import ssl
import subprocess
import sys
import time

from cluster_check import LOST, Client, Gateway, Site, check, free_port, identity

HERE = os.path.dirname(os.path.abspath(__file__))


class Proxy:
    """The configuration of docs/scale.md, with the ports and files of the test."""

    def __init__(self, site):
        self.site, self.port, self.folder = site, free_port(), site.folder
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{self.folder}/key.pem",
             "-out", f"{self.folder}/cert.pem"], check=True, capture_output=True)
        with open(f"{self.folder}/both.pem", "w") as file:
            for name in ("cert", "key"):
                file.write(open(f"{self.folder}/{name}.pem").read())
        page = open(f"{HERE}/../../docs/scale.md").read()
        text = re.search(r"```\n(defaults\n.*?)```", page, re.S).group(1)
        text = text.replace(":443 ssl crt /etc/helix/gateway.pem", f"127.0.0.1:{self.port} ssl crt {self.folder}/both.pem")
        for number in range(3):
            text = text.replace(f"10.0.0.{number + 1}:18789", f"127.0.0.1:{site.ports[number]}")
        self.control = f"{self.folder}/haproxy.sock"
        with open(f"{self.folder}/haproxy.cfg", "w") as file:
            file.write(f"global\n    stats socket {self.control} level admin\n{text}")
        self.process = subprocess.Popen(
            ["/usr/sbin/haproxy", "-db", "-f", f"{self.folder}/haproxy.cfg"],
            stdout=open(f"{self.folder}/haproxy.log", "w"), stderr=subprocess.STDOUT)
        self.trust = ssl.create_default_context(cafile=f"{self.folder}/cert.pem")

    def tell(self, text):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(self.control)
            one.sendall(f"{text}\n".encode())
            return one.recv(65536).decode()

    def set(self, number, state):
        answer = self.tell(f"set server helix/{['one', 'two', 'three'][number]} state {state}")
        assert not answer.strip(), answer


class ProxyClient(Client):
    """A client that connects through the proxy, and counts requests without an answer."""

    unanswered = 0

    def place(self):
        return Gateway(f"wss://localhost:{self.proxy.port}", self.device)

    async def call(self, method, params):
        if self.gateway is not None and not self.gateway.socket.open:
            # It was closed between two requests.
            self.drop()
        if self.gateway is None:
            await self.connect()
        try:
            return await asyncio.wait_for(self.gateway.call(method, params), 15)
        except LOST:
            self.unanswered += 1
            self.drop()
        except Exception as refusal:
            code = getattr(refusal, "error", {}).get("code")
            if code not in ("UNAVAILABLE", "RATE_LIMIT_EXCEEDED"):
                raise
            if code == "UNAVAILABLE":
                # The gateway stops: another one answers.
                self.drop()
            await asyncio.sleep(0.1)
        return await self.call(method, params)

    async def live(self, places, end):
        await self.connect()
        while not end.is_set():
            if self.chance.random() < 0.7:
                await self.say(self.chance.choice(places))
            else:
                await self.read()
            await asyncio.sleep(self.chance.uniform(0.02, 0.1))


async def trial(program, helix):
    users = [f"user{number}" for number in range(12)]
    site = Site(program, helix)
    proxy = None
    try:
        # As the page says, the gateways trust the proxy.
        site.options = ["--trust-proxy"]
        await site.begin(users, random.Random(1))
        proxy = Proxy(site)
        await asyncio.sleep(2.5)
        clients = []
        for user in users:
            client = ProxyClient(site, user, random.Random(user))
            client.proxy, client.options = proxy, {"ssl": proxy.trust}
            clients.append(client)
            await client.connect()
        places = [identity() for _ in range(3)]
        for place, client in zip(places, clients):
            await client.call("chat.create", {"id": place, "kind": "group", "name": "g", "members": users})
        end = asyncio.Event()
        lives = [asyncio.ensure_future(client.live(places, end)) for client in clients]
        await asyncio.sleep(1)
        for number in range(3):
            proxy.set(number, "drain")
            await asyncio.sleep(0.3)
            site.gateways[number].send_signal(signal.SIGTERM)
            while site.gateways[number].poll() is None:
                await asyncio.sleep(0.05)
            assert site.gateways[number].returncode == 0
            await asyncio.sleep(0.5)
            site.start_gateway(number)
            proxy.set(number, "ready")
            await asyncio.sleep(2.5)
        lost = sum(client.unanswered for client in clients)
        assert lost == 0, f"{lost} requests had no answer while gateways were restarted"
        site.gateways[1].kill()
        site.gateways[1].wait()
        before = [len(client.said) for client in clients]
        await asyncio.sleep(5)
        idle = [client.user for client, count in zip(clients, before) if len(client.said) <= count]
        assert not idle, f"{idle} are not served after a gateway was killed"
        end.set()
        await asyncio.wait_for(asyncio.gather(*lives), 30)
        for client in clients:
            await client.read()
        check(clients, places)
        print(f"{sum(len(client.said) for client in clients)} messages, three restarts without a lost request")
    finally:
        if proxy:
            proxy.process.kill()
        site.end()


if __name__ == "__main__":
    Gateway.skew = 2 * 86_400
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    sys.unraisablehook = lambda _: None
    asyncio.run(trial(sys.argv[1], sys.argv[2]))
    sys.stdout.flush()
    os._exit(0)
