"""The control group of what runs on nodes: it has the cores that nodes have (cores.py), so that an MPI which binds its
ranks, by what the kernel says a process may have and not by its affinity, leaves the switch its core."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from laboratory import cgroups, cores
from laboratory.paths import NAME
from laboratory.plan import Options


def _place() -> Path | None:
    """Where groups of cores are made; None where there is no such hierarchy (version 1), or it is not ours."""
    place = cgroups.mounts().get("cpuset")
    return place if place and os.access(place, os.W_OK) else None


def _own(place: Path) -> Path:
    """The group that this process is in."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "cpuset" in controllers.split(","):
            return place / path.lstrip("/")
    return place


@contextmanager
def of_nodes(options: Options) -> Iterator[None]:
    """This process, and what it starts meanwhile, may have only the cores of the nodes."""
    place = _place()
    if place is None or cores.of_switch(options) is None:
        yield
        return
    before = _own(place)
    group = place / f"{NAME}-{os.getuid()}-nodes"
    group.mkdir(exist_ok=True)
    (group / "cpuset.mems").write_text((before / "cpuset.mems").read_text())
    (group / "cpuset.cpus").write_text(",".join(str(core) for core in cores.of_nodes(options)))
    (group / "cgroup.procs").write_text(str(os.getpid()))
    try:
        yield
    finally:
        (before / "cgroup.procs").write_text(str(os.getpid()))
