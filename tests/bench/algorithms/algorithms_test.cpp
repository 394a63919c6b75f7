// Our own collectives against the library's under both MPIs (cases.cpp). MPICH waits without giving its core away, so
// that it gets fewer ranks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/support/command.hpp"

namespace plumbline::bench {
namespace {

class OwnCollectives : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(OwnCollectives, MoveTheSameDataAsTheLibrarys) {
  const auto& [flavour, ranks] = GetParam();
  const bool open = std::string(flavour) == "openmpi";
  if (!open && ranks > 5) GTEST_SKIP() << "more ranks spin than there are cores";
  const std::string launcher =
      open ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 "
             "timeout 120 mpirun.openmpi --oversubscribe --bind-to none"
           : "timeout 120 mpirun.mpich";
  const char* extent = open || ranks <= 2 ? "all" : "few";
  const auto result = test::run_command(
      fmt::format("{} -n {} {}/bench-algorithms-cases-{} {}", launcher, ranks, PLUMBLINE_BIN, flavour, extent));
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
