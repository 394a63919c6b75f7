#include "tracer/record/metrics/proc_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace plumbline::record {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Of a node of Linux 6.1, columns left out on the right.
constexpr char kSnmp[] =
    "Ip: Forwarding DefaultTTL InReceives InHdrErrors InAddrErrors ForwDatagrams InUnknownProtos InDiscards InDelivers "
    "OutRequests OutDiscards\n"
    "Ip: 2 64 123914 0 0 0 0 7 123914 119183 8\n"
    "Icmp: InMsgs InErrors\n"
    "Icmp: 2 0\n"
    "IcmpMsg: InType3\n"
    "IcmpMsg: 2\n"
    "Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs "
    "OutSegs "
    "RetransSegs InErrs OutRsts InCsumErrors\n"
    "Tcp: 1 200 120000 -1 33308 1295 31901 0 0 123657 118928 41 0 31902 0\n"
    "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\n"
    "Udp: 255 0 3 257 2 1\n"
    "UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\n"
    "UdpLite: 0 0 99 0 99 99\n";
constexpr char kNetstat[] =
    "TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPLostRetransmit TCPTimeouts TCPBacklogDrop TCPSynRetrans "
    "TCPRcvQDrop\n"
    "TcpExt: 0 3 4 5 6 9 10 11\n"
    "IpExt: InNoRoutes InTruncatedPkts\n"
    "IpExt: 0 0\n";

TEST(NetworkCounters, AreFoundByTheirNamesInBothFiles) {
  EXPECT_THAT(network_counters(kSnmp, kNetstat), ElementsAre(118928, 41, 6, 5, 10, 4, 9, 11, 3, 2, 1, 7, 8));
}

TEST(NetworkCounters, WhatAKernelDoesNotHaveIsNoValue) {
  const NetworkCounters counters = network_counters("Tcp: OutSegs RetransSegs\nTcp: 5 1\n", "");
  EXPECT_EQ(counters[0], 5U);
  EXPECT_EQ(counters[1], 1U);
  for (std::size_t i = 2; i < counters.size(); ++i) EXPECT_EQ(counters[i], PL_NO_VALUE);
}

TEST(NetworkCounters, ALineThatIsCutOffGivesWhatIsWhole) {
  const NetworkCounters counters = network_counters("Tcp: OutSegs RetransSegs\nTcp: 5", "TcpExt: TCPTimeouts");
  EXPECT_EQ(counters[0], 5U);
  EXPECT_EQ(counters[1], PL_NO_VALUE);
  EXPECT_EQ(counters[2], PL_NO_VALUE);
}

TEST(NetworkCounters, ANegativeNumberOfAnotherColumnShiftsNothing) {  // MaxConn is -1
  EXPECT_EQ(network_counters("Tcp: MaxConn RetransSegs\nTcp: -1 7\n", "")[1], 7U);
}

std::map<std::string, std::vector<std::uint64_t>> interfaces(std::string_view text) {
  std::map<std::string, std::vector<std::uint64_t>> all;
  for_each_interface(text, [&](std::string_view name, const InterfaceCounters& counters) {
    all[std::string(name)] = {counters.begin(), counters.end()};
  });
  return all;
}

TEST(Interfaces, ReceivedAndSentComeFromTheirColumns) {
  EXPECT_THAT(
      interfaces("Inter-|   Receive                                                |  Transmit\n"
                 " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo "
                 "colls carrier compressed\n"
                 "    lo: 11424011  112743    0    0    0     0          0         0 11424011  112743    0    0    0   "
                 "  0       0          0\n"
                 "  eth0: 470640426   11185    1    2    3     4          5         6   504938    6463    7    8    9  "
                 "   0       0          0\n"),
      ElementsAre(Pair("eth0", ElementsAre(470640426, 11185, 1, 2, 504938, 6463, 7, 8)),
                  Pair("lo", ElementsAre(11424011, 112743, 0, 0, 11424011, 112743, 0, 0))));
}

TEST(Interfaces, OldKernelsPutNoSpaceBehindTheColonAndAliasesHaveOneInTheirName) {
  EXPECT_THAT(interfaces("  eth0:1:4294967295 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"),
              ElementsAre(Pair("eth0:1", ElementsAre(4294967295, 2, 3, 4, 9, 10, 11, 12))));
}

TEST(Interfaces, AnEmptyTextHasNone) { EXPECT_THAT(interfaces(""), IsEmpty()); }

std::map<std::string, std::vector<std::uint64_t>> disks(std::string_view text) {
  std::map<std::string, std::vector<std::uint64_t>> all;
  for_each_disk(text, [&](std::string_view name, const DiskCounters& counters) {
    all[std::string(name)] = {counters.begin(), counters.end()};
  });
  return all;
}

TEST(Disks, ReadsWritesAndBusyTimeComeFromTheirColumns) {
  EXPECT_THAT(
      disks(" 254       0 vda 336786 42349 22320314 498201 415953 78097 75079688 164566 0 95884 682847 93436 37 "
            "57124992 16123 97152 3956\n"),
      ElementsAre(Pair("vda", ElementsAre(336786, 22320314, 415953, 75079688, 95884))));
}

TEST(Disks, LinuxBefore2_6_25GavePartitionsFourNumbersOnly) {
  EXPECT_THAT(disks("   8    1 sda1 1 2 3 4\n"),
              ElementsAre(Pair("sda1", ElementsAre(1, 3, PL_NO_VALUE, PL_NO_VALUE, PL_NO_VALUE))));
}

TEST(Processors, StealIsTheEighthNumberOfAllProcessorsTogether) {
  EXPECT_EQ(steal("cpu  668064 31541 663135 942652 15041 0 8424 1892 0 0\ncpu0 1 2 3 4 5 6 7 8 9\n"), 1892U);
  EXPECT_EQ(steal("cpu  668064 31541 663135 942652\n"), std::nullopt);  // before Linux 2.6.11
  EXPECT_EQ(steal(""), std::nullopt);
}

TEST(Processors, RunDelayIsSummedOverThem) {
  EXPECT_EQ(run_delay_ns("version 15\ntimestamp 4295667295\n"
                         "cpu0 0 0 0 0 0 0 1166 200 3\n"
                         "domain0 00000003 1 2 3 4 5 6 7 8 9\n"
                         "cpu1 0 0 0 0 0 0 2166 300 3\n"),
            500U);
  EXPECT_EQ(run_delay_ns("version 15\n"), std::nullopt);
}

TEST(Memory, DirtyAndWritebackAreFoundByTheirNames) {
  EXPECT_THAT(memory_counters("MemTotal: 24 kB\nDirty:              6276 kB\nWriteback:             12 kB\n"
                              "WritebackTmp:          99 kB\n"),
              ElementsAre(6276, 12));
  EXPECT_THAT(memory_counters("MemTotal: 24 kB\n"), ElementsAre(PL_NO_VALUE, PL_NO_VALUE));
}

}  // namespace
}  // namespace plumbline::record
