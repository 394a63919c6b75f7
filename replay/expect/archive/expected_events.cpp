#include "replay/expect/archive/expected_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "replay/expect/archive/deferred_events.hpp"
#include "replay/expect/archive/time_map.hpp"
#include "replay/program/compile/context/call_walker.hpp"
#include "replay/program/compile/rank_locations.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;
using archive::Event;
using Step = CallWalker::Step;

// Not what a node counted then, nor what went on inside of the calls: nobody has worked out what it would be.
bool is_foretold(const archive::Location& location) {
  return location.type != archive::LocationType::kMetric && !archive::inside_of(location);
}

}  // namespace

ExpectedAttributes::ExpectedAttributes(archive::Definitions& definitions) {
  using archive::AttributeType;
  const auto time = [&](const char* name, const char* what) {
    return definitions.attribute(name, AttributeType::kUint64, what);
  };
  lower = time(names::kExpected, "expected duration in ps, lower bound");
  upper = time(names::kExpectedUpper, "expected duration in ps, upper bound");
  band = time(names::kExpectedBand, "spread of the expected duration in ps");
  as_run = time(names::kAsRun, "expected duration in ps with the recorded inner operations");
  as_run_upper = time(names::kAsRunUpper, "likewise, upper bound");
  as_configured = time(names::kAsConfigured, "expected duration in ps by the library's tables and hints in force");
  as_configured_upper = time(names::kAsConfiguredUpper, "likewise, upper bound");
  ideal_io = time(names::kIdealOperations, "POSIX data operations needed");
  not_judged = definitions.attribute(names::kNotJudged, AttributeType::kString, "why the operation is not judged");
}

std::vector<std::uint64_t> costs_of_events(const EventsSource& source) {
  std::vector<std::uint64_t> costs;
  for (const archive::Location& location : source.observed.definitions().locations)
    costs.push_back(1 + (location.rank || is_foretold(location) ? location.events : 0));
  return costs;
}

class ExpectedEvents::Copier {
 public:
  explicit Copier(const EventsSource& source)
      : reader_(source.observed),
        definitions_(source.definitions),
        ids_(source.attributes),
        ranks_(source.ranks),
        reasons_(source.reasons),
        where_(source.observed.anchor().string()),
        table_(call_table(definitions_)),
        main_locations_(locations_by_rank(definitions_, where_)),
        map_(source.scratch) {
    if (ranks_.size() != main_locations_.size())
      throw Error(where_, fmt::format("has {} ranks, and {} are expected", main_locations_.size(), ranks_.size()));
  }

  void copy(Block locations, archive::Writer& to) {
    out_ = &to;
    for (std::size_t i = locations.begin; i < locations.end; ++i) {
      const archive::Location& location = definitions_.locations[i];
      out_->begin_location(location.otf2_id);
      if (location.rank)
        copy_rank(static_cast<std::uint32_t>(i), *location.rank);
      else if (is_foretold(location))
        copy_other(static_cast<std::uint32_t>(i));
      out_->end_location();
    }
  }

  Duration length() const { return length_; }

 private:
  std::optional<std::uint32_t> rank_of_process(const archive::Location& location) const {
    for (std::uint32_t rank = 0; rank < main_locations_.size(); ++rank)
      if (definitions_.locations[main_locations_[rank]].group == location.group) return rank;
    return std::nullopt;
  }

  [[noreturn]] void does_not_fit(std::uint32_t rank) const {
    throw Error(where_, fmt::format("rank {} has other operations than the expected ones", rank),
                "replay this archive again");
  }

  // Makes map_ the map of this rank: two points per call. For locations that come before that of their rank.
  void prepare(std::uint32_t rank) {
    if (mapped_rank_ == rank) return;
    begin_map(rank);
    CallWalker walker(table_);
    Time now;
    reader_.read(main_locations_[rank], [&](const Event& event) {
      now = std::max(now, event.time);
      const Step step = walker.next(event);
      if (step == Step::kBegins) add_begin(now);
      if (step == Step::kEnds) add_end(now, walker);
    });
    if (walker.in_call()) add_end(now, walker);
    require_all_mapped();
  }

  void begin_map(std::uint32_t rank) {
    mapped_rank_ = rank;
    map_.clear();
    mapped_ = 0;
  }

  const ExpectedRank& columns() const { return ranks_[mapped_rank_]; }

  void add_begin(Time observed) {
    if (mapped_ >= columns().free.size()) does_not_fit(mapped_rank_);
    map_.add(observed, columns().free[mapped_].begin);
  }

  void add_end(Time observed, const CallWalker& walker) {
    mapped_ += walker.operations_of_call();
    if (mapped_ > columns().free.size()) does_not_fit(mapped_rank_);
    map_.add(observed, columns().free[mapped_ - 1].end);
  }

  void require_all_mapped() const {
    if (mapped_ != columns().free.size()) does_not_fit(mapped_rank_);
  }

  void write(const Event& event, Time time) { write(event, time, event.attributes); }

  void write(const Event& event, Time time, std::span<const archive::AttributeValue> attributes) {
    last_ = std::max(last_, time);
    out_->write(event, last_, attributes);
  }

  // What lies between two points waits for the second one.
  void write_deferred(std::size_t next_point) {
    deferred_.take([&](const Event& event) { write(event, map_.before(next_point, event.time)); });
  }

  void write_enter(const Event& event) {
    write_deferred(map_.size() - 1);
    write(event, map_.expected(map_.size() - 1));
  }

  void write_leave(const Event& event, std::uint32_t operations) {
    write_deferred(map_.size() - 1);
    attributes_.assign(event.attributes.begin(), event.attributes.end());
    add_columns(columns(), mapped_ - operations, operations);
    write(event, map_.expected(map_.size() - 1), attributes_);
  }

  void copy_rank(std::uint32_t location, std::uint32_t rank) {
    begin_map(rank);
    CallWalker walker(table_);
    Time now, at_point;
    last_ = Time{};
    const auto add = [&](const Event& event) {
      if (map_.size() > 0 && now == at_point) return write(event, map_.expected(map_.size() - 1));
      deferred_.add(event, now);
    };
    reader_.read(location, [&](const Event& event) {
      now = std::max(now, event.time);
      const Step step = walker.next(event);
      if (step != Step::kBegins && step != Step::kEnds) return add(event);
      at_point = now;
      if (step == Step::kBegins) {
        add_begin(now);
        return write_enter(event);
      }
      add_end(now, walker);
      write_leave(event, walker.operations_of_call());
    });
    const std::size_t points = map_.size();
    if (walker.in_call()) add_end(now, walker);
    write_deferred(points);
    require_all_mapped();
    note_length();
  }

  void copy_other(std::uint32_t location) {
    const std::optional<std::uint32_t> rank = rank_of_process(definitions_.locations[location]);
    if (rank) prepare(*rank);
    Time now;
    last_ = Time{};
    reader_.read(location, [&](const Event& event) {
      now = std::max(now, event.time);
      write(event, rank ? map_(now) : now);
    });
    note_length();
  }

  void note_length() { length_ = std::max(length_, last_ - Time{}); }

  void add(std::uint32_t attribute, std::uint64_t value) {
    archive::AttributeValue added;
    added.attribute = attribute;
    added.u64 = value;
    attributes_.push_back(added);
  }

  static std::uint64_t sum(const KeptColumn<Duration>& column, std::uint32_t first, std::uint32_t n) {
    Duration total;
    for (std::uint32_t i = 0; i < n; ++i) total += column[first + i];
    return static_cast<std::uint64_t>(total.ps);
  }

  void add_columns(const ExpectedRank& columns, std::uint32_t first, std::uint32_t n) {
    const std::uint64_t lower = sum(columns.lower, first, n), upper = sum(columns.upper, first, n);
    const std::uint64_t as_run = sum(columns.as_run, first, n), as_run_upper = sum(columns.as_run_upper, first, n);
    const std::uint64_t band = sum(columns.band, first, n);
    add(ids_.lower, lower);
    if (upper != lower) add(ids_.upper, upper);
    if (band != 0) add(ids_.band, band);
    const bool by_inner = first < columns.by_inner.size() && columns.by_inner[first] != 0;
    std::uint64_t configured = 0, configured_upper = 0;
    for (std::uint32_t i = first; i < first + n; ++i) {
      configured += static_cast<std::uint64_t>(columns.configured(i).ps);
      configured_upper += static_cast<std::uint64_t>(columns.configured_upper(i).ps);
    }
    if (as_run != configured || by_inner) add(ids_.as_run, as_run);
    if (as_run_upper != configured_upper) add(ids_.as_run_upper, as_run_upper);
    if (configured != lower) add(ids_.as_configured, configured);
    if (configured_upper != upper) add(ids_.as_configured_upper, configured_upper);
    if (columns.ideal_io[first] != 0) add(ids_.ideal_io, columns.ideal_io[first]);
    if (const std::uint32_t reason = columns.not_judged[first]; reason != kNone) {
      archive::AttributeValue why;
      why.attribute = ids_.not_judged;
      why.string = reasons_[reason];
      attributes_.push_back(why);
    }
  }

  archive::Reader& reader_;
  const archive::Definitions& definitions_;
  ExpectedAttributes ids_;
  std::span<const ExpectedRank> ranks_;
  std::span<const archive::StringId> reasons_;
  std::string where_;
  std::vector<CallTraits> table_;
  std::vector<std::uint32_t> main_locations_;
  archive::Writer* out_ = nullptr;
  std::uint32_t mapped_rank_ = kNone;
  TimeMap map_;
  std::uint32_t mapped_ = 0;  // operations of that rank that have their points
  DeferredEvents deferred_;
  Time last_;
  Duration length_;
  std::vector<archive::AttributeValue> attributes_;
};

ExpectedEvents::ExpectedEvents(const EventsSource& source) : copier_(std::make_unique<Copier>(source)) {}
ExpectedEvents::~ExpectedEvents() = default;

void ExpectedEvents::write(Block locations, archive::Writer& to) { copier_->copy(locations, to); }

Duration ExpectedEvents::length() const { return copier_->length(); }

}  // namespace plumbline::replay
