"""Push services for one test: push.py DIR PORT TLS_PORT APNS_KEY_ID APNS_TEAM TOPIC

PORT speaks HTTP/1.1: ntfy (POST of JSON to /), Web Push (/wp/...), UnifiedPush (/up/...) and a web hook (/hook). TLS_PORT speaks
HTTP/2 alone, as Apple's service does. Everything is checked with other libraries than helix has, and written to DIR/pushes.jsonl
as {"service", "ok", "problem", ...}: the signatures of tokens and web hooks, and the encryption of Web Push.

At start it writes DIR/cert.pem (to trust), DIR/apns.p8 (the key of the app's owner) and DIR/webpush.json (the receiver's keys).
DIR/habits.txt, one word per line, changes it: 'busy' (503 once), 'down' (503), 'gone' (410), 'deny' (403), 'redirect' (302), 'clock' (Apple's
service refuses the first token as expired)."""

import base64
import datetime
import hashlib
import hmac
import http.server
import json
import os
import socket
import ssl
import sys
import threading

import h2.config
import h2.connection
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

folder, port, tls_port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
key_id, team, topic = sys.argv[4:7]
lock = threading.Lock()
seen = set()


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def habits():
    try:
        with open(folder + "/habits.txt") as file:
            return set(file.read().split())
    except FileNotFoundError:
        return set()


def once(word):
    """Whether a habit is on for the first time."""
    with lock:
        if word in habits() and word not in seen:
            seen.add(word)
            return True
    return False


def record(service, problem, **more):
    with lock, open(folder + "/pushes.jsonl", "a") as file:
        file.write(json.dumps({"service": service, "ok": problem is None, "problem": problem, **more}) + "\n")


def claims(token, public):
    """The header and claims of a token signed with ES256."""
    head, body, signature = token.split(".")
    raw = unb64(signature)
    assert len(raw) == 64, "a signature of ES256 has 64 bytes"
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(der, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(unb64(head)), json.loads(unb64(body))


def decrypt(body):
    """A message of RFC 8291, with one record."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, sealed = body[21 : 21 + length], body[21 + length :]
    assert length == 65 and len(sealed) <= size, "invalid header"
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
    common = receiver.exchange(ec.ECDH(), public)
    info = b"WebPush: info\0" + point(receiver.public_key()) + sender
    secret = HKDF(hashes.SHA256(), 32, auth, info).derive(common)
    key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
    nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
    text = AESGCM(key).decrypt(nonce, sealed, None)
    assert text[-1:] == b"\x02", "the last record ends with 2"
    return json.loads(text[:-1])


class Plain(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, more=()):
        self.send_response(status)
        for name, value in more:
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        service = {"wp": "webpush", "up": "unifiedpush", "hook": "webhook"}.get(self.path.split("/")[1], "ntfy")
        if "redirect" in habits():
            return self.answer(302, [("Location", f"http://127.0.0.1:{port}/elsewhere")])
        if "/hang" in self.path or b'"hang' in body:
            threading.Event().wait(30)
            return self.answer(200)
        if "down" in habits():
            return self.answer(503)
        if once("busy"):
            return self.answer(503)
        if "gone" in habits():
            return self.answer(410)
        if "deny" in habits():
            return self.answer(403)
        try:
            content, problem = getattr(self, service)(body), None
        except Exception as error:
            content, problem = None, f"{type(error).__name__}: {error}"
        record(service, problem, path=self.path, content=content)
        self.answer(201 if problem is None else 400)

    def ntfy(self, body):
        assert self.path == "/", "JSON is published at the root"
        message = json.loads(body)
        assert message["topic"] and self.headers["Content-Type"] == "application/json"
        if message["topic"] == "locked":
            assert self.headers["Authorization"] == "Bearer tk_secret"
        return message

    def unifiedpush(self, body):
        assert self.headers["TTL"]
        return json.loads(body)

    def webpush(self, body):
        assert self.headers["Content-Encoding"] == "aes128gcm" and int(self.headers["TTL"]) > 0
        assert self.headers["Urgency"] == "high" and len(self.headers["Topic"]) <= 32
        scheme, rest = self.headers["Authorization"].split(" ", 1)
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid"
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(fields["k"]))
        head, body_claims = claims(fields["t"], public)
        now = datetime.datetime.now().timestamp()
        assert head["alg"] == "ES256" and body_claims["aud"] == f"http://127.0.0.1:{port}"
        assert now < body_claims["exp"] < now + 86_400, "a token lasts a day at most"
        assert body_claims["sub"].startswith("mailto:")
        content = decrypt(body)
        content["vapid"] = fields["k"]
        return content

    def webhook(self, body):
        with open(folder + "/hook.secret") as file:
            key = base64.b64decode(file.read().strip().removeprefix("whsec_"))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        code = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert self.headers["webhook-signature"] == "v1," + code, "the signature is wrong"
        return json.loads(body)


def apns_problem(headers, body):
    path = headers[":path"]
    assert headers[":method"] == "POST" and path.startswith("/3/device/")
    if path.endswith("dead" * 16):
        return 410, "Unregistered"
    if path.endswith("0bad" * 16):
        return 400, "BadDeviceToken"
    if once("clock"):
        return 403, "ExpiredProviderToken"
    head, body_claims = claims(headers["authorization"].removeprefix("bearer "), owner.public_key())
    now = datetime.datetime.now().timestamp()
    assert head == {"alg": "ES256", "kid": key_id} and body_claims["iss"] == team
    assert now - 3600 < body_claims["iat"] <= now + 60
    if headers["apns-topic"] != topic:
        return 400, "TopicDisallowed"
    assert headers["apns-push-type"] == "alert" and headers["apns-priority"] == "10"
    assert len(headers["apns-collapse-id"]) <= 64 and len(body) <= 4096
    return 200, None


def apple(connection):
    state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    state.initiate_connection()
    connection.sendall(state.data_to_send())
    streams = {}
    while data := connection.recv(65536):
        for event in state.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                streams[event.stream_id] = [{k.decode(): v.decode() for k, v in event.headers}, b""]
            elif isinstance(event, h2.events.DataReceived):
                streams[event.stream_id][1] += event.data
                state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                headers, body = streams.pop(event.stream_id)
                try:
                    status, reason = apns_problem(headers, body)
                    problem = reason
                except Exception as error:
                    status, reason, problem = 400, "BadRequest", f"{type(error).__name__}: {error}"
                record("apns", problem, path=headers[":path"], content=json.loads(body))
                state.send_headers(event.stream_id, [(":status", str(status))], end_stream=reason is None)
                if reason is not None:
                    state.send_data(event.stream_id, json.dumps({"reason": reason}).encode(), end_stream=True)
        connection.sendall(state.data_to_send())


def serve_apple(context):
    listener = socket.create_server(("127.0.0.1", tls_port))
    while True:
        connection, _ = listener.accept()

        def talk(connection=connection):
            try:
                with context.wrap_socket(connection, server_side=True) as secured:
                    assert secured.selected_alpn_protocol() == "h2", "Apple's service speaks HTTP/2 alone"
                    apple(secured)
            except (OSError, AssertionError):
                pass

        threading.Thread(target=talk, daemon=True).start()


owner, receiver = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
auth = os.urandom(16)
pem = serialization.Encoding.PEM
pkcs8, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
write("apns.p8", owner.private_bytes(pem, pkcs8, plain))
write("webpush.json", json.dumps({"p256dh": b64(point(receiver.public_key())), "auth": b64(auth)}).encode())
own = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
day = datetime.timedelta(days=1)
certificate = (
    x509.CertificateBuilder()
    .subject_name(name)
    .issuer_name(name)
    .public_key(own.public_key())
    .serial_number(x509.random_serial_number())
    .not_valid_before(datetime.datetime.utcnow() - day)
    .not_valid_after(datetime.datetime.utcnow() + day)
    .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    .sign(own, hashes.SHA256())
)
write("cert.pem", certificate.public_bytes(pem))
write("own.pem", own.private_bytes(pem, pkcs8, plain))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + "/cert.pem", folder + "/own.pem")
context.set_alpn_protocols(["h2"])
threading.Thread(target=serve_apple, args=(context,), daemon=True).start()
http.server.ThreadingHTTPServer(("127.0.0.1", port), Plain).serve_forever()
