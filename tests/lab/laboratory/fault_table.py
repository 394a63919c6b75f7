"""The faults that the laboratory knows, as plain data: what each breaks, by how much, and where that must show.

`cells` name where `lab check` must see it and by which statistic: "median" or "tail" (the slowest hundredth).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Parameter:
    """`kind` says what is allowed: node, server, rate, time, bytes, share, factor, count, or choices "a|b"."""
    kind: str
    default: str
    what: str


@dataclass(frozen=True)
class Fault:
    """One row of the table. `effect` names the function of fault_effects.py that brings it about."""
    what: str
    component: str
    severity: str
    shows: str
    cells: tuple[str, ...]
    effect: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    statistic: str = "median"
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of launch faults, by flavour; see below
    invisible: Mapping[str, str] = field(default_factory=dict)  # flavour -> why it shows nowhere


_NODE = Parameter("node", "n3", "whose cable, a compute node or a server")
_COMPUTE = Parameter("compute", "n3", "a compute node")
_SERVER = Parameter("server", "s0", "a server, or all")

# In `settings`, "{name}" stands for the value of a parameter. "romio" are hints of ROMIO, in both flavours.
FAULTS: dict[str, Fault] = {
    "slow-link": Fault(
        "a cable at a fraction of its rate", "cable of a node", "half of the rate",
        "whatever moves much data over this cable at once with others: the alltoall by the ratio of the rates",
        ("alltoall_16k", "allreduce_32k"), "port",
        {"node": _NODE, "rate": Parameter("rate", "50Mbit/s", "both directions")}),
    "latency": Fault(
        "a cable with more latency", "cable of a node", "2 ms a round trip",
        "small collectives and everything that waits for replies, by the number of waits",
        ("allreduce_8", "compute_allreduce", "small_messages"), "port",
        {"node": _NODE, "latency": Parameter("time", "1ms", "one way, of this cable")}),
    "loss": Fault(
        "a cable that loses frames", "cable of a node", "1 of 100 frames, each direction",
        "the slowest iterations of what waits for single messages, by the retransmission timeout of 200 ms; where more "
        "data follow at once, the loss is noticed and mended in between",
        ("jacobi", "allreduce_8"), "port",
        {"node": _NODE, "loss": Parameter("share", "1%", "of the frames")}, statistic="tail"),
    "half-duplex": Fault(
        "a cable that carries one direction at a time", "cable of a node", "half of the capacity when both are in use",
        "exchanges that are really bidirectional: the alltoall",
        ("alltoall_16k",), "port", {"node": _NODE, "duplex": Parameter("half", "half", "")}),
    "backplane": Fault(
        "a switch that forwards less than its ports carry", "switch", "a quarter of eight ports",
        "everything with many pairs at once", ("alltoall_16k", "ring_32k", "pairs_inside"), "switch",
        {"switch": Parameter("switch", "w0", "a switch"),
         "rate": Parameter("rate", "200Mbit/s", "all frames together")}),
    "slow-node": Fault(
        "a node that computes slower", "processor of a node", "a quarter of the speed",
        "computation by the factor, and every collective that waits for this node",
        ("allreduce_8", "compute_allreduce", "jacobi"), "freeze",
        {"node": _COMPUTE, "slow": Parameter("factor", "4", "times as long"),
         "period": Parameter("time", "4ms", "of stopping and continuing")}),
    "noise": Fault(
        "a node that is interrupted periodically", "processor of a node", "5 % of the time, 5 ms at a time",
        "the slow tail of short cells, by the duration of an interruption; medians hardly",
        ("small_messages", "compute_allreduce"), "freeze",
        {"node": _COMPUTE, "noise": Parameter("time", "5ms", "of one interruption"),
         "period": Parameter("time", "100ms", "from one to the next")}, statistic="tail"),
    "slow-disk": Fault(
        "a disk at a fraction of its rate", "disk of a server", "a fortieth of 40 MB/s",
        "collective writes with sync, by the rate",
        ("io_strided_write", "io_contiguous_write"), "disk",
        {"server": _SERVER, "rate": Parameter("rate", "1MB/s", "reading and writing")}),
    "slow-server-link": Fault(
        "a server behind a slow cable", "cable of a server", "a quarter of the rate",
        "all I/O with more than small requests", ("io_strided_read", "io_contiguous_write", "io_reread"), "port",
        {"server": Parameter("server", "s0", "a server, or all"),
         "rate": Parameter("rate", "25Mbit/s", "both directions")}),
    "small-server-cache": Fault(
        "a server that keeps nothing of its files in memory, in front of a disk slower than its cable",
        "memory of a server", "10 ms, and 2 MB/s from the disk",
        "data read again, which now comes from the disk each time", ("io_reread",), "cache",
        {"server": Parameter("server", "all", "a server, or all"),
         "keep": Parameter("time", "10ms", "how long files stay in memory, about"),
         "rate": Parameter("rate", "2MB/s", "of the disk")}),
    "no-collective-buffering": Fault(
        "collective I/O without aggregation", "MPI-IO hints", "off", "interleaved collective access",
        ("io_strided_write", "io_strided_read"), "launch", settings={
            "romio": {"romio_cb_read": "disable", "romio_cb_write": "disable"},
            "openmpi": {"OMPI_MCA_fcoll": "individual"}},
        invisible={"openmpi": "OMPIO's one aggregator of eight ranks is slower here than each rank writing its own"}),
    "no-data-sieving": Fault(
        "independent access with holes, piece by piece", "MPI-IO hints", "off", "independent reads with holes",
        ("io_holes_read",), "launch", settings={
            "romio": {"romio_ds_read": "disable", "romio_ds_write": "disable"},
            "openmpi": {"OMPI_MCA_fbtl_posix_read_datasieving": "0",
                        "OMPI_MCA_fbtl_posix_write_datasieving": "0"}}),
    "tiny-cb-buffer": Fault(
        "an aggregation buffer far too small", "MPI-IO hints", "4 KiB instead of 16 MiB (ROMIO) or 32 MiB (OMPIO)",
        "interleaved collective access, in many small steps", ("io_strided_write", "io_strided_read"), "launch",
        {"size": Parameter("bytes", "4KiB", "of the buffer")}, settings={
            "romio": {"cb_buffer_size": "{size}"}, "openmpi": {"OMPI_MCA_io_ompio_bytes_per_agg": "{size}"}}),
    "one-aggregator": Fault(
        "one rank does the I/O of all", "MPI-IO hints", "one of eight",
        "interleaved collective access: all data over one cable", ("io_strided_write", "io_strided_read"), "launch",
        settings={
            "romio": {"cb_nodes": "1"}, "openmpi": {"OMPI_MCA_io_ompio_num_aggregators": "1"}},
        invisible={"openmpi": "OMPIO's own choice for eight ranks is one aggregator"}),
    "bad-allreduce": Fault(
        "a bad algorithm forced for MPI_Allreduce", "MPI library",
        "linear (Open MPI), recursive doubling at any size (MPICH)", "large allreduce",
        ("allreduce_32k",), "launch", settings={
            "openmpi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
                        "OMPI_MCA_coll_tuned_allreduce_algorithm": "1"},
            "mpich": {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": "recursive_doubling"}}),
    "bad-bcast": Fault(
        "a bad algorithm forced for MPI_Bcast", "MPI library",
        "a pipeline of seven hops (Open MPI), scatter and ring allgather at any size (MPICH)",
        "small broadcasts, by the number of steps; MPICH's large ones become faster", ("bcast_1k",), "launch",
        settings={
            "openmpi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_bcast_algorithm": "3"},
            "mpich": {"MPIR_CVAR_BCAST_INTRA_ALGORITHM": "scatter_ring_allgather"}}),
    "bad-alltoall": Fault(
        "a bad algorithm forced for MPI_Alltoall", "MPI library", "Bruck's, which sends blocks several times",
        "the alltoall, by log2(ranks)/2", ("alltoall_16k",), "launch", settings={
            "openmpi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_alltoall_algorithm": "3"},
            "mpich": {"MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM": "brucks"}}),
    "absurd-eager-limit": Fault(
        "an eager limit at which everything is a rendezvous", "MPI library", "64 B instead of 64 KiB (Open MPI)",
        "messages above it, by a round trip", ("pingpong_1k", "pingpong_8k", "small_messages"), "launch",
        {"size": Parameter("bytes", "64B", "the limit")}, settings={
            "openmpi": {"OMPI_MCA_btl_tcp_eager_limit": "{size}", "OMPI_MCA_btl_tcp_rndv_eager_limit": "{size}"},
            "mpich": {"UCX_RNDV_THRESH": "{size}"}}),
    "bad-placement": Fault(
        "ranks dealt to the two switches in turn", "placement of ranks", "every neighbour behind the uplink",
        "neighbour exchanges, all through the uplink", ("ring_32k", "pairs_inside"), "placement"),
    "small-unaligned-requests": Fault(
        "a program that writes small pieces at odd offsets", "the program", "1000 B instead of 64 KiB",
        "its independent writes, by a round trip each", ("io_independent",), "launch",
        {"size": Parameter("bytes", "1000B", "of one request")}, settings={
            "openmpi": {"PLUMBLINE_CELLS_REQUEST": "{size}"}, "mpich": {"PLUMBLINE_CELLS_REQUEST": "{size}"}}),
}
