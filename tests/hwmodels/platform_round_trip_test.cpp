#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "hwmodels/platform_xml.hpp"
#include "sim/random.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;

class RandomPlatform {
 public:
  explicit RandomPlatform(std::uint64_t seed) : random_(seed, "round trip") {}

  Platform make() {
    Platform p;
    p.name = text();
    p.mpi = text();
    p.created = text();
    const bool edges = chance();
    p.nodes.resize(edges ? 1 + below(5) : 1);
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
      p.nodes[i] = {"n" + std::to_string(i) + text(), 1 + below(1'000), rate(), {}};
      if (edges || chance()) p.nodes[i].interface_rate = rate();
    }
    if (edges) {
      p.switches.push_back({"s" + text(), rate()});
      for (std::uint32_t i = 0; i < p.nodes.size(); ++i)
        p.edges.push_back(
            {"e" + std::to_string(i) + text(), i, static_cast<std::uint32_t>(p.nodes.size()), duration(), rate()});
    }
    p.packets = {{64 + any()}, {any()}};
    p.inside = transport();
    if (p.nodes.size() > 1 || chance()) p.between = transport();
    for (std::uint32_t i = below(3); i > 0; --i) p.file_systems.push_back(file_system(i));
    std::uint32_t rank = below(10);
    for (std::uint32_t i = below(4); i > 0; --i) {
      const std::uint32_t last = rank + below(10);
      p.placements.push_back({rank, last, below(static_cast<std::uint32_t>(p.nodes.size()))});
      rank = last + 1 + below(3);
    }
    return p;
  }

 private:
  bool chance() { return random_.below(2) == 0; }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }
  std::uint64_t any() { return random_() >> (2 + random_.below(60)); }

  std::string text() {
    static const std::string kPieces[] = {"a", "B",  "7",  " ", "<", ">",     "&",  "\"",
                                          "'", "\n", "\t", "µ", "…", "&amp;", "]]>"};
    std::string result;
    for (std::uint32_t i = below(6); i > 0; --i) result += kPieces[below(std::size(kPieces))];
    return result;
  }

  template <class T>
  Parameter<T> parameter(T value) {
    Parameter<T> result{value, 0, ""};
    if (chance()) result.spread = std::ldexp(random_.uniform(), -static_cast<int>(below(20)));
    if (chance()) result.source = chance() ? "bench" : text();
    return result;
  }

  Parameter<BytesPerSecond> rate() { return parameter(BytesPerSecond{1 + any()}); }
  Parameter<Duration> duration() { return parameter(Duration{static_cast<std::int64_t>(any())}); }
  AccessCost access() { return {duration(), rate()}; }

  Transport transport() {
    Transport result;
    std::uint64_t upto = 0;
    for (std::uint32_t i = below(4); true; --i) {
      MessageRange range;
      upto += 1 + below(1'000'000);
      if (i > 0) range.upto = Bytes{upto};
      range.protocol = chance() ? Protocol::kEager : Protocol::kRendezvous;
      range.send = duration();
      range.receive = duration();
      range.latency = duration();
      if (chance()) range.send_rate = rate();
      if (chance()) range.receive_rate = rate();
      result.ranges.push_back(range);
      if (i == 0) return result;
    }
  }

  FileSystem file_system(std::uint32_t number) {
    FileSystem fs;
    fs.name = "fs" + std::to_string(number) + text();
    fs.paths = {"/" + std::to_string(number) + text()};
    fs.cached_write = access();
    fs.cached_read = access();
    fs.device_write = access();
    fs.device_read = access();
    fs.open = duration();
    fs.close = duration();
    fs.sync = duration();
    return fs;
  }

  RandomStream random_;
};

TEST(PlatformXml, IsReadBackEqual) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomPlatform random(seed);
  for (int i = 0; i < 300; ++i) {
    const Platform platform = random.make();
    const std::string xml = to_xml(platform);
    ASSERT_EQ(parse_platform(xml, "written"), platform) << xml;
  }
}

TEST(PlatformXml, ShippedPlatformsSurviveWriting) {
  for (const char* name : {"/westmere.xml", "/two-nodes.xml"}) {
    const Platform platform = read_platform(std::string(PLUMBLINE_PLATFORMS) + name);
    EXPECT_EQ(parse_platform(to_xml(platform), name), platform);
  }
}

TEST(PlatformXml, ASourceSharedByAllParametersOfAnElementIsWrittenOnce) {
  Platform platform;
  platform.nodes.push_back({"n0", 4, {{1'000'000'000}, 0.05, "bench"}, {{2'000'000'000}, 0, "bench"}});
  EXPECT_NE(to_xml(platform).find("<node name=\"n0\" cores=\"4\" memory-rate=\"1GB/s\" memory-rate-spread=\"5%\" "
                                  "interface-rate=\"2GB/s\" source=\"bench\"/>"),
            std::string::npos);
}

}  // namespace
}  // namespace plumbline::hw
