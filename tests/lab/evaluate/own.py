"""What is true without any fault: its findings are neither right nor false.

Of laboratories: a row stands on a measurement. What the finding advises was done in the healthy laboratory, and saved what it
promised (docs/notebook/validating-a-cluster.md). Of the machine itself: what it loses to its host or to others was measured
before the fault was on (laboratory/taken.py)."""

import re
from dataclasses import dataclass
from typing import Any

from evaluate.results import Result


@dataclass(frozen=True)
class Own:
    """A finding of healthy laboratories of that shape with that MPI. `component`: a regular expression."""
    check: str
    component: str
    mpi: str
    shape: str


# ROMIO sieves strided accesses: through disks of 40 MB/s and cables of 100 Mbit/s the bytes between take longer than the
# calls that they save. Measured with both hints off: 32.6 s of 40.4 s saved, five pairs.
# OMPIO takes one aggregator for eight ranks, so that all data crosses one cable twice. Measured with eight: collective writes
# and reads of 256 KiB a rank take 3.6 s for 6.9, and 3.4 for 6.9.
OWN = (Own("io.hints.split", r"write_level#$", "mpich", "cluster"), Own("io.hints.split", r"read_level#$", "mpich", "cluster"),
       Own("io.hints.aggregators", r"(write|read)_level#$", "openmpi", "cluster"))


# That all processors are taken away for 5 % of the time or more is true of a machine that lost so much just before; a
# hundredth less, because either is measured for a moment.
_TAKEN = 0.04


def is_own(diagnosis: dict[str, Any], result: Result) -> bool:
    """Whether it would be said without the fault, too."""
    if diagnosis["id"] == "cpu.noise" and diagnosis.get("component") == "processors":
        return result.lost >= _TAKEN
    return any(diagnosis["id"] == each.check and result.draw.mpi == each.mpi and result.draw.shape == each.shape
               and re.search(each.component, diagnosis.get("component", "")) for each in OWN)
