#include "tracer/record/assemble/node_metrics.hpp"
#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/assemble/options.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>

#include "tests/tracer/archive_support.hpp"
#include "tests/tracer/samples_builder.hpp"
#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::record {
namespace {

using archive::Definitions;
using archive::EventKind;
using archive::Reader;
using plumbline::test::TemporaryDirectory;
using test::pair;
using test::Payload;
using test::SamplesBuilder;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Increase, OfACounterThatGrewIsTheDifference) { EXPECT_EQ(increase(5, 12), 7U); }
TEST(Increase, GoesOnWhereACounterOf32BitsWrapped) { EXPECT_EQ(increase(0xfffffff0, 4), 20U); }
TEST(Increase, GoesOnWhereACounterOf64BitsWrapped) { EXPECT_EQ(increase(~std::uint64_t{0} - 1, 4), 6U); }
TEST(Increase, OfACounterThatBeganAnewIsWhatItHasNow) { EXPECT_EQ(increase(1'000'000, 30), 30U); }
TEST(Increase, OfACounterThatWentBackALittleIsNothing) { EXPECT_EQ(increase(1000, 998), 0U); }

// A run of one rank from 1 ms to 900 ms on kn1.
class NodeMetrics : public testing::Test {
 protected:
  static constexpr std::uint64_t kMs = 1'000'000;

  NodeMetrics() {
    spool_.call("MPI_Barrier", PL_LAYOUT_NONE, 1 * kMs, 2 * kMs, {});
    spool_.call("MPI_Barrier", PL_LAYOUT_NONE, 899 * kMs, 900 * kMs, {});
    spool_.header.last = {900 * kMs, 900 * kMs, SpoolBuilder::kRealtime + 900 * kMs};
  }

  void assemble(const std::vector<SamplesBuilder>& samples, AssembleOptions options = {}) {
    for (std::size_t i = 0; i < samples.size(); ++i)
      options.samples.push_back(samples[i].write(directory_.path(), std::to_string(i) + ".samples"));
    summary_ = record::assemble({spool_.write(directory_.path())}, directory_ / "obs", Overwrite::kYes, options);
    reader_ = std::make_unique<Reader>(directory_ / "obs");
  }

  // "at ms: value" of one member, over all locations.
  std::vector<std::string> course(const std::string& member) {
    const Definitions& d = reader_->definitions();
    std::vector<std::string> points;
    for (std::uint32_t location = 0; location < d.locations.size(); ++location)
      reader_->read(location, [&](const archive::Event& event) {
        if (event.kind != EventKind::kMetric) return;
        const auto& members = d.members_of(event.tag);
        for (std::size_t i = 0; i < members.size(); ++i)
          if (d.strings[d.metric_members[members[i]].name] == member)
            points.push_back(std::to_string(event.time.ps / 1'000'000'000) + ": " + std::to_string(event.values[i]));
      });
    return points;
  }

  bool has_member(const std::string& name) {
    const Definitions& d = reader_->definitions();
    return std::ranges::any_of(d.metric_members, [&](const auto& m) { return d.strings[m.name] == name; });
  }

  TemporaryDirectory directory_;
  SpoolBuilder spool_{0, 1};
  AssembleSummary summary_;
  std::unique_ptr<Reader> reader_;
};

TEST_F(NodeMetrics, CountersBecomeIncreasesSinceTheStartOfTheTrace) {
  SamplesBuilder samples;
  samples.sample(PL_SAMPLED_NETWORK, "", kMs / 2, {1000, 10});
  samples.sample(PL_SAMPLED_NETWORK, "", 101 * kMs, {1500, 12});
  samples.sample(PL_SAMPLED_NETWORK, "", 201 * kMs, {1900, 12});
  assemble({samples});
  EXPECT_THAT(course("TCP segments sent"), ElementsAre("0: 0", "100: 500", "200: 900"));
  EXPECT_THAT(course("TCP segments retransmitted"), ElementsAre("0: 0", "100: 2", "200: 2"));
}

TEST_F(NodeMetrics, SamplesBeforeTheTraceAreOnlyItsBaseLineAndTheFirstAfterItIsTheLast) {
  SamplesBuilder samples;
  samples.sample(PL_SAMPLED_NETWORK, "", kMs / 2, {0});
  for (const std::uint64_t ms : {1, 500, 950, 1050}) samples.sample(PL_SAMPLED_NETWORK, "", ms * kMs, {ms});
  assemble({samples});
  EXPECT_THAT(course("TCP segments sent"), ElementsAre("0: 0", "499: 499", "949: 949"));
  EXPECT_EQ(reader_->definitions().length.ps / 1'000'000'000, 949);
}

TEST_F(NodeMetrics, UnderPseudonymsANodeIsTheOneThatItsRanksAreOn) {
  SamplesBuilder samples;
  samples.sample(PL_SAMPLED_MEMORY, "", 100 * kMs, {8, 4});
  AssembleOptions options;
  options.anonymize = true;
  assemble({samples}, options);
  const Definitions& d = reader_->definitions();
  ASSERT_THAT(d.location_groups, SizeIs(2));
  EXPECT_EQ(d.location_groups[1].system_tree_node, d.location_groups[0].system_tree_node);
  EXPECT_EQ(d.strings[d.location_groups[1].name], "Node " + d.location_groups[0].properties.at("PLUMBLINE::HOST"));
  for (std::uint32_t i = 0; i < d.strings.size(); ++i) EXPECT_EQ(d.strings[i].find("kn1"), std::string::npos);
}

TEST_F(NodeMetrics, ALocationOfANodeIsNoRankAndItsGroupNoProcessOfMpi) {
  SamplesBuilder samples;
  samples.sample(PL_SAMPLED_MEMORY, "", 100 * kMs, {8, 4});
  samples.clock(101 * kMs, 10, 500'000);
  assemble({samples});
  const Definitions& d = reader_->definitions();
  EXPECT_EQ(d.world_size(), 1U);
  ASSERT_THAT(d.locations, SizeIs(2));
  EXPECT_EQ(d.locations[1].type, archive::LocationType::kMetric);
  EXPECT_EQ(d.locations[1].rank, std::nullopt);
  const archive::LocationGroup& group = d.location_groups[d.locations[1].group];
  EXPECT_EQ(group.properties.at(archive::names::kPropertyHost), "kn1");
  EXPECT_EQ(group.properties.at(archive::names::kPropertySamples), "10");
  EXPECT_EQ(group.properties.at(archive::names::kPropertySampleCost), "50000000");
  EXPECT_EQ(d.strings[d.system_tree[group.system_tree_node].name], "kn1");
  EXPECT_THAT(course("page cache not yet written"), ElementsAre("99: 8192"));
}

TEST_F(NodeMetrics, UnitsOfTheKernelBecomeBytesAndNanoseconds) {
  SamplesBuilder samples;
  samples.sample(PL_SAMPLED_DISK, "sda", 10 * kMs, {0, 0, 0, 0, 0});
  samples.sample(PL_SAMPLED_DISK, "sda", 20 * kMs, {1, 2, 3, 4, 5});
  samples.sample(PL_SAMPLED_PROCESSORS, "", 10 * kMs, {100});
  samples.sample(PL_SAMPLED_PROCESSORS, "", 20 * kMs, {103});
  assemble({samples});
  EXPECT_THAT(course("sda: bytes read"), ElementsAre("9: 0", "19: 1024"));
  EXPECT_THAT(course("sda: bytes written"), ElementsAre("9: 0", "19: 2048"));
  EXPECT_THAT(course("sda: time busy"), ElementsAre("9: 0", "19: 5000000"));
  EXPECT_THAT(course("processor time stolen"), ElementsAre("9: 0", "19: 30000000"));
}

TEST_F(NodeMetrics, IdleInterfacesAndTheLoopbackBesideABusyOneAreLeftOut) {
  SamplesBuilder samples;
  for (const std::uint64_t i : {1, 2}) {
    samples.sample(PL_SAMPLED_INTERFACE, "lo", i * 10 * kMs, {i, i, 0, 0, i, i, 0, 0});
    samples.sample(PL_SAMPLED_INTERFACE, "eth0", i * 10 * kMs, {i, i, 0, 0, i, i, 0, 0});
    samples.sample(PL_SAMPLED_INTERFACE, "eth1", i * 10 * kMs, {9, 9, 0, 0, 9, 9, 0, 0});
  }
  assemble({samples});
  EXPECT_TRUE(has_member("eth0: bytes sent"));
  EXPECT_FALSE(has_member("eth1: bytes sent"));
  EXPECT_FALSE(has_member("lo: bytes sent"));
}

TEST_F(NodeMetrics, TheLoopbackIsThereWhenItAloneHasTraffic) {
  SamplesBuilder samples;
  for (const std::uint64_t i : {1, 2})
    samples.sample(PL_SAMPLED_INTERFACE, "lo", i * 10 * kMs, {i, i, 0, 0, i, i, 0, 0});
  assemble({samples});
  EXPECT_TRUE(has_member("lo: bytes sent"));
}

TEST_F(NodeMetrics, AnInterfaceThatAppearsInMidRunCountsFromThere) {
  SamplesBuilder samples;
  samples.sample(PL_SAMPLED_INTERFACE, "ib0", 300 * kMs, {5000, 1, 0, 0, 1, 1, 0, 0});
  samples.sample(PL_SAMPLED_INTERFACE, "ib0", 400 * kMs, {5700, 2, 0, 0, 1, 1, 0, 0});
  assemble({samples});
  EXPECT_THAT(course("ib0: bytes received"), ElementsAre("299: 0", "399: 700"));
}

TEST_F(NodeMetrics, ValuesThatTheKernelDoesNotHaveAreNoMembers) {
  SamplesBuilder samples;
  samples.sample(PL_SAMPLED_NETWORK, "", 10 * kMs, {1, PL_NO_VALUE, 3});
  assemble({samples});
  EXPECT_TRUE(has_member("TCP segments sent"));
  EXPECT_FALSE(has_member("TCP segments retransmitted"));
  EXPECT_TRUE(has_member("TCP retransmission time-outs"));
  EXPECT_FALSE(has_member("TCP retransmits lost"));
}

TEST_F(NodeMetrics, SamplersThatTookTurnsOnANodeAreOneNode) {
  SamplesBuilder first, second;
  first.sample(PL_SAMPLED_NETWORK, "", 10 * kMs, {100});
  first.sample(PL_SAMPLED_NETWORK, "", 110 * kMs, {200});
  second.header.first.ticks = 150 * kMs;
  second.sample(PL_SAMPLED_NETWORK, "", 210 * kMs, {400});
  assemble({second, first});
  EXPECT_THAT(course("TCP segments sent"), ElementsAre("9: 0", "109: 100", "209: 300"));
  EXPECT_THAT(reader_->definitions().locations, SizeIs(2));
}

TEST_F(NodeMetrics, SamplersOfANodeThatOverlapCountOnce) {
  SamplesBuilder first, second;
  for (const std::uint64_t ms : {10, 110, 210}) first.sample(PL_SAMPLED_NETWORK, "", ms * kMs, {ms});
  second.header.first.ticks = 2 * kMs;
  for (const std::uint64_t ms : {60, 160, 260}) second.sample(PL_SAMPLED_NETWORK, "", ms * kMs, {ms});
  assemble({first, second});
  EXPECT_THAT(course("TCP segments sent"), ElementsAre("9: 0", "109: 100", "209: 200", "259: 250"));
}

TEST_F(NodeMetrics, NodesThatShareAKernelAreToldApartByTheirNames) {
  SamplesBuilder one("kn1", 7), other("kn2", 8);
  one.sample(PL_SAMPLED_NETWORK, "", 10 * kMs, {1});
  other.sample(PL_SAMPLED_NETWORK, "", 20 * kMs, {1});
  assemble({one, other});
  const Definitions& d = reader_->definitions();
  ASSERT_THAT(d.locations, SizeIs(3));
  EXPECT_EQ(d.metrics.size(), 3U);  // one class, an instance on each node
  EXPECT_EQ(d.metrics[d.metrics.size() - 1].instance_of, 0U);
}

TEST_F(NodeMetrics, DamageOfSamplesDoesNotReachTheRanks) {
  SamplesBuilder samples;
  for (const std::uint64_t ms : {1, 300, 600, 950}) {
    samples.sample(PL_SAMPLED_NETWORK, "", ms * kMs, {ms, ms, ms});
    samples.sample(PL_SAMPLED_INTERFACE, "eth0", ms * kMs, {ms, ms, 0, 0, ms, ms, 0, 0});
    samples.clock(ms * kMs + 1, ms, ms);
  }
  const std::filesystem::path file = samples.write(directory_.path());
  const std::filesystem::path spool = spool_.write(directory_.path());
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
  std::mt19937_64 random(20);
  AssembleOptions options;
  options.samples = {file};
  for (int round = 0; round < 60; ++round) {
    samples.write(directory_.path());
    std::fstream damaged(file, std::ios::binary | std::ios::in | std::ios::out);
    for (int i = 0; i < 8; ++i) {
      damaged.seekp(static_cast<std::int64_t>(random() >> 1) % bytes);
      damaged.put(static_cast<char>(random()));
    }
    damaged.close();
    record::assemble({spool}, directory_ / "obs", Overwrite::kYes, options);
    Reader reader(directory_ / "obs");
    EXPECT_EQ(reader.definitions().world_size(), 1U);
    EXPECT_LT(reader.definitions().length, seconds(61));
    for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i) reader.read(i, [](const auto&) {});
  }
}

TEST_F(NodeMetrics, SamplesThatBreakOffAreRemarkedAndMarkedInTheArchive) {
  SamplesBuilder whole, broken("kn2");
  whole.sample(PL_SAMPLED_MEMORY, "", 100 * kMs, {8, 4});
  broken.sample(PL_SAMPLED_MEMORY, "", 100 * kMs, {8, 4});
  broken.ends = false;
  assemble({whole, broken});
  EXPECT_THAT(summary_.remarks, ElementsAre(HasSubstr("1.samples: the samples of node kn2 break off before the end")));
  for (const archive::LocationGroup& group : reader_->definitions().location_groups)
    EXPECT_EQ(group.properties.contains(archive::names::kPropertySamplesMissing),
              group.properties.at(archive::names::kPropertyHost) == "kn2");
}

TEST_F(NodeMetrics, AFileThatIsNoneIsRemarkedAndLeftOut) {
  AssembleOptions options;
  options.samples = {directory_ / "odd.samples"};
  std::ofstream(options.samples[0]) << "odd";
  const AssembleSummary summary =
      record::assemble({spool_.write(directory_.path())}, directory_ / "obs", Overwrite::kYes, options);
  EXPECT_THAT(summary.remarks, ElementsAre(HasSubstr("holds no samples of a node")));
}

}  // namespace
}  // namespace plumbline::record
