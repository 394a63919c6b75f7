#include "viewer/index/waits/waits.hpp"

#include "viewer/index/matches/series.hpp"

namespace plumbline::viewer {

using replay::OpKind;

std::string_view word(Why why) {
  switch (why) {
    case Why::kLastToArrive:
      return "last to arrive";
    case Why::kLateSender:
      return "late sender";
    case Why::kLateReceiver:
      return "late receiver";
    case Why::kOwnExcess:
      return "own excess";
    case Why::kCompute:
      return "compute";
    case Why::kInCall:
      return "time in the call";
  }
  return "";
}

Waits::Waits(const Runs& runs, const Matches& matches, TimesOf which)
    : runs_(runs), matches_(matches), which_(which), last_(matches.series.size()) {}

replay::OperationTimes Waits::times(OperationId id) const {
  return which_ == TimesOf::kObserved ? runs_.observed.rank(id.rank).times[id.operation]
                                      : runs_.expected->ranks[id.rank].free[id.operation];
}

Waited Waits::of(OperationId id) const {
  const Waited waited = candidate(id);
  if (!waited.on.exists() || waited.on.rank == id.rank) return {};
  const replay::OperationTimes own = times(id);
  const Time began = times(waited.on).begin;
  return began > own.begin && began <= own.end ? waited : Waited{};
}

Waited Waits::candidate(OperationId id) const {
  const replay::Operation& op = runs_.observed.rank(id.rank).operations[id.operation];
  switch (op.kind) {
    case OpKind::kSend:
    case OpKind::kIsend:
      return {matches_.partner(id), Why::kLateReceiver};
    case OpKind::kRecv:
    case OpKind::kIrecv:
    case OpKind::kProbe:
      return {matches_.partner(id), Why::kLateSender};
    case OpKind::kSendrecv: {
      const OperationId from = matches_.partner(id), to = receiver_of(runs_.observed, matches_, id);
      const bool receiver_is_later = to.exists() && (!from.exists() || times(to).begin > times(from).begin);
      return receiver_is_later ? Waited{to, Why::kLateReceiver} : Waited{from, Why::kLateSender};
    }
    case OpKind::kWait: {
      const OperationId start = matches_.partner(id);
      return start.exists() ? candidate(start) : Waited{};
    }
    case OpKind::kWinStart:
    case OpKind::kWinComplete:
    case OpKind::kWinWait:
      return {matches_.partner(id), Why::kLastToArrive};
    default:
      return is_gathering(op) ? Waited{other_of(id), Why::kLastToArrive} : Waited{};
  }
}

OperationId Waits::other_of(OperationId id) const {
  if (which_ == TimesOf::kObserved) return matches_.partner(id);
  const std::optional<Instance> instance = instance_of(runs_.observed, matches_, id);
  if (!instance) return {};
  const auto begin_of = [this](OperationId call) { return times(call).begin; };
  std::vector<OperationId>& last = last_[instance->series];
  if (last.empty()) last = last_arrivals(matches_.series[instance->series], begin_of);
  return awaited(runs_.observed, matches_, id, *instance, last[instance->number], begin_of);
}

}  // namespace plumbline::viewer
