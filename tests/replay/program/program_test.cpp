#include "replay/program/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "base/error.hpp"
#include "random_program.hpp"
#include "replay/program/format.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replace(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Makes the key fit the contents again, so that the checks behind it are reached.
void sign(std::string& bytes) {
  if (bytes.size() < sizeof(format::Header)) return;
  const std::uint64_t size = bytes.size();
  const std::uint64_t key = XXH3_64bits(bytes.data() + sizeof(format::Header), bytes.size() - sizeof(format::Header));
  std::memcpy(bytes.data() + offsetof(format::Header, file_bytes), &size, sizeof size);
  std::memcpy(bytes.data() + offsetof(format::Header, content_key), &key, sizeof key);
}

std::string error_of(const std::filesystem::path& path) {
  try {
    Program::open(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ProgramFile, HoldsWhatTheBuilderWasGiven) {
  const TemporaryDirectory directory;
  ProgramBuilder builder(directory / "p");
  builder.comm(std::vector<std::uint32_t>{0, 1});
  builder.property("library", "MPI 4.0");
  builder.begin_rank(builder.node("n0"), 8);
  Operation send;
  send.kind = OpKind::kSend;
  send.call = builder.call("MPI_Send");
  send.comm = 0;
  send.peer = 1;
  send.bytes = 77;
  builder.add(send, {Time{5}, Time{9}});
  builder.add(OffCpu{0, 0, Duration{3}});
  builder.not_judged(0, "a reason");
  builder.not_judged(0, "another reason");
  builder.end_rank(0);
  builder.begin_rank(builder.node("n1"), 0);
  builder.end_rank(0);
  const Program program = builder.finish();
  ASSERT_EQ(program.ranks(), 2U);
  EXPECT_EQ(program.node(program.rank(1).node), "n1");
  EXPECT_EQ(program.rank(0).cores, 8U);
  EXPECT_EQ(program.rank(0).operations[0].bytes, 77U);
  EXPECT_EQ(program.rank(0).times[0].end, Time{9});
  EXPECT_EQ(program.rank(0).off_cpu[0].delay, Duration{3});
  ASSERT_EQ(program.rank(0).reasons.size(), 1U);
  EXPECT_EQ(program.reason(program.rank(0).reasons[0].text), "a reason");
  EXPECT_EQ(program.property("library"), "MPI 4.0");
  EXPECT_EQ(program.property("nothing"), "");
  EXPECT_EQ(program.site(kNone), "");
  EXPECT_THAT(program.comm(0).members, ElementsAre(0, 1));
}

TEST(ProgramFile, EqualProgramsAreEqualBytes) {
  const TemporaryDirectory directory;
  const Program a = random_program(7, directory / "a"), b = random_program(7, directory / "b");
  EXPECT_EQ(contents(directory / "a"), contents(directory / "b"));
  EXPECT_EQ(a.content_key(), b.content_key());
}

TEST(ProgramFile, NothingIsLeftBehindWithoutFinish) {
  const TemporaryDirectory directory;
  { ProgramBuilder builder(directory / "p"); }
  EXPECT_TRUE(std::filesystem::is_empty(directory / ""));
}

TEST(ProgramFile, AnotherFileIsRefused) {
  const TemporaryDirectory directory;
  replace(directory / "p", "<platform/>");
  EXPECT_THAT(error_of(directory / "p"), HasSubstr("is not a program file"));
  EXPECT_THAT(error_of(directory / "missing"), HasSubstr("cannot be opened"));
}

TEST(ProgramFile, AnotherVersionIsRefused) {
  const TemporaryDirectory directory;
  random_program(1, directory / "p");
  std::string bytes = contents(directory / "p");
  bytes[offsetof(format::Header, version)] = 99;
  replace(directory / "p", bytes);
  EXPECT_THAT(error_of(directory / "p"), HasSubstr("program file of version 99"));
}

TEST(ProgramFile, ATruncatedOrChangedFileIsRefused) {
  const TemporaryDirectory directory;
  random_program(3, directory / "p");
  const std::string bytes = contents(directory / "p");
  for (std::size_t keep = 0; keep < bytes.size(); keep += 1 + bytes.size() / 97) {
    replace(directory / "p", bytes.substr(0, keep));
    EXPECT_NE(error_of(directory / "p"), "no error") << keep;
  }
  std::string changed = bytes;
  changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 1);
  replace(directory / "p", changed);
  EXPECT_THAT(error_of(directory / "p"), HasSubstr("do not match their key"));
}

// With the key made to fit, the bounds checks alone stand between damage and a crash.
TEST(ProgramFile, ADamagedFileIsAnErrorAndNeverACrash) {
  const TemporaryDirectory directory;
  std::mt19937_64 random(20240611);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    if (round % 100 == 0) random_program(static_cast<std::uint64_t>(round), directory / "good");
    std::string bytes = contents(directory / "good");
    for (std::uint64_t n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % bytes.size();
      const std::size_t width = std::min<std::size_t>(1 + random() % 8, bytes.size() - at);
      const std::uint64_t value = random() % 3 == 0 ? ~std::uint64_t{0} : random();
      std::memcpy(bytes.data() + at, &value, width);
    }
    sign(bytes);
    replace(directory / "bad", bytes);
    try {
      to_text(Program::open(directory / "bad"));
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(ProgramFile, AWaitOnARequestThatWasNotStartedIsRefused) {
  const TemporaryDirectory directory;
  ProgramBuilder builder(directory / "p");
  builder.begin_rank(builder.node("n0"), 0);
  Operation wait;
  wait.kind = OpKind::kWait;
  wait.flags = kNoRequestList;
  wait.extra = 0;
  builder.add(wait, {});
  builder.end_rank(1);
  try {
    builder.finish();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 0: operation 0: waits for a request that was not started"));
  }
}

}  // namespace
}  // namespace plumbline::replay
