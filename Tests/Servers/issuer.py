"""An issuer of tokens, for tests: issuer.py DIR PORT

Serves its public keys at /keys, and at /token?alg=…&CLAIM=VALUE… makes tokens with them, or with the secret (HS256); `kid=none`
leaves the key's name out, `key=other` signs with a key that is not published, and a value that begins with `json:` is JSON.
Written with `cryptography` alone, independently of helix.
"""

import base64
import hashlib
import hmac
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlparse

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

SECRET = b"the secret of the issuer has 40 bytes..."


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return encoded(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


rsa_keys = {name: rsa.generate_private_key(65537, 2048) for name in ("published", "other")}
ec_keys = {name: ec.generate_private_key(ec.SECP256R1()) for name in ("published", "other")}
weak = rsa.generate_private_key(65537, 1024)


def keys():
    public = rsa_keys["published"].public_key().public_numbers()
    small = weak.public_key().public_numbers()
    point = ec_keys["published"].public_key().public_numbers()
    return {"keys": [
        {"kty": "RSA", "kid": "r1", "use": "sig", "alg": "RS256", "n": number(public.n), "e": number(public.e)},
        {"kty": "RSA", "kid": "weak", "use": "sig", "alg": "RS256", "n": number(small.n), "e": number(small.e)},
        {"kty": "EC", "kid": "e1", "crv": "P-256", "x": number(point.x, 32), "y": number(point.y, 32)},
        {"kty": "RSA", "kid": "enc", "use": "enc", "n": number(public.n), "e": number(public.e)},
        {"kty": "oct", "k": encoded(SECRET)}, {"kty": "OKP", "crv": "Ed25519", "x": encoded(b"x" * 32)},
    ]}


def token(query):
    algorithm, key, kid = query.pop("alg", "RS256"), query.pop("key", "published"), query.pop("kid", None)
    secret = query.pop("secret", SECRET.decode()).encode()
    head = {"alg": algorithm, "typ": "JWT"}
    name = kid or {"RS256": "r1", "ES256": "e1"}.get(algorithm)
    if name and name != "none":
        head["kid"] = name
    if "crit" in query:
        head["crit"] = [query.pop("crit")]
    claims = {"iss": "https://issuer.example.org", "aud": "helix", "sub": "u1", "exp": int(time.time()) + 600}
    for claim, value in query.items():
        if value == "none":
            claims.pop(claim, None)
        else:
            claims[claim] = json.loads(value[5:]) if value.startswith("json:") else value
    text = f"{encoded(json.dumps(head).encode())}.{encoded(json.dumps(claims).encode())}"
    data = text.encode()
    if algorithm == "HS256":
        signature = hmac.new(secret, data, hashlib.sha256).digest()
    elif algorithm == "RS256":
        signer = weak if key == "weak" else rsa_keys[key]
        signature = signer.sign(data, padding.PKCS1v15(), hashes.SHA256())
    elif algorithm == "ES256":
        r, s = decode_dss_signature(ec_keys[key].sign(data, ec.ECDSA(hashes.SHA256())))
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    else:
        signature = b""
    return f"{text}.{encoded(signature)}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlparse(self.path)
        body = json.dumps(keys()) if parts.path == "/keys" else token(dict(parse_qsl(parts.query, keep_blank_values=True)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
