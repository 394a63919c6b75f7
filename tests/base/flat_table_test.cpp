#include "base/memory/flat_table.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <unordered_map>

#include "tests/support/seed.hpp"

namespace plumbline {
namespace {

TEST(FlatTable, FindsWhatWasPutLastUnderAnId) {
  FlatTable<int> table;
  EXPECT_EQ(table.find(0), nullptr);
  table.put(0, 1);
  table.put(1, 2);
  table.put(0, 3);
  EXPECT_EQ(*table.find(0), 3);
  EXPECT_EQ(*table.find(1), 2);
  EXPECT_EQ(table.size(), 2U);
}

TEST(FlatTable, AValuePutWithoutOneForgetsWhatWasThere) {
  struct Named {
    std::optional<std::string> name;
    int number = 7;
  };
  FlatTable<Named> table;
  table.put(5, {"a name that is longer than what a string holds in itself", 1});
  const Named& fresh = table.put(5);
  EXPECT_FALSE(fresh.name);
  EXPECT_EQ(fresh.number, 7);
}

TEST(FlatTable, AnIdThatWasErasedIsGoneAndMayComeAgain) {
  FlatTable<int> table;
  table.put(9, 1);
  table.erase(8);  // never there
  table.erase(9);
  EXPECT_FALSE(table.contains(9));
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.put(9), 0);
  EXPECT_TRUE(table.contains(9));
}

// Ids close together, as requests have them, and far apart; few, so that they come again and again.
TEST(FlatTable, IsTheSameAsAMapAfterAnyPutsAndErasures) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int run = 0; run < 50; ++run) {
    FlatTable<std::uint64_t> table;
    std::unordered_map<std::uint64_t, std::uint64_t> map;
    const std::uint64_t ids = 1 + random() % 300, step = run % 2 == 0 ? 1 : 0x1'0000'0001;
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t id = random() % ids * step;
      if (random() % 2 == 0) {
        table.put(id, random());
        map[id] = *table.find(id);
      } else {
        table.erase(id);
        map.erase(id);
      }
      ASSERT_EQ(table.size(), map.size());
    }
    std::uint64_t sum = 0;
    table.for_each([&](std::uint64_t value) { sum += value; });
    for (std::uint64_t n = 0; n < ids; ++n) {
      const auto known = map.find(n * step);
      ASSERT_EQ(table.contains(n * step), known != map.end());
      if (known == map.end()) continue;
      ASSERT_EQ(*table.find(n * step), known->second);
      sum -= known->second;
    }
    EXPECT_EQ(sum, 0U);
  }
}

}  // namespace
}  // namespace plumbline
