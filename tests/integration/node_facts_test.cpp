// Facts of nodes on their way from /proc and /sys to who asks an archive for them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string kTraced = std::string(BUILD_DIRECTORY) + "/bin/traced/";

class NodesOfARun : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }

  CommandResult shell(const std::string& line) { return run_command(line, directory_.path()); }
  CommandResult record(const std::string& options, const std::string& program, int ranks = 2) {
    return shell(kPlumbline + " record -o obs " + options + " -- " + GetParam().run(ranks, program));
  }
  std::string nodes(const std::string& archive = "obs") { return shell(kPlumbline + " info --nodes " + archive).out; }
  std::string traced(const std::string& program) const { return kTraced + GetParam().name + "/" + program; }

  TemporaryDirectory directory_;
};

std::size_t headings_in(const std::string& text) {
  static const std::regex heading("(^|\n)node [^\n]*: read ");
  return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), heading), {}));
}

TEST_P(NodesOfARun, AreToldWithTheirSettingsAndWithWhatTheyCounted) {
  const std::string tcp = GetParam().name == "openmpi" ? "OMPI_MCA_btl=tcp,self " : "UCX_TLS=tcp ";
  const CommandResult recorded =
      shell(tcp + kPlumbline + " record -o obs -- " + GetParam().run(2, GetParam().example("ring")));
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  utsname kernel{};
  uname(&kernel);
  const std::string text = nodes();
  EXPECT_EQ(headings_in(text), 1u) << text;
  EXPECT_THAT(text, HasSubstr(": read at the beginning and at the end, in "));
  EXPECT_THAT(text, ContainsRegex("kernel\\.release +" + std::string(kernel.release)));
  EXPECT_THAT(text, ContainsRegex("net\\.lo\\.mtu_bytes +[0-9]+"));
  EXPECT_THAT(text, ContainsRegex("has grown\n(.*\n)*    tcp\\.OutSegs +[0-9]+"));
}

TEST_P(NodesOfARun, AreReadOnceAlthoughEachRankHasAKeeper) {
  std::filesystem::create_directory(directory_ / "spools");
  const CommandResult result = shell(GetParam().launcher + " -n 3 " + kPlumbline +
                                     " record --rank --gather spools -- " + GetParam().example("ring"));
  ASSERT_EQ(result.status, 0) << text_of(result);
  EXPECT_EQ(shell("ls spools | grep -c '[.]node$'").out, "1\n");
  ASSERT_EQ(shell(kPlumbline + " assemble spools -o obs").status, 0);
  EXPECT_EQ(headings_in(nodes()), 1u);
}

TEST_P(NodesOfARun, OfEachOfTwoRunsAreItsOwn) {
  const std::string ranks = kPlumbline + " record --rank --spool spools -- " + GetParam().example("ring");
  for (int i = 0; i < 2; ++i) ASSERT_EQ(shell(GetParam().run(2, ranks)).status, 0);
  ASSERT_EQ(shell(kPlumbline + " assemble spools -o obs").status, 0);
  for (const char* archive : {"obs", "obs.2"}) {
    EXPECT_EQ(headings_in(nodes(archive)), 1u) << archive;
    EXPECT_THAT(nodes(archive), HasSubstr("at the beginning and at the end"));
  }
}

TEST_P(NodesOfARun, HaveTheirSettingsAloneWhereTheRankWasKilled) {
  const CommandResult result = record("", traced("ends") + " kill", 1);
  EXPECT_THAT(result.err, HasSubstr("its counters were not read at the end")) << text_of(result);
  const std::string text = nodes();
  EXPECT_THAT(text, HasSubstr(": read at the beginning, in "));
  EXPECT_THAT(text, HasSubstr("kernel.release"));
  EXPECT_THAT(text, Not(HasSubstr("has grown")));
}

TEST_P(NodesOfARun, AreNotReadWhereThatIsNotWanted) {
  ASSERT_EQ(record("--node-facts off", GetParam().example("ring")).status, 0);
  EXPECT_EQ(nodes(), "the archive says nothing of its nodes\n");
  const CommandResult wrong = record("--force --node-facts never", GetParam().example("ring"));
  EXPECT_EQ(wrong.status, 2) << text_of(wrong);
  EXPECT_THAT(wrong.err, HasSubstr("'never' is neither off nor an absolute directory"));
}

// The counters of a node below a directory, of which those at the end are changed before it is assembled.
TEST_P(NodesOfARun, ThatSentMuchAgainSaySoWithoutBeingAsked) {
  std::filesystem::create_directories(directory_ / "host/proc/net");
  std::ofstream(directory_ / "host/proc/net/snmp") << "Tcp: OutSegs RetransSegs\nTcp: 1000 0041\n";
  ASSERT_EQ(record("--spool spools --node-facts " + (directory_ / "host").string(), GetParam().example("ring")).status,
            0);
  EXPECT_THAT(shell(kPlumbline + " info obs").out, Not(HasSubstr("sent more than")));
  ASSERT_EQ(shell("sed -i '/^reading end/,$ s/1000 0041/9000 0941/' spools/*.node").status, 0);
  ASSERT_EQ(shell(kPlumbline + " assemble --force spools -o obs").status, 0);
  EXPECT_THAT(shell(kPlumbline + " info obs").out,
              ContainsRegex("TCP sent more than 1 segment in 10,000 again .*: tcp.RetransSegs 900, tcp.OutSegs 8000"));
}

TEST_P(NodesOfARun, OfAReplayAreThoseOfTheRecording) {
  std::ofstream(directory_ / "platform.xml") << one_node_platform();
  ASSERT_EQ(record("", GetParam().example("ring")).status, 0);
  const CommandResult replayed = shell(kPlumbline + " replay obs -p platform.xml -o exp");
  ASSERT_EQ(replayed.status, 0) << text_of(replayed);
  EXPECT_EQ(nodes("exp"), nodes("obs"));
}

INSTANTIATE_TEST_SUITE_P(BothMpis, NodesOfARun, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

// A program without MPI that makes its node send much again while it runs.
TEST(NodesOfAServer, AreReadFromItsStartToItsEnd) {
  TemporaryDirectory directory;
  std::filesystem::create_directories(directory / "host/proc/net");
  const std::string file = (directory / "host/proc/net/snmp").string();
  std::ofstream(file) << "Tcp: OutSegs RetransSegs\nTcp: 1000 41\n";
  const CommandResult result =
      run_command(kPlumbline + " record --server --node-facts " + (directory / "host").string() +
                      " -o served -- dd if=/dev/stdin of=" + file + " status=none <<'EOF'\n" +
                      "Tcp: OutSegs RetransSegs\nTcp: 2000 141\nEOF",
                  directory.path());
  ASSERT_EQ(result.status, 0) << text_of(result);
  EXPECT_THAT(run_command(kPlumbline + " info --nodes served", directory.path()).out,
              ContainsRegex("TCP sent more than 1 segment in 10,000 again .*: tcp.RetransSegs 100, tcp.OutSegs 1000"));
}

}  // namespace
}  // namespace plumbline::test
