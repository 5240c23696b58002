"""An HTTP server that keeps the requests it gets: notice_sink.py FOLDER PORT [tls].

With tls, FOLDER/cert.pem is its certificate, for localhost.

Each request is a line of JSON in FOLDER/requests.jsonl. A path with /fail answers with 500, twice; one with /refuse always.
"""

import http.server
import json
import ssl
import subprocess
import sys

folder, port = sys.argv[1], int(sys.argv[2])
failures = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode("utf-8", "replace")
        count = failures[self.path] = failures.get(self.path, 0) + 1
        fails = "/refuse" in self.path or "/fail" in self.path and count <= 2
        with open(f"{folder}/requests.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({
                "path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()}, "body": body,
                "failed": fails,
            }) + "\n")
        self.send_response(500 if fails else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


uses_tls = sys.argv[3:] == ["tls"]
if uses_tls:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
# Its port is open only once the certificate is there.
server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
if uses_tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
