// Validations that cannot go on: a rank that is killed, ranks that do not start any more, disks without room.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

// Settings alone are looked at, so that nothing is measured before the suite.
constexpr char kSuiteAlone[] = R"([[entry]]
name = "messages"
cells = ["ping_pong:bytes=8,repetitions=400"]
)";

class BrokenOff : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
    write("suite.toml", kSuiteAlone);
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(directory_ / name) << text; }

  CommandResult shell(const std::string& line) const { return run_command(line, directory_.path().string(), 180); }

  // `program`: a script; it is told to be the second entry of the suite.
  CommandResult validate(const std::string& options, const std::string& program, const std::string& ranks = "2") {
    const std::string launched = GetParam().launcher + " -n " + ranks + " sh " + program;
    return shell("PATH=$PWD/bin:$PATH " + kPlumbline + " validate --quick --per-node 2 --suite suite.toml --mpi " +
                 GetParam().name + " --only 'mpi.transport.*' --program '" + launched + "' " + options);
  }

  json report(const std::string& of = "out") const {
    std::ifstream file(directory_ / of / "report.json");
    return json::parse(file, nullptr, false);
  }
  static json named(const json& all, const std::string& name) {
    for (const json& each : all)
      if (each["name"] == name) return each;
    return nullptr;
  }

  // That every output is whole: nothing that was begun lies beside it.
  void expect_nothing_half_written(const std::string& of = "out") const {
    for (const auto& entry : fs::recursive_directory_iterator(directory_ / of)) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.find("partial") != std::string::npos || name == "reserve") << entry;
    }
  }

  std::string traced(const std::string& program) const {
    return std::string(BUILD_DIRECTORY) + "/bin/traced/" + GetParam().name + "/" + program;
  }

  const TemporaryDirectory directory_;
};

TEST_P(BrokenOff, ByARankThatIsKilledKeepsWhatWasRecordedAndGoesOnLater) {
  write("app.sh", "[ -e mended ] && exec " + GetParam().example("ring") + "\n" + traced("survive") +
                      " $PWD/counters & app=$!\n"
                      "[ \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = 1 ] && { sleep 1; kill -9 $app; }\n"
                      "wait $app\n");
  write("counters", std::string(65536, '\0'));
  const CommandResult result = validate("-o out", "app.sh");
  EXPECT_EQ(result.status, 6) << text_of(result);
  EXPECT_THAT(result.out, HasSubstr("Broken off (suite): suite program-1 (" + GetParam().name + "): ended with"));
  const json stage = named(report()["stages"], "suite");
  EXPECT_FALSE(stage["complete"]);
  EXPECT_TRUE(stage["cannot_run"]);
  EXPECT_THAT(stage["fault"].get<std::string>(),
              AllOf(HasSubstr("suite program-1"), HasSubstr(": killed"), HasSubstr("/log/")));
  EXPECT_EQ(named(report()["suite"], "messages")["fault"], "") << "it was recorded before, and is judged";
  EXPECT_NE(named(report()["suite"], "program-1")["fault"], "");
  const fs::path suite = directory_ / "out/suite" / GetParam().name;
  EXPECT_FALSE(fs::exists(suite / "program-1/observed")) << "what a killed rank leaves is no run to judge";
  EXPECT_TRUE(fs::exists(directory_ / "out/report.html") && fs::exists(directory_ / "out/junit.xml"));
  expect_nothing_half_written();

  const auto recorded = fs::last_write_time(suite / "messages/observed/traces.otf2");
  write("mended", "");
  const CommandResult again = validate("-o out --resume", "app.sh");
  EXPECT_EQ(again.status, 0) << text_of(again);
  EXPECT_EQ(fs::last_write_time(suite / "messages/observed/traces.otf2"), recorded);
  EXPECT_TRUE(fs::exists(suite / "program-1/observed/traces.otf2"));
}

// The launcher stops to work while the second entry runs, as where a node goes away.
TEST_P(BrokenOff, ByRanksThatDoNotStartAnyMoreSaysSoAndStartsNothingElse) {
  const std::string name = "mpirun." + GetParam().name;
  std::string real = shell("command -v " + name).out;
  real.pop_back();  // the end of the line
  fs::create_directory(directory_ / "bin");
  write("bin/" + name,
        "#!/bin/sh\n[ -e gone ] && { echo 'node n1 does not answer' >&2; exit 1; }\nexec " + real + " \"$@\"\n");
  fs::permissions(directory_ / "bin" / name, fs::perms::owner_all);
  write("app.sh", "touch " + (directory_ / "gone").string() + "; exit 3\n");
  const CommandResult result = validate("-o out --program true", "app.sh", "1");
  EXPECT_EQ(result.status, 6) << text_of(result);
  EXPECT_THAT(result.out, ContainsRegex(GetParam().name + ": 0 of [0-9]+ ranks start now"));
  EXPECT_THAT(named(report()["stages"], "suite")["fault"].get<std::string>(),
              AllOf(HasSubstr("node n1 does not answer"), HasSubstr("--resume")));
  EXPECT_EQ(named(report()["suite"], "program-2"), nullptr) << "nothing is started after that";
  expect_nothing_half_written();
}

INSTANTIATE_TEST_SUITE_P(BothMpis, BrokenOff, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

// A file system of some megabytes, where that can be had.
class SmallDisk : public BrokenOff {
 protected:
  void SetUp() override {
    BrokenOff::SetUp();
    if (IsSkipped()) return;
    fs::create_directory(small_);
    mounted_ = shell("mount -t tmpfs -o size=512m none small").status == 0;
    if (!mounted_) GTEST_SKIP() << "needs the right to mount a tmpfs";
    write("app.sh", "exec " + GetParam().example("ring") + "\n");
  }
  void TearDown() override {
    if (mounted_) shell("umount small");
  }

  const fs::path small_ = directory_ / "small";
  bool mounted_ = false;
};

TEST_P(SmallDisk, IsRefusedBeforeAnythingRunsWithHowMuchIsNeeded) {
  ASSERT_EQ(shell("mount -o remount,size=4m small").status, 0);
  for (const char* options : {"-o small/out", "-o out --io small"}) {
    const CommandResult result = validate(options, "app.sh");
    EXPECT_EQ(result.status, 3) << text_of(result);
    EXPECT_THAT(result.err, AllOf(HasSubstr("small"), HasSubstr("has 4 MiB free, and this needs "),
                                  HasSubstr("free some, or name other directories")));
    EXPECT_FALSE(fs::exists(small_ / "out") || fs::exists(directory_ / "out")) << options;
  }
}

TEST_P(SmallDisk, ThatBecomesFullEndsTheRunWithWhatIsThereAndItGoesOnLater) {
  write("app.sh", "[ -e mended ] || cat /dev/zero >" + (small_ / "filler").string() + " 2>/dev/null\nexec " +
                      GetParam().example("ring") + "\n");
  const CommandResult result = validate("-o small/out --program true", "app.sh", "1");
  EXPECT_EQ(result.status, 6) << text_of(result);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Broken off (suite): "), HasSubstr("its disk is full")));
  const json stage = named(report("small/out")["stages"], "suite");
  EXPECT_THAT(stage["fault"].get<std::string>(), AllOf(HasSubstr("free "), HasSubstr(" MiB, and go on with --resume")));
  EXPECT_EQ(named(report("small/out")["suite"], "program-2"), nullptr);
  EXPECT_TRUE(fs::exists(small_ / "out/suite" / GetParam().name / "messages/observed/traces.otf2"));
  EXPECT_TRUE(fs::exists(small_ / "out/report.html"));
  expect_nothing_half_written("small/out");

  fs::remove(small_ / "filler");
  write("mended", "");
  const CommandResult again = validate("-o small/out --resume", "app.sh", "1");
  EXPECT_EQ(again.status, 0) << text_of(again);
}

INSTANTIATE_TEST_SUITE_P(BothMpis, SmallDisk, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
