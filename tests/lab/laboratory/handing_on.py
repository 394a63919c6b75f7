"""Launchers of Open MPI that hand parts of their environment on to the ranks of all nodes, for programs that call mpirun by
themselves. mpirun does that only for what it is told to by -x, and takes no -x beside a list in the environment."""

import os
import shlex
from collections.abc import Iterable
from pathlib import Path

from laboratory.paths import tool
from laboratory.plan import Laboratory

_NAMES = ("mpirun", "mpiexec", "orterun", "mpirun.openmpi", "mpiexec.openmpi")

_SCRIPT = """#!/bin/sh
# The launcher of the same name, with what the ranks need of this environment.
if [ -n "$LD_PRELOAD" ]; then
  case " $* " in *" LD_PRELOAD="*) ;; *) set -- -x LD_PRELOAD "$@" ;; esac
fi
exec {launcher}{options} "$@"
"""


def write(lab: Laboratory, names: Iterable[str]) -> Path:
    """A directory to be first in PATH: launchers that hand on these variables, and LD_PRELOAD unless the caller does."""
    directory = Path(lab.state) / "bin"
    directory.mkdir(exist_ok=True)
    options = "".join(f" -x {name}" for name in names)
    for name in _NAMES:
        launcher = tool(name)
        if launcher and os.path.basename(os.path.realpath(launcher)).startswith(("orterun", "mpirun.openmpi")):
            script = directory / name
            script.write_text(_SCRIPT.format(launcher=shlex.quote(launcher), options=options))
            script.chmod(0o755)
    return directory
