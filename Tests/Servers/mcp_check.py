"""Tries helix's MCP server with the official Python SDK, in both revisions of the protocol: mcp_check.py HELIX HOME.

The home has a profile `planner` that may change tasks and the calendar. Answers with structured content are checked against the
tools' schemas by the SDK itself.
"""

import asyncio
import json
import os
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

HELIX = sys.argv[1]


def expect(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


async def refused(call, what):
    try:
        answer = await call
    except Exception as error:  # noqa: BLE001 the SDK's errors have several classes
        return str(error)
    expect(getattr(answer, "is_error", False), what)
    return answer.content[0].text


async def reads(mode):
    """Without a profile an agent reads, and changes nothing."""
    async with Client(StdioServerParameters(command=HELIX, args=["mcp"], env=dict(os.environ)), mode=mode) as client:
        tools = (await client.list_tools()).tools
        names = {tool.name for tool in tools}
        expect(10 < len(tools) <= 30, "number of tools")
        expect(all(tool.annotations.read_only_hint for tool in tools), "all tools read only")
        expect(all(tool.description and tool.input_schema["type"] == "object" and tool.output_schema for tool in tools), "typed")
        expect(not names & {"add_task", "delete_event", "undo"}, "no tool that changes something")
        for name, arguments in [
            ("today", {}), ("search", {"query": "plan"}), ("list_events", {"range": "2026-11"}), ("find_free_time", {"range": "tomorrow"}),
            ("list_conflicts", {"range": "2026-11"}), ("list_tasks", {}), ("show_board", {}), ("list_projects", {}), ("list_time", {}),
            ("report_time", {"by": "day"}), ("list_mail", {}), ("find_people", {}), ("list_chats", {}), ("list_outbox", {}),
            ("list_history", {"limit": "3"}),
        ]:
            answer = await client.call_tool(name, arguments)
            expect(not answer.is_error, f"{name}: {answer.content[0].text[:300]}")
            expect(json.loads(answer.content[0].text) == answer.structured_content, f"{name}: text and structure")
        page = await client.call_tool("list_tasks", {"limit": "2"})
        expect(page.structured_content["truncated"] and len(page.structured_content["items"]) == 2, "a page")
        rest = await client.call_tool("list_tasks", {"limit": "2", "after": page.structured_content["next"]})
        expect(rest.structured_content["items"][0]["id"] != page.structured_content["items"][0]["id"], "the next page")
        large = await client.call_tool("list_tasks", {"limit": "all"})
        expect(len(large.content[0].text) <= 60_000 and large.structured_content["truncated"], "the budget")
        expect("may not use" in await refused(client.call_tool("add_task", {"text": "x"}), "add_task"), "the refusal")
        expect("unknown" in await refused(client.call_tool("list_tasks", {"nonsense": 1}), "unknown argument"), "its error")
        expect("NOT_FOUND" in await refused(client.call_tool("show", {"id": "zzzz"}), "unknown id"), "its code")
        expect("is required" in await refused(client.call_tool("show", {}), "no id"), "its error")
        await refused(client.call_tool("no_tool", {}), "unknown tool")
        # A value is never an option, a path or another command.
        hostile = await client.call_tool("list_events", {"calendar": ["--help"]})
        expect(hostile.is_error and "NOT_FOUND" in hostile.content[0].text, "a value like an option")
        expect({str(one.uri) for one in (await client.list_resources()).resources} >= {"helix://today", "helix://inbox"}, "resources")
        today = await client.read_resource("helix://today")
        expect(json.loads(today.contents[0].text)["schema"].startswith("helix.today"), "today")
        await refused(client.read_resource("helix://task/../../etc"), "a strange address")
        task = page.structured_content["items"][0]["id"]
        shown = await client.read_resource(f"helix://task/{task}")
        expect(json.loads(shown.contents[0].text)["id"] == task, "a task")
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        expect(prompts == {"plan-my-day", "triage-my-inbox", "weekly-review"}, "prompts")
        text = (await client.get_prompt("plan-my-day", {"day": "friday"})).messages[0].content.text
        expect("friday" in text, "a prompt")
        return len(tools)


async def changes(mode):
    """Under a profile it changes what that allows, and undoes it."""
    server = StdioServerParameters(command=HELIX, args=["--as", "planner", "mcp"], env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        expect({"add_task", "add_event", "delete_task", "undo"} <= tools.keys(), "tools that change")
        expect(not tools.keys() & {"add_time", "draft_mail"}, "no tool of other domains")
        expect(tools["delete_task"].annotations.destructive_hint and not tools["add_task"].annotations.destructive_hint, "hints")
        added = await client.call_tool("add_task", {"text": "From an agent due:fri", "tag": ["agent", "week"], "priority": "high"})
        expect(not added.is_error, added.content[0].text)
        task = added.structured_content["items"][0]["id"]
        done = await client.call_tool("complete_task", {"id": task})
        expect(not done.is_error, "done")
        event = await client.call_tool("add_event", {"text": "Agent's meeting 2026-11-20 10:00 for 1h", "on_conflict": "allow"})
        expect(not event.is_error, event.content[0].text)
        expect("error" in await refused(client.call_tool("edit_task", {"id": task, "assignee": 3.5, "due": "blurp"}), "nonsense"), "e")
        history = await client.call_tool("list_history", {"by": "planner"})
        runs = {item["run"] for item in history.structured_content["items"]}
        for run in runs:
            undone = await client.call_tool("undo", {"run": run})
            expect(not undone.is_error, undone.content[0].text)
        left = await client.call_tool("search", {"query": "agent"})
        expect(left.structured_content["items"] == [], "all is undone")
        return len(tools)


async def main():
    print(await asyncio.gather(*[body(mode) for mode in ("auto", "legacy") for body in (reads,)]))
    for mode in ("auto", "legacy"):
        print(await changes(mode))


asyncio.run(main())
