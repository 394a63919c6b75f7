"""Notices that the machine itself was slow while a run was measured, so that the run is repeated and not averaged in.

Signs over a run: time that a hypervisor took away; time that programs outside the laboratory took; how long the switch,
which runs before everything else, waited for a core; how late it handed out frames against its model. What is normal is measured at
the start, on the healthy laboratory. How fast the cores of the ranks and of the switch are, and whether the host has moved them
apart (node/near.h), is looked at by the cells themselves beside their iterations, for it comes and goes within a run
(cells/main.c).
"""

import os
import statistics as std
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from laboratory import cores, residents
from laboratory.cells import Near
from laboratory.control import ask
from laboratory.paths import program
from laboratory.plan import Laboratory

T = TypeVar("T")


@dataclass(frozen=True)
class Reading:
    """The signs over one run."""
    steal: float  # share of the cores' time
    others: float  # share of the cores' time
    switch_waited: float  # share of the run that the switch was ready but not running
    late_p99_us: float
    late_p999_us: float
    apart_ns: float  # of the switch's core and the nodes', before the run; 0 where there is one core
    apart_after_ns: float


_PF_KTHREAD = 0x00200000  # include/linux/sched.h
_KTHREADD = 2
_MOVED, _NOTHING_IS_AS_FAR = 2.5, 1e6
_DRAW_SECONDS, _DRAWS = 0.3, 12  # one to three brought them together in 8 of 8 cases (EPYC)

# Sign, what it means, the factor over the calibration's median at which it is too much, and the least limit: below it
# no cell moves.
_SIGNS = (
    ("steal", "a hypervisor took time away", 3.0, 0.01),
    ("others", "other programs ran", 3.0, 0.01),
    ("switch_waited", "the switch waited for a core", 3.0, 0.005),
    ("late_p99_us", "the switch was late (p99)", 3.0, 100.0),
    ("late_p999_us", "the switch was late (p99.9)", 4.0, 1000.0),
)


def limits_from(readings: Sequence[Reading], apart: Sequence[float]) -> Reading:
    """What a reading must not exceed, from readings of undisturbed runs; their median, so one disturbed is no harm. The
    cores are to be as near as they were when they were drawn together (`apart`, draw_cores())."""
    found = {}
    for name, _, factor, least in _SIGNS:
        found[name] = max(factor * std.median(getattr(reading, name) for reading in readings), least)
    near = std.median(value for value in apart if value <= _MOVED * min(apart))
    return Reading(**found, apart_ns=near, apart_after_ns=near)


def complaint(reading: Reading, limits: Reading) -> str:
    """Why a run with this reading does not count; empty when it does."""
    said = [f"{meaning}: {getattr(reading, name):.4g} over {getattr(limits, name):.4g}"
            for name, meaning, _, _ in _SIGNS if getattr(reading, name) > getattr(limits, name)]
    nearer = [apart for apart in (reading.apart_ns, reading.apart_after_ns) if _MOVED * apart < limits.apart_ns]
    if nearer:
        said.append(f"the cores are nearer than at the start: {nearer[0]:.0f} ns, not {limits.apart_ns:.0f}; start again")
    return "; ".join(said)


def is_away(apart: float, limits: Reading) -> bool:
    """Whether the cores are farther than at the start: 55 to 142 ns where they share a cache, 342 to 434 where they do not
    (EPYC)."""
    return apart > _MOVED * limits.apart_ns


def apart_ns(lab: Laboratory, draw_seconds: float = 0.0) -> float:
    """What a cache line takes between the core of the switch and one of the nodes', there and back; 0 where they share all.
    If they are to be drawn together, after that."""
    pair = cores.of_switch_and_nodes(lab.options)
    if pair is None:
        return 0.0
    command = [str(program("lab-apart")), *map(str, pair), *(["--draw", str(draw_seconds)] if draw_seconds else [])]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, timeout=30 + draw_seconds).stdout)


def draw_cores(lab: Laboratory, enough: Callable[[float], bool]) -> list[float]:
    """Draws the cores together, but a dozen times at most, until `enough` (of apart_ns()): what they came to. Cores that
    are kept awake cannot be: they may sleep as long as that takes."""
    found: list[float] = []
    awake = ask(lab.switch_socket, {"do": "show"})["awake"]
    if awake:
        ask(lab.switch_socket, {"do": "set", "awake": False})
    try:
        while len(found) < _DRAWS and not (found and enough(found[-1])):
            found.append(apart_ns(lab, _DRAW_SECONDS))
        return found
    finally:
        if awake:
            ask(lab.switch_socket, {"do": "set", "awake": True})


def near(lab: Laboratory, limits: Reading | None = None) -> Near | None:
    """What the cells need to see that the host moves the cores while they run; None where the switch has no core of its own. Without limits
    they look, and nothing is too far."""
    pair = cores.of_switch_and_nodes(lab.options)
    awake = pair is not None and ask(lab.switch_socket, {"do": "show"})["awake"]
    below = _MOVED * limits.apart_ns if limits else _NOTHING_IS_AS_FAR
    return pair and Near((pair[1], pair[0]), below, str(lab.switch_socket) if awake else "")


def keep_awake(lab: Laboratory, near: Near | None) -> None:
    """Again, as at the start: a run that was ended while it drew the cores together has left them asleep."""
    if near and near.control:
        ask(lab.switch_socket, {"do": "set", "awake": True})


def bring_cores_back(lab: Laboratory, limits: Reading) -> None:
    """If the host has moved them since the start; the cells notice when it does later."""
    if is_away(apart_ns(lab), limits):
        draw_cores(lab, lambda apart: not is_away(apart, limits))


def watch(lab: Laboratory, work: Callable[[], T]) -> tuple[T, Reading]:
    """Does `work` and reads the signs over it."""
    before = apart_ns(lab)
    ask(lab.switch_socket, {"do": "reset"})
    start, stolen, waited = time.monotonic(), steal_seconds(), waited_seconds(lab.switch_pid)
    others = other_seconds()
    result = work()
    others = max(0.0, other_seconds() - others)
    seconds = max(time.monotonic() - start, 1e-9)
    stolen, waited = steal_seconds() - stolen, waited_seconds(lab.switch_pid) - waited
    late = ask(lab.switch_socket, {"do": "lateness"})["us"]
    cores = os.cpu_count() or 1
    return result, Reading(stolen / seconds / cores, others / seconds / cores, waited / seconds,
                           float(late["p99"]), float(late["p99.9"]), before, apart_ns(lab))


def as_data(reading: Reading) -> dict[str, float]:
    """For the raw results."""
    return {name: round(value, 6) for name, value in asdict(reading).items()}


def steal_seconds(text: str | None = None) -> float:
    """Time that the hypervisor took from all cores since boot (proc(5), /proc/stat, the eighth number of `cpu`)."""
    line = (Path("/proc/stat").read_text() if text is None else text).splitlines()[0]
    return int(line.split()[8]) / os.sysconf("SC_CLK_TCK")


def other_seconds(proc: Path = Path("/proc")) -> float:
    """Processor time of all programs outside laboratories (they have a process namespace of their own; what brings
    a fault about is outside of it) but this one, and of those of their children that have ended. Kernel threads are
    left out: they work for everybody."""
    ours = os.readlink(proc / "self/ns/pid")
    ticks = 0
    for process in proc.iterdir():
        if not process.name.isdigit() or process.name == str(os.getpid()):
            continue
        try:
            namespace = os.readlink(process / "ns/pid")
        except PermissionError:
            namespace = ours  # somebody else's
        except OSError:
            continue  # has ended
        if namespace == ours:
            ticks += _user_ticks(process / "stat")
    return ticks / os.sysconf("SC_CLK_TCK")


def _user_ticks(stat: Path) -> int:
    """utime, stime, cutime and cstime of proc(5); 0 of kernel threads and of what has ended."""
    try:
        name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
    except OSError:
        return 0
    fields = rest.split()
    parent, flags = int(fields[1]), int(fields[6])
    if flags & _PF_KTHREAD or parent == _KTHREADD or name in residents.NAMES:
        return 0
    return sum(int(field) for field in fields[11:15])


def waited_seconds(pid: int) -> float:
    """How long the threads of a process have been ready and not running (/proc/PID/task/TID/schedstat, in ns)."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            total += int(thread.read_text().split()[1])
        except (OSError, IndexError):
            continue
    return total / 1e9
