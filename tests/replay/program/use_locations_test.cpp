#include "replay/expect/archive/use_locations.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::replay {
namespace {

// Two components, of which the second was used: busy for 5 ps of the first step and 3 of the third, one packet waiting.
TEST(UseLocations, AComponentThatWasUsedHasALocationWithItsMetrics) {
  hw::UseHistory history(2, Time{}, Duration{10});
  const hw::ComponentUse first{Duration{5}, Bytes{100}, 1}, last{Duration{8}, Bytes{160}, 0};
  for (const hw::ComponentUse& use : {first, first, last})
    history.sample([&](std::size_t component) { return component == 1 ? use : hw::ComponentUse{}; });

  test::TemporaryDirectory directory;
  archive::Definitions definitions;
  const std::vector<std::string> names = {"n0 interface", "s0"};
  const UseLocations uses(definitions, names, history);
  archive::Writer writer(directory / "obs", Overwrite::kNo);
  writer.declare(definitions);
  EXPECT_EQ(uses.write(writer), Time{30});
  definitions.length = Duration{30};
  writer.finish(definitions);

  archive::Reader reader(directory / "obs");
  const archive::Definitions& read = reader.definitions();
  ASSERT_EQ(read.locations.size(), 1U);
  EXPECT_EQ(read.locations[0].type, archive::LocationType::kMetric);
  EXPECT_EQ(read.strings[read.locations[0].name], "s0");
  std::vector<std::pair<Time, std::vector<std::uint64_t>>> points;
  reader.read(0, [&](const archive::Event& event) {
    ASSERT_EQ(event.kind, archive::EventKind::kMetric);
    points.emplace_back(event.time, std::vector<std::uint64_t>(event.values.begin(), event.values.end()));
  });
  const std::vector<std::pair<Time, std::vector<std::uint64_t>>> expected = {{Time{10}, {5, 100, 1}},
                                                                             {Time{30}, {8, 160, 0}}};
  EXPECT_EQ(points, expected);
}

// The same: the packet waits from its sample at 10 ps until that at 30 ps, of a run of 40 ps.
TEST(UseLocations, AreReadAsTotalsAndLevelsOfTheRun) {
  hw::UseHistory history(2, Time{}, Duration{10});
  const hw::ComponentUse first{Duration{5}, Bytes{100}, 1}, last{Duration{8}, Bytes{160}, 0};
  for (const hw::ComponentUse& use : {first, first, last})
    history.sample([&](std::size_t component) { return component == 1 ? use : hw::ComponentUse{}; });
  test::TemporaryDirectory directory;
  archive::Definitions definitions;
  const std::vector<std::string> names = {"n0 interface", "s0"}, kinds = {"interface", "switch"};
  const UseLocations uses(definitions, names, history, kinds);
  archive::Writer writer(directory / "obs", Overwrite::kNo);
  writer.declare(definitions);
  uses.write(writer);
  writer.finish(definitions);

  archive::Reader reader(directory / "obs");
  const ComponentTotals expected{
      "s0", "switch", Duration{8}, {{"bytes served", "B", 160}}, {{"packets waiting", "packets", 0.5, 1}}};
  EXPECT_EQ(read_use(reader, Time{}, Time{40}), std::vector<ComponentTotals>{expected});
}

// A disk as another model may describe it: two sums of bytes, one of accesses, two levels. Both levels hold at 6 and 2
// from 20 ps until the end of the run at 60 ps, though its last sample is later.
TEST(UseLocations, AreReadWhateverTheMembersOfTheirMetrics) {
  archive::Definitions d;
  const auto member = [&](const char* name, const char* unit, std::uint8_t mode) {
    d.metric_members.push_back({d.strings.intern(name), d.strings.intern(""), d.strings.intern(unit),
                                archive::AttributeType::kUint64, 0, mode, archive::kBaseDecimal, 0});
  };
  constexpr std::uint8_t kSum = archive::kMetricAccumulatedStart, kLevel = archive::kMetricAbsolutePoint;
  member("time busy", "ps", kSum), member("bytes read", "B", kSum), member("bytes written", "B", kSum);
  member("accesses", "1", kSum), member("accesses waiting", "accesses", kLevel), member("dirty", "B", kLevel);
  d.metrics.push_back({{0, 1, 2, 3, 4, 5}, archive::kMetricAsynchronous, archive::kRecorderAbstract});
  d.location_groups.push_back({d.strings.intern("Platform of the replay"), archive::kUndefined, {}});
  d.locations.push_back(
      {kFirstUseLocation, d.strings.intern("ssd0"), 0, 0, std::nullopt, archive::LocationType::kMetric});
  test::TemporaryDirectory directory;
  archive::Writer writer(directory / "obs", Overwrite::kNo);
  writer.declare(d);
  writer.begin_location(kFirstUseLocation);
  using Values = std::vector<std::uint64_t>;
  for (const auto& [ps, values] :
       {std::pair{20, Values{7, 10, 20, 3, 6, 2}}, std::pair{80, Values{9, 10, 40, 5, 0, 1}}}) {
    archive::Event event;
    event.kind = archive::EventKind::kMetric;
    event.time = Time{ps};
    event.tag = 0;
    event.values = values;
    writer.write(event);
  }
  writer.end_location();
  d.length = Duration{80};
  writer.finish(d);

  archive::Reader reader(directory / "obs");
  const std::vector<ComponentTotals> read = read_use(reader, Time{}, Time{60});
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].busy, Duration{9});
  EXPECT_EQ(read[0].totals,
            (std::vector<UseTotal>{{"bytes read", "B", 10}, {"bytes written", "B", 40}, {"accesses", "1", 5}}));
  EXPECT_EQ(read[0].levels,
            (std::vector<UseLevel>{{"accesses waiting", "accesses", 4, 6}, {"dirty", "B", 80. / 60, 2}}));
}

}  // namespace
}  // namespace plumbline::replay
