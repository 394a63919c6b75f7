#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/mounts.hpp"
#include "replay/validate/witness/parts.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr double kFullShare = 0.9;
constexpr double kTransfer = 1 << 20;  // B at a time, which Linux offers by itself

// The value of "rsize" in "rw,rsize=8192,sync"; empty text of an option without a value; nullopt: it is not there.
std::optional<std::string_view> option(std::string_view options, std::string_view name) {
  while (!options.empty()) {
    const std::string_view one = options.substr(0, options.find(','));
    if (one == name) return std::string_view();
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
    options.remove_prefix(std::min(one.size() + 1, options.size()));
  }
  return std::nullopt;
}

bool is_small(std::optional<std::string_view> bytes) {
  double value = 0;
  if (!bytes) return false;
  const auto [end, fault] = std::from_chars(bytes->data(), bytes->data() + bytes->size(), value);
  return fault == std::errc{} && value < kTransfer;
}

void see_nfs(const NodeWitness& node, const std::string& directory, Sightings& seen) {
  const std::string fact = "mount." + directory;
  const std::string_view options = node.settings.value(fact + ".options");
  if (!node.settings.value(fact + ".type").starts_with("nfs")) return;
  const bool slow = option(options, "sync") || option(options, "noac") || option(options, "actimeo") == "0" ||
                    is_small(option(options, "rsize")) || is_small(option(options, "wsize"));
  const std::string counters = "nfs." + std::string(node.settings.value(fact + ".point"));
  std::vector<Datum> again;
  add_growth(node, counters + ".retransmits", "calls", again);
  add_growth(node, counters + ".timeouts", "calls", again);
  if (!slow && again.empty()) return;
  std::vector<Datum> rows;
  add_setting(node, fact + ".options", "", rows);
  add_setting(node, fact + ".source", "", rows);
  rows.insert(rows.end(), again.begin(), again.end());
  for (const char* call : {".read", ".write", ".getattr"}) {
    add_growth(node, counters + call + "_calls", "calls", rows);
    add_growth(node, counters + call + "_rtt_ms", "ms", rows);
  }
  seen.push_back({"fs.nfs-options",
                  slow ? "NFS is mounted with options that make each access slower" : "Calls of NFS were sent again",
                  directory, rows});
}

bool is_memory(std::string_view type) { return type == "tmpfs" || type == "ramfs" || type == "hugetlbfs"; }

// Mounts of NFS are looked at by themselves, and memory has no device to wait for.
void see_waiting_mount(const NodeWitness& node, const std::string& directory, Sightings& seen) {
  const std::string fact = "mount." + directory;
  const std::string_view type = node.settings.value(fact + ".type");
  const std::string_view options = node.settings.value(fact + ".options");
  if (type.starts_with("nfs") || is_memory(type)) return;
  const bool writes = node::has_option(options, "sync");
  if (!writes && !node::has_option(options, "dirsync") && !node::has_option(options, "wsync")) return;
  std::vector<Datum> rows;
  for (const char* name : {".options", ".type", ".source"}) add_setting(node, fact + name, "", rows);
  seen.push_back({"fs.mount-options",
                  writes ? "The file system is mounted so that each write waits for the device"
                         : "The file system is mounted so that making or removing a file waits for the device",
                  directory, rows});
}

void see_room(const NodeWitness& node, const std::string& fact, const std::string& component, Sightings& seen) {
  std::vector<Datum> rows;
  for (const char* kind : {"bytes", "files"}) {
    const std::string all = fmt::format("{}.{}", fact, kind), free = fmt::format("{}.free_{}", fact, kind);
    if (number(node, all) <= 0 || number(node, free) >= (1 - kFullShare) * number(node, all)) continue;
    add_setting(node, all, kind == std::string_view("bytes") ? "B" : "", rows);
    add_setting(node, free, kind == std::string_view("bytes") ? "B" : "", rows);
  }
  if (!rows.empty()) seen.push_back({"fs.full", "The file system is more than 90 % full", component, rows});
}

}  // namespace

// Disks of flash that keep their cache through a loss of power say "write through" too, and lose nothing by it.
void see_disks(const NodeWitness& node, Sightings& seen) {
  for (const std::string& disk : parts_between(node.settings, "disk.", ".write_cache")) {
    const std::string fact = "disk." + disk;
    if (node.settings.value(fact + ".write_cache") != "write through" ||
        node.settings.value(fact + ".rotational") != "1")
      continue;
    std::vector<Datum> rows;
    add_setting(node, fact + ".write_cache", "", rows);
    add_setting(node, fact + ".model", "", rows);
    seen.push_back({"disk.write-cache-off", "A rotating disk writes without its cache", disk, rows});
  }
  for (const std::string& array : parts_between(node.settings, "md.", ".state")) {
    const std::string fact = "md." + array;
    const bool degraded = number(node, fact + ".members_active") < number(node, fact + ".members");
    const bool busy = !node.settings.value(fact + ".action").empty();
    if (!degraded && !busy) continue;
    std::vector<Datum> rows;
    for (const char* name : {".level", ".members", ".members_active", ".failed", ".action"})
      add_setting(node, fact + name, "", rows);
    add_setting(node, fact + ".action_percent", "%", rows);
    seen.push_back({"disk.array-degraded",
                    degraded ? "A member of the array is missing" : "The array is being rebuilt or checked", array,
                    rows});
  }
}

void see_file_systems(const NodeWitness& node, Sightings& seen) {
  for (const std::string& directory : parts_between(node.settings, "mount.", ".type")) {
    see_nfs(node, directory, seen);
    see_waiting_mount(node, directory, seen);
  }
  for (const std::string& directory : parts_between(node.settings, "mount.", ".free_bytes"))
    see_room(node, "mount." + directory, directory, seen);
}

}  // namespace plumbline::replay::validate
