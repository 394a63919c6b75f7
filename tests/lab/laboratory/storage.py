"""The shared file system: GlusterFS bricks on the server nodes, a FUSE mount on each compute node.

A brick is an ext4 on an autoclear loop device over a sparse image. The image is on a tmpfs of the laboratory, so the
device is as fast as memory until a cgroup limits it to --disk-rate: the host's own disk adds no noise.
All of this runs inside the laboratory.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from laboratory import cgroups, namespaces, volumes
from laboratory.errors import CANNOT_RUN_HERE, OWN_FAULT, LabError
from laboratory.paths import NAME, tool
from laboratory.plan import Laboratory, Node, Server

IMAGE_BYTES = 1 << 30  # sparse
_PATIENCE = 15.0  # seconds until a brick listens, or a client is mounted

# No journal: its commits come from a kernel thread, which the limit of the brick's cgroup does not reach.
# Files come and go, but GlusterFS keeps a directory for the first two bytes of every random identity it has seen: 65536.
INODES = 80_000
_MAKE_FILE_SYSTEM = ["mkfs.ext4", "-q", "-F", "-N", str(INODES), "-O", "^has_journal", "-E",
                     "nodiscard,lazy_itable_init=0"]


def prepare(lab: Laboratory) -> None:
    """Before the nodes exist, which inherit this mount."""
    namespaces.mount("tmpfs", str(_disks(lab)), "tmpfs", namespaces.MS_NOSUID | namespaces.MS_NODEV, "mode=700")


def start_servers(lab: Laboratory) -> Callable[[], list[dict[str, Any]]]:
    """Starts the bricks; the returned function waits until they listen and gives what Server has, with inner pids."""
    waiting = [namespaces.start_inside(node.inner_pid, ("mnt", "net", "uts"), lambda node=node: _start_server(lab, node))
               for node in lab.nodes if node.kind == "server"]
    return lambda: [_limit(lab, wait()) for wait in waiting]


def start_clients(lab: Laboratory) -> Callable[[], None]:
    """Mounts the file system on all compute nodes; the returned function waits until all can use it."""
    volume = Path(lab.state) / "client.vol"
    volume.write_text(volumes.client_volume([node for node in lab.nodes if node.kind == "server"],
                                            whole_files=lab.options.whole_files))
    waiting = [namespaces.start_inside(node.inner_pid, ("mnt", "net"),
                                       lambda node=node: _start_client(lab, node, volume)) for node in lab.compute]

    def wait_all() -> None:
        for wait in waiting:
            wait()

    return wait_all


def throttle(lab: Laboratory, server: Server, bytes_per_second: int) -> None:
    """Limits the disk of one server from now on; 0 lifts the limit. Works from outside the laboratory."""
    cgroups.limit_device(server.cgroups, server.device, bytes_per_second)
    server.disk_rate = bytes_per_second


def files(lab: Laboratory) -> Path:
    """Where a server keeps its part of the files, in its own mounts."""
    return Path(lab.state) / "brick" / "data"


def _disks(lab: Laboratory) -> Path:
    return Path(lab.state) / "disks"


def _log(lab: Laboratory, node: Node) -> Path:
    return Path(lab.state) / "logs" / f"glusterfs-{node.name}.log"


def _start_server(lab: Laboratory, node: Node) -> dict[str, Any]:
    image, brick = _disks(lab) / f"{NAME}-{os.getuid()}-{node.name}.img", files(lab).parent
    with image.open("w") as file:
        file.truncate(IMAGE_BYTES)
    _run(node, [*_MAKE_FILE_SYSTEM, str(image)])
    _run(node, ["mount", "-n", "-o", "loop,noatime", str(image), str(brick)])
    files(lab).mkdir()
    (brick / "lost+found").rmdir()
    number = brick.stat().st_dev
    device = f"{os.major(number)}:{os.minor(number)}"
    loop = os.path.basename(os.readlink(f"/sys/dev/block/{device}"))

    volume = Path(lab.state) / f"{node.name}.vol"
    volume.write_text(volumes.server_volume(str(files(lab))))
    process = _start(lab, node, ["glusterfsd", "-N", "-f", str(volume), "-l", str(_log(lab, node))])
    _wait(lab, node, process, _is_listening)
    return {"name": node.name, "brick_pid": process.pid, "device": device, "loop": f"/dev/{loop}"}


def _limit(lab: Laboratory, server: dict[str, Any]) -> dict[str, Any]:
    """Puts the brick into control groups, which are seen from outside the node only."""
    groups: dict[str, str] = {}
    try:
        groups = cgroups.make(server["name"])
        cgroups.add(groups, server["brick_pid"])
        if lab.options.disk_rate:
            cgroups.limit_device(groups, server["device"], lab.options.disk_rate)
    except OSError as error:
        if lab.options.disk_rate:
            raise LabError(f"control group of {server['name']}", str(error), "lab up --disk-rate 0 does without",
                           CANNOT_RUN_HERE) from error
    return {**server, "cgroups": groups, "disk_rate": lab.options.disk_rate}


def _start_client(lab: Laboratory, node: Node, volume: Path) -> None:
    before = lab.shared.stat().st_dev
    process = _start(lab, node, ["glusterfs", "-N", "-f", str(volume), "-l", str(_log(lab, node)),
                                 "--direct-io-mode=enable", "--attribute-timeout=0", "--entry-timeout=0",
                                 str(lab.shared)])
    _wait(lab, node, process, lambda: _is_mounted(lab.shared, before))


def _is_listening() -> bool:
    """Whether somebody in this network namespace listens on the port of the bricks (state 0A in /proc/net/tcp)."""
    wanted = f":{volumes.PORT:04X}"
    lines = Path(f"/proc/{os.getpid()}/net/tcp").read_text().splitlines()[1:]
    return any(fields[1].endswith(wanted) and fields[3] == "0A" for fields in map(str.split, lines))


def _is_mounted(directory: Path, before: int) -> bool:
    try:
        return directory.stat().st_dev != before and shutil.disk_usage(directory).total > 0  # asks the bricks
    except OSError:
        return False  # the client has ended, or has no connection yet


def _start(lab: Laboratory, node: Node, command: list[str]) -> "subprocess.Popen[bytes]":
    path = tool(command[0])
    if path is None:
        raise LabError(command[0], "not found", "install glusterfs-server, or lab up --servers 0", CANNOT_RUN_HERE)
    return subprocess.Popen([path, *command[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True, cwd="/")


def _wait(lab: Laboratory, node: Node, process: "subprocess.Popen[bytes]", is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            what = f"glusterfs ended with status {process.returncode}" if process.poll() is not None else "is not ready"
            raise LabError(f"storage on {node.name}", what, f"its log: {_log(lab, node)}", OWN_FAULT)
        time.sleep(0.01)


def _run(node: Node, command: list[str]) -> None:
    done = subprocess.run([tool(command[0]) or command[0], *command[1:]], text=True, capture_output=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise LabError(f"storage on {node.name}", f"{' '.join(command)}: {done.stderr.strip()}",
                       "lab up --servers 0 works without storage", OWN_FAULT)
