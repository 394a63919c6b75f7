#include "replay/model/fold/patterns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "replay/model/fold/calls.hpp"

namespace plumbline::replay::model {
namespace {

constexpr std::size_t kMostRanges = 60;  // of one expression, which has at most 1000 parts

// From the nearer end: "3", or "numprocs-1".
std::string rank_text(std::uint32_t rank, std::uint32_t all) {
  return rank == 0 || rank < all / 2 ? std::to_string(rank) : fmt::format("numprocs-{}", all - rank);
}

std::string range_text(std::uint32_t low, std::uint32_t high, std::uint32_t all) {
  if (low == high) return fmt::format("procnum == {}", rank_text(low, all));
  std::vector<std::string> parts;
  if (low > 0) parts.push_back(fmt::format("procnum > {}", rank_text(low - 1, all)));
  if (high + 1 < all) parts.push_back(fmt::format("procnum < {}", rank_text(high + 1, all)));
  return parts.empty() ? "1" : fmt::format("{}", fmt::join(parts, " && "));
}

// "procnum%4 != 3": whether a rank is in it depends on its remainder alone.
std::optional<std::string> remainder_text(const RankSet& ranks, std::uint32_t all) {
  constexpr std::uint32_t kMostModulus = 256;
  for (std::uint32_t modulus = 2; modulus <= kMostModulus && 2 * modulus <= all; ++modulus) {
    std::vector<bool> in(modulus);
    for (std::uint32_t r = 0; r < modulus; ++r) in[r] = ranks.contains(r);
    bool same = true;
    for (std::uint32_t r = modulus; same && r < all; ++r) same = in[r % modulus] == ranks.contains(r);
    if (!same) continue;
    const auto inside = static_cast<std::size_t>(std::ranges::count(in, true));
    if (inside != 1 && inside + 1 != modulus) continue;
    const bool is_one = inside == 1;
    const auto at = std::ranges::find(in, is_one) - in.begin();
    return fmt::format("procnum%{} {} {}", modulus, is_one ? "==" : "!=", at);
  }
  return std::nullopt;
}

// "procnum%2 == 0 && procnum > 0": every n-th rank but for the one at an end. Of two ranks without one end, and of
// three without both, to tell it from chance.
std::optional<std::string> steps_text(const RankSet& ranks, std::uint32_t all) {
  const auto& ranges = ranks.ranges();
  const std::uint32_t low = ranges.front().first, high = ranges.back().second, step = ranges[1].first - low;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (ranges[i] != std::pair(low + static_cast<std::uint32_t>(i) * step, low + static_cast<std::uint32_t>(i) * step))
      return std::nullopt;
  const bool lacks_first = low >= step, lacks_last = high + step < all;
  const std::size_t least = lacks_first && lacks_last ? 3 : 2;
  if (2 * step >= all || low >= 2 * step || high + 2 * step < all || ranges.size() < least) return std::nullopt;
  std::string text = fmt::format("procnum%{} == {}", step, low % step);
  if (lacks_first) text += fmt::format(" && procnum > {}", rank_text(low - step, all));
  if (lacks_last) text += fmt::format(" && procnum < {}", rank_text(high + step, all));
  return text;
}

std::string signed_text(std::int64_t value) {
  return value == 0 ? "" : fmt::format("{}{}", value > 0 ? "+" : "-", std::abs(value));
}

}  // namespace

void RankSet::add(std::uint32_t rank) {
  if (!ranges_.empty() && ranges_.back().second + 1 == rank)
    ranges_.back().second = rank;
  else
    ranges_.emplace_back(rank, rank);
}

bool RankSet::contains(std::uint32_t rank) const {
  const auto behind = std::ranges::upper_bound(ranges_, rank, {}, [](const auto& range) { return range.first; });
  return behind != ranges_.begin() && std::prev(behind)->second >= rank;
}

std::uint32_t RankSet::size() const {
  std::uint32_t size = 0;
  for (const auto& [low, high] : ranges_) size += high - low + 1;
  return size;
}

std::vector<std::string> conditions_of(const RankSet& ranks, std::uint32_t all) {
  const auto& ranges = ranks.ranges();
  if (ranges.size() == 1) return {range_text(ranges[0].first, ranges[0].second, all)};
  if (const auto text = remainder_text(ranks, all)) return {*text};
  if (const auto text = steps_text(ranks, all)) return {*text};
  std::vector<std::string> conditions;
  for (std::size_t begin = 0; begin < ranges.size(); begin += kMostRanges) {
    std::string text;
    for (std::size_t i = begin; i < std::min(begin + kMostRanges, ranges.size()); ++i)
      text += fmt::format("{}{}", i == begin ? "" : " || ", range_text(ranges[i].first, ranges[i].second, all));
    conditions.push_back(text);
  }
  return conditions;
}

PeerPattern PeerPattern::of(std::uint32_t rank, std::int32_t peer, std::uint32_t all) {
  if (peer == kNoPeer) return {kNull};
  if (peer == kFromAny) return {kAny};
  const std::int64_t own = rank;
  return {kFixed | kRelative | kAround | kExclusive, peer, peer - own, (peer - own + all) % all, peer ^ own};
}

PeerPattern PeerPattern::meet(const PeerPattern& other) const {
  PeerPattern met = *this;
  met.ways &= other.ways;
  if (peer != other.peer) met.ways &= ~std::uint32_t{kFixed};
  if (step != other.step) met.ways &= ~std::uint32_t{kRelative};
  if (around != other.around) met.ways &= ~std::uint32_t{kAround};
  if (mask != other.mask) met.ways &= ~std::uint32_t{kExclusive};
  return met;
}

int likeness(const PeerPattern& met) {
  if (met.ways & (PeerPattern::kNull | PeerPattern::kAny | PeerPattern::kRelative)) return 4;
  if (met.ways & PeerPattern::kFixed) return 3;
  if (met.ways & PeerPattern::kAround) return 2;
  return met.ways & PeerPattern::kExclusive ? 1 : 0;
}

// Of one rank alone a step of one is a neighbour, else an end of the ranks is that end.
std::string text_of(const PeerPattern& pattern, const RankSet& ranks, std::uint32_t all) {
  if (pattern.ways & PeerPattern::kNull) return "MPI_PROC_NULL";
  if (pattern.ways & PeerPattern::kAny) return "any";
  const bool alone = ranks.size() == 1;
  const bool is_step = (pattern.ways & PeerPattern::kRelative) && (!alone || std::abs(pattern.step) == 1);
  if (is_step) return "procnum" + signed_text(pattern.step);
  const bool is_end = pattern.peer == 0 || pattern.peer + 1 == all;
  if (alone && is_end) return rank_text(static_cast<std::uint32_t>(pattern.peer), all);
  if (alone) return "procnum" + signed_text(pattern.step);
  if (pattern.ways & PeerPattern::kFixed) return rank_text(static_cast<std::uint32_t>(pattern.peer), all);
  if (pattern.ways & PeerPattern::kAround)
    return pattern.around <= all / 2 ? fmt::format("(procnum+{})%numprocs", pattern.around)
                                     : fmt::format("(procnum+numprocs-{})%numprocs", all - pattern.around);
  return fmt::format("procnum^{}", pattern.mask);
}

bool OffsetPattern::takes(const OffsetPattern& one) const {
  const std::int64_t apart = std::int64_t{one.rank} - rank, difference = one.offset - offset;
  return several ? difference == slope * apart : difference % apart == 0;
}

void OffsetPattern::take(const OffsetPattern& one) {
  if (!several) slope = (one.offset - offset) / (std::int64_t{one.rank} - rank);
  several = true;
}

std::string text_of(const OffsetPattern& pattern) {
  const std::int64_t base = pattern.offset - pattern.slope * pattern.rank;
  if (pattern.slope == 0) return std::to_string(base);
  return fmt::format("procnum*{}{}", pattern.slope, signed_text(base));
}

namespace {

// "procnum%4*128+procnum/4*4096": how the numbers grow along each dimension of a grid, the first one fastest. Nothing
// where they do not grow by the same steps everywhere. `within`: ranks that one number stands for.
std::optional<std::string> grid_text(const std::vector<std::uint64_t>& numbers, std::uint64_t within) {
  if (numbers.size() < 2) return "";
  const auto step_at = [&](std::size_t i) { return static_cast<std::int64_t>(numbers[i] - numbers[i - 1]); };
  const std::int64_t step = step_at(1);
  std::size_t length = 2;
  while (length < numbers.size() && step_at(length) == step) ++length;
  if (numbers.size() % length != 0) return std::nullopt;
  std::vector<std::uint64_t> firsts;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % length == 0)
      firsts.push_back(numbers[i]);
    else if (step_at(i) != step)
      return std::nullopt;
  }
  const auto outer = grid_text(firsts, within * length);
  if (!outer) return std::nullopt;
  std::string place = within == 1 ? "procnum" : fmt::format("procnum/{}", within);
  if (firsts.size() > 1) place += fmt::format("%{}", length);
  return step == 0 ? *outer : fmt::format("{}{}*{}{}", step > 0 ? "+" : "-", place, std::abs(step), *outer);
}

}  // namespace

std::string text_of(const std::vector<std::uint64_t>& numbers, const RankSet& ranks, std::uint32_t all) {
  const auto is_first = [&](std::uint64_t number) { return number == numbers.front(); };
  if (std::ranges::all_of(numbers, is_first)) return std::to_string(numbers.front());
  if (ranks.size() == all)
    if (const auto grid = grid_text(numbers, 1))
      return numbers.front() > 0 ? fmt::format("{}{}", numbers.front(), *grid)
                                 : grid->substr(grid->starts_with('+') ? 1 : 0);
  std::string text;
  std::size_t i = 0;
  for (const auto& [low, high] : ranks.ranges())
    for (std::uint32_t rank = low; rank <= high; ++rank, ++i)
      text += i + 1 == numbers.size() ? std::to_string(numbers[i])
                                      : fmt::format("(procnum == {}) ? {} : ", rank_text(rank, all), numbers[i]);
  return "(" + text + ")";
}

}  // namespace plumbline::replay::model
