#!/usr/bin/env python3
"""Makes docs/notebook/inside-of-collectives.md from the points that bin/collectives_inside_test has compared (PLUMBLINE_INTERNALS_TABLE).

usage: internals_page.py TABLE.tsv > docs/notebook/inside-of-collectives.md
A line of the table: library, operation (with + when its operator does not commute, with = in place), ranks, bytes, algorithm, equal or
different. What is not about these points is in internals_page.md beside this file.
"""
import pathlib
import sys

LIBRARIES = {"openmpi": "Open MPI 4.1.4", "mpich": "MPICH 4.0.2"}


def read(path):
    points = {}
    for line in path.read_text().splitlines():
        library, operation, ranks, size, algorithm, verdict = line.split("\t")
        name = algorithm.split(" ", 2)[2]  # behind library and operation
        points.setdefault(library, {})[operation, int(size), int(ranks)] = (name, verdict == "equal")
    return points


def human(size):
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


def summary(points):
    lines = ["| | points | ranks | equal, message by message | different |", "|---|---|---|---|---|"]
    for library, mine in points.items():
        equal = sum(good for _, good in mine.values())
        ranks = sorted({ranks for _, _, ranks in mine})
        lines.append(f"| {LIBRARIES[library]} | {len(mine)} | {', '.join(map(str, ranks))} | {equal} | {len(mine) - equal} |")
    return "\n".join(lines)


def table(mine):
    """Rows of consecutive sizes with the same choices are one."""
    all_ranks = sorted({ranks for _, _, ranks in mine})
    lines = ["| operation | bytes | " + " | ".join(f"{n}" for n in all_ranks) + " |",
             "|---|---|" + "---|" * len(all_ranks)]
    operations = list(dict.fromkeys(operation for operation, _, _ in mine))
    for operation in sorted(operations):
        rows = []
        for size in sorted({size for name, size, _ in mine if name == operation}):
            cells = []
            for ranks in all_ranks:
                name, good = mine.get((operation, size, ranks), ("", True))
                cells.append(name if good else f"**not {name}**")
            if rows and rows[-1][2] == cells:
                rows[-1][1] = size
            else:
                rows.append([size, size, cells])
        for first, last, cells in rows:
            sizes = "" if operation in ("barrier", "ibarrier") else human(first) if first == last else f"{human(first)} .. {human(last)}"
            lines.append(f"| {operation} | {sizes} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    points = read(pathlib.Path(sys.argv[1]))
    page = (pathlib.Path(__file__).with_name("internals_page.md")).read_text()
    tables = "\n\n".join(f"### {LIBRARIES[library]}\n\n{table(mine)}" for library, mine in points.items())
    sys.stdout.write(page.replace("@SUMMARY@", summary(points)).replace("@TABLES@", tables))


if __name__ == "__main__":
    main()
