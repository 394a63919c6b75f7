"""What ranks do that have nothing to do. One rank on a node waits on its sockets (node/wait_shim.c). Several on a node talk
through memory, which nobody can wait for: where each has a core they spin, as on any machine; where a few share one they
spin and give it up in turn, which only Open MPI can.

Two nodes with two ranks each on one core, allreduce of 8 B under Open MPI: 0.1 to 0.8 ms in turn, 15 ms with waits on
sockets. Eight nodes with two ranks each: 7 ms in turn, 1.2 with waits (one run each).
"""

from laboratory import cores
from laboratory.plan import Laboratory

_IN_TURN = 4  # ranks on a core


def environment(lab: Laboratory, flavour: str, nodes: int, ranks_per_node: int) -> dict[str, str]:
    """What the ranks must have in their environment for that."""
    of_nodes = len(cores.of_nodes(lab.options))
    ranks, processors = nodes * ranks_per_node, min(nodes, of_nodes) if lab.options.share_cores else of_nodes
    if ranks_per_node == 1 or ranks > _IN_TURN * processors:
        return {}
    if ranks <= processors:
        return {"PLUMBLINE_LAB_WAIT_US": "0"}
    return {"PLUMBLINE_LAB_WAIT_US": "0", "OMPI_MCA_mpi_yield_when_idle": "1"} if flavour == "openmpi" else {}
