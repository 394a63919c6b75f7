#!/usr/bin/env python3
"""Makes docs/reference/operations.md from what the ranks' program says of itself.

usage: operations_page.py PROGRAM > docs/reference/operations.md
       operations_page.py PROGRAM PAGE     status 1 when PAGE says something else
"""
import json
import subprocess
import sys

INTRODUCTION = """# Operations that can be measured

Made by `tests/bench/ranks/operations_page.py` from `plumbline-bench-ranks-FLAVOUR --describe`; a test fails when it is old.

A campaign names them in `operation`, with sizes, an implementation and parameters. *bytes* is what a size is the size of;
operations without it have no sizes. *ranks*: how many there must be. What they measure, and why so:
[operations-measured.md](operations-measured.md). How a time comes about, and when there are enough of them:
[measuring](../models/measuring.md).

Sizes can also be `adaptive`, between two ends: by the rule of MPIBlib, with the numbers `stride` (1024), `min_stride` (64),
`max_diff` (0.1) and `max_num` (100).
"""


def cell(text):
    return text.replace("|", "\\|")


def named(parameter):
    if parameter["name"].endswith(".NAME"):
        return f"`{parameter['name']}`"
    default = parameter["default"]
    return f"`{parameter['name']}`" + (f" = {default}" if default else " (must be given)")


def operations(families):
    yield "## Operations\n"
    yield "| operation | what is measured | bytes | ranks | parameters |"
    yield "|---|---|---|---|---|"
    for family in families:
        parameters = ", ".join(named(parameter) for parameter in family["parameters"])
        yield (f"| `{family['name']}` | {cell(family['summary'])} | {cell(family['bytes'])} | {family['least_ranks']} | "
               f"{cell(parameters)} |")


def implementations(families):
    yield "\n## Implementations beside the library's\n"
    yield "| operation | implementations |"
    yield "|---|---|"
    for family in families:
        others = [name for name in family["implementations"] if name != "library"]
        if others:
            yield f"| `{family['name']}` | " + ", ".join(f"`{name}`" for name in others) + " |"


def parameters(families):
    meanings = {}
    for family in families:
        for parameter in family["parameters"]:
            key = (parameter["name"], parameter["summary"], parameter["is_word"])
            meanings.setdefault(key, []).append(family["name"])
    uses = {}
    for name, _, _ in meanings:
        uses[name] = uses.get(name, 0) + 1
    yield "\n## Parameters\n"
    yield "| parameter | | meaning |"
    yield "|---|---|---|"
    for (name, summary, is_word), where in sorted(meanings.items()):
        of = " (" + ", ".join(f"`{family}`" for family in where) + ")" if uses[name] > 1 and len(where) < 4 else ""
        yield f"| `{name}`{of} | {'word' if is_word else 'number'} | {cell(summary)} |"


def page(families):
    return "\n".join([INTRODUCTION, *operations(families), *implementations(families), *parameters(families)]) + "\n"


def main():
    said = subprocess.run([sys.argv[1], "--describe"], check=True, capture_output=True, text=True).stdout
    made = page(json.loads(said)["families"])
    if len(sys.argv) < 3:
        print(made, end="")
    elif open(sys.argv[2], encoding="utf-8").read() != made:
        sys.exit(f"{sys.argv[2]} is old: {' '.join(sys.argv[:2])} > {sys.argv[2]}")


main()
