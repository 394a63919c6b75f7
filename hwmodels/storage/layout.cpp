#include "hwmodels/storage/layout.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "hwmodels/storage/gluster_placement.hpp"

namespace plumbline::hw::storage {
namespace {

// FNV-1a, then the finaliser of SplitMix64: names that differ in their last digits only must not fall on few servers
// (Fowler, Noll, Vo; Steele, Lea, Flood 2014; both public domain).
std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3U;
  hash = (hash ^ hash >> 30) * 0xbf58'476d'1ce4'e5b9U;
  hash = (hash ^ hash >> 27) * 0x94d0'49bb'1331'11ebU;
  return static_cast<std::uint32_t>(hash ^ hash >> 31);
}

std::uint32_t first_server(const FileSystem& file_system, std::string_view path, std::uint32_t servers) {
  switch (file_system.distribution.placement) {
    case FilePlacement::kPathHash:
      return hash_of(path) % servers;
    case FilePlacement::kGlusterHash:
      return gluster_brick(path_within(file_system, path), servers);
  }
  return 0;
}

// How many bytes before `offset` lie on the part.
std::uint64_t bytes_before(const Layout& layout, std::uint32_t part, std::uint64_t offset) {
  const std::uint64_t stripe = layout.stripe.count, round = stripe * layout.parts;
  const std::uint64_t rest = offset % round, begin = stripe * part;
  return offset / round * stripe + std::min(stripe, rest - std::min(rest, begin));
}

}  // namespace

Layout layout_of(const FileSystem& file_system, std::string_view path, const AskedLayout& asked) {
  const Distribution& distribution = file_system.distribution;
  const std::uint32_t servers = distribution.local ? 1 : static_cast<std::uint32_t>(distribution.servers.size());
  PLUMBLINE_CHECK(servers > 0, "a distributed file system has servers");
  const std::uint32_t parts = asked.parts.value_or(distribution.stripe_count);
  Layout layout;
  layout.stripe = asked.stripe.value_or(distribution.stripe);
  layout.parts = parts == 0 ? servers : std::min(parts, servers);
  layout.first = asked.first ? *asked.first % servers : first_server(file_system, path, servers);
  PLUMBLINE_CHECK(layout.stripe.count > 0, "a stripe has bytes");
  return layout;
}

Extent part_of(const Layout& layout, std::uint32_t part, Extent extent) {
  const std::uint64_t begin = bytes_before(layout, part, extent.offset);
  return {begin, bytes_before(layout, part, extent.end()) - begin};
}

}  // namespace plumbline::hw::storage
