// Limits of a recording as a user sets them, through every way of starting, to what a replay says of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

class LimitedRecording : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
    std::ofstream(directory_ / "platform.xml") << one_node_platform();
  }

  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }
  std::string ring() const { return GetParam().example("ring"); }
  bool has(const std::string& text, const std::string& part) const { return text.find(part) != std::string::npos; }

  TemporaryDirectory directory_;
};

TEST_P(LimitedRecording, LeftOutRanksAreNamedUpToTheReplay) {
  const CommandResult recorded = plumbline("record -o obs --ranks 0-1 -- " + GetParam().run(3, ring()));
  EXPECT_EQ(recorded.status, 0) << text_of(recorded);
  EXPECT_TRUE(has(recorded.err, "1 of 3 ranks were left out by --ranks: 2")) << text_of(recorded);
  const CommandResult info = plumbline("info obs");
  EXPECT_TRUE(has(info.out, "messages to and from them have no other end")) << text_of(info);
  const CommandResult replayed = plumbline("replay obs -p platform.xml -o exp");
  EXPECT_TRUE(replayed.status == 0 || has(replayed.err, "(--ranks)")) << text_of(replayed);
}

TEST_P(LimitedRecording, AWindowIsMentionedWhereItLeftSomethingOut) {
  ASSERT_EQ(plumbline("record -o most --window :1h -- " + GetParam().run(2, ring())).status, 0);
  EXPECT_FALSE(has(plumbline("info most").out, "--window"));
  const CommandResult none = plumbline("record -o none --window 10min: -- " + GetParam().run(2, ring()));
  EXPECT_TRUE(has(none.err, "only 600s: after MPI_Init was recorded (--window)")) << text_of(none);
  EXPECT_TRUE(has(plumbline("info none").out, "incomplete: only 600s: after MPI_Init was recorded (--window)"));
}

TEST_P(LimitedRecording, KeepersAndRanksGetTheSameLimits) {
  const std::string hosts = GetParam().name == "openmpi" ? " --host localhost:2" : " -hosts localhost";
  const CommandResult kept =
      plumbline("record -o kept --ranks 1 -- " + GetParam().launcher + hosts + " -n 2 " + ring());
  EXPECT_TRUE(has(kept.err, "1 of 2 ranks were left out by --ranks: 0")) << text_of(kept);

  const CommandResult ranks =
      run_command(GetParam().launcher + " -n 2 " + kPlumbline + " record --rank --spool spools --ranks 1 -- " + ring(),
                  directory_.path());
  EXPECT_EQ(ranks.status, 0) << text_of(ranks);
  const CommandResult assembled = plumbline("assemble spools -o obs");
  EXPECT_TRUE(has(assembled.err, "1 of 2 ranks were left out by --ranks: 0")) << text_of(assembled);
}

TEST_P(LimitedRecording, AnAnonymousArchiveReplaysLikeTheOther) {
  const std::string jacobi =
      GetParam().example("jacobi") + " --rows 64 --columns 64 --iterations 20 --every 10 --file SECRETcheckpoint.dat";
  const CommandResult recorded = plumbline("record -o obs --anonymize --spool spools -- " + GetParam().run(2, jacobi));
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  ASSERT_EQ(plumbline("assemble spools -o open").status, 0);
  EXPECT_EQ(run_command("grep -rqa SECRET open", directory_.path()).status, 0);
  EXPECT_NE(run_command("grep -rqa -e SECRET -e jacobi obs", directory_.path()).status, 0);
  const CommandResult operations = plumbline("info --operations open"), hidden = plumbline("info --operations obs");
  EXPECT_EQ(std::count(hidden.out.begin(), hidden.out.end(), '\n'),
            std::count(operations.out.begin(), operations.out.end(), '\n'));
  EXPECT_EQ(plumbline("replay obs -p platform.xml -o exp").status, 0);
}

INSTANTIATE_TEST_SUITE_P(Mpi, LimitedRecording, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

TEST(LimitedRecordingOptions, ASizeIsALimitOfServersToo) {
  const TemporaryDirectory directory;
  const CommandResult result = run_command(
      kPlumbline + " record --server --max-size 4MiB --keep last -o served -- dd if=/dev/zero of=x bs=1 count=200000",
      directory.path());
  EXPECT_EQ(result.status, 0) << text_of(result);
  EXPECT_NE(result.err.find("older calls gave way to newer ones"), std::string::npos) << text_of(result);
  EXPECT_NE(result.err.find("after its start (--keep last)"), std::string::npos) << text_of(result);
}

TEST(LimitedRecordingOptions, ThatMeanNothingAreWrongUse) {
  const TemporaryDirectory directory;
  for (const char* wrong :
       {"--max-size 1MiB", "--max-size 100", "--keep last", "--max-size 4MiB --keep some", "--ranks 1,,2",
        "--ranks 3-1", "--window 10s", "--window 2s:1s", "--window 1:2", "--rank --spool s --anonymize",
        "--stay --anonymize", "--server --ranks 1", "--server --gather g --anonymize"}) {
    const CommandResult result =
        run_command(kPlumbline + " record -o obs " + wrong + " -- mpirun ./a", directory.path());
    EXPECT_EQ(result.status, 2) << wrong << "\n" << text_of(result);
  }
}

}  // namespace
}  // namespace plumbline::test
