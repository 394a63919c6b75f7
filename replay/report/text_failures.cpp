#include "replay/report/text_failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "replay/compare/result/wording.hpp"

namespace plumbline::replay {
namespace {

std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
  constexpr std::size_t kTold = 4;
  const std::span<const std::uint32_t> told(ranks.data(), std::min(ranks.size(), kTold));
  const std::string others = ranks.size() > kTold ? fmt::format(" and {} more", ranks.size() - kTold) : "";
  return fmt::format("{} {}{}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(told, ", "), others);
}

std::string line_of(const FailedCalls& calls) {
  return fmt::format("{} ({}), {}{}, {}{}", calls.call, calls.error_class, plural(calls.times, "time"),
                     calls.site.empty() ? "" : ", at " + calls.site, ranks_text(calls.ranks),
                     calls.ended ? "; the process ended in it" : "");
}

}  // namespace

std::string failed_calls_sentence(const std::vector<FailedCalls>& failed) {
  if (failed.empty()) return "";
  const FailedCalls& first = failed.front();
  return fmt::format("{} failed, {}{} ({})", plural(count(failed), "call"), failed.size() > 1 ? "most often " : "",
                     first.call, first.error_class);
}

std::vector<std::string> failed_call_lines(const std::vector<FailedCalls>& failed, std::size_t most) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(most, failed.size()); ++i) lines.push_back(line_of(failed[i]));
  if (failed.size() > most) {
    const std::vector<FailedCalls> others(failed.begin() + static_cast<std::ptrdiff_t>(most), failed.end());
    lines.push_back(fmt::format("{} in {} other ways", plural(count(others), "call"), others.size()));
  }
  return lines;
}

}  // namespace plumbline::replay
