#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr Check kSuiteChecks[]{
    {.id = "data.wrong",
     .title = "What the suite writes and sends comes back as it was",
     .looks_at = "The data of every cell of the suite, which each rank checks after it was timed.",
     .judged =
         "A diagnosis where one byte differs. The run has ended with it, and nothing of it is judged. A setting of "
         "files without which it is right in two runs, and with which it is wrong in two more, is named as its cause.",
     .repair = "Look first at settings and hints that have been changed, then at locks and caches of the file system: "
               "parts of a block that several ranks write need locks that all nodes see (mount options such as "
               "localflock, nolock)."},
    {.id = "io.hints.collective-buffering",
     .title = "Collective buffering helps where it is used",
     .looks_at =
         "Collective calls of MPI-IO in the suite: aggregators, buffer sizes, hints in force, and the ideal form "
         "of each call.",
     .judged = "A diagnosis where a hint switches collective buffering off and the calls are split by it, as of "
               "io.hints.split.",
     .repair = "Set the hints that the replay found best, in the program's MPI_Info or in a hints file.",
     .lines = "romio_cb_write=enable\ncb_nodes=N\ncb_buffer_size=16777216",
     .openmpi = "OMPI_MCA_io=romio321\nROMIO_HINTS=FILE",
     .mpich = "ROMIO_HINTS=FILE"},
    {.id = "io.hints.aggregators",
     .title = "Collective accesses to files have enough aggregators",
     .looks_at = "How many ranks made POSIX reads and writes inside of collective calls of MPI-IO, and their nodes.",
     .judged = "A diagnosis where they were fewer than in the ideal form, which has one on each node with data, "
               "and the calls lose 3 % of their run and of the suite or more against that.",
     .repair =
         "Give the library more aggregators. OMPIO takes the hint from the program alone; the parameter holds for "
         "all programs.",
     .lines = "cb_nodes=NODES",
     .openmpi = "OMPI_MCA_io_ompio_num_aggregators=NODES",
     .mpich = "ROMIO_HINTS=FILE"},
    {.id = "io.hints.split",
     .title = "Calls of MPI-IO are not split into many small requests",
     .looks_at = "POSIX reads and writes inside each call of MPI-IO, against the fewest that its ideal form needs.",
     .judged = "A diagnosis where a call was split at least twofold, or moved a quarter more bytes than needed, "
               "and 3 % of its run and of the suite or more is lost by it; of its run 1 % is enough where it "
               "loses that even with all data in the page cache, which is certain.",
     .repair = "Let the library join requests: collective buffering for collective calls, data sieving for independent "
               "ones.",
     .lines = "romio_cb_write=enable\nromio_ds_write=enable\nromio_ds_read=enable",
     .openmpi = "OMPI_MCA_io=romio321\nROMIO_HINTS=FILE",
     .mpich = "ROMIO_HINTS=FILE"},
    {.id = "mpi.collective.algorithm",
     .title = "Collectives use an algorithm that suits this machine",
     .looks_at = "The algorithm of each collective call, as recorded inside or as the library's tables say, and the "
                 "fastest one on this platform.",
     .judged = "A diagnosis where the calls lose 3 % of their run and of the suite or more against the fastest "
               "algorithm.",
     .repair = "Set the algorithm that the replay found best; tuned/ beside the report has the file.",
     .openmpi = "OMPI_MCA_coll_tuned_use_dynamic_rules=1\nOMPI_MCA_coll_tuned_COLLECTIVE_algorithm=N",
     .mpich = "MPIR_CVAR_COLLECTIVE_INTRA_ALGORITHM=ALGORITHM"},
    {.id = "net.link.rate",
     .title = "Every cable carries what its peers carry",
     .looks_at =
         "Rates of disjoint pairs of nodes, in both directions, and what operations of the suite that used each "
         "cable lost.",
     .judged = "A diagnosis where a cable is slower than its peers, or than its data sheet, and replays give it "
               "1 % of the suite. What the suite alone shows is repeated twice, and with --hosts of three or "
               "more also measured beside a healthy twin.",
     .repair = "Replace the cable or transceiver that is named, or the port; read what it negotiated.",
     .lines = "ethtool INTERFACE"},
    {.id = "net.latency",
     .title = "Every way through the network is as short as its peers",
     .looks_at = "Round trips of small messages of disjoint pairs of nodes.",
     .judged = "A diagnosis where one pair is slower than its peers, and the suite loses by it. What the suite "
               "alone shows is repeated twice.",
     .repair = "Look at the route of the pair, at coalescing of interrupts and at idle states of both nodes.",
     .lines = "ethtool -C INTERFACE adaptive-rx off rx-usecs 0\ncpupower idle-set -D 10"},
    {.id = "node.slow",
     .title = "Every node is as fast as its peers",
     .looks_at = "What ranks of each node took in calls beyond like ranks of the other nodes.",
     .judged = "A diagnosis where all ranks of a node, of which there are two or more, lose against their peers "
               "in two repetitions, too. One rank on a node is told as rank.slow.",
     .repair = "Take the node out of service until its cause is found: temperature, frequency, memory, processes."},
    {.id = "rank.slow",
     .title = "Every rank is as fast as its peers",
     .looks_at = "What each rank took beyond like ranks in the same rows.",
     .judged = "A diagnosis where one rank loses against its peers in two repetitions too.",
     .repair = "Look at its core: binding, siblings, interrupts, other processes.",
     .lines = "ps -eLo psr,pcpu,comm --sort=-pcpu",
     .openmpi = "OMPI_MCA_hwloc_base_binding_policy=core",
     .mpich = "mpiexec.hydra -bind-to core"},
    {.id = "storage.slow",
     .title = "Storage is as fast as its platform says",
     .looks_at =
         "Reads, writes and calls on metadata of the suite below each directory, against platform and data sheet.",
     .judged = "A diagnosis where they are shown to be slower; what a cache may have answered is a bracket, and not "
               "judged inside it.",
     .repair = "Look at the device and file system that are named: disk.*, fs.*."},
    {.id = "server.slow",
     .title = "Every file server is as fast as its peers",
     .looks_at = "What each server delivers to all clients at once, where the file system tells which server a file is "
                 "on.",
     .judged = "A diagnosis where one delivers less than two thirds of what the fastest one does, in three "
               "measurements.",
     .repair = "Look at the disks, the load and the network of the server that is named.",
     .lines = "iostat -x 1"},
    {.id = "suite.slower",
     .title = "The suite is as fast as this platform allows",
     .looks_at = "Every run of the suite against its replay, and against a baseline where one is given.",
     .judged = "A diagnosis where runs are shown to be slower and no other check explains it; or slower than in "
               "the baseline by 10 % or more and by three times the spread of all runs' ratios, or all of them "
               "together by 5 %. Not judged where it is too noisy to tell (exit code 5), and where ranks share "
               "cores: they wait for each other inside of calls.",
     .repair =
         "Read the rows of the report that lost most, compare with the last good baseline, and see what has changed "
         "since.",
     .lines = "plumbline compare --details ARCHIVE EXPECTED"},
};

}  // namespace

std::span<const Check> suite_checks() { return kSuiteChecks; }

}  // namespace plumbline::replay::validate
