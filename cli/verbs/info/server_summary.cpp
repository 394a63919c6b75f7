#include "cli/verbs/info/server_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::cli {
namespace {

namespace names = archive::names;

struct ServerCalls {
  std::uint64_t count = 0;
  TimeSum time;
};

bool is_server(const archive::LocationGroup& group) { return group.properties.contains(names::kPropertyRole); }

void add_calls(archive::Reader& reader, std::uint32_t location, std::map<std::uint32_t, ServerCalls>& sums) {
  std::vector<Time> entered;
  reader.read(location, [&](const archive::Event& event) {
    if (event.kind == archive::EventKind::kEnter) entered.push_back(event.time);
    if (event.kind != archive::EventKind::kLeave || entered.empty()) return;
    ServerCalls& sum = sums[event.region];
    ++sum.count;
    sum.time += event.time - entered.back();
    entered.pop_back();
  });
}

}  // namespace

bool has_servers(const archive::Definitions& definitions) {
  return std::ranges::any_of(definitions.location_groups, is_server);
}

void print_servers(archive::Reader& reader) {
  const archive::Definitions& d = reader.definitions();
  std::map<std::uint32_t, ServerCalls> sums;
  for (std::uint32_t group = 0; group < d.location_groups.size(); ++group) {
    if (!is_server(d.location_groups[group])) continue;
    std::uint64_t threads = 0;
    for (std::uint32_t i = 0; i < d.locations.size(); ++i) {
      if (d.locations[i].group != group || archive::inside_of(d.locations[i])) continue;
      ++threads;
      add_calls(reader, i, sums);
    }
    const auto& properties = d.location_groups[group].properties;
    fmt::print("  without MPI: {} on {}, {}, {}\n", d.strings[d.location_groups[group].name],
               properties.at(names::kPropertyHost), replay::plural(threads, "thread"),
               properties.at(names::kPropertyEnd));
  }
  if (sums.empty()) return;
  std::vector<std::pair<std::uint32_t, ServerCalls>> rows(sums.begin(), sums.end());
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  fmt::print("\n  {:<32} {:>10} {:>12}\n", "call without MPI", "count", "time");
  for (const auto& [region, sum] : rows)
    if (d.strings[d.regions[region].name] != "(open at start)")
      fmt::print("  {:<32} {:>10} {:>12}\n", d.strings[d.regions[region].name], sum.count, format(sum.time));
  fmt::print("\n");
}

}  // namespace plumbline::cli
