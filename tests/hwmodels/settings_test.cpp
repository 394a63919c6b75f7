#include "hwmodels/platform/settings/settings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/quantity.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::hw {
namespace {

Platform westmere() { return read_platform(PLUMBLINE_PLATFORMS "/westmere.xml"); }

Platform with(const std::string& text, Platform platform = westmere()) {
  Diagnostics diagnostics;
  apply(parse_setting(text), platform, diagnostics);
  diagnostics.throw_if_any();
  return platform;
}

std::string fault_of(const std::string& text) {
  try {
    with(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const Edge& link(const Platform& platform, const std::string& name) {
  return *std::find_if(platform.edges.begin(), platform.edges.end(), [&](const Edge& e) { return e.name == name; });
}

TEST(Settings, OneLinkChangesAndNothingElse) {
  const Platform changed = with("link.n3-memory-link.rate=100Mbit/s");
  EXPECT_EQ(link(changed, "n3-memory-link").rate.value, BytesPerSecond{12'500'000});
  Platform back = changed;
  for (std::size_t i = 0; i < back.edges.size(); ++i)
    if (back.edges[i].name == "n3-memory-link") back.edges[i] = westmere().edges[i];
  EXPECT_EQ(back, westmere());
}

TEST(Settings, ARateMayBeWrittenWithoutPerSecond) {
  EXPECT_EQ(with("switch.s0.rate=100Mbit"), with("switch.s0.rate=100Mbit/s"));
}

TEST(Settings, AStarStandsForAnyCharacters) {
  const Platform changed = with("link.n*-qpi-link.latency=1us");
  for (int node = 0; node < 10; ++node)
    EXPECT_EQ(link(changed, fmt::format("n{}-qpi-link", node)).latency.value, microseconds(1)) << node;
  EXPECT_EQ(link(changed, "n0-memory-link"), link(westmere(), "n0-memory-link"));
}

TEST(Settings, WhatIsSetIsKnownExactlyAndSaysSo) {
  const Platform platform = with("link.n3-memory-link.rate=1GB/s");
  const Edge& changed = link(platform, "n3-memory-link");
  EXPECT_EQ(changed.rate.spread, 0);
  EXPECT_EQ(changed.rate.source, "set by hand");
}

TEST(Settings, EveryNameCanBeSetAndNamesAreDifferent) {
  const std::vector<std::string> names = setting_names(westmere());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) {
    std::size_t understood = 0;
    for (const char* value : {"1us", "1MB/s", "64KiB", "2", "half", "yes", "thread", "copied"})
      understood += fault_of(name + "=" + value).empty();
    EXPECT_GE(understood, 1U) << name;
    EXPECT_NE(fault_of(name + "=nonsense"), "") << name;
  }
}

TEST(Settings, TheBufferOfSendersIsAnAmountOfDataAndMayBeNone) {
  Platform platform;
  platform.between.send_buffer = {Bytes{1024}, 0.05, "calibrate"};
  EXPECT_EQ(with("between.send-buffer=128KiB", platform).between.send_buffer,
            (Parameter<Bytes>{Bytes{131'072}, 0, "set by hand"}));
  EXPECT_EQ(with("between.send-buffer=0B", platform).between.send_buffer.value, Bytes{});
  EXPECT_EQ(with("inside.send-buffer=1MB", platform).inside.send_buffer.value, Bytes{1'000'000});
}

TEST(Settings, TheQueueOfSendersIsAnAmountOfDataAndMayBeNone) {
  Platform platform;
  platform.packets.send_queue = {Bytes{1024}, 0.05, "calibrate"};
  EXPECT_EQ(with("packets.send-queue=36kB", platform).packets.send_queue,
            (Parameter<Bytes>{Bytes{36'000}, 0, "set by hand"}));
  EXPECT_EQ(with("packets.send-queue=0B", platform).packets.send_queue.value, Bytes{});
}

TEST(Settings, NoiseCanBeMadeAndATransportOfPairsIsNamedByItsNodes) {
  Platform platform = read_platform(PLUMBLINE_TEST_FILES "/every_element.xml");
  ASSERT_FALSE(platform.pairs.empty());
  const std::vector<std::string> names = setting_names(platform);
  const auto of_pair = std::ranges::find_if(names, [](const std::string& name) {
    return name.starts_with("between.") && name.ends_with(".eager-limit") && name.find(':') != name.npos;
  });
  ASSERT_NE(of_pair, names.end());
  const Platform changed = with(*of_pair + "=1KiB", platform);
  EXPECT_EQ(changed.pairs.front().transport.ranges.front().upto, Bytes{1024});
  EXPECT_EQ(changed.between, platform.between);
  for (PairTransport& pair : platform.pairs) pair.transport.progress = platform.between.progress = Progress::kThread;
  EXPECT_EQ(with("between*.progress=hardware", platform).pairs.back().transport.progress, Progress::kHardware);

  Platform noisy = with("node.n0.noise.period=10ms");
  noisy = with("node.n0.noise.duration=25us", noisy);
  EXPECT_EQ(noisy.nodes[0].noise->duration.value, microseconds(25));
  EXPECT_EQ(noisy.nodes[1].noise, std::nullopt);
}

TEST(Settings, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_EQ(fault_of("link.n3-memry-link.rate=1GB/s"),
            "--set: the platform has no 'link.n3-memry-link.rate'; did you mean 'link.n3-memory-link.rate' or "
            "'link.n0-memory-link.rate' or 'link.n1-memory-link.rate'?");
  EXPECT_EQ(fault_of("colour=blue"),
            "--set: the platform has no 'colour'; see docs/reference/settings.md for the names");
}

TEST(Settings, AValueThatCannotBeIsNamedWithWhatIsExpected) {
  EXPECT_EQ(fault_of("switch.s0.rate=0"), "--set: switch.s0.rate=0 is not a rate such as 100Mbit/s");
  EXPECT_EQ(fault_of("node.n0.cores=0"), "--set: node.n0.cores=0 is not a number, at least 1");
  EXPECT_EQ(fault_of("link.n0-memory-link.duplex=double"),
            "--set: link.n0-memory-link.duplex=double is not full or half");
}

TEST(Settings, WhatIsNoSettingIsRefused) {
  for (const char* text : {"", "=", "a", "a=", "=1"}) EXPECT_THROW(parse_setting(text), Error) << text;
  EXPECT_EQ(parse_setting("hint.x=a=b"), (Setting{"hint.x", "a=b"}));
}

std::vector<std::pair<std::string, Protocol>> protocols(const Transport& transport) {
  std::vector<std::pair<std::string, Protocol>> result;
  for (const MessageRange& range : transport.ranges)
    result.emplace_back(range.upto ? format_exact(*range.upto) : "", range.protocol);
  return result;
}

TEST(Settings, AnEagerLimitMovesTheProtocolAndKeepsTheCosts) {
  using enum Protocol;
  Platform platform = westmere();
  const auto range = [](std::optional<Bytes> upto, Protocol protocol, std::int64_t us) {
    MessageRange r;
    r.upto = upto;
    r.protocol = protocol;
    r.send.value = microseconds(us);
    return r;
  };
  platform.between.ranges = {range(Bytes{1024}, kEager, 1), range(Bytes{65536}, kEager, 2), range({}, kRendezvous, 3)};
  using Expected = std::vector<std::pair<std::string, Protocol>>;
  // Down, into the second range: it is cut in two.
  const Platform down = with("between.eager-limit=4KiB", platform);
  EXPECT_EQ(protocols(down.between),
            (Expected{{"1KiB", kEager}, {"4KiB", kEager}, {"64KiB", kRendezvous}, {"", kRendezvous}}));
  EXPECT_EQ(down.between.ranges[2].send.value, microseconds(2));
  // Up, into the last one.
  EXPECT_EQ(protocols(with("between.eager-limit=1MiB", platform).between),
            (Expected{{"1KiB", kEager}, {"64KiB", kEager}, {"1MiB", kEager}, {"", kRendezvous}}));
  // To the end of a range: nothing is cut.
  EXPECT_EQ(protocols(with("between.eager-limit=1KiB", platform).between),
            (Expected{{"1KiB", kEager}, {"64KiB", kRendezvous}, {"", kRendezvous}}));
  EXPECT_EQ(protocols(with("between.eager-limit=64KiB", platform).between), protocols(platform.between));
}

}  // namespace
}  // namespace plumbline::hw
