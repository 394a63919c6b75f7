#include "replay/collectives/collective_plan.hpp"

#include "replay/collectives/schedules/algorithms.hpp"

namespace plumbline::replay::collectives {
namespace {

// Schedules of ranks that have finished are kept for the next equal call up to so much; it is a matter of speed alone.
constexpr std::uint64_t kKeptBytes = 32 << 20;

std::uint64_t bytes_of(const RankSchedule& schedule) {
  return schedule.transfers.capacity() * sizeof(schedules::Transfer) + schedule.ends.capacity() * sizeof(std::uint32_t);
}

RankSchedule flat(const schedules::Schedule& schedule) {
  RankSchedule result;
  std::size_t transfers = 0;
  for (const schedules::Round& round : schedule) transfers += round.posted.size();
  result.transfers.reserve(transfers);
  result.ends.reserve(schedule.size());
  for (const schedules::Round& round : schedule) {
    result.transfers.insert(result.transfers.end(), round.posted.begin(), round.posted.end());
    result.ends.push_back(static_cast<std::uint32_t>(result.transfers.size()));
  }
  return result;
}

// Both ways at once where there are both.
bool step_as_round(const Shape& shape, std::uint32_t index, schedules::Round& round) {
  const std::optional<Step> step = step_of(shape, index);
  if (!step) return false;
  // The sender knows the size of what comes.
  if (step->from) round.posted.push_back({false, *step->from, step->combined, false, step->combined > 0});
  if (step->to) round.posted.push_back({true, *step->to, step->sent});
  return true;
}

// Of what has no whole schedules.
bool made_round(const Shape& shape, std::uint32_t index, schedules::Round& round) {
  if (shape.neighbours) {
    if (index == 0) post_all(*shape.neighbours, round);
    return index == 0;
  }
  CollectivePlan* plan = shape.plan;
  if (plan == nullptr) return step_as_round(shape, index, round);
  if (plan->is_empty) return false;
  plan->call.own_sent = shape.sent_counts;
  plan->call.own_received = shape.received_counts;
  return plan->round(plan->algorithm, plan->call, shape.rank, index, round);
}

}  // namespace

CollectivePlan plan_of(const schedules::Algorithm& asked, const schedules::Call& call) {
  CollectivePlan plan;
  plan.call = schedules::call_for(asked, call);
  plan.algorithm = schedules::effective(asked, plan.call);
  plan.is_empty = schedules::is_empty(plan.algorithm, plan.call);
  plan.round = schedules::rounds_of(plan.algorithm);
  return plan;
}

void Expansion::begin(const Shape& shape) {
  CollectivePlan* plan = shape.plan;
  if (plan == nullptr || plan->round != nullptr || plan->is_empty) return;
  plan->ranks.resize(plan->call.ranks);
  RankSchedule& own = plan->ranks[shape.rank];
  if (own.users++ > 0 || !own.ends.empty()) return;
  own = flat(schedules::schedule_of(plan->algorithm, plan->call, shape.rank));
  own.users = 1;
  bytes_ += bytes_of(own);
}

void Expansion::end(const Shape& shape) {
  CollectivePlan* plan = shape.plan;
  if (plan == nullptr || plan->round != nullptr || plan->is_empty) return;
  RankSchedule& own = plan->ranks[shape.rank];
  if (--own.users > 0 || bytes_ <= kKeptBytes) return;
  bytes_ -= bytes_of(own);
  own = {};
}

std::optional<std::span<const schedules::Transfer>> Expansion::round_of(const Shape& shape, std::uint32_t index,
                                                                        schedules::Round& scratch) const {
  const CollectivePlan* plan = shape.plan;
  if (plan != nullptr && plan->round == nullptr && !plan->is_empty) {
    const RankSchedule& own = plan->ranks[shape.rank];
    if (index >= own.ends.size()) return std::nullopt;
    const std::uint32_t first = index == 0 ? 0 : own.ends[index - 1];
    return std::span(own.transfers).subspan(first, own.ends[index] - first);
  }
  scratch.posted.clear();
  if (!made_round(shape, index, scratch)) return std::nullopt;
  return scratch.posted;
}

}  // namespace plumbline::replay::collectives
