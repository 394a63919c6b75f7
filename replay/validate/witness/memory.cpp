#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "replay/validate/witness/parts.hpp"
#include "replay/validate/witness/witness.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr double kRemoteShare = 0.1;  // of the pages that were given out
// The idle memory of a machine of its own is as fast as what was in use just now; noise is less than this factor.
constexpr double kSlowerFirstUse = 3;
constexpr double kFewPages = 10000;  // 40 MB: below that it is the system's own coming and going

// Numbers of the list "0-1" say nothing of how many there are; two or more have a separator.
bool has_several_nodes(const NodeWitness& node) {
  return node.settings.value("memory.numa_nodes").find_first_of(",-") != std::string_view::npos;
}

void see_remote_pages(const NodeWitness& node, Sightings& seen) {
  constexpr std::string_view kBegin = "memory.node", kEnd = ".other_node";
  double local = 0, remote = 0;
  std::vector<Datum> rows;
  for (const auto& [name, pages] : node.growth) {
    if (!name.starts_with(kBegin)) continue;
    if (name.ends_with(".local_node")) local += pages;
    if (!name.ends_with(kEnd)) continue;
    remote += pages;
    add_growth(node, name, "pages", rows);
  }
  if (!has_several_nodes(node) || local + remote < kFewPages || remote < kRemoteShare * (local + remote)) return;
  rows.push_back({"pages on the node of their processor", fmt::format("{:.15g}", local), "pages"});
  add_setting(node, "process.mems_allowed", "", rows);
  seen.push_back(
      {"memory.numa-remote", "Memory was given out on another memory node than that of the processor", "memory", rows});
}

// The kernel's own work for new pages is in both rates.
void see_first_use(const NodeWitness& node, Sightings& seen) {
  const double idle = number(node, std::string(kFirstUseIdle)),
               recent = number(node, "memory.first_use_recent_bytes_s");
  if (idle <= 0 || recent < kSlowerFirstUse * idle) return;
  std::vector<Datum> rows;
  add_setting(node, std::string(kFirstUseIdle), "B/s", rows);
  add_setting(node, "memory.first_use_recent_bytes_s", "B/s", rows);
  add_setting(node, "memory.page_reporting", "", rows);
  add_setting(node, "memory.kdamonds", "", rows);
  seen.push_back({std::string(kFirstUse),
                  "Memory that was idle is slow when it is used again: the host of the virtual "
                  "machine gives it page by page",
                  "memory", rows});
}

}  // namespace

void see_memory(const NodeWitness& node, Sightings& seen) {
  std::vector<Datum> pages, swap;
  add_growth(node, "memory.compact_stall", "", pages);
  add_growth(node, "memory.allocstall_normal", "", pages);
  if (!pages.empty()) {
    add_growth(node, "memory.thp_fault_fallback", "", pages);
    add_setting(node, "memory.thp", "", pages);
    add_setting(node, "memory.thp_defrag", "", pages);
    seen.push_back(
        {"memory.thp", "Programs waited while the kernel made room for large pages", "transparent_hugepage", pages});
  }
  add_growth(node, "memory.pswpin", "pages", swap);
  add_growth(node, "memory.pswpout", "pages", swap);
  if (!swap.empty()) seen.push_back({"memory.swap", "Pages were swapped", "memory", swap});
  see_remote_pages(node, seen);
  see_first_use(node, seen);
}

}  // namespace plumbline::replay::validate
