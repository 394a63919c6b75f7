#!/usr/bin/env python3
"""Compares what MPI libraries export with what the tracer wraps and what it leaves alone on purpose.

usage: mpi_coverage.py NOT_WRAPPED (PRELOAD_LIBRARY PROGRAM)...
PROGRAM is any program of that MPI: what it is linked to is the library. Exit status 1, and a line for each, when a
function is neither wrapped nor listed, or an entry of the list stands for nothing.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

LIBRARY = re.compile(r"\s(/\S+/libmpi(?:ch)?\.so\S*)")


def library_of(program):
    found = LIBRARY.findall(subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout)
    return found[0] if found else sys.exit(f"{program}: ldd shows no MPI library")


def functions_of(library):
    """The exported functions MPI_..; data (MPI_UNWEIGHTED, ..) is of other symbol types."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    symbols = (line.split() for line in lines.splitlines())
    return {name.split("@")[0] for _, kind, name in symbols if kind in "TWi" and name.startswith("MPI_")}


def entries_of(path):
    lines = path.read_text().splitlines()
    return [entry for line in lines if line.startswith("  ") for entry in line.split()]


def problems(entries, libraries):
    used = set()
    for library, exported, wrapped in libraries:
        for name in sorted(exported):
            matching = {entry for entry in entries if fnmatch.fnmatchcase(name, entry)}
            used |= matching
            if name in wrapped and matching:
                yield f"{library}: {name} is wrapped, and listed as not ({', '.join(sorted(matching))})"
            if name not in wrapped and not matching:
                yield f"{library}: {name} is neither wrapped nor listed"
    for entry in entries:
        if entry not in used:
            yield f"the list has {entry}, which no library has"
        if entries.count(entry) > 1:
            yield f"the list has {entry} more than once"


def main():
    arguments = sys.argv[2:]
    libraries = []
    for preload, program in zip(arguments[::2], arguments[1::2]):
        library = library_of(program)
        libraries.append((library, functions_of(library), functions_of(preload)))
    found = list(problems(entries_of(pathlib.Path(sys.argv[1])), libraries))
    print("\n".join(found) if found else f"{sum(len(exported) for _, exported, _ in libraries)} functions looked at")
    sys.exit(1 if found else 0)


main()
