#include "hwmodels/platform/platform.hpp"

#include <algorithm>
#include <string_view>

namespace plumbline::hw {
namespace {

// Whole path components: "/data" serves "/data" and "/data/a", not "/database".
bool serves(std::string_view prefix, std::string_view path) {
  while (prefix.size() > 1 && prefix.ends_with('/')) prefix.remove_suffix(1);
  if (!path.starts_with(prefix)) return false;
  return path.size() == prefix.size() || prefix.ends_with('/') || path[prefix.size()] == '/';
}

}  // namespace

const MessageRange& range_of(const Transport& transport, Bytes size) {
  for (const MessageRange& range : transport.ranges)
    if (!range.upto || size <= *range.upto) return range;
  check_failed(__FILE__, __LINE__, "size <= last range", "a transport has an open last range");
}

const Transport& transport_of(const Platform& platform, std::uint32_t node, std::uint32_t other) {
  if (node == other) return platform.inside;
  const auto holds = [](const PairTransport& pair, std::uint32_t a, std::uint32_t b) {
    return pair.first_a <= a && a <= pair.last_a && pair.first_b <= b && b <= pair.last_b;
  };
  for (auto pair = platform.pairs.rbegin(); pair != platform.pairs.rend(); ++pair)
    if (holds(*pair, node, other) || holds(*pair, other, node)) return pair->transport;
  return platform.between;
}

std::uint32_t socket_of_core(std::uint32_t sockets, std::uint32_t cores, std::uint32_t number_on_node) {
  const std::uint32_t cores_of_one = std::max(cores / sockets, 1U);
  return std::min(number_on_node % cores / cores_of_one, sockets - 1);
}

std::string_view path_within(const FileSystem& file_system, std::string_view path) {
  std::size_t longest = 0;
  for (std::string_view prefix : file_system.paths) {
    if (!serves(prefix, path)) continue;
    while (prefix.ends_with('/')) prefix.remove_suffix(1);
    longest = std::max(longest, prefix.size());
  }
  return path.substr(longest);
}

std::optional<std::uint32_t> file_system_of(const Platform& platform, const std::string& path) {
  std::optional<std::uint32_t> best;
  std::size_t longest = 0;
  for (std::uint32_t i = 0; i < platform.file_systems.size(); ++i) {
    for (const std::string& prefix : platform.file_systems[i].paths) {
      if (!serves(prefix, path) || (best && prefix.size() <= longest)) continue;
      best = i;
      longest = prefix.size();
    }
  }
  return best;
}

}  // namespace plumbline::hw
