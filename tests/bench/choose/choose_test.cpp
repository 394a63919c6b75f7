// The cases of cases.cpp under both MPIs. MPICH waits without giving its core away, so that it gets no more ranks than
// cores.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/bench/mpi_job.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

struct Case {
  const char* name;
  int ranks_openmpi;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class Chooser : public testing::TestWithParam<std::tuple<const char*, Case>> {};

TEST_P(Chooser, DoesAsItSays) {
  const auto& [flavour, each] = GetParam();
  const test::TemporaryDirectory directory;
  test::MpiJob job{flavour};
  if (job.is_openmpi()) job.ranks = each.ranks_openmpi;
  const auto result = test::run_job(
      job, fmt::format("{}/bench-choose-cases-{} {} {}", PLUMBLINE_BIN, flavour, each.name, directory.path().string()));
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

const Case kCases[] = {{"keeps_the_librarys", 2},
                       {"takes_what_is_faster_where_it_is", 2},
                       {"is_the_same_on_every_rank", 3},
                       {"files", 3},
                       {"sizes", 2},
                       {"bad_input", 3},
                       {"calls", 4}};

INSTANTIATE_TEST_SUITE_P(OfBoth, Chooser,
                         testing::Combine(testing::Values(PLUMBLINE_FLAVOURS), testing::ValuesIn(kCases)),
                         [](const auto& instance) {
                           return fmt::format("{}_{}", std::get<0>(instance.param), std::get<1>(instance.param).name);
                         });

}  // namespace
}  // namespace plumbline::bench
