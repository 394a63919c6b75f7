#include "viewer/index/filter/values_of.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "viewer/index/runs/marks.hpp"
#include "viewer/index/runs/parts.hpp"
#include "viewer/index/runs/peers.hpp"

namespace plumbline::viewer {
namespace {

using replay::kNone;
using replay::Operation;
using replay::RankProgram;

// Calls value(i) for each; nothing: it is not there.
template <class Value>
void fill(std::span<std::int64_t> values, std::span<std::uint8_t> is_there, Value value) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<std::int64_t> found = value(i);
    is_there[i] = found ? 1 : 0;
    values[i] = found.value_or(0);
  }
}

bool carries_message(const Operation& op) {
  return op.kind <= replay::OpKind::kSendrecv || op.kind == replay::OpKind::kProbe;
}

Duration time_of(const Parts& parts, Field field) {
  switch (field) {
    case Field::kFree:
      return parts.free;
    case Field::kLower:
      return parts.lower;
    case Field::kUpper:
      return parts.upper;
    case Field::kBand:
      return parts.band;
    case Field::kInherited:
      return parts.inherited;
    case Field::kStructure:
      return parts.structure;
    case Field::kStack:
      return parts.stack;
    case Field::kGained:
      return parts.gained;
    default:
      return parts.own;
  }
}

std::uint8_t bit_of(Field field) {
  return field == Field::kFinding ? kFindingMark : field == Field::kUnfinished ? kUnfinishedMark : kWithheldMark;
}

}  // namespace

void values_of(const Runs& runs, Field field, std::uint32_t rank, std::uint32_t first, std::span<std::int64_t> values,
               std::span<std::uint8_t> is_there) {
  const RankProgram& own = runs.observed.rank(rank);
  const auto operations = own.operations.subspan(first, values.size());
  const auto times = own.times.subspan(first, values.size());
  using Value = std::optional<std::int64_t>;
  const auto fill_with = [&](auto value) { fill(values, is_there, value); };
  const auto index = [&](std::size_t i) { return first + static_cast<std::uint32_t>(i); };
  switch (field) {
    case Field::kRank:
      return fill_with([&](std::size_t) -> Value { return rank; });
    case Field::kOperation:
      return fill_with([&](std::size_t i) -> Value { return index(i); });
    case Field::kBytes:
      return fill_with([&](std::size_t i) -> Value {
        constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
        return static_cast<std::int64_t>(std::min(operations[i].bytes, kMost));
      });
    case Field::kTag:
      return fill_with(
          [&](std::size_t i) { return carries_message(operations[i]) ? Value(operations[i].tag) : Value(); });
    case Field::kPeer:
      return fill_with([&](std::size_t i) {
        const std::uint32_t peer = peer_of(runs.observed, rank, operations[i]);
        return peer == kNone ? Value() : Value(peer);
      });
    case Field::kCommSize:
      return fill_with([&](std::size_t i) {
        const std::uint32_t comm = comm_of(runs.observed, own, operations[i]);
        return comm == kNone ? Value() : Value(size_of(runs.observed.comm(comm)));
      });
    case Field::kBegin: {
      const Time begin = span_of(runs.observed).begin;
      return fill_with([&](std::size_t i) -> Value { return (times[i].begin - begin).ps; });
    }
    case Field::kObserved:
      return fill_with([&](std::size_t i) -> Value { return (times[i].end - times[i].begin).ps; });
    case Field::kFinding:
    case Field::kUnfinished:
    case Field::kWithheld:
      return fill_with([&](std::size_t i) -> Value { return (marks_of(runs, {rank, index(i)}) & bit_of(field)) != 0; });
    case Field::kUnmatched:
      return fill_with([&](std::size_t i) -> Value {
        return std::ranges::binary_search(runs.unmatched, OperationId{rank, index(i)});
      });
    case Field::kJudged:
      return fill_with([&](std::size_t i) -> Value { return parts_of(runs, rank, index(i)).judged; });
    default:
      return fill_with([&](std::size_t i) {
        const Parts parts = parts_of(runs, rank, index(i));
        return parts.judged ? Value(time_of(parts, field).ps) : Value();
      });
  }
}

}  // namespace plumbline::viewer
