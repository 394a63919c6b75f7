#!/usr/bin/env python3
"""Slurm on this machine, for the length of one command: munged, slurmctld and slurmd with a configuration of their own
in a temporary directory, on free ports, as this user. No service of the system is used or touched.

    slurm.py COMMAND ..      runs the command with SLURM_CONF set; its exit status is ours. 77: Slurm cannot run here.
"""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

PROGRAMS = ["munged", "slurmctld", "slurmd", "srun", "sinfo"]
PROCESSORS = 8  # more than there may be: programs of tests share them


class CannotRun(Exception):
    """Slurm cannot be started here; the reason."""


def end_with_parent() -> None:
    """In a child: whatever ends its parent, SIGKILL too, ends it."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def configuration(directory: Path) -> str:
    user = pwd.getpwuid(os.getuid()).pw_name
    host = socket.gethostname().split(".")[0]
    return "\n".join([
        "ClusterName=plumbline", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmUser={user}", f"SlurmdUser={user}",
        f"SlurmctldPort={free_port()}", f"SlurmdPort={free_port()}",
        "AuthType=auth/munge", "CredType=cred/munge", f"AuthInfo=socket={directory}/munge.socket",
        f"StateSaveLocation={directory}/state", f"SlurmdSpoolDir={directory}/spool",
        f"SlurmctldPidFile={directory}/slurmctld.pid", f"SlurmdPidFile={directory}/slurmd.pid",
        f"SlurmctldLogFile={directory}/slurmctld.log", f"SlurmdLogFile={directory}/slurmd.log",
        "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "JobAcctGatherType=jobacct_gather/none",
        "AccountingStorageType=accounting_storage/none", "SelectType=select/cons_tres",
        "SelectTypeParameters=CR_CPU", "SwitchType=switch/none", "MpiDefault=none", "ReturnToService=2",
        "SlurmdParameters=config_overrides", "SchedulerParameters=sched_interval=1",
        f"NodeName={host} NodeAddr=127.0.0.1 CPUs={PROCESSORS} State=UNKNOWN",
        f"PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP", ""])


class Slurm:
    """The three daemons, from `with` to its end."""

    def __init__(self) -> None:
        missing = [name for name in PROGRAMS if shutil.which(name, path=self.path()) is None]
        if missing:
            raise CannotRun(f"not installed: {', '.join(missing)} (packages slurmctld, slurmd)")
        self.directory = Path(tempfile.mkdtemp(prefix="plumbline-slurm-"))
        self.daemons: list[subprocess.Popen[bytes]] = []

    @staticmethod
    def path() -> str:
        return os.environ["PATH"] + ":/usr/sbin:/sbin"

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
        return {**kept, "SLURM_CONF": str(self.directory / "slurm.conf"), "PATH": self.path(),
                "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def __enter__(self) -> "Slurm":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        for name in ("state", "spool"):
            (self.directory / name).mkdir()
        self.directory.chmod(0o755)
        key = self.directory / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        (self.directory / "slurm.conf").write_text(configuration(self.directory))
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.directory}/munge.socket",
                    f"--pid-file={self.directory}/munged.pid", f"--log-file={self.directory}/munged.log",
                    f"--seed-file={self.directory}/munged.seed")
        self.wait_for("munged", lambda: (self.directory / "munge.socket").exists())
        self.daemon("slurmctld", "-D", "-c", "-f", f"{self.directory}/slurm.conf")
        self.daemon("slurmd", "-D", "-f", f"{self.directory}/slurm.conf")
        self.wait_for("slurmd", self.is_idle)

    def daemon(self, *command: str) -> None:
        with open(self.directory / f"{command[0]}.out", "wb") as log:
            self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                 env=self.environment(), start_new_session=True,
                                                 preexec_fn=end_with_parent))

    def is_idle(self) -> bool:
        shown = subprocess.run(["sinfo", "--noheader", "--format=%t"], env=self.environment(), capture_output=True,
                               text=True, timeout=10, check=False)
        return shown.stdout.strip() == "idle"

    def wait_for(self, what: str, ready: Callable[[], bool]) -> None:
        for _ in range(150):
            if any(daemon.poll() is not None for daemon in self.daemons):
                break
            if ready():
                return
            time.sleep(0.1)
        raise CannotRun(f"{what} did not start: {self.last_words()}")

    def last_words(self) -> str:
        words = []
        for log in sorted(self.directory.glob("*.log")) + sorted(self.directory.glob("*.out")):
            lines = [line for line in log.read_text(errors="replace").splitlines() if "rror" in line or "atal" in line]
            words += [f"{log.name}: {line}" for line in lines[-2:]]
        return "; ".join(words) or "no message"

    def stop(self) -> None:
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            try:
                daemon.wait(5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def main() -> int:
    try:
        with Slurm() as slurm:
            return subprocess.run(sys.argv[1:], env=slurm.environment(), check=False).returncode
    except CannotRun as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return 77


if __name__ == "__main__":
    sys.exit(main())
