// A receiver that copies the data of a rendezvous from the memory of the sender, which waits for that
// (docs/models/transport.md), on one node. A message takes 1 µs to send and 2 µs to receive; 100 kB take 100 µs in the
// memory that all share, and the receiver another 100 µs. Where both ranks are there at 0 the request is there at 1,
// the answer leaves at 4 and the data at 7; it has arrived at 107, and the receiver has copied it at 209.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::test {
namespace {

hw::Platform one_node(hw::SenderFree sender_free = hw::SenderFree::kCopied) {
  hw::Platform p = star(1);
  p.inside.sender_free = sender_free;
  p.inside.ranges.back().receive_rate = hw::Parameter<BytesPerSecond>{{1'000'000'000}, 0, ""};
  return p;
}

Program on_one_node(const std::string& of_first, const std::string& of_second) {
  return program_of("ranks 2\nrank 0\n" + of_first + "rank 1\n" + of_second);
}

struct BothEnds {
  Time first, second;
  bool operator==(const BothEnds&) const = default;
};

BothEnds both_ends(const Program& program, const hw::Platform& platform, Mode mode = Mode::kFree) {
  const ReplayResult r = run(program, platform, mode);
  return {r.times[0].back().end, r.times[1].back().end};
}

BothEnds us(std::int64_t first, std::int64_t second) {
  return {ns_after_begin(1000 * first), ns_after_begin(1000 * second)};
}

TEST(CopiedByTheReceiver, TheSenderIsFreeWhenTheReceiverIs) {
  const Program p = on_one_node(" send 1 tag 0 100kB\n", " recv 0 tag 0 100kB\n");
  EXPECT_EQ(both_ends(p, one_node(hw::SenderFree::kArrived)), us(107, 209));
  EXPECT_EQ(both_ends(p, one_node()), us(209, 209));
}

TEST(CopiedByTheReceiver, EagerMessagesAreAsEver) {
  const Program p = on_one_node(" send 1 tag 0 1kB\n", " recv 0 tag 0 1kB\n");
  EXPECT_EQ(both_ends(p, one_node()), us(1, 4));
}

// It takes the request at 500, and the data arrives at 606.
TEST(CopiedByTheReceiver, AReceiverThatComputesCopiesWhenItIsInMpiAgain) {
  const Program p = on_one_node(" send 1 tag 0 100kB\n", " irecv 0 tag 0 100kB -> a\n @500us wait a\n");
  EXPECT_EQ(both_ends(p, one_node()), us(708, 708));
}

// It takes the request at 2, which takes until 5, and computes for 498 us: the data arrives meanwhile.
TEST(CopiedByTheReceiver, DataThatArrivesMeanwhileWaitsForTheReceiver) {
  const Program p = on_one_node(" send 1 tag 0 100kB\n", " @2us irecv 0 tag 0 100kB -> a\n @500us wait a\n");
  EXPECT_EQ(both_ends(p, one_node()), us(605, 605));
}

// The memory carries the data of both, one behind the other: there at 107 and at 207. Each copies in its call, which
// lasts until its own data has been copied and it has copied the other's.
TEST(CopiedByTheReceiver, TwoThatSendToEachOtherCopyBothAtOnce) {
  const Program sendrecv =
      on_one_node(" sendrecv to 1 tag 0 100kB from 1 tag 0 100kB\n", " sendrecv to 0 tag 0 100kB from 0 tag 0 100kB\n");
  EXPECT_EQ(both_ends(sendrecv, one_node()), us(309, 309));
}

TEST(CopiedByTheReceiver, ARankThatSendsCopiesWhatItHasPostedInTheSameCall) {
  const std::string body = " irecv OTHER tag 0 100kB -> a\n send OTHER tag 0 100kB\n wait a\n";
  const auto with = [&](const std::string& other) {
    std::string text = body;
    for (std::size_t at; (at = text.find("OTHER")) != text.npos;) text.replace(at, 5, other);
    return text;
  };
  EXPECT_EQ(both_ends(on_one_node(with("1"), with("0")), one_node()), us(309, 309));
}

// Two senders, one receiver: it copies one behind the other, and each sender is free when its own data has been copied.
// The answer to the second one is in the memory behind the data of the first, so that its own data is there at 210.
TEST(CopiedByTheReceiver, OneReceiverCopiesOneMessageAfterTheOther) {
  const Program p = program_of(
      "ranks 3\nrank 0\n send 2 tag 0 100kB\nrank 1\n send 2 tag 0 100kB\n"
      "rank 2\n irecv 0 tag 0 100kB -> a\n irecv 1 tag 0 100kB -> b\n wait a b\n");
  const ReplayResult r = run(p, one_node());
  const Time all = r.times[2].back().end, first = std::min(r.times[0].back().end, r.times[1].back().end);
  EXPECT_EQ(std::max(r.times[0].back().end, r.times[1].back().end), all);
  EXPECT_EQ(first, ns_after_begin(209'000));
  EXPECT_EQ(all, ns_after_begin(312'000));
}

TEST(CopiedByTheReceiver, WhereInterfacesGoOnItChangesNothing) {
  const Program p = on_one_node(" send 1 tag 0 100kB\n", " recv 0 tag 0 100kB\n");
  hw::Platform arrived = one_node(hw::SenderFree::kArrived), copied = one_node();
  arrived.inside.progress = copied.inside.progress = hw::Progress::kHardware;
  EXPECT_EQ(both_ends(p, copied), both_ends(p, arrived));
}

TEST(CopiedByTheReceiver, WhatIsBufferedFreesTheSenderBefore) {
  hw::Platform p = one_node();
  p.inside.send_buffer.value = {1'000'000};
  EXPECT_EQ(both_ends(on_one_node(" send 1 tag 0 100kB\n", " recv 0 tag 0 100kB\n"), p), us(7, 209));
}

// Random exchanges end, and each byte of a rendezvous passes the memory and is copied before its sender is free.
TEST(CopiedByTheReceiver, RandomExchangesEndAndSendersWaitForTheCopy) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t ranks = 2 + below(5), steps = 1 + below(4);
    std::string text = "ranks " + std::to_string(ranks) + "\n";
    std::vector<std::uint32_t> distance(steps), size(steps);
    for (std::uint32_t s = 0; s < steps; ++s) {
      distance[s] = 1 + below(ranks - 1);
      size[s] = 500 + below(50'000);
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      text += "rank " + std::to_string(rank) + "\n";
      for (std::uint32_t s = 0; s < steps; ++s) {
        const std::string bytes = std::to_string(size[s]) + "B";
        text += " irecv " + std::to_string((rank + ranks - distance[s]) % ranks) + " tag " + std::to_string(s) + " " +
                bytes + " -> a\n @" + std::to_string(1000 * s + below(300)) + "us send " +
                std::to_string((rank + distance[s]) % ranks) + " tag " + std::to_string(s) + " " + bytes +
                "\n wait a\n";
      }
    }
    const ReplayResult r = run(program_of(text), one_node());
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      for (std::uint32_t s = 0; s < steps; ++s) {
        const Duration least = size[s] > 1000 ? nanoseconds(2 * size[s]) : Duration{};
        EXPECT_GE(duration(r.times[rank][3 * s + 1]), least) << text;
      }
  }
}

// Puts of osc/pt2pt are not answered. The first one is copied from 107 to 209, and another one begins meanwhile.
TEST(CopiedByTheReceiver, APutThatIsCopiedMeanwhileEndsItsOwnOriginsAlone) {
  const Program p = program_of(
      "ranks 3\nproperty library = \"Open MPI v4.1.4\"\nproperty mca:osc = pt2pt\nwindow 0 = comm 0 create\n"
      "rank 0\n put 0 1 100kB\n win_fence 0\nrank 1\n win_fence 0\n"
      "rank 2\n @150us put 0 1 100kB\n win_fence 0\n");
  const ReplayResult r = run(p, one_node());
  for (std::uint32_t rank = 0; rank < 3; ++rank) EXPECT_GT(r.times[rank].back().end, ns_after_begin(300'000));
}

}  // namespace
}  // namespace plumbline::replay::test
