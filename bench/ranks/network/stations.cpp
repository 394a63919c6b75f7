#include "bench/ranks/network/stations.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/error.hpp"

namespace plumbline::bench::network {
namespace {

std::optional<std::uint32_t> parse_rank(std::string_view text) {
  std::uint32_t rank = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return rank;
}

Pair parse_pair(std::string_view text, std::size_t ranks) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto a = parse_rank(text.substr(0, dash)), b = parse_rank(text.substr(std::min(dash + 1, text.size())));
  if (!a || !b || *a == *b || *a >= ranks || *b >= ranks)
    throw Error("pairs", fmt::format("'{}' is no pair of {} ranks", text, ranks), "give pairs as in \"0-1,2-3\"");
  return {*a, *b};
}

}  // namespace

std::vector<std::vector<std::uint32_t>> ranks_of_nodes(const Places& places) {
  std::vector<std::vector<std::uint32_t>> nodes(places.hosts.size());
  for (std::uint32_t rank = 0; rank < places.node_of.size(); ++rank) {
    if (places.node_of[rank] >= nodes.size()) nodes.resize(places.node_of[rank] + 1);
    nodes[places.node_of[rank]].push_back(rank);
  }
  return nodes;
}

std::vector<std::uint32_t> first_ranks(const Places& places) {
  std::vector<std::uint32_t> first;
  for (const auto& ranks : ranks_of_nodes(places))
    if (!ranks.empty()) first.push_back(ranks.front());
  return first;
}

std::vector<std::uint32_t> all_ranks(const Places& places) {
  std::vector<std::uint32_t> all(places.node_of.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::vector<Pair> parse_pairs(const std::string& text, const Places& places) {
  std::vector<Pair> pairs;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    pairs.push_back(parse_pair(std::string_view(text).substr(begin, end - begin), places.node_of.size()));
    begin = end + 1;
  }
  return pairs;
}

}  // namespace plumbline::bench::network
