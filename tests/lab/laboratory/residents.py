"""Programs that bring a fault about for as long as it is on. They run outside of the laboratory, and end by themselves
when what they work on is gone."""

import os
import select
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laboratory import cgroups, cores
from laboratory.errors import OWN_FAULT, LabError
from laboratory.paths import program
from laboratory.plan import Laboratory

NAMES = ("lab-freeze", "lab-forget")
_PATIENCE = 5.0  # seconds


@dataclass(frozen=True)
class Resident:
    """A program, one of NAMES, that prints `ready` when it has begun and ends at SIGTERM."""
    name: str
    arguments: Sequence[str]
    cgroups: dict[str, str] = field(default_factory=dict)  # it runs in these


def keep(lab: Laboratory, fault: str, wanted: Sequence[Resident]) -> None:
    """Starts those of a fault that is on, unless all of them run."""
    entry = lab.faults[fault]
    pids = entry.get("pids", [])
    if len(pids) == len(wanted) and all(is_running(pid) for pid in pids):
        return
    end(entry)
    for resident in wanted:
        entry["pids"].append(_start(lab, resident))


def end(entry: dict[str, Any]) -> None:
    """Ends those of a fault's entry, and waits until they have left everything as it was."""
    for pid in entry.get("pids", []):
        _end(pid)
    entry["pids"] = []


def is_running(pid: int) -> bool:
    """Whether it is one of them and has not ended."""
    try:
        name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
    except OSError:
        return False
    return name in NAMES and rest.split()[0] != "Z"


def _take_place(lab: Laboratory, resident: Resident) -> None:
    cores.leave_to_switch(lab.options)
    cgroups.add(resident.cgroups, os.getpid())


def _start(lab: Laboratory, resident: Resident) -> int:
    log = Path(lab.state) / "logs" / f"{resident.name}.log"
    with log.open("a") as errors:
        try:
            process = subprocess.Popen([str(program(resident.name)), *resident.arguments], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
                                       cwd="/", preexec_fn=lambda: _take_place(lab, resident))
        except (OSError, subprocess.SubprocessError) as error:
            raise LabError(resident.name, f"cannot be started: {error}", "lab down, then lab up", OWN_FAULT) from error
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], _PATIENCE)
    if not ready or process.stdout.readline().strip() != "ready":
        process.kill()
        raise LabError(resident.name, "did not begin", f"its log: {log}", OWN_FAULT)
    return process.pid


def _end(pid: int) -> None:
    if not is_running(pid):
        return
    handle = os.pidfd_open(pid)
    os.kill(pid, signal.SIGTERM)
    ended, _, _ = select.select([handle], [], [], _PATIENCE)
    os.close(handle)
    if not ended:
        raise LabError("lab fault", f"process {pid} does not end", f"kill -9 {pid}, then lab fault all off", OWN_FAULT)
