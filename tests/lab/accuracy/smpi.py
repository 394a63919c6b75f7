"""SimGrid's SMPI on the same observations: the recorded calls as time-independent traces, computing as long as was recorded,
and a network calibrated as its manual says, by the ping-pong alone. Needs smpirun (Debian: libsimgrid-dev)."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accuracy.cells import Cell, Start
from accuracy.measured import calls_of
from accuracy.operations import Operation, Ranks, parts_of
from accuracy.ping_pong import Line
from laboratory.errors import OWN_FAULT, LabError

_RATE, _LATENCY = 12.5e6, 25e-6  # B/s and seconds of a cable, as the laboratory is given them
_LEAST_FACTOR, _MOST_FACTOR = 1e-3, 1e3
_SELECTOR = {"openmpi": "ompi", "mpich": "mpich"}
_SIGNALLED = 128  # a shell's status of a program that a signal has ended
_BYTE = 6  # SMPI's number of MPI_BYTE in traces
_LINE = re.compile(r"^n\d+:([\d.]+):smpi_replay:(\d+) (\w+)(?: .*)? ([\d.]+)$")
_PLATFORM = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" radical="0-{{last}}" suffix="" speed="1Gf" bw="{_RATE:.0f}Bps" lat="{_LATENCY:g}s"/>
</platform>
"""


def is_there() -> bool:
    """Whether smpirun is installed."""
    return shutil.which("smpirun") is not None


@dataclass(frozen=True)
class Calibration:
    """What SMPI is told of the machine."""
    pieces: Sequence[Line]  # of the ping-pong
    eager: int  # bytes: greatest send that does not wait
    mpi: str

    def options(self) -> list[str]:
        """Factors are of the latency of a route and of the rate of a cable, each from a size on."""
        first = [0, *(line.first for line in self.pieces[1:])]
        latency = ";".join(f"{size}:{_factor(line.fixed / (2 * _LATENCY)):.6g}" for size, line in zip(first, self.pieces))
        rate = ";".join(f"{size}:{_factor(1 / (line.each * _RATE) if line.each else _MOST_FACTOR):.6g}"
                        for size, line in zip(first, self.pieces))
        return [f"--cfg=smpi/lat-factor:{latency}", f"--cfg=smpi/bw-factor:{rate}", "--cfg=smpi/host-speed:1Gf",
                f"--cfg=smpi/send-is-detached-thresh:{self.eager}", f"--cfg=smpi/coll-selector:{_SELECTOR[self.mpi]}"]


def _factor(value: float) -> float:
    return min(max(value, _LEAST_FACTOR), _MOST_FACTOR)


@dataclass
class Trace:
    """Of one rank: its lines, and for those that are calls which, by identity."""
    lines: list[str] = field(default_factory=list)
    calls: list[int | None] = field(default_factory=list)


def lengths(start: Start, ranks: Ranks, calibration: Calibration) -> dict[str, float]:
    """Of one repetition of each cell, in us; nothing of a start that accesses files, nor of parts in which smpirun crashes
    (3.32 does in some broadcasts of the Open MPI and MPICH selectors)."""
    if start.is_io:
        return {}
    whole = _spans(traces_of(start, ranks), calibration)
    if whole is None:
        whole = {}
        for part in range(len(parts_of(ranks[0]))):
            whole.update(_spans(traces_of(start, ranks, part), calibration) or {})
    found = {cell.name: _length(cell, calls, whole) for cell, calls in calls_of(start, ranks)}
    return {name: length for name, length in found.items() if length > 0}


def _spans(traces: Sequence[Trace], calibration: Calibration) -> dict[int, tuple[float, float]] | None:
    """None when it crashed."""
    with tempfile.TemporaryDirectory(prefix="plumbline-smpi-") as work:
        said = _run(traces, calibration, Path(work))
    return None if said is None else spans_of(said, traces)


def traces_of(start: Start, ranks: Ranks, only: int | None = None) -> list[Trace]:
    """Time-independent traces of all calls in timed parts, or in one of them, with what ranks computed in between. A call is
    known by the identity of its object in `ranks`."""
    sizes = {id(each): cell.size for cell, calls in calls_of(start, ranks) for rank in calls for each in rank}
    parts = [parts_of(rank) for rank in ranks]
    wanted = [mine if only is None else mine[only:only + 1] for mine in parts]
    return [_trace(number, mine, len(ranks), sizes) for number, mine in enumerate(wanted)]


def _trace(number: int, parts: Sequence[Sequence[Operation]], ranks: int, sizes: dict[int, int]) -> Trace:
    trace = Trace([f"{number} init"], [None])
    for part in parts:
        trace.lines.append(f"{number} barrier")  # with which the suite begins it
        trace.calls.append(None)
        _add_part(trace, number, part, ranks, sizes)
    trace.lines.append(f"{number} finalize")
    trace.calls.append(None)
    return trace


def _add_part(trace: Trace, number: int, part: Sequence[Operation], ranks: int, sizes: dict[int, int]) -> None:
    before: Operation | None = None
    for operation in part:
        line = _line(operation, ranks, sizes.get(id(operation), operation.bytes))
        if line is None:
            continue
        if before is not None and operation.begin > before.end:
            trace.lines.append(f"{number} compute {(operation.begin - before.end) // 1000}")  # 1 Gf: a flop is 1 ns
            trace.calls.append(None)
        trace.lines.append(f"{number} {line}")
        trace.calls.append(id(operation))
        before = operation


def _line(operation: Operation, ranks: int, size: int) -> str | None:
    """None for what SMPI need not know: calls of the suite around its cells, messages to nobody."""
    if operation.file == "main.c":
        return None
    peer, tag = operation.peer, operation.tag or 0
    if operation.call in ("MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv"):
        return None if peer is None else f"{operation.call[4:].lower()} {peer} {tag} {operation.bytes} {_BYTE}"
    if operation.call == "MPI_Sendrecv":
        return None if peer is None else f"sendRecv {operation.bytes} {peer} {operation.bytes} {peer} {_BYTE} {_BYTE}"
    return _COLLECTIVES.get(operation.call, "").format(n=size, root=peer, all=" ".join([str(size)] * ranks)) or None


# `n` is what the suite calls `bytes`: of each rank's part.
_COLLECTIVES = {
    "MPI_Waitall": "waitall 1", "MPI_Barrier": "barrier", "MPI_Bcast": f"bcast {{n}} {{root}} {_BYTE}",
    "MPI_Reduce": f"reduce {{n}} 0 {{root}} {_BYTE}", "MPI_Allreduce": f"allreduce {{n}} 0 {_BYTE}",
    "MPI_Gather": f"gather {{n}} {{n}} {{root}} {_BYTE} {_BYTE}",
    "MPI_Scatter": f"scatter {{n}} {{n}} {{root}} {_BYTE} {_BYTE}",
    "MPI_Allgather": f"allgather {{n}} {{n}} {_BYTE} {_BYTE}", "MPI_Alltoall": f"alltoall {{n}} {{n}} {_BYTE} {_BYTE}",
    "MPI_Reduce_scatter_block": f"reducescatter {{all}} 0 {_BYTE}", "MPI_Scan": f"scan {{n}} 0 {_BYTE}",
}


def _run(traces: Sequence[Trace], calibration: Calibration, directory: Path) -> str | None:
    """What it printed; None when it was ended by a signal."""
    for number, trace in enumerate(traces):
        (directory / f"rank{number}").write_text("\n".join(trace.lines) + "\n")
    (directory / "ranks").write_text("".join(f"rank{number}\n" for number in range(len(traces))))
    (directory / "hosts").write_text("".join(f"n{number}\n" for number in range(len(traces))))
    (directory / "platform.xml").write_text(_PLATFORM.format(last=max(1, len(traces) - 1)))
    command = ["smpirun", "-np", str(len(traces)), "-platform", "platform.xml", "-hostfile", "hosts", "-replay", "ranks",
               "--log=smpi_replay.thres:verbose", "--log=root.fmt:%h:%r:%c:%m%n", *calibration.options()]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode >= _SIGNALLED:
        return None
    if done.returncode != 0:
        raise LabError("smpirun", f"ended with status {done.returncode}: {(done.stdout + done.stderr)[-300:]}", "",
                       OWN_FAULT)
    return done.stdout + done.stderr


def spans_of(said: str, traces: Sequence[Trace]) -> dict[int, tuple[float, float]]:
    """Begin and end of each call, in seconds, from the lines that SMPI prints for each action of a rank but init."""
    found: dict[int, tuple[float, float]] = {}
    at = [1] * len(traces)
    for line in said.splitlines():
        match = _LINE.match(line)
        if not match:
            continue
        end, rank, action, took = float(match[1]), int(match[2]), match[3], float(match[4])
        trace = traces[rank]
        if trace.lines[at[rank]].split()[1] != action:
            raise LabError("smpirun", f"rank {rank} did {action}, not {trace.lines[at[rank]]}", "another version", OWN_FAULT)
        call = trace.calls[at[rank]]
        if call is not None:
            found[call] = (end - took, end)
        at[rank] += 1
    if any(at[number] < len(trace.lines) - 1 for number, trace in enumerate(traces)):
        raise LabError("smpirun", "did not do all that it was told", "another version of SimGrid", OWN_FAULT)
    return found


def _length(cell: Cell, ranks: Sequence[Sequence[Operation]], spans: dict[int, tuple[float, float]]) -> float:
    mine = [spans[id(each)] for rank in ranks for each in rank if id(each) in spans]
    if not mine:
        return 0.0
    return round((max(end for _, end in mine) - min(begin for begin, _ in mine)) / cell.repetitions * 1e6, 3)
