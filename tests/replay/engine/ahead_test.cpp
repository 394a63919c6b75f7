// Ranks that go ahead of the clock where it is known when messages arrive (LogGP): the same times without the events.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

constexpr std::uint64_t kSeeds = 300;

// L 3 us, o 1 and 2 us, g 2 us, 1/G 1 GB/s; what is larger than 1000 bytes is a rendezvous.
hw::Platform loggp_star(std::uint32_t nodes) {
  hw::Platform platform = star(nodes);
  platform.network = hw::NetworkKind::kLogGP;
  for (hw::MessageRange& range : platform.between.ranges) {
    range.gap.value = microseconds(2);
    range.gap_rate.emplace().value = {1'000'000'000};
  }
  return platform;
}

// Rounds of blocking and non-blocking messages. Ranks begin together and compute for a few round times, so that much
// happens at the same time; sizes differ, so that it counts in which order messages are taken.
class Rounds {
 public:
  explicit Rounds(std::uint64_t seed)
      : random_(seed, "ahead"),
        ranks_(2 + static_cast<std::uint32_t>(random_.below(7))),
        bodies_(ranks_),
        clock_(ranks_, 0) {}

  std::uint32_t ranks() const { return ranks_; }

  std::string text() {
    const std::uint64_t rounds = 2 + random_.below(8);
    for (std::uint64_t round = 0; round < rounds; ++round) {
      switch (random_.below(5)) {
        case 0:
          shift();
          break;
        case 1:
          chain();
          break;
        case 2:
          early_sends();
          break;
        case 3:
          for (std::uint32_t r = 0; r < ranks_; ++r) add(r, "allreduce 80B");
          break;
        default:
          exchange();
          break;
      }
    }
    std::string out = one_rank_per_node(ranks_, "");
    for (std::uint32_t r = 0; r < ranks_; ++r) out += fmt::format("rank {}\n", r) + bodies_[r];
    return out;
  }

 private:
  std::uint64_t size() {
    constexpr std::uint64_t kEager[] = {0, 8, 500, 1000};
    return random_.below(6) == 0 ? 4000 : kEager[random_.below(4)];
  }

  void add(std::uint32_t rank, const std::string& operation) {
    clock_[rank] += random_.below(4) == 0 ? static_cast<std::int64_t>(10 * random_.below(3)) : 0;
    bodies_[rank] += fmt::format("  @{}us {} +10us\n", clock_[rank], operation);
    clock_[rank] += 10;
  }

  void shift() {
    const auto by = static_cast<std::uint32_t>(1 + random_.below(ranks_ - 1));
    const std::uint64_t bytes = size();
    for (std::uint32_t r = 0; r < ranks_; ++r)
      add(r, fmt::format("sendrecv to {} tag 1 {}B from {} tag 1 {}B", (r + by) % ranks_, bytes,
                         (r + ranks_ - by) % ranks_, bytes));
  }

  void chain() {
    const std::uint64_t bytes = size();
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      if (r > 0) add(r, fmt::format("recv {} tag 2 {}B", r - 1, bytes));
      if (r + 1 < ranks_) add(r, fmt::format("send {} tag 2 {}B", r + 1, bytes));
    }
  }

  // Sent before the receiver wants them, in another order than they are taken.
  void early_sends() {
    const auto to = static_cast<std::uint32_t>(random_.below(ranks_));
    std::vector<std::string> receives;
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      if (r == to) continue;
      const std::uint64_t bytes = random_.below(1001);
      add(r, fmt::format("send {} tag 3 {}B", to, bytes));
      receives.insert(receives.begin() + static_cast<std::ptrdiff_t>(random_.below(receives.size() + 1)),
                      fmt::format("recv {} tag 3 {}B", r, bytes));
    }
    for (const std::string& receive : receives) add(to, receive);
  }

  void exchange() {
    std::vector<std::string> waits(ranks_);
    std::vector<std::vector<std::string>> later(ranks_);
    const std::uint64_t messages = random_.below(3 * ranks_) + 1;
    for (std::uint64_t m = 0; m < messages; ++m) {
      const std::uint64_t from = random_.below(ranks_), to = random_.below(ranks_), bytes = size();
      add(static_cast<std::uint32_t>(to), fmt::format("irecv {} tag 4 {}B -> r{}", from, bytes, m));
      later[from].push_back(fmt::format("isend {} tag 4 {}B -> s{}", to, bytes, m));
      waits[to] += fmt::format(" r{}", m);
      waits[from] += fmt::format(" s{}", m);
    }
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      for (const std::string& send : later[r]) add(r, send);
      if (!waits[r].empty()) add(r, "wait" + waits[r]);
    }
  }

  sim::RandomStream random_;
  std::uint32_t ranks_;
  std::vector<std::string> bodies_;
  std::vector<std::int64_t> clock_;
};

void expect_equal(const ReplayResult& ahead, const ReplayResult& waiting, std::uint64_t seed) {
  EXPECT_EQ(ahead.end, waiting.end) << "seed " << seed;
  for (std::uint32_t rank = 0; rank < ahead.times.size(); ++rank)
    for (std::size_t i = 0; i < ahead.times[rank].size(); ++i) {
      ASSERT_EQ(ahead.times[rank][i].begin, waiting.times[rank][i].begin) << seed << ", " << rank << ", " << i;
      ASSERT_EQ(ahead.times[rank][i].end, waiting.times[rank][i].end) << seed << ", " << rank << ", " << i;
    }
}

// Neither going ahead, nor running ahead at all.
TEST(GoingAhead, GivesTheTimesOfARankThatWaitsForEveryEvent) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Rounds rounds(seed);
    const Program program = program_of(rounds.text());
    const hw::Platform platform = loggp_star(rounds.ranks());
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      ReplayOptions options{.mode = mode};
      const ReplayResult ahead = replay::replay(program, platform, options);
      options.go_ahead = false;
      expect_equal(ahead, replay::replay(program, platform, options), seed);
      options.run_ahead = false;
      expect_equal(ahead, replay::replay(program, platform, options), seed);
    }
  }
}

TEST(GoingAhead, BlockingMessagesNeedNoEvents) {
  std::string body;
  for (std::uint32_t r = 0; r < 4; ++r) {
    body += fmt::format("rank {}\n", r);
    for (std::uint32_t k = 0; k < 10; ++k)
      body += fmt::format("  @{}us sendrecv to {} tag {} 8B from {} tag {} 8B +10us\n", 10 * k, (r + 1) % 4, k,
                          (r + 3) % 4, k);
  }
  const Program program = program_of(one_rank_per_node(4, body));
  const ReplayResult result = run(program, loggp_star(4));
  EXPECT_EQ(result.messages, 40);
  EXPECT_EQ(result.events, 1);  // in which all ranks begin
  // 1 us to send, 3 of latency, 7 ns for the bytes behind the first one, 2 to receive.
  EXPECT_EQ(result.times[2][0].end - result.times[2][0].begin, nanoseconds(6'007));
}

TEST(GoingAhead, AMessageThatWasSentEarlyIsFoundByAProbe) {
  const Program program = program_of(one_rank_per_node(2, R"(rank 0
  @0us send 1 tag 5 8B +1us
rank 1
  @0us probe 0 tag 5 8B +1us
  @1us recv 0 tag 5 8B +1us
)"));
  const ReplayResult result = run(program, loggp_star(2));
  EXPECT_EQ(result.times[1][0].end, Time{} + nanoseconds(4'007));
  EXPECT_EQ(result.times[1][1].end, Time{} + nanoseconds(6'007));
}

}  // namespace
}  // namespace plumbline::replay::test
