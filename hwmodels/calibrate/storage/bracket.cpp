#include "hwmodels/calibrate/storage/mount.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/storage_fit.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;

constexpr std::size_t kFewestAccessSizes = 3;
constexpr std::array<std::string_view, 4> kBuffered = {bench::kCachedWrite, bench::kCachedRead, bench::kDeviceWrite,
                                                       bench::kDeviceRead};

Cells alone(const Cells& cells, const std::string& call, const std::string& where) {
  return select(cells, [&](const bench::Cell& cell) {
    return word(cell, kCall) == call && number(cell, kClients, 1) == 1 && !cell.numbers.contains(kServers) &&
           (where.empty() || word(cell, kWhere) == where);
  });
}

std::size_t count_sizes(const Cells& cells) {
  std::set<std::uint64_t> sizes;
  for (const bench::Cell* cell : cells) sizes.insert(cell->bytes);
  return sizes.size();
}

// Direct accesses where there are enough sizes of them: both ways in one line are no line.
Cells cells_of_access(const MountCells& of, std::string_view call) {
  const Cells all = alone(of.calls, std::string(call), "");
  const Cells direct = select(all, [](const bench::Cell& cell) { return word(cell, kDevice) == kDirect; });
  if (count_sizes(direct) >= kFewestAccessSizes) return direct;
  const Cells others = select(all, [](const bench::Cell& cell) { return word(cell, kDevice) != kDirect; });
  return count_sizes(others) >= kFewestAccessSizes ? others : all;
}

void add(std::string_view name, const Cells& cells, bench::Measurements& into) {
  const bool several = of_several_runs(cells);
  for (const bench::Cell* cell : cells)
    for (std::size_t i = 0; i < cell->seconds.size(); ++i)
      if (i >= cell->flags.size() || cell->flags[i] == 0)
        bench::series(into, name, "ns")
            .samples.push_back({cell->bytes, round_of(*cell, i, several), 0, cell->seconds[i] * 1e9});
}

std::string missing_of(const bench::Measurements& measurements) {
  std::vector<std::string_view> missing;
  for (const std::string_view name : kBuffered) {
    std::set<std::uint64_t> sizes;
    if (const bench::Series* series = find(measurements, name); series != nullptr)
      for (const bench::Sample& sample : series->samples) sizes.insert(sample.size);
    if (sizes.size() < kFewestAccessSizes) missing.push_back(name);
  }
  std::string text = missing.empty() ? "" : fmt::format("three sizes of {}", fmt::join(missing, ", "));
  const auto also = [&text](const char* what) { text += (text.empty() ? "" : ", ") + std::string(what); };
  if (find(measurements, bench::kSyncDirty) == nullptr) also("sync-dirty");
  if (find(measurements, bench::kOpen) == nullptr) also("storage_metadata");
  return text;
}

void tidy(FileSystem& fs) {
  for (AccessCost* cost : {&fs.cached_write, &fs.cached_read, &fs.device_write, &fs.device_read}) {
    cost->call = parameter(cost->call.value, cost->call.spread, cost->call.source);
    cost->rate = parameter(cost->rate.value, cost->rate.spread, cost->rate.source);
  }
  if (fs.exclusive_write)
    fs.exclusive_write = parameter(fs.exclusive_write->value, fs.exclusive_write->spread, fs.exclusive_write->source);
  for (Parameter<Duration>* cost : {&fs.open, &fs.close, &fs.sync})
    *cost = parameter(cost->value, cost->spread, cost->source);
}

}  // namespace

std::vector<Point> times_alone(const MountCells& of, std::string_view call) {
  bench::Measurements measurements;
  add(call, cells_of_access(of, call), measurements);
  std::vector<Point> points;
  for (const SizeSummary& each : summarise(find(measurements, call), Estimate::kUndisturbed))
    if (each.value > 0) points.push_back({static_cast<double>(each.size), each.value});
  return points;
}

bool add_bracket(const MountCells& of) {
  bench::Measurements measurements;
  measurements.environment.mount_point = of.mount;
  measurements.environment.directory = of.mount;
  for (const std::string_view call : kBuffered) add(call, cells_of_access(of, call), measurements);
  add(bench::kSyncDirty, alone(of.calls, std::string(bench::kSyncDirty), ""), measurements);
  add(bench::kOpen, alone(of.metadata, kCreate, kOwn), measurements);
  add(bench::kClose, alone(of.metadata, std::string(bench::kClose), kOwn), measurements);
  if (const std::string missing = missing_of(measurements); !missing.empty()) {
    note(of, fmt::format("no file system was made of it: {} missing", missing));
    return false;
  }
  std::erase_if(of.into.platform.file_systems, [&](const FileSystem& other) {
    return std::find(other.paths.begin(), other.paths.end(), of.mount) != other.paths.end();
  });
  fit_storage(measurements, of.source, of.into);
  tidy(of.into.platform.file_systems.back());
  return true;
}

}  // namespace plumbline::hw::calibration
