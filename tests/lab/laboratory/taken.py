"""How much of its time this machine takes away from programs by itself, which no fault is the cause of."""

import subprocess

from laboratory.errors import OWN_FAULT, LabError
from laboratory.paths import program

_TIMES, _TIME = 2, "500ms"


def share() -> float:
    """Of the time of its cores, 0 to 1, now: that of the core that loses least, in the better of two halves of a second."""
    return min(_least() for _ in range(_TIMES))


def _least() -> float:
    done = subprocess.run([str(program("lab-taken")), _TIME], capture_output=True, text=True, check=False, timeout=60)
    shares = [float(line.split()[1]) for line in done.stdout.splitlines()]
    if done.returncode != 0 or not shares:
        raise LabError("lab-taken", f"status {done.returncode}: {done.stderr.strip()}", "a core that can be used", OWN_FAULT)
    return min(shares)
