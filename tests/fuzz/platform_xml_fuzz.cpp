// Damaged platform files: reading one either succeeds or throws an Error that has something to say.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/settings/settings.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "hwmodels/storage/file_servers.hpp"
#include "sim/random.hpp"
#include "tests/support/mutated.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string shipped(const char* name) { return text_of(std::string(PLUMBLINE_PLATFORMS) + name); }

constexpr std::string_view kWords[] = {"\"",
                                       "<",
                                       "/>",
                                       "&#0;",
                                       "&#xD800;",
                                       "&bogus;",
                                       "-1",
                                       "0",
                                       "99999999999999999999999GB/s",
                                       "ranks=",
                                       "0-3",
                                       "node=",
                                       "\xff",
                                       "\xed\xa0",
                                       "<!--",
                                       "]]>",
                                       "name=\"\"",
                                       "<platform>",
                                       "upto=",
                                       "0B",
                                       "1e9us",
                                       "%",
                                       "inf",
                                       "\n",
                                       "<?x?>",
                                       "18446744073709551615B",
                                       "<server name=\"d0\" node=\"n0\">",
                                       "<cache policy=\"page-cache\" dirty-limit=\"1B\"/>",
                                       "count=\"4294967295\"",
                                       "memory=\"1B\"",
                                       "servers=\"d0 d0 m0\""};

// What the models demand of a platform they check themselves, and stop the program when it is not so.
void make_models_of(const Platform& platform) {
  if (platform.network != NetworkKind::kStoreAndForward) return;
  Topology topology(platform);
  StoreAndForward network(topology, platform.packets);
  storage::FileServers servers(platform, network, static_cast<std::uint32_t>(topology.components().size()));
  for (std::uint32_t fs = 0; fs < platform.file_systems.size(); ++fs)
    if (!platform.file_systems[fs].distribution.servers.empty()) servers.add_file(fs, fs, "/file");
}

void read_mutations(const std::string& original, int count) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  int read = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = plumbline::test::mutated(original, kWords, random);
    try {
      const Platform platform = parse_platform(text, "fuzz.xml");
      ASSERT_EQ(parse_platform(to_xml(platform), "written.xml"), platform) << text;
      make_models_of(platform);
      ++read;
    } catch (const Error& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("fuzz.xml")) << error.what() << '\n' << text;
      for (const Problem& problem : error.problems()) ASSERT_FALSE(problem.what.empty());
    }
  }
  EXPECT_LT(read, count) << "no mutation did any harm";
}

TEST(PlatformXmlFuzz, DamagedTwoNodesIsReadOrRefused) { read_mutations(shipped("/two-nodes.xml"), 4'000); }
TEST(PlatformXmlFuzz, DamagedFabricsRoutesAndTransportsAreReadOrRefused) {
  read_mutations(text_of(PLUMBLINE_EVERY_ELEMENT), 4'000);
}
TEST(PlatformXmlFuzz, DamagedStorageIsReadOrRefused) { read_mutations(text_of(PLUMBLINE_CLUSTER), 4'000); }

// Up to four random settings: every platform that is left without a fault can be modelled.
TEST(PlatformXmlFuzz, WhatIsSetAtRandomIsModelledOrRefused) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomStream random(seed, "settings fuzz");
  const Platform cluster = parse_platform(text_of(PLUMBLINE_CLUSTER), "cluster.xml");
  const std::vector<std::string> values{"0",
                                        "1B",
                                        "64B",
                                        "100KiB",
                                        "1GB",
                                        "1ps",
                                        "1s",
                                        "1B/s",
                                        "10GB/s",
                                        "1",
                                        "7",
                                        "all",
                                        "d0",
                                        "d1 m0",
                                        "n0",
                                        "n1",
                                        "none",
                                        "yes",
                                        "half",
                                        "-1",
                                        "",
                                        "4294967295",
                                        "thread",
                                        "page-cache",
                                        "write-behind",
                                        "server-directed",
                                        "18446744073709551615B"};
  int modelled = 0;
  for (int i = 0; i < 4'000; ++i) {
    Platform platform = cluster;
    Diagnostics diagnostics;
    std::string told;
    for (std::uint64_t settings = 1 + random.below(4); settings > 0; --settings) {
      const std::vector<std::string> names = setting_names(platform);
      const Setting setting{names[random.below(names.size())], values[random.below(values.size())]};
      told += setting.name + "=" + setting.value + " ";
      apply(setting, platform, diagnostics);
    }
    SCOPED_TRACE(told);
    check_settings(platform, diagnostics);
    if (!diagnostics.empty()) continue;
    make_models_of(platform);
    ++modelled;
  }
  EXPECT_GT(modelled, 100);
}
TEST(PlatformXmlFuzz, DamagedWestmereIsReadOrRefused) { read_mutations(shipped("/westmere.xml"), 500); }

}  // namespace
}  // namespace plumbline::hw
