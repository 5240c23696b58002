"""An SMTP server for one test: smtp.py DIR PORT SECURE_PORT

Users ana and ben, password 'secret'. Accepted messages are stored in DIR/N.eml, with the envelope in DIR/N.json. Recipients
'nosuch@' are refused permanently, 'later@' temporarily; the subject 'refuse' is refused after the text. With the subject 'silent'
it accepts the message and closes the connection without a response.
"""

import asyncio
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

folder, port, secure = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(folder + "/cert.pem", folder + "/key.pem")
taken = [0]


def sign_in(server, session, envelope, mechanism, data):
    return AuthResult(success=data.login in (b"ana", b"ben") and data.password == b"secret", handled=False)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nosuch@"):
            return "550 5.1.1 there is nobody of that name"
        if address.startswith("later@"):
            return "451 4.3.0 try again later"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 fine"

    async def handle_DATA(self, server, session, envelope):
        head = envelope.content.split(b"\r\n\r\n")[0]
        if b"Subject: refuse" in head:
            return "554 5.7.1 not wanted"
        taken[0] += 1
        name = f"{folder}/{taken[0]}"
        with open(name + ".json", "w") as file:
            json.dump({"from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None}, file)
        with open(name + ".tmp", "wb") as file:
            file.write(envelope.content)
        os.rename(name + ".tmp", name + ".eml")
        if b"Subject: silent" in head:
            server.transport.abort()
        return "250 2.0.0 taken"


class Server(SMTP):
    # A server that offers AUTH accepts the parameter AUTH= here, too (RFC 4954).
    async def smtp_MAIL(self, argument):
        words = (argument or "").split(" ")
        await super().smtp_MAIL(" ".join(word for word in words if not word.upper().startswith("AUTH=")))


def make(**more):
    return Server(
        Handler(), authenticator=sign_in, auth_required=True, auth_require_tls=False, enable_SMTPUTF8=True,
        hostname="localhost", ident="test", data_size_limit=1 << 20, **more)


async def main():
    loop = asyncio.get_running_loop()
    plain = await loop.create_server(lambda: make(tls_context=tls), "127.0.0.1", port)
    other = await loop.create_server(lambda: make(), "127.0.0.1", secure, ssl=tls)
    await asyncio.gather(plain.serve_forever(), other.serve_forever())


asyncio.run(main())
