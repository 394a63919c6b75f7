#include "tracer/record/launch/ends.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::record {
namespace {

constexpr std::uint64_t said(pl_ending how, int status) {
  return static_cast<std::uint64_t>(how) | static_cast<std::uint64_t>(static_cast<std::uint32_t>(status)) << 32;
}

TEST(EndText, SaysWhatIsKnownAndNotMore) {
  const EndNote five{5, 0, 1}, killed{0, SIGKILL, 1}, crashed{0, SIGSEGV, 1}, aborted{0, SIGABRT, 1};
  const std::optional<EndNote> unseen;
  const struct {
    pl_end end;
    std::uint64_t ending;
    std::optional<EndNote> note;
    const char* text;
  } cases[] = {
      {PL_END_FINALIZED, said(PL_ENDING_EXIT, 0), unseen, "finalized"},
      {PL_END_STOPPED, 0, five, "recording stopped: no space"},
      {PL_END_LEFT_OUT, said(PL_ENDING_EXIT, 0), five, "not recorded: left out by --ranks"},
      {PL_END_EXITED, said(PL_ENDING_EXIT, 5), unseen, "exited without MPI_Finalize with status 5"},
      {PL_END_EXITED, said(PL_ENDING_FAST_EXIT, -1), five, "exited by _exit with status -1"},
      {PL_END_RUNNING, said(PL_ENDING_QUICK_EXIT, 8), unseen, "exited by quick_exit with status 8"},
      {PL_END_RUNNING, said(PL_ENDING_ABORT, 0), aborted, "aborted by abort()"},
      {PL_END_RUNNING, said(PL_ENDING_ABORT, 0), unseen, "aborted by abort()"},
      {PL_END_EXITED, said(PL_ENDING_MPI_ABORT, 7), killed, "aborted by MPI_Abort(7)"},
      {PL_END_RUNNING, 0, killed, "killed by signal 9 (SIGKILL)"},
      {PL_END_EXITED, said(PL_ENDING_EXIT, 3), crashed,
       "killed by signal 11 (SIGSEGV) after it exited without MPI_Finalize with status 3"},
      {PL_END_RUNNING, 0, five, "exited without MPI_Finalize with status 5"},
      {PL_END_RUNNING, 0, unseen, "killed or lost: no end was written"},
  };
  for (const auto& one : cases) {
    pl_file_header header{};
    header.flavour = PL_FLAVOUR_OPENMPI;
    header.end = one.end;
    header.ending = one.ending;
    std::strcpy(header.stop_reason, "no space");
    EXPECT_EQ(end_text(header, one.note, false), one.text);
  }
  EXPECT_EQ(end_text(pl_file_header{}, unseen, true), "still running");
  EXPECT_EQ(end_text(pl_file_header{}, five, false), "exited with status 5") << "without MPI";
}

TEST(EndNote, LiesBesideTheLatestSpoolOfItsProcess) {
  const test::TemporaryDirectory directory;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const std::string stem = host + std::string(".77");
  for (const char* name : {".spool", ".1.spool"}) std::ofstream(directory / (stem + name)) << "x";
  write_end_note(directory.path(), {128 + SIGSEGV, SIGSEGV, 77});
  EXPECT_FALSE(read_end_note(directory / (stem + ".spool")));
  const auto note = read_end_note(directory / (stem + ".1.spool"));
  ASSERT_TRUE(note);
  EXPECT_EQ(note->signal, SIGSEGV);
  EXPECT_GT(note->realtime_ns, 1'000'000'000'000'000'000U);
}

TEST(EndNote, ThatIsNotWholeIsAnErrorAtEachOfItsBytes) {
  const test::TemporaryDirectory directory;
  const std::filesystem::path spool = directory / "kn1.77.spool";
  const std::string whole = "status 5\nrealtime 1234\n";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(end_note_of(spool)) << whole.substr(0, size);
    EXPECT_THROW(read_end_note(spool), Error) << size;
  }
  std::ofstream(end_note_of(spool)) << "ended 5\nrealtime 1234\n";
  EXPECT_THROW(read_end_note(spool), Error);
  std::ofstream(end_note_of(spool)) << whole;
  EXPECT_EQ(read_end_note(spool)->status, 5);
}

TEST(EndNote, OfAProcessWithoutASpoolIsNotWritten) {
  const test::TemporaryDirectory directory;
  write_end_note(directory.path(), {0, 0, 77});
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(StillRuns, KnowsAProcessByBootNumberAndCommandLine) {
  pl_file_header header{};
  std::ifstream("/proc/sys/kernel/random/boot_id").getline(header.boot_id, sizeof header.boot_id);
  std::ifstream("/proc/self/cmdline", std::ios::binary).read(header.program, sizeof header.program - 1);
  for (std::size_t i = 0; i + 1 < sizeof header.program; ++i)
    if (header.program[i] == '\0' && header.program[i + 1] != '\0') header.program[i] = ' ';
  header.pid = static_cast<std::uint32_t>(getpid());
  EXPECT_TRUE(still_runs(header));
  header.program[0] ^= 1;
  EXPECT_FALSE(still_runs(header)) << "another program has its number now";
  header.program[0] ^= 1;
  header.boot_id[0] = 'x';
  EXPECT_FALSE(still_runs(header)) << "of another node, or before its last start";
}

}  // namespace
}  // namespace plumbline::record
