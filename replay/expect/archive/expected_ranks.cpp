#include "replay/expect/archive/expected_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "base/check.hpp"
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

template <class T>
bool same_bytes(const KeptColumn<T>& a, const KeptColumn<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Fills `held_by` of a rank.
class EqualColumns {
 public:
  EqualColumns() {
    for (std::uint8_t each = 0; each < column::kAll; ++each) held_by_[each] = column::Index{each};
  }

  // Where it equals one of the others, of which the first counts.
  template <class T>
  void share(column::Index index, const KeptColumn<T>& values,
             std::initializer_list<std::pair<column::Index, const KeptColumn<T>*>> others) {
    for (const auto& [other, held] : others) {
      if (!same_bytes(values, *held)) continue;
      held_by_[index] = other == column::kOfRankBefore ? other : held_by_[other];
      return;
    }
  }

  const std::array<column::Index, column::kAll>& held_by() const { return held_by_; }

 private:
  std::array<column::Index, column::kAll> held_by_{};
};

class RanksReader {
 public:
  explicit RanksReader(archive::Reader& reader)
      : reader_(reader), definitions_(reader.definitions()), table_(call_table(definitions_)), ids_(definitions_) {
    const Scratch scratch = scratch_in(std::filesystem::absolute(reader.anchor()).parent_path());
    for (ExpectedRank* const rank : {&read_, &before_})
      for_each_column(*rank, [&]<class T>(KeptColumn<T>& column) { column = KeptColumn<T>(scratch); });
  }

  std::vector<std::string> run(Block ranks, const std::function<void(const ReadRank&)>& take) {
    const std::vector<std::uint32_t> locations = locations_by_rank(definitions_, reader_.anchor().string());
    for (std::size_t rank = ranks.begin; rank < ranks.end; ++rank) {
      read_rank(locations[rank]);
      take({read_, equal_columns(read_, before_)});
      std::swap(read_.by_inner, before_.by_inner);  // of which the next rank may have the same
      std::swap(read_.ideal_io, before_.ideal_io);
      std::swap(read_.not_judged, before_.not_judged);
    }
    return std::move(reasons_);
  }

 private:
  std::uint32_t reason(const Event& event) {
    for (const archive::AttributeValue& value : event.attributes) {
      if (value.attribute != ids_.not_judged) continue;
      const auto [entry, is_new] = number_of_.try_emplace(value.string, static_cast<std::uint32_t>(reasons_.size()));
      if (is_new) reasons_.push_back(definitions_.strings[value.string]);
      return entry->second;
    }
    return kNone;
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
  }

  archive::Reader& reader_;
  const archive::Definitions& definitions_;
  std::vector<CallTraits> table_;
  ColumnIds ids_;
  ExpectedRank read_;    // the rank in work, whose memory serves the next one
  ExpectedRank before_;  // columns of the rank before it
  std::vector<std::string> reasons_;
  std::unordered_map<archive::StringId, std::uint32_t> number_of_;
};

template <class T>
const KeptColumn<T>& column_at(const ExpectedRank& rank, column::Index wanted) {
  const KeptColumn<T>* found = nullptr;
  std::uint8_t index = 0;
  for_each_column(rank, [&]<class U>(const KeptColumn<U>& each) {
    if constexpr (std::is_same_v<T, U>)
      if (index == wanted) found = &each;
    ++index;
  });
  PLUMBLINE_CHECK(found != nullptr, "only columns of the same type hold one another");
  return *found;
}

// Columns take the room that they need.
ExpectedRank kept_in_memory(const ReadRank& read, const ExpectedRank& before, const Scratch& scratch) {
  ExpectedRank rank;
  std::uint8_t index = 0;
  for_each_column(rank, [&]<class T>(KeptColumn<T>& to) {
    const column::Index self{index++};
    if (read.held_by[self] != self) return;
    const KeptColumn<T>& from = column_at<T>(read.columns, self);
    const auto memory = std::make_shared<const Column<T>>(from.begin(), from.end(), ScratchAllocator<T>(scratch));
    to = {std::span(*memory), memory};
  });
  index = 0;
  for_each_column(rank, [&]<class T>(KeptColumn<T>& to) {
    const column::Index self{index++}, holder = read.held_by[self];
    if (holder != self) to = holder == column::kOfRankBefore ? column_at<T>(before, self) : column_at<T>(rank, holder);
  });
  return rank;
}

}  // namespace

std::array<column::Index, column::kAll> equal_columns(const ExpectedRank& rank, const ExpectedRank& before) {
  using enum column::Index;
  EqualColumns equal;
  equal.share(kUpper, rank.upper, {{kLower, &rank.lower}});
  equal.share(kAsConfigured, rank.as_configured, {{kLower, &rank.lower}});
  equal.share(kAsConfiguredUpper, rank.as_configured_upper,
              {{kUpper, &rank.upper}, {kAsConfigured, &rank.as_configured}});
  equal.share(kAsRun, rank.as_run, {{kAsConfigured, &rank.as_configured}});
  equal.share(kAsRunUpper, rank.as_run_upper,
              {{kAsConfiguredUpper, &rank.as_configured_upper}, {kAsRun, &rank.as_run}});
  equal.share(kByInner, rank.by_inner, {{kOfRankBefore, &before.by_inner}});
  equal.share(kIdealIo, rank.ideal_io, {{kOfRankBefore, &before.ideal_io}});
  equal.share(kNotJudged, rank.not_judged, {{kOfRankBefore, &before.not_judged}});
  return equal.held_by();
}

std::vector<std::string> read_each_rank(archive::Reader& reader, Block ranks,
                                        const std::function<void(const ReadRank&)>& take) {
  return RanksReader(reader).run(ranks, take);
}

RanksRead read_ranks(archive::Reader& reader, Block ranks, const Scratch& scratch) {
  RanksRead all;
  const ExpectedRank none;
  const auto keep = [&](const ReadRank& rank) {
    all.ranks.push_back(kept_in_memory(rank, all.ranks.empty() ? none : all.ranks.back(), scratch));
  };
  all.reasons = read_each_rank(reader, ranks, keep);
  return all;
}

}  // namespace plumbline::replay
