#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr Check kNodeChecks[]{
    {.id = "node.busy-poll",
     .stage = Stage::kWitness,
     .title = "The kernel does not poll sockets on behalf of MPI",
     .looks_at = "net.core.busy_poll and net.core.busy_read.",
     .judged = "An observation where one is not 0: each poll of the library then spins in the kernel (3 to 5 "
               "times the run time of OpenFOAM, open-mpi/ompi#10929). It is never a finding by itself: nothing "
               "measures what it costs.",
     .repair = "Turn it off on nodes that run MPI.",
     .lines = "sysctl -w net.core.busy_poll=0 net.core.busy_read=0"},
    {.id = "node.ptrace-scope",
     .stage = Stage::kWitness,
     .title = "Ranks of a node may copy from each other's memory",
     .looks_at = "kernel.yama.ptrace_scope, and seccomp, capabilities and user namespace of the processes.",
     .judged = "An observation where copying is refused, or may be refused by a filter of system calls. "
               "mpi.transport.no-single-copy tells what the library does then.",
     .repair = "Allow processes of one user to trace each other; give containers CAP_SYS_PTRACE.",
     .lines = "sysctl -w kernel.yama.ptrace_scope=0\ndocker run --cap-add=SYS_PTRACE"},
    {.id = "cpu.governor",
     .stage = Stage::kWitness,
     .title = "Processors run at full speed",
     .looks_at = "Governor, least and greatest frequency, and turbo of every processor.",
     .judged = "An observation where the governor is not the one for performance, turbo is off, or a limit of "
               "the frequency is below the hardware's. It is never a finding by itself: nothing measures what "
               "it costs. Look at it where a finding names that node.",
     .repair = "Choose the governor for performance, also in the firmware's power profile.",
     .lines = "cpupower frequency-set -g performance"},
    {.id = "cpu.throttled",
     .stage = Stage::kWitness,
     .title = "Processors were not throttled by heat or power",
     .looks_at = "The counters thermal_throttle of every processor, before and after.",
     .judged = "An observation where they have grown. It is never a finding by itself: nothing measures what it "
               "costs. Look at it where a finding names that node.",
     .repair = "Look after fans, filters, the room's cooling and power caps of that node."},
    {.id = "cpu.quota",
     .stage = Stage::kWitness,
     .title = "The control group's quota did not stop ranks",
     .looks_at = "nr_throttled and throttled time in cpu.stat of the job's control group, before and after.",
     .judged = "An observation where they have grown. launch.ranks.cores is a finding where the quota is less "
               "than the ranks need.",
     .repair = "Raise the job's CPU quota to its ranks, or take it away.",
     .lines = "systemctl set-property UNIT CPUQuota="},
    {.id = "cpu.interference",
     .stage = Stage::kWitness,
     .title = "Nothing else takes time of the ranks' cores",
     .looks_at = "Time that ranks were ready and did not run in each run of the suite (schedstat), and processes "
                 "of others that used a processor for 0.3 s in the pre-flight and after the suite.",
     .judged = "An observation where a process had more than 5 % of a processor both times. A diagnosis where "
               "what ranks missed, for each run at most what that run was slower than expected, is 1 % of the "
               "suite, or 5 % where no process was seen; the largest consumer is named. Not where ranks share "
               "processors or a quota stops them. Where no process was seen it is evidence of "
               "MPIR_CVAR_ASYNC_PROGRESS, if that costs something, and an observation, if that is set and costs "
               "nothing; or it is evidence of the node of cpu.noise, if that explains half of it.",
     .repair =
         "Stop or move the process that is named, keep daemons off the cores of ranks, or give the job whole nodes.",
     .lines = "systemctl set-property SERVICE AllowedCPUs=CORES"},
    {.id = "cpu.noise",
     .stage = Stage::kWitness,
     .title = "Processors are not taken away from programs",
     .looks_at = "A program that computes on the processors of the first rank of each node for a second, before and "
                 "after the suite: how much of their time it was not running, and for how long at a time (the selfish "
                 "benchmark of Beckman et al., 2006; interruptions from 10 us on). Not where a quota limits them.",
     .judged = "An observation where, both times, a node loses 2 % of the time of its processors more than the "
               "median of the other nodes does, or 5 % of that of one, and at least twice as much; or where "
               "every node loses 5 %. A diagnosis where the part beyond theirs, of each run's length but no "
               "more than the run lost, is 1 % of the suite, and no other process is named there; of every node "
               "not where cpu.interference is a finding or ranks share processors.",
     .repair =
         "Look for what runs at that interval: daemons, monitoring, timers, firmware (SMI), the host of a virtual "
         "machine. Keep a core for the system.",
     .lines = "systemctl list-timers\nmpstat -P ALL 1\nturbostat --show CPU,SMI"},
    {.id = "cpu.idle-states",
     .stage = Stage::kWitness,
     .title = "Idle cores wake up soon",
     .looks_at = "Idle states that are allowed, their exit latencies, and how often each was entered.",
     .judged = "An observation where states with more than 10 us to wake up were entered. It is never a finding "
               "by itself: nothing measures what it costs. Look at it where a finding names that node.",
     .repair = "Forbid deep idle states on nodes that run MPI.",
     .lines = "cpupower idle-set -D 10"},
    {.id = "cpu.smt-siblings",
     .stage = Stage::kWitness,
     .title = "No two ranks share one physical core",
     .looks_at = "Affinity masks of the ranks, and thread_siblings_list of their processors.",
     .judged = "An observation where ranks are bound to siblings while whole cores have none. It is never a "
               "finding by itself: nothing measures what it costs. Look at it where a finding names that node.",
     .repair = "Bind to cores, not to hardware threads.",
     .openmpi = "OMPI_MCA_hwloc_base_binding_policy=core\nOMPI_MCA_hwloc_base_use_hwthreads_as_cpus=0",
     .mpich = "mpiexec.hydra -bind-to core"},
    {.id = "cpu.mitigations",
     .stage = Stage::kWitness,
     .title = "Mitigations of processor faults are as they were",
     .looks_at = "/sys/devices/system/cpu/vulnerabilities of every node.",
     .judged = "An observation where nodes differ. Mitigations cost applications 2 to 11 % (arXiv 1801.04329). "
               "It is never a finding by itself: nothing measures what it costs. Look at it where a finding "
               "names that node.",
     .repair = "Decide by your site's rules; where jobs trust each other, mitigations can be chosen at boot.",
     .lines = "grep . /sys/devices/system/cpu/vulnerabilities/*"},
    {.id = "cpu.clocksource",
     .stage = Stage::kWitness,
     .title = "Reading the clock is cheap",
     .looks_at = "current_clocksource and available_clocksource of every node.",
     .judged = "An observation where it is one that is read by a call into the kernel (hpet, acpi_pm, jiffies, "
               "xen, pit): MPI_Wtime and the tracer then enter the kernel, and measurements of small messages "
               "are not to be trusted.",
     .repair = "Find out why the kernel rejected tsc (dmesg), and choose it again.",
     .lines = "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {.id = "memory.thp",
     .stage = Stage::kWitness,
     .title = "Huge pages are given as the site means it",
     .looks_at = "transparent_hugepage/enabled and /defrag, and how often memory was compacted on demand.",
     .judged = "An observation where programs waited while the kernel made room for large pages. Nodes that are "
               "set differently are told by node.uniform.settings. It is never a finding by itself: nothing "
               "measures what it costs. Look at it where a finding names that node.",
     .repair = "Let programs ask for them, and do not compact on demand.",
     .lines = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled\n"
              "echo defer+madvise > /sys/kernel/mm/transparent_hugepage/defrag"},
    {.id = "memory.first-use",
     .stage = Stage::kWitness,
     .title = "Idle memory is as fast as memory in use",
     .looks_at = "How fast new memory is written: memory that was idle, and memory that a program gave back just "
                 "now; and whether a virtual machine tells its host which memory is free (page reporting of a "
                 "balloon).",
     .judged = "An observation where idle memory is three times slower or more. A diagnosis where writes to new files, "
               "whose page cache is such memory, lose time and are no slower than it explains.",
     .repair = "Give the virtual machine its memory when it starts, in large pages, and do not take back what is free "
               "(virsh edit, on its host); "
               "or touch all of it once before measuring, where it stays.",
     .lines = "<memoryBacking><hugepages/><allocation mode='immediate'/></memoryBacking>\n"
              "<memballoon model='virtio' freePageReporting='off'/>"},
    {.id = "memory.numa-remote",
     .stage = Stage::kWitness,
     .title = "Memory lies on the socket that uses it",
     .looks_at = "Pages that each node gave out during the validation, by memory node, and memory nodes that the "
                 "ranks may use.",
     .judged = "An observation where 10 % or more of the pages that a node gave out were on another memory node "
               "than the processor. It is never a finding by itself: nothing measures what it costs. Look at it "
               "where a finding names that node.",
     .repair = "Bind ranks and their memory to one socket, and place the ranks that send most near the interface.",
     .openmpi = "OMPI_MCA_hwloc_base_binding_policy=core\nOMPI_MCA_rmaps_base_mapping_policy=numa",
     .mpich = "mpiexec.hydra -bind-to numa"},
    {.id = "memory.swap",
     .stage = Stage::kWitness,
     .title = "No memory was swapped out or in",
     .looks_at = "pswpin and pswpout of /proc/vmstat, before and after.",
     .judged = "An observation where they have grown: what was measured meanwhile on that node is not to be "
               "trusted.",
     .repair = "Find what takes the memory, and turn swap off on nodes that compute.",
     .lines = "swapoff -a"},
};

}  // namespace

std::span<const Check> node_checks() { return kNodeChecks; }

}  // namespace plumbline::replay::validate
