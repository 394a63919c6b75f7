#include "replay/expect/archive/storage_locations.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "replay/expect/archive/metric_class.hpp"
#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;
using archive::Event;
using archive::EventKind;

// Four locations for each server.
constexpr std::uint64_t kFirstLocation = std::uint64_t{1} << 54;
enum Part : std::uint64_t { kServerPart, kCachePart, kDevicePart, kAccessesPart, kParts };

// Matching numbers are those of nothing else.
constexpr std::uint64_t kFirstMatch = std::uint64_t{1} << 32;

constexpr auto kSum = archive::kMetricAccumulatedStart, kNow = archive::kMetricAbsolutePoint;

constexpr std::array kServerMembers = {
    MetricText{names::kUseBusy, "time of its CPU for requests, since the beginning", "ps", kSum},
    MetricText{names::kServerHeld, "time in which the interface of its node was held, since the beginning", "ps", kSum},
    MetricText{names::kServerRequests, "requests that it was sent, since the beginning", "#", kSum},
    MetricText{names::kDiskBytesWritten, "bytes that its cache has taken, since the beginning", "B", kSum},
    MetricText{names::kDiskBytesRead, "bytes that it was asked for, since the beginning", "B", kSum},
    MetricText{names::kServerWaiting, "requests that its CPU has not looked at", "#", kNow},
};
constexpr std::array kCacheMembers = {
    MetricText{names::kCacheUsed, "memory for data under way; of a page cache, for dirty data", "B", kNow},
    MetricText{names::kCacheHits, "bytes that were read without the device, since the beginning", "B", kSum},
    MetricText{names::kCacheRefused, "packets that it did not take at once, since the beginning", "packets", kSum},
    MetricText{names::kCacheWaiting, "jobs that the device has not been given", "#", kNow},
    MetricText{names::kCacheParked, "packets that it has not taken yet", "packets", kNow},
};
constexpr std::array kDeviceMembers = {
    MetricText{names::kUseBusy, "time in which it had an access, since the beginning", "ps", kSum},
    MetricText{names::kDiskBytesWritten, "by accesses that are done, since the beginning", "B", kSum},
    MetricText{names::kDiskBytesRead, "by accesses that are done, since the beginning", "B", kSum},
    MetricText{names::kDeviceAccesses, "accesses that are done, since the beginning", "#", kSum},
    MetricText{names::kDeviceSeeks, "accesses that did not begin where the one before ended, since the beginning", "#",
               kSum},
    MetricText{names::kDeviceWaiting, "accesses that it was given and has not done", "#", kNow},
};

std::uint64_t number(Duration duration) { return static_cast<std::uint64_t>(duration.ps); }

std::array<std::uint64_t, kServerMembers.size()> values_of(const hw::ServerSample& use) {
  return {number(use.busy), number(use.held), use.requests, use.written.count, use.read.count, use.waiting};
}

std::array<std::uint64_t, kCacheMembers.size()> values_of(const hw::CacheSample& use) {
  return {use.used.count, use.hits.count, use.refused, use.waiting, use.parked};
}

std::array<std::uint64_t, kDeviceMembers.size()> values_of(const hw::DeviceSample& use) {
  return {number(use.busy), use.written.count, use.read.count, use.accesses, use.seeks, use.waiting};
}

const char* kind_of(const hw::ServerSample&) { return "server"; }
const char* kind_of(const hw::CacheSample&) { return "cache"; }
const char* kind_of(const hw::DeviceSample&) { return "device"; }

std::span<const MetricText> members_of(const hw::ServerSample&) { return kServerMembers; }
std::span<const MetricText> members_of(const hw::CacheSample&) { return kCacheMembers; }
std::span<const MetricText> members_of(const hw::DeviceSample&) { return kDeviceMembers; }

std::uint32_t file_of(archive::Definitions& d, const std::string& path) {
  const archive::StringId name = d.strings.intern(path);
  const auto found = std::ranges::find(d.io_files, name, &archive::IoFile::path);
  if (found != d.io_files.end()) return static_cast<std::uint32_t>(found - d.io_files.begin());
  d.io_files.push_back({name});
  return static_cast<std::uint32_t>(d.io_files.size() - 1);
}

archive::IoMode mode_of(hw::DeviceAction action) {
  switch (action) {
    case hw::DeviceAction::kRead:
      return archive::IoMode::kRead;
    case hw::DeviceAction::kWrite:
      return archive::IoMode::kWrite;
    case hw::DeviceAction::kFlush:
      break;
  }
  return archive::IoMode::kFlush;
}

// The records of a log in the order of time; of equal times in that of the accesses, each from its begin to its end.
struct DeviceStep {
  Time time;
  std::uint32_t access;
  EventKind kind;
};

std::vector<DeviceStep> steps_of(const hw::AccessLog& log) {
  std::vector<DeviceStep> steps;
  for (std::uint32_t i = 0; i < log.accesses.size(); ++i) {
    const hw::LoggedAccess& access = log.accesses[i];
    steps.push_back({access.given, i, EventKind::kIoOperationBegin});
    if (access.begun != access.kNever) steps.push_back({access.begun, i, EventKind::kIoOperationIssued});
    if (access.done != access.kNever) steps.push_back({access.done, i, EventKind::kIoOperationComplete});
  }
  std::ranges::stable_sort(steps, {}, &DeviceStep::time);
  return steps;
}

}  // namespace

StorageLocations::StorageLocations(archive::Definitions& d, const hw::StorageRecord& record) : record_(record) {
  servers_ = add_metrics(d, record.servers, record.server_use, kServerPart, server_metric_);
  caches_ = add_metrics(d, record.caches, record.cache_use, kCachePart, cache_metric_);
  devices_ = add_metrics(d, record.devices, record.device_use, kDevicePart, device_metric_);
  add_accesses(d);
}

template <class Use>
std::vector<StorageLocations::Place> StorageLocations::add_metrics(archive::Definitions& d,
                                                                   std::span<const std::string> names,
                                                                   const std::optional<hw::StepHistory<Use>>& history,
                                                                   std::uint64_t part, std::uint32_t& metric) {
  std::vector<Place> places;
  if (!history) return places;
  for (std::size_t server = 0; server < history->components(); ++server) {
    if (history->of(server).empty()) continue;
    const std::uint64_t id = kFirstLocation + server * kParts + part;
    places.push_back({id, server});
    d.locations.push_back(
        {id, d.strings.intern(names[server]), platform_group(d), 0, std::nullopt, archive::LocationType::kMetric});
    d.locations.back().properties[names::kPropertyComponentKind] = kind_of(Use{});
  }
  if (!places.empty()) metric = add_metric_class(d, members_of(Use{}));
  return places;
}

void StorageLocations::add_accesses(archive::Definitions& d) {
  for (std::size_t server = 0; server < record_.accesses.size(); ++server) {
    const hw::AccessLog& log = record_.accesses[server];
    if (log.accesses.empty()) continue;
    const std::uint64_t id = kFirstLocation + server * kParts + kAccessesPart;
    accesses_.push_back({id, server});
    const std::string& device = record_.devices[server];
    archive::Location location{id,           d.strings.intern(device + " accesses"), platform_group(d), 0,
                               std::nullopt, archive::LocationType::kOther};
    if (log.left_out > 0) location.properties[names::kPropertyLost] = std::to_string(log.left_out);
    d.locations.push_back(std::move(location));
    for (const hw::LoggedAccess& access : log.accesses) {
      const auto [handle, is_new] =
          handles_.try_emplace({server, access.file}, static_cast<std::uint32_t>(d.io_handles.size()));
      if (!is_new) continue;
      d.io_handles.push_back({d.strings.intern(device), file_of(d, record_.files[access.file]),
                              archive::IoParadigm::kOther, archive::kUndefined, archive::kUndefined});
    }
  }
  if (!accesses_.empty()) offset_ = d.attribute(names::kOffset, archive::AttributeType::kUint64);
}

Time StorageLocations::write(archive::Writer& writer) const {
  Time last;
  write_metrics(writer, servers_, record_.server_use, server_metric_, last);
  write_metrics(writer, caches_, record_.cache_use, cache_metric_, last);
  write_metrics(writer, devices_, record_.device_use, device_metric_, last);
  for (const Place& place : accesses_) write_accesses(writer, place, last);
  return last;
}

template <class Use>
void StorageLocations::write_metrics(archive::Writer& writer, std::span<const Place> places,
                                     const std::optional<hw::StepHistory<Use>>& history, std::uint32_t metric,
                                     Time& last) const {
  for (const Place& place : places) {
    writer.begin_location(place.id);
    for (const hw::StepPoint<Use>& point : history->of(place.server)) {
      const auto values = values_of(point.use);
      Event event;
      event.kind = EventKind::kMetric;
      event.time = history->end_of(point.step);
      event.tag = metric;
      event.values = values;
      writer.write(event);
      last = std::max(last, event.time);
    }
    writer.end_location();
  }
}

// A handle is there from the first access on.
void StorageLocations::write_accesses(archive::Writer& writer, const Place& place, Time& last) const {
  constexpr std::int64_t kReadWrite = 2;
  const hw::AccessLog& log = record_.accesses[place.server];
  std::vector<bool> is_open(record_.files.size());
  writer.begin_location(place.id);
  for (const DeviceStep& step : steps_of(log)) {
    const hw::LoggedAccess& access = log.accesses[step.access];
    Event event;
    event.time = step.time;
    last = std::max(last, step.time);
    event.io_handle = handles_.at({place.server, access.file});
    if (!is_open[access.file]) {
      is_open[access.file] = true;
      Event open = event;
      open.kind = EventKind::kIoCreateHandle;
      open.offset = kReadWrite;
      writer.write(open);
    }
    event.kind = step.kind;
    event.io_mode = mode_of(access.action);
    event.io_flags = archive::kIoNonBlocking;
    event.bytes = access.bytes;
    event.request = kFirstMatch + step.access;
    archive::AttributeValue offset;
    offset.attribute = offset_;
    offset.u64 = access.offset;
    const bool has_place = step.kind == EventKind::kIoOperationBegin && access.action != hw::DeviceAction::kFlush;
    if (has_place) event.attributes = {&offset, 1};
    writer.write(event);
  }
  writer.end_location();
}

}  // namespace plumbline::replay
