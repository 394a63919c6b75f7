// Going through the operations that are selected.

#include <algorithm>
#include <limits>
#include <optional>

#include "viewer/index/filter/select.hpp"

namespace plumbline::viewer {
namespace {

using replay::OperationTimes;

constexpr std::uint32_t kAtOnce = 16 * 1024;

// Calls visit(operation) for each selected one of the rank from `first` to before `behind`, ascending, until it returns
// false.
template <class Visit>
void for_each(const Selection& selection, std::uint32_t rank, std::uint32_t first, std::uint32_t behind, Visit visit) {
  std::vector<std::uint8_t> selected;
  for (std::uint32_t size; first < behind; first += size) {
    size = std::min(kAtOnce, behind - first);
    selected.resize(size);
    selection.test(rank, first, selected);
    for (std::uint32_t i = 0; i < size; ++i)
      if (selected[i] != 0 && !visit(first + i)) return;
  }
}

template <class Visit>
void for_each_backwards(const Selection& selection, std::uint32_t rank, std::uint32_t first, std::uint32_t behind,
                        Visit visit) {
  std::vector<std::uint8_t> selected;
  for (std::uint32_t size; behind > first; behind -= size) {
    size = std::min(kAtOnce, behind - first);
    selected.resize(size);
    selection.test(rank, behind - size, selected);
    for (std::uint32_t i = size; i-- > 0;)
      if (selected[i] != 0 && !visit(behind - size + i)) return;
  }
}

// The order in which hits follow each other.
struct Place {
  Time begin;
  OperationId id;
  auto operator<=>(const Place&) const = default;
};

Place place_of(const Runs& runs, OperationId id) { return {runs.observed.rank(id.rank).times[id.operation].begin, id}; }

// The first operation of the rank that comes behind `from` in that order.
std::uint32_t first_behind(const Runs& runs, std::uint32_t rank, const std::optional<Place>& from) {
  const auto times = runs.observed.rank(rank).times;
  if (!from) return 0;
  const auto begin = std::ranges::lower_bound(times, from->begin, {}, &OperationTimes::begin);
  auto i = static_cast<std::uint32_t>(begin - times.begin());
  while (i < times.size() && place_of(runs, {rank, i}) <= *from) ++i;
  return i;
}

std::optional<Place> place_or_none(const Runs& runs, OperationId id) {
  return id.exists() ? std::optional(place_of(runs, id)) : std::nullopt;
}

// Collects begins, each once; beyond `most` of them the first in each part of the run.
class Ticks {
 public:
  Ticks(const Runs& runs, std::size_t most) : span_(span_of(runs.observed)), most_(std::max<std::size_t>(most, 1)) {
    first_.assign(most_, Time{kNever});
  }

  void add(Time begin) {
    if (all_.size() < 4 * most_) all_.push_back(begin);
    __extension__ using Wide = __int128;
    const Wide part = static_cast<Wide>((begin - span_.begin).ps) * most_ / (static_cast<Wide>(span_.length.ps) + 1);
    Time& first = first_[static_cast<std::size_t>(part)];
    first = std::min(first, begin);
    ++count_;
  }

  std::vector<Time> take() {
    std::ranges::sort(all_);
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    if (count_ <= 4 * most_ && all_.size() <= most_) return std::move(all_);
    std::erase(first_, Time{kNever});
    return std::move(first_);
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  const Span span_;
  const std::size_t most_;
  std::uint64_t count_ = 0;
  std::vector<Time> all_;    // while they are few
  std::vector<Time> first_;  // by part of the run
};

std::uint32_t operations_of(const Runs& runs, std::uint32_t rank) {
  return static_cast<std::uint32_t>(runs.observed.rank(rank).operations.size());
}

}  // namespace

std::uint64_t count(const Runs& runs, const Selection& selection) {
  std::uint64_t hits = 0;
  std::vector<std::uint8_t> selected;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    if (!selection.may_contain(rank)) continue;
    const std::uint32_t size = operations_of(runs, rank);
    for (std::uint32_t first = 0; first < size; first += kAtOnce) {
      selected.resize(std::min(kAtOnce, size - first));
      selection.test(rank, first, selected);
      for (const std::uint8_t one : selected) hits += one;
    }
  }
  return hits;
}

Hits hits_of(const Runs& runs, const Selection& selection, std::size_t most_ticks) {
  Hits hits;
  Ticks ticks(runs, most_ticks);
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    if (!selection.may_contain(rank)) continue;
    const auto times = runs.observed.rank(rank).times;
    for_each(selection, rank, 0, operations_of(runs, rank), [&](std::uint32_t i) {
      ++hits.count;
      ticks.add(times[i].begin);
      return true;
    });
  }
  hits.ticks = ticks.take();
  return hits;
}

OperationId next_hit(const Runs& runs, const Selection& selection, OperationId from) {
  const std::optional<Place> start = place_or_none(runs, from);
  std::optional<Place> best;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    if (!selection.may_contain(rank)) continue;
    const auto times = runs.observed.rank(rank).times;
    std::uint32_t behind = operations_of(runs, rank);
    if (best)  // what begins later is no better
      behind = static_cast<std::uint32_t>(std::ranges::upper_bound(times, best->begin, {}, &OperationTimes::begin) -
                                          times.begin());
    for_each(selection, rank, first_behind(runs, rank, start), behind, [&](std::uint32_t i) {
      const Place place = place_of(runs, {rank, i});
      if (!best || place < *best) best = place;
      return false;
    });
  }
  return best ? best->id : OperationId{};
}

OperationId previous_hit(const Runs& runs, const Selection& selection, OperationId from) {
  const std::optional<Place> start = place_or_none(runs, from);
  std::optional<Place> best;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    if (!selection.may_contain(rank)) continue;
    std::uint32_t behind = start ? first_behind(runs, rank, start) : operations_of(runs, rank);
    while (start && behind > 0 && place_of(runs, {rank, behind - 1}) >= *start) --behind;
    const auto times = runs.observed.rank(rank).times;
    std::uint32_t first = 0;
    if (best)  // what begins earlier is no better
      first = static_cast<std::uint32_t>(std::ranges::lower_bound(times, best->begin, {}, &OperationTimes::begin) -
                                         times.begin());
    for_each_backwards(selection, rank, first, behind, [&](std::uint32_t i) {
      const Place place = place_of(runs, {rank, i});
      if (!best || place > *best) best = place;
      return false;
    });
  }
  return best ? best->id : OperationId{};
}

}  // namespace plumbline::viewer
