#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::hw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two nodes on a switch, with every element; the lines below are counted in this text.
const std::string kExample = R"(<platform version="1" name="example" mpi="Open MPI 4.1" created="2024-05-01T10:00:00Z">
  <node name="n0" cores="12" memory-rate="12GB/s" memory-rate-spread="3%" interface-rate="40GiB/s" source="bench"/>
  <node name="n1" memory-rate="12GB/s" interface-rate="40GiB/s" interface-rate-source="nominal"/>
  <switch name="s0" rate="48GB/s"/>
  <edge name="cable" from="n0" to="s0" latency="19.982us" rate="117MB/s"/>
  <edge from="s0" to="n1" latency="0" rate="1Gbit/s"/>
  <packets granularity="9000B" header="78B"/>
  <inside>
    <range protocol="eager" send="1us" receive="2us" latency="3us"/>
  </inside>
  <between>
    <range upto="64KiB" protocol="eager" send="1us" send-rate="5GB/s" receive="2us" receive-rate="6GB/s" latency="3us"/>
    <range protocol="rendezvous" send="4us" send-spread="12.5%" receive="5us" latency="6us" source="calibrate"/>
  </between>
  <filesystem name="local">
    <path prefix="/"/>
    <path prefix="/tmp"/>
    <cached-write call="1us" rate="2GB/s" exclusive="600ns"/>
    <cached-read call="2us" rate="3GB/s"/>
    <device-write call="3us" rate="4GB/s"/>
    <device-read call="4us" rate="5GB/s"/>
    <metadata open="5us" close="6us" sync="7us"/>
  </filesystem>
  <place ranks="0-3" node="n0"/>
  <place ranks="4" node="n1"/>
</platform>
)";

TEST(PlatformReader, ReadsEveryElement) {
  const Platform p = parse_platform(kExample, "example.xml");
  EXPECT_EQ(p.name, "example");
  EXPECT_EQ(p.mpi, "Open MPI 4.1");
  EXPECT_EQ(p.created, "2024-05-01T10:00:00Z");
  ASSERT_EQ(p.nodes.size(), 2U);
  EXPECT_EQ(p.nodes[0].cores, 12U);
  EXPECT_EQ(p.nodes[0].memory_rate.value, BytesPerSecond{12'000'000'000});
  EXPECT_EQ(p.nodes[0].memory_rate.spread, 0.03);
  EXPECT_EQ(p.nodes[1].cores, 1U);
  EXPECT_EQ(p.switches[0].rate.value, BytesPerSecond{48'000'000'000});
  ASSERT_EQ(p.edges.size(), 2U);
  EXPECT_EQ(p.edges[0].name, "cable");
  EXPECT_EQ(p.edges[0].from, 0U);
  EXPECT_EQ(p.edges[0].to, 2U);
  EXPECT_EQ(p.edges[0].latency.value, nanoseconds(19'982));
  EXPECT_EQ(p.edges[1].name, "s0-n1");
  EXPECT_EQ(p.edges[1].rate.value, BytesPerSecond{125'000'000});
  EXPECT_EQ(p.packets.granularity, Bytes{9'000});
  EXPECT_EQ(p.packets.header, Bytes{78});
  ASSERT_EQ(p.between.ranges.size(), 2U);
  EXPECT_EQ(p.between.ranges[0].upto, Bytes{65'536});
  EXPECT_EQ(p.between.ranges[0].send_rate->value, BytesPerSecond{5'000'000'000});
  EXPECT_EQ(p.between.ranges[0].receive_rate->value, BytesPerSecond{6'000'000'000});
  EXPECT_EQ(p.between.ranges[1].upto, std::nullopt);
  EXPECT_EQ(p.between.ranges[1].protocol, Protocol::kRendezvous);
  EXPECT_EQ(p.between.ranges[1].send.spread, 0.125);
  EXPECT_EQ(p.between.ranges[1].send_rate, std::nullopt);
  EXPECT_THAT(p.file_systems[0].paths, ElementsAre("/", "/tmp"));
  EXPECT_EQ(p.file_systems[0].exclusive_write->value, nanoseconds(600));
  EXPECT_EQ(p.file_systems[0].cached_read.call.value, microseconds(2));
  EXPECT_EQ(p.file_systems[0].device_write.rate.value, BytesPerSecond{4'000'000'000});
  EXPECT_EQ(p.file_systems[0].sync.value, microseconds(7));
  ASSERT_EQ(p.placements.size(), 2U);
  EXPECT_EQ(p.placements[0].last_rank, 3U);
  EXPECT_EQ(p.placements[1].first_rank, 4U);
  EXPECT_EQ(p.placements[1].last_rank, 4U);
  EXPECT_EQ(p.placements[1].node, 1U);
}

TEST(PlatformReader, TheSourceOfAnElementIsThatOfItsParametersWithoutTheirOwn) {
  const Platform p = parse_platform(kExample, "example.xml");
  EXPECT_EQ(p.nodes[0].memory_rate.source, "bench");
  EXPECT_EQ(p.nodes[0].interface_rate.source, "bench");
  EXPECT_EQ(p.nodes[1].memory_rate.source, "");
  EXPECT_EQ(p.nodes[1].interface_rate.source, "nominal");
  EXPECT_EQ(p.between.ranges[1].latency.source, "calibrate");
}

std::string faults_of(const std::string& xml) {
  try {
    parse_platform(xml, "example.xml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no fault";
}

// The faults of the example with one text in it replaced.
std::string faults_after(const std::string& text, const std::string& replacement) {
  std::string xml = kExample;
  const std::size_t at = xml.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  return faults_of(xml.replace(at, text.size(), replacement));
}

TEST(PlatformReader, TheExclusivePartOfAWriteIsOneOfItsCall) {
  EXPECT_THAT(faults_after("exclusive=\"600ns\"", "exclusive=\"2us\""),
              testing::HasSubstr("has an exclusive part that is longer than the call"));
  EXPECT_THAT(faults_after("<cached-read call", "<cached-read exclusive=\"1us\" call"),
              testing::HasSubstr("exclusive"));
}

struct Fault {
  const char* text;
  const char* replacement;
  const char* message;  // the whole message
};

class PlatformFault : public testing::TestWithParam<Fault> {};

TEST_P(PlatformFault, IsToldWithItsLineAndWhatToDo) {
  EXPECT_EQ(faults_after(GetParam().text, GetParam().replacement), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Form, PlatformFault,
    testing::Values(
        Fault{"<switch name=\"s0\" rate=\"48GB/s\"/>", "<switch name=\"s0\"/>",
              "example.xml:4: switch 's0' has no rate; add rate=\"2GB/s\""},
        Fault{"rate=\"48GB/s\"", "rate=\"48\"",
              "example.xml:4: switch 's0' has rate='48' without a unit; write for example rate=\"2GB/s\""},
        Fault{"rate=\"48GB/s\"", "rate=\"-48GB/s\"",
              "example.xml:4: switch 's0' has a negative rate, '-48GB/s'; write for example rate=\"2GB/s\""},
        Fault{"rate=\"48GB/s\"", "rate=\"0GB/s\"",
              "example.xml:4: switch 's0' has a rate of zero; give what it really does"},
        Fault{"rate=\"48GB/s\"", "rate=\"48us\"",
              "example.xml:4: switch 's0' has rate='48us', which is not such a quantity; write for example "
              "rate=\"2GB/s\""},
        Fault{"latency=\"19.982us\"", "latncy=\"19.982us\"",
              "example.xml:5: edge 'cable' has no latency; add latency=\"1us\"\n"
              "example.xml:5: edge 'cable' has an unknown attribute 'latncy'; did you mean 'latency'?"},
        Fault{"latency=\"19.982us\"", "duplx=\"half\" latency=\"19.982us\"",
              "example.xml:5: edge 'cable' has an unknown attribute 'duplx'; did you mean 'duplex'?"},
        Fault{"<packets granularity", "<packets color=\"red\" granularity",
              "example.xml:7: <packets> has an unknown attribute 'color'; known here: granularity, header, "
              "send-queue, source"},
        Fault{"<switch", "<swich name=\"s1\"/>\n<switch",
              "example.xml:4: unknown element <swich> in <platform>; did you mean 'switch'?"},
        Fault{"<path prefix=\"/tmp\"/>", "text",
              "example.xml:17: filesystem 'local' has text 'text' between its elements; values are written as "
              "attributes"},
        Fault{"version=\"1\"", "version=\"2\"",
              "example.xml:1: <platform> has version '2', and this program reads version 1; use a newer Plumbline, or "
              "calibrate again"},
        Fault{"cores=\"12\"", "cores=\"0\"",
              "example.xml:2: node 'n0' has cores='0', which is not a whole number from 1 on; write cores=\"1\""},
        Fault{"memory-rate-spread=\"3%\"", "memory-rate-spread=\"3\"",
              "example.xml:2: node 'n0' has memory-rate-spread='3' without a unit; write for example "
              "memory-rate-spread=\"5%\""},
        Fault{"granularity=\"9000B\"", "granularity=\"9B\"",
              "example.xml:7: <packets> has a granularity below 64B; write for example granularity=\"100KiB\""},
        Fault{"protocol=\"eager\"", "protocol=\"lazy\"",
              "example.xml:9: open range has an unknown protocol 'lazy'; known here: eager, rendezvous"},
        Fault{"send-rate=\"5GB/s\"", "send-rate-spread=\"5%\"",
              "example.xml:12: range up to '64KiB' has send-rate-spread without send-rate; add it or remove this"},
        Fault{"<cached-read call=\"2us\" rate=\"3GB/s\"/>", "<!-- none -->",
              "example.xml:15: filesystem 'local' has no <cached-read>; see docs/reference/platform.md"},
        Fault{"ranks=\"4\"", "ranks=\"4-2\"",
              "example.xml:25: <place> has ranks='4-2', which is not a range of ranks; write ranks=\"0-3\""}));

INSTANTIATE_TEST_SUITE_P(
    Whole, PlatformFault,
    testing::Values(
        Fault{"name=\"n1\"", "name=\"n0\"",
              "example.xml:6: edge 's0-n1' names a node or switch 'n1' that is not there; did you mean 'n0'?\n"
              "example.xml:25: <place> names a node 'n1' that is not there; did you mean 'n0'?\n"
              "example.xml:3: node 'n0' has a name that is taken in line 2; give each its own name"},
        Fault{"to=\"s0\"", "to=\"s9\"",
              "example.xml:5: edge 'cable' names a node or switch 's9' that is not there; did you mean 's0'?"},
        Fault{"from=\"s0\"", "from=\"n1\"",
              "example.xml:6: edge 'n1-n1' ends where it begins; an edge joins two nodes or switches\n"
              "example.xml:3: there is no way from node 'n0' to node 'n1'; add an <edge>"},
        Fault{"<edge from=\"s0\" to=\"n1\" latency=\"0\" rate=\"1Gbit/s\"/>", "",
              "example.xml:3: there is no way from node 'n0' to node 'n1'; add an <edge>"},
        Fault{"interface-rate=\"40GiB/s\" source=\"bench\"", "",
              "example.xml:2: node 'n0' has no interface-rate, and the platform has edges; add "
              "interface-rate=\"10GB/s\""},
        Fault{"node=\"n1\"", "node=\"s0\"",
              "example.xml:25: <place> names a node 's0' that is not there; did you mean 'n0'?"},
        Fault{"ranks=\"4\"", "ranks=\"2-4\"",
              "example.xml:25: rank 2 is placed here and in line 24; give each rank one place"},
        Fault{"prefix=\"/tmp\"", "prefix=\"/\"", "example.xml:15: path '/' is served twice; remove one"},
        Fault{"upto=\"64KiB\" ", "", "example.xml:12: a range before the last has no upto; add upto=\"64KiB\""},
        Fault{"<range protocol=\"rendezvous\"", "<range upto=\"1MiB\" protocol=\"rendezvous\"",
              "example.xml:13: the last range has an end; remove its upto, so that every size has a range"},
        Fault{"<range protocol=\"rendezvous\"",
              "<range upto=\"8B\" protocol=\"eager\" send=\"0\" receive=\"0\" latency=\"0\"/>\n    <range "
              "protocol=\"rendezvous\"",
              "example.xml:13: range up to '8B' does not end after the one before; order the ranges by upto"}));

TEST(PlatformReader, ToldAllFaultsAtOnce) {
  EXPECT_EQ(faults_of("<platform version=\"1\">\n<node/>\n<node name=\"b\" memory-rate=\"1GB/s\"/>\n</platform>"),
            "example.xml:2: <node> has no name; add name=\"…\"\n"
            "example.xml:2: <node> has no memory-rate; add memory-rate=\"2GB/s\"\n"
            "example.xml:1: the platform has no <inside>; say how ranks of one node send messages\n"
            "example.xml:1: the platform has several nodes and no <between>; say how ranks of two nodes send messages\n"
            "example.xml:3: there is no way from node '' to node 'b'; add an <edge>");
}

TEST(PlatformReader, WhatIsNotAPlatformIsALocatedError) {
  EXPECT_EQ(faults_of(""), "example.xml: is empty; a platform is expected; see docs/reference/platform.md");
  EXPECT_THAT(faults_of("MZ\x90\xff"), HasSubstr("example.xml: is not text in UTF-8"));
  EXPECT_THAT(faults_of("hello"), HasSubstr("example.xml:1: "));
  EXPECT_THAT(faults_of("<?xml version=\"1.0\"?>\n<!-- nothing -->"), HasSubstr("example.xml:1: has no element"));
  EXPECT_THAT(faults_of("\n<report/>"), HasSubstr("example.xml:2: begins with <report>; a <platform> is expected"));
  EXPECT_THAT(faults_of(kExample + "<platform/>"), HasSubstr("example.xml:27: goes on after </platform>"));
}

TEST(PlatformReader, EveryTruncatedFileIsALocatedError) {
  const std::size_t end = kExample.rfind('>');
  for (std::size_t length = 0; length < end; ++length)
    EXPECT_THAT(faults_of(kExample.substr(0, length)), HasSubstr("example.xml")) << length;
}

TEST(PlatformReader, AMissingFileIsALocatedError) { EXPECT_THROW(read_platform("/nowhere/platform.xml"), Error); }

TEST(PlatformReader, ReadsTheShippedPlatforms) {
  const Platform westmere = read_platform(PLUMBLINE_PLATFORMS "/westmere.xml");
  EXPECT_EQ(westmere.nodes.size(), 10U);
  EXPECT_EQ(westmere.placements.size(), 10U);
  const Platform two = read_platform(PLUMBLINE_PLATFORMS "/two-nodes.xml");
  EXPECT_EQ(two.nodes[0].name, "kn1");
  EXPECT_EQ(two.nodes[1].name, "kn2");
}

}  // namespace
}  // namespace plumbline::hw
