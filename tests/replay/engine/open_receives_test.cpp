// Receives that were posted and never seen to complete; numbers of support.hpp: 1 µs to send, 2 µs to receive, an empty
// message between nodes takes 3 + 2 µs, one of 1000 bytes 3 + 7 µs; above 1000 bytes by rendezvous.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "replay/mpi/matching/open_receives.hpp"
#include "sim/random.hpp"
#include "support.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::test {
namespace {

Time at_us(std::int64_t n) { return Time{} + microseconds(n); }

TEST(OpenReceives, AnswerARendezvousAsAnyOtherWould) {
  const auto end_of_send = [](const std::string& receive) {
    return run(program_of(one_rank_per_node(2, "rank 0\n send 1 tag 7 5000B\nrank 1\n @100us " + receive)), star(2))
        .times[0][0]
        .end;
  };
  const Time waited_for = end_of_send("irecv 0 tag 7 5000B -> a\n wait a\n");
  EXPECT_GT(waited_for, at_us(100));
  EXPECT_EQ(end_of_send("irecv 0 tag 7 5000B never-completed -> a\n"), waited_for);
  EXPECT_EQ(end_of_send("irecv none tag 0 9000B any-source any-tag never-completed -> a\n"), waited_for);
  EXPECT_EQ(end_of_send("irecv none tag 0 0B any-source any-tag never-completed any-comm -> a\n"), waited_for);
}

TEST(OpenReceives, TakeTheirTurnAmongThoseThatComplete) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 7 0B\n @50us send 1 tag 7 0B\n"
                                                 "rank 1\n irecv 0 tag 7 0B never-completed -> a\n recv 0 tag 7 0B\n"));
  EXPECT_EQ(run(p, star(2)).times[1][1].end, at_us(59)) << "the second message: 1 + 50 + 1 + 5 + 2";
}

// It was cancelled before: the only message goes to the receive behind it.
TEST(OpenReceives, LeaveToOthersWhatTheRecordGivesToOthers) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 7 0B\n"
                                                 "rank 1\n irecv 0 tag 7 0B never-completed -> a\n recv 0 tag 7 0B\n"));
  const ReplayResult r = run(p, star(2));
  EXPECT_EQ(r.times[1][1].end, at_us(8));
  EXPECT_EQ(r.unreceived, 0U);
  EXPECT_FALSE(OpenReceives(p).of(1, 0));
}

TEST(OpenReceives, OfAnySourceTakeWhatWasSentFirst) {
  const Program p =
      program_of(one_rank_per_node(3,
                                   "rank 0\n @20us send 2 tag 7 0B\nrank 1\n @10us send 2 tag 8 0B\n"
                                   "rank 2\n irecv none tag 0 0B any-source any-tag never-completed -> a\n"
                                   " irecv none tag 7 0B any-source never-completed -> b\n"));
  const OpenReceives open(p);
  ASSERT_TRUE(open.of(2, 0) && open.of(2, 1));
  EXPECT_EQ(open.of(2, 0)->channel.source, 1U);
  EXPECT_EQ(open.of(2, 1)->channel.source, 0U);
}

TEST(OpenReceives, NobodySendsToWaitForEver) {
  const Program p = program_of(
      one_rank_per_node(2, "rank 0\n barrier 0B\nrank 1\n irecv 0 tag 7 9000B never-completed -> a\n barrier 0B\n"));
  EXPECT_EQ(run(p, star(2)).unreceived, 0U);
}

struct Message {
  std::uint32_t from, to, tag, bytes;
  bool synchronous;
};

// All receives are posted before anything is sent, so that the program cannot hang. `given_away(i)`: nobody waits for
// the i-th message; of those every second is received from any source.
template <class GivenAway>
std::string exchange(std::uint32_t ranks, const std::vector<Message>& messages, GivenAway given_away) {
  std::string text = one_rank_per_node(ranks, "");
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::string posts, sends, waits = " wait";
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Message& message = messages[i];
      const std::string request = fmt::format(" -> m{}\n", i);
      if (message.to == rank && !given_away(i)) {
        posts += fmt::format(" irecv {} tag {} {}B", message.from, message.tag, message.bytes) + request;
        waits += fmt::format(" m{}", i);
      } else if (message.to == rank) {
        posts += i % 2 == 0 ? fmt::format(" irecv {} tag {} 9000B never-completed", message.from, message.tag) + request
                            : fmt::format(" irecv none tag {} 9000B any-source never-completed", message.tag) + request;
      }
      if (message.from == rank)
        sends += fmt::format(" send {} tag {} {}B{}\n", message.to, message.tag, message.bytes,
                             message.synchronous ? " synchronous" : "");
    }
    text += fmt::format("rank {}\n", rank) + posts + sends + waits + "\n";
  }
  return text;
}

TEST(OpenReceivesProperty, AProgramThatEndsEndsAsWellWithRequestsGivenAway) {
  const std::uint64_t first = plumbline::test::random_seed() % 1000000;
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    SCOPED_TRACE(fmt::format("PLUMBLINE_SEED={}", seed));
    sim::RandomStream random(seed, "given away");
    const auto ranks = 2 + static_cast<std::uint32_t>(random.below(4));
    std::vector<Message> messages(1 + random.below(20));
    std::vector<bool> given(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
      messages[i] = {below(ranks), below(ranks), below(3), below(2) ? 5000 : below(1001), below(3) == 0};
      given[i] = below(2) != 0;
    }
    const std::string waited_for = exchange(ranks, messages, [](std::size_t) { return false; });
    const std::string given_away = exchange(ranks, messages, [&](std::size_t i) { return given[i]; });
    if (!stuck_text(program_of(waited_for), star(ranks)).empty()) continue;  // a rank that sends to itself first
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      const ReplayResult r = run(program_of(given_away), star(ranks), mode);
      EXPECT_EQ(r.unreceived, 0U) << given_away;
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::test
