#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/node/facts.hpp"

namespace plumbline::node {
namespace {

using testing::ElementsAre;
using testing::Pair;

Facts facts_of(const std::map<std::string, std::string>& values) {
  Facts facts;
  for (const auto& [name, value] : values) facts.facts[name] = {value, "/sys/somewhere"};
  return facts;
}

std::vector<std::string> names_of(const std::vector<Facts>& facts) {
  std::vector<std::string> nodes, names;
  for (std::size_t i = 0; i < facts.size(); ++i) nodes.push_back("n" + std::to_string(i));
  for (const Difference& difference : differences(nodes, facts)) names.push_back(difference.name);
  return names;
}

TEST(Differences, NameTheNodesOfEachValueAndThoseWithoutOne) {
  const auto all = differences(
      {"n0", "n1", "n2"}, {facts_of({{"memory.thp", "always"}}), facts_of({{"memory.thp", "never"}}), facts_of({})});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "memory.thp");
  EXPECT_THAT(all[0].nodes_of, ElementsAre(Pair("", ElementsAre("n2")), Pair("always", ElementsAre("n0")),
                                           Pair("never", ElementsAre("n1"))));
}

TEST(Differences, LeaveOutWhatNoTwoNodesShare) {
  EXPECT_THAT(names_of({facts_of({{"kernel.host", "a"}, {"kernel.boot_id", "1"}, {"cpu.current_most_mhz", "3000"}}),
                        facts_of({{"kernel.host", "b"}, {"kernel.boot_id", "2"}, {"cpu.current_most_mhz", "1000"}})}),
              ElementsAre());
}

TEST(Differences, OfSizesCountAboveOnePerCent) {
  EXPECT_THAT(names_of({facts_of({{"memory.bytes", "1000000"}}), facts_of({{"memory.bytes", "1009000"}})}),
              ElementsAre());
  EXPECT_THAT(names_of({facts_of({{"memory.bytes", "1000000"}}), facts_of({{"memory.bytes", "1020000"}})}),
              ElementsAre("memory.bytes"));
  EXPECT_THAT(names_of({facts_of({{"memory.bytes", "1000000"}}), facts_of({})}), ElementsAre("memory.bytes"));
}

TEST(Differences, OfAVirtualInterfaceThatOnlyOneNodeHasAreNone) {
  EXPECT_THAT(names_of({facts_of({{"net.veth12.mtu_bytes", "1500"}}), facts_of({})}), ElementsAre());
  EXPECT_THAT(names_of({facts_of({{"net.eth0.mtu_bytes", "1500"}, {"net.eth0.driver", "igb"}}), facts_of({})}),
              ElementsAre("net.eth0.driver", "net.eth0.mtu_bytes"));
  EXPECT_THAT(names_of({facts_of({{"net.bond0.mtu_bytes", "1500"}}), facts_of({{"net.bond0.mtu_bytes", "9000"}})}),
              ElementsAre("net.bond0.mtu_bytes"));
}

}  // namespace
}  // namespace plumbline::node
