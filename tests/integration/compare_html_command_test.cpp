// `plumbline compare --html` on real recordings, and what a browser shows of it without a network.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ComparedInTheBrowser : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
    std::ofstream(directory_ / "platform.xml") << one_node_platform();
    const std::string program = GetParam().run(
        4, GetParam().example("jacobi") + " --rows 64 --columns 64 --iterations 20 --every 10 --file checkpoint.dat");
    ASSERT_EQ(plumbline("record -o obs -- " + program).status, 0);
    ASSERT_EQ(plumbline("replay obs -p platform.xml -o exp").status, 0);
  }

  CommandResult run(const std::string& command) { return run_command(command, directory_.path()); }
  CommandResult plumbline(const std::string& arguments) { return run(kPlumbline + " " + arguments); }
  std::string text(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(directory_ / file).rdbuf();
    return text.str();
  }
  std::string headline() { return nlohmann::json::parse(text("report.json"))["verdict"]["sentence"]; }

  // The document as it is after its scripts have run, of a browser that finds no host.
  std::string shown(const std::string& file) {
    return run("chromium --headless=new --no-sandbox --disable-gpu --user-data-dir=profile "
               "--host-resolver-rules='MAP * ~NOTFOUND' --virtual-time-budget=10000 "
               "--dump-dom 'file://" +
               (directory_ / file).string() + "'")
        .out;
  }

  TemporaryDirectory directory_;
};

TEST_P(ComparedInTheBrowser, TheReportIsTheSameWithAndWithoutThePage) {
  const CommandResult with = plumbline("compare obs exp --html report.html --json report.json");
  EXPECT_THAT(with.out, HasSubstr("Full report: report.html, report.json; tables: plumbline compare"));
  const CommandResult without = plumbline("compare obs exp --json -");
  EXPECT_EQ(without.status, with.status);
  EXPECT_EQ(without.out, text("report.json"));
  EXPECT_THAT(text("report.html"), HasSubstr(headline()));
  EXPECT_LE(std::filesystem::file_size(directory_ / "report.html"), 5'000'000U);
}

TEST_P(ComparedInTheBrowser, AnExistingPageIsReplacedOnlyByForce) {
  std::ofstream(directory_ / "report.html") << "mine";
  EXPECT_EQ(plumbline("compare obs exp --html report.html").status, 3);
  EXPECT_EQ(text("report.html"), "mine");
  EXPECT_NE(plumbline("compare obs exp --html report.html --force").status, 3);
  EXPECT_NE(text("report.html"), "mine");
}

TEST_P(ComparedInTheBrowser, ShowsHeadlineAndTimelineWithoutANetwork) {
  if (run("command -v chromium").status != 0) GTEST_SKIP() << "chromium is not installed";
  plumbline("compare obs exp --html report.html --json report.json");
  if (text("report.html").find("id=\"plumbline-data\"") == std::string::npos)
    GTEST_SKIP() << "plumbline was built without the page of its viewer";
  const std::string page = shown("report.html");
  EXPECT_THAT(page, HasSubstr(headline()));
  EXPECT_THAT(page, HasSubstr("<canvas"));
  EXPECT_THAT(page, Not(HasSubstr("Plumbline comparison"))) << "the readable half has made room";
  EXPECT_THAT(page, Not(HasSubstr("class=\"banner trouble\"")));
  std::string refused = text("report.html");
  const std::string allowed = "script-src 'sha256-";
  ASSERT_NE(refused.find(allowed), std::string::npos);
  std::ofstream(directory_ / "refused.html") << refused.replace(refused.find(allowed), allowed.size(), allowed + "AA");
  const std::string plain = shown("refused.html");
  EXPECT_THAT(plain, HasSubstr("Plumbline comparison"));
  EXPECT_THAT(plain, HasSubstr(headline()));
  EXPECT_THAT(plain, Not(HasSubstr("<canvas")));
}

INSTANTIATE_TEST_SUITE_P(BothMpis, ComparedInTheBrowser, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
