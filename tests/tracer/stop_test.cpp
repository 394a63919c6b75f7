// A command that is stopped: its shell sends the signal to us, as a user would.
#include "tracer/record/launch/stop.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::record {
namespace {

using std::chrono::milliseconds;

Outcome run(const std::string& script, const StopOptions& options = {}) {
  return run_until_stopped(
      {"/bin/sh", "-c", script}, [] {}, options);
}

TEST(RunUntilStopped, AnUndisturbedRunHasItsStatusAndNoStop) {
  const Outcome undisturbed = run("exit 7");
  EXPECT_EQ(undisturbed.end.status, 7);
  EXPECT_FALSE(undisturbed.stop);
}

TEST(RunUntilStopped, TheSignalGoesOnAndIsKept) {
  const Outcome stopped = run("trap 'exit 5' INT; kill -INT $PPID; while :; do sleep 0.05; done");
  ASSERT_TRUE(stopped.stop);
  EXPECT_EQ(stopped.stop->signal, SIGINT);
  EXPECT_GT(stopped.stop->realtime_ns, 1'000'000'000'000'000'000U);
  EXPECT_EQ(stopped.end.status, 5);
}

TEST(RunUntilStopped, WhoIgnoresItGetsTermThenIsKilledAfterItsRanks) {
  const test::TemporaryDirectory directory;
  bool ranks_killed = false;
  const Outcome stopped = run("trap '' INT; trap 'echo term > " + (directory / "term").string() +
                                  "' TERM; kill -INT $PPID; while :; do sleep 0.05; done",
                              {milliseconds(300), [&] { ranks_killed = true; }});
  EXPECT_EQ(stopped.end.signal, SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(directory / "term"));
  EXPECT_TRUE(ranks_killed);
}

TEST(RunUntilStopped, ASecondCtrlCDoesNotWaitForTheGrace) {
  const Outcome stopped = run("trap '' INT; kill -INT $PPID; sleep 0.3; kill -INT $PPID; while :; do sleep 0.05; done",
                              {milliseconds(3'600'000), {}});
  EXPECT_EQ(stopped.end.signal, SIGTERM);
}

TEST(RunUntilStopped, UnderNohupItOutlivesItsTerminal) {
  std::signal(SIGHUP, SIG_IGN);
  const Outcome outcome = run("kill -HUP $PPID; sleep 0.2; exit 3");
  std::signal(SIGHUP, SIG_DFL);
  EXPECT_EQ(outcome.end.status, 3);
  EXPECT_FALSE(outcome.stop);
}

TEST(RunUntilStopped, OtherSignalsOnlyPass) {
  const Outcome passed = run("trap 'exit 4' USR1; kill -USR1 $PPID; while :; do sleep 0.05; done");
  EXPECT_EQ(passed.end.status, 4);
  EXPECT_FALSE(passed.stop);
}

}  // namespace
}  // namespace plumbline::record
