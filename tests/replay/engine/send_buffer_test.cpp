// When a sender is free whose transport buffers (docs/models/send-buffer.md), on two nodes with one
// cable. Every message: 1 µs to send, 2 µs to receive, 3 µs of latency. A packet of 1 kB takes 0.25 µs in an interface
// and 1 µs in the cable, which adds 1 µs. The interface is one packet ahead of the cable: of data that enters the
// network at e, packet p from 1 on begins its service there at e + 0.25 + (p - 1).
// The data of a rendezvous whose both ends are there at 0 enters the network at 18: the request is there at 5, the
// answer leaves at 8 and is there at 12, the data leaves at 15. 100 kB have arrived at 18 + 101.5.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::test {
namespace {

hw::Platform buffering(std::uint64_t bytes) {
  hw::Platform p = one_cable();
  p.between.send_buffer.value = {bytes};
  return p;
}

Program one_message(const std::string& how = "100kB") {
  return two_ranks(" send 1 tag 0 " + how + "\n", " recv 0 tag 0 100kB\n");
}

struct Ends {
  Time send, receive;
  bool operator==(const Ends&) const = default;
};

Ends ends(const Program& program, const hw::Platform& platform) {
  const ReplayResult r = run(program, platform);
  return {r.times[0].back().end, r.times[1].back().end};
}

TEST(SendBuffer, WithoutOneTheSenderIsFreeWhenTheDataHasArrived) {
  EXPECT_EQ(ends(one_message(), buffering(0)), (Ends{ns_after_begin(119'500), ns_after_begin(121'500)}));
}

TEST(SendBuffer, TheSenderIsFreeWhenThePacketLeavesBehindWhichAllIsBuffered) {
  const Time received = ns_after_begin(121'500);
  // 60 of 100 packets leave, the last of them, packet 59, at 18 + 0.25 + 58.
  EXPECT_EQ(ends(one_message(), buffering(40'000)), (Ends{ns_after_begin(76'250), received}));
  EXPECT_EQ(ends(one_message(), buffering(40'999)), (Ends{ns_after_begin(76'250), received}));
  EXPECT_EQ(ends(one_message(), buffering(39'999)), (Ends{ns_after_begin(77'250), received}));
  // Of all but a byte the last packet must leave, 18 + 98.25.
  EXPECT_EQ(ends(one_message(), buffering(1)), (Ends{ns_after_begin(116'250), received}));
  EXPECT_EQ(ends(one_message(), buffering(99'000)), (Ends{ns_after_begin(18'000), received}));
}

TEST(SendBuffer, WhatFitsFreesItsSenderWhenItEntersTheNetwork) {
  for (const std::uint64_t bytes : {100'000U, 100'001U, 1'000'000U})
    EXPECT_EQ(ends(one_message(), buffering(bytes)), (Ends{ns_after_begin(18'000), ns_after_begin(121'500)}));
}

TEST(SendBuffer, ASenderWaitsForItsReceiverAllTheSame) {
  // The receiver comes at 100 and answers at 103, in the network at 106, there at 107; data leaves at 110.
  const Program late = two_ranks(" send 1 tag 0 100kB\n", " @100us recv 0 tag 0 100kB\n");
  EXPECT_EQ(ends(late, buffering(100'000)), (Ends{ns_after_begin(113'000), ns_after_begin(216'500)}));
}

TEST(SendBuffer, ASynchronousSendIsFreeWhenItIsMatchedAndBuffered) {
  // 500 B are otherwise eager. They take 0.125 + 0.5 + 1 + 0.125 us from 18 on.
  const Program synchronous = one_message("500B synchronous");
  EXPECT_EQ(ends(synchronous, buffering(0)).send, ns_after_begin(19'750));
  EXPECT_EQ(ends(synchronous, buffering(500)).send, ns_after_begin(18'000));
}

TEST(SendBuffer, ARequestIsCompleteWhenAsFarAsABlockingSend) {
  const Program program = two_ranks(" isend 1 tag 0 100kB -> a\n wait a\n", " recv 0 tag 0 100kB\n");
  EXPECT_EQ(ends(program, buffering(40'000)).send, ns_after_begin(76'250));
  // Where the interface sends by itself, the answer is there at 5 + 3 + 1 and the data in the network at 12.
  hw::Platform hardware = buffering(40'000);
  hardware.between.progress = hw::Progress::kHardware;
  EXPECT_EQ(ends(program, hardware).send, ns_after_begin(70'250));
}

TEST(SendBuffer, EagerMessagesHaveTheirSendAlone) {
  hw::Platform p = buffering(40'000);
  for (hw::MessageRange& range : p.between.ranges) range.protocol = hw::Protocol::kEager;
  EXPECT_EQ(ends(one_message(), p).send, ns_after_begin(1'000));
}

// The limit that docs/models/send-buffer.md states: only what has its turn on the connection is in the buffer.
TEST(SendBuffer, OnAConnectionTheNextMessageIsBufferedWhenTheOneBeforeHasBeenSent) {
  const Program program = two_ranks(" isend 1 tag 0 100kB -> a\n isend 1 tag 1 100kB -> b\n wait b\n",
                                    " irecv 0 tag 0 100kB -> a\n irecv 0 tag 1 100kB -> b\n wait a b\n");
  const auto second = [&](std::uint64_t bytes) {
    hw::Platform p = buffering(bytes);
    p.between.ordered = true;
    return ends(program, p).send;
  };
  // The first one enters at 18, its last packet begins at 116.25, and the second one enters. It is one stream of 200
  // packets: packet 159 begins at 18 + 0.25 + 158.
  EXPECT_EQ(second(40'000), ns_after_begin(176'250));
  EXPECT_EQ(second(100'000), ns_after_begin(116'250));
  EXPECT_EQ(second(200'000), ns_after_begin(116'250));
}

TEST(SendBuffer, InLogGPBytesLeaveOneGapAfterTheOther) {
  hw::Platform p = buffering(40'000);
  p.network = hw::NetworkKind::kLogGP;
  p.between.ranges.back().gap_rate = hw::Parameter<BytesPerSecond>{{1'000'000'000}, 0, ""};
  // Request there at 4, answered at 7, there at 10; the CPU of the sender is free of the data at 13, byte 60,000 has
  // left 59.999 us later, the last one arrives at 12 + 1 + 3 + 99.999.
  EXPECT_EQ(ends(one_message(), p), (Ends{ns_after_begin(72'999), ns_after_begin(117'999)}));
  p.between.send_buffer.value = {100'000};
  EXPECT_EQ(ends(one_message(), p), (Ends{ns_after_begin(13'000), ns_after_begin(117'999)}));
}

TEST(SendBuffer, OfAMeasuredTimeBytesLeaveEvenly) {
  hw::Platform p = buffering(40'000);
  p.network = hw::NetworkKind::kSampled;
  for (hw::Transport* transport : {&p.inside, &p.between})
    for (hw::MessageRange& range : transport->ranges)
      range.times = {{Bytes{100'000}, 1, 0, "", {{0, microseconds(100)}, {1, microseconds(100)}}}};
  // It arrives at 100 - 2; 60 % of its bytes have left at 58.8. The protocol takes no time.
  EXPECT_EQ(ends(one_message(), p), (Ends{ns_after_begin(58'800), ns_after_begin(100'000)}));
  p.between.send_buffer.value = {100'000};
  EXPECT_EQ(ends(one_message(), p), (Ends{ns_after_begin(1'000), ns_after_begin(100'000)}));
}

TEST(SendBuffer, TheLargerItIsTheSoonerASenderIsFreeAndTheDataArrivesAsEver) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  constexpr hw::NetworkKind kNetworks[] = {hw::NetworkKind::kStoreAndForward, hw::NetworkKind::kLogGP};
  for (int i = 0; i < 200; ++i) {
    const Program program = one_message(fmt::format("{}B", 1'001 + random() % 99'000));
    hw::Platform p = buffering(0);
    p.packets.granularity = Bytes{64 + random() % 20'000};
    p.network = kNetworks[i % 2];
    Ends before = ends(program, p);
    EXPECT_EQ(before.receive - before.send, microseconds(2));
    for (std::uint64_t bytes = 1 + random() % 100; bytes < 200'000; bytes *= 3) {
      p.between.send_buffer.value = {bytes};
      const Ends now = ends(program, p);
      EXPECT_LE(now.send, before.send) << bytes;
      EXPECT_EQ(now.receive, before.receive) << bytes;
      before = now;
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::test
