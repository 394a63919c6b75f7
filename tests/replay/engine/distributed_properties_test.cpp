// What holds for random programs with files on servers, the seed in every message.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "replay/engine/run/loop.hpp"
#include "server_world.hpp"
#include "sim/random.hpp"

namespace plumbline::replay::test {
namespace {

constexpr std::uint64_t kSeeds = 60;
constexpr std::uint32_t kFiles = 3;

struct World {
  hw::Platform platform;
  std::string text;
  std::uint64_t written = 0;  // bytes, each at a place of its own
};

hw::Device random_device(sim::RandomStream& random) {
  hw::Device device;
  const hw::Parameter<BytesPerSecond> rate{{500'000'000}, 0, ""};
  switch (random.below(3)) {
    case 0:
      device.disk.emplace();
      device.disk->average_seek.value = microseconds(90);
      device.disk->track_to_track.value = microseconds(10);
      device.disk->turn.value = microseconds(80);
      device.disk->rate = rate;
      break;
    case 1:
      device.flash.emplace();
      device.flash->read_latency.value = device.flash->write_latency.value = microseconds(20);
      device.flash->read_rate = device.flash->write_rate = rate;
      device.flash->channels = 3;
      break;
    default:
      device.simple = hw::SimpleDevice{{microseconds(30), 0, ""}, rate};
      break;
  }
  return device;
}

// Servers share nodes with ranks or do not; memory for few packets.
hw::Platform random_platform(sim::RandomStream& random, std::uint32_t ranks) {
  hw::Platform platform = with_servers(ranks, 1 + static_cast<std::uint32_t>(random.below(3)));
  platform.packets.granularity = Bytes{1000 + random.below(3000)};
  hw::Distribution& spread = platform.file_systems.back().distribution;
  spread.stripe = Bytes{100 + random.below(3000)};
  spread.list_limit = static_cast<std::uint32_t>(random.below(3));
  if (random.below(2)) {
    spread.metadata = 0;
    spread.lookup.value = spread.create.value = microseconds(20);
    spread.close.emplace().value = microseconds(3);
  }
  for (hw::Server& server : platform.servers) {
    if (random.below(3) == 0) server.node = static_cast<std::uint32_t>(random.below(ranks));
    server.device = random_device(random);
    server.cache.policy = static_cast<hw::CachePolicy>(random.below(6));
    server.cache.granularity = Bytes{2000 + random.below(8000)};
    server.cache.memory = Bytes{40'000 + random.below(200'000)};
    server.cache.concurrent = 1 + static_cast<std::uint32_t>(random.below(3));
    server.request.value = microseconds(static_cast<std::int64_t>(random.below(3)));
  }
  for (hw::MessageRange& range : platform.between.ranges)  // behind the data of a rendezvous
    if (range.protocol == hw::Protocol::kRendezvous)
      range.latency.value += microseconds(static_cast<std::int64_t>(random.below(200)));
  return platform;
}

// Rounds that every rank goes through. Observed times: 50 µs an operation, random gaps.
class WorldWriter {
 public:
  explicit WorldWriter(std::uint64_t seed) : random_(seed, "servers") {
    ranks_ = 1 + static_cast<std::uint32_t>(random_.below(5));
    world_.platform = random_platform(random_, ranks_);
    bodies_.resize(ranks_);
    clock_.resize(ranks_);
    if (random_.below(2)) text_ = "property library = \"MPICH 4.0.2\"\n";
  }

  World write() {
    for (std::uint64_t round = 0, rounds = 2 + random_.below(6); round < rounds; ++round) {
      const std::uint64_t file = random_.below(kFiles);
      switch (random_.below(6)) {
        case 0:
          everyone([&](std::uint32_t) { return access("pwrite", file); });
          break;
        case 1:
          everyone([&](std::uint32_t) { return access("write_at_all", file); });
          break;
        case 2:
          everyone([&](std::uint32_t) { return reading("pread", file); });
          break;
        case 3:
          everyone([&](std::uint32_t) { return reading("read_at_all", file); });
          break;
        case 4:
          everyone([&](std::uint32_t) { return access("iwrite_at", file) + " -> a"; });
          ring();
          everyone([&](std::uint32_t) { return std::string("wait a"); });
          break;
        default:
          everyone([&](std::uint32_t) { return fmt::format("posix_open /pfs/{}", file); });
          ring();
          everyone([&](std::uint32_t) { return fmt::format("posix_close file /pfs/{}", file); });
          break;
      }
    }
    everyone([&](std::uint32_t) { return std::string("barrier"); });
    for (std::uint64_t file = 0; file < kFiles; ++file)
      everyone([&](std::uint32_t) { return fmt::format("fsync file /pfs/{}", file); });
    for (std::uint32_t r = 0; r < ranks_; ++r) text_ += fmt::format("rank {}\n", r) + bodies_[r];
    world_.text = one_rank_per_node(ranks_, text_);
    return world_;
  }

 private:
  template <class Text>
  void everyone(const Text& text) {
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      clock_[r] += static_cast<std::int64_t>(random_.below(100));
      bodies_[r] += fmt::format(" @{}us {} +50us\n", clock_[r], text(r));
      clock_[r] += 50;
    }
  }

  void ring() {
    const std::uint64_t bytes = random_.below(2) ? 800 : 8000;
    everyone([&](std::uint32_t r) {
      return fmt::format("sendrecv to {} tag 1 {}B from {} tag 1 {}B", (r + 1) % ranks_, bytes,
                         (r + ranks_ - 1) % ranks_, bytes);
    });
  }

  std::string access(const std::string& verb, std::uint64_t file) {
    const std::uint64_t bytes = random_.below(20'000), gap = random_.below(3) * 500;
    const std::uint64_t begin = ends_[file] + gap;
    ends_[file] = begin + bytes;
    world_.written += bytes;
    return fmt::format("{} {}..{} file /pfs/{}", verb, begin, begin + bytes, file);
  }

  std::string reading(const std::string& verb, std::uint64_t file) {
    const std::uint64_t begin = random_.below(50'000);
    return fmt::format("{} {}..{} file /pfs/{}", verb, begin, begin + random_.below(20'000), file);
  }

  sim::RandomStream random_;
  World world_;
  std::uint32_t ranks_ = 0;
  std::vector<std::string> bodies_;
  std::vector<std::int64_t> clock_;
  std::uint64_t ends_[kFiles] = {};
  std::string text_;
};

World random_world(std::uint64_t seed) { return WorldWriter(seed).write(); }

template <class Check>
void for_each_case(const Check& check) {
  for (std::uint64_t seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    const World world = random_world(seed);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Program program = program_of(world.text);
    for (const Mode mode : {Mode::kFree, Mode::kAnchored})
      for (const hw::CacheCase cache : {hw::CacheCase::kCached, hw::CacheCase::kDevice})
        for (const Form form : {Form::kIdeal, Form::kAsConfigured}) {
          SCOPED_TRACE(fmt::format("mode {}, cache {}, form {}", static_cast<int>(mode), static_cast<int>(cache),
                                   static_cast<int>(form)));
          check(world, program, ReplayOptions{.mode = mode, .form = form, .cache = cache});
        }
  }
}

testing::AssertionResult same_times(const ReplayResult& a, const ReplayResult& b) {
  for (std::size_t r = 0; r < a.times.size(); ++r)
    for (std::size_t i = 0; i < a.times[r].size(); ++i)
      if (a.times[r][i].begin != b.times[r][i].begin || a.times[r][i].end != b.times[r][i].end)
        return testing::AssertionFailure()
               << fmt::format("rank {}, operation {}: {} to {} ps, and {} to {} ps", r, i, a.times[r][i].begin.ps,
                              a.times[r][i].end.ps, b.times[r][i].begin.ps, b.times[r][i].end.ps);
  if (a.messages != b.messages)
    return testing::AssertionFailure() << a.messages << " and " << b.messages << " messages";
  return testing::AssertionSuccess();
}

TEST(ServerProperties, EveryReplayEndsAndTwoAreEqual) {
  for_each_case([](const World& world, const Program& program, const ReplayOptions& options) {
    const ReplayResult one = replay::replay(program, world.platform, options);
    const ReplayResult other = replay::replay(program, world.platform, options);
    EXPECT_TRUE(same_times(one, other));
    EXPECT_EQ(one.events, other.events);
    EXPECT_EQ(one.unreceived, 0);
  });
}

TEST(ServerProperties, TheExpressPathAndRunningAheadChangeNothing) {
  for_each_case([](const World& world, const Program& program, ReplayOptions options) {
    const ReplayResult with = replay::replay(program, world.platform, options);
    options.record_use = true;
    const ReplayResult watched = replay::replay(program, world.platform, options);
    EXPECT_TRUE(same_times(with, watched)) << "watched";
    options.express = false;
    const ReplayResult plain = replay::replay(program, world.platform, options);
    EXPECT_TRUE(same_times(watched, plain)) << "express";
    EXPECT_TRUE(same_use(watched.use, plain.use));
    options.express = true;
    options.record_use = false;
    options.run_ahead = false;
    EXPECT_TRUE(same_times(with, replay::replay(program, world.platform, options))) << "ahead";
  });
}

TEST(ServerProperties, OperationsFollowEachOtherAndNoneBeginsBeforeItWasObserved) {
  for_each_case([](const World& world, const Program& program, const ReplayOptions& options) {
    const ReplayResult r = replay::replay(program, world.platform, options);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      for (std::size_t i = 0; i < r.times[rank].size(); ++i) {
        const OperationTimes& t = r.times[rank][i];
        EXPECT_LE(t.begin, t.end);
        EXPECT_LE(i == 0 ? t.begin : r.times[rank][i - 1].end, t.begin);
        EXPECT_TRUE(options.mode == Mode::kFree || t.begin >= program.rank(rank).times[i].begin);
      }
  });
}

TEST(ServerProperties, WhatWasWrittenAndSyncedIsOnTheDevicesOnce) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const World world = random_world(seed);
    const Program program = program_of(world.text);
    const ReplayOptions options{.mode = Mode::kFree};
    replay::engine::Run replayed(program, world.platform, options, nullptr);
    replay::engine::run_to_end(replayed);
    std::uint64_t on_devices = 0;
    for (std::uint32_t i = 0; i < replayed.distributed->servers().server_count(); ++i)
      on_devices += replayed.distributed->servers().server(i).device_use().written.count;
    EXPECT_EQ(on_devices, world.written) << "seed " << seed;
  }
}

}  // namespace
}  // namespace plumbline::replay::test
