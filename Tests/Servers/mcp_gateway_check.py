"""Tries a gateway's /mcp with the official Python SDK, in both revisions of the protocol, and with requests that no client should
send: mcp_gateway_check.py URL READER CHANGER PLANNER WRITER, the tokens of agents: one reads everything, one changes tasks, one
events, one mail.
"""

import asyncio
import http.client
import json
import re
import socket
import sys
from urllib.parse import urlsplit

import httpx2 as httpx
import jsonschema
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

URL, READER, CHANGER, PLANNER, WRITER = sys.argv[1:6]
VERSION = "2026-07-28"
# The forms of the tools' answers, and the tools that answered.
FORMS, ANSWERED = {}, set()


def expect(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


class Checked(Client):
    """A client that checks each answer against the form that its tool promises."""

    async def list_tools(self, *words, **named):
        found = await super().list_tools(*words, **named)
        FORMS.update({tool.name: tool.output_schema for tool in found.tools})
        return found

    async def call_tool(self, name, *words, **named):
        answer = await super().call_tool(name, *words, **named)
        if not answer.is_error:
            form = FORMS[name]
            expect(form["additionalProperties"] is False and len(form["properties"]) > 1, f"{name}: the form")
            try:
                jsonschema.validate(answer.structured_content, form)
            except jsonschema.ValidationError as error:
                raise SystemExit(f"failed: {name}: {error.message[:500]} at {list(error.absolute_path)}")
            ANSWERED.add(name)
        return answer


def client(token, mode):
    own = httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30)
    return Checked(streamable_http_client(URL, http_client=own), mode=mode)


def fenced(text, what):
    """The words of others are in the answer, and only between marks."""
    expect("POISON" in text, f"{what}: the words are there")
    outside = re.sub(r"\[untrusted ([a-z0-9]+)[^\]]*\].*?\[/untrusted \1\]", "", text, flags=re.DOTALL)
    expect("POISON" not in outside, f"{what}: outside of marks: {outside[:500]}")


async def refused(call, what):
    try:
        answer = await call
    except Exception as error:  # noqa: BLE001 the SDK's errors have several classes
        return str(error)
    expect(answer.is_error, what)
    return answer.content[0].text


async def reads(mode):
    """An agent that may read sees everything, and the texts of others within marks."""
    async with client(READER, mode) as agent:
        tools = (await agent.list_tools()).tools
        names = {tool.name for tool in tools}
        expect(10 < len(tools) <= 30, "number of tools")
        expect(all(tool.annotations.read_only_hint for tool in tools), "all tools read only")
        for tool in tools:
            needed = {"id": "x", "event": "x", "thread": "1", "conversation": "x"}
            arguments = {name: needed[name] for name in tool.input_schema.get("required", [])}
            answer = await agent.call_tool(tool.name, arguments)
            # Each tool has a method behind it that takes its parameters.
            expect(not answer.is_error or arguments, f"{tool.name}: {answer.content[0].text[:300]}")
            expect("unexpected property" not in answer.content[0].text, f"{tool.name}: {answer.content[0].text[:300]}")
            expect("unknown method" not in answer.content[0].text, f"{tool.name}: {answer.content[0].text[:300]}")
        expect(not names & {"create_task", "delete_event", "draft_mail"}, "no tool that changes something")
        mail = await agent.call_tool("search_mail", {"query": "subject:invoice", "limit": 5})
        expect(mail.structured_content["results"], f"mail: {(await agent.call_tool('search_mail', {'mailbox': 'all'})).content[0].text[:500]}")
        item = mail.structured_content["results"][0]
        expect(item["subject"].startswith("[untrusted ") and "[/untrusted " in item["subject"], "a fence")
        whole = (await agent.call_tool("read_mail", {"id": item["id"]})).structured_content
        expect("Text of invoice" in whole["body"] and whole["body"].startswith("[untrusted "), "the body within a fence")
        expect("htmlBody" not in whole and "html_body" not in whole, "no HTML")
        talks = await agent.call_tool("list_conversations", {"search": "POISON"})
        talk = talks.structured_content["sessions"][0]["key"]
        for name, arguments in [
            ("search_mail", {"query": "subject:invoice"}), ("read_mail", {"id": item["id"]}),
            ("read_thread", {"thread": item["thread_id"]}), ("list_conversations", {"search": "POISON"}),
            ("read_conversation", {"conversation": talk}), ("list_events", {"query": "POISON"}),
            ("search_tasks", {"query": "POISON"}),
        ]:
            fenced((await agent.call_tool(name, arguments)).content[0].text, name)
        await resources(agent, item["id"])
        expect("at most 100" in await refused(agent.call_tool("list_tasks", {"limit": 500}), "a large limit"), "its error")
        events = await agent.call_tool("list_events", {"start": "2026-11-01", "end": "2026-12-31"})
        expect(any("Dentist" in one["title"] for one in events.structured_content["results"]), "events")
        first = await agent.call_tool("list_tasks", {"limit": 2})
        rest = await agent.call_tool("list_tasks", {"limit": 2, "offset": 2})
        ids = [one["id"] for page in (first, rest) for one in page.structured_content["items"]]
        expect(len(set(ids)) == 4, "pages")
        expect("may not use" in await refused(agent.call_tool("create_task", {"title": "x"}), "create_task"), "the refusal")
        expect("is unknown" in await refused(agent.call_tool("list_tasks", {"nonsense": 1}), "unknown argument"), "its error")
        expect("is required" in await refused(agent.call_tool("get_task", {}), "no id"), "its error")
        await refused(agent.call_tool("no_tool", {}), "unknown tool")
        return len(tools)


async def resources(agent, mail):
    """Resources are the answers of tools, and prompts are texts."""
    fixed = {str(one.uri) for one in (await agent.list_resources()).resources}
    expect(fixed == {"helix://today", "helix://inbox", "helix://week", "helix://tasks/next"}, f"resources: {fixed}")
    templates = {one.uri_template for one in (await agent.list_resource_templates()).resource_templates}
    expect(templates == {"helix://event/{id}", "helix://task/{id}", "helix://mail/{id}"}, f"templates: {templates}")
    for uri in [*fixed, f"helix://mail/{mail}"]:
        content = (await agent.read_resource(uri)).contents[0]
        expect(json.loads(content.text) and content.mime_type == "application/json", uri)
        expect("POISON" not in re.sub(r"\[untrusted ([a-z0-9]+)[^\]]*\].*?\[/untrusted \1\]", "", content.text, flags=re.DOTALL), uri)
    for uri in ["helix://mail/none", "helix://nothing", "helix://mail/../x", "helix://event/"]:
        try:
            await agent.read_resource(uri)
        except Exception as error:  # noqa: BLE001
            expect("unknown resource" in str(error), f"{uri}: {error}")
        else:
            raise SystemExit(f"failed: {uri} is read")
    prompts = {one.name for one in (await agent.list_prompts()).prompts}
    expect(prompts == {"plan-my-day", "triage-my-inbox", "weekly-review"}, f"prompts: {prompts}")
    text = (await agent.get_prompt("plan-my-day", {"day": "Friday"})).messages[0].content.text
    expect("Friday" in text and "list_events" in text, text)


async def changes(mode):
    """An agent changes what its token names, and nothing else."""
    async with client(CHANGER, mode) as agent:
        tools = {tool.name: tool for tool in (await agent.list_tools()).tools}
        expect({"create_task", "delete_task", "list_tasks"} <= tools.keys(), "tools that change")
        expect(not tools.keys() & {"search_mail", "create_event", "read_conversation"}, "no tool of other domains")
        expect([str(one.uri) for one in (await agent.list_resources()).resources] == ["helix://tasks/next"], "its resources")
        expect(tools["delete_task"].annotations.destructive_hint, "hints")
        made = await agent.call_tool("create_task", {"title": f"From an agent, {mode}", "priority": "high", "tags": ["agent"]})
        expect(not made.is_error, made.content[0].text)
        task = made.structured_content["id"]
        moved = await agent.call_tool("update_task", {"id": task, "status": "in_progress"})
        expect(moved.structured_content["status"] == "in_progress", "moved")
        await refused(agent.call_tool("update_task", {"id": task, "priority": "enormous"}), "nonsense")
        await agent.call_tool("update_task", {"id": task, "due_date": "2026-12-01", "estimated_hours": 1.5, "description": "x"})
        expect(not (await agent.call_tool("start_clock", {"task": task})).is_error, "the clock")
        expect((await agent.call_tool("get_task", {"id": task})).structured_content["estimated_hours"] == 1.5, "one task")
        other = (await agent.call_tool("create_task", {"title": "Gone"})).structured_content["id"]
        expect((await agent.call_tool("delete_task", {"id": other})).structured_content["deleted"], "deleted")
        return task


async def plans():
    """An agent changes events, but none that other people would be told about."""
    async with client(PLANNER, "auto") as agent:
        await agent.list_tools()
        made = await agent.call_tool("create_event", {"title": "Own", "start": "2026-12-07T10:00:00Z", "end": "2026-12-07T11:00:00Z"})
        own = made.structured_content["id"]
        expect(not (await agent.call_tool("get_event", {"id": own})).is_error, "one event")
        twin = (await agent.call_tool("create_event", {
            "title": "Beside", "start": "2026-12-07T10:30:00Z", "end": "2026-12-07T11:30:00Z", "location": "Here",
            "description": "x"})).structured_content["id"]
        expect((await agent.call_tool("list_conflicts", {"event": own})).structured_content["conflicts"], "conflicts")
        await agent.call_tool("delete_event", {"id": twin})
        expect(not (await agent.call_tool("update_event", {"id": own, "title": "Own, later"})).is_error, "an own event")
        found = (await agent.call_tool("list_events", {"query": "Together"})).structured_content["results"][0]
        for name, arguments in [("update_event", {"title": "x"}), ("delete_event", {})]:
            text = await refused(agent.call_tool(name, {"id": found["id"], **arguments}), name)
            expect("other people" in text, f"{name}: {text}")
        expect(not (await agent.call_tool("delete_event", {"id": own})).is_error, "its own event again")


def send(body, headers=None, method="POST", path="/mcp"):
    parts = urlsplit(URL)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, answer.headers


def strange():
    """Requests without rights, from foreign pages, and with headers that differ from the message."""
    bearer = {"Authorization": f"Bearer {READER}"}
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": VERSION}}

    def message(method, params=None, **more):
        return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}, **more})

    ping, tools = message("ping"), message("tools/list", meta)
    modern = {**bearer, "MCP-Protocol-Version": VERSION, "Mcp-Method": "tools/list"}
    expect(send(ping)[0] == 401 and send(ping)[2]["www-authenticate"].startswith("Bearer"), "no token")
    expect(send(ping, {"Authorization": "Basic " + READER})[0] == 401, "another scheme")
    expect(send(ping, {**bearer, "Origin": "https://evil.example"})[0] == 403, "a foreign page")
    expect(send(ping, bearer)[0] == 200, "a good request")
    expect(send(ping, bearer, method="GET")[0] == 405 and send(ping, bearer, method="DELETE")[0] == 405, "other methods")
    expect(send("x" * (3 << 20), bearer)[0] == 413, "a large request")
    for text, status in [("", 400), ("{", 400), ("[]", 400), ("\xff", 400), ('{"jsonrpc":"2.0","method":"x"}', 202)]:
        expect(send(text.encode("latin-1"), bearer)[0] == status, f"the message {text!r}")
    expect(send(tools, modern)[0] == 200, "a good request without a handshake")
    for headers in [
        bearer, {**modern, "Mcp-Method": "tools/call"}, {**modern, "MCP-Protocol-Version": "2025-11-25"},
        {name: value for name, value in modern.items() if name != "Mcp-Method"},
    ]:
        status, text, _ = send(tools, headers)
        expect(status == 400 and json.loads(text)["error"]["code"] == -32020, f"headers {sorted(headers)}: {status} {text}")
    call = message("tools/call", {"name": "list_boards", "arguments": {}, **meta})
    named = {**modern, "Mcp-Method": "tools/call", "Mcp-Name": "list_boards"}
    expect(send(call, named)[0] == 200 and send(call, {**named, "Mcp-Name": "get_task"})[0] == 400, "Mcp-Name")
    status, text, _ = send(message("nope", meta), {**modern, "Mcp-Method": "nope"})
    expect(status == 404 and json.loads(text)["error"]["code"] == -32601, "an unknown method")
    for text in (ping, '{"jsonrpc":"2.0","method":"notifications/initialized"}'):
        status, text, _ = send(text, {**bearer, "MCP-Protocol-Version": "1999-01-01"})
        expect(status == 400 and json.loads(text)["error"]["code"] == -32022, "an unknown revision")
    expect(send(ping, bearer, method="GET")[2]["allow"] == "POST", "the allowed method")
    # Requests behind one that is not answered yet are ignored, however many.
    for head in (b"", b"Authorization: Bearer x\r\n"):
        parts = urlsplit(URL)
        line = socket.create_connection((parts.hostname, parts.port), timeout=20)
        try:
            line.sendall(b"POST /mcp HTTP/1.1\r\nHost: x\r\n" + head + b"Content-Length: 0\r\n\r\n")
            line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 20_000)
            while line.recv(65536):
                pass
        except OSError:
            pass
        line.close()
    expect(send(ping, bearer)[0] == 200, "a good request after pipelined ones")
    # Whoever guesses waits; who has a token does not.
    statuses = [send(ping, {"Authorization": f"Bearer guess{number}"})[0] for number in range(12)]
    expect(set(statuses[:4]) == {401} and 429 in statuses, f"guesses: {statuses}")
    expect(send(ping, bearer)[0] == 200, "a good request beside guesses")


async def writes():
    """An agent changes mail, and sends none."""
    async with client(WRITER, "auto") as agent:
        names = {tool.name for tool in (await agent.list_tools()).tools}
        expect(not [name for name in names if "send" in name], "no tool that sends")
        item = (await agent.call_tool("search_mail", {"query": "subject:invoice"})).structured_content["results"][0]
        read = await agent.call_tool("mark_mail", {"id": item["id"], "is_read": True})
        expect(read.structured_content["is_read"], "read")
        labelled = await agent.call_tool("label_mail", {"id": item["id"], "label": "bills"})
        expect("bills" in str(labelled.structured_content["labels"]), "labelled")
        draft = await agent.call_tool("draft_mail", {
            "to": ["bo@x.example"], "subject": "Re: invoice", "body": "Thanks", "in_reply_to": item["id"]})
        expect(not draft.is_error, "a draft")


async def main():
    strange()
    for mode in ("auto", "legacy"):
        print(await reads(mode))
        print(await changes(mode))
    await plans()
    await writes()
    expect(ANSWERED == FORMS.keys() and len(ANSWERED) == 24, f"tools without an answer: {sorted(FORMS.keys() - ANSWERED)}")


asyncio.run(main())
