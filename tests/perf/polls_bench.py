#!/usr/bin/env python3
"""What the tracer costs a program that waits by polls: the sweep of tests/tracer/programs, traced and untraced in turn.

usage: polls_bench.py PLUMBLINE TRACED_PROGRAMS [PAIRS]
Per MPI: the ratio of CPU times and of wall times, median and quartiles over the pairs; records per message.
"""
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"],
          "mpich": ["mpirun.mpich", "-n", "2"]}
ARGUMENTS = ["20", "2000"]  # sweeps, microseconds


def run(command):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout + done.stderr


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def main():
    plumbline, programs, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20
    for flavour, launch in LAUNCH.items():
        library = os.path.join(os.path.dirname(plumbline), f"../lib/plumbline/libplumbline-preload-{flavour}.so")
        command = [*launch, os.path.join(programs, flavour, "sweep"), *ARGUMENTS]
        cpu, wall, size = [], [], ""
        for pair in range(pairs):
            with tempfile.TemporaryDirectory() as work:
                traced = [*launch, "env", f"LD_PRELOAD={library}", f"PLUMBLINE_SPOOL={work}", *command[len(launch):]]
                runs = {}
                for name in ("plain", "traced") if pair % 2 else ("traced", "plain"):
                    runs[name] = run(traced if name == "traced" else command)
                cpu.append(runs["traced"][0] / runs["plain"][0])
                wall.append(runs["traced"][1] / runs["plain"][1])
                if not size:
                    messages = sum(map(int, re.findall(r"(\d+) messages sent", runs["traced"][2])))
                    archive = os.path.join(work, "archive")
                    told = run([plumbline, "assemble", work, "-o", archive])[2]
                    size = f"{told.strip().splitlines()[-1]}; {messages} messages"
        print(f"{flavour}: CPU time traced/untraced {quartiles(cpu)}, wall {quartiles(wall)}, {pairs} pairs; {size}")


if __name__ == "__main__":
    main()
