"""Faults of cables, switches, nodes and servers: rows of the table (fault.py)."""

from laboratory.fault import COMPUTE, FIRST, NODE, SERVER, Fault, OnMachine, Parameter

_RATE = (("net.link.rate", r"\b{node}\b"), ("net.link.speed", r"\b{node}\b"))
_DISK = (("storage.slow", r"\b{server}\b"), ("server.slow", r"\b{server}\b"))
_SLOW_NODE = (("node.slow", r"\b{node}\b"), ("rank.slow", r"\b{node}\b"), ("cpu.interference", r"\b{node}\b"),
              ("cpu.noise", r"\b{node}\b"))
_STATED = Parameter("yes|no", "no", "whether the interface states it")

MACHINE_FAULTS: dict[str, Fault] = {
    "slow-link": Fault(
        "a cable at a fraction of its rate", "cable of a node", "half of the rate",
        "whatever moves much data over this cable at once with others: the alltoall by the ratio of the rates",
        ("alltoall_16k", "allreduce_32k"), "port",
        {"node": NODE, "rate": Parameter("rate", "50Mbit/s", "both directions"), "stated": _STATED}, named=_RATE),
    "latency": Fault(
        "a cable with more latency", "cable of a node", "2 ms a round trip",
        "small collectives and everything that waits for replies, by the number of waits",
        ("allreduce_8", "compute_allreduce", "small_messages"), "port",
        {"node": NODE, "latency": Parameter("time", "1ms", "one way, of this cable")},
        named=(("net.latency", r"\b{node}\b"),)),
    "loss": Fault(
        "a cable that loses frames", "cable of a node", "1 of 100 frames, each direction",
        "the slowest iterations of what waits for single messages, by the retransmission timeout of 200 ms; where more "
        "data follow at once, the loss is noticed and mended in between",
        ("jacobi", "allreduce_8"), "port",
        {"node": NODE, "loss": Parameter("share", "1%", "of the frames")}, statistic="tail",
        named=(("net.retransmits", r"\b{node}\b"), ("net.errors", r"\b{node}\b"))),
    "half-duplex": Fault(
        "a cable that carries one direction at a time", "cable of a node", "half of the capacity when both are in use",
        "exchanges that are really bidirectional: the alltoall",
        ("alltoall_16k",), "port",
        {"node": NODE, "duplex": Parameter("half", "half", ""),
         "stated": Parameter("yes|no", "yes", "whether the interface states it")}, named=_RATE),
    "backplane": Fault(
        "a switch that forwards less than its ports carry", "switch", "a quarter of eight ports",
        "everything with many pairs at once", ("alltoall_16k", "ring_32k", "pairs_inside"), "switch",
        {"switch": Parameter("switch", "w0", "a switch"),
         "rate": Parameter("rate", "200Mbit/s", "all frames together")}, named=(("net.backplane", ""),)),
    "mtu-mismatch": Fault(
        "a node whose MTU is smaller than that of the others", "interface of a node", "1500 B, the others 9000",
        "much data to and from this node, by the headers: 5 %, as TCP agrees on the smaller; messages of a few frames "
        "become faster, as a switch may hand out the first frames while the next come in", ("pingpong_1m",), "mtu",
        {"node": FIRST, "mtu": Parameter("mtu", "1500", "of its interface")},
        named=(("net.mtu.uniform", r"\b{node}\b"),)),
    "slow-node": Fault(
        "a node that computes slower", "processor of a node", "a quarter of the speed",
        "computation by the factor, and every collective that waits for this node",
        ("allreduce_8", "compute_allreduce", "jacobi"), "freeze",
        {"node": COMPUTE, "slow": Parameter("factor", "4", "times as long"),
         "period": Parameter("time", "4ms", "of stopping and continuing")}, named=_SLOW_NODE),
    "noise": Fault(
        "a node that is interrupted periodically", "processor of a node", "5 % of the time, 5 ms at a time",
        "the slow tail of short cells, by the duration of an interruption; medians hardly",
        ("small_messages", "compute_allreduce"), "freeze",
        {"node": COMPUTE, "noise": Parameter("time", "5ms", "of one interruption"),
         "period": Parameter("time", "100ms", "from one to the next")}, statistic="tail", named=_SLOW_NODE),
    "one-core": Fault(
        "all ranks of a node on one core", "binding of a node", "two ranks, which take turns of some milliseconds",
        "everything, by the scheduler's turns: whoever waits spins on the core that the other needs",
        ("pingpong_8", "allreduce_8", "compute_allreduce"), "binding", {"node": FIRST}, shape="node",
        machine=OnMachine(), named=(("launch.binding.overlap", ""), ("launch.ranks.cores", ""))),
    "small-shm": Fault(
        "no room for shared memory on a node", "/dev/shm of a node", "64 KiB instead of half of the memory",
        "messages between its ranks, which go over TCP then", ("pingpong_8", "pingpong_64k", "allreduce_8"), "shm",
        {"node": FIRST, "size": Parameter("bytes", "64KiB", "of /dev/shm")}, shape="node",
        ends={"mpich": "MPI_Init ends with an error: UCX has asked for shared memory and gets none"},
        machine=OnMachine(named=(("launch.world.size", "/dev/shm"),)),
        named=(("node.shm.size", ""), ("mpi.transport.no-shared-memory", ""))),
    "slow-disk": Fault(
        "a disk at a fraction of its rate", "disk of a server", "a fortieth of 40 MB/s",
        "collective writes with sync, by the rate",
        ("io_strided_write", "io_contiguous_write"), "disk",
        {"server": SERVER, "rate": Parameter("rate", "1MB/s", "reading and writing")}, named=_DISK),
    "slow-server-link": Fault(
        "a server behind a slow cable", "cable of a server", "a quarter of the rate",
        "all I/O with more than small requests", ("io_strided_read", "io_contiguous_write", "io_reread"), "port",
        {"server": SERVER, "rate": Parameter("rate", "25Mbit/s", "both directions"), "stated": _STATED},
        named=(*_DISK, ("net.link.rate", r"\b{server}\b"), ("net.link.speed", r"\b{server}\b"))),
    "small-server-cache": Fault(
        "a server that keeps nothing of its files in memory, in front of a disk slower than its cable",
        "memory of a server", "10 ms, and 2 MB/s from the disk",
        "data read again, which now comes from the disk each time", ("io_reread",), "cache",
        {"server": Parameter("server", "all", "a server, or all"),
         "keep": Parameter("time", "10ms", "how long files stay in memory, about"),
         "rate": Parameter("rate", "2MB/s", "of the disk")}, named=_DISK),
    "slow-metadata": Fault(
        "a server that is slow to answer for names and attributes", "processor of a server",
        "3 % of a core: 3 ms in every 100", "opening files; not the data, which take hardly any of its processor",
        ("io_open",), "processor", {"server": SERVER, "share": Parameter("share", "3%", "of one core")},
        named=(("server.slow", r"\b{server}\b"), ("storage.slow", ""))),
}
