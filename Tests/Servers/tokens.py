"""Returns the user of an OAuth 2 token (RFC 7662, in its simplest form): tokens.py DIR PORT knows 'good-token' as ana's."""

import http.server
import json
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        known = "token=good-token&" in self.path + "&"
        body = json.dumps({"active": "true", "user": "ana"} if known else {"active": "false"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
