"""Bringing a laboratory up: supervisor, nodes, switch, network settings, storage; or nothing at all."""

import contextlib
import dataclasses
import os
import shutil
from pathlib import Path
from typing import Any

from laboratory import (allowance, cores, down, network, nodes, paths, preconditions, progress, remote_shell, storage,
                        stated, supervisor, switch)
from laboratory.errors import BAD_INPUT, LabError
from laboratory.lock import exclusive
from laboratory.plan import Allowance, Laboratory, Options, Server, planned_nodes

_DIRECTORIES = ("logs", "tmp", "shared", "brick", "disks")


def up(options: Options) -> tuple[Laboratory, down.Removed]:
    """The laboratory that is now up, and what was removed before. When it fails, nothing of it is left."""
    notes = preconditions.require(options)
    holder, program = paths.program("lab-hold"), paths.program("plumbline-switch")
    paths.program("lab-echo")
    cores.leave_to_switch(options)
    with exclusive():
        progress.say("removing what an earlier laboratory left")
        removed = down.remove()
        try:
            lab = _start(options, holder, notes)
            _build(lab, holder, program)
        except BaseException as error:
            _keep_logs(paths.state_directory(), error)
            with contextlib.suppress(Exception):
                down.remove()
            raise
        finally:
            progress.say("")
        shutil.rmtree(_kept_logs(paths.state_directory()), ignore_errors=True)
    return lab, removed


def require_none(whose: str) -> None:
    """LabError where a laboratory is up: who makes one of its own would remove it."""
    if supervisor.left_over() or paths.state_directory().exists():
        raise LabError(whose, "a laboratory is up, and each run needs one of its own", "lab down", BAD_INPUT)


def _kept_logs(directory: Path) -> Path:
    return directory.with_name(directory.name + ".failed-logs")


def _start(options: Options, holder: Path, notes: list[str]) -> Laboratory:
    directory = paths.state_directory()
    directory.mkdir(mode=0o700)
    for name in _DIRECTORIES:
        (directory / name).mkdir()
    root = os.geteuid() == 0
    pid = supervisor.start(holder, root)
    lab = Laboratory(str(directory), pid, supervisor.start_time(pid), options, root=root, notes=notes,
                     build=str(paths.build_directory().resolve()), nodes=planned_nodes(options),
                     bound=cores.of_each_node(options))
    lab.save()
    return lab


def _build(lab: Laboratory, holder: Path, program: Path) -> None:
    built = supervisor.inside(lab, lambda: _build_inside(lab, holder, program))
    outer = supervisor.outer_pids(lab)
    for node in lab.nodes:
        node.inner_pid = built["nodes"][node.name]
        node.pid = outer[node.inner_pid]
    lab.servers = [Server(**server) for server in built["servers"]]
    for server in lab.servers:
        server.brick_pid = outer[server.brick_pid]
    lab.switch_pid = outer[built["switch"]]
    lab.allowance = Allowance(**built["allowance"])
    lab.notes += filter(None, [lab.allowance.note, stated.put(lab, stated.as_planned(lab))])
    remote_shell.write(lab)
    lab.ready = True
    lab.save()


def _build_inside(lab: Laboratory, holder: Path, program: Path) -> dict[str, Any]:
    """What is made inside, with the pids of there. Servers get ready while the network is made."""
    progress.say(f"starting {len(lab.nodes)} nodes")
    if lab.options.servers:
        storage.prepare(lab)
    pids = nodes.start_nodes(lab, holder)
    for node in lab.nodes:
        node.inner_pid = pids[node.name]
    servers = storage.start_servers(lab)
    progress.say("starting the switch")
    switch_pid = switch.start(lab, program)
    progress.say("configuring the network")
    network.configure(lab)
    progress.say("mounting the shared file system")
    built = {"nodes": pids, "switch": switch_pid, "servers": servers()}
    if lab.options.servers:
        storage.start_clients(lab)()
    progress.say("timing the way between nodes")
    built["allowance"] = dataclasses.asdict(allowance.settle(lab, paths.program("lab-echo")))
    return built


def _keep_logs(directory: Path, error: BaseException) -> None:
    """The logs of a laboratory that did not come up stay beside its state directory; the error names them there."""
    kept = _kept_logs(directory)
    if isinstance(error, LabError):
        error.hint = error.hint.replace(str(directory / "logs"), str(kept))
    with contextlib.suppress(OSError):
        kept.mkdir(mode=0o700, exist_ok=True)
        for path in (directory / "logs").iterdir():
            path.replace(kept / path.name)
