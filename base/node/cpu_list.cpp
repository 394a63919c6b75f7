#include "base/node/cpu_list.hpp"

#include <algorithm>
#include <optional>

#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr std::uint64_t kMostProcessors = 65536;

struct Range {
  std::uint32_t first, last;
};

std::optional<Range> range_of(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = number_of(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number_of(text.substr(dash + 1));
  if (!first || !last || *first > *last || *last >= kMostProcessors) return std::nullopt;
  return Range{static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last)};
}

}  // namespace

std::vector<std::uint32_t> processors_of(std::string_view list) {
  std::vector<bool> named(kMostProcessors, false);
  list = trimmed(list);
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const auto range = range_of(list.substr(0, end));
    if (!range) return {};
    std::fill(named.begin() + range->first, named.begin() + range->last + 1, true);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  std::vector<std::uint32_t> processors;
  for (std::uint32_t i = 0; i < kMostProcessors; ++i)
    if (named[i]) processors.push_back(i);
  return processors;
}

std::string processor_list(const std::vector<std::uint32_t>& processors) {
  std::string list;
  for (std::size_t i = 0; i < processors.size();) {
    std::size_t end = i + 1;
    while (end < processors.size() && processors[end] == processors[end - 1] + 1) ++end;
    if (!list.empty()) list += ',';
    list += std::to_string(processors[i]);
    if (end - i > 1) list += '-' + std::to_string(processors[end - 1]);
    i = end;
  }
  return list;
}

}  // namespace plumbline::node
