#include "hwmodels/platform.hpp"

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
