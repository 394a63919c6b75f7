#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over the programs' sources, many of them at a time.

    tidy.py --build build/tidy                       all of them
    tidy.py --build build/tidy --jobs 2 base replay  those below these directories

The build is configured with joined sources (PLUMBLINE_BATCH), so that headers are read once for many; nothing has to be
compiled. Each warning is printed once. Status 1: there is one. Of a unit that this clang cannot read whole (clang 14
does not know all ranges of GCC 12's library) what lies behind the fault is not looked at; such units are named. Status 2:
it can read none of them whole.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("base", "sim", "hwmodels", "tracer", "replay", "bench", "viewer", "cli")
WARNING = re.compile(r"^(?P<file>[^ :]+):(?P<line>\d+):\d+: (warning|error): (?P<what>.*)$")


def sources_of(unit: pathlib.Path) -> list[pathlib.Path]:
    """Those that a joined unit includes; a source that stands alone is one."""
    if unit.suffix != ".cxx":
        return [unit]
    return [pathlib.Path(name) for name in re.findall(r'#include "([^"]+\.cpp)"', unit.read_text())]


def is_below(source: pathlib.Path, wanted: list[pathlib.Path]) -> bool:
    return any(source.is_relative_to(directory) for directory in wanted)


def units_of(build: pathlib.Path, wanted: list[pathlib.Path]) -> list[pathlib.Path]:
    """Units of C++ that hold a source below one of `wanted`, without those that only try whether a header is whole."""
    commands = json.loads((build / "compile_commands.json").read_text())
    units = {pathlib.Path(command["file"]) for command in commands}
    return sorted(unit for unit in units
                  if unit.suffix in (".cpp", ".cxx") and "verify_interface_header_sets" not in str(unit)
                  and any(is_below(source, wanted) for source in sources_of(unit)))


def warnings_of(build: pathlib.Path, unit: pathlib.Path) -> tuple[list[str], bool]:
    """"base/error.cpp:12: what [check]", of our own files; and whether all of the unit was read."""
    below = "|".join(ROOMS)
    done = subprocess.run(["clang-tidy", "-p", str(build), "--quiet", f"--header-filter={ROOT}/({below})/.*", str(unit)],
                          capture_output=True, text=True, check=False)
    found = []
    is_whole = "[clang-diagnostic-error]" not in done.stdout
    for line in done.stdout.splitlines():
        match = WARNING.match(line)
        if match and "[clang-diagnostic-error]" not in line and is_below(pathlib.Path(match["file"]), [ROOT / room for room in ROOMS]):
            found.append(f'{pathlib.Path(match["file"]).relative_to(ROOT)}:{match["line"]}: {match["what"]}')
    return found, is_whole


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="*", help="below which sources are looked at (all rooms)")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    wanted = [ROOT / name for name in options.directories or ROOMS]
    units = units_of(options.build, wanted)
    seen: set[str] = set()
    in_part: list[pathlib.Path] = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (found, is_whole) in enumerate(pool.map(lambda unit: warnings_of(options.build, unit), units), 1):
            if not is_whole:
                in_part.append(units[done - 1])
            for warning in found:
                if warning not in seen:
                    print(warning, flush=True)
                    seen.add(warning)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(units)}", end="", file=sys.stderr)
    for unit in in_part:
        print(f"not read whole: {unit.relative_to(options.build.resolve())}", file=sys.stderr)
    print(f"{len(units)} units, {len(seen)} warnings", file=sys.stderr)
    return 2 if len(in_part) == len(units) else 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
