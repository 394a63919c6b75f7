#include "replay/expect/archive/expected_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "replay/program/compile/location/compiler.hpp"
#include "replay/program/compile/rank_locations.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;
using archive::Event;
using Step = CallWalker::Step;

struct ColumnIds {
  explicit ColumnIds(const archive::Definitions& d) {
    const auto id = [&](const char* name) { return d.find_attribute(name).value_or(kNone); };
    lower = id(names::kExpected), upper = id(names::kExpectedUpper), band = id(names::kExpectedBand);
    as_run = id(names::kAsRun), as_run_upper = id(names::kAsRunUpper), ideal_io = id(names::kIdealOperations);
    as_configured = id(names::kAsConfigured), as_configured_upper = id(names::kAsConfiguredUpper);
    not_judged = id(names::kNotJudged), inner_records = id(names::kInnerRecords);
  }
  std::uint32_t lower, upper, band, as_run, as_run_upper, as_configured, as_configured_upper, ideal_io, not_judged,
      inner_records;
};

std::optional<std::uint64_t> value_of(const Event& event, std::uint32_t attribute) {
  for (const archive::AttributeValue& value : event.attributes)
    if (value.attribute == attribute) return value.u64;
  return std::nullopt;
}

Duration duration_of(const Event& event, std::uint32_t attribute, Duration otherwise) {
  const std::optional<std::uint64_t> ps = value_of(event, attribute);
  return ps ? Duration{static_cast<std::int64_t>(*ps)} : otherwise;
}

class RanksReader {
 public:
  RanksReader(archive::Reader& reader, const Scratch& scratch)
      : reader_(reader), definitions_(reader.definitions()), table_(call_table(definitions_)), ids_(definitions_) {
    scratch_ = scratch;
    read_ = columns_in(scratch);
  }

  RanksRead run(Block ranks) {
    const std::vector<std::uint32_t> locations = locations_by_rank(definitions_, reader_.anchor().string());
    for (std::size_t rank = ranks.begin; rank < ranks.end; ++rank) read_rank(locations[rank]);
    return std::move(result_);
  }

 private:
  std::uint32_t reason(const Event& event) {
    for (const archive::AttributeValue& value : event.attributes) {
      if (value.attribute != ids_.not_judged) continue;
      const auto [entry, is_new] =
          reasons_.try_emplace(value.string, static_cast<std::uint32_t>(result_.reasons.size()));
      if (is_new) result_.reasons.push_back(definitions_.strings[value.string]);
      return entry->second;
    }
    return kNone;
  }

  // Columns take the room that they need, and equal ones of a rank the same: most ranks have no brackets, and are
  // expected as they were configured.
  ExpectedRank settled(const ExpectedRank& read) {
    ExpectedRank rank;
    rank.free = alone(read.free);
    rank.lower = alone(read.lower);
    rank.upper = shared(read.upper, {&rank.lower});
    rank.band = alone(read.band);
    rank.as_configured = shared(read.as_configured, {&rank.lower});
    rank.as_configured_upper = shared(read.as_configured_upper, {&rank.upper, &rank.as_configured});
    rank.as_run = shared(read.as_run, {&rank.as_configured});
    rank.as_run_upper = shared(read.as_run_upper, {&rank.as_configured_upper, &rank.as_run});
    rank.by_inner = shared(read.by_inner, {&before_.by_inner});
    rank.ideal_io = shared(read.ideal_io, {&before_.ideal_io});
    rank.not_judged = shared(read.not_judged, {&before_.not_judged});
    before_ = rank;
    return rank;
  }

  template <class T>
  KeptColumn<T> alone(const KeptColumn<T>& read) const {
    const auto memory = std::make_shared<const Column<T>>(read.begin(), read.end(), ScratchAllocator<T>(scratch_));
    return {std::span(*memory), memory};
  }

  template <class T>
  KeptColumn<T> shared(const KeptColumn<T>& read, std::initializer_list<const KeptColumn<T>*> others) const {
    for (const KeptColumn<T>* const other : others)
      if (other->size() == read.size() &&
          (read.empty() || std::memcmp(other->data(), read.data(), read.size() * sizeof(T)) == 0))
        return *other;
    return alone(read);
  }

  static void add(ExpectedRank& rank, OperationTimes free, Duration lower) {
    rank.free.push_back(free);
    rank.lower.push_back(lower);
    rank.upper.push_back(lower);
    rank.band.push_back(Duration{});
    rank.as_run.push_back(lower);
    rank.as_run_upper.push_back(lower);
    rank.as_configured.push_back(lower);
    rank.as_configured_upper.push_back(lower);
    rank.by_inner.push_back(0);
    rank.ideal_io.push_back(0);
    rank.not_judged.push_back(kNone);
  }

  // The columns of a call stand at its first operation; further ones take no time of their own.
  void add_call(ExpectedRank& rank, const Event& leave, OperationTimes times, Duration cost, std::uint32_t operations) {
    const bool is_expected = ids_.lower != kNone;
    const Duration length = std::max(times.end - times.begin - (is_expected ? Duration{} : cost), Duration{});
    add(rank, times, duration_of(leave, ids_.lower, length));
    rank.upper.back() = duration_of(leave, ids_.upper, rank.lower.back());
    rank.band.back() = duration_of(leave, ids_.band, Duration{});
    rank.as_configured.back() = duration_of(leave, ids_.as_configured, rank.lower.back());
    rank.as_configured_upper.back() = duration_of(leave, ids_.as_configured_upper, rank.upper.back());
    rank.as_run.back() = duration_of(leave, ids_.as_run, rank.as_configured.back());
    rank.by_inner.back() = value_of(leave, ids_.as_run).has_value() ? 1 : 0;
    rank.as_run_upper.back() = duration_of(leave, ids_.as_run_upper, rank.as_configured_upper.back());
    rank.ideal_io.back() = value_of(leave, ids_.ideal_io).value_or(0);
    rank.not_judged.back() = reason(leave);
    for (std::uint32_t i = 1; i < operations; ++i) add(rank, {times.end, times.end}, Duration{});
  }

  std::uint32_t records_inside(const CallWalker& walker, const Event& leave) const {
    return walker.regions_inside() + static_cast<std::uint32_t>(value_of(leave, ids_.inner_records).value_or(0));
  }

  void read_rank(std::uint32_t location) {
    ExpectedRank& rank = read_;
    for_each_column(rank, [](auto& column) { column.clear(); });
    const TracerCost cost = tracer_cost(definitions_, location);
    CallWalker walker(table_);
    Time now, begin;
    reader_.read(location, [&](const Event& event) {
      now = std::max(now, event.time);
      const Step step = walker.next(event);
      if (step == Step::kBegins) begin = now;
      if (step == Step::kEnds)
        add_call(rank, event, {begin, now}, cost.of_call(records_inside(walker, event)), walker.operations_of_call());
    });
    if (walker.in_call())
      add_call(rank, Event{}, {begin, now}, cost.of_call(walker.regions_inside()), walker.operations_of_call());
    result_.ranks.push_back(settled(rank));
  }

  archive::Reader& reader_;
  const archive::Definitions& definitions_;
  std::vector<CallTraits> table_;
  ColumnIds ids_;
  Scratch scratch_;
  RanksRead result_;
  ExpectedRank read_;    // the rank in work, whose memory serves the next one
  ExpectedRank before_;  // the rank before it
  std::unordered_map<archive::StringId, std::uint32_t> reasons_;
};

}  // namespace

RanksRead read_ranks(archive::Reader& reader, Block ranks, const Scratch& scratch) {
  return RanksReader(reader, scratch).run(ranks);
}

}  // namespace plumbline::replay
