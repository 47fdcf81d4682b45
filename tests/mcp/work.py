"""A client of the Model Context Protocol that knows nothing of fundsim works a running `fundsim serve` through `fundsim mcp`.

usage: work.py FUNDSIM_BINARY

Lists tools and documents, opens an account, buys, moves the clock until the order has settled, asks why, is refused, goes back, forks,
plays stories that pass and fail, and records. Once more with a partner's credentials on a server whose machinery is the operator's.
"""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request

from jsonschema import Draft202012Validator
from mcp import ClientSession, StdioServerParameters, stdio_client

TOKEN_LIFE = 1
FUND = "SE0SBX000016SEK"
STORY = "scenario: an account has its cash\nsteps:\n  - open account: { as: anna, cash: 1000 }\n  - expect cash of {anna}: "


def serve(program, *flags):
    """A server with a frozen clock, and what it says of itself."""
    command = [program, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--seed", "42", "--clock", "frozen",
               "--start", "2026-03-02T08:00:00+01:00", *flags]
    environment = {**os.environ, "OPERATOR": "an operator's token"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    return server, json.loads(server.stdout.readline())


async def with_tools(program, arguments, environment, work):
    parameters = StdioServerParameters(command=program, args=["mcp", *arguments], env={"PATH": os.environ["PATH"], **environment})
    async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as session:
        await session.initialize()

        async def call(tool, /, is_refused=False, **fields):
            result = await session.call_tool(tool, fields)
            text = result.content[0].text
            assert bool(result.is_error) == is_refused, f"{tool} {fields}: {text}"
            return text

        await work(session, call)


async def works(session, call):
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    for name in ("explain", "read", "list_worlds", "fork_world", "advance", "why", "record", "run", "readiness", "subscribe", "reject"):
        assert name in tools, name
    for tool in tools.values():
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.description and tool.annotations.read_only_hint is not None, tool.name
    assert tools["why"].annotations.read_only_hint and not tools["advance"].annotations.read_only_hint
    assert tools["drop_world"].annotations.destructive_hint and not tools["subscribe"].annotations.destructive_hint

    documents = [str(document.uri) for document in (await session.list_resources()).resources]
    assert "fundsim://rules/orders" in documents and "fundsim://openapi/partner" in documents, documents
    rules = await session.read_resource("fundsim://rules/orders")
    assert rules.contents[0].text.startswith("# Orders"), rules
    described = json.loads((await session.read_resource("fundsim://openapi/levers")).contents[0].text)
    assert "/simulations/account" in described["paths"]

    account = json.loads(await call("open_account", type="isk", cash=10000))["id"]
    order = json.loads(await call("subscribe", account=account, instrument=FUND, amount=2500.5))["id"]
    refused = await call("subscribe", is_refused=True, account=account, instrument=FUND, amount=1000000)
    assert "answered 400 invalid_request: amount exceeds the available cash" in refused, refused
    slip = await call("subscribe", is_refused=True, account=account, instrumnt=FUND, amount=1)
    assert "did you mean `instrument`?" in slip, slip
    advanced = json.loads(await call("advance", until="settlement", order=order))
    assert json.loads(await call("read_clock"))["now"] == advanced["now"]
    assert json.loads(await call("read", path=f"/order/{order}"))["status"] == "settled"
    why = await call("why", id=order)
    assert "orders: Received on Accept -> Pending, Book" in why and "request" in why, why
    requests = json.loads(await call("list_requests", limit=3, status=400))
    assert len(requests["requests"]) == 1, requests

    fork = json.loads(await call("fork_world", name="before", at="2026-03-02T07:00:00.000Z"))["worldId"]
    assert json.loads(await call("read_clock", world=fork))["now"] == "2026-03-02T07:00:00.000Z"
    which = await call("rewind_world", is_refused=True, to="2026-03-02T07:00:00.000Z")
    assert fork in which, which
    await call("drop_world", world=fork)
    assert len(json.loads(await call("list_worlds"))) == 1

    assert (await call("run", story=STORY + "1000\n")).startswith("ok "), "on the server"
    assert (await call("run", story=STORY + "1000\n", on="here")).startswith("ok "), "in the program"
    failed = await call("run", is_refused=True, story=STORY + "999\n")
    assert "FAIL" in failed and "the cash of the account is not as expected" in failed, failed
    assert "did you mean `open account`?" in await call("check", is_refused=True, story="scenario: x\nsteps: [opn account: {}]\n")
    assert "open account:" in await call("record")
    assert "% ready" in await call("readiness")
    assert "HoldBooked" in await call("explain", topic="orders")
    unknown = await call("explain", is_refused=True, topic="ordres")
    assert "did you mean `orders`?" in unknown, unknown


async def acts_by_the_token(session, call):
    account = json.loads(await call("open_account", type="isk", cash=1000))["id"]
    assert json.loads(await call("read", path=f"/account/{account}"))["balance"] == 1000
    for refused in (
        await call("list_worlds", is_refused=True),
        await call("make_world", is_refused=True),
        await call("read_world", is_refused=True, world="world-9"),
        await call("advance", is_refused=True, by="P1D"),
    ):
        assert "answered 403" in refused, refused
    story = await call("run", is_refused=True, story=STORY + "1000\n")
    assert "on: here" in story, story
    await call("run", story=STORY + "1000\n", on="here")


def operates(line, method, path, body):
    """A request by the operator's right."""
    headers = {"authorization": "Bearer an operator's token", "content-type": "application/json"}
    request = urllib.request.Request(line["url"] + path, json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


async def renews_its_token(session, call):
    await call("read_clock")
    await asyncio.sleep(TOKEN_LIFE + 0.5)
    await call("open_account", type="isk", cash=1000)
    await asyncio.sleep(TOKEN_LIFE + 0.5)
    await call("read_clock")


async def only_reads(session, call):
    tools = (await session.list_tools()).tools
    assert tools and all(tool.annotations.read_only_hint for tool in tools)
    await call("read_clock")


def main(program):
    server, line = serve(program)
    try:
        asyncio.run(with_tools(program, ["--url", line["url"]], {}, works))
        asyncio.run(with_tools(program, ["--url", line["url"], "--read-only"], {}, only_reads))
    finally:
        server.terminate()
        server.wait()
    server, line = serve(program, "--operator-token-env", "OPERATOR")
    partner = line["worlds"][0]["partners"][0] if "worlds" in line else line["partners"][0]
    try:
        credentials = {"FUNDSIM_CLIENT_ID": partner["clientId"], "FUNDSIM_CLIENT_SECRET": partner["clientSecret"]}
        asyncio.run(with_tools(program, ["--url", line["url"]], credentials, acts_by_the_token))
        world = line["worlds"][0]["worldId"] if "worlds" in line else line["worldId"]
        operates(line, "PATCH", f"/_sandbox/worlds/{world}/settings", {"tokenLifeSeconds": TOKEN_LIFE})
        asyncio.run(with_tools(program, ["--url", line["url"]], credentials, renews_its_token))
    finally:
        server.terminate()
        server.wait()
    print("an outside client of the Model Context Protocol works the sandbox: 4 passed, 0 failed")


main(sys.argv[1])
