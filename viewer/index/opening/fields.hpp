#pragma once
// The fields of an opening in the order of its file: one list for writing and for reading.
//
// Each struct is taken apart into all of its members, so that one that is added does not compile until it is here.
//
// File is KeptFields<KeptFileWriter> or KeptFields<KeptFileReader>; a writer leaves everything as it is.

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "viewer/index/kept/kept_file.hpp"
#include "viewer/index/opening/opening.hpp"

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
  void one(bool& value) {
    std::uint8_t byte = value ? 1 : 0;
    one(byte);
    value = byte != 0;
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
      for (std::size_t left = file_.count(); left > 0; --left) one(list.emplace_back());
    } else {
      file_.value(std::uint64_t{list.size()});
      for (T& each : list) one(each);
    }
  }

  File& file_;
};

template <class Fields>
void fields_of(Fields& fields, replay::UseTotal& whole) {
  auto& [name, unit, value] = whole;
  fields(name, unit, value);
}

template <class Fields>
void fields_of(Fields& fields, replay::UseLevel& whole) {
  auto& [name, unit, mean, most] = whole;
  fields(name, unit, mean, most);
}

template <class Fields>
void fields_of(Fields& fields, replay::ComponentTotals& whole) {
  auto& [name, kind, busy, totals, levels] = whole;
  fields(name, kind, busy, totals, levels);
}

template <class Fields>
void fields_of(Fields& fields, replay::ExpectedRank& whole) {
  auto& [free, lower, upper, band, as_run, as_run_upper, by_inner, ideal_io, not_judged, as_configured,
         as_configured_upper] = whole;
  fields(free, lower, upper, band, as_run, as_run_upper, by_inner, ideal_io, not_judged, as_configured,
         as_configured_upper);
}

template <class Fields>
void fields_of(Fields& fields, replay::Expected& whole) {
  auto& [ranks, reasons, platform, source, schedules, components, remarks, scratch] = whole;
  fields(ranks, reasons, platform, source, schedules, components, remarks);
}

template <class Fields>
void fields_of(Fields& fields, replay::CompareOptions& whole) {
  auto& [threshold, false_discovery_rate, observed_name, reference_name] = whole;
  fields(threshold, false_discovery_rate, observed_name, reference_name);
}

template <class Fields>
void fields_of(Fields& fields, replay::RowKey& whole) {
  auto& [call, size_class, kind, comm_size, site, file] = whole;
  fields(call, size_class, kind, comm_size, site, file);
}

template <class Fields>
void fields_of(Fields& fields, replay::Effect& whole) {
  auto& [total, beyond_above, beyond_below, samples, above, below, far_above, far_below, p_slower, p_faster, shown, few,
         verdict] = whole;
  fields(total, beyond_above, beyond_below, samples, above, below, far_above, far_below, p_slower, p_faster, shown, few,
         verdict);
}

template <class Fields>
void fields_of(Fields& fields, replay::RankPart& whole) {
  auto& [rank, operations, observed, lower, upper, own, stack, structure, inherited, cached_loss, inner_time,
         inner_span] = whole;
  fields(rank, operations, observed, lower, upper, own, stack, structure, inherited, cached_loss, inner_time,
         inner_span);
}

template <class Fields>
void fields_of(Fields& fields, replay::Instance& whole) {
  auto& [rank, operation, begin, own, inherited] = whole;
  fields(rank, operation, begin, own, inherited);
}

template <class Fields>
void fields_of(Fields& fields, replay::InnerSummary& whole) {
  auto& [operations, needed, read_bytes, written_bytes, makers] = whole;
  fields(operations, needed, read_bytes, written_bytes, makers);
}

template <class Fields>
void fields_of(Fields& fields, replay::Locality& whole) {
  auto& [own_inside, own_between, inside, between] = whole;
  fields(own_inside, own_between, inside, between);
}

template <class Fields>
void fields_of(Fields& fields, replay::Row& whole) {
  auto& [key, call, site, file, operations, judged, bytes, observed, lower, upper, as_run, as_run_upper, as_configured,
         as_configured_upper, band, inherited, not_judged, structure, own, stack, median_own, max_own, carriers, share,
         collective, waiting, inner, locality, parts, reason, withheld, instances] = whole;
  fields(key, call, site, file, operations, judged, bytes, observed, lower, upper, as_run, as_run_upper, as_configured,
         as_configured_upper, band, inherited, not_judged, structure, own, stack, median_own, max_own, carriers, share,
         collective, waiting, inner, locality, parts, reason, withheld, instances);
}

template <class Fields>
void fields_of(Fields& fields, replay::NotJudgedTime& whole) {
  auto& [reason, set_up, operations, observed] = whole;
  fields(reason, set_up, operations, observed);
}

template <class Fields>
void fields_of(Fields& fields, replay::SharedCores& whole) {
  auto& [node, cores, ranks] = whole;
  fields(node, cores, ranks);
}

template <class Fields>
void fields_of(Fields& fields, replay::Totals& whole) {
  auto& [ranks, run, reference_run, operations, judged_operations, polls, judged, not_judged, set_up, polling, compute,
         off_cpu, outside, set_up_operations, collectives, collectives_by_inner, collective_time,
         collective_time_by_inner, own, inherited, structure, stack, gained, faster_operations] = whole;
  fields(ranks, run, reference_run, operations, judged_operations, polls, judged, not_judged, set_up, polling, compute,
         off_cpu, outside, set_up_operations, collectives, collectives_by_inner, collective_time,
         collective_time_by_inner, own, inherited, structure, stack, gained, faster_operations);
}

template <class Fields>
void fields_of(Fields& fields, replay::Comparison& whole) {
  auto& [reference, options, totals, rows, not_judged, shared_cores, off_cpu, files, file_group] = whole;
  fields(reference, options, totals, rows, not_judged, shared_cores, off_cpu, files, file_group);
}

template <class Fields>
void fields_of(Fields& fields, BusyPiece& whole) {
  auto& [begin, busy] = whole;
  fields(begin, busy);
}

template <class Fields>
void fields_of(Fields& fields, ComponentHistory& whole) {
  auto& [name, kind, pieces] = whole;
  fields(name, kind, pieces);
}

template <class Fields>
void fields_of(Fields& fields, OperationId& whole) {
  auto& [rank, operation] = whole;
  fields(rank, operation);
}

template <class Fields>
void fields_of(Fields& fields, Series& whole) {
  auto& [of, comm, object, ranks, first, calls] = whole;
  fields(of, comm, object, ranks, first, calls);
}

template <class Fields>
void fields_of(Fields& fields, RankMatches& whole) {
  auto& [partner, sent_to, completed] = whole;
  fields(partner, sent_to, completed);
}

template <class Fields>
void fields_of(Fields& fields, Matches& whole) {
  auto& [ranks, series, unmatched, without_partner] = whole;
  fields(ranks, series, unmatched, without_partner);
}

template <class Fields>
void fields_of(Fields& fields, Lane& whole) {
  auto& [number, kind, name, node, members, ranks, own, inherited, note, worst_rank, component_class, busy_share] =
      whole;
  fields(number, kind, name, node, members, ranks, own, inherited, note, worst_rank, component_class, busy_share);
}

template <class Fields>
void fields_of(Fields& fields, Lanes& whole) {
  auto& [ranks, components] = whole;
  fields(ranks, components);
}

template <class Fields>
void fields_of(Fields& fields, Opening& whole) {
  auto& [expected, reference, comparison, components, marks, matches, lanes, report, index_key] = whole;
  fields(expected, reference, comparison, components, marks, matches, lanes, report, index_key);
}

}  // namespace plumbline::viewer
