#include "viewer/index/waits/delays.hpp"

#include <algorithm>

#include "viewer/index/matches/series.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

using replay::OperationTimes;

// So many operations are looked at, at most: an answer is for somebody who waits for it.
constexpr std::uint32_t kFarthest = 1'000'000;

void greatest_first(std::vector<Delay>& delays) {
  std::ranges::stable_sort(delays, std::ranges::greater(), &Delay::length);
}

bool is_member(const replay::CommView& comm, std::uint32_t rank) {
  return std::ranges::find(comm.members, rank) != comm.members.end() ||
         std::ranges::find(comm.remote_members, rank) != comm.remote_members.end();
}

}  // namespace

bool Delays::is_contact(OperationId id, std::uint32_t with, Membership& known) const {
  const replay::Operation& op = runs_.observed.rank(id.rank).operations[id.operation];
  if (is_gathering(op)) {
    const std::optional<SeriesKey> key = series_key(runs_.observed, id);
    if (!key) return false;
    const std::uint32_t comm = std::get<1>(*key);
    if (known.comm != comm) known = {comm, is_member(runs_.observed.comm(comm), with)};
    return known.is_member;
  }
  const Waited waited = waits_.of(id);
  return (waited.on.exists() && waited.on.rank == with) || is_awaited_by(id, with);
}

bool Delays::is_awaited_by(OperationId send, std::uint32_t with) const {
  const OperationId receive = receiver_of(runs_.observed, matches_, send);
  if (!receive.exists() || receive.rank != with) return false;
  const OperationId wait = completion_of(matches_, receive);
  return waits_.of(wait.exists() ? wait : receive).on == send;
}

void Delays::add_own(std::vector<Delay>& delays, OperationId id, Duration own) const {
  const OperationTimes times = waits_.times(id);
  if (own > Duration{}) delays.push_back({own, false, {id, times.begin, times.end, Why::kOwnExcess, {}}});
}

void Delays::add_excess(std::vector<Delay>& delays, OperationId id) const {
  const Parts parts = parts_of(runs_, id.rank, id.operation);
  if (!parts.judged) return;
  add_own(delays, id, parts.own);
  const CauseStep step{id, parts.begin, parts.begin + parts.observed, Why::kOwnExcess, {}};
  if (parts.inherited > Duration{}) delays.push_back({parts.inherited, true, step});
}

void Delays::add_contact(std::vector<Delay>& delays, OperationId id, std::uint32_t with) const {
  const Parts parts = parts_of(runs_, id.rank, id.operation);
  if (!parts.judged) return;
  Duration own = parts.own;
  if (const std::optional<Instance> instance = instance_of(runs_.observed, matches_, id)) {
    const OperationId other = call_of(matches_.series[instance->series], instance->number, with);
    if (other.exists()) own = std::min(own, waits_.times(id).end - waits_.times(other).end);
  }
  add_own(delays, id, own);
}

// Compute is the same in a replay; against another run it may be longer.
void Delays::add_compute_excess(std::vector<Delay>& delays, OperationId behind) const {
  if (behind.operation == 0) return;
  const auto observed = runs_.observed.rank(behind.rank).times;
  const auto& free = runs_.expected->ranks[behind.rank].free;
  const std::uint32_t i = behind.operation;
  const Duration excess = (observed[i].begin - observed[i - 1].end) - (free[i].begin - free[i - 1].end);
  if (excess > Duration{})
    delays.push_back({excess, false, {behind, observed[i - 1].end, observed[i].begin, Why::kCompute, {}}});
}

std::vector<Delay> Delays::since_last_contact(OperationId waiting, OperationId on) const {
  std::vector<Delay> delays;
  if (!runs_.is_compared()) return delays;
  add_compute_excess(delays, on);
  Membership known;
  const std::uint32_t behind = on.operation - std::min(on.operation, kFarthest);
  for (std::uint32_t i = on.operation; i-- > behind;) {
    const OperationId id{on.rank, i};
    if (is_contact(id, waiting.rank, known)) {
      add_contact(delays, id, waiting.rank);
      break;
    }
    add_excess(delays, id);
    add_compute_excess(delays, id);
  }
  greatest_first(delays);
  return delays;
}

// Of an operation that waited itself, the time until the last of the others began is inherited.
void Delays::add_time(std::vector<Delay>& delays, OperationId id, Time from) const {
  const OperationTimes times = waits_.times(id);
  Time begin = std::max(times.begin, from);
  if (times.end <= begin) return;
  if (const Waited waited = waits_.of(id); waited.on.exists()) {
    const Time came = waits_.times(waited.on).begin;
    if (came > begin) delays.push_back({came - begin, true, {id, times.begin, times.end, Why::kInCall, {}}});
    begin = std::max(begin, came);
  }
  if (times.end > begin) delays.push_back({times.end - begin, false, {id, times.begin, times.end, Why::kInCall, {}}});
}

std::vector<Delay> Delays::meanwhile(OperationId waiting, OperationId on) const {
  std::vector<Delay> delays;
  const auto times = runs_.observed.rank(on.rank).times;
  const Time from = waits_.times(waiting).begin;
  const auto computed = [&](std::uint32_t behind, Time begin) {
    begin = std::max(begin, from);
    const CauseStep step{{on.rank, behind}, begin, times[behind].begin, Why::kCompute, {}};
    if (step.end > begin) delays.push_back({step.end - begin, false, step});
  };
  const std::uint32_t last = on.operation - std::min(on.operation, kFarthest);
  for (std::uint32_t i = on.operation; i > last && times[i].begin > from; --i) {
    computed(i, times[i - 1].end);
    add_time(delays, {on.rank, i - 1}, from);
  }
  if (times[0].begin > from && last == 0) computed(0, from);
  greatest_first(delays);
  return delays;
}

}  // namespace plumbline::viewer
