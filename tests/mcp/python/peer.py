"""The official Python SDK, version 1 or 2, told what to do by lines of JSON on stdin.

    peer.py OPTIONS

OPTIONS is JSON: over "stdio" (with command, args, env) or "http" (with url, token), era, name, and dialog: what a person does
who is shown one (see typescript.mjs). A line is {"id", "do": "tools"} or {"id", "do": "call", "tool", "input", "patience"?, "progress"?} or
{"do": "cancel", "id"}. What comes back is {"id", "result"} or {"id", "error": {code, message}}, and meanwhile
{"id", "progress"} and {"dialog"}. The first line says what was agreed upon.
"""

import json
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import anyio
from importlib.metadata import version

VERSION = int(version("mcp").split(".")[0])
OPTIONS = json.loads(sys.argv[1])
LEGACY = "2026-07-28" != OPTIONS["era"]


def tell(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def plain(model):
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")


async def on_dialog(_context, params):
    tell({"dialog": plain(params)})
    habit = next(habit for habit in OPTIONS["dialog"] if habit["about"] in params.message)
    await anyio.sleep(habit.get("after", 0) / 1000)
    if VERSION == 1:
        from mcp.types import ElicitResult
    else:
        from mcp_types import ElicitResult
    return ElicitResult(action=habit["action"], content=habit.get("content"))


def stdio_parameters():
    from mcp import StdioServerParameters

    return StdioServerParameters(command=OPTIONS["command"], args=OPTIONS["args"], env=OPTIONS["env"])


@asynccontextmanager
async def version_1():
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client
    from mcp.types import Implementation

    async with AsyncExitStack() as stack:
        if OPTIONS["over"] == "stdio":
            read, write = await stack.enter_async_context(stdio_client(stdio_parameters()))
        else:
            headers = {"authorization": f"Bearer {OPTIONS['token']}"}
            http = await stack.enter_async_context(create_mcp_http_client(headers=headers))
            read, write, _ = await stack.enter_async_context(streamable_http_client(OPTIONS["url"], http_client=http))
        info = Implementation(name=OPTIONS["name"], version="1.0.0") if "name" in OPTIONS else None
        callback = on_dialog if OPTIONS.get("dialog") else None
        session = await stack.enter_async_context(ClientSession(read, write, client_info=info, elicitation_callback=callback))
        agreed = await session.initialize()
        yield session, agreed.serverInfo, agreed.capabilities, agreed.protocolVersion


@asynccontextmanager
async def version_2():
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client
    from mcp_types import Implementation

    async with AsyncExitStack() as stack:
        if OPTIONS["over"] == "stdio":
            server = stdio_parameters()
        else:
            headers = {"authorization": f"Bearer {OPTIONS['token']}"}
            http = await stack.enter_async_context(create_mcp_http_client(headers=headers))
            server = streamable_http_client(OPTIONS["url"], http_client=http)
        client = Client(
            server,
            # Found out, not fixed: this way the client asks what the server is.
            mode="legacy" if LEGACY else "auto",
            client_info=Implementation(name=OPTIONS["name"], version="1.0.0") if "name" in OPTIONS else None,
            elicitation_callback=on_dialog if OPTIONS.get("dialog") else None,
        )
        await stack.enter_async_context(client)
        yield client, client.server_info, client.server_capabilities, client.protocol_version


async def call(client, order):
    options = {}
    if "patience" in order:
        seconds = order["patience"] / 1000
        options["read_timeout_seconds"] = timedelta(seconds=seconds) if VERSION == 1 else seconds
    if order.get("progress"):

        async def on_progress(progress, total, message):
            tell({"id": order["id"], "progress": {"progress": progress, "total": total, "message": message}})

        options["progress_callback"] = on_progress
    return await client.call_tool(order["tool"], order["input"], **options)


async def obey(client, order, scope):
    try:
        with scope:
            done = await (call(client, order) if order["do"] == "call" else client.list_tools())
            return tell({"id": order["id"], "result": plain(done)})
        tell({"id": order["id"], "error": {"message": "called off"}})
    except Exception as error:  # whatever it is, the story is told
        inner = getattr(error, "error", None)
        tell({"id": order["id"], "error": {"code": getattr(inner, "code", None), "message": f"{type(error).__name__}: {error}"}})


async def main():
    async with (version_1 if VERSION == 1 else version_2)() as (client, server, capabilities, era):
        tell({"server": plain(server), "capabilities": plain(capabilities), "era": era})
        scopes = {}
        async with anyio.create_task_group() as tasks:
            async for line in anyio.wrap_file(sys.stdin):
                order = json.loads(line)
                if order["do"] == "cancel":
                    scopes[order["id"]].cancel()
                else:
                    scopes[order["id"]] = anyio.CancelScope()
                    tasks.start_soon(obey, client, order, scopes[order["id"]])
            tasks.cancel_scope.cancel()


anyio.run(main)
