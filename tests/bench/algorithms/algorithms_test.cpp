// Our own collectives against the library's under both MPIs (cases.cpp). MPICH waits without giving its core away, so
// that it gets fewer ranks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/bench/mpi_job.hpp"

namespace plumbline::bench {
namespace {

class OwnCollectives : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(OwnCollectives, MoveTheSameDataAsTheLibrarys) {
  const auto& [flavour, ranks] = GetParam();
  const test::MpiJob job{flavour, ranks};
  if (!job.is_openmpi() && ranks > 5) GTEST_SKIP() << "more ranks spin than there are cores";
  const char* extent = job.is_openmpi() || ranks <= 2 ? "all" : "few";
  const auto result =
      test::run_job(job, fmt::format("{}/bench-algorithms-cases-{} {}", PLUMBLINE_BIN, flavour, extent));
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  std::printf("%s", result.out.c_str());
}

INSTANTIATE_TEST_SUITE_P(OfBoth, OwnCollectives,
                         testing::Combine(testing::Values(PLUMBLINE_FLAVOURS), testing::Range(1, 10)),
                         [](const auto& instance) {
                           return fmt::format("{}_{}", std::get<0>(instance.param), std::get<1>(instance.param));
                         });

}  // namespace
}  // namespace plumbline::bench
