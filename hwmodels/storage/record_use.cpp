#include "hwmodels/storage/record_use.hpp"

#include <algorithm>

namespace plumbline::hw::storage {
namespace {

Bytes bytes_of(std::int64_t count) { return {static_cast<std::uint64_t>(std::max(count, std::int64_t{0}))}; }

std::uint32_t count_of(const LoadMeter& meter) { return static_cast<std::uint32_t>(meter.count()); }

ServerSample server_now(const DataServer& server, Time now) {
  return {server.cpu_busy(now),     server.held_for(now),   server.use().requests,
          server.cache().written(), server.cache().asked(), server.requests_waiting(now)};
}

CacheSample cache_now(const DataServer& server) {
  const ServerUse& use = server.use();
  return {bytes_of(server.cache().capacity() - server.cache().free_memory()), use.hits, use.refused,
          count_of(use.waiting), count_of(use.parked)};
}

DeviceSample device_now(const DataServer& server, Time now) {
  const DeviceUse& use = server.device_use();
  const auto at = [&](SeekClass seek) { return use.seeks[static_cast<std::size_t>(seek)]; };
  return {server.device().busy(now),
          use.written,
          use.read,
          use.reads + use.writes + use.flushes,
          at(SeekClass::kShort) + at(SeekClass::kAverage),
          count_of(use.accesses)};
}

// At the next moment of the histories, how things stand at `now`.
void sample(const FileServers& servers, Time now, StorageRecord& record) {
  const auto server = [&](std::size_t i) -> const DataServer& { return servers.server(static_cast<std::uint32_t>(i)); };
  record.server_use->sample([&](std::size_t i) { return server_now(server(i), now); });
  record.cache_use->sample([&](std::size_t i) { return cache_now(server(i)); });
  record.device_use->sample([&](std::size_t i) { return device_now(server(i), now); });
}

const char* word_of(const Device& device) { return device.disk ? "disk" : device.flash ? "flash" : "device"; }

}  // namespace

void begin_record(std::span<const Server> servers, std::span<const std::string> files, Time begin, Duration first_step,
                  StorageRecord& record) {
  for (const Server& server : servers) {
    record.servers.push_back(server.name);
    record.caches.push_back(server.name + " cache");
    record.devices.push_back(server.name + " " + word_of(server.device));
  }
  record.files.assign(files.begin(), files.end());
  record.server_use.emplace(servers.size(), begin, first_step);
  record.cache_use.emplace(servers.size(), begin, first_step);
  record.device_use.emplace(servers.size(), begin, first_step);
}

void sample_use(const FileServers& servers, Time now, StorageRecord& record) {
  if (!record.server_use) return;
  while (record.server_use->next() <= now) sample(servers, record.server_use->next(), record);
}

void end_record(const FileServers& servers, Time end, StorageRecord& record) {
  if (!record.server_use) return;
  sample_use(servers, end, record);
  sample(servers, end, record);
  for (std::uint32_t i = 0; i < servers.server_count(); ++i)
    if (const AccessLog* log = servers.server(i).device().log()) record.accesses.push_back(*log);
}

}  // namespace plumbline::hw::storage
