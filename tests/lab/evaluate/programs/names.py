"""What `plumbline compare` may call a fault: a pattern for the components of its findings. It sees a recording and a platform, no
counters and no settings, so it can tell which part of the machine is slow and at most which rank; validate must tell more."""

import re

from laboratory.fault_table import FAULTS

_BETWEEN = r"^transport( between nodes)?$"
_CABLE = (_BETWEEN, r"\b{node}$")  # "rank 3 on node n3", "node n3"
_NODE = (r"\b{node}$",)
_STORAGE = (r"^storage ",)
_HINTS = (r"^MPI-IO on ",)

NAMED: dict[str, tuple[str, ...]] = {
    "slow-link": _CABLE, "latency": _CABLE, "loss": _CABLE, "half-duplex": _CABLE, "mtu-mismatch": _CABLE,
    "backplane": (_BETWEEN,), "slow-node": _NODE, "noise": _NODE,
    "slow-disk": _STORAGE, "slow-server-link": _STORAGE, "small-server-cache": _STORAGE, "slow-metadata": _STORAGE,
    "no-collective-buffering": _HINTS, "no-data-sieving": _HINTS, "tiny-cb-buffer": _HINTS,
    "one-aggregator": (*_HINTS, r"^aggregators of MPI-IO on "),
    "hints-file": _HINTS, "lock-algorithm": (*_HINTS, *_STORAGE),
    "wrong-transport": (_BETWEEN,), "nagle": (_BETWEEN,), "absurd-eager-limit": (_BETWEEN,),
    "bad-allreduce": (r"^algorithm of MPI_Allreduce$",), "bad-bcast": (r"^algorithm of MPI_Bcast$",),
    "bad-alltoall": (r"^algorithm of MPI_Alltoallv?$",)}

assert NAMED.keys() <= FAULTS.keys()


def names(component: str, fault: str, parameters: dict[str, str]) -> bool:
    """Whether a finding about this component is about the fault."""
    values = {key: re.escape(value) for key, value in parameters.items()}
    return any(re.search(pattern.format(**values), component) for pattern in NAMED[fault])
