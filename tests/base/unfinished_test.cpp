#include "base/files/unfinished.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/files/output.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline {
namespace {

namespace fs = std::filesystem;

template <class Work>
int status_of_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

// An archive and a file under construction, with more entries than are read from a directory at once.
void begin_outputs(const fs::path& directory) {
  static StagedOutput archive(directory / "observed", StagedOutput::Kind::kDirectory, Overwrite::kNo);
  static StagedOutput file(directory / "program", StagedOutput::Kind::kFile, Overwrite::kNo);
  fs::create_directories(archive.staging() / "traces" / "empty");
  for (int i = 0; i < 500; ++i) std::ofstream(archive.staging() / "traces" / (std::to_string(i) + ".evt")) << "events";
  fs::create_directory_symlink(directory / "kept", archive.staging() / "link");
  std::ofstream(file.staging()) << "half";
}

class EndedBy : public testing::TestWithParam<int> {};

TEST_P(EndedBy, ASignalLeavesNothingHalfWrittenAndEndsTheProcessAsItWould) {
  const test::TemporaryDirectory directory;
  fs::create_directory(directory.path() / "kept");
  std::ofstream(directory.path() / "kept" / "of others") << "data";
  const int status = status_of_child([&] {
    remove_unfinished_when_ended();
    begin_outputs(directory.path());
    ::raise(GetParam());
  });
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), GetParam());
  EXPECT_TRUE(fs::exists(directory.path() / "kept" / "of others"));
  for (const fs::directory_entry& entry : fs::directory_iterator(directory.path()))
    EXPECT_EQ(entry.path().filename(), "kept");
}

INSTANTIATE_TEST_SUITE_P(Signals, EndedBy, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGXCPU));

TEST(Unfinished, IgnoredSignalsStayIgnored) {
  const int status = status_of_child([] {
    std::signal(SIGHUP, SIG_IGN);
    remove_unfinished_when_ended();
    ::raise(SIGHUP);
  });
  EXPECT_TRUE(WIFEXITED(status)) << status;
}

TEST(Unfinished, AChildThatASignalEndsLeavesTheOutputsOfItsParent) {
  const test::TemporaryDirectory directory;
  const int status = status_of_child([&] {
    remove_unfinished_when_ended();
    begin_outputs(directory.path());
    const int of_child = status_of_child([] { ::raise(SIGTERM); });
    ::_exit(WIFSIGNALED(of_child) && std::distance(fs::directory_iterator(directory.path()), {}) == 2 ? 7 : 1);
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(Unfinished, WhatIsFinishedStays) {
  const test::TemporaryDirectory directory;
  const int status = status_of_child([&] {
    remove_unfinished_when_ended();
    write_file(directory.path() / "report", "text", Overwrite::kNo);
    ::raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(fs::exists(directory.path() / "report"));
}

}  // namespace
}  // namespace plumbline
