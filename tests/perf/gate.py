#!/usr/bin/env python3
"""Holds the instructions that replays execute to those of the last release: fails where one is 10 % more.

usage: gate.py BUILD              compares
       gate.py BUILD --write      writes tests/perf/instructions.json anew, as part of a release
       --file FILE                another file than that

Instructions are counted by valgrind (Cachegrind's I refs): the same on a machine that others use, and where a virtual machine
has no counters of its CPU. They differ by a few in 100,000 from run to run. They mean something only beside those
of the same compiler, options, version of valgrind and kind of processor; beside others nothing is compared, and that is said.

Exit status: 0 no workload is 10 % more; 1 one is; 2 wrong use; 3 the file cannot be read or a workload fails; 4 the file is of
another compiler or counter; 6 this machine cannot count.
"""
import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
MORE = 0.10
COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")

# Each a process: {bin} the programs, {platforms} our platform files, {scratch} an empty directory.
HALO = "{scratch}/halo.program"
PREPARED = ["{bin}/halo", "--write", HALO, "16", "16", "200", "8192", "100", "10"]
WORKLOADS = {
    "halo exchange of 256 ranks, packets": ["{bin}/replay_file", HALO, "{platforms}/fat-tree-256.xml"],
    "halo exchange of 256 ranks, LogGP": ["{bin}/replay_file", HALO, "{platforms}/loggp-gm.xml"],
    "collective write of 128 ranks in two phases": ["{bin}/two_phase", "128", "16", "16"],
}


class CannotCount(Exception):
    """Why this machine has no figures."""


def first_line(*words):
    try:
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        return ""
    return said[0].strip() if said else ""


def conditions(build):
    """What figures depend on beside the sources. Compiler and options are those of CMake's cache."""
    if not shutil.which("valgrind"):
        raise CannotCount("valgrind is not installed (Debian: valgrind)")
    cache = (build / "CMakeCache.txt").read_text()

    def value(name):
        found = re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE)
        return found.group(1).strip() if found else ""

    kind = value("CMAKE_BUILD_TYPE")
    options = [value("CMAKE_CXX_FLAGS"), value(f"CMAKE_CXX_FLAGS_{kind.upper()}")]
    return {"compiler": first_line(value("CMAKE_CXX_COMPILER"), "--version"), "options": " ".join(filter(None, options)),
            "processor": platform.machine(), "counter": first_line("valgrind", "--version")}


def run(words, what):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{what} fails with status {done.returncode}: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stderr


def instructions(words, what):
    said = run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *words], what)
    found = COUNTED.search(said)
    if not found:
        raise CannotCount(f"valgrind does not tell how many instructions it counted:\n{said}")
    return int(found.group(1).replace(",", ""))


def count(build):
    """The instructions of each workload."""
    with tempfile.TemporaryDirectory(prefix="plumbline-gate-") as scratch:
        places = {"bin": str(build / "bin"), "platforms": str(TREE / "hwmodels/platforms"), "scratch": scratch}
        run([word.format(**places) for word in PREPARED], "what writes the program of the workloads")
        return {name: instructions([word.format(**places) for word in words], name) for name, words in WORKLOADS.items()}


def read(file):
    known = json.loads(file.read_text())
    for key in ("release", "conditions", "instructions"):
        if key not in known:
            raise ValueError(f'it has no "{key}"')
    return known


def compare(now, known):
    """Lines of a table, and the workloads that became 10 % more."""
    lines, more = [], []
    for name, instructions_now in now.items():
        before = known.get(name)
        if before is None:
            lines.append(f"{name}: {instructions_now / 1e6:.1f} million, nothing to compare with")
            continue
        change = instructions_now / before - 1
        lines.append(f"{name}: {instructions_now / 1e6:.1f} million, before {before / 1e6:.1f}: {change:+.1%}")
        if change >= MORE:
            more.append(name)
    lines += [f"{name}: measured no more" for name in known if name not in now]
    return lines, more


def hold_to(build, file, measured_under):
    try:
        known = read(file)
    except (OSError, ValueError) as fault:
        print(f"{file} cannot be read: {fault}; --write makes it anew", file=sys.stderr)
        return 3
    others = [f"{key} {measured_under[key]!r}, not {known['conditions'].get(key, '')!r}"
              for key in measured_under if measured_under[key] != known["conditions"].get(key, "")]
    if others:
        print(f"Nothing is compared, because {file.name} was counted under other conditions. Here: {'; '.join(others)}",
              file=sys.stderr)
        return 4
    lines, more = compare(count(build), known["instructions"])
    print(f"Instructions beside those of {known['release']}:", *lines, sep="\n  ")
    if not more:
        return 0
    print(f"{MORE:.0%} more, or beyond: {', '.join(more)}. Find out why (valgrind --tool=callgrind); where it is worth it, "
          "say so in the commit, and count anew with --write", file=sys.stderr)
    return 1


def write(build, file, measured_under):
    version = re.search(r"project\(plumbline VERSION ([\d.]+)", (TREE / "CMakeLists.txt").read_text()).group(1)
    known = {"release": version, "conditions": measured_under, "instructions": count(build)}
    file.write_text(json.dumps(known, indent=2) + "\n")
    print(f"{file} written")
    return 0


def main():
    parser = argparse.ArgumentParser(prog="./dev bench gate", description="instructions of replays beside the last release's")
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="write the file anew instead")
    parser.add_argument("--file", type=Path, default=TREE / "tests/perf/instructions.json")
    arguments = parser.parse_args()
    try:
        here = conditions(arguments.build)
        return (write if arguments.write else hold_to)(arguments.build, arguments.file, here)
    except CannotCount as why:
        print(f"Instructions cannot be counted here: {why}", file=sys.stderr)
        return 6
    except (OSError, ValueError) as fault:
        print(fault, file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
