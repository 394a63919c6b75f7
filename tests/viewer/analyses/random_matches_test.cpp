#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/replay/program/random_program.hpp"
#include "tests/support/seed.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/matches/series.hpp"
#include "worlds.hpp"

namespace plumbline::viewer {
namespace {

using replay::Program;

TEST(RandomMatches, OfAnyProgramASendIsThePartnerOfItsReceive) {
  const test::TemporaryDirectory directory;
  const std::uint64_t first = test::random_seed() % 1'000'000;
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
    const Program program = replay::random_program(seed, directory / "program");
    const Matches matches = match_operations(program);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      for (std::uint32_t i = 0; i < program.rank(rank).operations.size(); ++i) {
        const OperationId receive = receiver_of(program, matches, {rank, i});
        if (receive.exists()) {
          EXPECT_EQ(matches.partner(receive), (OperationId{rank, i}));
        }
        if (is_gathering(program.rank(rank).operations[i])) {
          EXPECT_TRUE(instance_of(program, matches, {rank, i}).has_value());
        }
      }
  }
}

// Sends and receives of a few channels in a random order.
std::string random_messages(std::mt19937_64& random, std::uint32_t ranks) {
  std::vector<std::string> sent(ranks);
  std::vector<std::vector<std::string>> received(ranks);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t from = random() % ranks, to = random() % ranks, tag = random() % 3;
    sent[from] += "  send " + std::to_string(to) + " tag " + std::to_string(tag) + " 8B\n";
    if (random() % 8 != 0)
      received[to].push_back("  recv " + std::to_string(from) + " tag " + std::to_string(tag) + " 8B\n");
  }
  std::string text = "ranks " + std::to_string(ranks) + "\n";
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::ranges::shuffle(received[rank], random);
    text += "rank " + std::to_string(rank) + "\n" + sent[rank];
    for (const std::string& line : received[rank]) text += line;
  }
  return text;
}

TEST(RandomMatches, OfMessagesTheNthSendOfAChannelBelongsToItsNthReceive) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
  std::mt19937_64 random(seed);
  replay::Programs programs;
  const Program program = programs.parse(random_messages(random, 5));
  const Matches matches = match_operations(program);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, std::deque<OperationId>> channels;
  std::uint64_t unmatched = 0;
  for (std::uint32_t rank = 0; rank < 5; ++rank)
    for (std::uint32_t i = 0; i < program.rank(rank).operations.size(); ++i)
      if (const auto& op = program.rank(rank).operations[i]; op.kind == replay::OpKind::kSend)
        channels[{rank, op.peer, op.tag}].push_back({rank, i});
  for (std::uint32_t rank = 0; rank < 5; ++rank)
    for (std::uint32_t i = 0; i < program.rank(rank).operations.size(); ++i) {
      const auto& op = program.rank(rank).operations[i];
      if (op.kind != replay::OpKind::kRecv) continue;
      auto& channel = channels[{static_cast<std::uint32_t>(op.peer), rank, op.tag}];
      ASSERT_FALSE(channel.empty());
      EXPECT_EQ(matches.partner({rank, i}), channel.front());
      EXPECT_EQ(receiver_of(program, matches, channel.front()), (OperationId{rank, i}));
      channel.pop_front();
    }
  for (const auto& [channel, sends] : channels) {
    unmatched += sends.size();
    for (const OperationId send : sends) EXPECT_EQ(receiver_of(program, matches, send), OperationId{});
  }
  EXPECT_EQ(matches.unmatched, unmatched);
}

}  // namespace
}  // namespace plumbline::viewer
