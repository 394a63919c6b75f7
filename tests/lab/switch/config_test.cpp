#include "tests/lab/switch/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"

namespace plumbline::lab {
namespace {

using testing::HasSubstr;

constexpr char kWhole[] = R"({
  "control": "/tmp/switch.sock", "seed": 5, "core": 1, "spin": "3ms", "allowance": "20us", "awake": true,
  "switches": [{"name": "w0", "backplane": "200Mbit/s"}, {"name": "w1"}],
  "ports": [{"name": "n0", "switch": "w0", "pid": 12, "device": "tap0", "mac": "02:77:00:00:00:0A", "mtu": 1500,
             "up": "100Mbit/s", "down": "50Mbit/s", "latency": "25us", "queue": "1MB", "loss": "1%", "duplex": "half"},
            {"name": "n1", "switch": "w1", "pid": 13, "mac": "02:77:00:00:00:02", "up": "1Gbit/s", "down": "1Gbit/s"}],
  "uplinks": [{"name": "u", "between": ["w0", "w1"], "rate": "10Mbit/s", "latency": "1ms"}]})";

std::string complaint(const std::string& text) {
  try {
    parse_settings(text, "switch.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "";
}

// The whole text with one part of it replaced.
std::string with(const std::string& part, const std::string& by) {
  std::string text = kWhole;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), by);
}

TEST(SwitchConfig, EveryMemberIsRead) {
  const Settings settings = parse_settings(kWhole, "switch.json");
  EXPECT_EQ(settings.control, "/tmp/switch.sock");
  EXPECT_EQ(settings.seed, 5u);
  EXPECT_EQ(settings.core, 1);
  EXPECT_EQ(settings.spin, milliseconds(3));
  EXPECT_EQ(settings.allowance, microseconds(20));
  EXPECT_TRUE(settings.awake);
  EXPECT_EQ(settings.switches[0].backplane, BytesPerSecond{25'000'000});
  const PortSettings& port = settings.ports[0];
  EXPECT_EQ(port.pid, 12);
  EXPECT_EQ(port.device, "tap0");
  EXPECT_EQ(port.mac.bits, 0x02770000000au);
  EXPECT_EQ(port.mtu, 1500u);
  EXPECT_EQ(port.cable.rate[0], BytesPerSecond{12'500'000});
  EXPECT_EQ(port.cable.rate[1], BytesPerSecond{6'250'000});
  EXPECT_EQ(port.cable.latency, microseconds(25));
  EXPECT_EQ(port.cable.queue, Bytes{1'000'000});
  EXPECT_EQ(port.cable.loss, 0.01);
  EXPECT_TRUE(port.cable.half_duplex);
  EXPECT_EQ(settings.uplinks[0].between, (std::array<std::uint32_t, 2>{0, 1}));
  EXPECT_EQ(settings.uplinks[0].cable.rate[1], BytesPerSecond{1'250'000});
}

TEST(SwitchConfig, AbsentMembersHaveDefaults) {
  const Settings settings = parse_settings(kWhole, "switch.json");
  EXPECT_EQ(settings.switches[1].backplane, BytesPerSecond{0});
  const PortSettings& port = settings.ports[1];
  EXPECT_EQ(port.device, "eth0");
  EXPECT_EQ(port.mtu, 9000u);
  EXPECT_EQ(port.cable.latency, Duration{0});
  EXPECT_EQ(port.cable.queue, Bytes{4'000'000});
  EXPECT_EQ(port.cable.loss, 0);
  EXPECT_FALSE(port.cable.half_duplex);
}

TEST(SwitchConfig, WhatIsWrittenIsReadBackTheSame) {
  const std::string once = to_json(parse_settings(kWhole, "a")).dump();
  EXPECT_EQ(to_json(parse_settings(once, "b")).dump(), once);
}

TEST(SwitchConfig, EveryFaultIsLocated) {
  const struct {
    const char *part, *by, *complaint;
  } kCases[] = {
      {R"("seed": 5)", R"("sed": 5)", "switch.json: has an unknown member \"sed\""},
      {R"("device": "tap0")", R"("devise": "tap0")", "switch.json: ports[0] 'n0': has an unknown member \"devise\""},
      {R"("up": "100Mbit/s", )", "", "ports[0] 'n0': has no \"up\""},
      {R"("100Mbit/s")", R"("100")", "ports[0] 'n0': \"up\" is \"100\"; write it as in \"100Mbit/s\""},
      {R"("100Mbit/s")", R"("0")", "ports[0] 'n0': \"up\" is below 1kbit/s"},
      {R"("25us")", R"(25)", "ports[0] 'n0': \"latency\" is 25"},
      {R"("25us")", R"("2min")", "ports[0] 'n0': \"latency\" is longer than a minute"},
      {R"("1%")", R"("101%")", "ports[0] 'n0': \"loss\" is more than 100 %"},
      {R"("awake": true)", R"("awake": 1)", "switch.json: \"awake\" is no true or false; write true or false"},
      {R"("half")", R"("quarter")", "ports[0] 'n0': \"duplex\" is \"quarter\"; write full or half"},
      {R"("pid": 12)", R"("pid": 0)", "ports[0] 'n0': \"pid\" is 0"},
      {R"("mtu": 1500)", R"("mtu": 70000)", "ports[0] 'n0': \"mtu\" is 70000"},
      {R"("tap0")", R"("an-interface-name")", "ports[0] 'n0': \"device\" is \"an-interface-name\""},
      {R"("switch": "w0")", R"("switch": "w9")", "ports[0] 'n0': names the switch \"w9\", which is not there"},
      {R"("02:77:00:00:00:0A")", R"("02:77:00:00:00")", "ports[0] 'n0': \"mac\" is \"02:77:00:00:00\""},
      {R"("02:77:00:00:00:0A")", R"("03:77:00:00:00:01")", "ports[0] 'n0': \"mac\" is"},
      {R"("02:77:00:00:00:0A")", R"("02:77:00:00:00:02")", "ports[1] 'n1': has a mac that another port has"},
      {R"("name": "n1")", R"("name": "n0")", "ports[1] 'n0': has a name that another one has"},
      {R"(["w0", "w1"])", R"(["w0"])", "uplinks[0] 'u': \"between\" does not name two switches"},
      {R"(["w0", "w1"])", R"(["w0", "w0"])", "switch.json: uplink 'u' closes a circle of switches"},
      {R"("uplinks": [{"name": "u", "between": ["w0", "w1"], "rate": "10Mbit/s", "latency": "1ms"}])",
       R"("uplinks": [])", "nothing joins the switches 'w0' and 'w1'"},
      {R"("ports": [)", R"("ports": [7, )", "switch.json: ports[0]: is not a JSON object"},
      {R"("/tmp/switch.sock")", R"("")", "switch.json: \"control\" is \"\""},
      {"\n  \"ports\"", "\n  ports", "switch.json:4: is no JSON here"},
  };
  for (const auto& one : kCases) EXPECT_THAT(complaint(with(one.part, one.by)), HasSubstr(one.complaint));
}

TEST(SwitchConfig, ManyFaultsAreShownTogether) {
  const std::string text = complaint(R"({"switches": [], "ports": [{"name": "n0"}]})");
  EXPECT_THAT(text, HasSubstr("has no \"control\""));
  EXPECT_THAT(text, HasSubstr("has no switch"));
  EXPECT_THAT(text, HasSubstr("ports[0] 'n0': has no \"pid\""));
}

TEST(SwitchConfig, ALongSocketPathIsRefused) {
  EXPECT_THAT(complaint(with("/tmp/switch.sock", "/" + std::string(120, 'x'))), HasSubstr("too long"));
}

TEST(SwitchConfig, AFileThatIsNotThereIsSaidSo) { EXPECT_THROW(read_settings("/nowhere/switch.json"), Error); }

TEST(SwitchConfig, MacIsWrittenAsItIsRead) {
  EXPECT_EQ(format(*parse_mac("02:77:00:aB:0c:ff")), "02:77:00:ab:0c:ff");
  for (const char* wrong : {"", "02:77:00:00:00:0g", "02-77-00-00-00-01", "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff"})
    EXPECT_FALSE(parse_mac(wrong)) << wrong;
}

}  // namespace
}  // namespace plumbline::lab
