#!/usr/bin/env python3
"""What benchmarks of three kinds call the time of a broadcast, measured on this machine and simulated: the table and the
plots of docs/notebook/broadcasts-in-a-loop.md.

usage: schemes.py BUILD_DIRECTORY [RESULT.h5]

Runs tests/perf/schemes.toml (some minutes; not where a result is given), prints the table, and draws
docs/figures/schemes-*.svg.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE.parent.parent / "docs/figures"
SCHEMES = ("isolated", "loop", "rotating root")
TREES = ("chain", "binomial")
SIMULATED = ("tcp", "gm")


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def measure(plumbline, result):
    status = subprocess.run([plumbline, "bench", HERE / "schemes.toml", "-o", result, "--force"]).returncode
    if status not in (0, 5):  # 5: not all was measured, which the result says
        sys.exit(status)


def rows_of(plumbline, result):
    rows = {}
    for row in json.loads(output_of(plumbline, "bench", "show", result, "--json"))["rows"]:
        key = row["mpi"], row["nodes"] * row["per_node"], row["bytes"], row["implementation"], row["words"]["scheme"]
        rows[key] = row
    return rows


def rounded(seconds):
    return f"{float(f'{seconds * 1e6:.3g}'):g}"


def microseconds(row):
    if row is None or "median_s" not in row:
        return "–"
    low, high = row.get("interval_s", [min(row["run_medians_s"]), max(row["run_medians_s"])])
    return f"{rounded(row['median_s'])} ({rounded(low)} .. {rounded(high)})"


def print_table(rows):
    print("| MPI | ranks | bytes | " + " | ".join(f"{tree}, {scheme.replace('isolated', 'synchronised')}"
                                                    for tree in TREES for scheme in SCHEMES) + " |")
    print("|---" * 9 + "|")
    for mpi, ranks, size in sorted({key[:3] for key in rows}):
        print(f"| {mpi} | {ranks} | {size} | " +
              " | ".join(microseconds(rows.get((mpi, ranks, size, tree, scheme))) for tree in TREES
                         for scheme in SCHEMES) + " |")


def draw(plumbline, result, mpi):
    print(output_of(plumbline, "bench", "plot", result, "--mpi", mpi, "--size", "1", "--over", "ranks", "--force",
                    "--title", f"The time of a broadcast of 1 B by three schemes: {mpi}, one machine",
                    "-o", FIGURES / f"schemes-{mpi}.svg"), end="")


def draw_simulated(build, transport):
    path = FIGURES / f"schemes-{transport}.svg"
    path.write_text(output_of(build / "bin/broadcast_schemes_figure", transport))
    print(path)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    plumbline = build / "bin/plumbline"
    result = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else build / "schemes.h5"
    if len(sys.argv) == 2:
        measure(plumbline, result)
    rows = rows_of(plumbline, result)
    print_table(rows)
    for mpi in sorted({key[0] for key in rows}):
        draw(plumbline, result, mpi)
    for transport in SIMULATED:
        draw_simulated(build, transport)


main()
