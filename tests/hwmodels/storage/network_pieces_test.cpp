// What file servers need of the network: packets told one by one, a response that comes in pieces, an interface that is
// held.

#include <gtest/gtest.h>

#include <vector>

#include "hwmodels/network/packets/store_and_forward.hpp"

namespace plumbline::hw {
namespace {

// 0 source, 1 target; each serves 1 byte in 1 ns. Packets of 100 B with a header of 10 B.
class Pieces : public testing::Test {
 protected:
  Pieces()
      : topology_({{{1'000'000'000}, {}, "source"}, {{1'000'000'000}, {}, "target"}}, {{0, 1, {0, 1}}, {1, 0, {1, 0}}}),
        network_(topology_, {{100}, {10}}) {}

  struct Note {
    Notification::Kind kind;
    std::uint64_t bytes;
    Time at;
    bool operator==(const Note&) const = default;
  };

  // Until nothing moves, or something was told.
  std::vector<Note> step() {
    std::vector<Notification> out;
    std::vector<Note> notes;
    while (notes.empty() && !queue_.empty()) {
      const sim::Event event = queue_.pop();
      out.clear();
      network_.handle(event, queue_, out);
      for (const Notification& note : out) notes.push_back({note.kind, note.bytes.count, event.at});
    }
    return notes;
  }
  std::vector<Note> all() {
    std::vector<Note> notes;
    for (std::vector<Note> some = step(); !some.empty(); some = step())
      notes.insert(notes.end(), some.begin(), some.end());
    return notes;
  }
  static Time ns(std::int64_t n) { return Time{} + nanoseconds(n); }

  using Kind = Notification::Kind;
  Topology topology_;
  StoreAndForward network_;
  sim::EventQueue queue_;
};

TEST_F(Pieces, EachPacketIsToldWhenItBeginsServiceAndWhenItIsDelivered) {
  network_.send(0, 0, 1, {150}, 0, 0, Time{}, queue_, {true, std::nullopt});
  const std::vector<Note> expected{
      {Kind::kPacketTaken, 100, ns(0)},       {Kind::kPacketTaken, 50, ns(110)},     {Kind::kSent, 0, ns(110)},
      {Kind::kPacketDelivered, 100, ns(220)}, {Kind::kPacketDelivered, 50, ns(270)}, {Kind::kDelivered, 0, ns(270)}};
  EXPECT_EQ(all(), expected);
}

TEST_F(Pieces, APacketIsMadeWhenItIsFullOrAllThatIsLeft) {
  const StoreAndForward::Handle message = network_.send(0, 0, 1, {150}, 0, 0, Time{}, queue_, {true, Bytes{}});
  EXPECT_EQ(all(), std::vector<Note>{});
  network_.provide(message, {99}, ns(1'000), queue_);
  EXPECT_EQ(all(), std::vector<Note>{});
  network_.provide(message, {11}, ns(2'000), queue_);
  const std::vector<Note> first{{Kind::kPacketTaken, 100, ns(2'000)}, {Kind::kPacketDelivered, 100, ns(2'220)}};
  EXPECT_EQ(all(), first);
  network_.provide(message, {40}, ns(3'000), queue_);
  const std::vector<Note> second{{Kind::kPacketTaken, 50, ns(3'000)},
                                 {Kind::kSent, 0, ns(3'000)},
                                 {Kind::kPacketDelivered, 50, ns(3'100)},
                                 {Kind::kDelivered, 0, ns(3'100)}};
  EXPECT_EQ(all(), second);
}

// Whoever refuses a packet when it is told of it must not be given another one.
TEST_F(Pieces, AnInterfaceThatIsHeldOnDeliveryBeginsNoOtherServiceUntilItIsResumed) {
  network_.send(0, 0, 1, {300}, 0, 0, Time{}, queue_, {true, std::nullopt});
  std::vector<Note> notes = step();
  while (notes.front().kind != Kind::kPacketDelivered) notes = step();
  EXPECT_EQ(notes.front().at, ns(220));
  network_.hold(1);
  network_.send(1, 1, 0, {0}, 1, 0, ns(220), queue_);  // not sent either
  for (const Note& note : all())
    EXPECT_TRUE(note.kind != Kind::kPacketDelivered && note.kind != Kind::kDelivered) << note.at.ps;
  EXPECT_EQ(network_.messages_under_way(), 2U);
  network_.resume(1, ns(5'000), queue_);
  bool delivered = false;
  for (const Note& note : all()) {
    EXPECT_GE(note.at, ns(5'000));
    delivered = delivered || note.kind == Kind::kPacketDelivered;
  }
  EXPECT_TRUE(delivered);
  EXPECT_EQ(network_.messages_under_way(), 0U);
}

}  // namespace
}  // namespace plumbline::hw
