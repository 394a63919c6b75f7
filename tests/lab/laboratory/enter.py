"""Running a command on a node: in all its namespaces, in the caller's directory, ended with its caller."""

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from laboratory import namespaces
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.paths import tool
from laboratory.plan import Laboratory, Node

_NAMES = ("pid", "mnt", "net", "uts", "ipc")


def namespaces_of(lab: Laboratory, node: Node) -> list[str]:
    """The namespaces that a process of `node` must enter when it comes from outside the laboratory."""
    return ([] if lab.root else ["user"]) + list(_NAMES) + (["time"] if node.clock_offset_ns else [])


def _needed_tool(name: str) -> str:
    path = tool(name)
    if path is None:
        raise LabError(name, "not found", "install util-linux and coreutils", CANNOT_RUN_HERE)
    return path


def node_command(lab: Laboratory, node: Node, command: list[str], env: Mapping[str, str] | None = None) -> list[str]:
    """The command line that runs `command` on `node`. It gets SIGTERM when nsenter(1), our child, ends before it."""
    settings = [f"{name}={value}" for name, value in (env or {}).items()]
    return [_needed_tool("nsenter"), *namespaces.enter_options(node.pid, namespaces_of(lab, node)), "--",
            _needed_tool("setpriv"), "--pdeathsig", "TERM", "--",
            _needed_tool("env"), f"--chdir={os.getcwd()}", *settings, *command]


def on_node(lab: Laboratory, node: Node, command: list[str], *, env: Mapping[str, str] | None = None,
            capture: bool = False, timeout: float | None = None, **kw: Any) -> subprocess.CompletedProcess[str]:
    """Runs `command` on `node`. Interrupt and termination reach the command; its status is returned, -N for signal N.

    With `timeout` (seconds) it is ended after that time and the status is 124, as with timeout(1). With `capture` it is
    part of something longer, which ends when the command has: KeyboardInterrupt, or SystemExit with 128 + N.
    """
    pipe = subprocess.PIPE if capture else None
    received: list[int] = []
    process: subprocess.Popen[str] | None = None

    def forward(number: int, _: FrameType | None) -> None:
        received.append(number)
        if process is not None and number != signal.SIGINT:
            _signal_child(process.pid, number)

    # Ctrl-C reaches the command from the terminal itself; we only have to outlive it.
    previous = {number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        process = subprocess.Popen(node_command(lab, node, command, env), stdout=pipe, stderr=pipe, text=True,
                                   preexec_fn=namespaces.die_with_parent, **kw)
        for number in received:
            forward(number, None)
        done = _finish(process, timeout)
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    if capture and received:
        raise KeyboardInterrupt if received[0] == signal.SIGINT else SystemExit(128 + received[0])
    return done


def _finish(process: "subprocess.Popen[str]", timeout: float | None) -> subprocess.CompletedProcess[str]:
    status = None
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        status = 124
        out, err = _end(process)
    if status is None:
        status = process.returncode
    return subprocess.CompletedProcess(process.args, status, out, err)


def _end(process: "subprocess.Popen[str]") -> tuple[str | None, str | None]:
    """Asks first: an MPI launcher then ends its ranks on all nodes."""
    _signal_child(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        _signal_child(process.pid, signal.SIGKILL)
        process.kill()
        return process.communicate()


def _signal_child(pid: int, number: int) -> None:
    """nsenter(1) passes no signals on, so its child (or, before it has one, nsenter itself) is told."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        children = []
    for target in children or [str(pid)]:
        try:
            os.kill(int(target), number)
        except ProcessLookupError:
            pass
