#!/usr/bin/env python3
"""What the build of the demo costs, and of the other programs behind it: CPU time, and how many sources are compiled.

usage: build_cost.py SOURCE_TREE [JOBS]

Built are the targets demo_programs and programs of the preset `quick`, from nothing, in a scratch directory that is removed
afterwards, without ccache. CPU time is that of the whole build (compilers, linkers, what bundles the viewer's page), user and
system; configuring is not in it. A compilation is a run of a compiler, of CMake's targets and of the MPIs' own mpicc alike;
a source is a file that one was given, where the build joins sources to batches each of a batch. The same source counts as
often as it is compiled.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TARGETS = ("demo_programs", "programs")
LARGEST = 10
LAUNCHER = Path(__file__).resolve().parent / "timed_compiler.py"
SOURCE = re.compile(r"\.(c|cc|cpp|cxx)$|/cmake_pch\.hxx\.cxx$")
BATCH = re.compile(r'^#include "(.*)"$', re.MULTILINE)


def used_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment(costs):
    """Compilers behind mpicc are found by these variables; a ccache that is somebody's `cc` does nothing."""
    timed = f"{LAUNCHER} cc"
    return {**os.environ, "PLUMBLINE_BUILD_COST": str(costs), "CCACHE_DISABLE": "1", "OMPI_CC": timed, "MPICH_CC": timed}


def configure(tree, scratch, variables):
    done = subprocess.run(
        ["cmake", "--preset", "quick", "-B", str(scratch), "-DPLUMBLINE_CCACHE=OFF",
         f"-DCMAKE_C_COMPILER_LAUNCHER={LAUNCHER}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER}"],
        cwd=tree, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{tree} cannot be configured:\n{done.stdout}{done.stderr}")


def build(scratch, target, jobs, variables):
    """CPU seconds of the build of a target."""
    before = used_seconds()
    done = subprocess.run(["cmake", "--build", str(scratch), "-j", jobs, "--target", target],
                          env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{target} cannot be built:\n{done.stdout}{done.stderr}")
    return used_seconds() - before


def sources_of(words, directory):
    """The sources that a run of a compiler was given; of a batch those that it includes."""
    found = []
    for word in words[1:]:
        if SOURCE.search(word):
            path = Path(directory, word)
            found += BATCH.findall(path.read_text()) if path.name.startswith("unity_") else [str(path)]
    return found


def read(costs, begin):
    """The runs of compilers that a file of timed_compiler.py has from byte `begin` on."""
    with open(costs, encoding="utf-8") as file:
        file.seek(begin)
        runs = [json.loads(line) for line in file]
    for run in runs:
        run["sources"] = sources_of(run["words"], run["directory"])
    return [run for run in runs if run["sources"]]


def name_of(run, tree):
    """'bench/child.cpp', or 'replay/engine/run.cpp and 15 more'; and what the output belongs to."""
    first, others = run["sources"][0], len(run["sources"]) - 1
    first = "the precompiled headers" if first.endswith("cmake_pch.hxx.cxx") else os.path.relpath(first, tree)
    output = run["words"][run["words"].index("-o") + 1] if "-o" in run["words"] else ""
    target = re.search(r"([^/]+)\.dir/", output)
    return f"{first}{f' and {others} more' if others else ''} ({target.group(1) if target else Path(output).name})"


def told(target, seconds, runs):
    compilers = sum(run["seconds"] for run in runs)
    sources = sum(len(run["sources"]) for run in runs)
    return (f"{target}: {seconds:.1f} CPU s, {compilers:.1f} of them in {len(runs)} compilations "
            f"of {sources} sources")


def main():
    tree = Path(sys.argv[1]).resolve()
    jobs = sys.argv[2] if len(sys.argv) > 2 else str(os.cpu_count())
    with tempfile.TemporaryDirectory(prefix="plumbline-build-") as scratch:
        costs = Path(scratch, "costs")
        costs.touch()
        variables = environment(costs)
        configure(tree, Path(scratch, "build"), variables)
        costs.write_text("")  # without what mpicc compiled meanwhile to try it
        every = []
        for target in TARGETS:
            begin = costs.stat().st_size
            seconds = build(Path(scratch, "build"), target, jobs, variables)
            runs = read(costs, begin)
            every += runs
            print(told(target if target == TARGETS[0] else f"{target}, beside those", seconds, runs), flush=True)
        print("largest:")
        for run in sorted(every, key=lambda run: -run["seconds"])[:LARGEST]:
            print(f"  {run['seconds']:6.1f} s  {name_of(run, tree)}")


if __name__ == "__main__":
    main()
