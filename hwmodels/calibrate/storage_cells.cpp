#include "hwmodels/calibrate/storage_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/storage_findings.hpp"
#include "hwmodels/calibrate/storage_mount.hpp"

namespace plumbline::hw::calibration {

using namespace bench::cells;

void note(const MountCells& of, const std::string& text) {
  of.into.notes.push_back(fmt::format("storage of {}: {}", of.mount, text));
}

std::string free_server_name(const Platform& platform, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(platform.servers.begin(), platform.servers.end(),
                       [&](const Server& server) { return server.name == name; });
  };
  std::string name = wanted;
  for (int i = 2; taken(name); ++i) name = fmt::format("{}-{}", wanted, i);
  return name;
}

void fit_storage_cells(const bench::Campaign& campaign, const std::string& source, Calibration& into) {
  std::set<std::string> mounts;
  for (const std::string& family : {kStorageCalls, kStorageSeek, kStorageCache, kStorageMetadata})
    for (const bench::Cell* cell : cells_of(campaign, family)) mounts.insert(word(*cell, kMountPoint));
  for (const std::string& mount : mounts) {
    const auto here = [&](const std::string& family) {
      return select(cells_of(campaign, family),
                    [&](const bench::Cell& cell) { return word(cell, kMountPoint) == mount; });
    };
    const MountCells of{
        mount, source, into, here(kStorageCalls), here(kStorageSeek), here(kStorageCache), here(kStorageMetadata)};
    if (!add_bracket(of)) continue;
    FileSystem& file_system = into.platform.file_systems.back();
    if (!add_servers(of, file_system)) add_local_device(of, file_system);
  }
  for (Finding& finding : find_storage_outliers(campaign)) into.findings.push_back(std::move(finding));
}

}  // namespace plumbline::hw::calibration
