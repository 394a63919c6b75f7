"""This machine as a place where programs are started; the other one is accuracy.sitting.InLaboratory."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from laboratory import launch

_BIND = {"openmpi": ["--bind-to", "core"], "mpich": ["-bind-to", "core"]}


class Here:
    """Ranks on cores of their own, as those of a campaign are."""

    def __init__(self, shared: Path) -> None:
        self.shared = shared
        self.hosts = [os.uname().nodename]

    def settle(self) -> None:
        """Nothing can be done about the neighbours of a core."""

    def run(self, command: list[str], nodes: int, calls: str | None, timeout: float) -> CompletedProcess[str]:
        """`nodes`: of one rank each."""
        if calls is None:
            mpi = command[0].rpartition(".")[2]
            command = [command[0], *_BIND[mpi], "-n", str(nodes), *command[1:]]
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        try:
            return subprocess.run(command, text=True, capture_output=True, check=False, timeout=timeout, env=environment)
        except subprocess.TimeoutExpired:
            return CompletedProcess(command, launch.TIMED_OUT, "", f"ended after {timeout:g} s")

    def watch(self, work: Callable[[], CompletedProcess[str]]) -> tuple[CompletedProcess[str], dict[str, float]]:
        """Without any signs."""
        return work(), {}
