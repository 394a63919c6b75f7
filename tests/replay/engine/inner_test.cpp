#include <gtest/gtest.h>

#include <string>

#include "support.hpp"

// Operations that are run by what was recorded inside of them, and those that cannot be. On the star a message of up to
// 1000 bytes costs 1 us to send and 2 us to receive; its way is 3 us + 2 us of cables + 5 times its bytes at 1 GB/s.

namespace plumbline::replay::test {
namespace {

Time us(std::int64_t n) { return Time{} + microseconds(n); }

// Rank 0 sends 1000 bytes to rank 1 inside of a broadcast.
std::string bcast(const std::string& inside_0, const std::string& inside_1) {
  return one_rank_per_node(
      2, "rank 0\n bcast root 0 1000B +90us\n" + inside_0 + "rank 1\n bcast root 0 1000B +90us\n" + inside_1);
}

constexpr char kSent[] = "  inner send 1 tag 3 1000B -> a\n  inner done a @1us\n";
constexpr char kReceived[] = "  inner recv 0 tag 3 1000B -> a\n  inner done a @90us\n";

ReplayResult as_run(const std::string& text) { return run(program_of(text), star(2), Mode::kAnchored, Form::kAsRun); }

TEST(InnerStream, OfACollectiveStandsForIt) {
  const ReplayResult r = as_run(bcast(kSent, kReceived));
  // Sent at 1 us, then at most 3 us + 1 us (1000 bytes at 1 GB/s in memory) of the 89 us to the end. There at 1 + 10
  // us.
  EXPECT_EQ(r.times[0][0].end, us(5));
  EXPECT_EQ(r.times[1][0].end, us(13));
  EXPECT_EQ(r.by_inner, (std::vector<std::vector<std::uint32_t>>{{0}, {0}}));
  EXPECT_TRUE(r.inner_faults.empty());
  EXPECT_EQ(r.messages, 1U);
}

TEST(InnerStream, IsIgnoredByTheIdealReplay) {
  const Program with = program_of(bcast(kSent, kReceived)), without = program_of(bcast("", ""));
  EXPECT_EQ(run(with, star(2)).times[1][0].end, run(without, star(2)).times[1][0].end);
}

struct Damage {
  std::string name, inside_0, inside_1, reason;
  std::uint64_t operations = 2;
};

class InnerDamage : public testing::TestWithParam<Damage> {};

TEST_P(InnerDamage, LeavesTheCallOnAllItsRanksToTheSchedule) {
  const ReplayResult r = as_run(bcast(GetParam().inside_0, GetParam().inside_1));
  ASSERT_EQ(r.inner_faults.size(), 1U);
  EXPECT_EQ(r.inner_faults[0].reason, GetParam().reason);
  EXPECT_EQ(r.inner_faults[0].operations, GetParam().operations);
  EXPECT_EQ(r.by_inner, (std::vector<std::vector<std::uint32_t>>{{}, {}}));
  EXPECT_EQ(r.unreceived, 0U);
  const ReplayResult schedule = run(program_of(bcast("", "")), star(2), Mode::kAnchored, Form::kAsConfigured);
  for (std::uint32_t rank : {0U, 1U}) EXPECT_EQ(r.times[rank][0].end, schedule.times[rank][0].end);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, InnerDamage,
    testing::Values(Damage{"receive_without_completion", kSent, "  inner recv 0 tag 3 1000B -> a\n",
                           "a message inside was never seen to complete"},
                    Damage{"unknown_peer", kSent, "  inner recv none tag 3 1000B -> a\n  inner done a\n",
                           "the other end of a message inside is not known"},
                    Damage{"peer_beyond_the_world", "  inner send 7 tag 3 1000B -> a\n  inner done a\n", kReceived,
                           "the other end of a message inside is not known"},
                    Damage{"context_of_one_rank", kSent, "  inner recv 0 tag 3 1000B context 9 -> a\n  inner done a\n",
                           "a message inside has no other end in the calls that are run"},
                    Damage{"one_rank_without", kSent, "", "a rank of the call has no messages inside", 1},
                    Damage{"failed", "  inner send 1 tag 3 1000B failed -> a\n  inner done a\n", kReceived,
                           "a message inside was cancelled or failed"},
                    Damage{"unknown_size", "  inner send 1 tag 3 0B unknown-bytes -> a\n  inner done a\n", kReceived,
                           "the size of a message inside is not known"},
                    Damage{
                        "waits_for_each_other",
                        "  inner recv 1 tag 3 8B -> a\n  inner done a\n  inner send 1 tag 3 8B -> b\n  inner done b\n",
                        "  inner recv 0 tag 3 8B -> a\n  inner done a\n  inner send 0 tag 3 8B -> b\n  inner done b\n",
                        "the messages inside wait for each other in the model"}),
    [](const auto& damage) { return damage.param.name; });

TEST(InnerStream, ACallWithoutMessagesOnOneRankIsLeftToTheSchedule) {
  // Ranks 0 and 1 have all their messages, but rank 2 took part in a way that nobody recorded.
  const Program p = program_of(one_rank_per_node(
      3,
      "rank 0\n barrier\n  inner send 1 tag 0 0B -> a\n  inner done a\nrank 1\n barrier\n  inner recv 0 tag 0 0B -> a\n"
      "  inner done a\nrank 2\n barrier\n"));
  const ReplayResult r = run(p, star(3), Mode::kAnchored, Form::kAsRun);
  ASSERT_EQ(r.inner_faults.size(), 1U);
  EXPECT_EQ(r.inner_faults[0].reason, "a rank of the call has no messages inside");
}

TEST(InnerStream, CallsThatShareMessagesAreRunOrLeftTogether) {
  // The second barrier's message was lost: the first is run, the second is not.
  const auto rank = [&](const char* post, const char* rest) {
    return std::string(" barrier\n  inner ") + post + " tag 0 0B -> a\n  inner done a\n barrier\n" + rest;
  };
  const Program p = program_of(
      one_rank_per_node(2, "rank 0\n" + rank("send 1", "  inner send 1 tag 1 0B -> b\n  inner done b\n") + "rank 1\n" +
                               rank("recv 0", "  inner recv 0 tag 2 0B -> b\n  inner done b\n")));
  const ReplayResult r = run(p, star(2), Mode::kAnchored, Form::kAsRun);
  EXPECT_EQ(r.by_inner, (std::vector<std::vector<std::uint32_t>>{{0}, {0}}));
  ASSERT_EQ(r.inner_faults.size(), 1U);
  EXPECT_EQ(r.inner_faults[0].operations, 2U);
}

TEST(InnerStream, GapsAreCappedByWhatAMessageCosts) {
  std::string text = bcast("", kReceived);
  text.insert(text.find("rank 1"), "  inner send 1 tag 3 1000B -> a @50us\n  inner done a @51us\n");
  const Program p = program_of(text);
  ReplayOptions options{.mode = Mode::kAnchored, .form = Form::kAsRun};
  // 4 us instead of 50 before the send, 1 us to send, 10 us on the way, 2 us to receive.
  EXPECT_EQ(replay::replay(p, star(2), options).times[1][0].end, us(17));
  options.inner_gap_cap = 2;
  EXPECT_EQ(replay::replay(p, star(2), options).times[1][0].end, us(21));
  options.inner_gap_cap = 0;
  EXPECT_EQ(replay::replay(p, star(2), options).times[1][0].end, us(13));
}

TEST(InnerStream, OfANonBlockingCollectiveGoesOnInAFailedTestAndInAReceive) {
  // Rank 1 answers inside of a test and of a receive; without that rank 0 would wait for ever in its wait, and rank 1
  // in its receive.
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n ibarrier -> c\n  inner recv 1 tag 0 8B -> a\n wait c\n  "
                                                 "inner done a\n  inner send 1 tag 1 8B of 0 -> b\n"
                                                 "  inner done b\n send 1 tag 5 8B\n"
                                                 "rank 1\n ibarrier -> c\n local MPI_Test +1us\n  inner send 0 tag 0 "
                                                 "8B of 0 -> a\n  inner done a\n recv 0 tag 5 8B\n"
                                                 "  inner recv 0 tag 1 8B of 0 -> b\n  inner done b\n wait c\n"));
  const ReplayResult r = run(p, star(2), Mode::kFree, Form::kAsRun);
  EXPECT_TRUE(r.inner_faults.empty());
  EXPECT_EQ(r.by_inner, (std::vector<std::vector<std::uint32_t>>{{0, 1}, {0, 1, 2}}));
  EXPECT_EQ(duration(r.times[1][3]), Duration{});
}

}  // namespace
}  // namespace plumbline::replay::test
