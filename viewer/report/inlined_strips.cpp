#include "viewer/report/inlined_strips.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/pyramid/ranges.hpp"
#include "viewer/report/answers.hpp"

namespace plumbline::viewer {
namespace {

constexpr unsigned kMostLevels = 7;
constexpr std::size_t kStripsOfBatch = 2048;  // so that a batch has room for all of its boxes
constexpr std::uint32_t kMostAround = 12;     // strips around an operation
constexpr std::size_t kMostNeighbours = 64;
constexpr std::size_t kQuoted = 3;  // "", and the comma

class Strips {
 public:
  Strips(Opened& opened, const std::vector<std::uint32_t>& lanes, std::size_t most)
      : opened_(opened), lanes_(lanes), left_(most) {}

  // Whole levels, as long as they fit and leave `reserve` for the rest. A level counts when all its strips are there.
  void add_levels(std::size_t reserve) {
    const unsigned most = std::min(kMostLevels, opened_.pyramid.most_level + 1);
    while (strips_.levels < most && add_level(strips_.levels, reserve)) ++strips_.levels;
  }

  // What is drawn one by one around an operation, as far around as the page goes when it goes there.
  bool add_around(OperationId id, bool with_neighbours) {
    bool all = true;
    for (const PyramidSource& source : opened_.pyramid.sources) {
      if (source.number > 1) continue;
      const std::optional<StripRange> range = range_around(source, id);
      if (!range || range->level < strips_.levels) continue;
      all = add_once(*range, pair_of(id)) && all;
      if (with_neighbours && lanes_.size() <= kMostNeighbours) add_once(*range, lanes_);
    }
    if (all) ++strips_.operations_around;
    return all;
  }

  std::size_t left() const { return left_; }
  InlinedStrips finish() { return std::move(strips_); }

 private:
  bool add_level(unsigned level, std::size_t reserve) {
    std::vector<std::string> batches;
    std::size_t bytes = 0;
    const std::size_t at_once = std::max<std::size_t>(1, kStripsOfBatch >> level);
    for (const PyramidSource& source : opened_.pyramid.sources) {
      if (source.number > 1) continue;
      for (std::size_t first = 0; first < lanes_.size(); first += at_once) {
        const std::vector<std::uint32_t> part(
            lanes_.begin() + static_cast<std::ptrdiff_t>(first),
            lanes_.begin() + static_cast<std::ptrdiff_t>(std::min(first + at_once, lanes_.size())));
        batches.push_back(strips_text(opened_, {source.number, level, 0, (1U << level) - 1}, part));
        bytes += batches.back().size() + kQuoted;
        if (bytes + reserve > left_) return false;
      }
    }
    left_ -= bytes;
    std::ranges::move(batches, std::back_inserter(strips_.batches));
    return true;
  }

  bool add_once(const StripRange& range, const std::vector<std::uint32_t>& lanes) {
    if (!known_.emplace(range, lanes).second) return true;
    std::string batch = strips_text(opened_, range, lanes);
    if (batch.size() + kQuoted > left_) return false;
    left_ -= batch.size() + kQuoted;
    strips_.batches.push_back(std::move(batch));
    return true;
  }

  std::vector<std::uint32_t> pair_of(OperationId id) const {
    std::vector<std::uint32_t> ranks{id.rank};
    const auto& partners = opened_.matches.ranks[id.rank].partner;
    if (id.operation < partners.size() && partners[id.operation].exists() && partners[id.operation].rank != id.rank)
      ranks.push_back(partners[id.operation].rank);
    return ranks;
  }

  // The coarsest level whose strips hold few enough operations where this one begins and where it ends.
  std::optional<StripRange> range_around(const PyramidSource& source, OperationId id) const {
    const replay::OperationTimes& times = source.ranks[id.rank].times[id.operation];
    const std::int64_t begin = (times.begin - source.zero).ps;
    const std::int64_t length = std::max<std::int64_t>((times.end - times.begin).ps, 1);
    for (unsigned level = 0; level <= opened_.pyramid.most_level; ++level) {
      const std::uint32_t first = place(begin, level), last = place(begin + length - 1, level);
      if (!has_boxes(source, id.rank, level, first) || !has_boxes(source, id.rank, level, last)) continue;
      StripRange range{source.number, level, place(begin - 3 * length, level), place(begin + 4 * length, level)};
      if (range.last - range.first >= kMostAround) {
        range.first = first > kMostAround / 2 ? std::max(range.first, first - kMostAround / 2) : range.first;
        range.last = std::min(range.last, range.first + kMostAround - 1);
      }
      return range;
    }
    return std::nullopt;
  }

  std::uint32_t place(std::int64_t ps, unsigned level) const {
    const auto base = static_cast<std::int64_t>(opened_.pyramid.base_ps);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(ps, 0, base - 1) / (base >> level));
  }

  bool has_boxes(const PyramidSource& source, std::uint32_t rank, unsigned level, std::uint32_t x) const {
    return strip_of(opened_.runs, opened_.pyramid, source, rank, level, x).operations <= kMostBoxes;
  }

  Opened& opened_;
  const std::vector<std::uint32_t>& lanes_;
  std::size_t left_;
  std::set<std::pair<StripRange, std::vector<std::uint32_t>>> known_;
  InlinedStrips strips_;
};

}  // namespace

InlinedStrips inlined_strips(Opened& opened, const std::vector<std::uint32_t>& lanes,
                             std::span<const OperationId> operations, std::size_t with_neighbours,
                             std::size_t most_bytes) {
  Strips strips(opened, lanes, most_bytes);
  strips.add_levels(operations.empty() ? 0 : most_bytes / 3);
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (!strips.add_around(operations[i], i < with_neighbours)) break;
  return strips.finish();
}

}  // namespace plumbline::viewer
