// `plumbline calibrate` from the file of a campaign, as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/results/campaign_file.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"
#include "tests/hwmodels/calibrate/synthetic_sockets.hpp"
#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::hw::calibration {
namespace {

using test::CommandResult;
using ::testing::HasSubstr;

class CalibrateCommand : public testing::Test {
 protected:
  CommandResult calibrate(const Platform& truth, const std::string& options) {
    bench::write_campaign(SyntheticMeasurer(truth, {.runs = 0.01}).campaign(), directory_ / "machine.h5",
                          Overwrite::kYes);
    return test::run_command(std::string(PLUMBLINE_COMMAND) + " calibrate machine.h5 -o made.xml " + options,
                             directory_.path().string());
  }

  test::TemporaryDirectory directory_;
};

TEST_F(CalibrateCommand, WritesThePlatformOfAHealthyMachineAndEndsWithZero) {
  const CommandResult result = calibrate(platform_of({.groups = {3, 3}}), "");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("across switches"));
  EXPECT_EQ(read_platform(directory_ / "made.xml").switches.size(), 2U);
}

TEST_F(CalibrateCommand, NamesASlowLinkInTextAndEndsWithOne) {
  Platform truth = platform_of({.groups = {8}});
  edge_of(truth, "n3-s0").rate.value = {6'250'000};
  const CommandResult result = calibrate(truth, "");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("slower than it should be: link n3-s0, both directions: rate 6."));
  EXPECT_THAT(result.out, HasSubstr("how sure: "));
  EXPECT_EQ(read_platform(directory_ / "made.xml").nodes.size(), 8U);
}

TEST_F(CalibrateCommand, TellsPairsInASocketFromPairsAcrossThem) {
  const Sockets sockets = exact_sockets(4'000'000'000, 5'000'000'000, nanoseconds(80), 3'000'000'000, 8'000'000'000);
  bench::write_campaign(SyntheticSockets(platform_with_sockets({sockets}), {}).campaign(), directory_ / "machine.h5",
                        Overwrite::kYes);
  const CommandResult result = test::run_command(std::string(PLUMBLINE_COMMAND) + " calibrate machine.h5 -o made.xml",
                                                 directory_.path().string());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("inside a socket        2 pairs"));
  EXPECT_THAT(result.out, HasSubstr("across sockets         4 pairs"));
  EXPECT_TRUE(read_platform(directory_ / "made.xml").nodes.at(0).sockets);
}

TEST_F(CalibrateCommand, PrintsJson) {
  Platform truth = platform_of({.groups = {8}});
  edge_of(truth, "n3-s0").rate.value = {6'250'000};
  const CommandResult result = calibrate(truth, "--json");
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["findings"].size(), 1U);
  EXPECT_EQ(json["findings"][0]["component"], "link n3-s0, both directions");
  EXPECT_EQ(json["findings"][0]["reference"], "peers");
  EXPECT_NEAR(json["findings"][0]["severity"].get<double>(), 0.5, 0.05);
  EXPECT_EQ(json["platform"], "made.xml");
}

TEST_F(CalibrateCommand, RefusesWhatDoesNotGoTogether) {
  EXPECT_EQ(calibrate(platform_of({.groups = {3}}), "--quick").status, 2);
  const CommandResult nothing =
      test::run_command(std::string(PLUMBLINE_COMMAND) + " calibrate -o made.xml", directory_.path().string());
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("there is nothing to calibrate from"));
}

}  // namespace
}  // namespace plumbline::hw::calibration
