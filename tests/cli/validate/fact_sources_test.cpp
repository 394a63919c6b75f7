#include "cli/workflows/validate/preflight/fact_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

namespace plumbline::cli::validate {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

FactsByHost node_with(const std::vector<std::string>& names) {
  FactsByHost nodes;
  for (const std::string& name : names) nodes["n0"].facts[name] = {"1", "a file"};
  return nodes;
}

// The names of docs/reference/node-facts.md, of a node that has one of each: `memory.node0.other_node`.
std::vector<std::string> documented_names() {
  std::ifstream page(PLUMBLINE_NODE_FACTS);
  const std::regex name("`([a-z]+\\.[A-Za-z0-9_.<>:]+)`"), place("<[a-z]+>");
  // Of sysctl.<name> the page says in words which there are.
  std::vector<std::string> names{"sysctl.kernel.yama.ptrace_scope", "sysctl.net.core.busy_poll"};
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string first = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator at(first.begin(), first.end(), name), end; at != end; ++at)
      names.push_back(std::regex_replace((*at)[1].str(), place, "node0"));
  }
  return names;
}

TEST(FactSources, EachCheckReadsFactsThatNodesTell) {
  const FactsByHost everything = node_with(documented_names());
  ASSERT_GT(everything.at("n0").facts.size(), 100U);
  EXPECT_THAT(checks_without_facts({everything}), IsEmpty());
}

TEST(FactSources, ACheckNeedsOneOfItsFactsSettingOrCounter) {
  const FactsByHost settings = node_with({"cpu.governor"}), counters = node_with({"memory.node1.other_node"});
  const auto without = checks_without_facts({settings, counters});
  EXPECT_THAT(without, Not(Contains("cpu.governor")));
  EXPECT_THAT(without, Not(Contains("memory.numa-remote")));
  EXPECT_THAT(without, Contains("cpu.clocksource"));
}

TEST(FactSources, FactsOfTheSameKindThatACheckDoesNotReadAreNotEnough) {
  const FactsByHost others = node_with({"memory.node1.bytes", "net.eth0.mtu_bytes"});
  EXPECT_THAT(checks_without_facts({others}), testing::AllOf(Contains("memory.numa-remote"), Contains("net.errors")));
}

}  // namespace
}  // namespace plumbline::cli::validate
