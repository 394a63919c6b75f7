"""Faults of settings: hints, the MPI libraries, placement, the program. Rows of the table (fault.py)."""

from laboratory.fault import Fault, OnMachine, Parameter

_BUFFERING = (("io.hints.collective-buffering", ""), ("io.hints.split", ""), ("io.hints.file", ""),
              ("mpi.setting.changed", "fcoll|ompio|io_|cb_|ROMIO"))
_FORCED = (("mpi.collectives.forced", ""), ("mpi.collective.algorithm", ""),
           ("mpi.setting.changed", "(?i)coll|algorithm"))
_LOCAL = "pingpong_8", "pingpong_64k", "allreduce_8"

# On the machine itself, of two ranks and files in the page cache; measured in docs/notebook/laboratory-faults.md.
_TWO_RANKS = "the algorithms differ by their numbers of steps, and two ranks have one"

SETTING_FAULTS: dict[str, Fault] = {
    "no-collective-buffering": Fault(
        "collective I/O without aggregation", "MPI-IO hints", "off", "interleaved collective access",
        ("io_strided_write", "io_strided_read"), "launch", settings={
            "romio": {"romio_cb_read": "disable", "romio_cb_write": "disable"},
            "openmpi": {"OMPI_MCA_fcoll": "individual"}},
        invisible={"openmpi": "OMPIO's one aggregator of eight ranks is slower here than each rank writing its own"},
        machine=OnMachine(free=dict.fromkeys(
            ("openmpi", "mpich"), "in the page cache a piece takes no longer than its way through an aggregator")),
        named=_BUFFERING),
    "no-data-sieving": Fault(
        "independent access with holes, piece by piece", "MPI-IO hints", "off", "independent reads with holes",
        ("io_holes_read",), "launch", settings={
            "romio": {"romio_ds_read": "disable", "romio_ds_write": "disable"},
            "openmpi": {"OMPI_MCA_fbtl_posix_read_datasieving": "0",
                        "OMPI_MCA_fbtl_posix_write_datasieving": "0"}},
        machine=OnMachine(), named=(("io.hints.split", ""), ("io.hints.file", ""), ("mpi.setting.changed", "sieving"))),
    "tiny-cb-buffer": Fault(
        "an aggregation buffer far too small", "MPI-IO hints", "4 KiB instead of 16 MiB (ROMIO) or 32 MiB (OMPIO)",
        "interleaved collective access, in many small steps", ("io_strided_write", "io_strided_read"), "launch",
        {"size": Parameter("bytes", "4KiB", "of the buffer")}, settings={
            "romio": {"cb_buffer_size": "{size}"}, "openmpi": {"OMPI_MCA_io_ompio_bytes_per_agg": "{size}"}},
        machine=OnMachine(
            free={"openmpi": "in the page cache small steps of OMPIO take no longer than large ones"}), named=_BUFFERING),
    "one-aggregator": Fault(
        "one rank does the I/O of all", "MPI-IO hints", "one of eight",
        "interleaved collective access: all data over one cable", ("io_strided_write", "io_strided_read"), "launch",
        settings={
            "romio": {"cb_nodes": "1"}, "openmpi": {"OMPI_MCA_io_ompio_num_aggregators": "1"}},
        invisible={"openmpi": "OMPIO's own choice for eight ranks is one aggregator"},
        machine=OnMachine(free=dict.fromkeys(("openmpi", "mpich"), "one node has one aggregator by default")),
        named=(("io.hints.aggregators", ""), *_BUFFERING)),
    "hints-file": Fault(
        "a file of hints that somebody left (ROMIO_HINTS)", "MPI-IO hints",
        "no aggregation and no data sieving, one aggregator; Open MPI with ROMIO instead of OMPIO",
        "independent reads with holes; interleaved collective reads of MPICH a little, those of Open MPI become faster",
        ("io_holes_read",), "launch", settings={
            "romio": {"romio_cb_read": "disable", "romio_cb_write": "disable", "romio_ds_read": "disable",
                      "romio_ds_write": "disable", "cb_nodes": "1"},
            "openmpi": {"OMPI_MCA_io": "romio321"}},
        machine=OnMachine(), named=(("io.hints.file", ""), *_BUFFERING)),
    "lock-algorithm": Fault(
        "a lock around every access to a file", "MPI-IO hints", "the whole file (2), where none is needed",
        "independent writes of several ranks, one after the other", ("io_small", "io_independent"), "launch",
        settings={"openmpi": {"OMPI_MCA_fs_ufs_lock_algorithm": "2"}},
        invisible={"mpich": "ROMIO has no such setting"},
        machine=OnMachine(
            invisible={"mpich": "ROMIO has no such setting"}),
        named=(("io.ompio.lock-algorithm", ""), ("mpi.setting.changed", "lock_algorithm"))),
    "tcp-only": Fault(
        "ranks of one node talk over TCP", "MPI library", "no shared memory", "every message between them",
        _LOCAL, "launch", settings={"openmpi": {"OMPI_MCA_btl": "tcp,self"}, "mpich": {"UCX_TLS": "tcp,self"}},
        shape="node", machine=OnMachine(),
        named=(("mpi.transport.no-shared-memory", ""), ("rule.shared-memory.loopback", ""),
                             ("mpi.setting.changed", r"\bbtl\b|UCX_TLS"))),
    "no-single-copy": Fault(
        "ranks of one node copy every message twice", "MPI library", "no CMA", "large messages between them",
        ("pingpong_64k", "pingpong_1m"), "launch", settings={
            "openmpi": {"OMPI_MCA_btl_vader_single_copy_mechanism": "none"},
            "mpich": {"UCX_TLS": "tcp,self,posix,sysv"}},
        shape="node", machine=OnMachine(free={
            "openmpi": "copies through /dev/shm took 0.67 to 0.91 of the time of copies by the kernel, from 8 KiB on"}),
        named=(("mpi.transport.no-single-copy", ""),
                             ("mpi.setting.changed", "single_copy|UCX_TLS"))),
    "wrong-transport": Fault(
        "messages by way of libfabric over TCP", "MPI library", "pml cm with mtl ofi instead of ob1 over TCP",
        "small messages and collectives", ("pingpong_1k", "allreduce_8", "small_messages"), "launch",
        settings={"openmpi": {"OMPI_MCA_pml": "cm", "OMPI_MCA_mtl": "ofi"}},
        invisible={"mpich": "Debian's MPICH has UCX alone, and UCX has TCP alone between nodes"},
        machine=OnMachine(
            invisible={"mpich": "Debian's MPICH has UCX alone"},
            named=(("mpi.transport.no-shared-memory", ""), ("rule.shared-memory.loopback", ""))),
        named=(("mpi.setting.changed", r"\bpml\b|\bmtl\b"),)),
    "nagle": Fault(
        "small segments wait for the acknowledgement of the one before", "MPI library", "Nagle's algorithm on",
        "messages that follow each other to the same rank, by a round trip; the laboratory acknowledges at once, else "
        "it would be 40 ms", ("two_sends",), "launch", settings={
            "openmpi": {"OMPI_MCA_btl_tcp_use_nagle": "1"}, "mpich": {"UCX_TCP_NODELAY": "n"}},
        machine=OnMachine(free=dict.fromkeys(
            ("openmpi", "mpich"), "ranks of one machine talk through memory, not over TCP")),
        named=(("mpi.setting.changed", "nagle|NODELAY"),)),
    "bad-allreduce": Fault(
        "a bad algorithm forced for MPI_Allreduce", "MPI library",
        "linear (Open MPI), recursive doubling at any size (MPICH)", "large allreduce",
        ("allreduce_32k",), "launch", settings={
            "openmpi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
                        "OMPI_MCA_coll_tuned_allreduce_algorithm": "1"},
            "mpich": {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": "recursive_doubling"}},
        machine=OnMachine(free=dict.fromkeys(("openmpi", "mpich"), _TWO_RANKS)),
        named=(*_FORCED, ("rule.allreduce.reduce-bcast", ""), ("rule.allreduce.reduce-scatter-allgather", ""))),
    "bad-bcast": Fault(
        "a bad algorithm forced for MPI_Bcast", "MPI library",
        "a pipeline of seven hops (Open MPI), scatter and ring allgather at any size (MPICH)",
        "small broadcasts, by the number of steps; MPICH's large ones become faster", ("bcast_1k",), "launch",
        settings={
            "openmpi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_bcast_algorithm": "3"},
            "mpich": {"MPIR_CVAR_BCAST_INTRA_ALGORITHM": "scatter_ring_allgather"}},
        machine=OnMachine(free={"openmpi": _TWO_RANKS}), named=(*_FORCED, ("rule.bcast.scatter-allgather", ""))),
    "bad-alltoall": Fault(
        "a bad algorithm forced for MPI_Alltoall", "MPI library", "Bruck's, which sends blocks several times",
        "the alltoall, by log2(ranks)/2", ("alltoall_16k",), "launch", settings={
            "openmpi": {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_alltoall_algorithm": "3"},
            "mpich": {"MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM": "brucks"}}, machine=OnMachine(), named=_FORCED),
    "han": Fault(
        "collectives in two levels, chosen by priority", "MPI library", "coll_han_priority 100",
        "small collectives, by the steps within each node; large broadcasts become faster", ("allreduce_8",), "launch",
        settings={"openmpi": {"OMPI_MCA_coll_han_priority": "100"}},
        invisible={"mpich": "a component of Open MPI"}, shape="pair", machine=OnMachine(
            free={"openmpi": "within one node han leaves everything to the other components"},
            invisible={"mpich": "a component of Open MPI"}), named=_FORCED),
    "absurd-eager-limit": Fault(
        "an eager limit at which everything is a rendezvous", "MPI library", "64 B instead of 64 KiB (Open MPI)",
        "messages above it, by a round trip", ("pingpong_1k", "pingpong_8k", "small_messages"), "launch",
        {"size": Parameter("bytes", "64B", "the limit")}, settings={
            "openmpi": {"OMPI_MCA_btl_tcp_eager_limit": "{size}", "OMPI_MCA_btl_tcp_rndv_eager_limit": "{size}"},
            "mpich": {"UCX_RNDV_THRESH": "{size}"}},
        machine=OnMachine(
            free={"openmpi": "the limit is that of TCP, and ranks of one machine talk through memory"}),
        named=(("mpi.eager-limit", ""), ("mpi.setting.changed", "eager_limit|RNDV_THRESH"))),
    "bad-placement": Fault(
        "ranks dealt to the two switches in turn", "placement of ranks", "every neighbour behind the uplink",
        "neighbour exchanges, all through the uplink", ("ring_32k", "pairs_inside"), "placement", shape="switches",
        named=(("net.backplane", ""),)),
    "small-unaligned-requests": Fault(
        "a program that writes small pieces at odd offsets", "the program", "1000 B instead of 64 KiB",
        "its independent writes, by a round trip each", ("io_independent",), "launch",
        {"size": Parameter("bytes", "1000B", "of one request")}, settings={
            "openmpi": {"PLUMBLINE_CELLS_REQUEST": "{size}"}, "mpich": {"PLUMBLINE_CELLS_REQUEST": "{size}"}}),
}
