// The storage of this machine through both MPIs, from a plan to a platform. Which figures come out is not asserted.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/quantity.hpp"
#include "bench/results/plan.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/results/stream.hpp"
#include "hwmodels/calibrate/storage/cells.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::hw::calibration {
namespace {

bench::Plan plan_of_storage(const std::string& directory) {
  bench::Plan plan{5, {}};
  for (const std::string& family : {bench::cells::kStorageCalls, bench::cells::kStorageSeek,
                                    bench::cells::kStorageCache, bench::cells::kStorageMetadata}) {
    bench::Request& request = plan.requests.emplace_back();
    request.operation = family;
    request.sizes = {0};
    request.words["directory"] = directory;
    request.effort.budget_s = 0.1;
    if (family != bench::cells::kStorageMetadata) request.numbers["most_mib"] = 32;
    if (family == bench::cells::kStorageCalls) request.sizes = {4096, 65'536, 1 << 20};
    if (family == bench::cells::kStorageSeek) request.sizes = {4096, 65'536};
  }
  return plan;
}

class StorageHere : public testing::TestWithParam<const char*> {};

TEST_P(StorageHere, BecomesAPlatformThatCanBeRead) {
  const std::string flavour = GetParam();
  const plumbline::test::TemporaryDirectory directory;
  const std::string data = (directory / "data").string();
  std::filesystem::create_directory(data);
  bench::write_plan(plan_of_storage(data), directory / "plan");
  const std::string launcher = flavour == "openmpi" ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                                      "OMPI_MCA_mpi_yield_when_idle=1 mpirun.openmpi --oversubscribe"
                                                    : "mpirun.mpich";
  const auto result = plumbline::test::run_command(fmt::format("{} -n 2 {}/plumbline-bench-ranks-{} {} {}", launcher,
                                                               PLUMBLINE_LIB, flavour, (directory / "plan").string(),
                                                               (directory / "stream").string()));
  ASSERT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(data)) << "files are left";

  bench::Campaign campaign;
  EXPECT_THAT(bench::read_stream(directory / "stream", campaign), testing::ElementsAre(0, 1, 2, 3));
  Calibration into;
  Node& node = into.platform.nodes.emplace_back();
  node.name = "here";
  node.memory_rate.value = node.interface_rate.value = {10'000'000'000};
  into.platform.inside.ranges.emplace_back();
  fit_storage_cells(campaign, "bench storage", into);
  ASSERT_EQ(into.platform.file_systems.size(), 1U) << testing::PrintToString(into.notes);
  const std::string xml = to_xml(into.platform);
  EXPECT_EQ(parse_platform(xml, "written"), into.platform);
  std::printf("%s", xml.c_str());
  for (const std::string& note : into.notes) std::printf("%s\n", note.c_str());
  for (const std::string& note : campaign.notes) std::printf("%s\n", note.c_str());
}

INSTANTIATE_TEST_SUITE_P(OfBoth, StorageHere, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace plumbline::hw::calibration
