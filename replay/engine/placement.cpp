// Which node each rank runs on.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/error.hpp"
#include "replay/engine/replay.hpp"

namespace plumbline::replay {
namespace {

// Finds nodes of a platform by name. Most recordings list them in the same order, so that no table is needed.
class NodeNames {
 public:
  explicit NodeNames(const hw::Platform& platform) : platform_(platform) {}

  // `likely`: the number that it has if the order is the same.
  std::optional<std::uint32_t> find(std::string_view name, std::uint32_t likely) {
    if (likely < platform_.nodes.size() && platform_.nodes[likely].name == name) return likely;
    if (numbers_.empty())
      for (std::uint32_t node = 0; node < platform_.nodes.size(); ++node)
        numbers_.try_emplace(platform_.nodes[node].name, node);
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const hw::Platform& platform_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

// Of each node of the recording the node of the platform with its name, else the only one that there is.
std::vector<std::optional<std::uint32_t>> nodes_by_name(const Program& program, const hw::Platform& platform) {
  NodeNames names(platform);
  std::vector<std::optional<std::uint32_t>> nodes;
  for (std::uint32_t recorded = 0; recorded < program.nodes(); ++recorded) {
    nodes.push_back(names.find(program.node(recorded), recorded));
    if (!nodes.back() && platform.nodes.size() == 1) nodes.back() = 0;
  }
  return nodes;
}

std::optional<std::uint32_t> placed(const hw::Platform& platform, std::uint32_t rank) {
  for (const hw::Placement& placement : platform.placements)
    if (placement.first_rank <= rank && rank <= placement.last_rank) return placement.node;
  return std::nullopt;
}

// "0-3, 7"
std::string ranges(const std::vector<std::uint32_t>& ranks) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    parts.push_back(i == last ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[last]));
    i = last + 1;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The ranks at the front that follow each other.
std::vector<std::uint32_t> first_group(const std::vector<std::uint32_t>& ranks) {
  std::size_t last = 0;
  while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
  return {ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(last) + 1};
}

}  // namespace

std::vector<std::uint32_t> place_ranks(const Program& program, const hw::Platform& platform) {
  const std::vector<std::optional<std::uint32_t>> by_name = nodes_by_name(program, platform);
  std::vector<std::uint32_t> nodes(program.ranks()), lost;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    if (const std::optional<std::uint32_t> node = placed(platform, rank))
      nodes[rank] = *node;
    else if (const std::optional<std::uint32_t> own = by_name[program.rank(rank).node])
      nodes[rank] = *own;
    else
      lost.push_back(rank);
  }
  if (lost.empty()) return nodes;
  const std::string example = platform.nodes.empty() ? "NODE" : platform.nodes.front().name;
  throw Error(fmt::format("platform '{}'", platform.name),
              fmt::format("rank{} {} ran on '{}', which is no node of it", lost.size() == 1 ? "" : "s", ranges(lost),
                          program.node(program.rank(lost.front()).node)),
              fmt::format("add <place ranks=\"{}\" node=\"{}\"/>", ranges(first_group(lost)), example));
}

}  // namespace plumbline::replay
