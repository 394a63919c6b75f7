// methods_cases.cpp under both MPIs. MPICH waits without giving its core away, so that it gets no more ranks than
// cores.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/bench/mpi_job.hpp"

namespace plumbline::bench {
namespace {

class TimingMethods : public testing::TestWithParam<test::MpiJob> {};

std::string name_of_job(const testing::TestParamInfo<test::MpiJob>& info) {
  return fmt::format("{}_{}_ranks", info.param.flavour, info.param.ranks);
}

TEST_P(TimingMethods, GiveEveryRepetitionItsTimeByDefinition) {
  const test::MpiJob& job = GetParam();
  const auto result =
      test::run_job(job, fmt::format("{}/bench-methods-cases-{} definitions", PLUMBLINE_BIN, job.flavour));
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  std::printf("%s", result.out.c_str());
}

std::vector<test::MpiJob> jobs() {
  std::vector<test::MpiJob> all;
  for (const char* flavour : {PLUMBLINE_FLAVOURS}) {
    all.push_back({flavour, 2});
    if (all.back().is_openmpi()) all.push_back({flavour, 4});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(OfBoth, TimingMethods, testing::ValuesIn(jobs()), name_of_job);

}  // namespace
}  // namespace plumbline::bench
