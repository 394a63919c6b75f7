// Pairs that remain users of their components between messages (docs/internals/store-and-forward.md): when they are in
// nobody's way.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "hwmodels/network/packets/store_and_forward.hpp"

namespace plumbline::hw {
namespace {

constexpr Packets kPackets{Bytes{4096}, Bytes{40}};
constexpr Bytes kShort{3 * 4096}, kLong{100 * 4096};

// Nodes 0 and 1 send to node 2 over one cable.
Topology two_to_one() {
  const BytesPerSecond rate{1'000'000'000};
  return Topology({{rate, {}, "n0"}, {rate, {}, "n1"}, {rate, nanoseconds(500), "cable"}, {rate, {}, "n2"}},
                  {{0, 2, {0, 2, 3}}, {1, 2, {1, 2, 3}}});
}

struct Before {
  bool used = false;    // both pairs have sent, together
  bool others = false;  // messages are under way that begin later
};

// The rounds that a message from node 1 takes.
std::uint32_t rounds_of(Bytes size, Before before) {
  Topology topology = two_to_one();
  StoreAndForward network(topology, kPackets);
  sim::EventQueue queue;
  std::vector<Notification> out;
  std::uint32_t rounds = 0, sequence = 0;
  const auto run_until_delivered = [&](std::uint32_t message) {
    for (rounds = 0; !queue.empty(); ++rounds) {
      out.clear();
      network.handle(queue.pop(), queue, out);
      for (const Notification& each : out)
        if (each.message == message && each.kind == Notification::Kind::kDelivered) return;
    }
  };
  if (before.used) {
    network.send(0, 0, 2, kShort, 0, sequence++, Time{}, queue);
    network.send(1, 1, 2, kShort, 1, sequence++, Time{}, queue);
    run_until_delivered(~0U);
  }
  const Time begin = Time{} + milliseconds(1);
  for (std::uint32_t i = 0; before.others && i < 8; ++i)
    network.send(2 + i, 0, 2, kShort, 0, sequence++, begin + seconds(1), queue);
  network.send(100, 1, 2, size, 1, sequence, begin, queue);
  run_until_delivered(100);
  return rounds;
}

TEST(RegisteredPairs, AreInTheWayOfNoMessageThatIsAlone) {
  EXPECT_EQ(rounds_of(kShort, {.used = true}), rounds_of(kShort, {}));
}

TEST(RegisteredPairs, AreInTheWayOfNoLongMessage) {
  EXPECT_EQ(rounds_of(kLong, {.used = true, .others = true}), rounds_of(kLong, {.others = true}));
}

TEST(RegisteredPairs, MayKeepAShortMessageAmongOthersOffTheExpressPath) {
  EXPECT_GT(rounds_of(kShort, {.used = true, .others = true}), rounds_of(kShort, {.others = true}));
}

}  // namespace
}  // namespace plumbline::hw
