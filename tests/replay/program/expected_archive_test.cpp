#include "replay/expect/archive/expected_archive.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "replay/expect/archive/time_map.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::replay {
namespace {

using archive::Event;
using archive::EventKind;
using test::TemporaryDirectory;

constexpr Time at(std::int64_t us) { return Time{} + microseconds(us); }

TEST(TimeMap, IsLinearBetweenPointsAndKeepsDistancesOutside) {
  TimeMap map;
  map.add(at(10), at(5));
  map.add(at(20), at(25));
  map.add(at(30), at(25));
  EXPECT_EQ(map(at(12)), at(9));
  EXPECT_EQ(map(at(25)), at(25));
  EXPECT_EQ(map(at(33)), at(28));
  EXPECT_EQ(map(at(7)), at(2));
  EXPECT_EQ(map(at(1)), at(0));
}

TEST(TimeMap, NeverRunsBackwards) {
  TimeMap map;
  map.add(at(10), at(10));
  map.add(at(20), at(5));
  EXPECT_EQ(map(at(15)), at(10));
  EXPECT_EQ(map(at(20)), at(10));
}

// One rank with two calls, a second location of the same process, and one inside of the first.
void write_observed(const std::filesystem::path& directory, const std::vector<std::size_t>& order = {0, 1, 2}) {
  archive::Definitions d;
  d.strings.intern("");
  d.location_groups.emplace_back().name = d.strings.intern("MPI Rank 0");
  for (const std::uint64_t id : {0, 1, 2}) {
    archive::Location& location = d.locations.emplace_back();
    location.otf2_id = id;
    location.name = d.strings.intern("thread");
    location.group = 0;
  }
  d.locations[0].rank = 0;
  d.locations[2].properties[archive::names::kPropertyInsideOf] = "0";
  const std::vector<archive::Location> by_id = d.locations;
  for (std::size_t i = 0; i < order.size(); ++i) d.locations[i] = by_id[order[i]];
  d.regions.push_back({d.strings.intern("MPI_Send"), archive::Role::kPointToPoint, archive::Paradigm::kMpi});
  d.regions.push_back({d.strings.intern("main"), archive::Role::kFunction, archive::Paradigm::kUser});
  d.comms.emplace_back().name = d.strings.intern("MPI_COMM_WORLD");
  d.comms.back().members = {0};
  archive::Writer writer(directory, Overwrite::kNo);
  const auto region = [&](EventKind kind, std::int64_t us, std::uint32_t id) {
    Event event;
    event.kind = kind;
    event.time = at(us);
    event.region = id;
    writer.write(event);
  };
  writer.declare(d);
  writer.begin_location(0);
  region(EventKind::kEnter, 0, 1);
  for (const std::int64_t begin : {10, 40}) {
    region(EventKind::kEnter, begin, 0);
    Event send;
    send.kind = EventKind::kMpiSend;
    send.time = at(begin + 5);
    send.comm = 0;
    send.peer = 0;
    writer.write(send);
    region(EventKind::kLeave, begin + 10, 0);
  }
  region(EventKind::kLeave, 60, 1);
  writer.end_location();
  writer.begin_location(1);
  region(EventKind::kEnter, 15, 1);
  region(EventKind::kLeave, 30, 1);
  writer.end_location();
  writer.begin_location(2);
  region(EventKind::kEnter, 10, 0);
  region(EventKind::kLeave, 20, 0);
  writer.end_location();
  writer.finish(d);
}

Expected two_operations() {
  Expected expected;
  expected.source = "0123";
  ExpectedRank rank;
  rank.free = {{at(10), at(12)}, {at(32), at(52)}};
  rank.lower = {microseconds(2), microseconds(20)};
  rank.upper = {microseconds(3), microseconds(20)};
  rank.band = {microseconds(1), Duration{}};
  rank.as_run = {microseconds(4), microseconds(20)};
  rank.as_run_upper = {microseconds(5), microseconds(20)};
  rank.as_configured = {microseconds(3), microseconds(20)};
  rank.as_configured_upper = {microseconds(4), microseconds(25)};
  rank.ideal_io = {0, 6};
  rank.not_judged = {kNone, 0};
  expected.ranks = {rank};
  expected.reasons = {"a reason"};
  return expected;
}

std::vector<Time> times(archive::Reader& reader, std::uint32_t location) {
  std::vector<Time> times;
  reader.read(location, [&](const Event& event) { times.push_back(event.time); });
  return times;
}

TEST(ExpectedArchive, HasTheEventsOfTheObservedOneAtExpectedTimes) {
  const TemporaryDirectory directory;
  write_observed(directory / "observed");
  archive::Reader observed(directory / "observed");
  write_expected(observed, two_operations(), {}, directory / "expected", Overwrite::kNo);
  archive::Reader expected(directory / "expected");
  // main, then 10-20 became 10-12, 40-50 became 32-52; what lies inside or between is in proportion.
  EXPECT_EQ(times(expected, 0), (std::vector<Time>{at(0), at(10), at(11), at(12), at(32), at(42), at(52), at(62)}));
  EXPECT_EQ(times(expected, 1), (std::vector<Time>{at(11), at(22)}));
  EXPECT_EQ(times(expected, 2), std::vector<Time>{});  // nobody has worked out what goes on inside
  EXPECT_EQ(archive::inside_of(expected.definitions().locations[2]), 0U);
  const auto& properties = expected.definitions().properties;
  EXPECT_EQ(properties.at(archive::names::kPropertyKind), "expected");
  EXPECT_EQ(properties.at(archive::names::kPropertySource), "0123");
}

TEST(ExpectedArchive, IsReadBackAsItsColumns) {
  const TemporaryDirectory directory;
  write_observed(directory / "observed");
  archive::Reader observed(directory / "observed");
  const Expected given = two_operations();
  write_expected(observed, given, {}, directory / "expected", Overwrite::kNo);
  archive::Reader reader(directory / "expected");
  const Expected read = read_expected(reader);
  ASSERT_EQ(read.ranks.size(), 1U);
  const ExpectedRank &a = given.ranks[0], &b = read.ranks[0];
  ASSERT_EQ(b.free.size(), 2U);
  EXPECT_EQ(b.free[1].begin, a.free[1].begin);
  EXPECT_EQ(b.lower, a.lower);
  EXPECT_EQ(b.upper, a.upper);
  EXPECT_EQ(b.band, a.band);
  EXPECT_EQ(b.as_run, a.as_run);
  EXPECT_EQ(b.as_run_upper, a.as_run_upper);
  EXPECT_EQ(b.as_configured, a.as_configured);
  EXPECT_EQ(b.as_configured_upper, a.as_configured_upper);
  EXPECT_EQ(b.ideal_io, a.ideal_io);
  EXPECT_EQ(b.not_judged, a.not_judged);
  EXPECT_EQ(read.reasons, given.reasons);
}

// The thread comes before the location of its rank, and follows it all the same.
TEST(ExpectedArchive, OfAProcessWhoseThreadComesFirstIsTheSame) {
  const TemporaryDirectory directory;
  write_observed(directory / "observed", {1, 0, 2});
  archive::Reader observed(directory / "observed");
  write_expected(observed, two_operations(), {}, directory / "expected", Overwrite::kNo);
  archive::Reader expected(directory / "expected");
  EXPECT_EQ(times(expected, 0), (std::vector<Time>{at(11), at(22)}));
  EXPECT_EQ(times(expected, 1), (std::vector<Time>{at(0), at(10), at(11), at(12), at(32), at(42), at(52), at(62)}));
}

TEST(ExpectedArchive, TellsWhatTheComponentsDidInTheRun) {
  hw::UseRecord use{{"n0 interface"}, {}, {"interface"}};
  use.history.emplace(1, Time{}, microseconds(31));
  for (const std::uint32_t waiting : {3U, 0U})
    use.history->sample([&](std::size_t) { return hw::ComponentUse{microseconds(7), Bytes{1000}, waiting}; });
  const TemporaryDirectory directory;
  write_observed(directory / "observed");
  archive::Reader observed(directory / "observed");
  write_expected(observed, two_operations(), use, directory / "expected", Overwrite::kNo);
  archive::Reader expected(directory / "expected");
  // three packets wait from 31 us until the run ends at 52 us, which begins at 10 us
  const ComponentTotals interface {
    "n0 interface", "interface", microseconds(7), {{"bytes served", "B", 1000}}, {
      { "packets waiting", "packets", 3. * 21 / 42, 3 }
    }
  };
  EXPECT_EQ(read_expected(expected).components, std::vector<ComponentTotals>{interface});
}

TEST(ExpectedArchive, OfAnotherProgramIsRefused) {
  const TemporaryDirectory directory;
  write_observed(directory / "observed");
  archive::Reader observed(directory / "observed");
  Expected expected = two_operations();
  for (auto* column : {&expected.ranks[0].lower, &expected.ranks[0].upper}) column->resize(column->size() - 1);
  expected.ranks[0].free.resize(expected.ranks[0].free.size() - 1);
  EXPECT_THROW(write_expected(observed, expected, {}, directory / "expected", Overwrite::kNo), Error);
  EXPECT_FALSE(std::filesystem::exists(directory / "expected"));
}

}  // namespace
}  // namespace plumbline::replay
