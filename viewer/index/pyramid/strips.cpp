#include "viewer/index/pyramid/strips.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "viewer/index/pyramid/tree.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::uint8_t kNoKind = 0xff;

// Of those that are there, at least one, that with the longest time; of equal ones the first.
std::uint8_t longest_kind(const RangeSummary& column) {
  auto longest = static_cast<unsigned>(std::countr_zero(column.kinds));
  for (unsigned rest = column.kinds; rest != 0; rest &= rest - 1) {
    const auto kind = static_cast<unsigned>(std::countr_zero(rest));
    if (column.time_ps[kind] > column.time_ps[longest]) longest = kind;
  }
  return static_cast<std::uint8_t>(longest);
}

// Rounded up, so that 0 means that nothing was busy.
std::uint8_t busy_byte(const RangeSummary& column, unsigned shift, std::uint32_t ranks) {
  __extension__ using Wide = unsigned __int128;
  const Wide length = (Wide{1} << shift) * ranks;
  const Wide rounded = std::min<Wide>(static_cast<std::uint64_t>(column.busy().ps), length) * 255 + length - 1;
  return static_cast<std::uint8_t>(ranks == 1 ? rounded >> shift : rounded / length);
}

// Least time of each byte: 3 log2(1 + t / 1 ns), rounded, is at least that number.
std::array<std::int64_t, 128> make_thresholds() {
  std::array<std::int64_t, 128> thresholds{};
  for (int code = 1; code < 128; ++code)
    thresholds[static_cast<std::size_t>(code)] =
        static_cast<std::int64_t>(std::ceil(1000 * (std::exp2((code - 0.5) / 3) - 1)));
  return thresholds;
}

std::array<std::uint8_t, 512> make_count_bytes() {
  std::array<std::uint8_t, 512> bytes{};
  for (std::size_t n = 0; n < bytes.size(); ++n)
    bytes[n] = static_cast<std::uint8_t>(std::lround(std::log2(1 + static_cast<double>(n)) * 8));
  return bytes;
}

Time shifted(Time zero, std::uint64_t ps) {
  const std::uint64_t most =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) - static_cast<std::uint64_t>(zero.ps);
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(zero.ps) + std::min(ps, most))};
}

}  // namespace

Duration RangeSummary::busy() const {
  Duration sum;
  for (const std::int64_t time : time_ps)
    if (__builtin_add_overflow(sum.ps, time, &sum.ps)) return Duration{INT64_MAX};
  return sum;
}

std::int8_t log_of(Duration time) {
  static const std::array<std::int64_t, 128> kThresholds = make_thresholds();
  const std::uint64_t length =
      time.ps < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(time.ps) : static_cast<std::uint64_t>(time.ps);
  const auto octave = static_cast<int>(std::bit_width(length / 1000 + 1)) - 1;  // whole part of the logarithm
  std::size_t code = static_cast<std::size_t>(std::min(3 * octave, 127));
  while (code < 127 && length >= static_cast<std::uint64_t>(kThresholds[code + 1])) ++code;
  return static_cast<std::int8_t>(time.ps < 0 ? -static_cast<int>(code) : static_cast<int>(code));
}

std::uint8_t log_of(std::uint64_t count) {
  static const std::array<std::uint8_t, 512> kBytes = make_count_bytes();
  if (count < kBytes.size()) return kBytes[count];
  return static_cast<std::uint8_t>(std::min(255L, std::lround(std::log2(1 + static_cast<double>(count)) * 8)));
}

namespace {

void clear_column(Planes& planes, std::size_t i) {
  planes.kind[i] = kNoKind;
  planes.busy[i] = planes.count[i] = planes.marks[i] = 0;
  planes.own[i] = planes.inherited[i] = 0;
}

void write_column(const RangeSummary& column, unsigned shift, std::uint32_t ranks, Planes& planes, std::size_t i) {
  planes.kind[i] = longest_kind(column);
  planes.busy[i] = busy_byte(column, shift, ranks);
  planes.count[i] = log_of(std::uint64_t{column.begun} + column.carried);
  planes.own[i] = log_of(column.own);
  planes.inherited[i] = log_of(column.inherited);
  planes.marks[i] = column.marks;
}

}  // namespace

void write_strip(std::span<const RangeSummary> columns, unsigned shift, Strip& strip, std::uint32_t ranks) {
  Duration worst;
  strip.operations = columns[0].carried;
  strip.worst_operation = replay::kNone;
  for (std::size_t i = 0; i < kColumns; ++i) {
    const RangeSummary& column = columns[i];
    if (column.kinds == 0) {
      clear_column(strip.planes, i);
      continue;
    }
    write_column(column, shift, ranks, strip.planes, i);
    strip.operations += column.begun;
    const bool is_first = column.own == worst && column.own_operation < strip.worst_operation;
    if (!is_worse(column.own, worst) && !is_first) continue;
    worst = column.own;
    strip.worst_operation = column.own_operation;
  }
}

unsigned column_shift(const Pyramid& pyramid, unsigned level) {
  return static_cast<unsigned>(std::countr_zero(pyramid.base_ps)) - kColumnsLog2 - level;
}

TimeRange range_of(const Pyramid& pyramid, const PyramidSource& source, unsigned level, std::uint32_t x) {
  const unsigned shift = column_shift(pyramid, level) + kColumnsLog2;
  return {shifted(source.zero, std::uint64_t{x} << shift), shifted(source.zero, (std::uint64_t{x} + 1) << shift)};
}

namespace {

// The summaries of a strip are those of its two halves on the next level, joined in pairs, and on the finest stored
// level come from the tree.
class StripFiller {
 public:
  StripFiller(const Pyramid& pyramid, const PyramidSource& source, const RankTree& tree, const RankColumns& facts,
              std::span<Strip> strips)
      : pyramid_(pyramid), source_(source), tree_(tree), facts_(facts), strips_(strips) {
    columns_.resize(pyramid.stored_levels, std::vector<RangeSummary>(kColumns));
  }

  void fill(unsigned level, std::uint32_t x) {
    std::vector<RangeSummary>& columns = columns_[level];
    const unsigned shift = column_shift(pyramid_, level);
    if (level + 1 == pyramid_.stored_levels) {
      std::ranges::fill(columns, RangeSummary{});
      add_range(tree_, facts_, range_of(pyramid_, source_, level, x), shift, columns);
    } else {
      for (std::uint32_t half = 0; half < 2; ++half) {
        fill(level + 1, 2 * x + half);
        const std::vector<RangeSummary>& finer = columns_[level + 1];
        for (std::size_t i = 0; i < kColumns / 2; ++i)
          columns[half * kColumns / 2 + i] = joined(finer[2 * i], finer[2 * i + 1]);
      }
    }
    write_strip(columns, shift, strips_[strips_of(level) + x]);
  }

 private:
  const Pyramid& pyramid_;
  const PyramidSource& source_;
  const RankTree& tree_;
  const RankColumns& facts_;
  const std::span<Strip> strips_;
  std::vector<std::vector<RangeSummary>> columns_;  // by level, of the strip in work
};

}  // namespace

void fill_strips(const Pyramid& pyramid, const PyramidSource& source, const RankTree& tree, const RankColumns& facts,
                 std::span<Strip> strips) {
  if (!strips.empty()) StripFiller(pyramid, source, tree, facts, strips).fill(0, 0);
}

}  // namespace plumbline::viewer
