#include "tracer/record/launch/orphaned_spools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/temporary_directory.hpp"
#include "tracer/record/launch/launch.hpp"

namespace plumbline::record {
namespace {

// A directory that a process made and left behind when it died.
std::filesystem::path left_by_the_dead(bool with_spool) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  if (fork() == 0) {
    const std::string path = make_spool_directory().string();
    if (with_spool) std::ofstream(path + "/n0.1.spool") << "x";
    _exit(write(ends[1], path.data(), path.size()) > 0 ? 0 : 1);
  }
  char text[4096] = "";
  const bool read_it = read(ends[0], text, sizeof text - 1) > 0;
  wait(nullptr);
  close(ends[0]);
  close(ends[1]);
  return read_it ? text : "";
}

TEST(LeftBehind, IsWhatADeadRecordingLeftWithSpoolsInIt) {
  const test::TemporaryDirectory directory;
  setenv("TMPDIR", directory.path().c_str(), 1);
  const std::filesystem::path left = left_by_the_dead(true), kept = left_by_the_dead(true);
  left_by_the_dead(false);
  const std::filesystem::path held = make_spool_directory();  // by this process
  std::ofstream(held / "n0.2.spool") << "x";
  mark_kept(kept);
  EXPECT_THAT(orphaned_spools(), testing::ElementsAre(left));
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace plumbline::record
