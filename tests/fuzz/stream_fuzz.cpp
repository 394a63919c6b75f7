// Streams of ranks with bytes changed, cut out and put in: reading them ends with what can be kept, or with an Error.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "bench/results/plan.hpp"
#include "bench/results/stream.hpp"
#include "tests/bench/sample_stream.hpp"
#include "tests/support/mutated.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

constexpr int kMutations = 3000;

constexpr std::string_view kLikely[] = {"\n", "\"", "{", "}", "null", "-1", "1e999", "18446744073709551615", "[", ":"};

TEST(StreamFuzz, ADamagedStreamGivesWholeCellsOrAnError) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  const plumbline::test::TemporaryDirectory directory;
  const std::string whole = test::sample_stream(directory / "sample");
  int kept = 0, refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string bytes = plumbline::test::mutated(whole, kLikely, random);
    std::ofstream(directory / "stream", std::ios::binary) << bytes;
    try {
      Campaign campaign;
      read_stream(directory / "stream", campaign);
      for (const Cell& cell : campaign.cells) ASSERT_EQ(cell.flags.size(), cell.seconds.size());
      kept += campaign.cells.empty() ? 0 : 1;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(kept, kMutations / 20);
  EXPECT_GT(refused, kMutations / 4);
}

TEST(StreamFuzz, ADamagedPlanIsReadOrRefused) {
  const std::string whole =
      R"({"seed":1,"requests":[{"operation":"bcast","sizes":[0,1024],"numbers":{"piece":1},"effort":{"most":6}}]})";
  std::mt19937_64 random(20240229);
  int refused = 0;
  for (int i = 0; i < kMutations; ++i) try {
      parse_plan(plumbline::test::mutated(whole, kLikely, random), "plan");
    } catch (const Error&) {
      ++refused;
    }
  EXPECT_GT(refused, kMutations / 2);
}

}  // namespace
}  // namespace plumbline::bench
