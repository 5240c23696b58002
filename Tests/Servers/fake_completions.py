"""An assistant that uses OpenAI's protocol and echoes its input: fake_completions.py FOLDER PORT KIND

KIND: echo (streams), slow (streams for a long time), whole (does not stream), locked (requires the key 'sesame'), broken (fails
halfway), cut (breaks the connection), leaks (returns its key), busy, script (answers by FOLDER/script.json: a list of rules
{"if": text, "reply": text, "finish": reason, "calls": [{"name": …, "arguments": {…}}]}, of which the first counts whose text is in the last message
or in the first one). Requests are logged in FOLDER/requests.jsonl.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER, PORT, KIND = sys.argv[1], int(sys.argv[2]), sys.argv[3]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def is_let_in(self):
        if KIND == "locked" and self.headers.get("Authorization") != "Bearer sesame":
            self.answer(401, {"error": {"message": "no key, no answer"}})
            return False
        return True

    def do_GET(self):
        if self.is_let_in():
            self.answer(200, {"data": [{"id": "first-model"}, {"id": "second-model"}]})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.is_let_in():
            return
        with open(f"{FOLDER}/requests.jsonl", "a") as file:
            file.write(json.dumps(request) + "\n")
        if KIND == "leaks":
            return self.answer(500, {"error": {"message": "boom " + self.headers.get("Authorization", "")}})
        if KIND == "busy":
            return self.answer(429, {"error": {"message": "too many"}})
        text = f"You said: {request['messages'][-1]['content']}"
        if KIND == "script":
            return self.follow_script(request["messages"])
        if KIND == "whole":
            return self.answer(200, {"choices": [{"message": {"role": "assistant", "content": text}}]})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        pieces = [text[at:at + 4] for at in range(0, len(text), 4)]
        if KIND == "slow":
            pieces = pieces + [" and so on"] * 150
        try:
            for number, piece in enumerate(pieces):
                if KIND == "broken" and number == 2:
                    self.wfile.write(b'data: {"error": {"message": "it broke"}}\r\n\r\n')
                    break
                if KIND == "cut" and number == 2:
                    self.close_connection = True
                    return
                event = {"choices": [{"index": 0, "delta": {"content": piece}}]}
                self.wfile.write(f": note\r\ndata: {json.dumps(event)}\r\n\r\n".encode())
                self.wfile.flush()
                if KIND == "slow":
                    time.sleep(0.1)
            self.wfile.write(b"data: [DONE]\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            with open(f"{FOLDER}/broken-off", "w"):
                pass
        self.close_connection = True


    def follow_script(self, messages):
        with open(f"{FOLDER}/script.json") as file:
            rules = json.load(file)
        last, first = messages[-1]["content"], messages[0]["content"]
        rule = next((r for r in rules if r["if"] in last), None) or next((r for r in rules if r["if"] in first), None)
        if rule is None:
            return self.answer(500, {"error": {"message": "no rule for: " + last[:300]}})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        reply = rule.get("reply", "")
        parts = [{"content": reply[at:at + 7]} for at in range(0, len(reply), 7)]
        for index, call in enumerate(rule.get("calls", [])):
            arguments = json.dumps(call["arguments"])
            parts.append({"tool_calls": [{"index": index, "id": f"call-{index}", "type": "function",
                                          "function": {"name": call["name"], "arguments": ""}}]})
            parts += [{"tool_calls": [{"index": index, "function": {"arguments": arguments[at:at + 5]}}]}
                      for at in range(0, len(arguments), 5)]
        for part in parts:
            self.wfile.write(f"data: {json.dumps({'choices': [{'index': 0, 'delta': part}]})}\n\n".encode())
        end = {"choices": [{"index": 0, "delta": {}, "finish_reason": rule.get("finish", "tool_calls" if rule.get("calls") else "stop")}],
               "usage": {"total_tokens": 100}}
        self.wfile.write(f"data: {json.dumps(end)}\n\ndata: [DONE]\n\n".encode())
        self.close_connection = True


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
