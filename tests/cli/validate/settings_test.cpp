#include "cli/workflows/validate/session/archive_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Observation;
using replay::validate::Origin;
using testing::ElementsAre;
using testing::IsEmpty;

Observation set_by(const Origin& origin) {
  Observation observation;
  observation.component = "btl";
  observation.origin = origin;
  return observation;
}

TEST(Removal, OfAVariableOfTheEnvironmentIsItsAbsence) {
  const test::TemporaryDirectory directory;
  const Observation btl = set_by({"environment", "OMPI_MCA_btl", 0});
  ::setenv("OMPI_MCA_btl", "tcp,self", 1);
  EXPECT_THAT(removal_of({&btl}, directory.path()), ElementsAre("OMPI_MCA_btl="));
  ::unsetenv("OMPI_MCA_btl");
  EXPECT_THAT(removal_of({&btl}, directory.path()), IsEmpty()) << "then the launcher or the library has set it";
}

TEST(Removal, OfALineOfAFileIsTheFileWithoutIt) {
  const test::TemporaryDirectory directory;
  const auto file = directory / "mca-params.conf", other = directory / "system.conf";
  std::ofstream(file) << "# ours\nbtl = tcp,self\npml = ob1\n";
  std::ofstream(other) << "mtl = ^ofi\n";
  ::setenv("OMPI_MCA_mca_base_param_files", (file.string() + ":" + other.string()).c_str(), 1);
  const Observation btl = set_by({"file", file.string(), 2});
  const auto changes = removal_of({&btl}, directory.path());
  ::unsetenv("OMPI_MCA_mca_base_param_files");
  const auto copy = directory / "without-lines-0.conf";
  EXPECT_THAT(changes, ElementsAre("OMPI_MCA_mca_base_param_files=" + copy.string() + ":" + other.string()));
  std::ifstream without(copy);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(without), {}), "# ours\npml = ob1\n");
}

TEST(Removal, IsNotPossibleOfADefaultOrOfACommandLine) {
  const test::TemporaryDirectory directory;
  const Observation unset = set_by({"default", "", 0}), asked = set_by({"command line", "", 0}), unknown;
  for (const Observation* each : {&unset, &asked, &unknown}) {
    EXPECT_FALSE(can_be_removed(*each));
    EXPECT_THAT(removal_of({each}, directory.path()), IsEmpty());
  }
}

TEST(Removal, OfSeveralLinesOfAFileIsOneFileWithoutAllOfThem) {
  const test::TemporaryDirectory directory;
  const auto file = directory / "mca-params.conf";
  std::ofstream(file) << "btl = tcp,self\npml = ob1\nmtl = ofi\n";
  ::setenv("OMPI_MCA_mca_base_param_files", file.c_str(), 1);
  ::setenv("OMPI_MCA_osc", "rdma", 1);
  const Observation first = set_by({"file", file.string(), 1}), third = set_by({"file", file.string(), 3}),
                    variable = set_by({"environment", "OMPI_MCA_osc", 0});
  const auto changes = removal_of({&first, &variable, &third}, directory.path());
  ::unsetenv("OMPI_MCA_osc");
  ::unsetenv("OMPI_MCA_mca_base_param_files");
  const auto copy = directory / "without-lines-0.conf";
  EXPECT_THAT(changes, ElementsAre("OMPI_MCA_mca_base_param_files=" + copy.string(), "OMPI_MCA_osc="));
  std::ifstream without(copy);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(without), {}), "pml = ob1\n");
}

}  // namespace
}  // namespace plumbline::cli::validate
