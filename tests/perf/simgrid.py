#!/usr/bin/env python3
"""Beside SimGrid: the workload halo2d on a fat tree, oversubscribed 2:1, replayed by `smpirun -replay` and by us, each from
its own input file, without output.  simgrid.py BUILD [PAIRS]

CPU time of the whole process (user + system), runs interleaved; the geometric mean of the ratios, and all simulated
times. Hosts of 1 Gflop/s, links of 12.5 GB/s and 1 us; contention is on in both. SimGrid's messages are flows and have no
packets; ours are once cut into packets of 4 KiB, once sent whole. Without smpirun (Debian: libsimgrid-dev) nothing is
measured.
"""

import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SIDE, ITERATIONS, BYTES, COMPUTE_US, ALLREDUCE_EVERY = 16, 1000, 8192, 100, 10
RANKS = SIDE * SIDE
PACKETS = ("4KiB", "16KiB")  # two to a message, and one

SIMGRID_PLATFORM = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" radical="0-{RANKS - 1}" suffix="" speed="1Gf" bw="12.5GBps" lat="1us" topology="FAT_TREE"
           topo_parameters="2;16,16;1,8;1,1" loopback_bw="20GBps" loopback_lat="200ns"/>
</platform>
"""

# An eager message of any size, as SMPI has below 64 KiB; what a message costs the CPU is nothing there either.
OUR_PLATFORM = f"""<platform version="1" name="as SimGrid's">
  <fat-tree members="n0-n{RANKS - 1}" levels="2" down="16,16" up="1,8" count="1,1" rate="12.5GB/s" latency="1us"
            switch-rate="1TB/s"/>
  <nodes name="n0-n{RANKS - 1}" cores="1" memory-rate="20GB/s" interface-rate="100GB/s"/>
  <packets granularity="{{packets}}" header="40B"/>
  <inside><range protocol="eager" send="0" receive="0" latency="200ns"/></inside>
  <between><range protocol="eager" send="0" receive="0" latency="0"/></between>
</platform>
"""


def write_simgrid_input(directory: Path) -> None:
    """SimGrid's time-independent traces, one file per rank."""
    for rank in range(RANKS):
        x, y = rank % SIDE, rank // SIDE
        near = [y * SIDE + (x - 1) % SIDE, y * SIDE + (x + 1) % SIDE, (y - 1) % SIDE * SIDE + x, (y + 1) % SIDE * SIDE + x]
        iteration = "".join(f"{rank} irecv {near[k]} {k ^ 1} {BYTES} 6\n" for k in range(4))
        iteration += "".join(f"{rank} isend {near[k]} {k} {BYTES} 6\n" for k in range(4))
        iteration += f"{rank} waitall 8\n{rank} compute {COMPUTE_US * 1000}\n"
        with open(directory / f"rank{rank}", "w") as out:
            out.write(f"{rank} init\n")
            for i in range(1, ITERATIONS + 1):
                out.write(iteration + (f"{rank} allreduce 1 0 0\n" if i % ALLREDUCE_EVERY == 0 else ""))
            out.write(f"{rank} finalize\n")
    (directory / "ranks").write_text("".join(f"rank{rank}\n" for rank in range(RANKS)))
    (directory / "hosts").write_text("".join(f"n{rank}\n" for rank in range(RANKS)))
    (directory / "simgrid.xml").write_text(SIMGRID_PLATFORM)


def cpu_seconds(command: list[str], directory: Path) -> tuple[float, str]:
    """Of the process and its children; and what it printed."""
    before = os.times()
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, done.stdout + done.stderr


def main() -> int:
    build, pairs = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    if shutil.which("smpirun") is None:
        print("smpirun is not installed (Debian: libsimgrid-dev)")
        return 0
    halo = [SIDE, SIDE, ITERATIONS, BYTES, COMPUTE_US, ALLREDUCE_EVERY]
    with tempfile.TemporaryDirectory() as work:
        directory = Path(work)
        write_simgrid_input(directory)
        for packets in PACKETS:
            (directory / f"ours-{packets}.xml").write_text(OUR_PLATFORM.format(packets=packets))
        subprocess.run([str(build / "bin/halo"), "--write", "halo.program", *map(str, halo)], cwd=directory, check=True)
        theirs_command = ["smpirun", "-np", str(RANKS), "-platform", "simgrid.xml", "-hostfile", "hosts", "-replay", "ranks",
                          "--log=smpi_replay.thres:info", "--cfg=smpi/host-speed:1Gf"]
        replay = str(build / "bin/replay_file")
        logs: dict[str, list[float]] = {packets: [] for packets in PACKETS}
        lengths = {}
        for pair in range(pairs):
            theirs, said = cpu_seconds(theirs_command, directory)
            lengths["SimGrid"] = float(re.search(r"Simulation time ([\d.]+)", said)[1])
            line = f"  pair {pair + 1}: SimGrid {theirs:6.2f} s"
            for packets in PACKETS:
                ours, said = cpu_seconds([replay, "halo.program", f"ours-{packets}.xml"], directory)
                lengths[packets] = float(re.search(r"([\d.]+) s simulated", said)[1])
                logs[packets].append(math.log(theirs / ours))
                line += f", packets of {packets} {ours:6.3f} s, ratio {theirs / ours:.1f}"
            print(line, flush=True)
        for packets in PACKETS:
            print(f"  packets of {packets}: geometric mean of the ratios {math.exp(sum(logs[packets]) / pairs):.1f}; simulated: "
                  f"SimGrid {lengths['SimGrid']:.6f} s, ours {lengths[packets]:.6f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
