#include "replay/mpi/best_schedule.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_messages.hpp"

namespace plumbline::replay {
namespace {

namespace schedules = collectives::schedules;

constexpr Duration kPause = milliseconds(1);  // between two calls that are played: nothing of the first is under way

void add(std::string& key, std::uint64_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); }

void add(std::string& key, std::span<const std::uint64_t> values) {
  add(key, values.size());
  key.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

// Of one rank, sent and received.
std::uint64_t packets_of_rank(collectives::CollectivePlan* plan, collectives::Shape shape, std::uint64_t granularity) {
  shape.plan = plan;
  collectives::Expansion expansion;
  expansion.begin(shape);
  schedules::Round scratch;
  std::uint64_t packets = 0;
  for (std::uint32_t index = 0; const auto round = expansion.round_of(shape, index, scratch); ++index)
    for (const schedules::Transfer& transfer : *round) packets += 1 + transfer.bytes / granularity;
  expansion.end(shape);
  return packets;
}

}  // namespace

BestSchedules::BestSchedules(const hw::Platform& platform, std::span<const std::uint32_t> nodes, SearchBounds bounds)
    : nodes_(nodes.begin(), nodes.end()),
      granularity_(std::max<std::uint64_t>(platform.packets.granularity.count, 1)),
      bounds_(bounds),
      engine_(platform, nodes_, silence_, queue_) {}

std::vector<BestSchedules::Candidate> BestSchedules::candidates(const schedules::Call& call,
                                                                const Candidate& usual) const {
  std::vector<Candidate> all = {usual};
  const auto add = [&](const Candidate& candidate) {
    if (std::ranges::find(all, candidate) == all.end()) all.push_back(candidate);
  };
  const auto add_all = [&](const schedules::Call& asked) {
    for (const std::string_view library : schedules::kLibraries)
      for (const schedules::Algorithm& algorithm : schedules::algorithms_for(library, asked.operation)) {
        try {
          add(schedules::effective(algorithm, asked));
        } catch (const Error&) {
          continue;  // it cannot run this call
        }
      }
  };
  add_all(call);
  if (schedules::is_non_blocking(call.operation)) {
    schedules::Call blocking = call;
    blocking.operation = schedules::blocking_form(call.operation);
    add_all(blocking);
  }
  add(std::nullopt);
  return all;
}

std::string BestSchedules::key_of(const CallOfRanks& of, const Candidate& usual) const {
  const schedules::Call& call = *of.call;
  std::string key = usual ? to_string(*usual) : std::string();
  add(key, static_cast<std::uint64_t>(call.operation) << 8 | (call.commutative ? 1 : 0) | (call.built_in ? 2 : 0) |
               (call.in_place ? 4 : 0));
  add(key, call.root);
  add(key, call.count);
  add(key, call.type_bytes);
  add(key, call.counts);
  for (const std::uint32_t member : of.members) add(key, nodes_[member]);
  for (const collectives::Shape& shape : of.shapes) {
    if (!call.in_rows) break;
    add(key, shape.sent_counts);
    add(key, shape.received_counts);
  }
  return key;
}

// The root and some others stand for all. Never less than what is sent, for the algorithms that there are.
std::uint64_t BestSchedules::packets_of(const CallOfRanks& of, const Candidate& candidate) const {
  collectives::CollectivePlan plan;
  if (candidate) plan = collectives::plan_of(*candidate, *of.call);
  collectives::CollectivePlan* const runs = candidate ? &plan : nullptr;
  const std::uint32_t ranks = of.call->ranks, root = of.call->root;
  std::uint64_t others = 0;
  for (const std::uint32_t rank :
       {(root + 1) % ranks, (root + 2) % ranks, (root + ranks / 2) % ranks, (root + ranks - 1) % ranks})
    others = std::max(others, packets_of_rank(runs, of.shapes[rank], granularity_));
  // Each packet is sent by one and received by another.
  return (packets_of_rank(runs, of.shapes[root], granularity_) + others * (ranks - 1)) / 2 + 1;
}

BestSchedules::Outcome BestSchedules::play(const CallOfRanks& of, const Candidate& candidate) {
  collectives::CollectivePlan plan;
  if (candidate) plan = collectives::plan_of(*candidate, *of.call);
  const CommView comm{of.members, {}};
  const Time begin = now_ + kPause;
  const std::uint32_t sequence = calls_++;
  Outcome outcome;
  std::uint32_t running = 0;
  const auto is_done = [&](std::uint32_t rank) {
    engine_.rank(rank).where = mpi::Where::kOutside;
    const Time end = engine_.rank(rank).clock;
    now_ = std::max(now_, end);
    outcome.last = std::max(outcome.last, end - begin);
    outcome.sum += end - begin;
  };
  for (std::uint32_t rank = 0; rank < of.members.size(); ++rank) {
    const std::uint32_t world = of.members[rank];
    mpi::RankState& state = engine_.rank(world);
    state.clock = begin;
    state.where = mpi::Where::kInCall;
    collectives::Shape shape = of.shapes[rank];
    shape.plan = candidate ? &plan : nullptr;
    mpi::start(engine_, world, shape, comm, 0, mpi::kCollectiveSpace, sequence, kNone);
    state.where = mpi::Where::kBlocked;
    if (state.pending == 0)
      is_done(world);
    else
      ++running;
  }
  while (!queue_.empty()) {
    sim::Event event = queue_.pop();
    mpi::handle(engine_, event);
    for (const std::uint32_t world : engine_.ready) {
      is_done(world);
      --running;
    }
    engine_.ready.clear();
  }
  PLUMBLINE_CHECK(running == 0, "a collective that is played alone comes to an end");
  return outcome;
}

Duration BestSchedules::time_alone(const CallOfRanks& call, const Candidate& algorithm) {
  const std::lock_guard lock(mutex_);
  return play(call, algorithm).last;
}

BestSchedules::Candidate BestSchedules::search(const CallOfRanks& call, const Candidate& usual) {
  const auto packets_left = [&] { return bounds_.packets_in_all - std::min(packets_, bounds_.packets_in_all); };
  Candidate best = usual;
  std::optional<Outcome> fastest;
  for (const Candidate& candidate : candidates(*call.call, usual)) {
    const std::uint64_t packets = packets_of(call, candidate);
    if (packets > std::min(bounds_.packets_of_candidate, packets_left())) {
      ++left_out_;
      if (!fastest) return usual;  // nobody could tell whether the others are slower
      continue;
    }
    packets_ += packets;
    ++tried_;
    const Outcome outcome = play(call, candidate);
    if (fastest && outcome >= *fastest) continue;
    fastest = outcome;
    best = candidate;
  }
  return best;
}

BestSchedules::Candidate BestSchedules::best(const CallOfRanks& call, const Candidate& usual) {
  if (call.call->ranks < 2) return usual;
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = known_.try_emplace(key_of(call, usual));
  if (is_new) entry->second = search(call, usual);
  return entry->second;
}

}  // namespace plumbline::replay
