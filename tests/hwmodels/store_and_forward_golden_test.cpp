// Times of PIOsimHD, of which this network keeps the flow rule (Kunkel 2013, doi 10.1007/978-3-642-38750-0_14; figures
// of its simulator at revision 969d4e5, one rank per node). It truncates each service to nanoseconds where we round up
// to picoseconds, and adds 2 ns for each step of a protocol.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "network_world.hpp"

namespace plumbline::hw {
namespace {

const Component kInterface{{40 * kGiB}, {}, "interface"};
const Component kMemoryLink{{3'781 * kMiB}, nanoseconds(79), "memory link"};
const Component kSocket{{3'778 * kMiB}, {}, "socket"};
const Component kQpiLink{{3'427 * kMiB}, nanoseconds(38), "QPI link"};
const Component kQpi{{10'864 * kMiB}, {}, "QPI"};
const Component kEthernet{{75'392'614}, nanoseconds(19'982), "Ethernet"};
const Component kSwitch{{48'000'000'000}, {}, "switch"};

const std::vector<Component> kTwoNodes{kInterface, kMemoryLink, kSocket,  kQpiLink, kQpi,        kEthernet, kSwitch,
                                       kEthernet,  kQpi,        kQpiLink, kSocket,  kMemoryLink, kInterface};
const std::vector<Component> kTwoSockets{kInterface, kMemoryLink, kSocket,     kQpiLink,  kQpi,
                                         kQpiLink,   kSocket,     kMemoryLink, kInterface};

// Node 0 to node 1 through all components in order, and back through them in reverse.
Topology line(const std::vector<Component>& components) {
  Route there{0, 1, {}}, back{1, 0, {}};
  for (ComponentId id = 0; id < components.size(); ++id) {
    there.components.push_back(id);
    back.components.insert(back.components.begin(), id);
  }
  return Topology(components, {there, back});
}

constexpr std::uint64_t kEnvelope = 8;      // what MPI adds to a message in PIOsimHD
constexpr Duration kStep = nanoseconds(2);  // its shortest computation, once per step of a protocol
constexpr Duration kTolerance = nanoseconds(4);

void expect_near(Time time, std::int64_t golden_ns, const char* what, std::uint64_t size) {
  EXPECT_NEAR(static_cast<double>(time.ps), static_cast<double>(golden_ns) * 1e3, static_cast<double>(kTolerance.ps))
      << size << " B, " << what;
}

Time eager(const std::vector<Component>& components, std::uint64_t size) {
  NetworkWorld world(line(components));
  world.send({0, 0, 1, {size + kEnvelope}, Time{} + kStep});
  world.run();
  return world.delivered(0);
}

constexpr std::uint64_t kRequest = 8, kClear = 100;  // sizes of the request and of the clear-to-send

Time rendezvous(const std::vector<Component>& components, std::uint64_t size) {
  NetworkWorld world(line(components));
  world.send({0, 0, 1, {kRequest}, Time{} + kStep});
  world.run([&](std::uint32_t message, Time now) {
    if (message == 0) world.send({1, 1, 0, {kClear}, now + kStep});
    if (message == 1) world.send({2, 0, 1, {size + kEnvelope}, now + kStep});
  });
  return world.delivered(2);
}

// What PIOsimHD saves on one message by truncating each service to nanoseconds: the first packet up to the slowest
// component, all packets there, the last packet behind it.
Duration truncated(const std::vector<Component>& components, std::uint64_t size) {
  const Packets packets;
  const std::uint64_t full = packets.granularity.count;
  const std::uint64_t count = (size - 1) / full + 1;
  const Bytes first{std::min(size, full) + packets.header.count};
  const Bytes last = count == 1 ? first : Bytes{size - (count - 1) * full};
  const auto slower = [](const Component& a, const Component& b) { return a.rate < b.rate; };
  const auto slowest = std::min_element(components.begin(), components.end(), slower);
  const auto lost = [](Bytes bytes, const Component& c) {
    return picoseconds(transfer_time(bytes, c.rate).ps % 1'000);
  };
  Duration sum;
  for (auto component = components.begin(); component != components.end(); ++component)
    sum += lost(component <= slowest ? first : last, *component);
  if (count > 1) sum += lost({full}, *slowest) * static_cast<std::int64_t>(count - 2) + lost(last, *slowest);
  return sum;
}

struct Golden {
  std::uint64_t size;
  std::int64_t two_nodes_ns, two_sockets_ns;
};

TEST(StoreAndForwardGolden, EagerMessagesTakeTheTimesOfPiosimhd) {
  const std::vector<Golden> golden{
      {0, 41'559, 318}, {1, 41'585, 318}, {10'240, 331'720, 17'723}, {102'400, 2'943'002, 174'406}};
  for (const Golden& row : golden) {
    const std::uint64_t size = row.size;
    expect_near(eager(kTwoNodes, size) - truncated(kTwoNodes, size + kEnvelope), row.two_nodes_ns, "two nodes", size);
    expect_near(eager(kTwoSockets, size) - truncated(kTwoSockets, size + kEnvelope), row.two_sockets_ns, "sockets",
                size);
  }
}

TEST(StoreAndForwardGolden, RendezvousMessagesTakeTheTimesOfPiosimhd) {
  const std::vector<Golden> golden{
      {1'048'576, 15'509'199, 436'021}, {10'485'760, 140'697'678, 3'062'167}, {104'857'600, 1'392'490'810, 29'326'577}};
  const auto all_truncated = [](const std::vector<Component>& components, std::uint64_t size) {
    return truncated(components, kRequest) + truncated(components, kClear) + truncated(components, size + kEnvelope);
  };
  for (const Golden& row : golden) {
    const std::uint64_t size = row.size;
    expect_near(rendezvous(kTwoNodes, size) - all_truncated(kTwoNodes, size), row.two_nodes_ns, "two nodes", size);
    expect_near(rendezvous(kTwoSockets, size) - all_truncated(kTwoSockets, size), row.two_sockets_ns, "sockets", size);
  }
}

TEST(StoreAndForwardGolden, TheShippedWestmerePlatformHasThoseTimes) {
  const Platform platform = read_platform(PLUMBLINE_PLATFORMS "/westmere.xml");
  NetworkWorld world(Topology(platform), platform.packets);
  world.send({0, 0, 9, {10'240}, Time{} + kStep});
  world.run();
  EXPECT_EQ(world.topology().route(0, 9).size(), 13U);
  expect_near(world.delivered(0) - truncated(kTwoNodes, 10'240 + kEnvelope), 331'720, "Westmere", 10'240);
}

// 40,198 ns + z * 28.33664 ns/B, z = bytes + 48: the sum of latencies, and of 1/rate over the 13 components.
TEST(StoreAndForwardGolden, OnePacketOnAnIdleRouteTakesTheClosedForm) {
  for (const std::uint64_t size : {0U, 1U, 10'240U}) {
    NetworkWorld world(line(kTwoNodes));
    world.send({0, 0, 1, {size + kEnvelope}, Time{}});
    world.run();
    const double closed_ns = 40'198 + static_cast<double>(size + 48) * 28.33664;
    EXPECT_NEAR(static_cast<double>(world.delivered(0).ps) * 1e-3, closed_ns, 0.1) << size;
  }
}

// A by a fast link and B by a slow one share node N and the link to Y: the slow one is not slowed down, the fast one
// takes what is left. Eager limit above 100 MiB.
TEST(StoreAndForwardGolden, TwoFlowsToOneTargetEndWhenPiosimhdSays) {
  const Component interface { {100 * kGiB}, {}, "interface" };
  const Component fast{{100 * kMiB}, milliseconds(1), "fast link"};
  const Component slow{{70 * kMiB}, milliseconds(100), "slow link"};
  // 0 A, 1 B, 2 Y, 3 N, 4 A-N, 5 B-N, 6 N-Y
  Topology topology({interface, interface, interface, interface, fast, slow, fast},
                    {{0, 2, {0, 4, 3, 6, 2}}, {1, 2, {1, 5, 3, 6, 2}}});
  NetworkWorld world(std::move(topology));
  world.send({0, 0, 2, {100 * kMiB + kEnvelope}, Time{} + kStep});
  world.send({1, 1, 2, {100 * kMiB + kEnvelope}, Time{} + kStep});
  world.run();
  const Time end = std::max(world.delivered(0), world.delivered(1));
  EXPECT_NEAR(end.seconds(), 2.043828758, 2.043828758 * 1e-3);
}

}  // namespace
}  // namespace plumbline::hw
