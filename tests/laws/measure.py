#!/usr/bin/env python3
"""Generated runs of every level, and how often they have put each law to the test.

    tests/laws/measure.py FUNDSIM_BINARY              makes the runs and prints what they find
    tests/laws/measure.py FUNDSIM_BINARY --check      also fails where a law's figure is not the one that `fundsim explain` shows
    tests/laws/measure.py FUNDSIM_BINARY --write      writes the figures that it shows from the next build on
    ... --save DIR                                    where findings go

The figures and the number of seeds of each level are in scenarios/fuzz/src/figures/laws.csv. One seed makes one run, so a figure that
differs means that runs have changed, or that a case is no longer counted. Exit status: 0 when no law is broken and all figures are as
expected, else 1.
"""
import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path

FIGURES = Path(__file__).parents[2] / "scenarios/fuzz/src/figures/laws.csv"


def batch(binary, level, seeds, save):
    """The report of the runs of a level; prints what it says of them."""
    words = [binary, "fuzz", "--level", level, "--seeds", f"1..{seeds + 1}", "--save", save, "--output", "json"]
    print(" ".join(words), flush=True)
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    report = json.loads(done.stdout)
    print(f"    {report['seeds']} seeds, {report['failed']} failed; digest {report['digest']}")
    for finding in report["failures"]:
        print(f"    {json.dumps(finding)}")
    return report, done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--save", default="target/findings")
    chosen = parser.parse_args()
    head, seeds, *rows = csv.reader(FIGURES.read_text().splitlines())
    levels, shown = head[1:], {law: figures for law, *figures in rows}
    holds, met = True, {}
    for level, number in zip(levels, seeds[1:], strict=True):
        report, ended_well = batch(chosen.binary, level, int(number), chosen.save)
        holds &= ended_well
        met[level] = {law: str(times) for law, times in report["laws"].items()}
    judged = set().union(*met.values())
    # Those that were known stay in their order.
    laws = [law for law in shown if law in judged] + sorted(judged - set(shown))
    figures = {law: [met[level].get(law, "") for level in levels] for law in laws}
    if chosen.write:
        with FIGURES.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head, seeds, *([law, *of_law] for law, of_law in figures.items())])
    if chosen.check and figures != shown:
        for law in {**shown, **figures}:
            if figures.get(law) != shown.get(law):
                print(f"{law}, by level {levels}: met {figures.get(law)}, and by the figures {shown.get(law)}", file=sys.stderr)
        print("where the runs were meant to change, --write writes the figures", file=sys.stderr)
        holds = False
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
