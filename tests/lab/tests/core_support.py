"""What the tests of the laboratory's core share: calling `lab`, skipping where it cannot run, what must not be left."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

from laboratory import cgroups, down, paths, preconditions, supervisor
from laboratory.errors import LabError
from laboratory.plan import Options

LAB = Path(__file__).resolve().parents[1] / "lab"
PLUMBLINE = paths.build_directory() / "bin" / "plumbline"


def lab(*arguments: str, prefix: tuple[str, ...] = (), timeout: float = 120,
        **kw: Any) -> subprocess.CompletedProcess[str]:
    """`lab ARGUMENTS`, with what it printed. Behind a prefix, which may be another user, by the system's Python."""
    python = "/usr/bin/python3" if prefix and os.path.exists("/usr/bin/python3") else sys.executable
    return subprocess.run([*prefix, python, str(LAB), *arguments], text=True, capture_output=True, check=False,
                          timeout=timeout, **kw)


def need(options: Options) -> None:
    """Skips, with the reason, where such a laboratory cannot be; also where it was not built."""
    try:
        preconditions.require(options)
        paths.program("lab-hold")
        paths.program("plumbline-switch")
        paths.program("lab-echo")
    except LabError as error:
        raise unittest.SkipTest(str(error)) from None


def need_root() -> None:
    """Skips for an ordinary user."""
    if os.geteuid() != 0:
        raise unittest.SkipTest("needs root")


def up_for_plumbline(options: Options, *words: str) -> None:
    """`lab up WORDS`, of such a laboratory; skips where it cannot be, or the command was not built."""
    need_root()
    need(options)
    if not PLUMBLINE.exists():
        raise unittest.SkipTest(f"{PLUMBLINE} is not built")
    done = lab("up", *words)
    assert done.returncode == 0, done.stderr


def status() -> dict[str, Any]:
    """`lab status --json`."""
    return json.loads(lab("status", "--json").stdout)


def left() -> dict[str, list[Any]]:
    """Everything of a laboratory of this user that is there now, without what is empty."""
    found = {"processes": supervisor.left_over(), "loop devices": down.loop_devices(),
             "control groups": cgroups.left_over(),
             "state": [path for path in [paths.state_directory()] if path.exists()]}
    return {name: things for name, things in found.items() if things}
