#!/usr/bin/env python3
"""What recording costs: ns that the tracer adds to a call, beside two floors that were measured between the calls.

usage: tracer_bench.py BUILD_DIRECTORY [RUNS]

Untraced and traced runs of tests/perf/tracer_bench.c alternate, so that both meet the same weather. What is added is the
difference of their medians, run by run; printed are the median and the quartiles of these differences, and their ratio
to the floors of the same run. Nothing fails here: `met` and `not met` compare with what the tracer is meant to cost.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RANKS = os.environ.get("PLUMBLINE_BENCH_RANKS", "32")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1")

FIRST, MEDIAN, THIRD, MEAN, LEAST = range(5)


def run(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr}")
    values = {}
    for line in done.stdout.splitlines():
        name, *numbers = line.split()
        values[name] = [float(number) for number in numbers]
    return values


class Flavour:
    def __init__(self, name, build, work, runs):
        self.name, self.work, self.runs = name, work, runs
        self.build = build
        self.library = build / f"lib/plumbline/libplumbline-preload-{name}.so"
        self.program = work / f"bench-{name}"
        self.pairs = {}  # mode: untraced and traced values of each run

    def is_there(self):
        if not self.library.exists():
            return False
        subprocess.run([f"mpicc.{self.name}", "-O2", "-w", "-pthread", "-o", self.program, HERE / "tracer_bench.c",
                        HERE / "tracer_floors.c"], check=True)
        return True

    def command(self, mode, ranks):
        start = [] if ranks == 1 else [f"mpirun.{self.name}", "-n", str(ranks)]
        return start + [self.program, self.work, mode]

    def measure(self, mode, ranks=1, runs=None):
        self.pairs[mode] = []
        for _ in range(runs or self.runs):
            self.clear()
            environment = dict(ENVIRONMENT, OMPI_MCA_mpi_yield_when_idle=str(int(ranks > 2)))
            tracer = dict(environment, LD_PRELOAD=str(self.library), PLUMBLINE_SPOOL=str(self.spools),
                          PLUMBLINE_IO_PATHS="!unfollowed:!floor")
            # What is inside of calls is added to what the calls themselves take when they are recorded.
            without = dict(tracer, PLUMBLINE_INTERNALS="off") if mode == "collectives" else environment
            plain = run(self.command(mode, ranks), without)
            traced = run(self.command(mode, ranks), tracer)
            self.pairs[mode].append((plain, traced))

    @property
    def spools(self):
        return self.work / "spools"

    def clear(self):
        subprocess.run(["rm", "-rf", self.spools], check=True)

    def added(self, mode, name, which=MEDIAN):
        return [traced[name][which] - plain[name][which] for plain, traced in self.pairs[mode]]

    def floors(self, name, which=MEDIAN, mode="alone"):
        return [traced[name][which] for _, traced in self.pairs[mode]]


def quartiles(values):
    ordered = sorted(values)
    n = len(ordered)
    return ordered[n // 4], statistics.median(ordered), ordered[(3 * n) // 4]


def spread(values):
    first, middle, third = quartiles(values)
    return f"{middle:8.1f}  {first:.1f} .. {third:.1f}"


def verdict(*pairs):
    """Of values and what they are to stay below: by their medians, and whether the spread leaves that open."""
    met, open_ = True, False
    for values, limit in pairs:
        first, middle, third = quartiles(values)
        met = met and middle <= limit
        open_ = open_ or first <= limit < third
    return ("met" if met else "not met") + (", by less than the spread" if open_ else "")


def print_floors(f):
    for name, text in (("floor_a", "floor A: 32 bytes"), ("floor_b", "floor B: 48 bytes"),
                       ("floor_c", "floor C: B for an inner message")):
        print(f"  {text:<38}{spread(f.floors(name))}")


def print_calls(f):
    """Against the floors: 1.6 times B and 2.5 times A."""
    for name, text in (("Sendrecv", "MPI_Sendrecv to self"), ("File_write_at_only", "MPI_File_write_at alone"),
                       ("File_write_at", "MPI_File_write_at with its pwrite"), ("pwrite", "pwrite"),
                       ("Allreduce", "MPI_Allreduce of one rank"), ("Alltoallv", "MPI_Alltoallv, same counts")):
        added = f.added("alone", name)
        of_a = [x / a for x, a in zip(added, f.floors("floor_a"))]
        of_b = [x / b for x, b in zip(added, f.floors("floor_b"))]
        line = f"  {text:<38}{spread(added):<28} {statistics.median(of_a):.2f} A, {statistics.median(of_b):.2f} B"
        if name in ("Allreduce", "Alltoallv"):
            print(line)
            continue
        two = f"; of each of the two records: {verdict((of_a, 5), (of_b, 3.2))}" if name == "File_write_at" else ""
        print(f"{line}  2.5 A and 1.6 B: {verdict((of_a, 2.5), (of_b, 1.6))}{two}")


def print_inner(f):
    """A message that the library sends or receives inside of its calls: untraced, or with --internals=off, it costs 0.

    In MPICH a message of a process to itself is none of libucp's, so there is nothing to be seen in the first one.
    Of two ranks on a machine with other work the first quartiles say more than the medians.
    """
    for mode, name, text, which in (("inner", "inner_message", "inner message", MEDIAN),
                                    ("collectives", "Bcast_sent", "of MPI_Bcast: sent", FIRST),
                                    ("collectives", "Bcast_received", "of MPI_Bcast: received", FIRST)):
        if mode == "inner" and f.name == "mpich":
            continue
        added, floors = f.added(mode, name, which), f.floors("floor_b", which, mode)
        of_b = [x / b for x, b in zip(added, floors)]
        print(f"  {text:<38}{spread(added):<28} {statistics.median(of_b):.2f} B  1.6 B: {verdict((of_b, 1.6))}")


def print_variants(f):
    """Distinct arguments: no more than a tenth above the plain call."""
    rows = [("alone", "Sendrecv_type", "alone", "Sendrecv", "derived datatype"),
            ("alone", "Sendrecv_tags", "alone", "Sendrecv", "1,000 tags, four sizes"),
            ("alone", "File_write_at_offsets", "alone", "File_write_at", "write_at, 4,096 offsets"),
            ("alone", "pwrite_offsets", "alone", "pwrite", "pwrite, 4,096 offsets"),
            ("peers", "Iprobe_peers", "peers", "Iprobe", f"Iprobe, 1,000 (peer, tag) on {RANKS} ranks"),
            ("threads", "pwrite_4_threads", "threads", "pwrite_1_thread", "pwrite, 4 threads (CPU)"),
            ("threads", "Sendrecv_4_threads", "threads", "Sendrecv_1_thread", "Sendrecv, 4 threads (CPU)")]
    for mode, name, plain_mode, plain_name, text in rows:
        if not f.pairs.get(mode) or name not in f.pairs[mode][0][0]:
            print(f"  {text:<38} not measured")
            continue
        added, base = f.added(mode, name), f.added(plain_mode, plain_name)
        more = [x - y for x, y in zip(added, base)]
        limit = 0.1 * max(statistics.median(base), statistics.median(f.floors("floor_a")))  # the base may be all noise
        print(f"  {text:<38}{spread(added):<28} {statistics.median(more):+.1f} ns  at most {limit:+.1f} (10 %): "
              f"{verdict((more, limit))}")


def print_rest(f):
    waits = f.added("alone", "Waitall")
    of_a = [x / a for x, a in zip(waits, f.floors("floor_a"))]
    print(f"  {'MPI_Sendrecv, 1,000 communicators':<38}{spread(f.added('alone', 'Sendrecv_comms'))}")
    print(f"  {'MPI_Waitall of 64, per request':<38}{spread(waits):<28} {statistics.median(of_a):.2f} A  1 A: "
          f"{verdict((of_a, 1))}")
    print(f"  {'their MPI_Irecv, MPI_Isend':<38}{spread(f.added('alone', 'Isend_Irecv'))}")
    least = min(t["latency"][LEAST] for _, t in f.pairs["latency"]) - min(
        p["latency"][LEAST] for p, _ in f.pairs["latency"])
    print(f"  {'two-rank latency, least':<38}{least:8.1f}{'':<20} 40 ns: {verdict(([least], 40))}")


def check_archive(f):
    """Of the last traced run of the loops."""
    archive = f.work / "archive"
    subprocess.run(["rm", "-rf", archive], check=True)
    subprocess.run([f.build / "bin/plumbline", "assemble", f.spools, "-o", archive], check=True, capture_output=True)
    sys.stdout.flush()
    subprocess.run([f.build / "bin/tracer_check", f.spools, archive], check=True)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: tracer_bench.py BUILD_DIRECTORY [RUNS]")
    build, runs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 7
    with tempfile.TemporaryDirectory() as work:
        for name in ("openmpi", "mpich"):
            f = Flavour(name, build, pathlib.Path(work), runs)
            if not f.is_there():
                print(f"{name}: not built here")
                continue
            print(f"{name}, ns added per call: median and quartiles of {runs} pairs of runs")
            f.measure("alone")
            print_floors(f)
            print_calls(f)
            check_archive(f)
            for mode, ranks, times in (("inner", 1, runs), ("collectives", 2, runs), ("latency", 2, runs), ("threads", 1, runs),
                                       ("peers", int(RANKS), 3)):
                f.measure(mode, ranks, times)
            print_inner(f)
            print_variants(f)
            print_rest(f)


main()
