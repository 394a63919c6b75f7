#include "cli/workflows/validate/expectation/expectation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

// No file has such packets: the reader refuses them.
TEST(JudgeRun, MakesAnErrorOfThisRunOfAFaultOfOurs) {
  hw::Platform platform = hw::read_platform(PLUMBLINE_PLATFORMS "/two-nodes.xml");
  platform.packets.granularity = Bytes{0};
  const test::TemporaryDirectory directory;  // a copy: the program is cached beside what is judged
  std::filesystem::copy(PLUMBLINE_GOLDEN "/scorep-ping-pong", directory / "run",
                        std::filesystem::copy_options::recursive);
  std::string told;
  try {
    judge_run(read_run(directory / "run"), platform, "two-nodes.xml", {.jobs = 2});
  } catch (const Error& error) {
    told = error.what();
  }
  EXPECT_THAT(told, testing::HasSubstr("a packet has room for payload"));
  EXPECT_THAT(told, testing::HasSubstr("the other runs of the suite are judged"));
  EXPECT_FALSE(ChecksThrow::active());
}

}  // namespace
}  // namespace plumbline::cli::validate
