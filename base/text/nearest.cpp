#include "base/text/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace plumbline {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1)});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
    }
  }
  return row.back();
}

std::vector<std::string_view> nearest(std::string_view word, std::span<const std::string> known, std::size_t most) {
  const std::size_t too_far = (word.size() + 1) / 3 + 1;
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size()),
                      shorter = std::min(word.size(), candidate.size());
    if (longer - shorter >= too_far) continue;
    if (const std::size_t distance = edit_distance(word, candidate); distance < too_far)
      near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::min(most, near.size()); ++i) names.push_back(near[i].second);
  return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known, std::string_view otherwise,
                         std::size_t most) {
  const std::vector<std::string_view> names = nearest(word, known, most);
  if (names.empty()) return std::string(otherwise);
  return fmt::format("did you mean '{}'?", fmt::join(names, "' or '"));
}

std::string did_you_mean_one_of(std::string_view word, std::span<const std::string> known) {
  return did_you_mean(word, known, fmt::format("known: {}", fmt::join(known, ", ")));
}

}  // namespace plumbline
