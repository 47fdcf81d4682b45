#!/usr/bin/env python3
"""How what a request costs grows with the size of its world, with the worlds of the server, and with the sockets that listen.

    tests/growth/measure.py FUNDSIM_BINARY              prints the figures
    tests/growth/measure.py FUNDSIM_BINARY --draw FILE  and draws them, as SVG

Figures are processor time of the server, which is as `fundsim serve` starts it (beside sockets without its log), so a busy machine
changes them little. Sizes grow tenfold. Each thing is done until the server has worked for half a second. A minute and a half;
`--largest` leaves out sizes above it, and panels of fewer than two.
"""
import argparse
import math
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "request_log"))
import measure as request_log  # noqa: E402

JSON = {"content-type": "application/json"}
ENOUGH = 0.5


class World(request_log.Customer):
    """A world of a running server, and an account of its first client."""

    def __init__(self, server, setup):
        start = {"seed": 7, "start": request_log.START, "clock": "frozen", "setup": setup}
        made = server.call("POST", "/_sandbox/worlds", start, JSON)
        partner = made["partners"][0]
        self.server, self.id, self.headers = server, made["worldId"], server.authorised(partner)
        self.open_account(partner["clients"][0]["id"])

    def call(self, method, path, body=None):
        return self.server.call(method, path, body, self.headers)

    def fork(self):
        fork = self.server.call("POST", f"/_sandbox/worlds/{self.id}/fork", {}, JSON)
        self.server.call("DELETE", f"/_sandbox/worlds/{fork['worldId']}", None, JSON)


def each(server, act):
    """Microseconds of the server for one call of `act`, the first left out."""
    act()
    before, calls = server.seconds(), 0
    while server.seconds() - before < ENOUGH:
        for _ in range(20):
            act()
        calls += 20
    return (server.seconds() - before) / calls * 1e6


def of_accounts(server, size):
    return World(server, {"history": {"accounts": size, "days": 1}})


def of_orders(server, size):
    world = World(server, {})
    for _ in range(size):
        world.post_order()
    return world


def beside_worlds(server, size):
    for seed in range(size - 1):
        server.call("POST", "/_sandbox/worlds", {"seed": seed, "start": request_log.START, "clock": "frozen"}, JSON)
    return World(server, {})


# What is asked of a world, in this order: orders last, since they are many.
GET, LIST, FORK, POST = ("GET an account", "get_account"), ("list of 100 orders", "list_orders"), ("fork", "fork"), ("POST an order", "post_order")


def by_requests(begin, *acts):
    """Measures `acts` of the world that `begin` makes in a server of its own, by its size."""

    def measured(binary, size):
        server = request_log.Server([binary], "info", "--max-worlds", str(size + 2))
        try:
            world = begin(server, size)
            return {name: each(server, getattr(world, act)) for name, act in acts}
        finally:
            server.stop()

    return measured


def by_sockets(binary, size):
    burst = [HERE.parent / "busy_sockets" / "burst.py", binary, "--sockets", str(size), "--orders", str(max(20, 20_000 // size))]
    printed = subprocess.run(burst, check=True, capture_output=True, text=True).stdout
    alone, together = re.findall(r"([\d.]+) µs of processor a frame", printed)
    return {"a frame, alone at its moment": float(alone), "a frame of a burst": float(together)}


PANELS = {
    "accounts of the world": (by_requests(of_accounts, GET, FORK, POST), [100, 1_000, 10_000, 100_000]),
    "orders of the client": (by_requests(of_orders, GET, LIST, POST), [100, 1_000, 10_000]),
    "worlds of the server": (by_requests(beside_worlds, GET, POST), [1, 10, 100, 1_000]),
    "sockets of the client": (by_sockets, [1, 10, 100, 1_000]),
}

WIDTH, HEIGHT, LEFT, TOP, RIGHT = 360, 240, 44, 68, 30
COLOURS = ["#2563eb", "#d97706", "#059669"]


def drawn(found):
    """One panel a row of `PANELS`: sizes to the right, microseconds upwards, both tenfold a step."""
    text = lambda x, y, words, more="": f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'
    parts = []
    for number, (what, (sizes, lines)) in enumerate(found.items()):
        x0, y0 = number % 2 * WIDTH, number // 2 * (HEIGHT + 40)
        right, bottom = x0 + WIDTH - RIGHT, y0 + HEIGHT
        values = [value for line in lines.values() for value in line]
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        across = lambda at: x0 + LEFT + at * (right - x0 - LEFT) / (len(sizes) - 1)
        up = lambda value: bottom - (math.log10(value) - low) / (high - low) * (bottom - y0 - TOP)
        parts.append(text(x0 + 4, y0 + 14, f"µs of processor, by {what}", 'font-weight="600"'))
        for power in range(low, high + 1):
            y = up(10**power)
            parts.append(f'<path d="M{x0 + LEFT} {y:.1f}H{right}" stroke="currentColor" stroke-opacity=".2"/>')
            parts.append(text(x0 + LEFT - 6, y + 4, f"{10**power:,g}", 'text-anchor="end"'))
        for at, size in enumerate(sizes):
            parts.append(text(across(at), bottom + 16, f"{size:,}", 'text-anchor="middle"'))
        for at, ((name, line), colour) in enumerate(zip(lines.items(), COLOURS)):
            points = " ".join(f"{across(place):.1f},{up(value):.1f}" for place, value in enumerate(line))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
            figures = ", ".join(f"{value:.3g}" for value in line)
            parts.append(text(x0 + 4, y0 + 28 + 13 * at, f"{name}: {figures}", f'style="fill:{colour}"'))
    width, height = 2 * WIDTH, (len(found) + 1) // 2 * (HEIGHT + 40)
    style = (
        "<style>svg{color:#1f2937;background:#fff}text{fill:currentColor}"
        "@media(prefers-color-scheme:dark){svg{color:#e5e7eb;background:#111827}}</style>"
    )
    label = "Processor time of a request against sizes"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        f' font-size="11" role="img" aria-label="{label}">'
    )
    return "\n".join([head, style, *parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--draw", type=Path)
    parser.add_argument("--largest", type=int, default=1_000_000)
    arguments = parser.parse_args()
    found = {}
    for what, (measured, sizes) in PANELS.items():
        sizes = [size for size in sizes if size <= arguments.largest]
        if len(sizes) < 2:
            continue
        rows = [measured(arguments.binary, size) for size in sizes]
        lines = {name: [row[name] for row in rows] for name in rows[0]}
        found[what] = (sizes, lines)
        print(f"{what}: {', '.join(f'{size:,}' for size in sizes)}")
        for name, line in lines.items():
            print(f"  {name}: {', '.join(f'{value:.3g}' for value in line)} µs", flush=True)
    if arguments.draw:
        arguments.draw.write_text(drawn(found))


if __name__ == "__main__":
    main()
