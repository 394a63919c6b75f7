// The cases of cases.cpp under both MPIs, on a disk and in memory.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>

#include "tests/bench/mpi_job.hpp"

namespace plumbline::bench {
namespace {

struct StorageCase {
  const char* name;
  int ranks_openmpi;
};

void PrintTo(const StorageCase& each, std::ostream* out) { *out << each.name; }

class StorageFamilies : public testing::TestWithParam<std::tuple<const char*, const char*, StorageCase>> {};

TEST_P(StorageFamilies, GiveWhatTheySay) {
  const auto& [flavour, parent, each] = GetParam();
  if (!std::filesystem::is_directory(parent)) GTEST_SKIP() << parent << " is not there";
  std::string directory = fmt::format("{}/plumbline-test-XXXXXX", parent);
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  test::MpiJob job{flavour};
  if (job.is_openmpi()) job.ranks = each.ranks_openmpi;
  const auto result =
      test::run_job(job, fmt::format("{}/bench-storage-cases-{} {} {}", PLUMBLINE_BIN, flavour, each.name, directory));
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

constexpr StorageCase kStorageCases[] = {{"calls", 2},  {"seeks", 4},    {"cache", 2}, {"metadata", 3},
                                         {"timing", 3}, {"failures", 3}, {"order", 1}};

std::string name_of_case(const testing::TestParamInfo<StorageFamilies::ParamType>& info) {
  const std::string parent = std::get<1>(info.param);
  return fmt::format("{}_{}_{}", std::get<0>(info.param), parent == "/dev/shm" ? "memory" : "disk",
                     std::get<2>(info.param).name);
}

INSTANTIATE_TEST_SUITE_P(OfBoth, StorageFamilies,
                         testing::Combine(testing::Values(PLUMBLINE_FLAVOURS), testing::Values("/tmp", "/dev/shm"),
                                          testing::ValuesIn(kStorageCases)),
                         name_of_case);

}  // namespace
}  // namespace plumbline::bench
