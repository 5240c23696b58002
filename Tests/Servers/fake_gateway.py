"""A gateway as the OpenClaw family has them, for what helix's own does not do: fake_gateway.py FOLDER PORT KIND

It answers as docs/gateway.md says of other gateways. KIND: v3, v4 (chat alone), pairing (lets nobody in), silent (says nothing),
mute (no answers after hello), noise (no frames), closing (ends each connection), starting (not ready yet), gap (events are lost).
"""

import asyncio
import json
import sys

import websockets

FOLDER, PORT, KIND = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def refusal(frame, code, message, **more):
    return json.dumps({"type": "res", "id": frame["id"], "ok": False, "error": {"code": code, "message": message, **more}})


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
    if KIND == "closing":
        return await socket.close(1008, "unauthorized: go away")
    if KIND == "pairing":
        await socket.send(refusal(frame, "NOT_PAIRED", "pairing required", details={"code": "PAIRING_REQUIRED", "requestId": "req-42"}))
        return await socket.close(1008, "pairing required")
    if KIND == "starting":
        await socket.send(refusal(frame, "UNAVAILABLE", "starting", retryable=True, retryAfterMs=500, details={"reason": "startup-sidecars"}))
        return await socket.close(1013, "starting")
    hello = {"type": "hello-ok", "protocol": 3 if KIND == "v3" else 4, "server": {"version": "2026.5.12", "connId": "c"},
             "features": {"methods": ["chat.send", "chat.history"], "events": ["chat", "tick"]}, "snapshot": {"presence": []},
             "policy": {"maxPayload": 1024, "maxBufferedBytes": 4096, "tickIntervalMs": 15000}, "unknown": {"field": 1}}
    if KIND != "v3":
        hello["auth"] = {"role": "operator", "scopes": ["operator.read"]}
    await socket.send(json.dumps({"type": "res", "id": frame["id"], "ok": True, "payload": hello}))
    async for text in socket:
        frame = json.loads(text)
        if KIND == "mute":
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
            # Whoever is no administrator is told of a missing right for what is not there.
            await socket.send(refusal(frame, "INVALID_REQUEST", "missing scope: operator.admin"))
        else:
            await socket.send(refusal(frame, "INVALID_REQUEST", f"unknown method: {frame['method']}"))


async def main():
    async with websockets.serve(serve, "127.0.0.1", PORT, compression=None, ping_interval=None):
        await asyncio.sleep(3600)


asyncio.run(main())
