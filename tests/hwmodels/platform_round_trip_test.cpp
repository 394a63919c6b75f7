#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include "hwmodels/platform/fabric_parts.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "sim/random.hpp"
#include "tests/support/seed.hpp"

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
      p.nodes[i].name = "n" + std::to_string(i) + text();
      p.nodes[i].cores = 1 + below(1'000);
      if (chance()) p.nodes[i].speed = 0.001 + random_.uniform() * 100;
      if (chance()) p.nodes[i].sockets = sockets(p.nodes[i].cores);
      if (chance()) p.nodes[i].noise = noise();
      if (!p.nodes[i].sockets || chance()) p.nodes[i].memory_rate = rate();
      if (edges || chance()) p.nodes[i].interface_rate = rate();
    }
    if (edges) {
      p.switches.push_back({"s" + text(), rate()});
      for (std::uint32_t i = 0; i < p.nodes.size(); ++i)
        p.edges.push_back({"e" + std::to_string(i) + text(), i, static_cast<std::uint32_t>(p.nodes.size()), duration(),
                           rate(), chance()});
      for (std::uint32_t i = below(3); i > 0; --i) add_random_star(p, i);
      if (p.nodes.size() > 1 && chance()) p.routes.push_back({0, 1, {0, 1}});
    }
    p.packets = {{64 + any()}, {any()}};
    if (chance()) p.packets.send_queue = parameter(Bytes{any()});
    p.inside = transport();
    if (p.nodes.size() > 1 || chance()) p.between = transport();
    for (std::uint32_t i = below(3); i > 0; --i) {
      const std::uint32_t a = below(static_cast<std::uint32_t>(p.nodes.size()));
      p.pairs.push_back({0, a, a, static_cast<std::uint32_t>(p.nodes.size()) - 1, transport()});
    }
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

  Sockets sockets(std::uint32_t cores) { return {1 + below(cores), rate(), rate(), duration(), rate(), rate()}; }

  Noise noise() {
    Noise result{duration(), duration()};
    if (result.period.value < result.duration.value) std::swap(result.period, result.duration);
    result.period.value += picoseconds(1);
    return result;
  }

  // Some nodes on a switch of their own, and one of their cables unlike the others.
  void add_random_star(Platform& p, std::uint32_t number) {
    Fabric fabric;
    fabric.shape = Star{};
    fabric.prefix = "f" + std::to_string(number) + text();
    fabric.first_node = below(static_cast<std::uint32_t>(p.nodes.size()));
    fabric.members = 1 + below(static_cast<std::uint32_t>(p.nodes.size()) - fabric.first_node);
    fabric.node_link = {duration(), rate()};
    fabric.switch_rate = rate();
    fabric.half_duplex = chance();
    add_fabric(p, fabric);
    if (chance()) p.edges.back().rate = rate();
    if (chance()) p.edges.back().half_duplex = chance();
    if (chance()) p.switches.back().rate = rate();
  }

  Transport transport() {
    Transport result;
    result.progress = static_cast<Progress>(below(3));
    result.ordered = chance();
    if (chance()) result.send_buffer = parameter(Bytes{any()});
    if (chance()) result.sender_free = SenderFree::kCopied;
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
      if (chance()) range.gap = duration();
      if (chance()) range.gap_rate = rate();
      result.ranges.push_back(range);
      if (i == 0) return result;
    }
  }

  FileSystem file_system(std::uint32_t number) {
    FileSystem fs;
    fs.name = "fs" + std::to_string(number) + text();
    fs.paths = {"/" + std::to_string(number) + text()};
    fs.cached_write = access();
    if (chance()) {
      fs.exclusive_write = duration();
      fs.exclusive_write->value = std::min(fs.exclusive_write->value, fs.cached_write.call.value);
    }
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
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomPlatform random(seed);
  for (int i = 0; i < 300; ++i) {
    const Platform platform = random.make();
    const std::string xml = to_xml(platform);
    ASSERT_EQ(parse_platform(xml, "written"), platform) << xml;
  }
}

TEST(PlatformXml, ShippedPlatformsSurviveWriting) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PLUMBLINE_PLATFORMS)) {
    const Platform platform = read_platform(entry.path());
    EXPECT_EQ(parse_platform(to_xml(platform), entry.path()), platform) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 3);
}

TEST(PlatformXml, ASourceSharedByAllParametersOfAnElementIsWrittenOnce) {
  Platform platform;
  Node node;
  node.name = "n0";
  node.cores = 4;
  node.memory_rate = {{1'000'000'000}, 0.05, "bench"};
  node.interface_rate = {{2'000'000'000}, 0, "bench"};
  platform.nodes.push_back(node);
  EXPECT_NE(to_xml(platform).find("<node name=\"n0\" cores=\"4\" memory-rate=\"1GB/s\" memory-rate-spread=\"5%\" "
                                  "interface-rate=\"2GB/s\" source=\"bench\"/>"),
            std::string::npos);
}

}  // namespace
}  // namespace plumbline::hw
