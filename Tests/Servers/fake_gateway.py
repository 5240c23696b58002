"""A gateway of the OpenClaw family, with behaviour that helix's own does not have: fake_gateway.py FOLDER PORT KIND

Its schemas are closed, as those of the family are: a field that they lack is refused. It answers as docs/gateway.md describes other gateways. KIND: v3, v4 (chat alone), pairing (approves no device), silent (sends
nothing), mute (no responses after hello), noise (invalid frames), closing (closes each connection), starting (not ready yet), gap
(events are lost), agent3, agent4 (an agent that echoes its input, streamed as in that version; "go on" never ends).
"""

import asyncio
import base64
import hashlib
import json
import sys

import websockets
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FOLDER, PORT, KIND = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def refusal(frame, code, message, **more):
    return json.dumps({"type": "res", "id": frame["id"], "ok": False, "error": {"code": code, "message": message, **more}})


SESSIONS = {"agent:main:main": [{"role": "user", "content": "old question", "timestamp": 1750000000000},
                                {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"},
                                                                  {"type": "text", "text": "old answer"}],
                                 "timestamp": 1750000001000}]}
SEEN, RUNNING, CLOCK = {}, {}, [1750000002000]


# The fields that a request may have.
FIELDS = {
    "connect": {"minProtocol", "maxProtocol", "client", "caps", "commands", "permissions", "pathEnv", "role", "scopes", "device",
                "auth", "locale", "userAgent"},
    "chat.send": {"sessionKey", "message", "thinking", "deliver", "attachments", "timeoutMs", "idempotencyKey"},
    "chat.history": {"sessionKey", "limit"},
    "chat.abort": {"sessionKey", "runId"},
    "sessions.list": {"limit", "activeMinutes", "includeGlobal", "includeUnknown", "includeDerivedTitles", "includeLastMessage",
                      "label", "spawnedBy", "agentId", "search"},
}


def unknown(frame):
    """The refusal of a frame with a field that its schema lacks; None if it has none."""
    if set(frame) - {"type", "id", "method", "params"}:
        return refusal(frame, "INVALID_REQUEST", "invalid request frame")
    more = set(frame.get("params", {})) - FIELDS.get(frame["method"], set(frame.get("params", {})))
    client = set(frame["params"]["client"]) if frame["method"] == "connect" else set()
    more |= client - {"id", "displayName", "version", "platform", "deviceFamily", "modelIdentifier", "mode", "instanceId"}
    if more:
        return refusal(frame, "INVALID_REQUEST", f"invalid {frame['method']} params: unexpected property '{min(more)}'")
    return None


def is_signed(params):
    """Whether the device signed what its request says, in the second or third form."""
    device, client = params["device"], params["client"]
    key, signature = (base64.urlsafe_b64decode(device[name] + "==") for name in ("publicKey", "signature"))
    parts = [device["id"], client["id"], client["mode"], params["role"], ",".join(params["scopes"]), str(device["signedAt"]),
             params["auth"].get("token", ""), device["nonce"]]
    more = [client["platform"].lower(), client.get("deviceFamily", "").lower()]
    for text in ("|".join(["v2"] + parts), "|".join(["v3"] + parts + more)):
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, text.encode())
            return device["id"] == hashlib.sha256(key).hexdigest() and device["nonce"] == "n-1"
        except InvalidSignature:
            continue
    return False


def now():
    CLOCK[0] += 1000
    return CLOCK[0]


async def run(socket, session, key, text):
    """Echoes the text, word by word."""
    words = [] if text == "only history" else text.split()
    if text == "go on":
        words = ["on"] * 1000
    said, number = "", 0

    async def tell(state, **more):
        event = {"runId": key, "sessionKey": session, "seq": number, "state": state, **more}
        await socket.send(json.dumps({"type": "event", "event": "chat", "payload": event}))

    for word in words:
        number += 1
        said = f"{said} {word}".strip()
        message = {"role": "assistant", "content": [{"type": "text", "text": said}], "timestamp": CLOCK[0]}
        if KIND == "agent3":
            await tell("delta", message=message)
        elif number == 1:
            await tell("delta", deltaText=word, message=message)
        else:
            await tell("delta", deltaText=f" {word}")
        await asyncio.sleep(0.02)
        if RUNNING.get(key) == "stop":
            await tell("aborted", stopReason="rpc")
            return
    message = {"role": "assistant", "content": [{"type": "text", "text": said or text}], "timestamp": now()}
    SESSIONS[session].append(message)
    # The final event may lack the text: then the client requests it.
    await tell("final", **({} if text in ("silent end", "only history") else {"message": message}))


async def agent(socket, frame):
    params = frame.get("params", {})
    key = params.get("sessionKey")
    if frame["method"] == "sessions.list":
        return {"ts": CLOCK[0], "count": len(SESSIONS), "sessions": [
            {"key": name, "kind": "direct", "updatedAt": lines[-1]["timestamp"], "derivedTitle": f"About {name[-4:]}"}
            for name, lines in SESSIONS.items() if lines]}
    if frame["method"] == "chat.history":
        lines = SESSIONS.get(key, [])
        if KIND == "agent4":
            lines = [{**line, "__openclaw": {"id": f"{key}-{at}", "seq": at}} for at, line in enumerate(lines)]
        return {"sessionKey": key, "messages": lines, "thinkingLevel": "off"}
    if frame["method"] == "chat.send":
        run_id = params["idempotencyKey"]
        if run_id in SEEN:
            return {"runId": run_id, "status": "ok"}
        SEEN[run_id] = True
        with open(f"{FOLDER}/sent.jsonl", "a") as file:
            file.write(json.dumps(params) + "\n")
        SESSIONS.setdefault(key, []).append({"role": "user", "content": params["message"], "timestamp": now()})
        RUNNING[run_id] = "go"
        asyncio.ensure_future(run(socket, key, run_id, params["message"]))
        return {"runId": run_id, "status": "started"}
    if frame["method"] == "chat.abort":
        RUNNING[params["runId"]] = "stop"
        return {"ok": True, "aborted": True, "runIds": [params["runId"]]}
    return None


async def serve(socket, _path):
    if KIND == "silent":
        await asyncio.sleep(3600)
    if KIND == "noise":
        await socket.send("this is no frame")
        await asyncio.sleep(3600)
    await socket.send(json.dumps({"type": "event", "event": "connect.challenge", "payload": {"nonce": "n-1", "ts": 1750000000000}}))
    frame = json.loads(await socket.recv())
    with open(f"{FOLDER}/connect.json", "w") as file:
        json.dump(frame, file)
    if unknown(frame):
        await socket.send(unknown(frame))
        return await socket.close(1008, "invalid connect params")
    if not is_signed(frame["params"]):
        await socket.send(refusal(frame, "INVALID_REQUEST", "device signature invalid"))
        return await socket.close(1008, "device signature invalid")
    if KIND == "closing":
        return await socket.close(1008, "unauthorized: go away")
    if KIND == "pairing":
        await socket.send(refusal(frame, "NOT_PAIRED", "pairing required", details={"code": "PAIRING_REQUIRED", "requestId": "req-42"}))
        return await socket.close(1008, "pairing required")
    if KIND == "starting":
        await socket.send(refusal(frame, "UNAVAILABLE", "starting", retryable=True, retryAfterMs=500, details={"reason": "startup-sidecars"}))
        return await socket.close(1013, "starting")
    hello = {"type": "hello-ok", "protocol": 3 if KIND in ("v3", "agent3") else 4, "server": {"version": "2026.5.12", "connId": "c"},
             "features": {"methods": ["chat.send", "chat.history"], "events": ["chat", "tick"]}, "snapshot": {"presence": []},
             "policy": {"maxPayload": 1024, "maxBufferedBytes": 4096, "tickIntervalMs": 15000}, "unknown": {"field": 1}}
    if KIND.startswith("agent"):
        hello["policy"]["maxPayload"] = 524288
        hello["snapshot"]["sessionDefaults"] = {"mainSessionKey": "agent:main:main"}
    if KIND not in ("v3", "agent3"):
        hello["auth"] = {"role": "operator", "scopes": ["operator.read"]}
    await socket.send(json.dumps({"type": "res", "id": frame["id"], "ok": True, "payload": hello}))
    async for text in socket:
        frame = json.loads(text)
        if KIND == "mute":
            continue
        if unknown(frame):
            await socket.send(unknown(frame))
            continue
        if KIND.startswith("agent"):
            payload = await agent(socket, frame)
            if payload is not None:
                await socket.send(json.dumps({"type": "res", "id": frame["id"], "ok": True, "payload": payload}))
            else:
                await socket.send(refusal(frame, "INVALID_REQUEST", f"unknown method: {frame['method']}"))
            continue
        await socket.send(json.dumps({"type": "event", "event": "strange", "payload": None, "seq": 1, "more": True}))
        if frame["method"] == "chat.history":
            await socket.send(json.dumps({"type": "res", "id": "another", "ok": True, "payload": {}}))
            await socket.send(json.dumps({"type": "res", "id": frame["id"], "ok": True, "payload": {"messages": ["\u001b[31mred"]}}))
        elif frame["method"] == "payload.only":
            await socket.send(json.dumps({"type": "res", "id": frame["id"], "ok": False, "payload": {"summary": "it broke"}}))
        elif frame["method"] == "limited":
            await socket.send(refusal(frame, "RATE_LIMIT_EXCEEDED", "slow down", retryable=True, retryAfterMs=2500))
        elif KIND == "v3":
            # Users who are not administrators get a missing scope for unknown methods.
            await socket.send(refusal(frame, "INVALID_REQUEST", "missing scope: operator.admin"))
        else:
            await socket.send(refusal(frame, "INVALID_REQUEST", f"unknown method: {frame['method']}"))


async def main():
    async with websockets.serve(serve, "127.0.0.1", PORT, compression=None, ping_interval=None):
        await asyncio.sleep(3600)


asyncio.run(main())
