#pragma once
// The fields of an opening in the order of its file: one list for writing and for reading.
//
// File is KeptFields<KeptFileWriter> or KeptFields<KeptFileReader>; a writer leaves everything as it is.

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "viewer/index/opening.hpp"

namespace plumbline::viewer {

template <class File>
class KeptFields {
 public:
  explicit KeptFields(File& file) : file_(file) {}

  template <class... Each>
  void operator()(Each&... each) {
    (one(each), ...);
  }

 private:
  static constexpr bool kReads = std::is_same_v<File, KeptFileReader>;

  template <class T>
  void one(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Time> ||
                  std::is_same_v<T, Duration> || std::is_same_v<T, TimeSum>)
      file_.value(value);
    else
      fields_of(*this, value);
  }
  void one(std::string& text) { file_.text(text); }
  template <class T>
  void one(KeptColumn<T>& column) {
    file_.column(column);
  }
  template <class T>
  void one(std::optional<T>& value) {
    std::uint8_t is_there = value.has_value() ? 1 : 0;
    one(is_there);
    if constexpr (kReads)
      if (is_there != 0) value.emplace();
    if (is_there != 0) one(*value);
  }
  template <class T>
  void one(std::vector<T>& list) {
    if constexpr (kReads) {
      list.clear();
      list.resize(file_.count());
    } else {
      file_.value(std::uint64_t{list.size()});
    }
    for (T& each : list) one(each);
  }

  File& file_;
};

template <class Fields>
void fields_of(Fields& fields, replay::UseTotal& total) {
  fields(total.name, total.unit, total.value);
}

template <class Fields>
void fields_of(Fields& fields, replay::UseLevel& level) {
  fields(level.name, level.unit, level.mean, level.most);
}

template <class Fields>
void fields_of(Fields& fields, replay::ComponentTotals& component) {
  fields(component.name, component.kind, component.busy, component.totals, component.levels);
}

template <class Fields>
void fields_of(Fields& fields, replay::ExpectedRank& rank) {
  fields(rank.free, rank.lower, rank.upper, rank.band, rank.as_run, rank.as_run_upper, rank.by_inner, rank.ideal_io,
         rank.not_judged, rank.as_configured, rank.as_configured_upper);
}

template <class Fields>
void fields_of(Fields& fields, replay::Expected& expected) {
  fields(expected.ranks, expected.reasons, expected.platform, expected.source, expected.schedules, expected.components,
         expected.remarks);
}

template <class Fields>
void fields_of(Fields& fields, replay::CompareOptions& options) {
  fields(options.threshold, options.false_discovery_rate, options.observed_name, options.reference_name);
}

template <class Fields>
void fields_of(Fields& fields, replay::RowKey& key) {
  fields(key.call, key.size_class, key.kind, key.comm_size, key.site, key.file);
}

template <class Fields>
void fields_of(Fields& fields, replay::Effect& effect) {
  fields(effect.total, effect.beyond_above, effect.beyond_below, effect.samples, effect.above, effect.below,
         effect.far_above, effect.far_below, effect.p_slower, effect.p_faster, effect.shown, effect.few,
         effect.verdict);
}

template <class Fields>
void fields_of(Fields& fields, replay::RankPart& part) {
  fields(part.rank, part.operations, part.observed, part.lower, part.upper, part.own, part.stack, part.structure,
         part.inherited, part.cached_loss, part.inner_time, part.inner_span);
}

template <class Fields>
void fields_of(Fields& fields, replay::Instance& instance) {
  fields(instance.rank, instance.operation, instance.begin, instance.own, instance.inherited);
}

template <class Fields>
void fields_of(Fields& fields, replay::InnerSummary& inner) {
  fields(inner.operations, inner.needed, inner.read_bytes, inner.written_bytes, inner.makers);
}

template <class Fields>
void fields_of(Fields& fields, replay::Locality& locality) {
  fields(locality.own_inside, locality.own_between, locality.inside, locality.between);
}

template <class Fields>
void fields_of(Fields& fields, replay::Row& row) {
  fields(row.key, row.call, row.site, row.file, row.operations, row.judged, row.bytes, row.observed, row.lower,
         row.upper, row.as_run, row.as_run_upper, row.as_configured, row.as_configured_upper, row.band, row.inherited,
         row.not_judged, row.structure, row.own, row.stack, row.median_own, row.max_own, row.carriers, row.share,
         row.collective, row.waiting, row.inner, row.locality, row.parts, row.reason, row.withheld, row.instances);
}

template <class Fields>
void fields_of(Fields& fields, replay::NotJudgedTime& time) {
  fields(time.reason, time.set_up, time.operations, time.observed);
}

template <class Fields>
void fields_of(Fields& fields, replay::SharedCores& shared) {
  fields(shared.node, shared.cores, shared.ranks);
}

template <class Fields>
void fields_of(Fields& fields, replay::Totals& totals) {
  fields(totals.ranks, totals.run, totals.reference_run, totals.operations, totals.judged_operations, totals.polls,
         totals.judged, totals.not_judged, totals.set_up, totals.polling, totals.compute, totals.off_cpu,
         totals.outside, totals.set_up_operations, totals.collectives, totals.collectives_by_inner,
         totals.collective_time, totals.collective_time_by_inner, totals.own, totals.inherited, totals.structure,
         totals.stack, totals.gained, totals.faster_operations);
}

template <class Fields>
void fields_of(Fields& fields, replay::Comparison& comparison) {
  fields(comparison.reference, comparison.options, comparison.totals, comparison.rows, comparison.not_judged,
         comparison.shared_cores, comparison.off_cpu, comparison.files, comparison.file_group);
}

template <class Fields>
void fields_of(Fields& fields, BusyPiece& piece) {
  fields(piece.begin, piece.busy);
}

template <class Fields>
void fields_of(Fields& fields, ComponentHistory& component) {
  fields(component.name, component.kind, component.pieces);
}

template <class Fields>
void fields_of(Fields& fields, OperationId& id) {
  fields(id.rank, id.operation);
}

template <class Fields>
void fields_of(Fields& fields, Series& series) {
  fields(series.of, series.comm, series.object, series.ranks, series.first, series.calls);
}

template <class Fields>
void fields_of(Fields& fields, RankMatches& rank) {
  fields(rank.partner, rank.sent_to, rank.completed);
}

template <class Fields>
void fields_of(Fields& fields, Matches& matches) {
  fields(matches.ranks, matches.series, matches.unmatched, matches.without_partner);
}

template <class Fields>
void fields_of(Fields& fields, Lane& lane) {
  fields(lane.number, lane.kind, lane.name, lane.node, lane.members, lane.ranks, lane.own, lane.inherited, lane.note,
         lane.worst_rank, lane.component_class, lane.busy_share);
}

template <class Fields>
void fields_of(Fields& fields, Lanes& lanes) {
  fields(lanes.ranks, lanes.components);
}

template <class Fields>
void fields_of(Fields& fields, Opening& opening) {
  fields(opening.expected, opening.reference, opening.comparison, opening.components, opening.marks, opening.matches,
         opening.lanes, opening.report, opening.index_key);
}

}  // namespace plumbline::viewer
