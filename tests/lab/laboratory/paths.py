"""Where things are: the state of the laboratory of this user, and the programs that were built for it."""

import os
import shutil
from pathlib import Path

from laboratory.errors import CANNOT_RUN_HERE, LabError

ROOT = Path(__file__).resolve().parents[3]

# The process name of supervisors and node holders, and the prefix of everything else that could be left behind.
NAME = "plumbline-lab"


def state_directory() -> Path:
    """One laboratory per user: the first of /run, $XDG_RUNTIME_DIR and /tmp in which this user may write."""
    name = f"{NAME}-{os.getuid()}"
    for parent in (Path("/run"), Path(os.environ.get("XDG_RUNTIME_DIR") or "/nonexistent"), Path("/tmp")):
        if (parent / name).is_dir() and (parent / name).stat().st_uid == os.getuid():
            return parent / name
        if (parent / name).exists():
            continue  # somebody else's
        if parent.is_dir() and os.access(parent, os.W_OK):
            return parent / name
    raise LabError("state directory", "neither /run, $XDG_RUNTIME_DIR nor /tmp can be written",
                   "set XDG_RUNTIME_DIR to a directory of yours", CANNOT_RUN_HERE)


def build_directory() -> Path:
    """The build tree: $PLUMBLINE_BUILD, by default build/release."""
    return Path(os.environ.get("PLUMBLINE_BUILD") or ROOT / "build" / "release")


def program(name: str) -> Path:
    """A program of the laboratory, such as lab-hold."""
    path = build_directory() / "lab" / name
    if not path.exists():
        raise LabError(str(path), "not built", "./dev build, or set PLUMBLINE_BUILD to a build tree that has "
                       "the target `laboratory`", CANNOT_RUN_HERE)
    return path.resolve()


def tool(name: str) -> str | None:
    """A program of the system; also looks where an ordinary user's PATH does not."""
    return shutil.which(name) or shutil.which(name, path="/usr/local/sbin:/usr/sbin:/sbin")
