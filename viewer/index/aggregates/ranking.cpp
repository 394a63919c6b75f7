#include "viewer/index/aggregates/ranking.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "viewer/index/pyramid/overlap.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

struct Entry {
  std::int64_t key = 0;
  OperationId id;
};

bool comes_before(const Entry& a, const Entry& b) { return std::tie(b.key, a.id) < std::tie(a.key, b.id); }

std::int64_t key_of(const Runs& runs, OperationId id, SortBy by) {
  switch (by) {
    case SortBy::kOwn:
      return parts_of(runs, id.rank, id.operation).own.ps;
    case SortBy::kInherited:
      return parts_of(runs, id.rank, id.operation).inherited.ps;
    case SortBy::kBegin:
      return -runs.observed.rank(id.rank).times[id.operation].begin.ps;
    case SortBy::kObserved: {
      const replay::OperationTimes& times = runs.observed.rank(id.rank).times[id.operation];
      return (times.end - times.begin).ps;
    }
    case SortBy::kBytes:
      break;
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(runs.observed.rank(id.rank).operations[id.operation].bytes, kMost));
}

// The `most` first of all that are added.
class Best {
 public:
  explicit Best(std::size_t most) : most_(most) {}

  void add(const Entry& entry) {
    entries_.push_back(entry);
    if (entries_.size() >= 2 * most_ + 1024) cut();
  }

  std::vector<Entry> take() {
    cut();
    std::ranges::sort(entries_, comes_before);
    return std::move(entries_);
  }

 private:
  void cut() {
    if (entries_.size() <= most_) return;
    std::ranges::nth_element(entries_, entries_.begin() + static_cast<std::ptrdiff_t>(most_), comes_before);
    entries_.resize(most_);
  }

  const std::size_t most_;
  std::vector<Entry> entries_;
};

}  // namespace

RankedPage ranked(const Runs& runs, const Selection& selection, TimeRange range, std::span<const std::uint32_t> ranks,
                  SortBy by, std::size_t first, std::size_t size) {
  RankedPage page;
  Best best(first + size);
  const Time end = end_of(runs);
  std::vector<std::uint8_t> selected;
  for (const std::uint32_t rank : ranks) {
    if (!selection.may_contain(rank)) continue;
    const auto times = runs.observed.rank(rank).times;
    const auto from = std::ranges::lower_bound(times, range.begin, {}, &replay::OperationTimes::end) - times.begin();
    const auto to = std::ranges::upper_bound(times, range.end, {}, &replay::OperationTimes::begin) - times.begin();
    if (to <= from) continue;
    selected.resize(static_cast<std::size_t>(to - from));
    selection.test(rank, static_cast<std::uint32_t>(from), selected);
    for_each_in(runs, end, range, rank, [&](std::uint32_t i, Duration) {
      if (selected[i - static_cast<std::size_t>(from)] == 0) return;
      ++page.total;
      best.add({key_of(runs, {rank, i}, by), {rank, i}});
    });
  }
  const std::vector<Entry> entries = best.take();
  for (std::size_t i = first; i < entries.size(); ++i) page.operations.push_back(entries[i].id);
  return page;
}

}  // namespace plumbline::viewer
