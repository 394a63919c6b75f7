// The experiments of the paper on PIOsimHD that need neither its cluster nor files
// (docs/notebook/paper-communication.md), on hwmodels/platforms/westmere-sockets.xml. A configuration "4-8" is 8 ranks
// on 4 nodes, rank r on node r mod 4.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

constexpr double kTolerance = 2e-3;  // of the figures on the page, which have three or four digits

struct Configuration {
  std::uint32_t nodes = 1, ranks = 1;

  std::string name() const { return fmt::format("{}-{}", nodes, ranks); }
};

hw::Platform cluster() {
  hw::Platform platform = hw::read_platform(PLUMBLINE_PLATFORMS "/westmere-sockets.xml");
  platform.placements.clear();
  return platform;
}

std::string head(const Configuration& c, const std::string& library) {
  std::string text = fmt::format("ranks {}\nproperty library = \"{}\"\n", c.ranks, library);
  for (std::uint32_t rank = 0; rank < c.ranks; ++rank)
    text += fmt::format("node n{} ranks {}-{} cores 12\n", rank % c.nodes, rank, rank);
  return text;
}

double run_seconds(const ReplayResult& result) {
  Time end;
  for (const auto& times : result.times) end = std::max(end, times.back().end);
  return (end - Time{}).seconds();
}

double run_seconds(const std::string& program) { return run_seconds(run(program_of(program), cluster())); }

// Rank 0 and each other rank in turn exchange 100 MiB.
double exchange_mib_per_second(const Configuration& c) {
  std::string text = head(c, "") + "rank 0\n";
  for (std::uint32_t rank = 1; rank < c.ranks; ++rank)
    text += fmt::format("sendrecv to {0} tag 0 104857600B from {0} tag 0 104857600B\n", rank);
  for (std::uint32_t rank = 1; rank < c.ranks; ++rank)
    text += fmt::format("rank {}\nsendrecv to 0 tag 0 104857600B from 0 tag 0 104857600B\n", rank);
  return 200.0 * (c.ranks - 1) / run_seconds(text);
}

TEST(Paper, SendrecvWithRankZeroReachesBothDirectionsOfALinkAndMoreWithPartnersOnItsNode) {
  struct Case {
    Configuration configuration;
    double mib_per_second;
  };
  const Case cases[] = {{{1, 2}, 4556},   {{1, 12}, 4087},   {{2, 2}, 143.6},  {{2, 4}, 211.7},
                        {{2, 11}, 277.6}, {{3, 3}, 143.3},   {{3, 6}, 177.6},  {{4, 4}, 143.3},
                        {{4, 8}, 166.1},  {{10, 10}, 143.1}, {{10, 20}, 150.8}};
  for (const Case& c : cases) {
    const double ours = exchange_mib_per_second(c.configuration);
    fmt::print("Sendrecv, {:>5}: {:.1f} MiB/s\n", c.configuration.name(), ours);
    EXPECT_NEAR(ours / c.mib_per_second, 1, kTolerance) << c.configuration.name();
  }
}

// By the tables of MPICH 4.0 and Open MPI 4.1, and by the fastest algorithm here.
struct Collective {
  Configuration configuration;
  double mpich_ms;
  const char* mpich;
  double openmpi_ms;
  const char* openmpi;
  double fastest_ms;
};

void expect_collective(const Collective& expected, const std::string& call) {
  const auto check = [&](const char* library, Form form, double ms, const std::string& algorithm) {
    const Configuration& c = expected.configuration;
    std::string text = head(c, library);
    for (std::uint32_t rank = 0; rank < c.ranks; ++rank) text += fmt::format("rank {}\n{}\n", rank, call);
    const ReplayResult result = run(program_of(text), cluster(), Mode::kFree, form);
    ASSERT_EQ(result.collectives.size(), 1U);
    const double ours = run_seconds(result) * 1e3;
    fmt::print("{}, {:>5}: {:.4g} ms, {}\n", call, c.name(), ours, result.collectives[0].algorithm);
    EXPECT_NEAR(ours / ms, 1, kTolerance) << call << ", " << c.name() << ", " << library;
    if (algorithm.empty()) return;
    EXPECT_EQ(result.collectives[0].algorithm, algorithm) << call << ", " << c.name();
  };
  check("MPICH 4.0.2", Form::kAsConfigured, expected.mpich_ms, std::string("mpich ") + expected.mpich);
  check("Open MPI v4.1.4", Form::kAsConfigured, expected.openmpi_ms, std::string("openmpi ") + expected.openmpi);
  check("MPICH 4.0.2", Form::kIdeal, expected.fastest_ms, "");
}

// The algorithm changes at powers of two, and with it the time.
TEST(Paper, ASmallAllgatherIsMuchFasterIn4_8And8_16ThanAroundThem) {
  constexpr const char *kDoubling = "recursive_doubling", *kRing = "ring", *kBruck = "bruck";
  const Collective cases[] = {
      {{2, 4}, 0.468, kDoubling, 0.468, kDoubling, 0.468},  {{3, 6}, 1.823, "brucks", 1.823, kBruck, 1.421},
      {{4, 8}, 1.220, kDoubling, 1.220, kDoubling, 1.220},  {{5, 10}, 3.076, kRing, 3.279, kBruck, 2.788},
      {{6, 12}, 3.729, kRing, 3.849, kBruck, 3.472},        {{7, 14}, 4.383, kRing, 4.694, kBruck, 4.156},
      {{8, 16}, 2.687, kDoubling, 2.687, kDoubling, 2.687}, {{9, 18}, 5.689, kRing, 6.154, kBruck, 5.523},
      {{10, 20}, 6.343, kRing, 6.725, kBruck, 6.107}};
  for (const Collective& c : cases) expect_collective(c, "allgather 10240B");
}

TEST(Paper, ALargeAllgatherIsARingForOneLibraryAndDoublingForTheOther) {
  const Collective cases[] = {{{2, 8}, 3905, "ring", 609.5, "recursive_doubling", 609.5},
                              {{4, 8}, 1977, "ring", 855.2, "recursive_doubling", 855.2},
                              {{5, 10}, 2544, "ring", 2513, "bruck", 2231},
                              {{8, 16}, 4196, "ring", 1987, "recursive_doubling", 1987},
                              {{10, 20}, 5314, "ring", 5299, "bruck", 5018}};
  for (const Collective& c : cases) expect_collective(c, "allgather 10485760B");
}

TEST(Paper, AnAllreduceTakesWhatItsAlgorithmMakesOfTheNodes) {
  constexpr const char *kAlpha = "composition_alpha", *kRabenseifner = "rabenseifner";
  const Collective small[] = {
      {{2, 8}, 0.384, kAlpha, 0.782, kRabenseifner, 0.384},  {{3, 6}, 1.027, kAlpha, 1.394, kRabenseifner, 0.915},
      {{4, 8}, 0.600, kAlpha, 0.732, kRabenseifner, 0.600},  {{5, 10}, 1.252, kAlpha, 1.486, kRabenseifner, 1.252},
      {{8, 16}, 0.754, kAlpha, 0.886, kRabenseifner, 0.754}, {{10, 20}, 1.407, kAlpha, 1.634, kRabenseifner, 1.407}};
  for (const Collective& c : small) expect_collective(c, "allreduce 10240B");
  const Collective large[] = {
      {{2, 8}, 157.6, kAlpha, 565.5, kRabenseifner, 157.6},  {{3, 6}, 434.6, kAlpha, 652.2, kRabenseifner, 434.6},
      {{4, 8}, 220.4, kAlpha, 424.6, kRabenseifner, 220.4},  {{5, 10}, 512.9, kAlpha, 843.0, kRabenseifner, 512.9},
      {{8, 16}, 258.4, kAlpha, 506.2, kRabenseifner, 258.4}, {{10, 20}, 550.9, kAlpha, 884.0, kRabenseifner, 550.9}};
  for (const Collective& c : large) expect_collective(c, "allreduce 10485760B");
}

// Rank 0 receives 400 KiB from each rank in turn. The first transfer has to send its request first, 42 us.
TEST(Paper, ATransferOfTheJacobiCleanupTakesSevenMillisecondsWhereBothSidesAreReady) {
  const Configuration c{10, 10};
  std::string text = head(c, "") + "rank 0\n";
  for (std::uint32_t rank = 1; rank < c.ranks; ++rank) text += fmt::format("recv {} tag 0 409600B\n", rank);
  for (std::uint32_t rank = 1; rank < c.ranks; ++rank) text += fmt::format("rank {}\nsend 0 tag 0 409600B\n", rank);
  const ReplayResult result = run(program_of(text), cluster());
  ASSERT_EQ(result.times[0].size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    const double ms = duration(result.times[0][i]).seconds() * 1e3;
    fmt::print("Jacobi cleanup, transfer {}: {:.4f} ms, {:.1f} MiB/s\n", i, ms, 400 / 1.024 / ms);
    EXPECT_NEAR(ms / (i == 0 ? 7.049 : 7.008), 1, kTolerance);
  }
}

}  // namespace
}  // namespace plumbline::replay::test
