"""Linux namespaces and mounts, for which Python 3.11 has no functions of its own."""

import ctypes
import json
import os
import signal
from collections.abc import Callable, Iterable
from typing import Any

from laboratory.errors import OWN_FAULT, LabError

NEWTIME, NEWNS, NEWUTS, NEWIPC = 0x00000080, 0x00020000, 0x04000000, 0x08000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000

# The order in which a process may enter them: the user namespace first, it gives the rights to the others.
ENTERED = (("user", NEWUSER), ("pid", NEWPID), ("mnt", NEWNS), ("net", NEWNET), ("uts", NEWUTS), ("ipc", NEWIPC),
           ("time", NEWTIME))

MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 32, 4096, 16384, 1 << 18
_PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    _check(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    _check(_libc.mount(source.encode(), target.encode(), kind.encode() or None, ctypes.c_ulong(flags),
                       data.encode() or None), f"mount {kind or source} on {target}")


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """The kernel sends this process a signal when its parent (thread) ends."""
    _check(_libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0), "prctl")


def enter(pid: int, names: Iterable[str]) -> None:
    """This process joins the namespaces of `pid` that differ from its own; "pid" takes effect for its children.

    With "mnt" it also takes the root directory of `pid`: else one that was started in a chroot would be outside of it.
    """
    wanted = set(names)
    handles = []
    root = os.open(f"/proc/{pid}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC) if "mnt" in wanted else None
    for name, flag in ENTERED:
        if name in wanted and os.readlink(f"/proc/self/ns/{name}") != os.readlink(f"/proc/{pid}/ns/{name}"):
            handles.append((os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC), flag, name))
    for handle, flag, name in handles:
        _check(_libc.setns(handle, flag), f"enter the {name} namespace of process {pid}")
        os.close(handle)
    if root is not None:
        os.fchdir(root)
        os.chroot(".")
        os.close(root)


def enter_options(pid: int, names: Iterable[str]) -> list[str]:
    """The options of nsenter(1) that do the same, for a process that shares nothing with `pid`."""
    letters = {"user": "-U", "pid": "-p", "mnt": "-m", "net": "-n", "uts": "-u", "ipc": "-i", "time": "-T"}
    options = ["-t", str(pid)]
    for name in names:
        options += [letters[name]] + (["--preserve-credentials"] if name == "user" else [])
        options += ["--root"] if name == "mnt" else []
    return options


def _answer(write: int, work: Callable[[], Any]) -> None:
    """Runs in the child: the result or the error goes through the pipe as JSON."""
    try:
        answer: dict[str, Any] = {"result": work()}
    except LabError as error:
        answer = {"error": error.args}
    except BaseException as error:  # noqa: BLE001 - whatever it was, the parent reports it
        answer = {"error": ["laboratory", f"{type(error).__name__}: {error}", "", OWN_FAULT]}
    with os.fdopen(write, "w") as pipe:
        json.dump(answer, pipe)


def run_inside(pid: int | None, names: Iterable[str], work: Callable[[], Any]) -> Any:
    """Runs `work` in a forked child inside the namespaces of `pid` (None: ours) and returns its (JSON) result."""
    return start_inside(pid, names, work)()


def start_inside(pid: int | None, names: Iterable[str], work: Callable[[], Any]) -> Callable[[], Any]:
    """Like run_inside, without waiting: call what is returned to wait for the result."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _in_child(pid, tuple(names), work, write)
    os.close(write)

    def wait() -> Any:
        with os.fdopen(read) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        if not text:
            raise LabError("laboratory", "a helper process was killed", "is the laboratory still up? lab status",
                           OWN_FAULT)
        answer = json.loads(text)
        if "error" in answer:
            raise LabError(*answer["error"])
        return answer["result"]

    return wait


def _in_child(pid: int | None, names: tuple[str, ...], work: Callable[[], Any], write: int) -> None:
    def entered() -> Any:
        if pid is not None:
            enter(pid, names)
        if "pid" not in names:
            return work()
        return run_inside(None, (), work)  # only a child of ours is in the new pid namespace

    try:
        die_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _answer(write, entered)
    finally:
        os._exit(0)
