#!/usr/bin/env python3
"""Makes docs/reference/operations.md and the pages that it leads to from what the ranks' program says of itself.

usage: operations_page.py PROGRAM FOLDER             writes the pages into FOLDER
       operations_page.py PROGRAM FOLDER --check     status 1 when a page there says something else
Each operation is on the first page of PAGES with its name or a pattern of it; an operation that is on none is an error.
"""
import fnmatch
import json
import subprocess
import sys
from pathlib import Path

MADE = ("Made by `tests/bench/ranks/operations_page.py` from `plumbline-bench-ranks-FLAVOUR --describe`; a test fails when it is "
        "old.\n")

FIRST = """# Operations that can be measured

{made}
A [campaign](campaign.md) names an operation by `operation`, with sizes, an implementation and parameters:

    [[measure]]
    operation = "bcast"
    sizes = [1024, "64KiB"]
    implementation = "binomial"
    fresh_mib = 4

Sizes can also be `adaptive`, between two ends: by the rule of MPIBlib, with the numbers `stride` (1024), `min_stride` (64),
`max_diff` (0.1) and `max_num` (100).

| page | operations |
|---|---|
{pages}

Each page lists the operations first. The column *bytes* says what a size is the size of; an operation with nothing there has no
sizes. *ranks* is how many there must be at least. *parameters* have their defaults behind the `=`. Then come the
implementations that operations have beside the library's, and the meaning of the parameters.

What the operations measure, and why so, is told in [operations-measured.md](operations-measured.md); how a time comes about, and when
there are enough of them, in [measuring](../models/measuring.md).
"""

PART = """# {title}

{made}
[operations.md](operations.md) says how to read the tables, and leads to the other operations.
"""

# File, title, names.
PAGES = (
    ("operations-point-to-point.md", "Operations: point-to-point and one-sided communication",
     ("round_trip", "one_way", "exchange", "point_to_two", "bisection", "burst", "put", "get", "accumulate")),
    ("operations-collectives.md", "Operations: blocking collectives",
     ("barrier", "bcast", "gather*", "scatter*", "allgather*", "alltoall*", "reduce", "allreduce", "reduce_scatter*", "scan", "exscan",
      "bcast_scheme")),
    ("operations-nonblocking.md", "Operations: non-blocking collectives",
     ("ibarrier", "ibcast", "igather*", "iscatter*", "iallgather*", "ialltoall*", "ireduce*", "iallreduce", "iscan", "iexscan")),
    ("operations-neighbours.md", "Operations: neighbourhood collectives, grids and graphs",
     ("neighbor_*", "ineighbor_*", "cart_create", "dist_graph_create*")),
    ("operations-files.md", "Operations: files and storage", ("file_*", "storage_*")),
    ("operations-machine.md", "Operations: network, memory and clock of a machine",
     ("memory_copy", "reduce_local", "delay", "prtt", "pairs", "streams", "protocol", "progress", "overheads", "order", "queue",
      "frames")),
)


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
    rows = []
    for family in families:
        others = [name for name in family["implementations"] if name != "library"]
        if others:
            rows.append(f"| `{family['name']}` | " + ", ".join(f"`{name}`" for name in others) + " |")
    if rows:
        yield "\n## Implementations beside the library's\n"
        yield "| operation | implementations |"
        yield "|---|---|"
        yield from rows


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
        of = " (" + ", ".join(f"`{family}`" for family in where) + ")" if uses[name] > 1 else ""
        yield f"| `{name}`{of} | {'word' if is_word else 'number'} | {cell(summary)} |"


def divided(families):
    """Families of each page, in the order of PAGES."""
    of_page = {file: [] for file, _, _ in PAGES}
    for family in families:
        file = next((file for file, _, names in PAGES if any(fnmatch.fnmatchcase(family["name"], name) for name in names)), None)
        if file is None:
            sys.exit(f"operations_page.py: operation {family['name']} is on no page: add its name to one of PAGES")
        of_page[file].append(family)
    return of_page


def pages(families):
    """Texts by file."""
    of_page = divided(families)
    leads = (f"| [{title.removeprefix('Operations: ')}]({file}) | "
             + ", ".join(f"`{family['name']}`" for family in of_page[file]) + " |" for file, title, _ in PAGES)
    texts = {"operations.md": FIRST.format(made=MADE, pages="\n".join(leads))}
    for file, title, _ in PAGES:
        some = of_page[file]
        parts = [PART.format(title=title, made=MADE), *operations(some), *implementations(some), *parameters(some)]
        texts[file] = "\n".join(parts) + "\n"
    return texts


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    said = subprocess.run([program, "--describe"], check=True, capture_output=True, text=True).stdout
    old = []
    for file, text in pages(json.loads(said)["families"]).items():
        path = folder / file
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(file)
    if old:
        sys.exit(f"{folder} has old pages ({', '.join(old)}): run {' '.join(sys.argv[:3])}")


main()
