#include "replay/expected/use_locations.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/reader.hpp"
#include "tracer/archive/writer.hpp"

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

}  // namespace
}  // namespace plumbline::replay
