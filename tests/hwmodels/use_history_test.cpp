#include "hwmodels/usage/use_history.hpp"

#include <gtest/gtest.h>

#include <random>

namespace plumbline::hw {
namespace {

using Use = ComponentUse;

Use busy(std::int64_t ps) { return {{ps}, Bytes{static_cast<std::uint64_t>(ps)}, 0}; }

TEST(UseHistory, APointStandsWhereSomethingChanged) {
  UseHistory history(2, Time{100}, Duration{10});
  EXPECT_EQ(history.next(), Time{110});
  for (const std::int64_t now : {5, 5, 9}) history.sample([&](std::size_t c) { return c == 0 ? busy(now) : Use{}; });
  EXPECT_EQ(history.of(0), (std::vector<UsePoint>{{0, busy(5)}, {2, busy(9)}}));
  EXPECT_TRUE(history.of(1).empty());
  EXPECT_EQ(history.end_of(2), Time{130});
  EXPECT_EQ(history.next(), Time{140});
}

TEST(UseHistory, TwoStepsBecomeOneWhenThereAreTooMany) {
  UseHistory history(1, Time{}, Duration{10});
  for (std::uint32_t i = 1; i <= UseHistory::kMostSteps; ++i) history.sample([&](std::size_t) { return busy(i); });
  EXPECT_EQ(history.step(), Duration{20});
  EXPECT_EQ(history.of(0).size(), UseHistory::kMostSteps / 2);
  EXPECT_EQ(history.of(0).front(), (UsePoint{0, busy(2)}));
  EXPECT_EQ(history.next(), history.end_of(UseHistory::kMostSteps / 2));
}

// However long the run: at the end of each step the history knows what was so then.
TEST(UseHistory, KnowsTheTruthAtTheEndOfEveryStep) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    const std::uint32_t samples = below(20'000);
    const Duration first{1 + below(5)};
    std::vector<Use> truth;  // at the ends of the shortest steps
    Use use;
    UseHistory history(1, Time{}, first);
    while (truth.size() < samples) {
      while (truth.size() < samples && Time{} + first * static_cast<std::int64_t>(truth.size() + 1) <= history.next()) {
        if (below(3) == 0) use = {use.busy + Duration{1}, use.bytes, below(3)};
        truth.push_back(use);
      }
      if (Time{} + first * static_cast<std::int64_t>(truth.size()) == history.next())
        history.sample([&](std::size_t) { return truth.back(); });
    }
    const std::size_t factor = static_cast<std::size_t>(history.step().ps / first.ps);
    Use known;
    std::size_t point = 0;
    for (std::uint32_t step = 0; (step + 1) * factor <= truth.size(); ++step) {
      if (point < history.of(0).size() && history.of(0)[point].step == step) known = history.of(0)[point++].use;
      ASSERT_EQ(known, truth[(step + 1) * factor - 1]) << step;
    }
    EXPECT_EQ(point, history.of(0).size());
    EXPECT_LT(history.of(0).size(), UseHistory::kMostSteps);
  }
}

// The disk was busy for longer than the link and the CPU of its server; a cache is never busy.
TEST(Busiest, NamesServersAndDisksBesideTheNetwork) {
  UseRecord record;
  record.names = {"n0-s0 >"};
  record.history.emplace(1, Time{}, Duration{10});
  record.history->sample([](std::size_t) { return Use{Duration{5}, Bytes{100}, 2}; });
  record.storage.servers = {"d0"};
  record.storage.devices = {"d0 disk"};
  record.storage.server_use.emplace(1, Time{}, Duration{10});
  record.storage.device_use.emplace(1, Time{}, Duration{10});
  record.storage.server_use->sample(
      [](std::size_t) { return ServerSample{Duration{2}, {}, 1, Bytes{60}, Bytes{4}, 1}; });
  for (const std::uint32_t waiting : {7U, 3U})
    record.storage.device_use->sample(
        [waiting](std::size_t) { return DeviceSample{Duration{8}, Bytes{60}, Bytes{4}, 2, 1, waiting}; });

  const std::vector<BusyComponent> all = busiest(record, 5);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "d0 disk");
  EXPECT_EQ(all[0].kind, ComponentKind::kDevice);
  EXPECT_EQ(all[0].use, (Use{Duration{8}, Bytes{64}, 7}));
  EXPECT_EQ(all[1].name, "n0-s0 >");
  EXPECT_EQ(all[1].kind, ComponentKind::kNetwork);
  EXPECT_EQ(all[2].use, (Use{Duration{2}, Bytes{64}, 1}));
  EXPECT_EQ(busiest(record, 1).size(), 1U);
  EXPECT_TRUE(busiest({}, 5).empty());
}

}  // namespace
}  // namespace plumbline::hw
