// The cases of cases.cpp under both MPIs. MPICH waits without giving its core away, so that it gets no more ranks than
// cores, but for what is about the number of ranks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/bench/mpi_job.hpp"

namespace plumbline::bench {
namespace {

struct Case {
  const char* name;
  int ranks_openmpi, ranks_mpich;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class MeasuringLibrary : public testing::TestWithParam<std::tuple<const char*, Case>> {};

TEST_P(MeasuringLibrary, DoesAsItSays) {
  const auto& [flavour, each] = GetParam();
  test::MpiJob job{flavour};
  job.ranks = job.is_openmpi() ? each.ranks_openmpi : each.ranks_mpich;
  const auto result =
      test::run_job(job, fmt::format("{}/bench-library-cases-{} {}", PLUMBLINE_BIN, flavour, each.name));
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  if (!result.out.empty()) std::printf("%s", result.out.c_str());
}

const Case kCases[] = {{"ranks", 3, 2},   {"stopping", 2, 2}, {"windows", 2, 2}, {"failures", 3, 2},
                       {"barrier", 5, 3}, {"clocks", 5, 3},   {"one_node", 3, 2}};

INSTANTIATE_TEST_SUITE_P(OfBoth, MeasuringLibrary,
                         testing::Combine(testing::Values(PLUMBLINE_FLAVOURS), testing::ValuesIn(kCases)),
                         [](const auto& instance) {
                           return fmt::format("{}_{}", std::get<0>(instance.param), std::get<1>(instance.param).name);
                         });

}  // namespace
}  // namespace plumbline::bench
