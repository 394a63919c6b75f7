#include "cli/workflows/validate/suite/wrong_data.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

std::string said_in(const std::string& text) {
  const test::TemporaryDirectory directory;
  std::ofstream(directory / "log") << text;
  return wrong_data_in(directory / "log");
}

TEST(WrongData, IsWhatTheFirstRankSaysOfIt) {
  EXPECT_EQ(said_in("{\"cell\": \"bcast\", \"seconds\": 1}\n"
                    "[n7] plumbline-suite: rank 7: write_level2: wrong data: byte 4096 of /s/x is 255, not 19\n"
                    "plumbline-suite: rank 2: write_level2: wrong data: byte 0 of /s/x is 255, not 19\n"),
            "rank 7: write_level2: byte 4096 of /s/x is 255, not 19");
  EXPECT_EQ(said_in("plumbline-suite: rank 0: metadata: opening /s/x: No space left on device; make room\n"), "");
  EXPECT_EQ(said_in("wrong data: of another program\n"), "");
  EXPECT_EQ(wrong_data_in("/no/such/log"), "");
}

TEST(WrongData, IsOfFilesWhereTheirDirectoryIsNamed) {
  EXPECT_EQ(wrong_data("rank 7: byte 0 of /s/x is 255, not 19", "strided", "mpich", "/s").component, "files in /s");
  EXPECT_EQ(wrong_data("rank 1: element 3 of the sum is 1, not 2", "collectives", "mpich", "/s").component,
            "messages of mpich");
}

}  // namespace
}  // namespace plumbline::cli::validate
