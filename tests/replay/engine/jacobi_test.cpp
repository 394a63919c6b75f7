// The Jacobi iteration of Grove and Coddington, "Communication Benchmarking and Performance Modelling of MPI Programs
// on Cluster Computers" (2005), figure 5: a grid of 256 x 256 floats in strips of rows, so that a message to a
// neighbour has 1024 bytes. 3.24 ms is the computation of one iteration on one processor (49 ns a point); its unit is
// not given there, and its code is valid for even numbers of processes only. What can be checked without its
// measurements.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/statistics/distribution.hpp"
#include "base/statistics/student.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

constexpr std::int64_t kSerialPs = 3'240'000'000;

struct Jacobi {
  std::uint32_t ranks = 2, iterations = 4;
};

std::string body_of(const Jacobi& jacobi, std::uint32_t rank) {
  const std::uint32_t last = jacobi.ranks - 1;
  const auto send = [](std::uint32_t to) { return fmt::format(" send {} tag 0 1024B\n", to); };
  const auto receive = [](std::uint32_t from) { return fmt::format(" recv {} tag 0 1024B\n", from); };
  std::string text;
  if (rank % 2 == 0) {
    if (rank != 0) text += send(rank - 1);
    text += send(rank + 1) + receive(rank + 1);
    if (rank != 0) text += receive(rank - 1);
  } else {
    if (rank != last) text += receive(rank + 1);
    text += receive(rank - 1) + send(rank - 1);
    if (rank != last) text += send(rank + 1);
  }
  return text + fmt::format(" compute {}ps\n", kSerialPs / jacobi.ranks);
}

// An empty wait ends it, so that the last computation counts.
std::string text_of(const Jacobi& jacobi) {
  std::string text = one_rank_per_node(jacobi.ranks, "");
  for (std::uint32_t rank = 0; rank < jacobi.ranks; ++rank) {
    text += fmt::format("rank {}\n", rank);
    for (std::uint32_t i = 0; i < jacobi.iterations; ++i) text += body_of(jacobi, rank);
    text += " wait\n";
  }
  return text;
}

struct Level {
  std::uint32_t in_flight;
  std::vector<hw::Quantile> quantiles;
};

// No cost but the time on the way: what a send costs its rank is not in the paper's model.
hw::Platform perseus(std::uint32_t ranks, const std::vector<Level>& levels) {
  hw::Platform platform;
  platform.network = hw::NetworkKind::kSampled;
  for (std::uint32_t i = 0; i < ranks; ++i) platform.nodes.emplace_back().name = fmt::format("n{}", i);
  hw::MessageRange range;
  for (const Level& level : levels) range.times.push_back({Bytes{1024}, level.in_flight, 0, "", level.quantiles});
  platform.inside.ranges = platform.between.ranges = {range};
  return platform;
}

std::vector<hw::Quantile> point(Duration t) { return {{0, t}, {1, t}}; }

Duration length(const Program& program, const hw::Platform& platform, std::uint64_t seed = 1) {
  return replay::replay(program, platform, {.mode = Mode::kFree, .seed = seed, .keep_times = false}).end - Time{};
}

TEST(Jacobi, WithoutCommunicationAnIterationTakesItsShareOfTheComputationExactly) {
  for (std::uint32_t ranks = 2; ranks <= 256; ranks *= 2) {
    const Program program = program_of(text_of({.ranks = ranks, .iterations = 10}));
    EXPECT_EQ(length(program, perseus(ranks, {{1, point({})}})).ps, 10 * kSerialPs / ranks) << ranks;
  }
}

TEST(Jacobi, OfTwoRanksAnIterationTakesTwoMessagesAndHalfOfTheComputationExactly) {
  constexpr std::uint32_t kIterations = 50, kOperations = 2;
  const Duration t = Duration{123'456'789};
  const ReplayResult r = run(program_of(text_of({.ranks = 2, .iterations = kIterations})), perseus(2, {{1, point(t)}}));
  for (std::uint32_t i = 0; i < kIterations; ++i)
    EXPECT_EQ(r.times[0][(i + 1) * kOperations].begin - r.times[0][i * kOperations].begin, t * 2 + microseconds(1620));
  EXPECT_EQ(r.end - Time{}, (t * 2 + microseconds(1620)) * kIterations);
}

// Contention as measured on Perseus in kind: the mean of 1 KB at 64 x 1 is 70 % above that of 2 x 1, and single
// messages take ten times as long. 2 x 1 data, then means of n x p, then whole distributions.
TEST(Jacobi, PredictionsFromPingPongsAreBelowThoseFromMeansAndTheseBelowThoseFromDistributions) {
  constexpr std::uint32_t kRanks = 16;
  const Program program = program_of(text_of({.ranks = kRanks, .iterations = 20}));
  const auto distribution = [](double mean_us) -> std::vector<hw::Quantile> {
    const auto us = [&](double share) { return duration_from_seconds(mean_us * share * 1e-6); };
    // Mean: 0.9 * 0.7 + 0.09 * 1.5 + 0.01 * 23.5 = 1.
    return {{0, us(0.6)}, {0.9, us(0.8)}, {0.99, us(2.2)}, {1, us(44.8)}};
  };
  const auto means = [](double mean_us) { return point(duration_from_seconds(mean_us * 1e-6)); };
  const Duration ping_pong = length(program, perseus(kRanks, {{1, means(200)}}));
  const Duration mean = length(program, perseus(kRanks, {{1, means(200)}, {32, means(340)}}));
  std::vector<double> sampled;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    sampled.push_back(
        length(program, perseus(kRanks, {{1, distribution(200)}, {32, distribution(340)}}), seed).seconds());
  const statistics::MeanInterval interval = statistics::interval_of_mean(sampled, 0.999);
  EXPECT_LT(ping_pong, mean);
  EXPECT_LT(mean.seconds(), interval.mean - interval.half_width);
}

TEST(Jacobi, TheSameSeedGivesTheSameBytesAndAnotherOneOthers) {
  constexpr std::uint32_t kRanks = 8;
  const Program program = program_of(text_of({.ranks = kRanks, .iterations = 20}));
  const hw::Platform platform =
      perseus(kRanks, {{1, {{0, microseconds(150)}, {0.9, microseconds(200)}, {1, microseconds(3000)}}},
                       {8, {{0, microseconds(160)}, {0.9, microseconds(400)}, {1, microseconds(9000)}}}});
  const auto bytes = [&](std::uint64_t seed, bool run_ahead) {
    const ReplayResult r =
        replay::replay(program, platform, {.mode = Mode::kFree, .seed = seed, .run_ahead = run_ahead});
    std::string all;
    for (const auto& times : r.times)
      all.append(reinterpret_cast<const char*>(times.data()), times.size() * sizeof(OperationTimes));
    return all;
  };
  EXPECT_EQ(bytes(1, true), bytes(1, true));
  EXPECT_EQ(bytes(1, true), bytes(1, false));
  EXPECT_NE(bytes(1, true), bytes(2, true));
}

std::vector<hw::Quantile> quantiles_of(const statistics::Distribution& distribution) {
  std::vector<hw::Quantile> quantiles;
  for (const statistics::Knot& knot : distribution.knots)
    quantiles.push_back({knot.share, duration_from_seconds(knot.value)});
  return quantiles;
}

// Every draw is within the tolerance of what it would be without bins, and a run is made of sums and maxima.
TEST(Jacobi, BinsChangeTheLengthOfARunByNoMoreThanTheirTolerance) {
  constexpr std::uint32_t kRanks = 8;
  constexpr double kTolerance = 0.02;
  const Program program = program_of(text_of({.ranks = kRanks, .iterations = 20}));
  sim::RandomStream random(1, "times");
  std::vector<double> times;
  for (int i = 0; i < 2000; ++i) times.push_back(1e-4 / (1.02 - random.uniform()));
  std::ranges::sort(times);
  const statistics::Distribution all = statistics::exact(times), few = statistics::binned(times, kTolerance);
  ASSERT_LT(few.knots.size(), 40U);
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const double exact = length(program, perseus(kRanks, {{1, quantiles_of(all)}}), seed).seconds();
    const double binned = length(program, perseus(kRanks, {{1, quantiles_of(few)}}), seed).seconds();
    largest = std::max(largest, std::abs(binned - exact) / exact);
  }
  EXPECT_LE(largest, kTolerance);
  EXPECT_GT(largest, 0);
}

double deviation_of_means(const std::vector<double>& values, std::size_t each) {
  std::vector<double> means;
  for (std::size_t i = 0; i + each <= values.size(); i += each) {
    double sum = 0;
    for (std::size_t k = 0; k < each; ++k) sum += values[i + k];
    means.push_back(sum / static_cast<double>(each));
  }
  double mean = 0, squares = 0;
  for (const double m : means) mean += m / static_cast<double>(means.size());
  for (const double m : means) squares += (m - mean) * (m - mean);
  return std::sqrt(squares / static_cast<double>(means.size() - 1));
}

// 64 means of 16 runs each scatter a quarter as much as single runs. That of 64 normal values is known to +-18 % with
// 95 %; seeds are fixed.
TEST(Jacobi, TheMeanOverSeedsConvergesWithTheRootOfTheirNumber) {
  constexpr std::uint32_t kRanks = 4;
  const Program program = program_of(text_of({.ranks = kRanks, .iterations = 5}));
  const hw::Platform platform = perseus(kRanks, {{1, {{0, microseconds(100)}, {1, microseconds(900)}}}});
  std::vector<double> lengths;
  for (std::uint64_t seed = 0; seed < 1024; ++seed) lengths.push_back(length(program, platform, seed).seconds());
  const double one = deviation_of_means(lengths, 1);
  EXPECT_GT(one, 0);
  EXPECT_NEAR(one / deviation_of_means(lengths, 4), 2, 0.4);
  EXPECT_NEAR(one / deviation_of_means(lengths, 16), 4, 0.8);
}

// ---- Without an answer

std::string without_last(std::string text, const std::string& statement) {
  const std::size_t place = text.rfind(statement);
  return text.erase(place, statement.size());
}

TEST(Jacobi, AReceiveWithoutItsSendIsNamedWithBothPartners) {
  // Rank 1 sends to rank 0 no more in the last iteration.
  const std::string text = without_last(text_of({.ranks = 2, .iterations = 3}), " send 0 tag 0 1024B\n");
  EXPECT_EQ(stuck_text(program_of(text), perseus(2, {{1, point(microseconds(100))}})),
            "the replay cannot finish: 1 of 2 ranks wait for ever\n"
            "  rank 0: operation 5, MPI_Recv: waits for a message from rank 1 (tag 0, communicator 0), which rank 1 "
            "never sends");
}

TEST(Jacobi, ARemovedReceiveHangsWhereItsSendIsARendezvous) {
  hw::Platform platform = perseus(2, {{1, point(microseconds(100))}});
  const std::string text = without_last(text_of({.ranks = 2, .iterations = 3}), " recv 0 tag 0 1024B\n");
  const Program program = program_of(text);
  const ReplayResult eager = run(program, platform);
  EXPECT_EQ(eager.unreceived, 1U);
  platform.between.ranges.front().protocol = hw::Protocol::kRendezvous;
  const std::string stuck = stuck_text(program, platform);
  EXPECT_NE(stuck.find("2 of 2 ranks wait for ever"), stuck.npos) << stuck;
  EXPECT_NE(stuck.find("rank 0 waits for rank 1, rank 1 waits for rank 0"), stuck.npos) << stuck;
}

// The last one is even, and both sends to and receives from a rank that is not there.
TEST(Jacobi, AnOddNumberOfRanksIsRefused) {
  const std::string text = text_of({.ranks = 3, .iterations = 1});
  try {
    program_of(text);
    ADD_FAILURE() << "a message to a rank that is not there";
  } catch (const Error& error) {
    EXPECT_NE(to_string(error.problems().front()).find("3"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumbline::replay::test
