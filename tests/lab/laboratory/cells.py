"""Running the measured program in the laboratory, and what one run gave."""

import json
import statistics as std
import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from laboratory import launch, storage
from laboratory.enter import on_node
from laboratory.errors import OWN_FAULT, WRONG_USE, LabError
from laboratory.paths import program
from laboratory.plan import Laboratory

FLAVOURS = ("openmpi", "mpich")
_FILE = "cells.dat"
_FILE_BYTES = 8 << 20  # two shards of 4 MiB
_CANARY_CALLS = 10
_PATIENCE = 180.0  # seconds for one run
_TURNS = 3  # of each cell in a run: what the host does for some seconds is then in a third of its samples
_NO_MEDIAN_MOVES = 0.05  # share of a cell's looks at the canary: slow beside so few, it comes from the others


@dataclass
class Run:
    """One run of the cells, kept or not."""
    mpi: str
    faults: list[str]
    round: int
    status: int
    seconds: float
    samples: dict[str, list[float]]  # cell -> microseconds
    redone: int = 0  # times that iterations were done again because the core was slow, or moved
    slow: int = 0  # times that they are in the samples nevertheless, over the cells in which they are many
    error: str = ""
    reading: dict[str, float] = field(default_factory=dict)  # of the canary
    disturbed: str = ""  # why the run does not count
    core_us: dict[str, float] = field(default_factory=dict)  # cell -> median of the canary beside it: how fast the core was
    switch_core_us: dict[str, float] = field(default_factory=dict)  # likewise; 0 where nobody looked
    cache_ns: dict[str, float] = field(default_factory=dict)  # cell -> median of a load from the second-level cache
    switch_cache_ns: dict[str, float] = field(default_factory=dict)
    measurement: int = 0  # which of those that are analysed together
    ranks_per_node: int = 1

    @property
    def counts(self) -> bool:
        """Whether its times are used. Its status counts always."""
        return self.status == 0 and not self.disturbed

    def to_json(self) -> str:
        """One line of the raw results."""
        return json.dumps({"kind": "run", **asdict(self)})

    @staticmethod
    def from_data(data: dict[str, Any]) -> "Run":
        """What to_json wrote."""
        return Run(**{key: value for key, value in data.items() if key != "kind"})


@dataclass
class Printed:
    """What the cells print, as in Run."""
    samples: dict[str, list[float]] = field(default_factory=dict)
    redone: int = 0
    slow: int = 0
    core_us: dict[str, float] = field(default_factory=dict)
    switch_core_us: dict[str, float] = field(default_factory=dict)
    cache_ns: dict[str, float] = field(default_factory=dict)
    switch_cache_ns: dict[str, float] = field(default_factory=dict)


def parse(output: str) -> Printed:
    """The turns of a cell together. Lines of others (warnings of a library, say) are passed over."""
    found = Printed()
    turns: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in output.splitlines():
        if line.startswith("{") and '"cell"' in line:
            try:
                data = json.loads(line)
                found.samples.setdefault(data["cell"], []).extend(float(value) for value in data["samples"])
                found.redone += int(data["redone"])
                turns[data["cell"]].append(data)
                if "canary" in data:
                    for times in ("canary", "switch_canary"):
                        data[times] = [float(value) for value in data[times]]
            except (ValueError, KeyError, TypeError) as error:
                raise LabError("cells", f"printed {line[:60]!r}", "", OWN_FAULT) from error
    for cell, parts in turns.items():
        disturbed, looks = (sum(int(part[what]) for part in parts) for what in ("disturbed", "looks"))
        if disturbed > _NO_MEDIAN_MOVES * looks:
            found.slow += disturbed
        if all("canary" in part for part in parts):
            found.core_us[cell], found.cache_ns[cell] = _medians(parts, "canary")
            found.switch_core_us[cell], found.switch_cache_ns[cell] = _medians(parts, "switch_canary")
    return found


def _medians(parts: Sequence[dict[str, Any]], what: str) -> tuple[float, float]:
    arithmetic, loads = zip(*(part[what] for part in parts))
    return std.median(arithmetic), std.median(loads)


@dataclass(frozen=True)
class Speed:
    """Of a core, as the cells' canary finds it (cells/canary.h)."""
    us: float
    cache_ns: float

    def option(self) -> str:
        return f"{self.us:.2f},{self.cache_ns:.3f}"


def canary_at_full_speed(lab: Laboratory) -> Speed:
    """Of the nodes' cores, what they can keep over some seconds.

    A fast quarter of what was seen, not the least: a core is faster for moments, and then everything after it would be
    called slow; not the median: a machine may be slow for longer than it is fast.
    """
    found = []
    for _ in range(_CANARY_CALLS):
        done = on_node(lab, lab.compute[0], [str(program("cells-mpich")), "--canary"], capture=True, timeout=60)
        found.append([float(value) for value in (done.stdout or "").split()])
    return Speed(*(sorted(values)[len(values) // 4] for values in zip(*found)))


def known_cells(mpi: str) -> dict[str, str]:
    """Cell -> its group, in the order of running."""
    done = subprocess.run([str(program(f"cells-{mpi}")), "--list"], capture_output=True, text=True, check=True)
    return {words[0]: words[1] for words in (line.split() for line in done.stdout.splitlines())}


def expand(mpi: str, names: Sequence[str], has_storage: bool) -> list[str]:
    """The cells that the names stand for, in the order of running; without names all that can run."""
    wanted = names or ["comm", *(["io"] if has_storage else [])]
    return [cell for cell, group in known_cells(mpi).items() if cell in wanted or group in wanted]


def check_names(mpi: str, names: Sequence[str]) -> None:
    """LabError unless all are cells, or the groups comm and io."""
    known = ["comm", "io", *known_cells(mpi)]
    for name in names:
        if name not in known:
            raise LabError("lab check --cells", f"no cell '{name}'", "one of " + ", ".join(known), WRONG_USE)


@dataclass(frozen=True)
class Near:
    """What the cells need to see that the host has moved the cores of the switch and of rank 0 apart (canary.py)."""
    cores: tuple[int, int]  # of rank 0, of the switch
    below_ns: float
    control: str  # the switch's socket, where it keeps cores awake; else empty

    def options(self) -> list[str]:
        socket = ["--switch", self.control] if self.control else []
        return ["--cores", "{},{}".format(*self.cores), "--near", f"{self.below_ns:.0f}", *socket]


def command(mpi: str, cells: Sequence[str], io: Path | None, repeat: float = 1.0,
            quiet: Speed | None = None, near: Near | None = None) -> list[str]:
    """The command line of one run; I/O cells are left out without a directory for them."""
    line = [f"mpirun.{mpi}", str(program(f"cells-{mpi}"))]
    if io:
        line += ["--io", str(io)]
    if cells:
        line += ["--cells", ",".join(cells)]
    line += ["--quiet", quiet.option()] if quiet else []
    line += near.options() if near else []
    line += ["--turns", str(_TURNS)] if quiet else []
    return line + (["--repeat", str(repeat)] if repeat != 1.0 else [])


def run(lab: Laboratory, mpi: str, cells: Sequence[str], io: Path | None, number: int, repeat: float = 1.0,
        quiet: Speed | None = None, near: Near | None = None, ranks_per_node: int = 1) -> Run:
    """One run under the faults that are on."""
    started = time.monotonic()
    done = launch.run(lab, command(mpi, cells, io, repeat, quiet, near), capture=True, timeout=_PATIENCE,
                      ranks_per_node=ranks_per_node)
    seconds = time.monotonic() - started
    error = (done.stderr or "").strip()[-400:] if done.returncode != 0 else ""
    found = parse(done.stdout or "")
    return Run(mpi, list(lab.faults), number, done.returncode, round(seconds, 3), found.samples, found.redone, found.slow,
               error, core_us=found.core_us, switch_core_us=found.switch_core_us, cache_ns=found.cache_ns,
               switch_cache_ns=found.switch_cache_ns, ranks_per_node=ranks_per_node)


def io_directory(lab: Laboratory) -> Path | None:
    """A directory of the shared file system whose cells.dat has its two shards on two servers; None without servers.

    The home of a shard follows from a hash over names, so of two directories about one has both shards on one server,
    and other I/O times.
    """
    if not lab.servers:
        return None
    for number in range(16):
        directory = lab.shared / f"cells-{number}"
        path = directory / _FILE
        script = f"mkdir -p '{directory}' && {{ [ -s '{path}' ] || head -c {_FILE_BYTES} /dev/zero >'{path}'; }}"
        done = on_node(lab, lab.compute[0], ["sh", "-c", script], capture=True, timeout=60)
        if done.returncode != 0:
            raise LabError(str(path), f"cannot be written: {(done.stderr or '').strip()}", "lab down and up again",
                           OWN_FAULT)
        if len(lab.servers) == 1 or _homes(lab, number) == 2:
            return directory
    raise LabError(str(lab.shared), "no file here has its shards on two servers", "lab down and up again", OWN_FAULT)


def _homes(lab: Laboratory, number: int) -> int:
    """On how many servers the file of directory cells-NUMBER has data, by the identity that its shards are named after.
    Empty files are the file system's pointers to other servers."""
    data = storage.files(lab)
    path, found = data / f"cells-{number}" / _FILE, 0
    script = (f"find '{data}/.shard' -name \"$1.*\" -size +0 | grep -q . || "
              f"{{ [ -e '{path}' ] && [ $(stat -c %s '{path}') != 0 ]; }}")
    identity = _identity(lab, path)
    for server in lab.servers:
        done = on_node(lab, lab.node(server.name), ["sh", "-c", script, "sh", identity], capture=True, timeout=60)
        found += done.returncode == 0
    return found


def _identity(lab: Laboratory, path: Path) -> str:
    """The file's identity, after which its further shards are named."""
    read = "import os, sys, uuid; print(uuid.UUID(bytes=os.getxattr(sys.argv[1], 'trusted.gfid')))"
    for server in lab.servers:
        done = on_node(lab, lab.node(server.name), ["python3", "-c", read, str(path)], capture=True, timeout=60)
        if done.returncode == 0:
            return (done.stdout or "").strip()
    raise LabError(str(path), "is on no server", "lab down and up again", OWN_FAULT)
