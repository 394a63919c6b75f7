#include "hwmodels/calibrate/storage/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/observations/runs.hpp"
#include "hwmodels/calibrate/storage/findings.hpp"
#include "hwmodels/calibrate/storage/mount.hpp"

namespace plumbline::hw::calibration {

using namespace bench::cells;

void note(const MountCells& of, const std::string& text) {
  of.into.notes.push_back(fmt::format("storage of {}: {}", of.mount, text));
}

namespace {

template <class Things>
std::string free_name(const Things& things, const std::string& wanted) {
  std::string name = wanted;
  const auto is_taken = [&](const auto& thing) { return thing.name == name; };
  for (int i = 2; std::any_of(things.begin(), things.end(), is_taken); ++i) name = fmt::format("{}-{}", wanted, i);
  return name;
}

}  // namespace

std::string free_server_name(const Platform& platform, const std::string& wanted) {
  return free_name(platform.servers, wanted);
}

void number_last_name(std::vector<FileSystem>& file_systems) {
  const std::string wanted = file_systems.back().name;
  file_systems.back().name.clear();
  file_systems.back().name = free_name(file_systems, wanted);
}

void fit_storage_cells(const bench::Campaign& campaign, const std::string& source, Calibration& into) {
  const RunChoice runs = choose_runs(campaign);
  std::set<std::string> mounts;
  for (const std::string& family : {kStorageCalls, kStorageSeek, kStorageCache, kStorageMetadata})
    for (const bench::Cell* cell : cells_of(campaign, family)) mounts.insert(word(*cell, kMountPoint));
  for (const std::string& mount : mounts) {
    const auto here = [&](const std::string& family) {
      return select(cells_of(campaign, family),
                    [&](const bench::Cell& cell) { return word(cell, kMountPoint) == mount && runs.takes(cell); });
    };
    const MountCells of{
        mount, source, into, here(kStorageCalls), here(kStorageSeek), here(kStorageCache), here(kStorageMetadata)};
    if (!add_bracket(of)) continue;
    number_last_name(into.platform.file_systems);
    FileSystem& file_system = into.platform.file_systems.back();
    if (!add_servers(of, file_system)) add_local_device(of, file_system);
  }
  SlowStorage slow = find_slow_storage(campaign);
  std::move(slow.findings.begin(), slow.findings.end(), std::back_inserter(into.findings));
  std::move(slow.notes.begin(), slow.notes.end(), std::back_inserter(into.notes));
}

}  // namespace plumbline::hw::calibration
