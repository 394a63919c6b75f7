"""Ending what a failed job left on the nodes: its processes carry a tag in their environment."""

import os
import signal
from pathlib import Path

from laboratory.plan import Laboratory

TAG = "PLUMBLINE_LAB_RUN"


def end_tagged(lab: Laboratory, tag: str) -> int:
    """Kills all processes of the laboratory with this tag; how many there were."""
    return _end(tag, os.readlink(f"/proc/{lab.supervisor}/ns/pid"))


def end_tagged_here(tag: str) -> int:
    """The same of a job that ran on the machine itself, in no laboratory."""
    return _end(tag, os.readlink("/proc/self/ns/pid"))


def _end(tag: str, ours: str) -> int:
    wanted = f"{TAG}={tag}".encode()
    ended = 0
    for name in os.listdir("/proc"):
        try:
            if (name.isdigit() and os.readlink(f"/proc/{name}/ns/pid") == ours
                    and wanted in Path(f"/proc/{name}/environ").read_bytes().split(b"\0")):
                os.kill(int(name), signal.SIGKILL)
                ended += 1
        except OSError:
            continue  # gone meanwhile, or another user's
    return ended
