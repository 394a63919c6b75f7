#include "viewer/server/whatif/whatif.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::viewer {
namespace {

using Options = std::vector<std::string>;
using State = WhatIfRun::State;
using testing::HasSubstr;

std::vector<WhatIfChoice> choices() {
  return {{"hint cb", "collective buffering", "hint.romio_cb_write", "enable", 0},
          {"rate", "rate of link a", "link.a.rate", "10Gbit/s", std::nullopt, WhatIfChoice::Values::kNumber}};
}

TEST(WhatIfOptions, AreThoseOfTheChoicesAlone) {
  EXPECT_EQ(fault_of(choices(), Options{"--set", "hint.romio_cb_write=enable"}), std::nullopt);
  EXPECT_EQ(fault_of(choices(), Options{"--set", "hint.romio_cb_write=enable", "--set", "link.a.rate=10Gbit/s"}),
            std::nullopt);
  for (const char* rate : {"1", "2.5Gbit/s", "100MB/s", "50%"})
    EXPECT_EQ(fault_of(choices(), Options{"--set", std::string("link.a.rate=") + rate}), std::nullopt) << rate;
}

TEST(WhatIfOptions, AnythingElseIsRefused) {
  const std::vector<Options> bad = {{},
                                    {"--set"},
                                    {"-o", "/etc/passwd"},
                                    {"--set", "hint.romio_cb_write=disable"},
                                    {"--set", "hint.romio_cb_write"},
                                    {"--set", "hint.romio_cb_write=enable", "-o"},
                                    {"--set", "hint.romio_cb_write=enable", "--times", "/tmp/x"},
                                    {"--set", "link.b.rate=1Gbit/s"},
                                    {"--set", "link.a.rate="},
                                    {"--set", "link.a.rate=-1"},
                                    {"--set", "link.a.rate=1 -o x"},
                                    {"--set", "link.a.rate=" + std::string(40, '1')},
                                    {"--set", "link.a.rate=1", "--set", "link.a.rate=2"},
                                    {"--set", ""},
                                    {"--set", "="}};
  for (const Options& options : bad) EXPECT_TRUE(fault_of(choices(), options)) << testing::PrintToString(options);
}

// The command is a script of the test, which gets the arguments of `plumbline replay`.
class Running : public testing::Test {
 protected:
  void script(const std::string& text) {
    std::ofstream(directory_ / "script") << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(directory_ / "script", std::filesystem::perms::owner_all);
    const WhatIfCommand command{
        (directory_ / "script").string(), {"replay", "obs", "-p", "platform.xml"}, directory_.path()};
    what_ifs_ = std::make_unique<WhatIfs>(
        command, choices(), [this](std::uint32_t number, const std::filesystem::path& file) { take(number, file); },
        [this](std::uint32_t number) { times_.erase(number); });
  }

  void take(std::uint32_t number, const std::filesystem::path& file) {
    std::string text;
    std::getline(std::ifstream(file), text);
    if (text != "times") throw std::runtime_error("these are no times: " + text);
    times_.insert(number);
  }

  std::uint32_t start() { return what_ifs_->start({"--set", "hint.romio_cb_write=enable"}).value_or(0); }

  const WhatIfRun& run(std::uint32_t number) { return *what_ifs_->find(number); }

  // False where it takes longer than any machine should.
  bool until(const std::function<bool()>& holds) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      what_ifs_->poll();
    }
    return true;
  }
  bool until_over(std::uint32_t number) {
    return until([&] { return run(number).state != State::kRunning && run(number).state != State::kWaiting; });
  }

  // ${11} is the file after --times: replay obs -p platform.xml --set NAME=VALUE --json --times FILE --progress 3
  const std::string writes_ =
      "echo times > \"$9\"; echo '{\"unchanged_ps\": 1000, \"outcomes\": [{\"length_ps\": 700}]}'";
  test::TemporaryDirectory directory_;
  std::set<std::uint32_t> times_;
  std::unique_ptr<WhatIfs> what_ifs_;
};

TEST_F(Running, ARunTellsItsLengthAndWhatItSaves) {
  script("[ \"$*\" = \"replay obs -p platform.xml --set hint.romio_cb_write=enable --json --times " +
         (directory_ / "whatif-1").string() + " --progress 3\" ] || exit 9\n" + writes_);
  ASSERT_EQ(start(), 1U);
  ASSERT_TRUE(until_over(1));
  EXPECT_EQ(run(1).state, State::kDone) << run(1).error;
  EXPECT_EQ(run(1).title, "collective buffering");
  EXPECT_EQ(run(1).length, picoseconds(700));
  EXPECT_EQ(run(1).saved, picoseconds(300));
  EXPECT_EQ(run(1).progress, 1.0);
  EXPECT_EQ(times_, std::set<std::uint32_t>{1});
  EXPECT_FALSE(std::filesystem::exists(directory_ / "whatif-1")) << "what was read is removed";
  EXPECT_FALSE(what_ifs_->is_busy());
}

TEST_F(Running, ProgressIsTheLastWholeLine) {
  script("printf 'progress 1 4\\nprogress 3 4\\nprogress 4' >&3; sleep 60");
  start();
  ASSERT_TRUE(until([&] { return run(1).progress > 0.5; }));
  EXPECT_EQ(run(1).progress, 0.75);
  EXPECT_EQ(run(1).state, State::kRunning);
}

TEST_F(Running, AFailureTellsWhatTheReplaySaid) {
  script(
      "echo 'plumbline: replaying 50 %, 3 s left' >&2; echo 'plumbline: link.a.rate: is no rate; for example 1Gbit/s' "
      ">&2; exit 3");
  start();
  ASSERT_TRUE(until_over(1));
  EXPECT_EQ(run(1).state, State::kFailed);
  EXPECT_EQ(run(1).error, "link.a.rate: is no rate; for example 1Gbit/s");
}

TEST_F(Running, AReplayThatDiesIsAFailure) {
  script("kill -SEGV $$");
  start();
  ASSERT_TRUE(until_over(1));
  EXPECT_EQ(run(1).state, State::kFailed);
  EXPECT_THAT(run(1).error, HasSubstr("signal"));
}

TEST_F(Running, AnAnswerThatIsNoneIsAFailure) {
  script("echo nonsense");
  start();
  ASSERT_TRUE(until_over(1));
  EXPECT_EQ(run(1).state, State::kFailed);
  script("echo other > \"$9\"; echo '{\"unchanged_ps\": 1000, \"outcomes\": [{\"length_ps\": 700}]}'");
  start();
  ASSERT_TRUE(until_over(1));
  EXPECT_EQ(run(1).error, "these are no times: other");
}

TEST_F(Running, ACommandThatIsNotThereIsAFailure) {
  script("true");
  std::filesystem::remove(directory_ / "script");
  start();
  EXPECT_EQ(run(1).state, State::kFailed);
  EXPECT_THAT(run(1).error, HasSubstr("cannot be started"));
}

TEST_F(Running, CancelLeavesNoChild) {
  script("echo times > \"$9\"; sleep 60");
  start();
  const pid_t child = what_ifs_->child();
  ASSERT_GT(child, 0);
  ASSERT_EQ(::kill(child, 0), 0);
  what_ifs_->cancel(1);
  EXPECT_EQ(run(1).state, State::kCancelled);
  EXPECT_EQ(::kill(child, 0), -1) << "it was reaped";
  EXPECT_EQ(what_ifs_->child(), 0);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "whatif-1"));
}

TEST_F(Running, TheEndLeavesNoChild) {
  script("sleep 60");
  start();
  const pid_t child = what_ifs_->child();
  what_ifs_.reset();
  EXPECT_EQ(::kill(child, 0), -1);
}

TEST_F(Running, OneRunsAtATimeAndTheOthersWait) {
  script("while [ ! -e " + (directory_ / "go").string() + " ]; do sleep 0.01; done; " + writes_);
  start(), start(), start();
  EXPECT_EQ(run(1).state, State::kRunning);
  EXPECT_EQ(run(2).state, State::kWaiting);
  EXPECT_EQ(word(run(2).state), "running") << "on the page it has begun, and not come far";
  what_ifs_->cancel(2);
  std::ofstream(directory_ / "go");
  ASSERT_TRUE(until_over(3));
  EXPECT_EQ(run(1).state, State::kDone);
  EXPECT_EQ(run(2).state, State::kCancelled);
  EXPECT_EQ(run(3).state, State::kDone);
  EXPECT_EQ(times_, (std::set<std::uint32_t>{1, 3}));
}

TEST_F(Running, CancellingWhatIsDoneDropsItsTimes) {
  script(writes_);
  start();
  ASSERT_TRUE(until_over(1));
  what_ifs_->cancel(1);
  EXPECT_EQ(times_, std::set<std::uint32_t>{});
}

TEST_F(Running, NotEverythingMayWait) {
  script("sleep 60");
  for (std::size_t i = 0; i <= WhatIfs::kMostWaiting; ++i) EXPECT_NE(start(), 0U);
  EXPECT_EQ(start(), 0U);
}

TEST_F(Running, AChildHasNoOtherDescriptorOfOurs) {
  script("ls /proc/$$/fd > " + (directory_ / "fds").string() + "; " + writes_);
  const std::ofstream open_meanwhile(directory_ / "open");
  start();
  ASSERT_TRUE(until_over(1));
  std::ifstream list(directory_ / "fds");
  for (int number = 0; list >> number;) EXPECT_TRUE(number <= 3 || number >= 10) << number << ", 10: the script itself";
}

}  // namespace
}  // namespace plumbline::viewer
