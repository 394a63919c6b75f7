// Archives of another tool (Score-P): they compile, replay and compare, with a note of what they lack.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

class ScorepArchive : public testing::TestWithParam<std::string> {
 protected:
  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }

  // A copy, so that nothing is cached beside the golden one.
  void SetUp() override {
    ASSERT_EQ(run_command("cp -r " + kSource + "/tests/golden/" + GetParam() + " obs", directory_.path()).status, 0);
    const std::string ranks = GetParam() == "scorep-ping-pong" ? "0-0" : "0-4";
    const std::string others = GetParam() == "scorep-ping-pong" ? "1-1" : "5-9";
    std::string platform;
    std::ifstream file(kSource + "/hwmodels/platforms/two-nodes.xml");
    for (std::string line; std::getline(file, line);) {
      if (line.find("<place ") != std::string::npos) continue;
      if (line.find("</platform>") != std::string::npos)
        platform += "<place ranks=\"" + ranks + "\" node=\"kn1\"/><place ranks=\"" + others + "\" node=\"kn2\"/>\n";
      platform += line + "\n";
    }
    std::ofstream(directory_ / "platform.xml") << platform;
  }

  TemporaryDirectory directory_;
};

TEST_P(ScorepArchive, ReplaysAndComparesAndSaysWhatItLacks) {
  const CommandResult replayed = plumbline("replay obs -p platform.xml -o exp");
  ASSERT_EQ(replayed.status, 0) << text_of(replayed);
  EXPECT_NE((replayed.out + replayed.err).find("call site"), std::string::npos) << text_of(replayed);
  const CommandResult compared = plumbline("compare obs exp --details");
  EXPECT_TRUE(compared.status == 0 || compared.status == 1 || compared.status == 5) << text_of(compared);
  EXPECT_NE(compared.out.find("MPI_"), std::string::npos) << text_of(compared);
  EXPECT_EQ(run_command("otf2-print exp/traces.otf2", directory_.path()).status, 0);
}

// The eight messages of each direction have 16, 32, .. 2048 KiB; five of them are above 64 KiB, for which the sender
// asks and the receiver answers. MPI_Init and MPI_Finalize are barriers of one message each way. 40 B of header for
// each.
TEST_P(ScorepArchive, TheReportTellsWhatEachComponentServed) {
  if (GetParam() != "scorep-ping-pong") GTEST_SKIP() << "that one is too large to count by hand";
  ASSERT_EQ(plumbline("replay obs -p platform.xml -o exp").status, 0);
  const CommandResult compared = plumbline("compare obs exp --details --json report.json");
  EXPECT_NE(compared.out.find("What the platform did in the expected run (7 components"), std::string::npos)
      << text_of(compared);
  nlohmann::json report;
  std::ifstream(directory_ / "report.json") >> report;
  constexpr std::uint64_t kOneWay = (255 * 16 << 10) + 40 * (8 + 5 + 5 + 2);
  std::map<std::string, std::string> kinds;
  for (const nlohmann::json& component : report["components"]) {
    const std::string kind = kinds[component["name"]] = component["kind"];
    const std::uint64_t served = kind == "link" ? kOneWay : 2 * kOneWay;
    EXPECT_EQ(component["totals"][0]["value"], served) << component;
    // 117 MB/s, each packet rounded to picoseconds
    if (kind != "link") continue;
    EXPECT_NEAR(component["busy_s"].get<double>(), static_cast<double>(kOneWay) / 117e6, 1e-9);
  }
  const std::map<std::string, std::string> expected = {
      {"kn1 interface", "interface"}, {"kn2 interface", "interface"}, {"s0", "switch"},    {"kn1-s0 <", "link"},
      {"kn1-s0 >", "link"},           {"kn2-s0 <", "link"},           {"kn2-s0 >", "link"}};
  EXPECT_EQ(kinds, expected);
}

TEST_P(ScorepArchive, ReplayWithTheNodesOfTheArchiveMissingNamesTheRanks) {
  std::ofstream(directory_ / "one.xml")
      << R"(<platform version="1" name="x"><node name="a" cores="1" memory-rate="1GB/s" interface-rate="1GB/s"/>)"
         R"(<node name="b" cores="1" memory-rate="1GB/s" interface-rate="1GB/s"/>)"
         R"(<edge name="e" from="a" to="b" latency="1us" rate="1GB/s"/>)"
         R"(<inside><range protocol="eager" send="1us" receive="1us" latency="1us"/></inside>)"
         R"(<between><range protocol="eager" send="1us" receive="1us" latency="1us"/></between></platform>)";
  const CommandResult result = plumbline("replay obs -p one.xml -o exp");
  EXPECT_EQ(result.status, 3) << text_of(result);
  EXPECT_NE(result.err.find("<place "), std::string::npos) << text_of(result);
}

INSTANTIATE_TEST_SUITE_P(Archives, ScorepArchive, testing::Values("scorep-ping-pong", "scorep-10-ranks"),
                         [](const auto& name) {
                           std::string text = name.param;
                           for (char& c : text)
                             if (c == '-') c = '_';
                           return text;
                         });

}  // namespace
}  // namespace plumbline::test
