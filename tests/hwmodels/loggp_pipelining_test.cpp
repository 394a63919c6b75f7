// Why a collective must be measured in isolation: broadcasts by LogGP in a loop overlap. The experiment of Hoefler,
// Schneider, Lumsdaine, "LogGP in theory and practice", 2009, section 4, with the parameters of its Table 2 for
// MPICH2/TCP and Open MPI/InfiniBand SDR. The figures below come from a program of its own, written from the same
// model.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/broadcast_schemes.hpp"

namespace plumbline::hw {
namespace {

using test::Broadcasts;
using test::length_of;
using test::Scheme;
using test::Tree;

constexpr std::uint32_t kBroadcasts = 1'000;

// Microseconds for each broadcast.
double time_of(const Platform& platform, Tree tree, Scheme scheme, std::uint32_t ranks, Bytes size) {
  const std::uint32_t count = scheme == Scheme::kIsolated ? 1 : kBroadcasts;
  return length_of(platform, tree, scheme, ranks, size, count).seconds() * 1e6 / count;
}

struct PipelineTimes {
  double isolated, loop, change_root;
};

struct PipelineRow {
  const char* platform;
  std::uint64_t size;
  std::uint32_t ranks;  // a power of two
  PipelineTimes chain, binomial;
};

const std::vector<PipelineRow> kRows{
    {"tcp", 1, 2, {52.660, 3.509, 52.660}, {52.660, 3.509, 52.660}},
    {"tcp", 1, 4, {157.980, 7.071, 59.678}, {105.320, 7.018, 56.169}},
    {"tcp", 1, 16, {789.900, 7.703, 60.310}, {210.640, 14.037, 63.188}},
    {"tcp", 1, 64, {3317.580, 10.231, 62.838}, {315.960, 21.055, 70.206}},
    {"tcp", 1, 256, {13428.300, 20.341, 72.949}, {421.280, 28.074, 77.224}},
    {"tcp", 1, 512, {26909.260, 33.822, 86.430}, {473.940, 31.583, 80.734}},
    {"tcp", 1, 1024, {53871.180, 60.784, 113.392}, {526.600, 35.092, 84.243}},
    {"tcp", 1, 2048, {107795.020, 114.708, 167.315}, {579.260, 38.601, 87.752}},
    {"ib-sdr", 1, 2, {15.400, 5.150, 15.400}, {15.400, 5.150, 15.400}},
    {"ib-sdr", 1, 4, {46.200, 9.477, 24.861}, {30.800, 10.301, 20.550}},
    {"ib-sdr", 1, 16, {231.000, 9.662, 25.046}, {61.600, 20.601, 30.851}},
    {"ib-sdr", 1, 64, {970.200, 10.401, 25.785}, {92.400, 30.902, 41.151}},
    {"ib-sdr", 1, 256, {3927.000, 13.358, 28.742}, {123.200, 41.202, 51.452}},
    {"ib-sdr", 1, 512, {7869.400, 17.300, 32.685}, {138.600, 46.352, 56.602}},
    {"ib-sdr", 1, 1024, {15754.200, 25.185, 40.569}, {154.000, 51.503, 61.752}},
    {"ib-sdr", 1, 2048, {31523.800, 40.954, 56.339}, {169.400, 56.653, 66.903}},
    {"tcp", 1024, 2, {61.345, 9.652, 61.345}, {61.345, 9.652, 61.345}},
    {"tcp", 1024, 4, {184.036, 9.775, 71.059}, {122.691, 19.304, 70.997}},
    {"tcp", 1024, 16, {920.179, 10.511, 71.795}, {245.381, 38.608, 90.301}},
    {"tcp", 1024, 64, {3864.752, 13.455, 74.739}, {368.072, 57.912, 109.605}},
    {"tcp", 1024, 256, {15643.044, 25.234, 86.518}, {490.762, 77.216, 128.909}},
    {"tcp", 1024, 512, {31347.433, 40.938, 102.222}, {552.107, 86.868, 138.561}},
    {"tcp", 1024, 1024, {62756.211, 72.347, 133.631}, {613.453, 96.520, 148.213}},
    {"tcp", 1024, 2048, {125573.768, 135.164, 196.448}, {674.798, 106.172, 157.865}},
    {"ib-sdr", 1024, 2, {16.147, 5.897, 16.147}, {16.147, 5.897, 16.147}},
    {"ib-sdr", 1024, 4, {48.440, 9.479, 25.610}, {32.294, 11.794, 22.044}},
    {"ib-sdr", 1024, 16, {242.202, 9.673, 25.803}, {64.587, 23.588, 33.838}},
    {"ib-sdr", 1024, 64, {1017.248, 10.448, 26.578}, {96.881, 35.382, 45.632}},
    {"ib-sdr", 1024, 256, {4117.431, 13.548, 29.679}, {129.174, 47.176, 57.426}},
    {"ib-sdr", 1024, 512, {8251.010, 17.682, 33.812}, {145.321, 53.073, 63.323}},
    {"ib-sdr", 1024, 1024, {16518.166, 25.949, 42.079}, {161.468, 58.970, 69.220}},
    {"ib-sdr", 1024, 2048, {33052.479, 42.483, 58.614}, {177.615, 64.868, 75.117}},
};

Platform platform_of(const PipelineRow& row) {
  return read_platform(std::string(PLUMBLINE_PLATFORMS "/loggp-") + row.platform + ".xml");
}

PipelineTimes times_of(const Platform& platform, Tree tree, const PipelineRow& row) {
  return {time_of(platform, tree, Scheme::kIsolated, row.ranks, {row.size}),
          time_of(platform, tree, Scheme::kLoop, row.ranks, {row.size}),
          time_of(platform, tree, Scheme::kChangeRoot, row.ranks, {row.size})};
}

void expect_near(const PipelineTimes& times, const PipelineTimes& golden) {
  constexpr double kTolerance = 0.001;
  EXPECT_NEAR(times.isolated, golden.isolated, kTolerance);
  EXPECT_NEAR(times.loop, golden.loop, kTolerance);
  EXPECT_NEAR(times.change_root, golden.change_root, kTolerance);
}

// A line of the table in docs/notebook/broadcasts-in-a-loop.md: computed, and behind it the figure of the reference.
std::string line_of(const PipelineRow& row, const PipelineTimes& chain, const PipelineTimes& binomial) {
  std::string line = fmt::format("| {} | {} | {} |", row.platform, row.size, row.ranks);
  const auto add = [&line](const PipelineTimes& times, const PipelineTimes& golden) {
    line += fmt::format(" {:.3f} / {:.3f} | {:.3f} / {:.3f} | {:.3f} / {:.3f} |", times.isolated, golden.isolated,
                        times.loop, golden.loop, times.change_root, golden.change_root);
  };
  add(chain, row.chain);
  add(binomial, row.binomial);
  return line;
}

std::string documentation() {
  std::ifstream file(PLUMBLINE_DOCS "/notebook/broadcasts-in-a-loop.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class LogGPPipelining : public testing::TestWithParam<PipelineRow> {};

TEST_P(LogGPPipelining, BroadcastsOverlapAsInTheReferenceAndAsTheDocumentationSays) {
  const Platform platform = platform_of(GetParam());
  const PipelineTimes chain = times_of(platform, Tree::kChain, GetParam());
  const PipelineTimes binomial = times_of(platform, Tree::kBinomial, GetParam());
  expect_near(chain, GetParam().chain);
  expect_near(binomial, GetParam().binomial);
  const std::string line = line_of(GetParam(), chain, binomial);
  EXPECT_NE(documentation().find(line), std::string::npos)
      << "this belongs into docs/notebook/broadcasts-in-a-loop.md:\n"
      << line;
}

// With H = L + 2o + (s-1)G and A = g + (s-1)G.
TEST_P(LogGPPipelining, AnIsolatedBroadcastTakesTheClosedForm) {
  const Platform platform = platform_of(GetParam());
  const std::uint32_t ranks = GetParam().ranks;
  const MessageRange& range = range_of(platform.between, {GetParam().size});
  const Duration bytes = transfer_time({GetParam().size - 1}, range.gap_rate->value);
  const Duration hop = range.latency.value + range.send.value + range.receive.value + bytes;
  Broadcasts chain(platform, ranks, {GetParam().size}), binomial(platform, ranks, {GetParam().size});
  chain.add(Tree::kChain, 0);
  binomial.add(Tree::kBinomial, 0);
  EXPECT_EQ(chain.end(), Time{} + hop * (ranks - 1));
  EXPECT_EQ(binomial.end(), Time{} + hop * std::countr_zero(ranks));
}

INSTANTIATE_TEST_SUITE_P(Table, LogGPPipelining, testing::ValuesIn(kRows), [](const auto& row) {
  std::string name = fmt::format("{}_{}_bytes_{}_ranks", row.param.platform, row.param.size, row.param.ranks);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Beyond 256 ranks the chain loses what the loop seemed to gain (TCP, one byte).
TEST(LogGPCrossover, InALoopTheChainSeemsToBeatTheBinomialTreeUpTo256Ranks) {
  const Platform platform = platform_of(kRows.front());
  for (const std::uint32_t ranks : {256U, 512U}) {
    const double chain = time_of(platform, Tree::kChain, Scheme::kLoop, ranks, {1});
    const double binomial = time_of(platform, Tree::kBinomial, Scheme::kLoop, ranks, {1});
    EXPECT_EQ(chain < binomial, ranks == 256) << ranks;
    EXPECT_GT(time_of(platform, Tree::kChain, Scheme::kIsolated, ranks, {1}),
              time_of(platform, Tree::kBinomial, Scheme::kIsolated, ranks, {1}));
  }
}

}  // namespace
}  // namespace plumbline::hw
