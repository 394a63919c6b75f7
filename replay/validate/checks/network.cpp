#include "replay/validate/checks/tables.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr Check kNetworkChecks[]{
    {.id = "net.retransmits",
     .stage = Stage::kWitness,
     .title = "TCP does not lose segments",
     .looks_at =
         "RetransSegs and TCPTimeouts of every node, before and after; TCP_INFO of the ranks' sockets in each run of "
         "the suite.",
     .judged = "An observation where more than 1 segment in 10,000 was sent again. A diagnosis where at least "
               "two runs of the suite, and more than half of those that lost segments, name the same node or "
               "pair, and that node had to send segments again, too: it costs at most 200 ms for each segment. "
               "What is lost only on the way to one node may be lost in a full buffer of the switch, and stays "
               "an observation. So does what is lost in a run in which that node exchanges 1.5 times the mean "
               "of the nodes or more; such a run does not count. 1 % of loss takes 1 Gbit/s down to 150 Mbit/s.",
     .repair =
         "Replace the cable or transceiver of the pair that is named; look at the counters of the switch's ports.",
     .lines = "ethtool -S INTERFACE"},
    {.id = "net.errors",
     .stage = Stage::kWitness,
     .title = "Interfaces count no errors, drops or collisions",
     .looks_at = "Errors, drops, CRC errors and collisions of each interface, and symbol errors of InfiniBand ports, "
                 "before and after.",
     .judged = "An observation where they have grown; drops count from 3 on, and beyond 1 in 10,000. It is "
               "never a finding by itself: nothing measures what it costs. Look at it where a finding names "
               "that node.",
     .repair = "Replace the cable or transceiver, and check that both ends have the same duplex.",
     .lines = "ethtool INTERFACE"},
    {.id = "net.softnet-squeeze",
     .stage = Stage::kWitness,
     .title = "The kernel keeps up with packets",
     .looks_at = "dropped and time_squeeze in /proc/net/softnet_stat, before and after.",
     .judged = "An observation where they have grown. It is never a finding by itself: nothing measures what it "
               "costs. Look at it where a finding names that node.",
     .repair = "Let the kernel take more packets at a time, and spread them over cores.",
     .lines = "sysctl -w net.core.netdev_budget=600 net.core.netdev_max_backlog=10000"},
    {.id = "net.irq-one-core",
     .stage = Stage::kWitness,
     .title = "Interrupts of the network are spread over cores",
     .looks_at = "/proc/interrupts of the interfaces that carry messages, before and after.",
     .judged = "An observation where one core takes nine tenths of the interrupts of an interface with several "
               "queues, or more. It is never a finding by itself: nothing measures what it costs. Look at it "
               "where a finding names that node.",
     .repair = "Run irqbalance, or set the affinity of each queue.",
     .lines = "systemctl enable --now irqbalance"},
    {.id = "net.coalescing",
     .stage = Stage::kWitness,
     .title = "Network interfaces tell at once that packets have come",
     .looks_at = "The coalescing of interrupts that the driver of each interface tells (ethtool -c).",
     .judged = "An observation where what is received waits for 20 us or more, whatever the load. It is never a "
               "finding by itself: nothing measures what it costs. Look at it where a finding names that node.",
     .repair = "Let the driver adapt it to the load, or set a few microseconds.",
     .lines = "ethtool -C INTERFACE adaptive-rx on\nethtool -C INTERFACE rx-usecs 4"},
    {.id = "net.pcie-width",
     .stage = Stage::kWitness,
     .title = "Network interfaces have all their PCIe lanes",
     .looks_at =
         "current_link_speed and current_link_width of each interface against max_link_speed and max_link_width.",
     .judged = "An observation where they are less. It is never a finding by itself: nothing measures what it "
               "costs. Look at it where a finding names that node.",
     .repair = "Seat the card anew, try another slot, look for a limit in the firmware.",
     .lines = "lspci -vv -s ADDRESS"},
    {.id = "net.congestion-control",
     .stage = Stage::kWitness,
     .title = "TCP's buffers and congestion control fit the network",
     .looks_at = "tcp_congestion_control, the largest of tcp_rmem and tcp_wmem, window scaling, selective "
                 "acknowledgement, tuning of receive buffers, and what TCP counts of full buffers and memory "
                 "(PruneCalled, TCPRcvCollapsed, TCPMemoryPressures, TCPRcvQDrop), before and after.",
     .judged = "An observation where a buffer is below 1 MiB, the congestion control is not cubic, bbr, dctcp "
               "or reno, window scaling, selective acknowledgement or the tuning of buffers is off, or a "
               "counter has grown. It is never a finding by itself: nothing measures what it costs. Look at it "
               "where a finding names that node.",
     .repair = "Allow buffers of twice rate times round trip, and do not start slowly after a pause.",
     .lines = "sysctl -w net.ipv4.tcp_slow_start_after_idle=0\n"
              "sysctl -w net.ipv4.tcp_rmem='4096 131072 16777216' net.ipv4.tcp_wmem='4096 131072 16777216'",
     .openmpi = "OMPI_MCA_btl_tcp_sndbuf=0\nOMPI_MCA_btl_tcp_rcvbuf=0",
     .mpich = "UCX_TCP_SNDBUF=auto\nUCX_TCP_RCVBUF=auto"},
};

}  // namespace

std::span<const Check> network_checks() { return kNetworkChecks; }

}  // namespace plumbline::replay::validate
