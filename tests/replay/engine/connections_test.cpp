// Ordered connections and who takes a request when (docs/models/serialised-rendezvous.md), on two nodes
// with one cable. Every message: 1 µs to send, 2 µs to receive, 3 µs of latency. A packet of 1 kB takes 0.25 µs in an
// interface and 1 µs in the cable, which adds 1 µs. So a message of the protocol is there 1 µs after it has entered the
// network; 100 kB need 0.25 + 100 · 1 + 1 + 0.25 = 101.5 µs, and their last packet begins its service in the first
// interface 98.25 µs after the first one (the interface is one packet ahead of the cable).

#include <gtest/gtest.h>

#include <string>

#include "support.hpp"

namespace plumbline::replay::test {
namespace {

hw::Platform two_nodes(bool ordered) {
  hw::Platform p = one_cable();
  p.between.ordered = ordered;
  return p;
}

const std::string kExchange0 = " sendrecv to 1 tag 0 100kB from 1 tag 0 100kB\n";
const std::string kExchange1 = " sendrecv to 0 tag 0 100kB from 0 tag 0 100kB\n";

// Rank 0 asks at 1 µs; rank 1 comes at 100 µs, from outside of MPI, or from a call in which it took the request.
Program comes_later() { return two_ranks(kExchange0, "@100us" + kExchange1); }
Program has_taken_the_request() { return two_ranks(kExchange0, " @90us local MPI_Iprobe +10us\n" + kExchange1); }

TEST(OrderedConnections, WhereNoRequestIsTakenYetTransfersOverlap) {
  const ReplayResult r = run(comes_later(), two_nodes(true));
  // 100: rank 1 posts its receive and asks: busy until 101, in the network at 104, there at 105. Then it looks, takes
  // the request of rank 0 (103) and answers (104): in the network at 107, there at 108.
  // 105: rank 0 takes the request (107) and answers (108): in the network at 111, there at 112.
  // 108: rank 0 takes the answer (110) and sends (111): in the network at 114.
  // 112: rank 1 takes the answer (114) and sends (115): in the network at 118, there at 219.5; 2 us to receive.
  EXPECT_EQ(r.times[1][0].end, ns_after_begin(219'500));  // it was sent
  EXPECT_EQ(r.times[0][0].end, ns_after_begin(221'500));
}

TEST(OrderedConnections, WhereARequestIsTakenTheAnswerToOnesOwnWaitsBehindTheData) {
  const ReplayResult r = run(has_taken_the_request(), two_nodes(true));
  // 100: rank 1 posts its receive, which matches; it answers (102, 103): in the network at 106, there at 107; then asks
  // (104): in the network at 107, there at 108.
  // 107: rank 0 takes the answer (109) and sends (110): in the network at 113, its last packet at 211.25, all there at
  // 214.5. 108: it takes the request (112) and answers (113), ready at 116, but behind the data: at 211.25, and with
  // the last packet there at 214.5. 214.5: rank 1 receives (216.5), takes the answer (218.5) and sends (219.5): in the
  // network at 222.5, there at 324.
  EXPECT_EQ(r.times[1][1].end, ns_after_begin(324'000));
  EXPECT_EQ(r.times[0][0].end, ns_after_begin(326'000));
}

TEST(OrderedConnections, WithoutAnOrderAnAnswerPassesTheData) {
  const ReplayResult r = run(has_taken_the_request(), two_nodes(false));
  // The answer of rank 0, ready at 116, is one more packet among those of the data: rank 1 sends long before 214.5.
  EXPECT_LT(r.times[0][0].end, ns_after_begin(230'000));
}

TEST(OrderedConnections, AnExchangeAfterABarrierOverlaps) {
  const ReplayResult r = run(two_ranks(" barrier\n" + kExchange0, " @10us barrier\n" + kExchange1), two_nodes(true));
  // Rank 1 leaves the barrier at 13, rank 0, whom its message reaches at 11 + 3 + 1, at 17. The request of rank 1 (14,
  // 17) is there at 18, when rank 0 has posted its receive (17) and asked (18; there at 22). So rank 0 answers at 18 +
  // 3, there at 25; rank 1 answers at 22 + 3, there at 29. Rank 1 sends at 25 + 3 = 28, rank 0 at 29 + 3 = 32, in the
  // network at 35: there at 136.5.
  EXPECT_EQ(r.times[0][0].end, ns_after_begin(17'000));
  EXPECT_EQ(r.times[1][0].end, ns_after_begin(13'000));
  EXPECT_EQ(r.times[1][1].end, ns_after_begin(138'500));
}

TEST(OrderedConnections, WhatOneRankSendsToAnotherStaysInOrder) {
  // Between 100 kB and the next one lies the whole of it: the empty message, ready at 1 + 1 + 3, enters at 4 + 98.25.
  hw::Platform p = two_nodes(true);
  for (hw::MessageRange& range : p.between.ranges) range.protocol = hw::Protocol::kEager;
  const Program program =
      two_ranks(" send 1 tag 0 100kB\n send 1 tag 1 0B\n", " recv 0 tag 1 0B\n recv 0 tag 0 100kB\n");
  EXPECT_EQ(run(program, p).times[1][0].end, ns_after_begin(4'000 + 101'500 + 2'000));
  p.between.ordered = false;
  EXPECT_LT(run(program, p).times[1][0].end, ns_after_begin(12'000));
}

TEST(OrderedConnections, RunningAheadChangesNothing) {
  for (Program (*make)() : {&comes_later, &has_taken_the_request}) {
    const Program program = make();
    ReplayOptions options{.mode = Mode::kFree};
    const ReplayResult ahead = replay::replay(program, two_nodes(true), options);
    options.run_ahead = false;
    const ReplayResult with_events = replay::replay(program, two_nodes(true), options);
    for (std::uint32_t rank = 0; rank < 2; ++rank)
      EXPECT_EQ(ahead.times[rank].back().end, with_events.times[rank].back().end);
  }
}

}  // namespace
}  // namespace plumbline::replay::test
