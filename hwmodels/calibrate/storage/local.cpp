#include "hwmodels/calibrate/storage/mount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/quantity.hpp"
#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/storage/cache_fit.hpp"
#include "hwmodels/calibrate/storage/disk_fit.hpp"
#include "hwmodels/platform/network_models.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;

Flash flash_of(const MountCells& of, const FileSystem& file_system) {
  Flash flash;
  flash.read_latency = file_system.device_read.call;
  flash.read_rate = file_system.device_read.rate;
  flash.write_latency = file_system.device_write.call;
  flash.write_rate = file_system.device_write.rate;
  const ConcurrencyFit fit = fit_concurrency(select(of.seeks, [](const bench::Cell& cell) {
    return word(cell, kCall) == bench::kDeviceRead && cell.numbers.contains(kThreads);
  }));
  flash.channels = fit.channels;
  flash.queue_depth = std::max(flash.queue_depth, fit.channels);
  if (fit.threads == 0)
    note(of, "accesses beside each other were not measured: one channel");
  else if (fit.still_growing)
    note(of,
         fmt::format("with {} accesses at a time the device had not reached its most: there may be more channels than "
                     "{}",
                     fit.threads, fit.channels));
  return flash;
}

Device device_of(const MountCells& of, const FileSystem& file_system) {
  std::vector<DistanceTimes> times;
  std::map<std::pair<double, double>, Cells> kinds;  // size and distance
  for (const bench::Cell* cell : of.seeks)
    if (cell->numbers.contains(kDistance))
      kinds[{static_cast<double>(cell->bytes), number(*cell, kDistance, 0)}].push_back(cell);
  for (const auto& [kind, cells] : kinds) times.push_back({kind.second, kind.first, samples_of(cells)});
  const SeekFit seeks = fit_seeks(times);
  Device device;
  if (seeks.found) {
    device.disk = hard_disk(seeks, times, file_system.device_read.rate, of.source);
    if (seeks.close == 0) note(of, "ways on the disk cost the same however long they are: one class of seeks only");
    if (seeks.turn_s == 0) note(of, "the turn of the disk was not told from its seeks: they hold its half");
  } else {
    device.flash = flash_of(of, file_system);
    note(of, "ways on the device cost nothing: it has no classes of seeks");
  }
  return device;
}

// Where the kernel tells its limits and writing did not reach them, these are taken.
ServerCache page_cache(const MountCells& of) {
  ServerCache cache;
  cache.policy = CachePolicy::kPageCache;
  const Cells fills = select(of.cache, [](const bench::Cell& cell) { return word(cell, kCall) == kFillWrite; });
  const bench::Cell& any = fills.empty() ? *of.seeks.front() : *fills.front();
  const double memory = number(any, kMemoryAvailable, 0), background = number(any, kToldBackground, 0);
  double limit = number(any, kToldLimit, 0);
  std::vector<double> limits, written;
  for (const bench::Cell* cell : fills) {
    const CacheFit fit = fit_cache({static_cast<double>(cell->bytes), cell->seconds},
                                   background > 0 ? std::optional(background) : std::nullopt);
    written.push_back(fit.written);
    if (fit.dirty_limit) limits.push_back(*fit.dirty_limit);
  }
  if (2 * limits.size() > written.size()) {
    limit = median(limits);
    note(of, fmt::format("writers waited from {} on ({} fills)", format(Bytes{static_cast<std::uint64_t>(limit)}),
                         limits.size()));
  } else if (!written.empty()) {
    note(of, fmt::format("{} were written and writers did not wait: the limit of dirty data is what the kernel tells",
                         format(Bytes{static_cast<std::uint64_t>(median(written))})));
  }
  const auto least = static_cast<double>(of.into.platform.packets.granularity.count);
  if (limit < least) return cache;
  cache.memory =
      Bytes{static_cast<std::uint64_t>(std::max({memory, limit, static_cast<double>(cache.granularity.count)}))};
  cache.dirty_limit = Bytes{static_cast<std::uint64_t>(limit)};
  cache.dirty_background = Bytes{static_cast<std::uint64_t>(background > 0 ? std::min(background, limit) : limit / 2)};
  return cache;
}

}  // namespace

void add_local_device(const MountCells& of, FileSystem& file_system) {
  if (of.seeks.empty()) return;
  const std::string medium = word(*of.seeks.front(), kMedium);
  if (medium != kRotating && medium != kSolid) return;
  if (!model_of(of.into.platform).has_components || of.into.platform.nodes.empty()) {
    note(of, "devices are not in the platform: servers need nodes and the network store-and-forward");
    return;
  }
  const Device device = device_of(of, file_system);
  const ServerCache cache = page_cache(of);
  file_system.distribution = {};
  file_system.distribution.local = true;
  for (std::uint32_t node = 0; node < of.into.platform.nodes.size(); ++node) {
    Server server;
    server.name =
        free_server_name(of.into.platform, fmt::format("{}-{}", file_system.name, of.into.platform.nodes[node].name));
    server.node = node;
    server.device = device;
    server.cache = cache;
    if (device.flash) server.cache.concurrent = device.flash->channels;  // else most of them had nothing to do
    file_system.distribution.servers.push_back(static_cast<std::uint32_t>(of.into.platform.servers.size()));
    of.into.platform.servers.push_back(std::move(server));
  }
  if (of.into.platform.nodes.size() > 1) note(of, "every node is given the device that was measured on one of them");
  leave_devices(file_system);
}

}  // namespace plumbline::hw::calibration
