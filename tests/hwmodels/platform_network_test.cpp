// What a platform file says of nodes, fabrics, routes, transports of pairs and LogGP: read, written and refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "hwmodels/topology/topology.hpp"

namespace plumbline::hw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Platform every_element() { return read_platform(PLUMBLINE_TEST_FILES "/every_element.xml"); }

TEST(PlatformNetwork, ATemplateMakesNodesWithSocketsSpeedAndNoise) {
  const Platform p = every_element();
  ASSERT_EQ(p.nodes.size(), 9U);
  EXPECT_EQ(p.nodes[0].speed, 1);
  EXPECT_FALSE(p.nodes[0].sockets || p.nodes[0].noise);
  const Node& last = p.nodes[8];
  EXPECT_EQ(last.name, "n7");
  EXPECT_EQ(last.speed, 0.9);
  ASSERT_TRUE(last.sockets && last.noise);
  EXPECT_EQ(last.sockets->count, 2U);
  EXPECT_EQ(last.sockets->rate.value, BytesPerSecond{3'778ULL << 20});
  EXPECT_EQ(last.sockets->rate.spread, 0.02);
  EXPECT_EQ(last.sockets->local_rate.value, BytesPerSecond{4'556ULL << 20});
  EXPECT_EQ(last.sockets->latency.value, nanoseconds(38));
  EXPECT_EQ(last.sockets->link_rate.value, BytesPerSecond{3'427ULL << 20});
  EXPECT_EQ(last.sockets->interconnect_rate.value, BytesPerSecond{10'864ULL << 20});
  EXPECT_EQ(last.sockets->interconnect_rate.source, "bench");
  EXPECT_EQ(last.noise->period.value, milliseconds(10));
  EXPECT_EQ(last.noise->duration.value, microseconds(25));
  EXPECT_EQ(last.noise->duration.source, "bench: noise");
  Node first = p.nodes[1];
  first.name = last.name;
  EXPECT_EQ(first, last);
}

TEST(PlatformNetwork, FabricsBecomeSwitchesAndEdgesInTheirPlaces) {
  const Platform p = every_element();
  ASSERT_EQ(p.fabrics.size(), 4U);
  EXPECT_EQ(std::get<FatTree>(p.fabrics[0].shape).up, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(p.fabrics[0].first_node, 1U);
  EXPECT_EQ(p.fabrics[0].members, 8U);
  EXPECT_EQ(p.fabrics[0].first_switch, 1U);
  EXPECT_EQ(p.fabrics[0].first_edge, 1U);
  EXPECT_EQ(p.switches[0].name, "s0");
  EXPECT_EQ(p.switches[1].name, "l1s0");
  EXPECT_EQ(p.edges[0].name, "uplink");
  EXPECT_TRUE(p.edges[0].half_duplex);
  EXPECT_EQ(p.edges[1].name, "l1s0-n0");
  EXPECT_EQ(p.edges[1].latency.value, nanoseconds(100));
  EXPECT_EQ(p.edges[1].rate.source, "nominal");
  EXPECT_EQ(p.edges[9].name, "l2s0-l1s0");
  EXPECT_EQ(p.edges[9].latency.value, nanoseconds(200));
  EXPECT_EQ(p.edges.back().name, "trunk");
  EXPECT_EQ(std::get<Torus>(p.fabrics[2].shape), (Torus{{2, 2}, 2}));
  EXPECT_EQ(std::get<Dragonfly>(p.fabrics[3].shape), (Dragonfly{2, 2, 2, 2}));
  EXPECT_EQ(p.fabrics[3].global_link.rate.value, BytesPerSecond{2'000'000'000});
  EXPECT_EQ(p.edges[p.fabrics[3].first_edge].name, "dg0r0-n0");
}

TEST(PlatformNetwork, SinglePartsOfAFabricMayDiffer) {
  const Platform p = every_element();
  EXPECT_EQ(p.switches[6].name, "l2s1");
  EXPECT_EQ(p.switches[6].rate.value, BytesPerSecond{50'000'000'000});
  EXPECT_EQ(p.switches[5].rate.value, BytesPerSecond{100'000'000'000});
  const Edge& link = p.edges[8];
  EXPECT_EQ(link.name, "l1s3-n7");
  EXPECT_EQ(link.rate.value, BytesPerSecond{1'000'000'000});
  EXPECT_EQ(link.rate.source, "bench");
  EXPECT_EQ(link.latency.value, nanoseconds(100));  // what is not said stays
  EXPECT_TRUE(link.half_duplex);
  EXPECT_FALSE(p.edges[7].half_duplex);
}

TEST(PlatformNetwork, RoutesTransportsAndPlacesMayNameRanges) {
  const Platform p = every_element();
  ASSERT_EQ(p.routes.size(), 1U);
  EXPECT_EQ(p.routes[0].from, 0U);
  EXPECT_EQ(p.routes[0].to, 8U);
  std::vector<std::string> via;
  for (const std::uint32_t edge : p.routes[0].edges) via.push_back(p.edges[edge].name);
  EXPECT_THAT(via, ElementsAre("uplink", "trunk", "l2s0-l1s3", "l1s3-n7"));
  EXPECT_EQ(p.inside.progress, Progress::kHardware);
  EXPECT_FALSE(p.inside.ordered);
  EXPECT_EQ(p.between.progress, Progress::kThread);
  EXPECT_TRUE(p.between.ordered);
  EXPECT_EQ(p.between.send_buffer, (Parameter<Bytes>{{131'072}, 0.03, "calibrate"}));
  EXPECT_EQ(p.inside.send_buffer, Parameter<Bytes>{});
  EXPECT_EQ(p.packets.send_queue, (Parameter<Bytes>{{36'000}, 0.04, "tcp"}));
  EXPECT_EQ(p.between.ranges[0].gap.value, microseconds(4));
  EXPECT_EQ(p.between.ranges[0].gap.spread, 0.05);
  EXPECT_EQ(p.between.ranges[0].gap_rate->value, BytesPerSecond{1'000'000'000});
  ASSERT_EQ(p.pairs.size(), 2U);
  EXPECT_EQ(p.pairs[0].first_a, 1U);
  EXPECT_EQ(p.pairs[0].last_a, 4U);
  EXPECT_EQ(p.pairs[0].first_b, 5U);
  EXPECT_EQ(p.pairs[0].last_b, 8U);
  EXPECT_EQ(p.pairs[1].last_a, 0U);
  ASSERT_EQ(p.placements.size(), 9U);
  EXPECT_EQ(p.placements[7], (Placement{14, 15, 8}));
  EXPECT_EQ(p.placements[8], (Placement{16, 16, 0}));
}

TEST(PlatformNetwork, EverythingSurvivesWriting) {
  const Platform p = every_element();
  const std::string xml = to_xml(p);
  EXPECT_EQ(parse_platform(xml, "written"), p) << xml;
  EXPECT_THAT(xml, HasSubstr("<nodes name=\"n0-n7\" "));
  EXPECT_THAT(xml, HasSubstr("<link name=\"l1s3-n7\" "));
  EXPECT_THAT(xml, HasSubstr("<place ranks=\"0-15\" node=\"n0-n7\"/>"));
}

TEST(PlatformNetwork, AChangedCableOfAFabricIsWrittenAsAnException) {
  Platform p = read_platform(PLUMBLINE_PLATFORMS "/fat-tree-256.xml");
  p.edges[17].rate.value = {100'000'000};
  const std::string xml = to_xml(p);
  EXPECT_THAT(
      xml, HasSubstr("<link name=\"l1s1-n17\" latency=\"1us\" rate=\"100MB/s\" duplex=\"full\" source=\"assumed\"/>"));
  EXPECT_EQ(parse_platform(xml, "written"), p);
}

TEST(PlatformNetwork, TheShippedFatTreeHasSixteenLeavesAndEightSwitchesAbove) {
  const Platform p = read_platform(PLUMBLINE_PLATFORMS "/fat-tree-256.xml");
  EXPECT_EQ(p.nodes.size(), 256U);
  EXPECT_EQ(p.switches.size(), 24U);
  EXPECT_EQ(p.edges.size(), 256U + 128U);
  Topology topology(p);
  EXPECT_EQ(topology.route(0, 255).size(), 9U);
  EXPECT_EQ(p.placements.size(), 256U);
}

TEST(PlatformNetwork, ALogGPNetworkNeedsNeitherEdgesNorRatesOfNodes) {
  const Platform p = parse_platform(R"(<platform version="1" network="loggp">
  <nodes name="n0-n3"/>
  <inside><range protocol="eager" send="1us" receive="1us" latency="1us" gap="0"/></inside>
  <between><range protocol="eager" send="1us" receive="1us" latency="1us" gap="2us" gap-rate="1GB/s"/></between>
</platform>)",
                                    "loggp.xml");
  EXPECT_EQ(p.network, NetworkKind::kLogGP);
  EXPECT_EQ(p.nodes.size(), 4U);
  EXPECT_EQ(p.between.ranges[0].gap.value, microseconds(2));
  EXPECT_EQ(parse_platform(to_xml(p), "written"), p);
}

// Of this platform with one text in it replaced; lines count from 1.
const std::string kSmall = R"(<platform version="1">
  <nodes name="n0-n3" cores="4" memory-rate="1GB/s" interface-rate="1GB/s">
    <noise period="1ms" duration="1us"/>
  </nodes>
  <node name="x" cores="4" interface-rate="1GB/s">
    <sockets count="2" rate="1GB/s" local-rate="1GB/s" latency="1ns" link-rate="1GB/s" interconnect-rate="1GB/s"/>
  </node>
  <star members="n0-n3" latency="1us" rate="1GB/s" switch-rate="9GB/s"/>
  <edge name="a" from="x" to="s0" latency="1us" rate="1GB/s" duplex="half"/>
  <edge name="b" from="x" to="n0" latency="1us" rate="1GB/s"/>
  <route from="x" to="n1" via="a,s0-n1"/>
  <inside><range protocol="eager" send="1us" receive="1us" latency="1us"/></inside>
  <between progress="thread"><range protocol="eager" send="1us" receive="1us" latency="1us"/></between>
  <between from="n0-n1" to="n2-n3"><range protocol="eager" send="1us" receive="1us" latency="1us"/></between>
  <place ranks="0-7" node="n0-n3"/>
</platform>
)";

std::string network_faults(std::string xml, const std::string& text, const std::string& replacement) {
  const std::size_t at = xml.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  if (at != std::string::npos) xml.replace(at, text.size(), replacement);
  try {
    parse_platform(xml, "p.xml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no fault";
}

struct NetworkFault {
  const char* text;
  const char* replacement;
  const char* message;  // the whole message
};

class PlatformNetworkFault : public testing::TestWithParam<NetworkFault> {};

TEST_P(PlatformNetworkFault, IsToldWithItsLineAndWhatToDo) {
  EXPECT_EQ(network_faults(kSmall, GetParam().text, GetParam().replacement), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Nodes, PlatformNetworkFault,
    testing::Values(
        NetworkFault{"n0-n3\" cores", "n0-n3\" cores", "no fault"},
        NetworkFault{"name=\"n0-n3\"", "name=\"n0\"",
                     "p.xml:2: nodes 'n0' has a name that is not a range; write for example name=\"n0-n15\"; of one "
                     "node, <node>"},
        NetworkFault{"<node name=\"x\"", "<nodes name=\"n2-n5\" memory-rate=\"1GB/s\"/>\n<node name=\"x\"",
                     "p.xml:5: node 'n2' (and 1 more) has a name that is taken in line 2; give each its own name\n"
                     "p.xml:5: node 'n2' has no interface-rate, and the platform has edges; add "
                     "interface-rate=\"10GB/s\"\n"
                     "p.xml:5: there is no way from node 'n0' to node 'n2'; add an <edge>"},
        NetworkFault{"cores=\"4\" memory-rate", "cores=\"4\" speed=\"0\" memory-rate",
                     "p.xml:2: nodes 'n0-n3' has speed='0', which is not a number from 0.001 to 1000; write "
                     "speed=\"1\""},
        NetworkFault{"memory-rate=\"1GB/s\"", "memory-rate=\"0B/s\"",
                     "p.xml:2: nodes 'n0-n3' has a memory-rate of zero; give what it really does"},
        NetworkFault{"cores=\"4\" memory-rate=\"1GB/s\"", "cores=\"4\"",
                     "p.xml:2: nodes 'n0-n3' has no memory-rate; add memory-rate=\"2GB/s\""},
        NetworkFault{"duration=\"1us\"", "duration=\"1ms\"",
                     "p.xml:3: noise of nodes 'n0-n3' lasts 1 ms of every 1 ms; a duration must be shorter than its "
                     "period"},
        NetworkFault{"count=\"2\"", "count=\"5\"",
                     "p.xml:6: sockets of node 'x' has 5 sockets for 4 cores; each socket has a core"},
        NetworkFault{"link-rate=\"1GB/s\"", "link-rate=\"0GB/s\"",
                     "p.xml:6: sockets of node 'x' has a link-rate of zero; give what it really does"},
        NetworkFault{"<noise period=\"1ms\" duration=\"1us\"/>",
                     "<noise period=\"1ms\" duration=\"1us\"/><noise period=\"1ms\" duration=\"1us\"/>",
                     "p.xml:3: noise of nodes 'n0-n3' appears twice; remove one"}));

INSTANTIATE_TEST_SUITE_P(
    Network, PlatformNetworkFault,
    testing::Values(
        NetworkFault{"name=\"a\" from", "name=\"s0-n2\" from",
                     "p.xml:11: route from 'x' to 'n1' names an edge 'a' that is not there; known here: b, s0-n0, "
                     "s0-n1, s0-n2, s0-n3\n"
                     "p.xml:9: edge 's0-n2' has a name that is taken in line 8; give each its own name"},
        NetworkFault{"duplex=\"half\"", "duplex=\"halb\"",
                     "p.xml:9: edge 'a' has an unknown duplex 'halb'; did you mean 'half'?"},
        NetworkFault{"<star members", "<star prefix=\"x\" duplex=\"both\" members",
                     "p.xml:8: <star> has an unknown duplex 'both'; known here: full, half\n"
                     "p.xml:9: edge 'a' names a node or switch 's0' that is not there; did you mean 'n0'?\n"
                     "p.xml:11: route from 'x' to 'n1' names an edge 's0-n1' that is not there; did you mean "
                     "'xs0-n1'?"},
        NetworkFault{"<star members=\"n0-n3\"", "<torus dimensions=\"2x3\" members=\"n0-n3\"",
                     "p.xml:8: <torus> has room for 6 nodes, and 4 are to be its members; see "
                     "docs/reference/platform.md"},
        NetworkFault{"<star members=\"n0-n3\"", "<fat-tree levels=\"2\" down=\"4\" up=\"1,x\" count=\"1,1\"",
                     "p.xml:8: <fat-tree> has up='1,x', which is not a list of whole numbers from 1 on; write for "
                     "example up=\"4,2\"\n"
                     "p.xml:8: <fat-tree> has 2 levels and 1 numbers in down; one for each level, the lowest first"},
        NetworkFault{"via=\"a,s0-n1\"", "via=\"a,s0-n2\"",
                     "p.xml:11: route from 'x' to 'n1' ends at 'n2'; name the edges in turn"},
        NetworkFault{"via=\"a,s0-n1\"", "via=\"s0-n1\"",
                     "p.xml:11: route from 'x' to 'n1' goes on by edge 's0-n1', which does not begin at 'x'; name the "
                     "edges in turn"},
        NetworkFault{"via=\"a,s0-n1\"", "via=\"b,s0-n0,a,b,s0-n0,s0-n1\"",
                     "p.xml:11: route from 'x' to 'n1' passes 'x' twice; leave out the loop"},
        NetworkFault{"via=\"a,s0-n1\"", "via=\"a,s0-m1\"",
                     "p.xml:11: route from 'x' to 'n1' names an edge 's0-m1' that is not there; did you mean 's0-n1'?"},
        NetworkFault{"<inside>", "<route from=\"x\" to=\"n1\" via=\"b,s0-n0,s0-n1\"/><inside>",
                     "p.xml:12: route from 'x' to 'n1' was given in line 11; remove one"},
        NetworkFault{"<route from=\"x\" to=\"n1\"", "<route from=\"x\" to=\"x\"",
                     "p.xml:11: route from 'x' to 'x' stays on its node; remove it; messages inside need no route"},
        NetworkFault{"</nodes>", "</nodes><nodes name=\"y0-y9\" memory-rate=\"1GB/s\" interface-rate=\"1GB/s\"/>",
                     "p.xml:4: there is no way from node 'n0' to node 'y0'; add an <edge>"},
        NetworkFault{"rate=\"1GB/s\" switch-rate=\"9GB/s\"/>",
                     "rate=\"1GB/s\" switch-rate=\"9GB/s\"><link name=\"s0-n9\" rate=\"1kB/s\"/></star>",
                     "p.xml:8: link 's0-n9' is not a part of it; did you mean 's0-n0'?"}));

INSTANTIATE_TEST_SUITE_P(
    Transports, PlatformNetworkFault,
    testing::Values(
        NetworkFault{"progress=\"thread\"", "progress=\"threads\"",
                     "p.xml:13: <between> has an unknown progress 'threads'; did you mean 'thread'?"},
        NetworkFault{"progress=\"thread\"", "ordered=\"maybe\"",
                     "p.xml:13: <between> has an unknown ordered 'maybe'; known here: no, yes"},
        NetworkFault{"progress=\"thread\"", "send-buffer=\"128\"",
                     "p.xml:13: <between> has send-buffer='128' without a unit; write for example "
                     "send-buffer=\"64KiB\""},
        NetworkFault{"progress=\"thread\"", "send-buffer-spread=\"5%\"",
                     "p.xml:13: <between> has send-buffer-spread without send-buffer; add it or remove this"},
        NetworkFault{"from=\"n0-n1\" to=\"n2-n3\"", "from=\"n0-n1\"",
                     "p.xml:14: <between> from 'n0-n1' to '' has no to; add to=\"…\""},
        NetworkFault{"to=\"n2-n3\"", "to=\"n2-n9\"",
                     "p.xml:14: <between> from 'n0-n1' to 'n2-n9' names a node or range of nodes 'n2-n9' that is not "
                     "there; known here: n0, n1, n2, n3, x"},
        NetworkFault{"<between progress",
                     "<between><range protocol=\"eager\" send=\"0\" receive=\"0\" "
                     "latency=\"0\"/></between><between progress",
                     "p.xml:13: <between> appears again (first in line 13); remove one"},
        NetworkFault{"ranks=\"0-7\"", "ranks=\"0-8\"",
                     "p.xml:15: <place> places 9 ranks on 4 nodes; as many for each node"},
        NetworkFault{"version=\"1\"", "version=\"1\" network=\"logp\"",
                     "p.xml:1: <platform> has an unknown network 'logp'; did you mean 'loggp'?"},
        NetworkFault{"version=\"1\"", "version=\"1\" network=\"loggp\"",
                     "p.xml:12: open range has no gap, and the network is LogGP; add gap=\"1us\"\n"
                     "p.xml:13: open range has no gap, and the network is LogGP; add gap=\"1us\"\n"
                     "p.xml:14: open range has no gap, and the network is LogGP; add gap=\"1us\""}));

}  // namespace
}  // namespace plumbline::hw
