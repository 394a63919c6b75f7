#include <gtest/gtest.h>

#include <string>

#include "tests/replay/validate/witness_case.hpp"

namespace plumbline::replay::validate::test {
namespace {

TEST(WitnessOfNetworks, SegmentsSentAgainCountFromOneInTenThousandOn) {
  EXPECT_EQ(ids(seen_of({}, {{"tcp.RetransSegs", 9}, {"tcp.OutSegs", 100000}})), "");
  EXPECT_EQ(ids(seen_of({}, {{"tcp.RetransSegs", 2}, {"tcp.OutSegs", 100}})), "");
  const auto seen = seen_of({}, {{"tcp.RetransSegs", 11}, {"tcp.OutSegs", 100000}, {"tcp.TCPTimeouts", 2}});
  ASSERT_EQ(ids(seen), "net.retransmits");
  EXPECT_EQ(row(seen[0], "tcp.TCPTimeouts"), "2");
  EXPECT_EQ(row(seen[0], "tcp.OutSegs"), "100000");
}

TEST(WitnessOfNetworks, PacketsThatWereTooLargeForThePathAreSeen) {
  EXPECT_EQ(ids(seen_of({}, {{"tcp.TCPMTUPFail", 2}})), "net.mtu.uniform");
}

TEST(WitnessOfNetworks, ErrorsOfAnInterfaceAndOfAPortAreSeen) {
  const Values names = {{"net.eth0.100.mtu_bytes", "1500"}, {"rdma.mlx5_0:1.state", "ACTIVE"}};
  const auto seen = seen_of(names, {{"net.eth0.100.rx_crc_errors", 41}, {"rdma.mlx5_0:1.symbol_error", 12}});
  ASSERT_EQ(ids(seen), "net.errors net.errors");
  EXPECT_EQ(seen[0].component, "eth0.100");
  EXPECT_EQ(row(seen[0], "net.eth0.100.rx_crc_errors"), "41");
  EXPECT_EQ(seen[1].component, "mlx5_0:1");
  EXPECT_EQ(ids(seen_of(names, {{"net.eth0.100.tx_dropped", 50}, {"net.eth0.100.tx_packets", 1000}})), "net.errors");
  EXPECT_EQ(ids(seen_of(names, {{"rdma.mlx5_0:1.port_xmit_wait", 5000}})), "");
}

TEST(WitnessOfNetworks, InterruptsOnOneProcessorCountWhereThereAreSeveralQueues) {
  const Growth growth = {{"interrupts.eth0.cpu0", 9500}, {"interrupts.eth0.cpu1", 500}};
  const auto seen = seen_of({{"net.eth0.rx_queues", "8"}}, growth);
  ASSERT_EQ(ids(seen), "net.irq-one-core");
  EXPECT_EQ(row(seen[0], "interrupts.eth0.cpu0"), "9500");
  EXPECT_EQ(ids(seen_of({{"net.eth0.rx_queues", "1"}}, growth)), "");
  EXPECT_EQ(
      ids(seen_of({{"net.eth0.rx_queues", "8"}}, {{"interrupts.eth0.cpu0", 6000}, {"interrupts.eth0.cpu1", 4000}})),
      "");
  EXPECT_EQ(ids(seen_of({{"net.eth0.rx_queues", "8"}}, {{"interrupts.eth0.cpu0", 20}, {"interrupts.eth0.cpu1", 0}})),
            "");
}

TEST(WitnessOfNetworks, FewerOrSlowerLanesAreSeen) {
  const auto of = [](const char* width, const char* speed) {
    return ids(seen_of({{"rdma.mlx5_0.pcie_width", width},
                        {"rdma.mlx5_0.pcie_width_max", "16"},
                        {"rdma.mlx5_0.pcie_speed_gts", speed},
                        {"rdma.mlx5_0.pcie_speed_max_gts", "16.0"}}));
  };
  EXPECT_EQ(of("16", "16.0"), "");
  EXPECT_EQ(of("8", "16.0"), "net.pcie-width");
  EXPECT_EQ(of("16", "8.0"), "net.pcie-width");
}

TEST(WitnessOfNetworks, InterruptsThatAreHeldBackWhateverTheLoadAreSeen) {
  const auto of = [](const char* delay, const char* adaptive) {
    return ids(seen_of({{"net.eth0.coalesce_rx_us", delay}, {"net.eth0.coalesce_rx_adaptive", adaptive}}));
  };
  EXPECT_EQ(of("3", "0"), "");
  EXPECT_EQ(of("250", "1"), "");
  EXPECT_EQ(of("250", "0"), "net.coalescing");
}

TEST(WitnessOfNetworks, SmallBuffersAndOtherRulesOfTcpAreSeen) {
  EXPECT_EQ(ids(seen_of({{"sysctl.net.ipv4.tcp_rmem", "4096 16384 65536"}})), "net.congestion-control");
  EXPECT_EQ(ids(seen_of({{"sysctl.net.ipv4.tcp_congestion_control", "vegas"}})), "net.congestion-control");
  EXPECT_EQ(ids(seen_of({{"sysctl.net.ipv4.tcp_sack", "0"}})), "net.congestion-control");
  EXPECT_EQ(ids(seen_of({}, {{"tcp.PruneCalled", 4}})), "net.congestion-control");
}

}  // namespace
}  // namespace plumbline::replay::validate::test
