#include "tracer/record/definitions/run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <set>

namespace plumbline::record {
namespace {

constexpr std::size_t kProcessors = std::size(pl_file_header{}.affinity) * 64;

bool may_run_on(const pl_file_header& header, std::size_t processor) {
  return processor < kProcessors && (header.affinity[processor / 64] >> (processor % 64) & 1) != 0;
}

std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::size_t processor_number(std::string_view text) {
  std::size_t value = kProcessors;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Whether any processor of a list such as "0-3,8" is in the mask.
bool meets(const pl_file_header& header, std::string_view list) {
  while (!list.empty()) {
    std::string_view range = take(list, ',');
    const std::size_t first = processor_number(take(range, '-'));
    const std::size_t last = range.empty() ? first : processor_number(range);
    for (std::size_t processor = first; processor <= last && processor < kProcessors; ++processor)
      if (may_run_on(header, processor)) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 10> kFrameworks = {"pml", "btl", "mtl",   "coll", "io",
                                                          "osc", "fs",  "fcoll", "fbtl", "sharedfp"};

}  // namespace

std::string processor_list(const pl_file_header& header) {
  std::string list;
  for (std::size_t first = 0; first < kProcessors; ++first) {
    if (!may_run_on(header, first)) continue;
    std::size_t last = first;
    while (may_run_on(header, last + 1)) ++last;
    list += fmt::format("{}{}", list.empty() ? "" : ",", first);
    if (last > first) list += fmt::format("-{}", last);
    first = last;
  }
  return list;
}

std::string memory_nodes(const pl_file_header& header, std::string_view numa) {
  std::string nodes;
  while (!numa.empty()) {
    std::string_view entry = take(numa, ' ');
    const std::string_view node = take(entry, ':');
    if (meets(header, entry)) nodes.append(nodes.empty() ? "" : ",").append(node);
  }
  return nodes;
}

std::map<std::string, std::string> loaded_components(const ProcessFacts& facts) {
  constexpr std::string_view kPrefix = "mca_", kSuffix = ".so";  // "…/mca_pml_ob1.so"
  std::map<std::string, std::set<std::string>> found;
  for (const std::vector<Mapping>& reading : facts.mappings) {
    for (const Mapping& mapping : reading) {
      std::string_view name = std::string_view(mapping.path).substr(mapping.path.rfind('/') + 1);
      if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
      name.remove_prefix(kPrefix.size());
      name.remove_suffix(kSuffix.size());
      const std::string_view framework = take(name, '_');
      if (std::ranges::find(kFrameworks, framework) != kFrameworks.end()) found[std::string(framework)].emplace(name);
    }
    if (!found.empty()) break;  // the one after MPI_Init; what the program loads later is its own
  }
  std::map<std::string, std::string> lists;
  for (const auto& [framework, names] : found)
    for (const std::string& name : names) lists[framework] += (lists[framework].empty() ? "" : ",") + name;
  return lists;
}

}  // namespace plumbline::record
