"""Faults that a machine by itself has, in no laboratory: rows of the table (fault.py), drawn by `lab evaluate`."""

from laboratory.fault import CORE, MACHINE, Fault, OnMachine, Parameter

_OF_MPICH = {"openmpi": "a variable of MPICH"}
_OF_OPEN_MPI = {"mpich": "a variable of Open MPI"}
_OTHERS = (("cpu.interference", ""), ("rank.slow", ""))

SINGLE_MACHINE_FAULTS: dict[str, Fault] = {
    "absurd-memory-eager-limit": Fault(
        "an eager limit and pieces far too small between ranks of a node", "MPI library",
        "128 B, in pieces of 4 KiB, instead of 4 and 32 KiB", "messages between ranks of a node", (), "launch",
        {"limit": Parameter("bytes", "128B", "the eager limit"), "size": Parameter("bytes", "4KiB", "of a piece")},
        settings={"openmpi": {"OMPI_MCA_btl_vader_eager_limit": "{limit}", "OMPI_MCA_btl_vader_max_send_size": "{size}"}},
        shape=MACHINE, machine=OnMachine(
            invisible={"mpich": "UCX has one threshold for all transports: absurd-eager-limit"}),
        named=(("mpi.eager-limit", ""), ("mpi.setting.changed", "eager_limit|max_send_size"))),
    "neighbours-as-distant": Fault(
        "ranks of one node are taken for ranks of several", "MPI library", "MPIR_CVAR_NOLOCAL", "nothing by itself", (),
        "launch", settings={"mpich": {"MPIR_CVAR_NOLOCAL": "1"}}, shape=MACHINE, machine=OnMachine(
            free={"mpich": "UCX finds shared memory by itself, whatever MPICH takes for distant"}, invisible=_OF_MPICH),
        named=(("mpi.setting.changed", "NOLOCAL"), ("mpi.transport.no-shared-memory", ""))),
    "yielding": Fault(
        "ranks that wait give their core away", "MPI library", "mpi_yield_when_idle", "small messages, by a system call", (),
        "launch", settings={"openmpi": {"OMPI_MCA_mpi_yield_when_idle": "1"}}, shape=MACHINE, machine=OnMachine(
            free={"openmpi": "where each rank has a core there is nobody to give it to, and the call returns at once"},
            invisible=_OF_OPEN_MPI),
        named=(("mpi.setting.changed", "yield_when_idle"),)),
    "progress-threads": Fault(
        "a thread for progress in each rank, on cores that ranks need", "MPI library", "MPIR_CVAR_ASYNC_PROGRESS",
        "everything: the threads spin", (), "launch", settings={"mpich": {"MPIR_CVAR_ASYNC_PROGRESS": "1"}}, shape=MACHINE,
        machine=OnMachine(invisible=_OF_MPICH),
        named=(("mpi.setting.changed", "ASYNC_PROGRESS"), ("launch.ranks.cores", ""))),
    "other-io-library": Fault(
        "ROMIO where OMPIO is meant", "MPI library", "io romio321", "collective access to files", (), "launch",
        settings={"openmpi": {"OMPI_MCA_io": "romio321"}}, shape=MACHINE, machine=OnMachine(
            free={"openmpi": "which of the two is faster depends on the call"}, invisible=_OF_OPEN_MPI),
        named=(("mpi.setting.changed", r"\bio\b"),)),
    "segments-on-disk": Fault(
        "files of shared memory in a directory of a disk", "MPI library", "/var/tmp instead of /dev/shm",
        "a little, whenever the kernel writes them back", (), "launch",
        settings={"openmpi": {"OMPI_MCA_btl_vader_backing_directory": "/var/tmp"}}, shape=MACHINE, machine=OnMachine(
            free={"openmpi": "the pages stay in memory, and are written back behind the ranks"}, invisible=_OF_OPEN_MPI),
        named=(("mpi.setting.changed", "backing_directory"), ("node.session.filesystem", ""))),
    "no-tuned-collectives": Fault(
        "the component with the good algorithms is left out", "MPI library", "coll ^tuned", "collectives of many ranks", (),
        "launch", settings={"openmpi": {"OMPI_MCA_coll": "^tuned"}}, shape=MACHINE, machine=OnMachine(
            free={"openmpi": "of two ranks there is hardly a choice of algorithms"}, invisible=_OF_OPEN_MPI),
        named=(("mpi.collectives.forced", r"\bcoll\b"), ("mpi.collective.algorithm", ""))),
    "cpu-quota": Fault(
        "a job that gets less of the processor than its ranks need", "control group", "six tenths of one core for all ranks",
        "everything: all ranks stop for tenths of seconds", (), "quota",
        {"share": Parameter("share", "60%", "of one core, for all ranks")}, shape=MACHINE, machine=OnMachine(),
        named=(("cpu.quota", ""), ("launch.ranks.cores", ""))),
    "busy-core": Fault(
        "a program that somebody left running on a core", "core", "always", "everything that waits for the rank on that core",
        (), "busy", {"core": CORE}, shape=MACHINE, machine=OnMachine(), named=_OTHERS),
    "periodic-work": Fault(
        "a daemon that wakes up often on a core", "core", "a tenth of the time, 5 ms at a time",
        "the slow tail of short operations, by the time at work", (), "busy",
        {"core": CORE, "work": Parameter("time", "5ms", "at work"),
         "period": Parameter("time", "50ms", "from one to the next")}, shape=MACHINE, machine=OnMachine(), named=_OTHERS),
    "sync-mount": Fault(
        "a file system mounted so that each write waits for the device", "mount options", "sync,dirsync",
        "writing, and making files; the same wherever it is measured", (), "mount",
        {"mode": Parameter("sync", "sync", "sync and dirsync of mount(8)")}, shape=MACHINE, machine=OnMachine(),
        named=(("storage.slow", ""), ("fs.mount-options", ""))),
    "full-file-system": Fault(
        "a file system with hardly any room", "file system", "96 % full", "nothing, until a file does not fit", (), "mount",
        {"full": Parameter("share", "96%", "of its blocks")}, shape=MACHINE, machine=OnMachine(
            free=dict.fromkeys(("openmpi", "mpich"), "the new file system has its free blocks in one piece")),
        named=(("fs.full", ""),)),
}
