#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "base/process/child.hpp"
#include "bench/environment.hpp"
#include "bench/quick/messages.hpp"
#include "bench/quick/storage.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ProbeOutput, BecomesSeries) {
  Measurements m;
  parse_probe_output(
      "plumbline-probe 1\nlibrary MPICH Version:\t4.0.2\nlate 200000\nblock ping-pong 64 3 0 100.5 101.0\n"
      "block receive 64 3 1 50.0\nswitches 12\nend\n",
      "probe", m);
  EXPECT_EQ(m.environment.mpi, "MPICH Version:\t4.0.2");
  EXPECT_EQ(m.environment.late_ns, 200000);
  EXPECT_EQ(m.environment.involuntary_switches, 12);
  EXPECT_THAT(find(m, kPingPong)->samples, ElementsAre(Sample{64, 3, 0, 100.5}, Sample{64, 3, 0, 101.0}));
  EXPECT_THAT(find(m, kReceive)->samples, ElementsAre(Sample{64, 3, 1, 50.0}));
}

TEST(ProbeOutput, IsRefusedWhenItStopsEarlyOrIsOfAnotherVersion) {
  Measurements m;
  EXPECT_THAT(message_of([&] { parse_probe_output("plumbline-probe 1\nblock ping-pong 64 3 0 1.0\n", "p", m); }),
              HasSubstr("ended before"));
  EXPECT_THAT(message_of([&] { parse_probe_output("plumbline-probe 9\nend\n", "p", m); }), HasSubstr("p:1: "));
  EXPECT_THAT(message_of([&] { parse_probe_output("plumbline-probe 1\nblock ping-pong\n", "p", m); }),
              HasSubstr("p:2: "));
  EXPECT_THAT(message_of([&] { parse_probe_output("plumbline-probe 1\nhello\n", "p", m); }), HasSubstr("p:2: "));
}

TEST(Flavour, MissingOnesAreNamedWithWhatToInstall) {
  QuickOptions options;
  options.mpi = "mpich";
  options.launcher = "/nowhere/mpirun";
  try {
    choose_flavour(options);
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kCannotRunHere);
    EXPECT_THAT(error.what(), HasSubstr("no /nowhere/mpirun; install openmpi-bin or mpich"));
  }
  options.mpi = "lam";
  EXPECT_THAT(message_of([&] { choose_flavour(options); }), HasSubstr("'lam' is not known; openmpi or mpich"));
}

TEST(Flavour, AFailingLauncherIsShownWithWhatItPrinted) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  const fs::path launcher = scratch.path() / "mpirun";
  std::ofstream(launcher) << "#!/bin/sh\necho no slots >&2\nexit 3\n";
  fs::permissions(launcher, fs::perms::owner_all);
  Measurements m;
  const std::string message = message_of([&] { measure_messages({"mpich", launcher, "/bin/true"}, 1, {}, m); });
  EXPECT_THAT(message, HasSubstr("ended with status 3"));
  EXPECT_THAT(message, HasSubstr("no slots"));
}

TEST(Child, ThatStillRunsEndsWithItsOwner) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  const fs::path number = scratch.path() / "pid";
  {
    Child child({"sh", "-c",
                 "echo $$ > " + number.string() + ".new; mv " + number.string() + ".new " + number.string() +
                     "; exec sleep 60"},
                {}, scratch.path() / "log");
    while (!fs::exists(number)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(child.running());
  }
  pid_t pid = 0;
  std::ifstream(number) >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(Child, HasTheLastValueOfAVariableThatIsGivenTwice) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  ::setenv("PLUMBLINE_TEST_VALUE", "5", 1);
  Child child({"sh", "-c", "exit $PLUMBLINE_TEST_VALUE"}, {"PLUMBLINE_TEST_VALUE=6", "PLUMBLINE_TEST_VALUE=7"},
              scratch.path() / "log");
  while (child.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::unsetenv("PLUMBLINE_TEST_VALUE");
  EXPECT_EQ(child.failure(), "ended with status 7");
}

TEST(Child, TellsHowItFailed) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  const auto failure_of = [&](const std::string& script) {
    Child child({"sh", "-c", script}, {"PLUMBLINE_TEST_VALUE=5"}, scratch.path() / "log");
    while (child.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return child.failure();
  };
  EXPECT_EQ(failure_of("exit 0"), "");
  EXPECT_EQ(failure_of("exit $PLUMBLINE_TEST_VALUE"), "ended with status 5");
  EXPECT_EQ(failure_of("kill -9 $$"), "was killed by signal 9");
}

TEST(Mount, IsTheLongestThatHoldsThePath) {
  const std::string table =
      "22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
      "30 22 0:25 / /home rw shared:9 master:2 - nfs4 server:/home rw\n"
      "31 30 0:26 / /home/my\\040data rw - xfs /dev/sdb rw\n"
      "32 22 0:27 / /tmp rw - ext4 /dev/sdc rw\n"
      "33 32 0:28 / /tmp rw - tmpfs tmpfs rw\n";
  const auto mount = [&](const char* path) {
    const Mount found = mount_of(path, table);
    return found.point + " " + found.type;
  };
  EXPECT_EQ(mount("/home/me"), "/home nfs4");
  EXPECT_EQ(mount("/homes"), "/ ext4");
  EXPECT_EQ(mount("/home/my data/x"), "/home/my data xfs");
  EXPECT_EQ(mount("/tmp"), "/tmp tmpfs");  // mounted over the other
}

TEST(Storage, MeasuresEverySeriesAndLeavesNothingBehind) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  Measurements m;
  m.environment = describe_environment(scratch.path());
  measure_storage(scratch.path(), 2, {}, m);
  for (const std::string_view name : {kCachedWrite, kCachedRead, kDeviceWrite, kDeviceRead}) {
    const Series* series = find(m, name);
    ASSERT_NE(series, nullptr) << name;
    std::set<std::uint64_t> sizes;
    for (const Sample& sample : series->samples) {
      sizes.insert(sample.size);
      EXPECT_GT(sample.value, 0);
    }
    EXPECT_EQ(*sizes.begin(), 1U);
    EXPECT_EQ(*sizes.rbegin(), 4U << 20);
  }
  for (const std::string_view name : {kOpen, kClose, kSyncClean, kSyncDirty}) EXPECT_NE(find(m, name), nullptr) << name;
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(Storage, NeedsADirectoryThatCanBeWritten) {
  EXPECT_THAT(message_of([] { describe_environment("/nowhere/at/all"); }),
              HasSubstr("/nowhere/at/all: is not a directory"));
  Measurements m;
  EXPECT_THAT(message_of([&] { measure_storage("/proc", 0.1, {}, m); }), HasSubstr("/proc: "));
}

}  // namespace
}  // namespace plumbline::bench
