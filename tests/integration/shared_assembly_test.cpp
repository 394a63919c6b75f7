// What several processes make of the spools of real programs is what one makes of them, to the byte.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

struct Program {
  const char *name, *arguments;
  int ranks;
};

std::ostream& operator<<(std::ostream& out, const Program& program) { return out << program.name; }

class SharedAssembly : public testing::TestWithParam<std::tuple<Flavour, Program>> {
 protected:
  CommandResult run(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }

  void expect_the_same(const std::string& name, const CommandResult& assembled) {
    ASSERT_EQ(assembled.status, 0) << text_of(assembled);
    const CommandResult same = run_command("diff -r by-1 " + name, directory_.path());
    EXPECT_EQ(same.status, 0) << text_of(same);
  }

  TemporaryDirectory directory_;
};

TEST_P(SharedAssembly, MakesTheSameArchive) {
  const auto& [flavour, program] = GetParam();
  if (!flavour.installed()) GTEST_SKIP() << "mpirun." << flavour.name << " is not installed";
  const std::string path = std::string(BUILD_DIRECTORY) + "/bin/traced/" + flavour.name + "/" + program.name;
  std::filesystem::create_directory(directory_ / "work");
  const CommandResult recorded = run("record --keep-spool --spool spools -o obs -- " + flavour.launcher + " -n " +
                                     std::to_string(program.ranks) + " " + path + " " + program.arguments);
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  ASSERT_EQ(run("assemble spools -o by-1 --jobs 1").status, 0);
  for (const std::string jobs : {"2", "3", "5"})
    expect_the_same("by-" + jobs, run("assemble spools -o by-" + jobs + " --jobs " + jobs));
  const std::string assemble = kPlumbline + " assemble spools -o launched";
  expect_the_same("launched", run_command(flavour.run(4, assemble), directory_.path(), 60));
}

constexpr Program kPrograms[] = {{"collectives", "", 4}, {"comm_orders", "", 4}, {"files", "work", 2},
                                 {"neighbours", "", 3},  {"rma", "", 3},         {"persistent", "", 2},
                                 {"threads", "", 2}};

INSTANTIATE_TEST_SUITE_P(Mpi, SharedAssembly,
                         testing::Combine(testing::ValuesIn(flavours()), testing::ValuesIn(kPrograms)),
                         [](const auto& each) {
                           return std::get<0>(each.param).name + "_" + std::get<1>(each.param).name;
                         });

}  // namespace
}  // namespace plumbline::test
