"""What a fault changes inside of nodes: the MTU, the room of /dev/shm. Works from outside of the laboratory."""

import subprocess
from collections.abc import Callable, Mapping

from laboratory import namespaces
from laboratory.enter import namespaces_of
from laboratory.errors import BAD_INPUT, OWN_FAULT, LabError
from laboratory.network import DEVICE
from laboratory.paths import tool
from laboratory.plan import Laboratory

SHM = "/dev/shm"
WHOLE = "50%"  # of the memory: what the kernel gives a tmpfs by itself


def on_nodes(lab: Laboratory, wanted: Mapping[str, Callable[[], object]], *names: str) -> list[object]:
    """Does what is wanted on these nodes, in those of their namespaces, all at once; what came of it, in this order."""
    waiting = []
    for name, work in wanted.items():
        node = lab.node(name)
        entered = [each for each in namespaces_of(lab, node) if each in ("user", *names)]
        waiting.append(namespaces.start_inside(node.pid, entered, work))
    return [wait() for wait in waiting]


def put_mtu(lab: Laboratory, wanted: Mapping[str, int]) -> None:
    """The MTU of these nodes' interfaces."""
    on_nodes(lab, {name: lambda name=name, mtu=mtu: _put_mtu(name, mtu) for name, mtu in wanted.items()}, "net")


def _put_mtu(name: str, mtu: int) -> None:
    done = subprocess.run([tool("ip") or "ip", "link", "set", "dev", DEVICE, "mtu", str(mtu)], text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise LabError(f"node {name}", f"refuses an MTU of {mtu}: {done.stderr.strip()}", "", OWN_FAULT)


def put_shm(lab: Laboratory, wanted: Mapping[str, str]) -> None:
    """The size of these nodes' /dev/shm, as tmpfs(5) writes it: bytes, or a share of the memory."""
    on_nodes(lab, {name: lambda name=name, size=size: _put_shm(name, size) for name, size in wanted.items()}, "mnt")


def _put_shm(name: str, size: str) -> None:
    try:
        namespaces.mount("tmpfs", SHM, "tmpfs", namespaces.MS_REMOUNT | namespaces.MS_NOSUID | namespaces.MS_NODEV,
                         f"size={size}")
    except OSError as error:
        raise LabError(f"node {name}", f"{SHM} cannot have a size of {size}: {error}",
                       f"more than that is in it; lab run --on {name} -- ls {SHM}", BAD_INPUT) from error
