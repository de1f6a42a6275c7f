"""A client of the Python SDK for tests: agent.py http|sse URL, or agent.py stdio COMMAND...

It writes a line of JSON when it is connected, and another for each line that it reads, after a call.
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

TOOL = "pay_get_wallet_balance"
PATIENCE_S = 0.7


def say(**outcome):
    print(json.dumps(outcome), flush=True)


def connect(kind, target, *args):
    if kind == "http":
        return streamable_http_client(target)
    if kind == "sse":
        return sse_client(target)
    return stdio_client(StdioServerParameters(command=target, args=list(args), env=dict(os.environ)))


def reason(error):
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


async def main():
    async with connect(*sys.argv[1:]) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        say(text="connected")
        while await asyncio.to_thread(sys.stdin.readline):
            try:
                result = await asyncio.wait_for(session.call_tool(TOOL, {}), PATIENCE_S)
                say(text=result.content[0].text)
            except Exception as error:
                say(error=reason(error))


try:
    asyncio.run(main())
except BaseException as error:
    say(error=reason(error))
    # A thread that reads standard input would keep the process.
    os._exit(1)
