"""What this machine must have; each thing that is missing is named together with what still works without it."""

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from laboratory import cgroups, namespaces
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.paths import tool
from laboratory.plan import Options


@dataclass(frozen=True)
class Need:
    """One thing that is needed. `test` gives an empty text when it is there, else what is wrong."""
    test: Callable[[], str]
    hint: str  # what to do, or what works without


def _opens(path: str) -> str:
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        return f"{path}: {error.strerror}"
    return ""


def _tools(names: str, package: str) -> Callable[[], str]:
    def test() -> str:
        missing = [name for name in names.split() if tool(name) is None]
        return f"not found: {', '.join(missing)} (Debian: {package})" if missing else ""
    return test


def _namespaces() -> str:
    """Tries, in a child, what the supervisor and the nodes do."""
    user = 0 if os.geteuid() == 0 else namespaces.NEWUSER
    wanted = (namespaces.NEWPID | namespaces.NEWNS | namespaces.NEWNET | namespaces.NEWUTS | namespaces.NEWIPC)

    def attempt() -> str:
        try:
            namespaces.unshare(user | wanted)
        except OSError as error:
            return f"{'user ' if user else ''}namespaces cannot be made ({error.strerror})"
        return ""

    return str(namespaces.run_inside(None, (), attempt))


def _net_admin() -> str:
    """Root of a container may lack CAP_NET_ADMIN (bit 12); in a user namespace of ours we have it."""
    if os.geteuid() != 0:
        return ""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:") and not int(line.split()[1], 16) >> 12 & 1:
            return "root here has no CAP_NET_ADMIN"
    return ""


def _time_namespaces() -> str:
    if Path("/proc/self/ns/time").exists():
        return ""
    return f"this kernel ({platform.release()}) has no time namespaces (Linux 5.6 or later, CONFIG_TIME_NS)"


def _bricks() -> str:
    if os.geteuid() == 0:
        return ""
    return "only root may keep a brick: GlusterFS needs trusted.* attributes and a loop device"


def _disk_limit() -> str:
    if cgroups.usable():
        return ""
    return "no cgroup that limits block devices (blkio of version 1, io of version 2) can be written"


_ALWAYS = (
    Need(_namespaces, "run as root, or allow user namespaces (sysctl user.max_user_namespaces, "
                      "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns); "
                      "in a container add --privileged. Nothing of the laboratory works without"),
    Need(_net_admin, "in a container add --cap-add NET_ADMIN --cap-add SYS_ADMIN. Nothing works without"),
    Need(lambda: _opens("/dev/net/tun"), "modprobe tun; in a container add --device /dev/net/tun; for users without "
                                         "root chmod 666 /dev/net/tun. Nothing works without"),
    Need(_tools("ip tc", "iproute2"), "nothing works without"),
    Need(_tools("nsenter setpriv mount", "util-linux"), "nothing works without"),
)
_STORAGE = (
    Need(_bricks, "without storage it works: lab up --servers 0"),
    Need(lambda: _opens("/dev/fuse"), "modprobe fuse; in a container add --device /dev/fuse; "
                                      "without storage it works: lab up --servers 0"),
    Need(lambda: _opens("/dev/loop-control"), "modprobe loop; without storage it works: lab up --servers 0"),
    Need(_tools("glusterfs glusterfsd", "glusterfs-server"), "without storage it works: lab up --servers 0"),
    Need(_tools("mkfs.ext4", "e2fsprogs"), "without storage it works: lab up --servers 0"),
)
_CLOCKS = Need(_time_namespaces, "without --clock-offset everything works, with one clock for all nodes")
_DISK = Need(_disk_limit, "lab up --disk-rate 0 works, with disks as fast as memory and no slow disk")


def missing(options: Options) -> list[tuple[str, str]]:
    """(what is missing, what to do) for a laboratory of this shape; empty when it can run here."""
    needs = list(_ALWAYS)
    if options.servers:
        needs += _STORAGE
        if options.disk_rate:
            needs.append(_DISK)
    if options.clock_offsets:
        needs.append(_CLOCKS)
    found = ((need.test(), need.hint) for need in needs)
    return [(what, hint) for what, hint in found if what]


def require(options: Options) -> list[str]:
    """Fails with all that is missing at once; returns what else does not work here."""
    found = missing(options)
    if found:
        what, hint = found[0]
        more = "".join(f"\n  also: {also}: {advice}" for also, advice in found[1:])
        raise LabError("this machine", what, hint + more, CANNOT_RUN_HERE)
    notes = []
    if os.geteuid() != 0:
        notes.append("not root: no storage, no control groups, no real-time priority; timings are less steady, and the "
                     "faults that need these answer with status 6")
    if not os.access("/dev/cpu_dma_latency", os.W_OK):
        notes.append("/dev/cpu_dma_latency cannot be written: cores go to sleep, and short messages take longer, some "
                     "more than others")
    return notes
