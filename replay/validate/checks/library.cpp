#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr Check kLibraryChecks[]{
    {.id = "mpi.setting.changed",
     .stage = Stage::kWitness,
     .title = "Settings of the MPI library are its defaults",
     .looks_at = "Control variables of the library with their values, who has set them, and in which file and "
                 "line.",
     .judged = "An observation for each variable, of a list of those that change speed, that somebody has set. "
               "Only what is set in the environment of plumbline itself, or in a file of parameters whose line "
               "is known, is tried, and not what Debian's openmpi-mca-params.conf brings. A diagnosis where the "
               "cells of the suite, made short, take longer with it: both run in turn, five times or more, and "
               "a rank-sum test has p up to 0.004 for 1 % of their time. Cells that took 1.5 times as long in every "
               "run at first are tested by themselves; 2 % of all cells, each counting the same, is enough "
               "there.",
     .repair = "Take out the line that is named.",
     .openmpi = "ompi_info --all --level 9 | grep SETTING",
     .mpich = "env | grep -E '^(MPIR_CVAR|UCX|FI)_'"},
    {.id = "mpi.transport.no-shared-memory",
     .stage = Stage::kWitness,
     .title = "Ranks of a node talk through shared memory",
     .looks_at = "The lists of components and transports that the library may use, and who has set them.",
     .judged = "An observation where local messages go over TCP. A diagnosis on the same condition as "
               "mpi.setting.changed.",
     .repair = "Take out the line that leaves shared memory out, or add it to the list.",
     .openmpi = "OMPI_MCA_btl=vader,self,tcp",
     .mpich = "UCX_TLS=all\nMPIR_CVAR_NOLOCAL=0"},
    {.id = "mpi.transport.no-single-copy",
     .stage = Stage::kWitness,
     .title = "Large local messages are copied once",
     .looks_at =
         "The mechanism in force (btl_vader_single_copy_mechanism, the lane cma of UCX), who has set it, and what "
         "the kernel allows (node.ptrace-scope).",
     .judged =
         "An observation where messages are copied twice. Large ones mostly take 1.5 to 2 times as long then; in a "
         "virtual machine copying by the kernel may be the slower way. A diagnosis on the same condition as "
         "mpi.setting.changed.",
     .repair = "Allow copying between processes, and leave the library's choice alone.",
     .lines = "sysctl -w kernel.yama.ptrace_scope=0",
     .openmpi = "OMPI_MCA_btl_vader_single_copy_mechanism=cma",
     .mpich = "UCX_TLS=all"},
    {.id = "mpi.collectives.forced",
     .stage = Stage::kWitness,
     .title = "No algorithm of a collective is forced",
     .looks_at = "coll_tuned_*_algorithm, rules files with their contents, priorities of coll components, "
                 "MPIR_CVAR_*_INTRA_ALGORITHM, and who has set them.",
     .judged = "An observation where one is forced. A diagnosis on the same condition as mpi.setting.changed. "
               "Where a rule or the comparison with the fastest algorithm shows that the collective is slow, "
               "the setting is tried in the same way in calls of that collective alone, in the blocks that "
               "rules are measured with; it then costs at most what they say.",
     .repair = "Take out the line that is named, or set the algorithm that the replay found best.",
     .openmpi = "OMPI_MCA_coll_tuned_use_dynamic_rules=0",
     .mpich = "MPIR_CVAR_COLLECTIVE_INTRA_ALGORITHM=auto"},
    {.id = "mpi.eager-limit",
     .stage = Stage::kWitness,
     .title = "Eager limits are where messages stop gaining by them",
     .looks_at = "Eager limits and rendezvous thresholds of each transport, and who has set them.",
     .judged = "An observation where somebody has set one. A diagnosis on the same condition as "
               "mpi.setting.changed.",
     .repair = "Take out the line that is named.",
     .openmpi = "OMPI_MCA_btl_tcp_eager_limit=65536\nOMPI_MCA_btl_vader_eager_limit=4096",
     .mpich = "UCX_RNDV_THRESH=auto"},
    {.id = "io.hints.file",
     .stage = Stage::kWitness,
     .title = "Nobody sets hints behind the program's back",
     .looks_at = "ROMIO_HINTS, and the file that it names.",
     .judged = "An observation where ROMIO_HINTS is set. A diagnosis on the same condition as "
               "mpi.setting.changed.",
     .repair = "Take the hint out of the file that is named.",
     .lines = "unset ROMIO_HINTS"},
    {.id = "io.ompio.lock-algorithm",
     .stage = Stage::kWitness,
     .title = "OMPIO does not lock more than the file system needs",
     .looks_at = "fs_ufs_lock_algorithm, and who has set it.",
     .judged = "An observation where somebody has set it. Where whole files are locked, writers wait for each "
               "other (280 MB in 30 minutes instead of 10 s on NFS, open-mpi/ompi#4446). A diagnosis on the "
               "same condition as mpi.setting.changed.",
     .repair = "Let OMPIO choose, or use ROMIO; MPICH has ROMIO alone.",
     .openmpi = "OMPI_MCA_fs_ufs_lock_algorithm=0\nOMPI_MCA_io=romio321"},
};

}  // namespace

std::span<const Check> library_checks() { return kLibraryChecks; }

}  // namespace plumbline::replay::validate
