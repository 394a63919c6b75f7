"""This machine as a place where programs are started; the other one is accuracy.sitting.InLaboratory."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from laboratory import canary, launch

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
        """What others than the program and this one used of the cores, by the kernel's counters."""
        start, busy, own, stolen = time.monotonic(), busy_seconds(), _own_seconds(), canary.steal_seconds()
        done = work()
        seconds = (time.monotonic() - start) * (os.cpu_count() or 1)
        others = max(0.0, busy_seconds() - busy - (_own_seconds() - own))
        return done, {"steal": round((canary.steal_seconds() - stolen) / seconds, 6), "others": round(others / seconds, 6)}


def busy_seconds(text: str | None = None) -> float:
    """Processor time of all processes, and of interrupts, since boot (proc(5), /proc/stat: user, nice, system, irq, softirq)."""
    numbers = (Path("/proc/stat").read_text() if text is None else text).splitlines()[0].split()
    return sum(int(numbers[i]) for i in (1, 2, 3, 6, 7)) / os.sysconf("SC_CLK_TCK")


def _own_seconds() -> float:
    return sum(os.times()[:4])
