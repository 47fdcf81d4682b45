"""Holds the JUnit file, the JSON and the page of one run against what is known to have happened."""

import json
import pathlib
import re
import sys

import html5lib
from junitparser import Error, Failure, JUnitXml, Skipped

home = pathlib.Path(sys.argv[1])
# Good, bad, two of three rows bad, both of two skipped, unreadable.
EXPECTED = {"tests": 8, "failures": 3, "errors": 1, "skipped": 2}

faults = []


def same(what, got, expected):
    if got != expected:
        faults.append(f"{what}: {got!r} instead of {expected!r}")


report = JUnitXml.fromstring((home / "junit.xml").read_bytes())
root = report._elem
for name, number in EXPECTED.items():
    count = root.get(name)
    # The library that writes the file counts skipped ones in the suites only.
    if count is not None or name != "skipped":
        same(f"{name} at the root", int(count), number)
    same(f"{name} of the suites", sum(int(suite._elem.get(name) or suite._elem.get("disabled") or 0) for suite in report), number)

cases = [case for suite in report for case in suite]
kinds = {
    "failures": sum(isinstance(result, Failure) for case in cases for result in case.result),
    "errors": sum(isinstance(result, Error) for case in cases for result in case.result),
    "skipped": sum(isinstance(result, Skipped) for case in cases for result in case.result),
}
same("cases", len(cases), EXPECTED["tests"])
for name, number in kinds.items():
    same(f"{name} among the cases", number, EXPECTED[name])
same("rows", sorted(case.name for case in cases if case.name.startswith("Rows")), ["Rows [cash 1]", "Rows [cash 2]", "Rows [cash 3]"])
for case in cases:
    seeds = [one.get("value") for one in case._elem.iter("property") if one.get("name") == "seed"]
    same(f"seed of {case.name}", len(seeds), 1)
    for result in case.result:
        if isinstance(result, Failure):
            same(f"type of {case.name}", result.type, "expectation")
            same(f"message of {case.name}", ".yaml:" in result.message and "cash" in result.message, True)
            same(f"way to repeat {case.name}", "again: fundsim run" in result.text, True)
titles = [case.name for case in cases]
same("the title with markup", any("]]> and <b>markup</b> & more" in title for title in titles), True)
same("escapes", any("\x1b" in (home / name).read_text() for name in ["junit.xml", "page.html"]), False)

results = json.loads((home / "results.json").read_text())
same("files", (results["passed"], results["failed"], results["skipped"]), (1, 3, 1))
bad = next(file for file in results["files"] if file["file"].endswith("bad.yaml"))
failure = bad["failures"][0]
same("place", (failure["place"]["line"], failure["place"]["column"]), (6, 5))
same("sides", failure["mismatches"], [{"path": "balance", "expected": "7.00", "got": "100.00"}])
same("again", bad["again"], "fundsim run stories/bad.yaml --driver in-process --seed 1")

page = (home / "page.html").read_text()
parser = html5lib.HTMLParser(strict=False)
tree = parser.parse(page)
same("faults of the page", [(place, what) for place, what, _ in parser.errors], [])


def named(name):
    return [element for element in tree.iter() if element.tag == f"{{http://www.w3.org/1999/xhtml}}{name}"]


def pictures(within=None):
    return [element for element in (within or tree).iter() if element.tag == "{http://www.w3.org/2000/svg}svg"]


def sequences():
    """The pictures of each run that failed: who did what with whom, for a desk and for a phone."""
    drawn = [one for one in named("details") if one[0].text == "Who did what with whom"]
    return [len(pictures(one)) for one in drawn]


ids = [element.get("id") for element in tree.iter() if element.get("id")]
links = [element.get("href") for element in tree.iter() if element.get("href")]
same("ids that stand twice", len(ids), len(set(ids)))
same("links that lead nowhere", [link for link in links if link[1:] not in ids], [])
same("pictures of runs that failed", sequences(), [2] * EXPECTED["failures"])
same("pictures of runs", len(pictures()) - sum(sequences()), 5)
same("pictures without words", [one for one in named("div") if one.get("role") == "group" and not one.get("aria-label")], [])
same("what is fetched", re.findall(r"(?:src=|url\(|@import|https?://)[^ ]*", page), [])

many = (home / "many.html").read_text()
parser = html5lib.HTMLParser(strict=False)
tree = parser.parse(many)
same("faults of the page of 1,000 stories", parser.errors, [])
same("stories on it", len([one for one in named("li") if (one.get("class") or "").startswith("story")]), 1000)
same("pictures on it", len(pictures()), 1000)
# What a story may weigh: an order that is settled, its drawing and its transcript.
weight = len(many) / 1000
same(f"{weight:.0f} bytes a story are within bounds", weight < 12_000, True)

same("failures first", page.index("cash of the account is not as expected") < page.index(">Good<"), True)

for fault in faults:
    print(fault, file=sys.stderr)
print(f"{len(cases)} cases, {len(faults)} faults")
sys.exit(1 if faults else 0)
