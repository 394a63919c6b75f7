#include "hwmodels/platform/platform_rules.hpp"
#include "hwmodels/platform/network_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace plumbline::hw {
namespace {

class Rules {
 public:
  Rules(const Platform& platform, const PlatformLines& lines, const PlatformFile& file, Diagnostics& diagnostics)
      : platform_(platform), lines_(lines), file_(file), diagnostics_(diagnostics) {}

  void check() {
    check_names();
    check_transports();
    check_interfaces();
    if (lines_.all_resolved) check_reachable();
    if (lines_.all_resolved) check_routes();
    check_paths();
    check_placements();
  }

 private:
  void fault(int line, std::string what, std::string hint) {
    diagnostics_.add(fmt::format("{}:{}", file_.name, line > 0 ? line : file_.root_line), std::move(what),
                     std::move(hint));
  }

  // Nodes and switches share one name space: edges name both.
  void check_names() {
    if (platform_.nodes.empty()) fault(0, "the platform has no node", "add <node name=\"…\" memory-rate=\"…\"/>");
    Seen vertices, edges, file_systems;
    check_unique("node", platform_.nodes, lines_.nodes, vertices);
    check_unique("switch", platform_.switches, lines_.switches, vertices);
    check_unique("edge", platform_.edges, lines_.edges, edges);
    check_unique("filesystem", platform_.file_systems, lines_.file_systems, file_systems);
  }

  using Seen = std::map<std::string, int, std::less<>>;  // name to line

  // One fault for all that two lines have in common: templates make many names.
  template <class Thing>
  void check_unique(const char* kind, const std::vector<Thing>& things, const std::vector<int>& lines, Seen& seen) {
    std::map<std::pair<int, int>, std::vector<const std::string*>> taken;  // by line, and line of the first
    for (std::size_t i = 0; i < things.size(); ++i) {
      if (things[i].name.empty()) continue;  // noted where it was read
      const auto [first, is_new] = seen.emplace(things[i].name, lines[i]);
      if (!is_new) taken[{lines[i], first->second}].push_back(&things[i].name);
    }
    for (const auto& [where, names] : taken) {
      const std::string more = names.size() == 1 ? "" : fmt::format(" (and {} more)", names.size() - 1);
      fault(where.first,
            fmt::format("{} '{}'{} has a name that is taken in line {}", kind, *names.front(), more, where.second),
            "give each its own name");
    }
  }

  void check_transports() {
    if (lines_.inside == 0) fault(0, "the platform has no <inside>", "say how ranks of one node send messages");
    if (lines_.between == 0 && platform_.nodes.size() > 1)
      fault(0, "the platform has several nodes and no <between>", "say how ranks of two nodes send messages");
  }

  void check_interfaces() {
    if (platform_.edges.empty() || !model_of(platform_).has_components) return;
    for (std::size_t i = 0; i < platform_.nodes.size(); ++i)
      if (!lines_.interfaces[i] && (i == 0 || lines_.nodes[i] != lines_.nodes[i - 1]))  // once for a template
        fault(lines_.nodes[i],
              fmt::format("node '{}' has no interface-rate, and the platform has edges", platform_.nodes[i].name),
              "add interface-rate=\"10GB/s\"");
  }

  // Union of the ends of all edges; one fault per part that node 0 does not reach.
  void check_reachable() {
    if (platform_.nodes.size() < 2 || !model_of(platform_).has_components) return;
    std::vector<std::size_t> part(platform_.nodes.size() + platform_.switches.size());
    std::iota(part.begin(), part.end(), std::size_t{0});
    const auto root = [&part](std::size_t v) {
      while (part[v] != v) v = part[v] = part[part[v]];
      return v;
    };
    for (const Edge& edge : platform_.edges) part[root(edge.from)] = root(edge.to);
    std::vector<bool> told(part.size());
    told[root(0)] = true;
    int last_line = 0;
    for (std::size_t node = 1; node < platform_.nodes.size(); ++node) {
      if (told[root(node)]) continue;
      told[root(node)] = true;
      if (lines_.nodes[node] == last_line) continue;  // once for a template
      last_line = lines_.nodes[node];
      fault(lines_.nodes[node],
            fmt::format("there is no way from node '{}' to node '{}'", platform_.nodes[0].name,
                        platform_.nodes[node].name),
            "add an <edge>");
    }
  }

  void check_routes() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
    for (std::size_t i = 0; i < platform_.routes.size(); ++i) {
      const FixedRoute& route = platform_.routes[i];
      const auto [first, is_new] = seen.emplace(std::pair{route.from, route.to}, lines_.routes[i]);
      if (!is_new)
        fault(lines_.routes[i], fmt::format("{} was given in line {}", subject(route), first->second), "remove one");
      check_way(route, lines_.routes[i]);
    }
  }

  std::string subject(const FixedRoute& route) const {
    return fmt::format("route from '{}' to '{}'", platform_.nodes[route.from].name, platform_.nodes[route.to].name);
  }

  // Each edge begins where the one before ends, and no vertex is passed twice: the first thing that is wrong.
  void check_way(const FixedRoute& route, int line) {
    if (route.from == route.to)
      return fault(line, fmt::format("{} stays on its node", subject(route)),
                   "remove it; messages inside need no route");
    std::vector<std::uint32_t> passed{route.from};
    for (const std::uint32_t number : route.edges) {
      const Edge& edge = platform_.edges[number];
      const std::uint32_t here = passed.back();
      if (edge.from != here && edge.to != here)
        return fault(line,
                     fmt::format("{} goes on by edge '{}', which does not begin at '{}'", subject(route), edge.name,
                                 vertex_name(here)),
                     "name the edges in turn");
      const std::uint32_t next = edge.from == here ? edge.to : edge.from;
      if (std::find(passed.begin(), passed.end(), next) != passed.end())
        return fault(line, fmt::format("{} passes '{}' twice", subject(route), vertex_name(next)),
                     "leave out the loop");
      passed.push_back(next);
    }
    if (passed.back() != route.to)
      fault(line, fmt::format("{} ends at '{}'", subject(route), vertex_name(passed.back())), "name the edges in turn");
  }

  const std::string& vertex_name(std::uint32_t vertex) const {
    const std::size_t nodes = platform_.nodes.size();
    return vertex < nodes ? platform_.nodes[vertex].name : platform_.switches[vertex - nodes].name;
  }

  void check_paths() {
    Seen seen;
    for (std::size_t i = 0; i < platform_.file_systems.size(); ++i) {
      const FileSystem& fs = platform_.file_systems[i];
      if (fs.paths.empty())
        fault(lines_.file_systems[i], fmt::format("filesystem '{}' serves no path", fs.name),
              "add <path prefix=\"/\"/>");
      for (const std::string& path : fs.paths)
        if (!path.empty() && !seen.emplace(path, 0).second)
          fault(lines_.file_systems[i], fmt::format("path '{}' is served twice", path), "remove one");
    }
  }

  void check_placements() {
    std::vector<std::size_t> by_rank(platform_.placements.size());
    std::iota(by_rank.begin(), by_rank.end(), std::size_t{0});
    const auto first_rank = [this](std::size_t i) { return platform_.placements[i].first_rank; };
    std::stable_sort(by_rank.begin(), by_rank.end(),
                     [&](std::size_t a, std::size_t b) { return first_rank(a) < first_rank(b); });
    std::size_t reaching = 0;  // in by_rank: the one before that ends last
    for (std::size_t i = 1; i < by_rank.size(); ++i) {
      const Placement& before = platform_.placements[by_rank[reaching]];
      const Placement& here = platform_.placements[by_rank[i]];
      const int a = lines_.placements[by_rank[reaching]], b = lines_.placements[by_rank[i]];
      if (here.first_rank <= before.last_rank)
        fault(std::max(a, b), fmt::format("rank {} is placed here and in line {}", here.first_rank, std::min(a, b)),
              "give each rank one place");
      if (here.last_rank >= before.last_rank) reaching = i;
    }
  }

  const Platform& platform_;
  const PlatformLines& lines_;
  const PlatformFile& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_platform(const Platform& platform, const PlatformLines& lines, const PlatformFile& file,
                    Diagnostics& diagnostics) {
  Rules(platform, lines, file, diagnostics).check();
}

}  // namespace plumbline::hw
