// The parts of the network of packets, each by itself on a state made by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "hwmodels/network/packets/holds.hpp"
#include "hwmodels/network/packets/messages.hpp"
#include "hwmodels/network/packets/notes.hpp"
#include "hwmodels/network/packets/routes.hpp"
#include "hwmodels/network/packets/send_queues.hpp"
#include "hwmodels/network/packets/state.hpp"
#include "hwmodels/network/packets/users.hpp"

namespace plumbline::hw::packets {
namespace {

using ::testing::ElementsAre;

Time at_ns(std::int64_t n) { return Time{} + nanoseconds(n); }

// Interfaces 0, 1, 2 of nodes 0, 1, 2; a link, 3, that both routes share.
Topology two_senders() {
  const Component interface { {2'000'000'000}, {}, "interface" }, link{{1'000'000'000}, nanoseconds(100), "link"};
  return Topology({interface, interface, interface, link}, {{0, 2, {0, 3, 2}}, {1, 2, {1, 3, 2}}});
}

class PacketParts : public testing::Test {
 protected:
  Round now() { return {{}, 0, queue_}; }
  std::uint32_t send(std::uint32_t source, Bytes size, std::uint32_t sequence = 0) {
    return packets::send(state_, 100 + sequence, source, 2, size, source, sequence, {}, queue_, {});
  }

  Topology topology_ = two_senders();
  sim::EventQueue queue_;
  State state_{topology_, {{1'000}, {100}}, {}};
};

TEST_F(PacketParts, APairIsMadeOnceWithAPairQueueForEachComponent) {
  const std::uint32_t one = pair_between(state_, 0, 2), other = pair_between(state_, 1, 2);
  EXPECT_EQ(pair_between(state_, 0, 2), one);
  EXPECT_NE(one, other);
  EXPECT_EQ(state_.pairs[one].hops, 3U);
  EXPECT_THAT(state_.components, ElementsAre(0, 3, 2, 1, 3, 2));
  // The window: the latency behind the component and the service of a packet.
  EXPECT_EQ(state_.pair_queues[1].window, nanoseconds(100 + 1'000));
  EXPECT_TRUE(state_.pair_queues[0].first && state_.pair_queues[2].last);
}

TEST_F(PacketParts, TheFirstPacketOfAMessageCarriesTheHeaderAndTheLastOneTheRest) {
  const std::uint32_t message = send(0, {2'500});
  const std::uint32_t first = new_packet(state_, message), second = new_packet(state_, message),
                      third = new_packet(state_, message);
  EXPECT_EQ(state_.packets[first].size, Bytes{1'100});
  EXPECT_EQ(payload(state_, state_.packets[first]), Bytes{1'000});
  EXPECT_EQ(state_.packets[second].size, Bytes{1'000});
  EXPECT_EQ(state_.packets[third].size, Bytes{500});
  EXPECT_FALSE(state_.packets[second].last);
  EXPECT_TRUE(state_.packets[third].last);
}

TEST_F(PacketParts, APacketWaitsForAllOfItsPayload) {
  const std::uint32_t message = packets::send(state_, 7, 0, 2, {2'500}, 0, 0, {}, queue_, {.available = Bytes{999}});
  EXPECT_FALSE(next_is_available(state_, state_.messages[message]));
  provide(state_, message, {1}, {}, queue_);
  EXPECT_TRUE(next_is_available(state_, state_.messages[message]));
}

TEST_F(PacketParts, NotesComeByRankThenSequenceThenKind) {
  using Kind = Notification::Kind;
  Message late, early;
  late.id = late.source_rank = 1;
  early.sequence = 5;
  note(state_, Kind::kDelivered, late, {});
  note(state_, Kind::kDelivered, early, {});
  note(state_, Kind::kSent, early, {});
  std::vector<Notification> out;
  give_notes(state_, out);
  EXPECT_THAT(out, ElementsAre(Notification{Kind::kSent, 0, {}}, Notification{Kind::kDelivered, 0, {}},
                               Notification{Kind::kDelivered, 1, {}}));
  EXPECT_TRUE(state_.work.notes.empty());
}

TEST_F(PacketParts, AComponentIsLetGoWhenAllHaveLetGo) {
  hold_component(state_, 3, now());
  hold_component(state_, 3, now());
  EXPECT_FALSE(let_go(state_, 3));
  EXPECT_TRUE(let_go(state_, 3));
}

TEST_F(PacketParts, APairIsAloneFromBehindWhatOthersUse) {
  const std::uint32_t one = pair_between(state_, 0, 2), other = pair_between(state_, 1, 2);
  use_components(state_, one, now());
  find_alone(state_, state_.pairs[one]);
  EXPECT_EQ(state_.pairs[one].alone_from, 0U);
  use_components(state_, other, now());  // the target is shared
  find_alone(state_, state_.pairs[one]);
  EXPECT_EQ(state_.pairs[one].alone_from, 3U);
  stay_registered(state_, other);  // it has no message any more, and still counts
  find_alone(state_, state_.pairs[one]);
  EXPECT_EQ(state_.pairs[one].alone_from, 3U);
  unregister_idle(state_);
  find_alone(state_, state_.pairs[one]);
  EXPECT_EQ(state_.pairs[one].alone_from, 0U);
}

TEST_F(PacketParts, WhatIsHeldIsNotOnTheExpressPath) {
  const std::uint32_t one = pair_between(state_, 0, 2);
  use_components(state_, one, now());
  hold_component(state_, 3, now());
  EXPECT_EQ(state_.pairs[one].alone_from, 2U);  // behind the link
}

TEST(SendQueueTurns, LastForTheBytesOfTheQueueSinceOthersWait) {
  Topology topology = two_senders();
  Packets packets{{1'000}, {}};
  packets.send_queue.value = {3'000};
  State state(topology, packets, {});
  const std::uint32_t pair = pair_between(state, 0, 2), cable = state.pairs[pair].first + 1;
  ASSERT_TRUE(has_send_queues(state));
  ASSERT_TRUE(state.pair_queues[cable].queues);
  const auto serve = [&](std::int64_t from, bool others_wait) {
    count_turn(state, cable, {1'000}, {at_ns(from), at_ns(from + 1'000)}, others_wait);
  };
  serve(0, false);
  EXPECT_TRUE(keeps_turn(state, cable, at_ns(1'000)));
  serve(1'000, true);  // 2 of 3 packets
  EXPECT_TRUE(keeps_turn(state, cable, at_ns(2'000)));
  EXPECT_FALSE(keeps_turn(state, cable, at_ns(2'001))) << "it was idle meanwhile";
  serve(2'000, true);
  EXPECT_FALSE(keeps_turn(state, cable, at_ns(3'000))) << "the queue is empty";
}

}  // namespace
}  // namespace plumbline::hw::packets
