// Settings of the runs of a suite, from archives that are written here.

#include "cli/workflows/validate/session/archive_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::ControlVariable;
using ::testing::Field;
using ::testing::UnorderedElementsAre;

// An archive of one rank, with what its tracer tells of the library.
void write_archive(const std::filesystem::path& directory, const std::map<std::string, std::string>& meta) {
  archive::Definitions definitions;
  archive::LocationGroup group{definitions.strings.intern("MPI Rank 0"), 0, {}};
  for (const auto& [name, value] : meta) group.properties["PLUMBLINE::META::" + name] = value;
  definitions.location_groups.push_back(group);
  definitions.system_tree.push_back({definitions.strings.intern("n0"), definitions.strings.intern("node")});
  definitions.locations.push_back({0, definitions.strings.intern("Master thread"), 0, 0, 0});
  archive::Writer writer(directory, Overwrite::kNo);
  writer.begin_location(0);
  writer.end_location();
  writer.finish(definitions);
}

TEST(SettingsOfRuns, AreThoseThatAnyOfThemTells) {
  const test::TemporaryDirectory directory;
  write_archive(directory / "messages", {{"cvar.pml", "ob1"}, {"cvar_source.pml", "environment"}});
  write_archive(directory / "files", {{"cvar.pml", "cm"},
                                      {"cvar_source.pml", "environment"},
                                      {"cvar.fs_ufs_lock_algorithm", "2"},
                                      {"cvar_source.fs_ufs_lock_algorithm", "environment"}});
  const auto is = [](const char* name, const char* value) {
    return testing::AllOf(Field(&ControlVariable::name, name), Field(&ControlVariable::value, value));
  };
  const std::vector<std::filesystem::path> archives = {directory / "messages", directory / "files"};
  EXPECT_THAT(settings_of(archives, "openmpi"),
              UnorderedElementsAre(is("pml", "ob1"), is("fs_ufs_lock_algorithm", "2")));
}

}  // namespace
}  // namespace plumbline::cli::validate
