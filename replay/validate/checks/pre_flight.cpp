#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr Check kPreFlightChecks[]{
    {.id = "launch.world.size",
     .stage = Stage::kPreFlight,
     .title = "The world has as many ranks as the launcher started",
     .looks_at = "The size of MPI_COMM_WORLD in every process, and what the launcher says that it started: "
                 "OMPI_COMM_WORLD_SIZE, PMI_SIZE, SLURM_STEP_NUM_TASKS, FLUX_JOB_SIZE.",
     .judged = "Fatal where they differ, where each process is rank 0 of a world of its own, or where ranks are "
               "on fewer nodes than were asked for: nothing that is measured means anything then.",
     .repair =
         "Start the program by the mpirun of the MPI that it is linked with, or give Slurm the interface that this "
         "MPI was built for (`srun --mpi=list`).",
     .lines = "ldd PROGRAM | grep libmpi",
     .openmpi = "mpirun.openmpi -n N PROGRAM\nsrun --mpi=pmix -n N PROGRAM",
     .mpich = "mpiexec.hydra -n N PROGRAM\nsrun --mpi=pmi2 -n N PROGRAM",
     .prevents = true},
    {.id = "launch.binding.overlap",
     .stage = Stage::kPreFlight,
     .title = "No two ranks are bound to the same core",
     .looks_at = "The affinity mask of every process of this validation, on every node.",
     .judged = "A finding, and certain, where some ranks together have fewer processors than there are of them. "
               "What it costs is not measured.",
     .repair =
         "Bind each rank to cores of its own. Two jobs on one node that both begin at core 0 need different sets of "
         "cores, or no binding.",
     .openmpi = "OMPI_MCA_hwloc_base_binding_policy=core\nOMPI_MCA_rmaps_base_mapping_policy=core",
     .mpich = "mpiexec.hydra -bind-to core"},
    {.id = "launch.binding.none",
     .stage = Stage::kPreFlight,
     .title = "Ranks are bound to cores",
     .looks_at = "The affinity mask of every process.",
     .judged = "An observation where ranks may run anywhere on their node. It is never a finding by itself: "
               "nothing measures what it costs.",
     .repair = "Let the launcher bind ranks to cores.",
     .openmpi = "OMPI_MCA_hwloc_base_binding_policy=core",
     .mpich = "mpiexec.hydra -bind-to core"},
    {.id = "launch.ranks.cores",
     .stage = Stage::kPreFlight,
     .title = "Every rank has a core",
     .looks_at = "Ranks of each node against its cores and the CPU quota of the control group (cpu.max, "
                 "cpu.cfs_quota_us).",
     .judged = "A finding where there are more ranks than cores or quota: ranks that wait then take the time of "
               "ranks that compute, and whatever waits is not judged. What it costs is not measured.",
     .repair = "Start fewer ranks a node, raise the quota of the job, or let waiting ranks give their core away.",
     .openmpi = "OMPI_MCA_mpi_yield_when_idle=1",
     .mpich = "mpiexec.hydra -ppn CORES -n N PROGRAM"},
    {.id = "node.shm.size",
     .stage = Stage::kPreFlight,
     .title = "/dev/shm is large enough, and one for all ranks of a node",
     .looks_at =
         "Size and free space of the file system at /dev/shm, and whether all ranks of a node see the same one.",
     .judged = "A finding where the libraries' segments do not fit or ranks see different ones: local messages "
               "then go over the network, or the program ends with a bus error. What it costs is not measured.",
     .repair = "Enlarge it, also in the container (`docker run --shm-size`, `--ipc=host`).",
     .lines = "mount -o remount,size=50% /dev/shm",
     .openmpi = "OMPI_MCA_btl_vader_backing_directory=/dev/shm",
     .mpich = "UCX_POSIX_DIR=/dev/shm"},
    {.id = "node.session.filesystem",
     .stage = Stage::kPreFlight,
     .title = "Session directories are on a local file system with room",
     .looks_at = "File system and free space of the directory in which the library keeps its session (TMPDIR, "
                 "orte_tmpdir_base), on every node.",
     .judged = "An observation where it is on the network; fatal where it cannot be written or is full.",
     .repair = "Give the job a directory on a local disk or in memory.",
     .lines = "export TMPDIR=/tmp",
     .openmpi = "OMPI_MCA_orte_tmpdir_base=/tmp",
     .mpich = "export TMPDIR=/tmp",
     .prevents = true},
    {.id = "net.mtu.uniform",
     .stage = Stage::kPreFlight,
     .title = "Interfaces of one network have one MTU",
     .looks_at = "The MTU of each interface, and what TCP and IP count of packets that were too large, on every "
                 "node.",
     .judged = "An observation where they differ, or where packets were too large for a part of the path. It is "
               "never a finding by itself: nothing measures what it costs. Look at it where a finding names "
               "that node.",
     .repair = "Set the same MTU on all nodes and on the ports of the switch.",
     .lines = "ip link set dev INTERFACE mtu 9000"},
    {.id = "net.link.speed",
     .stage = Stage::kPreFlight,
     .title = "Interfaces of one network have one speed, in full duplex",
     .looks_at = "Speed and duplex that the interfaces negotiated, and rate and width of InfiniBand ports.",
     .judged = "An observation where one differs from the others or is in half duplex. It is never a finding by "
               "itself: nothing measures what it costs. Look at it where a finding names that node.",
     .repair =
         "Replace the cable or the transceiver, or let both ends negotiate again; a forced speed on one end alone "
         "gives half duplex on the other.",
     .lines = "ethtool -s INTERFACE autoneg on"},
    {.id = "mpi.transport.fast-network-unused",
     .stage = Stage::kPreFlight,
     .title = "The fast network is used where there is one",
     .looks_at = "RDMA devices in /sys/class/infiniband, and the library's settings of components and transports.",
     .judged = "A finding where a node has an active RDMA port and the library's settings leave it out, also "
               "where all ranks are on one node. What it costs is not measured.",
     .repair = "Take out the line that excludes the fast transport. Debian's openmpi-mca-params.conf excludes UCX and "
               "libfabric for all users.",
     .openmpi = "OMPI_MCA_pml=ucx\nOMPI_MCA_osc=ucx",
     .mpich = "UCX_TLS=all\nUCX_NET_DEVICES=all"},
    {.id = "mpi.build.debug",
     .stage = Stage::kPreFlight,
     .title = "The libraries are not debug builds",
     .looks_at = "The library's version text, and its control variables.",
     .judged = "An observation where debugging is compiled in. It is never a finding by itself: nothing "
               "measures what it costs.",
     .repair = "Install the release build, or build without --enable-debug.",
     .openmpi = "./configure --disable-debug",
     .mpich = "./configure --enable-error-checking=runtime --enable-fast=O2,ndebug"},
    {.id = "node.uniform.kernel",
     .stage = Stage::kPreFlight,
     .title = "All nodes run the same kernel and libraries",
     .looks_at = "Kernel, boot parameters, firmware, microcode and the MPI library of every node.",
     .judged = "An observation where a node differs. It is never a finding by itself: nothing measures what it "
               "costs. Look at it where a finding names that node.",
     .repair = "Update the nodes that are behind, and start them again."},
    {.id = "node.uniform.mounts",
     .stage = Stage::kPreFlight,
     .title = "All nodes mount the same file systems with the same options",
     .looks_at = "/proc/self/mountinfo of every node, for the directories that are measured.",
     .judged = "An observation where a node differs or lacks a mount. It is never a finding by itself: nothing "
               "measures what it costs. Look at it where a finding names that node.",
     .repair = "Make /etc/fstab alike, and mount again."},
    {.id = "node.uniform.settings",
     .stage = Stage::kPreFlight,
     .title = "All nodes have the same settings",
     .looks_at = "Settings of kernel, processor and network interfaces on every node.",
     .judged = "An observation where a node differs; values that differ by nature (names, addresses) are left "
               "out. It is never a finding by itself: nothing measures what it costs. Look at it where a "
               "finding names that node.",
     .repair = "Bring the node into line with the others; configuration management that covers /etc/sysctl.d keeps it "
               "so."},
};

}  // namespace

std::span<const Check> pre_flight_checks() { return kPreFlightChecks; }

}  // namespace plumbline::replay::validate
