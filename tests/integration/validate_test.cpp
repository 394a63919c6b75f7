// `plumbline validate` as an administrator types it, with real faults: settings in the environment and in files, a
// launcher of another MPI, bad input, Ctrl-C.

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Long enough to show shared memory from the loopback, short enough for a test.
constexpr char kSuite[] = R"([[entry]]
name = "messages"
cells = ["ping_pong:bytes=8,repetitions=4000", "ping_pong:bytes=64KiB,repetitions=2000"]
)";

class Validate : public testing::Test {
 protected:
  void SetUp() override {
    for (const Flavour& flavour : flavours())
      if (!flavour.installed()) GTEST_SKIP() << flavour.name << " is not installed";
    std::ofstream(directory_ / "suite.toml") << kSuite;
  }

  CommandResult run(const std::string& arguments, const std::string& environment = "") {
    constexpr int kPatience = 600;  // s; ranks of MPICH poll, and take minutes where others have the cores
    return run_command(environment + " " + kPlumbline + " validate -o out " + arguments, directory_.path().string(),
                       kPatience);
  }

  json report() const {
    std::ifstream file(directory_ / "out/report.json");
    return json::parse(file, nullptr, false);
  }

  // The only diagnosis of that id; null: there is none.
  json diagnosis(const std::string& id) const {
    const json all = report();
    for (const json& each : all["diagnoses"])
      if (each["id"] == id) return each;
    return nullptr;
  }

  const TemporaryDirectory directory_;
};

// Only settings are looked at, so that nothing needs a platform.
constexpr char kSettingsAlone[] = "--quick --suite suite.toml --only 'mpi.transport.*' ";

TEST_F(Validate, NamesWhoHasSwitchedSharedMemoryOffInTheEnvironment) {
  const CommandResult result = run(std::string(kSettingsAlone) + "--mpi openmpi", "OMPI_MCA_btl=tcp,self");
  ASSERT_EQ(result.status, 1) << text_of(result);
  EXPECT_THAT(result.out, HasSubstr("OMPI_MCA_btl"));
  const json found = diagnosis("mpi.transport.no-shared-memory");
  ASSERT_TRUE(found.is_object()) << report();
  EXPECT_EQ(found["origin"]["how"], "environment");
  EXPECT_EQ(found["origin"]["file"], "OMPI_MCA_btl");
  EXPECT_EQ(found["remedy"]["openmpi"], json({"unset OMPI_MCA_btl"}));
  EXPECT_GT(found["cost_s"], 0.0);
  EXPECT_GT(found["cost_share"], 0.3) << "a round trip through TCP takes many times that through memory";
}

TEST_F(Validate, NamesTheLineOfTheFileThatSwitchesItOff) {
  std::ofstream(directory_ / "mca.conf") << "# of this site\npml = ob1\nbtl = tcp,self\n";
  const std::string file = (directory_ / "mca.conf").string();
  const CommandResult result =
      run(std::string(kSettingsAlone) + "--mpi openmpi", "OMPI_MCA_mca_base_param_files=" + file);
  ASSERT_EQ(result.status, 1) << text_of(result);
  const json found = diagnosis("mpi.transport.no-shared-memory");
  ASSERT_TRUE(found.is_object()) << report();
  EXPECT_EQ(found["origin"]["file"], file);
  EXPECT_EQ(found["origin"]["line"], 3);
  EXPECT_EQ(found["remedy"]["openmpi"], json({"remove line 3 of " + file}));
}

TEST_F(Validate, NamesItUnderMpichToo) {
  const CommandResult result = run(std::string(kSettingsAlone) + "--mpi mpich", "UCX_TLS=tcp");
  ASSERT_EQ(result.status, 1) << text_of(result);
  const json found = diagnosis("mpi.transport.no-shared-memory");
  ASSERT_TRUE(found.is_object()) << report();
  EXPECT_EQ(found["origin"]["file"], "UCX_TLS");
}

// Pieces of 64 B of two ranks in turn, each written by itself.
TEST_F(Validate, FindsHintsThatSplitWritesAndMeasuresWhatItsAdviceSaves) {
  std::ofstream(directory_ / "suite.toml") << R"([[entry]]
name = "strided"
cells = ["write_level3:calls=100,piece=64"]
hints = {romio_cb_write = "disable", romio_ds_write = "disable"}
)";
  const CommandResult result = run("--quick --suite suite.toml --mpi mpich --only 'io.hints.*' --try-advice");
  ASSERT_EQ(result.status, 1) << text_of(result);
  const json found = diagnosis("io.hints.collective-buffering");
  ASSERT_TRUE(found.is_object()) << report();
  EXPECT_EQ(found["remedy"]["lines"], json({"romio_cb_write=enable"}));
  EXPECT_TRUE(found["retests"][0]["persists"]);
  const double predicted = found["predicted_gain_s"], measured = found["measured_gain_s"];
  EXPECT_LT(predicted, 3 * measured);
  EXPECT_LT(measured, 3 * predicted);
  EXPECT_TRUE(std::filesystem::exists(directory_ / "out/tuned/romio-hints"));
}

TEST_F(Validate, OfASettingThatCostsNothingMakesNoFinding) {
  const CommandResult result =
      run("--quick --suite suite.toml --only 'mpi.*' --mpi openmpi", "OMPI_MCA_mpi_leave_pinned=0");
  const json all = report();
  EXPECT_TRUE(all["diagnoses"].empty()) << text_of(result) << all["diagnoses"];
  const auto is_told = [](const json& each) { return each["component"] == "mpi_leave_pinned" && !each["explained"]; };
  EXPECT_TRUE(std::ranges::any_of(all["observations"], is_told)) << "but it is told: " << all["observations"];
}

// Rules are judged by times, which of ranks on one core hold that they wait for each other.
TEST_F(Validate, MeasuresNoRuleWhereTheRanksShareACore) {
  std::ofstream(directory_ / "suite.toml")
      << "[[entry]]\nname = \"messages\"\ncells = [\"ping_pong:repetitions=10\"]\n";
  const CommandResult result = run("--quick --suite suite.toml --mpi mpich --only 'rule.*'", "taskset -c 0");
  EXPECT_EQ(result.status, 5) << "nothing could be judged\n" << text_of(result);
  const json all = report();
  std::size_t rules = 0;
  for (const json& check : all["checks"])
    if (check["state"] == "not judged" && check["reason"] == "2 ranks share 1 core") ++rules;
  EXPECT_GT(rules, 20U) << all["checks"];
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out/rules-mpich.h5"));
}

TEST_F(Validate, TellsAtOnceOfALauncherOfTheOtherMpi) {
  const CommandResult result = run("--quick --mpi openmpi --launcher 'mpirun.mpich -n 2'");
  EXPECT_EQ(result.status, 6) << text_of(result);
  EXPECT_THAT(result.out, HasSubstr("rank 0 of 1"));
  EXPECT_TRUE(diagnosis("launch.world.size")["fatal"]);
  EXPECT_TRUE(report()["suite"].empty()) << "nothing is measured on top of that";
  EXPECT_TRUE(std::filesystem::exists(directory_ / "out/junit.xml"));
  EXPECT_TRUE(std::filesystem::exists(directory_ / "out/report.html"));
}

TEST_F(Validate, OfALauncherThatFailsSaysWhatItSaid) {
  const CommandResult result = run("--quick --mpi openmpi --launcher false");
  EXPECT_EQ(result.status, 6) << text_of(result);
  EXPECT_THAT(result.err, HasSubstr("openmpi: the ranks could not be started (--launcher)"));
  EXPECT_THAT(result.err, HasSubstr("try the launcher by hand"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out/report.json"));
}

// The ranks of the suite say what they say when a byte differs, and end so.
TEST_F(Validate, TellsFirstThatTheSuiteFoundWrongData) {
  const std::string start = (directory_ / "start").string();
  std::ofstream(start) << R"(case "$*" in
*ping_pong*) echo 'plumbline-suite: rank 1: ping_pong: wrong data: byte 3 is 1, not 2' >&2; exit 1 ;;
esac
exec "$@"
)";
  const CommandResult result = run("--quick --suite suite.toml --only 'data.wrong' --mpi openmpi --launcher '" +
                                   flavours().front().launcher + " -n 2 sh " + start + "'");
  EXPECT_EQ(result.status, 1) << text_of(result);
  EXPECT_THAT(result.out, HasSubstr("The suite found wrong data: rank 1: ping_pong: byte 3 is 1, not 2"));
  const json all = report();
  ASSERT_EQ(all["diagnoses"].size(), 1U) << all["diagnoses"];
  EXPECT_EQ(all["diagnoses"][0]["id"], "data.wrong");
  EXPECT_EQ(all["diagnoses"][0]["component"], "messages of openmpi");
  EXPECT_THAT(all["suite"][0]["fault"].get<std::string>(), HasSubstr("wrong data: rank 1"));
}

// The file chooses a component that there is not, and the environment another one: it cannot be left out.
TEST_F(Validate, NamesASettingBesideOneThatRanksCannotDoWithout) {
  std::ofstream(directory_ / "mca.conf") << "pml = nosuch\n";
  const CommandResult result = run(std::string(kSettingsAlone) + "--mpi openmpi",
                                   "OMPI_MCA_mca_base_param_files=" + (directory_ / "mca.conf").string() +
                                       " OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self");
  EXPECT_EQ(result.status, 1) << text_of(result);
  const json found = diagnosis("mpi.transport.no-shared-memory");
  ASSERT_TRUE(found.is_object()) << report();
  EXPECT_EQ(found["origin"]["file"], "OMPI_MCA_btl");
  const json notes = report()["notes"];
  EXPECT_THAT(notes.dump(), HasSubstr("what pml costs with openmpi could not be measured: without it"));
}

TEST_F(Validate, OfBadInputSaysWhereAndWhatToDo) {
  std::ofstream(directory_ / "cells.toml") << "[[entry]]\nname = \"a\"\ncells = [\"ping_pongg\"]\n";
  std::ofstream(directory_ / "base.json") << "{}";
  std::ofstream(directory_ / "known.txt") << "net.link.rat  # known\n";
  const struct {
    std::string arguments;
    int status;
    std::string text;
  } cases[] = {{"--only net.link.rat", 2, "net.link.rate"},
               {"--suite cells.toml", 3, "cells.toml:3"},
               {"--baseline base.json", 3, "base.json"},
               {"--suppress known.txt", 3, "known.txt:1"},
               {"--quick --full", 2, "exclude each other"}};
  for (const auto& each : cases) {
    const CommandResult result = run(each.arguments);
    EXPECT_EQ(result.status, each.status) << each.arguments << "\n" << text_of(result);
    EXPECT_THAT(result.err, HasSubstr(each.text)) << each.arguments;
  }
}

TEST_F(Validate, DoesNotBeginAnewInADirectoryThatHoldsSomething) {
  std::filesystem::create_directories(directory_ / "out");
  std::ofstream(directory_ / "out/precious") << "1";
  const CommandResult result = run("--quick");
  EXPECT_EQ(result.status, 3) << text_of(result);
  EXPECT_THAT(result.err, HasSubstr("--resume"));
}

TEST_F(Validate, ThatIsStoppedReportsWhatThereIs) {
  const CommandResult result =
      run_command("timeout --signal=INT 6 " + kPlumbline + " validate -o out --quick --mpi openmpi",
                  directory_.path().string(), 60);
  EXPECT_EQ(result.status, 124) << text_of(result);
  EXPECT_TRUE(report()["interrupted"]) << text_of(result);
  EXPECT_THAT(result.out, HasSubstr("nterrupted"));
}

}  // namespace
}  // namespace plumbline::test
