// What holds for every valid program with one-sided communication: random epochs, the seed in every message.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

constexpr std::uint64_t kSeeds = 60;

// Epochs that every rank goes through, one after the other, each closed before the next one. A rank takes at most one
// lock at a time, so that nothing can hang.
class EpochWriter {
 public:
  explicit EpochWriter(std::uint64_t seed) : random_(seed, "epochs"), ranks_(2 + below(6)), bodies_(ranks_) {
    clock_.assign(ranks_, 0);
  }

  std::string text() {
    constexpr const char* kLibraries[] = {"MPICH 4.0.2", "Open MPI v4.1.4"};
    constexpr const char* kKinds[] = {"create", "allocate", "shared", "dynamic"};
    std::string out = fmt::format("ranks {}\n", ranks_);
    const std::uint32_t per_node = 1 + below(3);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      out += fmt::format("node n{} ranks {}-{} cores 8\n", rank / per_node, rank, rank);
    out += fmt::format("property library = \"{}\"\n", kLibraries[below(2)]);
    for (int window = 0; window < 2; ++window) out += fmt::format("window {} = comm 0 {}\n", window, kKinds[below(4)]);
    all("win_create 0");
    all("win_create 1");
    for (std::uint32_t epochs = 1 + below(6); epochs > 0; --epochs) epoch();
    all("win_free 1");
    all("win_free 0");
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) out += fmt::format("rank {}\n", rank) + bodies_[rank];
    return out;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_.below(n)); }
  std::uint32_t size() { return below(3) == 0 ? 1001 + below(50'000) : below(1001); }

  void add(std::uint32_t rank, const std::string& operation) {
    clock_[rank] += below(40);
    bodies_[rank] += fmt::format("  @{}us {} +5us\n", clock_[rank], operation);
    clock_[rank] += 5;
  }

  void all(const std::string& operation) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) add(rank, operation);
  }

  void transfers(std::uint32_t rank, std::uint32_t target, bool may_request) {
    std::string waits;
    for (std::uint32_t n = below(4); n > 0; --n) {
      const bool request = may_request && below(3) == 0;
      const std::string to = fmt::format("{} {} {}B", window_, target, size());
      const std::string end = request ? fmt::format(" -> r{}", n) : "";
      if (request) waits += fmt::format(" r{}", n);
      const std::string form = request ? "r" : "";
      const std::uint32_t kind = below(4);
      if (kind == 0) add(rank, form + "put " + to + end);
      if (kind == 1) add(rank, form + "get " + to + end);
      if (kind == 2) add(rank, form + "accumulate " + to + end);
      if (kind == 3) add(rank, form + "fetch " + to + fmt::format(" received {}B", size()) + end);
    }
    if (!waits.empty()) add(rank, "wait" + waits);
  }

  void epoch() {
    window_ = below(2);
    switch (below(4)) {
      case 0:
        return fences();
      case 1:
        return groups();
      case 2:
        return locks();
      default:
        return locks_of_all();
    }
  }

  void fences() {
    all(fmt::format("win_fence {}", window_));
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      for (std::uint32_t n = below(3); n > 0; --n) transfers(rank, below(ranks_), false);
    all(fmt::format("win_fence {}", window_));
  }

  // Some ranks are targets of some others; a few are both: they post before they start.
  void groups() {
    std::vector<std::vector<std::uint32_t>> targets(ranks_), origins(ranks_);
    for (std::uint32_t origin = 0; origin < ranks_; ++origin)
      for (std::uint32_t target = 0; target < ranks_; ++target)
        if (below(3) == 0) targets[origin].push_back(target), origins[target].push_back(origin);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (!origins[rank].empty())
        add(rank, fmt::format("win_post {} group {}", window_, fmt::join(origins[rank], " ")));
      if (!targets[rank].empty()) {
        add(rank, fmt::format("win_start {} group {}", window_, fmt::join(targets[rank], " ")));
        for (const std::uint32_t target : targets[rank]) transfers(rank, target, false);
        add(rank, fmt::format("win_complete {}", window_));
      }
      if (!origins[rank].empty()) add(rank, fmt::format("win_wait {}", window_));
    }
  }

  void locks() {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      for (std::uint32_t n = below(4); n > 0; --n) {
        const std::uint32_t target = below(ranks_);
        add(rank, fmt::format("win_lock {} {}{}", window_, target, below(2) ? " exclusive" : ""));
        transfers(rank, target, true);
        if (below(3) == 0) add(rank, fmt::format("win_flush{} {} {}", below(2) ? "_local" : "", window_, target));
        transfers(rank, target, true);
        add(rank, fmt::format("win_unlock {} {}", window_, target));
      }
    all(fmt::format("barrier"));
  }

  void locks_of_all() {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      add(rank, fmt::format("win_lock_all {}", window_));
      for (std::uint32_t n = below(4); n > 0; --n) transfers(rank, below(ranks_), true);
      if (below(2)) add(rank, fmt::format("win_flush_all {}", window_));
      add(rank, fmt::format("win_sync {}", window_));
      add(rank, fmt::format("win_unlock_all {}", window_));
    }
    all("barrier");
  }

  sim::RandomStream random_;
  std::uint32_t ranks_, window_ = 0;
  std::vector<std::string> bodies_;
  std::vector<std::int64_t> clock_;
};

hw::Platform platform_of(std::uint64_t seed) {
  hw::Platform platform = star(8);
  constexpr hw::Progress kProgress[] = {hw::Progress::kInCalls, hw::Progress::kThread, hw::Progress::kHardware};
  platform.between.progress = kProgress[seed % 3];
  platform.between.ordered = seed % 5 == 0;
  return platform;
}

bool same(const ReplayResult& a, const ReplayResult& b) {
  if (a.times.size() != b.times.size()) return false;
  for (std::size_t rank = 0; rank < a.times.size(); ++rank)
    if (a.times[rank].size() != b.times[rank].size() ||
        (!a.times[rank].empty() &&
         std::memcmp(a.times[rank].data(), b.times[rank].data(), a.times[rank].size() * sizeof(OperationTimes)) != 0))
      return false;
  return true;
}

TEST(OneSidedProperties, EveryProgramEndsAndTwoReplaysAreByteIdentical) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string text = EpochWriter(seed).text();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Program p = program_of(text), again = program_of(text);
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      const ReplayResult first = run(p, platform_of(seed), mode), second = run(again, platform_of(seed), mode);
      ASSERT_TRUE(same(first, second));
      EXPECT_EQ(first.events, second.events);
      EXPECT_EQ(first.messages, second.messages);
      EXPECT_EQ(first.unreceived, 0U);
    }
  }
}

TEST(OneSidedProperties, OperationsFollowEachOtherAndAnchoredOnesBeginNoEarlierThanObserved) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Program p = program_of(EpochWriter(seed).text());
    const ReplayResult r = run(p, platform_of(seed), Mode::kAnchored);
    for (std::uint32_t rank = 0; rank < p.ranks(); ++rank)
      for (std::size_t i = 0; i < r.times[rank].size(); ++i) {
        EXPECT_GE(r.times[rank][i].begin, p.rank(rank).times[i].begin) << "seed " << seed;
        EXPECT_GE(r.times[rank][i].end, r.times[rank][i].begin) << "seed " << seed;
        const Time free = i > 0 ? r.times[rank][i - 1].end : r.times[rank][i].begin;
        EXPECT_GE(r.times[rank][i].begin, free) << "seed " << seed;
      }
  }
}

TEST(OneSidedProperties, RunningAheadChangesNothing) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Program p = program_of(EpochWriter(seed).text());
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      ReplayOptions options{.mode = mode};
      const ReplayResult ahead = replay(p, platform_of(seed), options);
      options.run_ahead = false;
      EXPECT_TRUE(same(ahead, replay(p, platform_of(seed), options))) << "seed " << seed;
    }
  }
}

// Locks never given back, waits without a post and the like: the replay ends, or says who waits for whom.
TEST(OneSidedProperties, WhatMakesNoSenseEndsOrIsSaidToWait) {
  constexpr const char* kCalls[] = {"win_fence 0",
                                    "win_post 0 group 0 1",
                                    "win_start 0 group 0 1",
                                    "win_complete 0",
                                    "win_wait 0",
                                    "win_lock 0 1",
                                    "win_lock 0 0 exclusive",
                                    "win_unlock 0 1",
                                    "win_unlock 0 0",
                                    "win_lock_all 0",
                                    "win_unlock_all 0",
                                    "win_flush_all 0",
                                    "put 0 1 900B",
                                    "fetch 0 0 8B received 9000B",
                                    "accumulate 0 1 5000B",
                                    "win_free 0"};
  constexpr const char* kLibraries[] = {"MPICH 4.0.2", "Open MPI v4.1.4"};
  int ended = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    sim::RandomStream random(seed, "nonsense");
    std::string text = one_rank_per_node(
        3, fmt::format("property library = \"{}\"\nwindow 0 = comm 0 create\n", kLibraries[seed % 2]));
    for (int rank = 0; rank < 3; ++rank) {
      text += fmt::format("rank {}\n", rank);
      for (std::uint64_t n = random.below(5); n > 0; --n) text += fmt::format(" {}\n", kCalls[random.below(16)]);
    }
    ended += stuck_text(program_of(text), platform_of(seed)).empty();
  }
  EXPECT_GT(ended, 20);
  EXPECT_LT(ended, 280);
}

// The three forms differ in collectives and files alone.
TEST(OneSidedProperties, AllFormsTakeTheSameTime) {
  for (std::uint64_t seed = 0; seed < kSeeds / 4; ++seed) {
    const Program p = program_of(EpochWriter(seed).text());
    const ReplayResult as_configured = run(p, platform_of(seed), Mode::kFree, Form::kAsConfigured);
    EXPECT_TRUE(same(as_configured, run(p, platform_of(seed), Mode::kFree, Form::kAsRun))) << "seed " << seed;
  }
}

TEST(OneSidedProperties, TheyEndOverLogGPToo) {
  for (std::uint64_t seed = 0; seed < kSeeds / 4; ++seed) {
    hw::Platform platform = platform_of(seed);
    platform.network = hw::NetworkKind::kLogGP;
    const Program p = program_of(EpochWriter(seed).text());
    EXPECT_TRUE(same(run(p, platform), run(p, platform))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace plumbline::replay::test
