#include "replay/expect/archive/storage_locations.hpp"

#include <gtest/gtest.h>

#include <map>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "hwmodels/storage/record_use.hpp"
#include "tests/hwmodels/storage/storage_world.hpp"
#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {
namespace {

using archive::Event;
using archive::EventKind;

// Writes an archive that has nothing else, and reads it back.
archive::Reader written(const hw::StorageRecord& record, const std::filesystem::path& directory) {
  archive::Definitions definitions;
  const StorageLocations storage(definitions, record);
  archive::Writer writer(directory, Overwrite::kNo);
  writer.declare(definitions);
  definitions.length = storage.write(writer) - Time{};
  writer.finish(definitions);
  return archive::Reader(directory);
}

std::optional<std::uint32_t> location_of(const archive::Definitions& d, const std::string& name) {
  for (std::uint32_t i = 0; i < d.locations.size(); ++i)
    if (d.strings[d.locations[i].name] == name) return i;
  return std::nullopt;
}

// Two servers of which the second was used in one step; two accesses of its disk, the second under way at the end.
hw::StorageRecord small_record() {
  hw::StorageRecord record;
  record.servers = {"d0", "d1"};
  record.caches = {"d0 cache", "d1 cache"};
  record.devices = {"d0 disk", "d1 disk"};
  record.files = {"/a", "/b"};
  record.server_use.emplace(2, Time{}, Duration{10});
  record.cache_use.emplace(2, Time{}, Duration{10});
  record.device_use.emplace(2, Time{}, Duration{10});
  record.server_use->sample([](std::size_t i) {
    return i == 0 ? hw::ServerSample{} : hw::ServerSample{Duration{1}, Duration{2}, 3, Bytes{4}, Bytes{5}, 6};
  });
  record.cache_use->sample([](std::size_t i) {
    return i == 0 ? hw::CacheSample{} : hw::CacheSample{Bytes{1}, Bytes{2}, 3, 4, 5};
  });
  record.device_use->sample([](std::size_t i) {
    return i == 0 ? hw::DeviceSample{} : hw::DeviceSample{Duration{1}, Bytes{2}, Bytes{3}, 4, 5, 6};
  });
  record.accesses.resize(2);
  record.accesses[1].accesses = {{Time{1}, Time{2}, Time{7}, 4096, 100, 1, hw::DeviceAction::kWrite},
                                 {Time{3}, Time{7}, hw::LoggedAccess::kNever, 0, 50, 1, hw::DeviceAction::kRead}};
  record.accesses[1].left_out = 9;
  return record;
}

TEST(StorageLocations, AServerItsCacheAndItsDeviceHaveTheMetricsOfTheirKind) {
  const test::TemporaryDirectory directory;
  const hw::StorageRecord record = small_record();
  archive::Reader reader = written(record, directory / "obs");
  const archive::Definitions& d = reader.definitions();
  EXPECT_EQ(location_of(d, "d0"), std::nullopt) << "it was not used";
  using Values = std::map<std::string, std::uint64_t>;
  const auto values_at = [&](const std::string& name, const std::string& kind) {
    const std::uint32_t location = location_of(d, name).value();
    EXPECT_EQ(d.locations[location].type, archive::LocationType::kMetric);
    EXPECT_EQ(d.locations[location].properties.at(archive::names::kPropertyComponentKind), kind);
    EXPECT_EQ(d.strings[d.location_groups[d.locations[location].group].name], "Platform of the replay");
    Values values;
    reader.read(location, [&](const Event& event) {
      EXPECT_EQ(event.kind, EventKind::kMetric);
      EXPECT_EQ(event.time, Time{10});
      const std::vector<std::uint32_t>& members = d.members_of(event.tag);
      for (std::size_t i = 0; i < members.size(); ++i) {
        const archive::MetricMember& member = d.metric_members[members[i]];
        values[d.strings[member.name]] = event.values[i];
        const bool is_now = d.strings[member.name].ends_with("waiting") || d.strings[member.name].ends_with("parked") ||
                            d.strings[member.name] == "memory used";
        EXPECT_EQ(member.mode, is_now ? archive::kMetricAbsolutePoint : archive::kMetricAccumulatedStart);
      }
    });
    return values;
  };
  EXPECT_EQ(values_at("d1", "server"), (Values{{"time busy", 1},
                                               {"time interface held", 2},
                                               {"requests", 3},
                                               {"bytes written", 4},
                                               {"bytes read", 5},
                                               {"requests waiting", 6}}));
  EXPECT_EQ(
      values_at("d1 cache", "cache"),
      (Values{
          {"memory used", 1}, {"bytes hit", 2}, {"packets refused", 3}, {"jobs waiting", 4}, {"packets parked", 5}}));
  EXPECT_EQ(values_at("d1 disk", "device"), (Values{{"time busy", 1},
                                                    {"bytes written", 2},
                                                    {"bytes read", 3},
                                                    {"accesses", 4},
                                                    {"seeks", 5},
                                                    {"accesses waiting", 6}}));
}

TEST(StorageLocations, TheAccessesOfADeviceAreRecordsOfInputAndOutput) {
  const test::TemporaryDirectory directory;
  const hw::StorageRecord record = small_record();
  archive::Reader reader = written(record, directory / "obs");
  const archive::Definitions& d = reader.definitions();
  const std::uint32_t location = location_of(d, "d1 disk accesses").value();
  EXPECT_NE(d.locations[location].type, archive::LocationType::kMetric);
  EXPECT_EQ(d.locations[location].properties.at(archive::names::kPropertyLost), "9");
  ASSERT_EQ(d.io_handles.size(), 1U);
  EXPECT_EQ(d.strings[d.io_handles[0].name], "d1 disk");
  EXPECT_EQ(d.strings[d.io_files[d.io_handles[0].file].path], "/b");
  std::vector<std::tuple<std::int64_t, EventKind, std::uint64_t>> seen;  // time, kind, matching number
  reader.read(location, [&](const Event& event) {
    seen.emplace_back(event.time.ps, event.kind, event.kind == EventKind::kIoCreateHandle ? 0 : event.request);
    if (event.kind != EventKind::kIoOperationBegin) return;
    const bool first = event.time == Time{1};
    EXPECT_EQ(event.io_mode, first ? archive::IoMode::kWrite : archive::IoMode::kRead);
    EXPECT_EQ(event.bytes, first ? 100U : 50U);
    EXPECT_EQ(event.io_flags, archive::kIoNonBlocking);
    ASSERT_EQ(event.attributes.size(), 1U);
    EXPECT_EQ(event.attributes[0].u64, first ? 4096U : 0U);
  });
  using enum EventKind;
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 32, kSecond = kFirst + 1;
  EXPECT_EQ(seen, (std::vector<std::tuple<std::int64_t, EventKind, std::uint64_t>>{{1, kIoCreateHandle, 0},
                                                                                   {1, kIoOperationBegin, kFirst},
                                                                                   {2, kIoOperationIssued, kFirst},
                                                                                   {3, kIoOperationBegin, kSecond},
                                                                                   {7, kIoOperationComplete, kFirst},
                                                                                   {7, kIoOperationIssued, kSecond}}))
      << "the second is under way at the end";
}

// A run of the models: what is on a location adds up to what the device did, for our reader and for otf2-print.
TEST(StorageLocations, ALocationAddsUpToWhatItsDeviceDid) {
  const hw::Platform platform =
      hw::read_platform(std::string(PLUMBLINE_SOURCE) + "/tests/hwmodels/storage/cluster.xml");
  hw::storage::StorageWorld world(platform);
  hw::StorageRecord record;
  const std::vector<std::string> files = {"/pvfs/a", "/pvfs/b"};
  hw::storage::begin_record(platform.servers, files, Time{}, microseconds(10), record);
  world.servers().log_accesses(1000);
  world.watch([&](Time now) { hw::storage::sample_use(world.servers(), now, record); });
  for (std::uint32_t file = 0; file < 2; ++file) {
    world.servers().add_file(file, 0, files[file], {{}, 2, {}});
    const hw::storage::Extent write[] = {{0, 1'000'000}}, read[] = {{500'000, 300'000}};
    world.servers().access({file, file, file}, file, hw::Access::kWrite, write, Time{}, world.queue());
    world.servers().access({2 + file, file, file}, file, hw::Access::kRead, read, Time{} + milliseconds(1),
                           world.queue());
  }
  world.run();
  hw::storage::end_record(world.servers(), world.end(), record);

  const test::TemporaryDirectory directory;
  archive::Reader reader = written(record, directory / "obs");
  const archive::Definitions& d = reader.definitions();
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const hw::storage::DeviceUse& device = world.servers().server(i).device_use();
    std::uint64_t written_bytes = 0, read_bytes = 0;
    std::map<std::uint64_t, archive::IoMode> modes;
    reader.read(location_of(d, record.devices[i] + " accesses").value(), [&](const Event& event) {
      if (event.kind == EventKind::kIoOperationBegin) modes[event.request] = event.io_mode;
      if (event.kind != EventKind::kIoOperationComplete) return;
      if (modes.at(event.request) == archive::IoMode::kWrite) written_bytes += event.bytes;
      if (modes.at(event.request) == archive::IoMode::kRead) read_bytes += event.bytes;
    });
    EXPECT_EQ(written_bytes, device.written.count);
    EXPECT_EQ(read_bytes, device.read.count);
    all += written_bytes;
    std::vector<std::uint64_t> last;
    reader.read(location_of(d, record.devices[i]).value(),
                [&](const Event& event) { last.assign(event.values.begin(), event.values.end()); });
    EXPECT_EQ(last[1], device.written.count);
    EXPECT_EQ(last[2], device.read.count);
  }
  EXPECT_EQ(all, 2'000'000U);

  const test::CommandResult printed = test::run_command("otf2-print obs/traces.otf2", directory.path());
  EXPECT_EQ(printed.status, 0) << printed.err;
  EXPECT_NE(printed.out.find("IO_OPERATION_COMPLETE"), std::string::npos) << printed.out;
  EXPECT_EQ(printed.out.find("unknown"), std::string::npos);
  const test::CommandResult definitions = test::run_command("otf2-print -G obs/traces.otf2", directory.path());
  EXPECT_EQ(definitions.status, 0) << definitions.err;
  for (const char* name : {"d0 disk accesses", "d1 flash", "d0 cache", "time interface held", "/pvfs/a"})
    EXPECT_NE(definitions.out.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace plumbline::replay
