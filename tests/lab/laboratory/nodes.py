"""Nodes: a holder process each, in namespaces of its own. All of this runs inside the laboratory."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

from laboratory import namespaces
from laboratory.errors import OWN_FAULT, LabError
from laboratory.plan import Laboratory, Node

_OWN = namespaces.NEWNET | namespaces.NEWUTS | namespaces.NEWNS | namespaces.NEWIPC


def hosts_file(nodes: list[Node]) -> str:
    """What every node finds as /etc/hosts."""
    return "".join(f"{node.address}\t{node.name}\n" for node in nodes) + "127.0.0.1\tlocalhost\n"


def start_nodes(lab: Laboratory, holder: Path) -> dict[str, int]:
    """Starts the holders of all nodes; their pids inside the laboratory by name."""
    hosts = Path(lab.state) / "hosts"
    hosts.write_text(hosts_file(lab.nodes))
    waiting = [(node, _start(node, lambda node=node: _become_node(lab, node, hosts, holder))) for node in lab.nodes]
    return {node.name: wait() for node, wait in waiting}


def _start(node: Node, become: Callable[[], None]) -> Callable[[], int]:
    """Forks a process that becomes the holder; the returned function waits for that and gives its pid."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            become_error = _error_of(lambda: _fork_for_time(node, write, become))
            os.write(write, b"!" + become_error.encode())
        finally:
            os._exit(1)
    os.close(write)

    def wait() -> int:
        with os.fdopen(read) as pipe:
            text = pipe.read()
        pid, _, error = text.partition("!")
        if error:
            raise LabError(f"node {node.name}", error, "lab up --help lists what is needed", OWN_FAULT)
        return int(pid)

    return wait


def _error_of(work: Callable[[], None]) -> str:
    try:
        work()
    except Exception as error:  # noqa: BLE001 - reported by the parent
        return str(error) or type(error).__name__
    return "did not become a holder"


def _fork_for_time(node: Node, write: int, become: Callable[[], None]) -> None:
    """A time namespace holds only the children of the process that makes it, so such a node needs one fork more."""
    if node.clock_offset_ns:
        namespaces.unshare(namespaces.NEWTIME)
        seconds, nanoseconds = divmod(node.clock_offset_ns, 10**9)
        Path("/proc/self/timens_offsets").write_text(
            f"monotonic {seconds} {nanoseconds}\nboottime {seconds} {nanoseconds}\n")
        if os.fork() != 0:
            os._exit(0)
    os.write(write, str(os.getpid()).encode())
    become()


def _mount_sysfs() -> None:
    """A new sysfs shows the network interfaces of whoever mounts it. The control groups stay where they were: libraries
    read there which cores they may have."""
    groups = os.open("/sys/fs/cgroup", os.O_PATH) if os.path.ismount("/sys/fs/cgroup") else None
    namespaces.mount("sysfs", "/sys", "sysfs")
    if groups is not None:
        namespaces.mount(f"/proc/self/fd/{groups}", "/sys/fs/cgroup", flags=namespaces.MS_BIND | namespaces.MS_REC)
        os.close(groups)


def _become_node(lab: Laboratory, node: Node, hosts: Path, holder: Path) -> None:
    namespaces.unshare(_OWN)
    namespaces.mount("none", "/", flags=namespaces.MS_REC | namespaces.MS_PRIVATE)
    socket.sethostname(node.name)
    namespaces.mount(str(hosts), "/etc/hosts", flags=namespaces.MS_BIND)
    _mount_sysfs()
    namespaces.mount("tmpfs", "/dev/shm", "tmpfs", namespaces.MS_NOSUID | namespaces.MS_NODEV, "mode=1777")
    namespaces.mount("tmpfs", str(Path(lab.state) / "tmp"), "tmpfs", namespaces.MS_NOSUID | namespaces.MS_NODEV,
                     "mode=1777")
    os.setsid()
    os.execv(holder, [str(holder), node.name])
