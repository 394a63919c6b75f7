#include "hwmodels/calibrate/storage/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "hwmodels/calibrate/storage/mount.hpp"

namespace plumbline::hw::calibration {
namespace {

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool serves(const FileSystem& file_system, const std::string& path) {
  return std::any_of(file_system.paths.begin(), file_system.paths.end(),
                     [&](const std::string& other) { return without_slash(other) == without_slash(path); });
}

bool uses(const FileSystem& file_system, std::uint32_t server) {
  const Distribution& distribution = file_system.distribution;
  return distribution.metadata == server ||
         std::find(distribution.servers.begin(), distribution.servers.end(), server) != distribution.servers.end();
}

class StorageMerge {
 public:
  StorageMerge(const Platform& measured, const Platform& platform, std::vector<std::string>& notes)
      : measured_(measured), old_(platform), notes_(notes), merged_(measured) {
    merged_.servers.clear();
    merged_.file_systems.clear();
    for (const FileSystem& file_system : old_.file_systems) replaced_.push_back(is_measured(file_system));
  }

  Platform run() {
    keep_servers();
    for (std::size_t i = 0; i < old_.file_systems.size(); ++i)
      if (!replaced_[i]) add(old_.file_systems[i], old_numbers_);
    put_servers();
    for (const FileSystem& file_system : measured_.file_systems) put(file_system);
    return std::move(merged_);
  }

 private:
  bool is_measured(const FileSystem& old) const {
    return std::any_of(measured_.file_systems.begin(), measured_.file_systems.end(),
                       [&](const FileSystem& file_system) { return serves(old, file_system.paths.front()); });
  }

  // Not those that only file systems used which are replaced.
  void keep_servers() {
    for (std::uint32_t server = 0; server < old_.servers.size(); ++server) {
      bool is_used = false, was_used = false;
      for (std::size_t i = 0; i < old_.file_systems.size(); ++i)
        if (uses(old_.file_systems[i], server)) (replaced_[i] ? was_used : is_used) = true;
      old_numbers_.push_back(static_cast<std::uint32_t>(merged_.servers.size()));
      if (is_used || !was_used) merged_.servers.push_back(old_.servers[server]);
    }
  }

  void put_servers() {
    for (const Server& server : measured_.servers) {
      const auto same = std::find_if(merged_.servers.begin(), merged_.servers.end(),
                                     [&](const Server& other) { return other.name == server.name; });
      numbers_.push_back(static_cast<std::uint32_t>(same - merged_.servers.begin()));
      if (same == merged_.servers.end()) {
        merged_.servers.push_back(server);
      } else {
        *same = server;
        notes_.push_back(fmt::format("server '{}' is now as it was measured, whatever uses it", server.name));
      }
    }
  }

  void put(const FileSystem& measured) {
    const std::string path = measured.paths.front();
    const auto old = std::find_if(old_.file_systems.begin(), old_.file_systems.end(),
                                  [&](const FileSystem& other) { return serves(other, path); });
    FileSystem file_system = measured;
    if (old != old_.file_systems.end()) {
      file_system.name = old->name;
      file_system.paths = old->paths;
      notes_.push_back(fmt::format("file system '{}' is replaced by what was measured of {}", old->name, path));
    }
    add(file_system, numbers_);
    if (old == old_.file_systems.end())
      notes_.push_back(fmt::format("file system '{}' is added, for {}", merged_.file_systems.back().name, path));
  }

  void add(FileSystem file_system, const std::vector<std::uint32_t>& numbers) {
    Distribution& distribution = file_system.distribution;
    for (std::uint32_t& server : distribution.servers) server = numbers[server];
    if (distribution.metadata) distribution.metadata = numbers[*distribution.metadata];
    merged_.file_systems.push_back(std::move(file_system));
    number_last_name(merged_.file_systems);
  }

  const Platform &measured_, &old_;
  std::vector<std::string>& notes_;
  Platform merged_;
  std::vector<bool> replaced_;                        // [file systems of old_]
  std::vector<std::uint32_t> old_numbers_, numbers_;  // [servers of old_], [of measured_], in merged_
};

}  // namespace

Platform with_storage_of(const Platform& measured, const Platform& platform, std::vector<std::string>& notes) {
  return StorageMerge(measured, platform, notes).run();
}

}  // namespace plumbline::hw::calibration
