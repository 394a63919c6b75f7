// What holds for every program: random ones without deadlock, the seed in every message.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "replay/mpi/best_schedule.hpp"
#include "replay/program/text/text.hpp"
#include "sim/random.hpp"
#include "support.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::test {
namespace {

constexpr std::uint64_t kSeeds = 60;

struct RandomProgram {
  std::uint32_t ranks = 0;
  std::vector<std::string> bodies;  // per rank
  std::int64_t shift_us = 0;        // of all observed times

  std::string text() const {
    std::string out = one_rank_per_node(ranks, "");
    for (std::uint32_t r = 0; r < ranks; ++r) out += fmt::format("rank {}\n", r) + bodies[r];
    return out;
  }
};

// Rounds that every rank goes through; inside a round receives are posted before anything is waited for, so that it
// cannot hang. Observed times: 10 µs an operation, random gaps.
class Writer {
 public:
  Writer(std::uint64_t seed, std::int64_t shift_us) : random_(seed, "programs"), shift_us_(shift_us) {
    program_.ranks = 2 + static_cast<std::uint32_t>(random_.below(7));
    program_.bodies.resize(program_.ranks);
    clock_.assign(program_.ranks, 0);
  }

  RandomProgram write() {
    const std::uint64_t rounds = 1 + random_.below(6);
    for (std::uint64_t round = 0; round < rounds; ++round) {
      switch (random_.below(6)) {
        case 0:
          collective(random_.below(2) ? "barrier" : "allreduce 800B");
          break;
        case 1:
          collective(fmt::format("bcast root {} {}B", random_.below(program_.ranks), size()));
          break;
        case 2:
          ring();
          break;
        case 3:
          collective(fmt::format("allgather {}B", size()));
          break;
        case 4:
          files();
          break;
        default:
          exchange();
          break;
      }
    }
    return program_;
  }

 private:
  std::uint64_t size() { return random_.below(3) == 0 ? 1001 + random_.below(50'000) : random_.below(1001); }

  void add(std::uint32_t rank, const std::string& operation) {
    clock_[rank] += static_cast<std::int64_t>(random_.below(30));
    program_.bodies[rank] += fmt::format("  @{}us {} +10us\n", clock_[rank] + shift_us_, operation);
    clock_[rank] += 10;
  }

  void collective(const std::string& operation) {
    for (std::uint32_t r = 0; r < program_.ranks; ++r) add(r, operation);
  }

  void ring() {
    const std::uint64_t bytes = size();
    for (std::uint32_t r = 0; r < program_.ranks; ++r)
      add(r, fmt::format("sendrecv to {} tag 1 {}B from {} tag 1 {}B", (r + 1) % program_.ranks, bytes,
                         (r + program_.ranks - 1) % program_.ranks, bytes));
  }

  void exchange() {
    std::vector<std::string> sends(program_.ranks), waits(program_.ranks);
    std::vector<std::vector<std::string>> later(program_.ranks);
    const std::uint64_t messages = random_.below(2 * program_.ranks) + 1;
    for (std::uint64_t m = 0; m < messages; ++m) {
      const std::uint64_t from = random_.below(program_.ranks), to = random_.below(program_.ranks);
      const std::uint64_t tag = random_.below(2), bytes = size();
      const bool synchronous = random_.below(8) == 0;
      add(static_cast<std::uint32_t>(to), fmt::format("irecv {} tag {} {}B -> r{}", from, tag, bytes, m));
      later[from].push_back(
          fmt::format("isend {} tag {} {}B{} -> s{}", to, tag, bytes, synchronous ? " synchronous" : "", m));
      waits[to] += fmt::format(" r{}", m);
      waits[from] += fmt::format(" s{}", m);
    }
    for (std::uint32_t r = 0; r < program_.ranks; ++r) {
      for (const std::string& send : later[r]) add(r, send);
      if (!waits[r].empty()) add(r, "wait" + waits[r]);
    }
  }

  void files() {
    const std::uint64_t bytes = size();
    const bool collective_access = random_.below(2);
    for (std::uint32_t r = 0; r < program_.ranks; ++r)
      add(r,
          fmt::format("write_at{} {}..{} file /data/x", collective_access ? "_all" : "", bytes * r, bytes * (r + 1)));
  }

  sim::RandomStream random_;
  std::int64_t shift_us_;
  RandomProgram program_;
  std::vector<std::int64_t> clock_;
};

RandomProgram random_program(std::uint64_t seed, std::int64_t shift_us = 0) { return Writer(seed, shift_us).write(); }

Time last_end(const ReplayResult& result) {
  Time last;
  for (const auto& rank : result.times)
    for (const OperationTimes& t : rank) last = std::max(last, t.end);
  return last;
}

bool same_bytes(const ReplayResult& a, const ReplayResult& b) {
  if (a.times.size() != b.times.size() || a.events != b.events || a.messages != b.messages) return false;
  for (std::size_t r = 0; r < a.times.size(); ++r) {
    if (a.times[r].size() != b.times[r].size()) return false;
    if (a.times[r].empty()) continue;
    if (std::memcmp(a.times[r].data(), b.times[r].data(), a.times[r].size() * sizeof(OperationTimes)) != 0)
      return false;
  }
  return true;
}

TEST(Properties, TwoReplaysAreByteIdentical) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram random = random_program(seed);
    const Program p = program_of(random.text()), again = program_of(random.text());
    for (const Mode mode : {Mode::kFree, Mode::kAnchored})
      EXPECT_TRUE(same_bytes(run(p, star(random.ranks), mode), run(again, star(random.ranks), mode)))
          << "seed " << seed;
  }
}

// Text of a program into which calls that failed were put, each into a gap between two operations that it fits into;
// and for each operation whether it is one of the first.
std::string with_failed_calls(const RandomProgram& program, sim::RandomStream& random,
                              std::vector<std::vector<bool>>& failed) {
  std::string out = one_rank_per_node(program.ranks, "");
  failed.assign(program.ranks, {});
  for (std::uint32_t r = 0; r < program.ranks; ++r) {
    out += fmt::format("rank {}\n", r);
    std::int64_t end = 0;
    std::size_t at = 0;
    while (at < program.bodies[r].size()) {
      const std::size_t stop = program.bodies[r].find('\n', at) + 1;
      const std::string line = program.bodies[r].substr(at, stop - at);
      const std::int64_t begin = std::stoll(line.substr(line.find('@') + 1));
      if (end > 0 && begin - end >= 3 && random.below(2) == 0) {
        out += fmt::format("  @{}us unmodelled MPI_Send +1us not-judged \"failed: MPI_ERR_RANK\"\n", end + 1);
        failed[r].push_back(true);
      }
      out += line;
      failed[r].push_back(false);
      end = begin + 10;
      at = stop;
    }
  }
  return out;
}

// In a free replay. In an anchored one they can make an operation later that is late already.
TEST(Properties, CallsThatFailedChangeNoExpectedTimeOfTheOthers) {
  std::uint64_t inserted = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram random = random_program(seed);
    sim::RandomStream places(seed, "failures");
    std::vector<std::vector<bool>> failed;
    const Program without = program_of(random.text()), with = program_of(with_failed_calls(random, places, failed));
    const ReplayResult expected = run(without, star(random.ranks)), found = run(with, star(random.ranks));
    for (std::uint32_t r = 0; r < random.ranks; ++r) {
      std::vector<OperationTimes> others;
      for (std::size_t i = 0; i < failed[r].size(); ++i) {
        if (!failed[r][i]) others.push_back(found.times[r][i]);
        if (!failed[r][i]) continue;
        ++inserted;
        EXPECT_EQ(duration(found.times[r][i]), microseconds(1)) << "seed " << seed;
      }
      ASSERT_EQ(others.size(), expected.times[r].size());
      for (std::size_t i = 0; i < others.size(); ++i)
        EXPECT_TRUE(others[i].begin == expected.times[r][i].begin && others[i].end == expected.times[r][i].end)
            << "seed " << seed << ", rank " << r << ", operation " << i;
    }
  }
  EXPECT_GT(inserted, kSeeds);
}

struct Machinery {
  const char* name;
  void (*change)(hw::Platform& star);
};

void each_transport(hw::Platform& p, void (*change)(hw::Transport&)) {
  for (hw::Transport* transport : {&p.inside, &p.between}) change(*transport);
}

// All on two cores of one node and one of another.
void crowd(hw::Platform& p) {
  p.placements = {{0, 2, 0}, {3, 100, static_cast<std::uint32_t>(p.nodes.size() - 1)}};
  p.nodes.front().cores = 2;
}

void make_noise(hw::Platform& p) {
  for (hw::Node& node : p.nodes) {
    node.noise.emplace();
    node.noise->period.value = microseconds(17);
    node.noise->duration.value = microseconds(3);
  }
}

// Whole microseconds at any share, so that much happens at the same time; the more messages the longer.
void sample_times(hw::Platform& p) {
  p.network = hw::NetworkKind::kSampled;
  each_transport(p, [](hw::Transport& t) {
    for (hw::MessageRange& range : t.ranges)
      for (const std::uint32_t in_flight : {1U, 4U})
        for (const std::uint64_t size : {0U, 50'000U}) {
          const Duration time = microseconds(static_cast<std::int64_t>((4 + size / 2000) * in_flight));
          // Almost all take the least time, some much more, and on no whole microsecond.
          range.times.push_back({Bytes{size}, in_flight, 0, "", {{0, time}, {0.7, time}, {1, time * 5}}});
        }
  });
}

void buffer_sends(hw::Transport& t) {
  t.send_buffer.value = {3'000};
  for (hw::MessageRange& range : t.ranges) range.gap_rate = hw::Parameter<BytesPerSecond>{{500'000'000}, 0, ""};
}

// Two packets and more of a message in one go, and a rendezvous that is not over when its data is there.
void queue_and_acknowledge(hw::Platform& p) {
  p.packets.send_queue.value = {2 * p.packets.granularity.count + 500};
  each_transport(p, [](hw::Transport& t) {
    for (hw::MessageRange& range : t.ranges)
      if (range.protocol == hw::Protocol::kRendezvous) range.latency.value += microseconds(5);
  });
}

// What a platform can ask of the engine.
const Machinery kMachineries[] = {
    {"packets", [](hw::Platform&) {}},
    {"send queue, latency behind the data", queue_and_acknowledge},
    {"LogGP", [](hw::Platform& p) { p.network = hw::NetworkKind::kLogGP; }},
    {"sampled", sample_times},
    {"sampled, shared cores, noise, ordered",
     [](hw::Platform& p) {
       sample_times(p);
       crowd(p);
       make_noise(p);
       each_transport(p, [](hw::Transport& t) { t.ordered = true; });
     }},
    {"sampled, gaps",
     [](hw::Platform& p) {
       sample_times(p);
       each_transport(p, [](hw::Transport& t) {
         for (hw::MessageRange& range : t.ranges) {
           range.gap.value = microseconds(3);
           range.gap_rate = hw::Parameter<BytesPerSecond>{{1'000'000'000}, 0, ""};
         }
       });
     }},
    {"sampled, thread",
     [](hw::Platform& p) {
       sample_times(p);
       each_transport(p, [](hw::Transport& t) { t.progress = hw::Progress::kThread; });
     }},
    {"sampled, hardware",
     [](hw::Platform& p) {
       sample_times(p);
       each_transport(p, [](hw::Transport& t) { t.progress = hw::Progress::kHardware; });
     }},
    {"ordered", [](hw::Platform& p) { each_transport(p, [](hw::Transport& t) { t.ordered = true; }); }},
    {"thread",
     [](hw::Platform& p) { each_transport(p, [](hw::Transport& t) { t.progress = hw::Progress::kThread; }); }},
    {"hardware",
     [](hw::Platform& p) { each_transport(p, [](hw::Transport& t) { t.progress = hw::Progress::kHardware; }); }},
    {"buffered", [](hw::Platform& p) { each_transport(p, buffer_sends); }},
    {"buffered, small packets, ordered",
     [](hw::Platform& p) {
       p.packets.granularity = Bytes{700};
       each_transport(p, buffer_sends);
       each_transport(p, [](hw::Transport& t) { t.ordered = true; });
     }},
    {"buffered, thread",
     [](hw::Platform& p) {
       each_transport(p, buffer_sends);
       each_transport(p, [](hw::Transport& t) { t.progress = hw::Progress::kThread; });
     }},
    {"buffered, hardware",
     [](hw::Platform& p) {
       each_transport(p, buffer_sends);
       each_transport(p, [](hw::Transport& t) { t.progress = hw::Progress::kHardware; });
     }},
    {"LogGP, buffered",
     [](hw::Platform& p) {
       p.network = hw::NetworkKind::kLogGP;
       each_transport(p, buffer_sends);
     }},
    {"sampled, buffered",
     [](hw::Platform& p) {
       sample_times(p);
       each_transport(p, buffer_sends);
     }},
    {"shared cores", crowd},
    {"noise", make_noise},
    {"shared cores, noise, thread, ordered",
     [](hw::Platform& p) {
       crowd(p);
       make_noise(p);
       each_transport(p, [](hw::Transport& t) {
         t.ordered = true;
         t.progress = hw::Progress::kThread;
       });
     }},
};

hw::Platform star_with(const Machinery& machinery, std::uint32_t ranks) {
  hw::Platform platform = star(ranks);
  machinery.change(platform);
  return platform;
}

// Replays that share it look for the best schedules once, which else is most of what they do.
std::shared_ptr<BestSchedules> best_schedules(const Program& program, const hw::Platform& platform) {
  return std::make_shared<BestSchedules>(platform, place_ranks(program, platform));
}

TEST(Properties, ARankThatRunsAheadOfTheClockHasTheSameTimes) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram random = random_program(seed);
    const Program p = program_of(random.text());
    for (const Machinery& machinery : kMachineries) {
      const hw::Platform platform = star_with(machinery, random.ranks);
      const auto best = best_schedules(p, platform);
      for (const Mode mode : {Mode::kFree, Mode::kAnchored})
        for (const hw::CacheCase cache : {hw::CacheCase::kCached, hw::CacheCase::kDevice}) {
          ReplayOptions options{.mode = mode, .cache = cache, .best = best};
          ReplayResult ahead = replay::replay(p, platform, options);
          options.run_ahead = false;
          ahead.events = 0;
          ReplayResult with_events = replay::replay(p, platform, options);
          with_events.events = 0;
          EXPECT_TRUE(same_bytes(ahead, with_events)) << machinery.name << ", seed " << seed;
        }
    }
  }
}

// With a message that nobody receives, which may be under way when the last rank ends.
Program with_one_lost(const RandomProgram& random) {
  RandomProgram lossy = random;
  lossy.bodies[0] += "  send 1 tag 9 900B\n";
  return program_of(lossy.text());
}

// PLUMBLINE_USE_CASES: of so many programs.
TEST(Properties, WhatComponentsDidIsTheSameWhetherPacketsTravelExpress) {
  const char* const given = std::getenv("PLUMBLINE_USE_CASES");
  const std::uint64_t cases = given == nullptr ? 200 : std::strtoull(given, nullptr, 10);
  const std::uint64_t first = plumbline::test::random_seed();
  for (std::uint64_t seed = first; seed < first + cases && !testing::Test::HasFailure(); ++seed) {
    const RandomProgram random = random_program(seed);
    const Program p = seed % 2 == 0 ? program_of(random.text()) : with_one_lost(random);
    const Machinery& machinery = kMachineries[seed / 2 % std::size(kMachineries)];
    SCOPED_TRACE(fmt::format("PLUMBLINE_SEED={}, {}", seed, machinery.name));
    const hw::Platform platform = star_with(machinery, random.ranks);
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      ReplayOptions options{.mode = mode, .best = best_schedules(p, platform), .record_use = true};
      ReplayResult express = replay::replay(p, platform, options);
      options.express = false;
      ReplayResult plain = replay::replay(p, platform, options);
      express.events = plain.events = 0;
      EXPECT_TRUE(same_bytes(express, plain));
      EXPECT_TRUE(same_use(express.use, plain.use));
    }
  }
}

// A send of s bytes takes o_s(s) + L + o_r. With point masses of that, and without gaps, which LogGP has and measured
// times hold, both are the same model. Only eager messages: the time of a rendezvous holds its handshake.
TEST(Properties, SampledTimesThatAreAllEqualAreLogGPWithoutGapsToThePicosecond) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    RandomProgram random = random_program(seed);
    for (std::string& body : random.bodies)
      for (std::size_t at = 0; (at = body.find(" synchronous")) != body.npos;) body.erase(at, 12);
    const Program p = program_of(random.text());
    hw::Platform loggp = star(random.ranks);
    each_transport(loggp, [](hw::Transport& t) {
      t.ranges = {t.ranges.back()};
      t.ranges.front().protocol = hw::Protocol::kEager;
      t.ranges.front().send_rate = hw::Parameter<BytesPerSecond>{{500'000'000}, 0, ""};  // 2 ns a byte
    });
    hw::Platform sampled = loggp;
    loggp.network = hw::NetworkKind::kLogGP;
    sampled.network = hw::NetworkKind::kSampled;
    each_transport(sampled, [](hw::Transport& t) {
      hw::MessageRange& range = t.ranges.front();
      for (const std::uint64_t size : {0U, 777U, 60'000U}) {
        const Duration time = range.send.value + nanoseconds(2) * static_cast<std::int64_t>(size) +
                              range.latency.value + range.receive.value;
        range.times.push_back({Bytes{size}, 1, 0, "", {{0, time}, {1, time}}});
      }
    });
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      ReplayResult a = run(p, loggp, mode), b = run(p, sampled, mode);
      a.events = b.events = 0;
      EXPECT_TRUE(same_bytes(a, b)) << "seed " << seed;
    }
  }
}

TEST(Properties, EveryProgramEndsAndNoMessageIsLost) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram random = random_program(seed);
    const Program p = program_of(random.text());
    for (const Machinery& machinery : kMachineries) {
      const hw::Platform platform = star_with(machinery, random.ranks);
      const auto best = best_schedules(p, platform);
      for (const hw::CacheCase cache : {hw::CacheCase::kCached, hw::CacheCase::kDevice}) {
        const ReplayResult r = replay::replay(p, platform, {.mode = Mode::kFree, .cache = cache, .best = best});
        EXPECT_EQ(r.unreceived, 0) << machinery.name << ", seed " << seed;
      }
    }
  }
}

TEST(Properties, OperationsOfARankFollowEachOtherAndLastNoNegativeTime) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram random = random_program(seed);
    const Program p = program_of(random.text());
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      const ReplayResult r = run(p, star(random.ranks), mode);
      for (const auto& times : r.times)
        for (std::size_t i = 0; i < times.size(); ++i) {
          EXPECT_LE(times[i].begin, times[i].end) << "seed " << seed;
          EXPECT_LE(i > 0 ? times[i - 1].end : times[i].begin, times[i].begin) << "seed " << seed;
        }
    }
  }
}

TEST(Properties, NoAnchoredOperationBeginsBeforeItWasObserved) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram random = random_program(seed);
    const Program p = program_of(random.text());
    const ReplayResult r = run(p, star(random.ranks), Mode::kAnchored);
    for (std::uint32_t rank = 0; rank < random.ranks; ++rank)
      for (std::size_t i = 0; i < r.times[rank].size(); ++i)
        EXPECT_GE(r.times[rank][i].begin, p.rank(rank).times[i].begin) << "seed " << seed;
  }
}

TEST(Properties, ShiftingAllObservedTimesShiftsAllResults) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram random = random_program(seed), shifted = random_program(seed, 1234);
    const Program p = program_of(random.text()), q = program_of(shifted.text());
    for (const Mode mode : {Mode::kFree, Mode::kAnchored}) {
      const ReplayResult a = run(p, star(random.ranks), mode), b = run(q, star(random.ranks), mode);
      for (std::uint32_t rank = 0; rank < random.ranks; ++rank)
        for (std::size_t i = 0; i < a.times[rank].size(); ++i) {
          EXPECT_EQ(a.times[rank][i].begin + microseconds(1234), b.times[rank][i].begin) << "seed " << seed;
          EXPECT_EQ(a.times[rank][i].end + microseconds(1234), b.times[rank][i].end) << "seed " << seed;
        }
    }
  }
}

TEST(Properties, WhereNothingTakesTimeOnlyWaitingDoes) {
  // Anchored on a platform without costs: the last rank to come to a barrier does not wait at all.
  const Program p =
      program_of(one_rank_per_node(3, "rank 0\n barrier\nrank 1\n @30us barrier\nrank 2\n @7us barrier\n"));
  const ReplayResult r = run(p, free_of_cost(3), Mode::kAnchored);
  EXPECT_EQ(duration(r.times[1][0]), Duration{});
  EXPECT_EQ(duration(r.times[0][0]), microseconds(30));
  EXPECT_EQ(duration(r.times[2][0]), microseconds(23));
}

// A receive cannot end before its send has begun, the sender has spent its time, the message has crossed the latency
// and the receiver has spent its own. In a program of blocking pairs the n-th send is easily found.
TEST(Properties, NoReceiveEndsBeforeItsMessageCanBeThere) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    sim::RandomStream random(seed, "causality");
    const std::uint32_t ranks = 2 + static_cast<std::uint32_t>(random.below(5));
    std::vector<std::string> bodies(ranks);
    std::vector<std::uint32_t> count(ranks, 0);
    struct Pair {
      std::uint32_t from, send, to, receive;
    };
    std::vector<Pair> pairs;
    for (int m = 0; m < 40; ++m) {
      const std::uint32_t from = static_cast<std::uint32_t>(random.below(ranks));
      const std::uint32_t to = (from + 1 + static_cast<std::uint32_t>(random.below(ranks - 1))) % ranks;
      const std::uint64_t bytes = random.below(3000);
      bodies[from] += fmt::format("  compute {}us\n  send {} tag 0 {}B\n", random.below(20), to, bytes);
      bodies[to] += fmt::format("  compute {}us\n  recv {} tag 0 {}B\n", random.below(20), from, bytes);
      pairs.push_back({from, count[from]++, to, count[to]++});
    }
    std::string text;
    for (std::uint32_t r = 0; r < ranks; ++r) text += fmt::format("rank {}\n", r) + bodies[r];
    const ReplayResult r = run(program_of(one_rank_per_node(ranks, text)), star(ranks));
    for (const Pair& pair : pairs)
      EXPECT_GE(r.times[pair.to][pair.receive].end, r.times[pair.from][pair.send].begin + microseconds(1 + 3 + 2 + 2))
          << "seed " << seed;
    EXPECT_EQ(r.messages, pairs.size());
  }
}

// Promised only where no two messages compete, so that no order can change: one message at a time, from rank to rank.
TEST(Properties, AFasterNetworkIsNeverSlowerForATokenThatGoesAround) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    sim::RandomStream random(seed, "token");
    std::vector<std::string> bodies(4);
    std::uint32_t at = 0;
    for (int m = 0; m < 20; ++m) {
      const std::uint32_t to = (at + 1 + static_cast<std::uint32_t>(random.below(3))) % 4;
      const std::uint64_t bytes = random.below(5000);
      bodies[at] += fmt::format("  send {} tag 0 {}B\n", to, bytes);
      bodies[to] += fmt::format("  recv {} tag 0 {}B\n", at, bytes);
      at = to;
    }
    std::string text;
    for (std::uint32_t r = 0; r < 4; ++r) text += fmt::format("rank {}\n", r) + bodies[r];
    const Program p = program_of(one_rank_per_node(4, text));
    hw::Platform faster = star(4);
    for (hw::Edge& edge : faster.edges) edge.rate.value = {2'000'000'000};
    EXPECT_LE(last_end(run(p, faster)), last_end(run(p, star(4)))) << "seed " << seed;
    hw::Platform closer = star(4);
    for (hw::MessageRange& range : closer.between.ranges) range.latency.value = microseconds(1);
    EXPECT_LE(last_end(run(p, closer)), last_end(run(p, star(4)))) << "seed " << seed;
  }
}

TEST(Properties, RenumberingTheRanksOfACommunicatorChangesNoMessageTimes) {
  // The same world ranks exchange the same messages, named through two orders of the communicator.
  const std::string straight = "comm 1 = 0 1 2\nrank 0\n send 2 tag 0 700B comm 1\nrank 2\n recv 0 tag 0 700B comm 1\n";
  const std::string turned = "comm 1 = 2 1 0\nrank 0\n send 0 tag 0 700B comm 1\nrank 2\n recv 2 tag 0 700B comm 1\n";
  EXPECT_TRUE(same_bytes(run(program_of(one_rank_per_node(3, straight)), star(3)),
                         run(program_of(one_rank_per_node(3, turned)), star(3))));
}

}  // namespace
}  // namespace plumbline::replay::test
