"""Running a command on the machine itself under a fault (machine_effects.py), so that nothing is left of it however it
ends: no process, no control group, no mount."""

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from laboratory import cgroups, down, namespaces, sweep
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.launch import TIMED_OUT
from laboratory.machine_effects import NODE, NOT_MOUNTED, Busy, Conditions

_PATIENCE = 10.0  # seconds that the command has to end by itself: it ends its launchers and ranks
_BEFORE_OTHERS = -10  # niceness of a program that wakes up: it runs when it wants to, as a daemon of the system

_WORK = """
import sys, time
work, period = map(float, sys.argv[1:])
while True:
    end = time.perf_counter() + work
    while not work or time.perf_counter() < end: pass
    time.sleep(period - work)
"""


def run(command: Sequence[str], wanted: Conditions, directory: Path,
        timeout: float | None = None) -> "subprocess.CompletedProcess[str]":
    """Runs it in `directory`, and returns its status, 124 when ended by `timeout` [s], and what it printed. KeyboardInterrupt
    and SystemExit pass through when all has been ended. LabError where the fault could not be brought on."""
    tag = uuid.uuid4().hex
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", sweep.TAG: tag,
                   **wanted.environment}
    with ExitStack() as all_of_it:
        all_of_it.callback(down.wait_for_loop_devices, NODE)
        groups = all_of_it.enter_context(_group(wanted.share))
        all_of_it.callback(sweep.end_tagged_here, tag)
        for each in wanted.busy:
            all_of_it.enter_context(_busy(each, environment))
        done = _watched([*wanted.prefix, *command], groups, environment, directory, timeout)
    if wanted.prefix and done.returncode == NOT_MOUNTED:
        raise LabError("mounts of its own", (done.stderr or "").strip()[-300:] or "cannot be made", "", CANNOT_RUN_HERE)
    return done


def _watched(command: list[str], groups: Mapping[str, str], environment: Mapping[str, str], directory: Path,
             timeout: float | None) -> "subprocess.CompletedProcess[str]":
    def begin() -> None:
        namespaces.die_with_parent(signal.SIGTERM)
        cgroups.add(dict(groups), os.getpid())

    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                               env=environment, cwd=directory, preexec_fn=begin)
    try:
        out, err = process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(command, process.returncode, out, err)
    except subprocess.TimeoutExpired:
        _end(process)
        return subprocess.CompletedProcess(command, TIMED_OUT, "", f"ended after {timeout:g} s")
    except BaseException:  # of Ctrl-C, or the handler of SIGTERM
        _end(process)
        raise


def _end(process: "subprocess.Popen[str]") -> None:
    """Not its children, which may keep its pipes open: those are for the sweep."""
    process.terminate()
    try:
        process.wait(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


@contextmanager
def _group(share: float) -> Iterator[dict[str, str]]:
    """A control group with this share of one core; none of 0."""
    if not share:
        yield {}
        return
    try:
        groups = cgroups.make(NODE)
    except OSError as error:
        raise LabError("control group", f"cannot be made: {error}", "", CANNOT_RUN_HERE) from error
    try:
        cgroups.limit_processor(groups, share)
        yield groups
    finally:
        cgroups.remove(groups)


@contextmanager
def _busy(wanted: Busy, environment: Mapping[str, str]) -> Iterator[None]:
    def begin() -> None:
        namespaces.die_with_parent()
        os.sched_setaffinity(0, {wanted.core})
        if wanted.period and os.getuid() == 0:
            os.setpriority(os.PRIO_PROCESS, 0, _BEFORE_OTHERS)

    process = subprocess.Popen([sys.executable, "-c", _WORK, str(wanted.work), str(wanted.period)], env=environment,
                               stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=begin)
    try:
        yield
    finally:
        process.kill()
        process.wait()
