"""Removing a laboratory: the one in the state file, and whatever an earlier one left behind."""

import glob
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from laboratory import cgroups, supervisor
from laboratory.errors import OWN_FAULT, LabError
from laboratory.paths import NAME, state_directory

_PATIENCE = 5.0  # seconds


@dataclass
class Removed:
    """What was found and is gone now."""
    processes: int
    groups: int
    state: bool

    def __bool__(self) -> bool:
        return self.processes > 0 or self.groups > 0 or self.state


def remove() -> Removed:
    """Ends all supervisors of this user and everything in them, then removes their devices, groups and state."""
    directory = state_directory()
    processes = supervisor.left_over()
    groups = len(cgroups.left_over()) if os.getuid() == 0 else 0
    supervisor.end(processes)
    wait_for_loop_devices()
    if groups:
        cgroups.remove_all()
    state = directory.is_dir()
    if state:
        _remove_state(directory)
    return Removed(len(processes), groups, state)


def loop_devices(whose: str = "") -> list[str]:
    """The loop devices over images of a laboratory of this user, known by the name of the image; only those of one node."""
    found = []
    for path in glob.glob("/sys/block/loop*/loop/backing_file"):
        try:
            if f"/{NAME}-{os.getuid()}-{whose}" in Path(path).read_text():
                found.append(path.split("/")[3])
        except OSError:
            continue  # released meanwhile
    return found


def wait_for_loop_devices(whose: str = "") -> None:
    """They release themselves when the last mount is gone, a moment after the last process."""
    deadline = time.monotonic() + _PATIENCE
    while devices := loop_devices(whose):
        if time.monotonic() > deadline:
            raise LabError(", ".join(devices), "still in use after the laboratory ended",
                           "losetup -l shows them; losetup -d releases one", OWN_FAULT)
        time.sleep(0.01)


def _remove_state(directory: Path) -> None:
    """Never crosses into a file system that is (still) mounted below."""
    device = directory.stat().st_dev
    for path in directory.iterdir():
        if path.is_dir() and not path.is_symlink():
            if path.stat().st_dev != device:
                raise LabError(str(path), "a file system is mounted there", f"umount {path}", OWN_FAULT)
            shutil.rmtree(path)
        else:
            path.unlink()
    directory.rmdir()
