"""A provider of OAuth 2.0 for one test: oauth.py DIR PORT

It implements RFC 8414 (metadata), RFC 6749 with RFC 7636 (browser), RFC 8628 (devices), RFC 7009 (revocation) and
RFC 7662 (introspection, for Dovecot, at /?token=). The only user is ana; the client is 'helix-test', its secret 'client
secret &='. A refresh token is valid once. Requests are logged in DIR/log, one per line.

DIR/habits.txt, one word per line, changes it: 'deny' (the user refuses), 'short' (tokens expire after 30 s), 'dead' (no refresh
token is valid), 'revoked' (no access token is valid), 'same' (no new refresh token is issued), 'slow' (devices get slow_down
once), 'nodevice' (no codes for devices), 'secret' (the client's secret is required), 'down' (500), 'wrongstate', 'html', 'forget'
(access tokens expire early, once).
"""

import base64
import hashlib
import http.server
import json
import secrets
import sys
import threading
import time
import urllib.parse

folder, port = sys.argv[1], int(sys.argv[2])
base = f"http://127.0.0.1:{port}"
lock = threading.Lock()
codes, access, refresh, devices = {}, {}, set(), {}
forgotten = []


def habits():
    try:
        return set(open(folder + "/habits.txt").read().split())
    except FileNotFoundError:
        return set()


def log(text):
    with open(folder + "/log", "a") as file:
        file.write(text + "\n")


def tokens(keep=None):
    token = secrets.token_urlsafe(24)
    length = 30 if "short" in habits() else 3600
    access[token] = time.time() + length
    answer = {"access_token": token, "token_type": "Bearer", "expires_in": str(length) if "text" in habits() else length}
    if keep is None or "same" not in habits():
        answer["refresh_token"] = secrets.token_urlsafe(24)
        refresh.add(answer["refresh_token"])
    return answer


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, kind="application/json", **fields):
        body = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, error, status=400):
        log("refused " + error)
        self.answer(status, {"error": error, "error_description": "because \x1b[31mit is so"})

    def do_GET(self):
        place = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(place.query))
        if place.path == "/.well-known/oauth-authorization-server":
            found = {
                "issuer": base, "authorization_endpoint": base + "/authorize?tenant=1", "token_endpoint": base + "/token",
                "revocation_endpoint": base + "/revoke", "scopes_supported": ["offline_access", "mail"],
            }
            if "nodevice" not in habits():
                found["device_authorization_endpoint"] = base + "/device"
            return self.answer(200, found)
        if place.path == "/authorize":
            return self.authorize(query)
        if place.path == "/activate":
            for device in devices.values():
                if device["user_code"] == query.get("code"):
                    device["agreed"] = "deny" not in habits()
                    device["denied"] = "deny" in habits()
            return self.answer(200, "done", "text/plain")
        if place.path == "/" and "token" in query:
            if "forget" in habits() and not forgotten:
                forgotten.append(True)
                access.clear()
            good = access.get(query["token"], 0) > time.time() and "revoked" not in habits()
            log("introspection " + ("good" if good else "bad"))
            return self.answer(200, {"active": "true", "user": "ana"} if good else {"active": "false"})
        self.answer(404, {})

    def authorize(self, query):
        log("authorize " + json.dumps(query, sort_keys=True))
        redirect = query.get("redirect_uri", "")
        good = (
            query.get("response_type") == "code" and query.get("client_id") == "helix-test"
            and query.get("code_challenge_method") == "S256" and len(query.get("code_challenge", "")) == 43
            and redirect.startswith("http://127.0.0.1:") and len(query.get("state", "")) >= 32 and query.get("tenant") == "1")
        if not good:
            return self.answer(400, "no", "text/plain")
        back = {"state": query["state"]}
        if "wrongstate" in habits():
            back["state"] = "forged"
        if "deny" in habits():
            back["error"] = "access_denied"
        else:
            back["code"] = secrets.token_urlsafe(16) + "+/ ="
            codes[back["code"]] = (query["code_challenge"], redirect)
        self.answer(302, "", Location=redirect + "?" + urllib.parse.urlencode(back))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        form = dict(urllib.parse.parse_qsl(body))
        place = urllib.parse.urlsplit(self.path).path
        log(f"{place} {form.get('grant_type', '')}".strip())
        if "down" in habits():
            return self.answer(500, "down", "text/plain")
        if "html" in habits():
            return self.answer(200, "<html>", "text/html")
        if form.get("client_id") != "helix-test":
            return self.refuse("invalid_client", 401)
        if "secret" in habits() and form.get("client_secret") != "client secret &=":
            return self.refuse("invalid_client", 401)
        with lock:
            if place == "/token":
                return self.token(form)
            if place == "/revoke":
                log("revoked " + ("known" if form.get("token") in refresh | set(access) else "unknown"))
                refresh.discard(form.get("token"))
                access.clear()
                return self.answer(200, {})
            if place == "/device":
                code = secrets.token_urlsafe(16)
                devices[code] = {"user_code": "ABCD-EFGH", "agreed": False, "denied": False, "asked": 0}
                return self.answer(200, {
                    "device_code": code, "user_code": "ABCD-EFGH", "verification_uri": base + "/activate",
                    "verification_uri_complete": base + "/activate?code=ABCD-EFGH", "expires_in": 60, "interval": 1})
        self.answer(404, {})

    def token(self, form):
        kind = form.get("grant_type")
        if kind == "authorization_code":
            challenge, redirect = codes.pop(form.get("code"), (None, None))
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            if challenge != base64.urlsafe_b64encode(digest).decode().rstrip("=") or redirect != form.get("redirect_uri"):
                return self.refuse("invalid_grant")
            return self.answer(200, tokens())
        if kind == "refresh_token":
            old = form.get("refresh_token")
            if old not in refresh or "dead" in habits():
                return self.refuse("invalid_grant")
            if "same" not in habits():
                refresh.discard(old)
            return self.answer(200, tokens(keep=old))
        if kind == "urn:ietf:params:oauth:grant-type:device_code":
            device = devices.get(form.get("device_code"))
            if not device:
                return self.refuse("expired_token")
            device["asked"] += 1
            if device["denied"]:
                return self.refuse("access_denied")
            if "slow" in habits() and device["asked"] == 1:
                return self.refuse("slow_down")
            if not device["agreed"]:
                return self.refuse("authorization_pending")
            return self.answer(200, tokens())
        self.refuse("unsupported_grant_type")

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
