#include "base/node/consumers.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::node {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void write_stat(const std::filesystem::path& root, int process, const std::string& text) {
  std::filesystem::create_directories(root / "proc" / std::to_string(process));
  std::ofstream(root / "proc" / std::to_string(process) / "stat") << text;
}

// utime 120, stime 30, starttime 5000.
std::string stat_line(const std::string& command) {
  return "7 (" + command + ") R 1 7 7 0 -1 4194560 100 0 0 0 120 30 0 0 20 0 1 0 5000 1000 50 1 2 3\n";
}

TEST(ProcessTimes, AreUserAndSystemTimeBehindACommandWithBlanksAndParentheses) {
  const plumbline::test::TemporaryDirectory root;
  write_stat(root.path(), 7, stat_line("a (b) 1 2"));
  const ProcessTimes times = read_process_times(root.path());
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times.at(7).command, "a (b) 1 2");
  EXPECT_EQ(times.at(7).ticks, 150U);
  EXPECT_EQ(times.at(7).began, 5000U);
}

TEST(ProcessTimes, LeaveOutWhatIsDamagedAndWhatIsNoProcess) {
  const plumbline::test::TemporaryDirectory root;
  write_stat(root.path(), 8, "");
  write_stat(root.path(), 9, "9 (short) R 1");
  write_stat(root.path(), 10, "10 no parenthesis R 1 7 7 0 -1 4194560 100 0 0 0 120 30 0 0 20 0 1 0 5000");
  std::filesystem::create_directories(root / "proc" / "sys");
  EXPECT_THAT(read_process_times(root.path()), IsEmpty());
  EXPECT_THAT(read_process_times(root.path() / "nowhere"), IsEmpty());
}

TEST(ProcessTimes, AreReadOfAnyTextWithoutHarm) {
  const plumbline::test::TemporaryDirectory root;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const std::string good = stat_line("name");
  for (int i = 0; i < 200; ++i) {
    std::string text = good.substr(0, random() % (good.size() + 1));
    for (int k = 0; k < 4 && !text.empty(); ++k) text[random() % text.size()] = static_cast<char>(random());
    write_stat(root.path(), 7, text);
    EXPECT_LE(read_process_times(root.path()).size(), 1U) << text;
  }
}

// Over two seconds of 100 ticks each: half a processor, a fiftieth, one that began anew, one that has come.
TEST(Consumers, AreThoseThatUsedATwentiethOfAProcessor) {
  const ProcessTimes before{{1, {"half", 100, 5}}, {2, {"little", 100, 5}}, {3, {"anew", 100, 5}}};
  const ProcessTimes after{
      {1, {"half", 200, 5}}, {2, {"little", 104, 5}}, {3, {"anew", 300, 6}}, {4, {"come", 300, 7}}};
  EXPECT_THAT(consumers_between(before, after, 2, 100), ElementsAre(Consumer{1, "half", 0.5}));
}

TEST(Consumers, SeenTwiceHaveTheSmallerOfBothShares) {
  EXPECT_THAT(seen_twice({{1, "a", 0.9}, {2, "b", 0.4}, {3, "c", 1}}, {{1, "a", 0.3}, {2, "b", 0.6}, {3, "d", 1}}),
              ElementsAre(Consumer{2, "b", 0.4}, Consumer{1, "a", 0.3}));
}

TEST(Consumers, AreReadBackFromFacts) {
  Facts facts;
  facts.facts = {{"busy.12.command", {"python3", ""}}, {"busy.12.processors", {"0.97", ""}},
                 {"busy.7.command", {"dd", ""}},       {"busy.7.processors", {"1.00", ""}},
                 {"busy.x.processors", {"1", ""}},     {"cpu.online", {"0-1", ""}}};
  EXPECT_THAT(consumers_in(facts), ElementsAre(Consumer{7, "dd", 1.0}, Consumer{12, "python3", 0.97}));
}

TEST(Consumers, LeaveOutLaunchersAndProgramsOfOurs) {
  for (const char* command : {"mpirun.openmpi", "orted", "hydra_pmi_proxy", "plumbline-bench", "slurmstepd"})
    EXPECT_TRUE(is_of_launch(command)) << command;
  for (const char* command : {"python3", "sh", "kworker/0:1", "my-mpirun"})
    EXPECT_FALSE(is_of_launch(command)) << command;
}

// This process computes between both readings, for ten ticks of its own time.
TEST(Consumers, AreSeenOnThisMachine) {
  const ProcessTimes before = read_process_times();
  for (const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 10; std::clock() < end;) continue;
  const ProcessTimes after = read_process_times();
  ASSERT_TRUE(before.contains(::getpid()) && after.contains(::getpid()));
  EXPECT_GE(after.at(::getpid()).ticks, before.at(::getpid()).ticks + 5);
}

}  // namespace
}  // namespace plumbline::node
