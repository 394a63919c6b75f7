#include "hwmodels/pair_numbers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <utility>

namespace plumbline::hw {
namespace {

TEST(PairNumbers, FindsWhatWasAddedAndNothingElse) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  PairNumbers numbers;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> truth;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const auto source = static_cast<std::uint32_t>(random() % 256), target = static_cast<std::uint32_t>(random() % 300);
    const auto known = truth.find({source, target});
    ASSERT_EQ(numbers.find(source, target), known == truth.end() ? PairNumbers::kUnknown : known->second);
    if (known != truth.end()) continue;
    truth[{source, target}] = i;
    numbers.add(source, target, i);
  }
}

TEST(PairNumbers, TellsAPairFromItsWayBack) {
  PairNumbers numbers;
  numbers.add(0, 1, 7);
  EXPECT_EQ(numbers.find(1, 0), PairNumbers::kUnknown);
  numbers.add(0xffff'ffff, 0, 8);
  EXPECT_EQ(numbers.find(0xffff'ffff, 0), 8U);
  EXPECT_EQ(numbers.find(0, 0xffff'ffff), PairNumbers::kUnknown);
}

}  // namespace
}  // namespace plumbline::hw
