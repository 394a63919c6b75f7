#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "viewer/index/filter/filter.hpp"
#include "viewer/index/filter/values_of.hpp"

namespace plumbline::viewer {
namespace {

using replay::Operation;
using replay::RankProgram;

// 1 where least <= value <= most, without a branch.
std::uint8_t is_in(const ValueRange& range, std::int64_t value) {
  const auto above = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.least);
  const auto width = static_cast<std::uint64_t>(range.most) - static_cast<std::uint64_t>(range.least);
  return above <= width ? 1 : 0;
}

void apply_ranges(const std::vector<ValueRange>& ranges, std::span<const std::int64_t> values,
                  std::span<const std::uint8_t> is_there, std::span<std::uint8_t> out) {
  std::ranges::fill(out, std::uint8_t{0});
  for (const ValueRange& range : ranges)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(out[i] | is_in(range, values[i]));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(out[i] & is_there[i]);
}

// An index beyond the table is none, which is the last entry.
template <class IndexOf>
void apply_table(const CompiledTest& test, std::span<const Operation> operations, std::span<std::uint8_t> out,
                 IndexOf index_of) {
  const std::size_t none = test.table.size() - 1;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = test.table[std::min<std::size_t>(index_of(operations[i]), none)];
}

void apply_kind(const Filter& filter, const CompiledTest& test, std::uint32_t rank, std::uint32_t first,
                std::span<std::uint8_t> out) {
  const RankColumns columns(*filter.runs, filter.calls, rank);
  std::array<std::uint8_t, kCallKinds> table{};
  for (std::size_t kind = 0; kind < table.size(); ++kind)
    for (const ValueRange& range : test.ranges) table[kind] |= is_in(range, static_cast<std::int64_t>(kind));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = table[static_cast<std::size_t>(columns.kind(first + static_cast<std::uint32_t>(i)))];
}

}  // namespace

void apply(const Filter& filter, const CompiledTest& test, std::uint32_t rank, std::uint32_t first,
           std::span<std::uint8_t> out) {
  PLUMBLINE_CHECK(out.size() <= kFilterBlock, "a block of operations is too long");
  const RankProgram& own = filter.runs->observed.rank(rank);
  const auto operations = own.operations.subspan(first, out.size());
  switch (test.field) {
    case Field::kCall:
      return apply_table(test, operations, out, [](const Operation& op) { return op.call; });
    case Field::kSite:
      return apply_table(test, operations, out, [](const Operation& op) { return op.site; });
    case Field::kFile:
      return apply_table(test, operations, out,
                         [](const Operation& op) { return replay::is_io(op.kind) ? op.comm : replay::kNone; });
    case Field::kNode:
      std::ranges::fill(out, test.table[std::min<std::size_t>(own.node, test.table.size() - 1)]);
      return;
    case Field::kKind:
      return apply_kind(filter, test, rank, first, out);
    default:
      break;
  }
  std::array<std::int64_t, kFilterBlock> values;
  std::array<std::uint8_t, kFilterBlock> is_there;
  const auto used = std::span(values).first(out.size());
  const auto there = std::span(is_there).first(out.size());
  values_of(*filter.runs, test.field, rank, first, used, there);
  apply_ranges(test.ranges, used, there, out);
}

}  // namespace plumbline::viewer
