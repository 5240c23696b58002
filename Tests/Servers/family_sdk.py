"""The calls of the family's SDK at a gateway: family_sdk.py URL

It signs in with the files in ~/.openclaw that `helix gateway device-file` wrote. Calls of what this gateway has must succeed, with the
types that the SDK states; the others must fail with the gateway's own error, at once.
"""

import asyncio
import sys

from openclaw_sdk import OpenClawClient
from openclaw_sdk.core.exceptions import GatewayError

URL = sys.argv[1]


def check(condition, *values):
    """Ends with the line of a condition that does not hold."""
    if not condition:
        raise SystemExit(f"line {sys._getframe(1).f_lineno}: {values}")


CALLED, UNKNOWN = set(), set()


def recording(call):
    """The SDK's call, with a record of its methods."""
    async def recorded(method, *values, **more):
        CALLED.add(method)
        try:
            return await call(method, *values, **more)
        except GatewayError as error:
            if "unknown method" in str(error):
                UNKNOWN.add(method)
            raise
    return recorded


async def refused(call):
    try:
        result = await asyncio.wait_for(call, 10)
    except GatewayError as error:
        check(str(error), "an error without text")
        return
    raise SystemExit(f"not refused: {result}")


async def main():
    client = await OpenClawClient.connect(gateway_ws_url=URL)
    gateway = client.gateway
    gateway.call = recording(gateway.call)
    health = await gateway.health()
    check(health.healthy, health)

    # An agent answers, in pieces and whole.
    agent = client.get_agent("main", "work")
    events = []
    async for event in await agent.execute_stream("And you?"):
        events.append(event.data["payload"])
    check([event["seq"] for event in events if "state" in event] == [1], events)
    check([event.get("data", {}).get("phase") for event in events][::len(events) - 1] == ["start", "end"], events)
    await gateway.agent_wait(events[0]["runId"])
    result = await agent.execute("How are you?")
    check(result.success and result.content == "You said: How are you?", result)

    key = agent.session_key
    history = await gateway.chat_history(key)
    check([message["role"] for message in history] == ["user", "assistant"] * 2, history)
    check(all(isinstance(message["content"], list) for message in history), history)
    await gateway.chat_inject(key, "Good morning.")
    check((await gateway.chat_history(key, limit=1))[0]["content"][0]["text"] == "Good morning.")
    sent = await gateway.call("chat.send", {"sessionKey": key, "message": "Wait for me", "idempotencyKey": "sdk-1"})
    ended = await gateway.agent_wait(sent["runId"])
    check(ended["status"] == "ok" and ended["endedAt"] >= ended["startedAt"], ended)
    await gateway.chat_abort(key)

    sessions = await gateway.sessions_list()
    check([session["key"] for session in sessions] == [key], sessions)
    preview = await gateway.sessions_preview([key, "agent:main:none"])
    check([item["status"] for item in preview["previews"]] == ["ok", "missing"], preview)
    check((await gateway.sessions_resolve(key))["key"] == key)
    patched = await gateway.sessions_patch(key, {"label": "Plans"})
    check(patched["entry"]["label"] == "Plans", patched)
    await refused(gateway.sessions_patch(key, {"model": "another"}))
    check((await gateway.sessions_compact(key))["compacted"] is False)
    await gateway.sessions_reset(key)
    check(await gateway.chat_history(key) == [], "the history was not cleared")
    check((await gateway.sessions_delete(key))["ok"])
    check(await gateway.sessions_list() == [])

    check((await gateway.system_presence())["data"])
    pairs = await gateway.device_pair_list()
    check({"pending", "paired"} <= set(pairs), pairs)
    own = next(device for device in pairs["paired"] if device["displayName"] == "SDK")
    check((await gateway.device_token_rotate(own["deviceId"], "operator"))["token"])

    # This gateway has no agents of its own, nodes, skills or speech, and says so.
    for call in [
        gateway.config_get(), gateway.node_list(), gateway.skills_status(), gateway.agents_list(), gateway.tts_status(),
        gateway.models_list(), gateway.logs_tail(), gateway.usage_status(), gateway.voicewake_get(),
    ]:
        await refused(call)
    await client.close()
    for method in sorted(CALLED):
        print("unknown" if method in UNKNOWN else "works", method)


asyncio.run(main())
