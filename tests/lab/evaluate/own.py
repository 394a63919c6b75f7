"""What is true of a laboratory without any fault: its findings are neither right nor false.

A row stands on a measurement: what the finding advises was done in the healthy laboratory, and saved what it promised
(docs/notebook/validating-a-cluster.md)."""

import re
from dataclasses import dataclass
from typing import Any


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


def is_own(diagnosis: dict[str, Any], mpi: str, shape: str) -> bool:
    """Whether a healthy laboratory has it, too."""
    return any(diagnosis["id"] == each.check and mpi == each.mpi and shape == each.shape
               and re.search(each.component, diagnosis.get("component", "")) for each in OWN)
