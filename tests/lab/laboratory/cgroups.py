"""Control groups of the laboratory: one per server and controller, all named plumbline-lab-UID-NODE; and one of the cores
of all nodes (processors.py)."""

import os
import time
from collections.abc import Iterable
from pathlib import Path

from laboratory.errors import OWN_FAULT, LabError
from laboratory.paths import NAME

CONTROLLERS = ("blkio", "cpu")  # of servers

_PERIOD, _LEAST_QUOTA = 100_000, 1_000  # microseconds; the kernel takes no smaller quota


def mounts(text: str | None = None) -> dict[str, Path]:
    """Controller -> where its hierarchy is mounted; "unified" for version 2. `text` is a /proc/self/mountinfo."""
    found: dict[str, Path] = {}
    for line in (Path("/proc/self/mountinfo").read_text() if text is None else text).splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        if kind == "cgroup2":
            found.setdefault("unified", Path(left.split()[4]))
        elif kind == "cgroup":
            for name in options.split(","):
                if name in (*CONTROLLERS, "cpuset"):
                    found.setdefault(name, Path(left.split()[4]))
    return found


def hierarchies() -> dict[str, Path]:
    """Those a server can be put into, as far as we may write there: version 1, else version 2 as "unified"."""
    found = {name: place for name, place in mounts().items() if name != "cpuset" and os.access(place, os.W_OK)}
    unified = found.pop("unified", None)
    if found:
        return found
    if unified and "io" in (unified / "cgroup.controllers").read_text().split():
        return {"unified": unified}
    return {}


def usable() -> bool:
    """Whether we may make groups that limit the rate of a disk."""
    return os.getuid() == 0 and not {"blkio", "unified"}.isdisjoint(hierarchies())


def make(node: str) -> dict[str, str]:
    """Makes the groups of a node: controller -> directory."""
    made = {}
    for controller, place in hierarchies().items():
        if controller == "unified":
            (place / "cgroup.subtree_control").write_text("+io +cpu +memory")  # memory: whose data the kernel writes
        directory = place / f"{NAME}-{os.getuid()}-{node}"
        directory.mkdir(exist_ok=True)
        made[controller] = str(directory)
    return made


def add(groups: dict[str, str], pid: int) -> None:
    """Moves a process, with all its threads, into its groups."""
    for directory in groups.values():
        Path(directory, "cgroup.procs").write_text(str(pid))


def limit_device(groups: dict[str, str], device: str, bytes_per_second: int) -> None:
    """Limits reading and writing of a block device ("7:0"); 0 lifts the limit."""
    if "blkio" in groups:
        for way in ("read", "write"):
            Path(groups["blkio"], f"blkio.throttle.{way}_bps_device").write_text(f"{device} {bytes_per_second}")
    elif "unified" in groups:
        value = bytes_per_second or "max"
        Path(groups["unified"], "io.max").write_text(f"{device} rbps={value} wbps={value}")
    else:
        raise LabError("disk rate", "this machine has no cgroup for block devices", "lab up --disk-rate 0", OWN_FAULT)


def can_limit_processor(groups: dict[str, str]) -> bool:
    """Whether one of these groups does."""
    return not {"cpu", "unified"}.isdisjoint(groups)


def limit_processor(groups: dict[str, str], share: float) -> None:
    """Lets the processes of the groups have this share of one core, in slices of 0.1 s; 0 lifts the limit."""
    quota = max(_LEAST_QUOTA, round(share * _PERIOD)) if share else 0
    if "cpu" in groups:
        Path(groups["cpu"], "cpu.cfs_period_us").write_text(str(_PERIOD))
        Path(groups["cpu"], "cpu.cfs_quota_us").write_text(str(quota or -1))
    elif "unified" in groups:
        Path(groups["unified"], "cpu.max").write_text(f"{quota or 'max'} {_PERIOD}")


def left_over() -> list[Path]:
    """The groups that laboratories of this user have made."""
    pattern = f"{NAME}-{os.getuid()}-*"
    return sorted(path for place in set(mounts().values()) for path in place.glob(pattern) if path.is_dir())


def remove_all() -> None:
    """Removes them; their processes must have ended."""
    _remove(left_over())


def remove(groups: dict[str, str]) -> None:
    """Removes those that make() has made; their processes must have ended."""
    _remove(map(Path, groups.values()))


def _remove(paths: Iterable[Path]) -> None:
    """A group stays busy for a moment after its last process."""
    deadline = time.monotonic() + 2.0
    for path in paths:
        while True:
            try:
                path.rmdir()
                break
            except FileNotFoundError:
                break
            except OSError as error:
                if time.monotonic() > deadline:
                    raise LabError(str(path), f"cannot be removed: {error}", f"cat {path}/cgroup.procs",
                                   OWN_FAULT) from error
                time.sleep(0.01)
