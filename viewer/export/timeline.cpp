#include "viewer/export/timeline.hpp"

#include <fmt/format.h>

namespace plumbline::viewer {
namespace {

// Calls visit(id) for each operation that the run of this side has.
template <class Visit>
void for_each_operation(const Runs& runs, const Timeline& timeline, Visit visit) {
  for (OperationId id{0, 0}; id.rank < runs.observed.ranks(); ++id.rank) {
    const std::size_t operations = runs.observed.rank(id.rank).operations.size();
    for (id.operation = 0; id.operation < operations; ++id.operation)
      if (timeline.has(id)) visit(id);
  }
}

// How much earlier than `zero` the reference begins on some rank; 0 where it does not.
Duration head_start(const Runs& runs, Time zero) {
  const Timeline reference(runs, Side::kReference, zero);
  Duration most;
  for_each_operation(runs, reference, [&](OperationId id) { most = std::max(most, zero - reference.times(id).begin); });
  return most;
}

}  // namespace

std::vector<Side> sides_of(const Runs& runs) {
  return runs.is_compared() ? std::vector{Side::kObserved, Side::kReference} : std::vector{Side::kObserved};
}

std::vector<Timeline> timelines_of(const Runs& runs) {
  const Time observed = span_of(runs.observed).begin;
  if (!runs.is_compared()) return {Timeline(runs, Side::kObserved, observed)};
  const Time reference = reference_zero(runs);
  const Duration shift = head_start(runs, reference);
  return {Timeline(runs, Side::kObserved, observed - shift), Timeline(runs, Side::kReference, reference - shift)};
}

std::uint64_t length_ns(const Runs& runs, const std::vector<Timeline>& timelines) {
  std::uint64_t length = 0;
  for (const Timeline& timeline : timelines)
    for_each_operation(runs, timeline, [&](OperationId id) {
      length = std::max({length, timeline.begin_ns(id), timeline.end_ns(id)});
    });
  return length;
}

std::string title_of(const Runs& runs, Side side) {
  if (side == Side::kObserved) return "observed: " + runs.observed_name;
  return (runs.reference == replay::ReferenceRun::kExpected ? "expected: " : "reference: ") + runs.reference_name;
}

std::string rank_title(const Runs& runs, std::uint32_t rank) {
  return fmt::format("rank {} ({})", rank, runs.observed.node(runs.observed.rank(rank).node));
}

}  // namespace plumbline::viewer
