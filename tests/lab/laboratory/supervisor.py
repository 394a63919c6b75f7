"""The supervisor: pid 1 of the laboratory's own pid and mount namespaces. Everything of the laboratory lives in them,
so ending this one process ends everything, and every mount and network interface vanishes with it."""

import os
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from laboratory import namespaces
from laboratory.errors import OWN_FAULT, LabError
from laboratory.paths import NAME
from laboratory.plan import Laboratory

_PATIENCE = 10.0  # seconds


def start(holder: Path, root: bool) -> int:
    """Starts a supervisor that survives us and returns its pid. `holder` is lab-hold."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            _become_parent_of_supervisor(holder, root, write)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    if not text.isdigit():
        raise LabError("supervisor", text or "could not be started", "lab up --help lists what is needed", OWN_FAULT)
    return int(text)


def _become_parent_of_supervisor(holder: Path, root: bool, write: int) -> None:
    try:
        os.setsid()
        user, group = os.getuid(), os.getgid()
        if not root:
            namespaces.unshare(namespaces.NEWUSER)
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"0 {user} 1")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1")
        namespaces.unshare(namespaces.NEWPID | namespaces.NEWNS)
        failed, running = os.pipe()
        pid = os.fork()
        if pid == 0:
            _become_supervisor(holder, running)
        os.close(running)
        error = os.read(failed, 4096)  # empty: the pipe was closed by exec
        os.write(write, error or str(pid).encode())
    except OSError as error:
        os.write(write, str(error).encode())


def _become_supervisor(holder: Path, running: int) -> None:
    try:
        namespaces.mount("none", "/", flags=namespaces.MS_REC | namespaces.MS_PRIVATE)
        namespaces.mount("proc", "/proc", "proc")
        os.execv(holder, [str(holder), "supervisor"])
    except OSError as error:
        os.write(running, str(error).encode())
    finally:
        os._exit(1)


def inside(lab: Laboratory, work: Callable[[], Any]) -> Any:
    """Runs `work` in a child that lives in the laboratory (and dies with it), but on none of its nodes."""
    return namespaces.run_inside(lab.supervisor, ("user", "pid", "mnt"), work)


def start_time(pid: int) -> int:
    """When a process started, in clock ticks since boot; 0 when it is not there."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, IndexError):
        return 0


def is_alive(lab: Laboratory) -> bool:
    """Whether the supervisor of a state file still runs, and is that one and not a later process of the same pid."""
    return start_time(lab.supervisor) == lab.supervisor_start != 0 and _is_ours(lab.supervisor)


def current() -> Laboratory:
    """The laboratory that is up, for every verb that needs one."""
    lab = Laboratory.load()
    if lab is None:
        raise LabError("laboratory", "none is up", "lab up")
    if not is_alive(lab):
        raise LabError("laboratory", "it has died; its state file is left", "lab down removes it, lab up makes another")
    if not lab.ready:
        raise LabError("laboratory", "it did not come up, or is just coming up", "lab down, then lab up")
    return lab


def _is_ours(pid: int) -> bool:
    try:
        directory = Path(f"/proc/{pid}")
        state = (directory / "stat").read_text().rpartition(")")[2].split()[0]
        return (directory.stat().st_uid == os.getuid() and state != "Z"
                and (directory / "comm").read_text().strip() == NAME
                and len(_pids(pid)) == 2)  # else it belongs to a container's laboratory
    except OSError:
        return False


def left_over() -> list[int]:
    """The pids of all supervisors and node holders of this user, whether or not a state file knows them."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and _is_ours(int(name))]


def outer_pids(lab: Laboratory) -> dict[int, int]:
    """The pid inside the laboratory -> the pid as seen from here, of everything that runs in it."""
    ours = os.readlink(f"/proc/{lab.supervisor}/ns/pid")
    pids = {}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/ns/pid") == ours:
                pids[_pids(int(name))[-1]] = int(name)
        except OSError:
            continue  # gone, or another user's
    return pids


def _pids(pid: int) -> list[int]:
    """The pids of a process, from our pid namespace down to its own."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("NSpid:"):
            return [int(word) for word in line.split()[1:]]
    raise OSError(f"/proc/{pid}/status has no NSpid")


def end(pids: list[int]) -> None:
    """Ends supervisors and all that lives in them, and waits until they are gone."""
    handles = []
    for pid in pids:
        try:
            handles.append(os.pidfd_open(pid))
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    deadline = time.monotonic() + _PATIENCE
    for handle in handles:
        ended, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
        os.close(handle)
        if not ended:
            raise LabError("supervisor", "does not end although it was killed",
                           "a process of it hangs in the kernel: see ps -eo pid,stat,wchan:30,comm", OWN_FAULT)
