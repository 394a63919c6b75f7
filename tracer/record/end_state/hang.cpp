#include "tracer/record/end_state/hang.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string_view>

namespace plumbline::record {
namespace {

using Ranks = std::vector<std::uint32_t>;

bool contains(const Ranks& ranks, std::uint32_t rank) { return std::ranges::find(ranks, rank) != ranks.end(); }

// Nobody leaves it before all have come. By the data that they need of each other; a v- or w-form may need none.
bool synchronises(std::string_view name, Place::Kind kind) {
  static constexpr std::array kNames{"MPI_Barrier",  "MPI_Allreduce",  "MPI_Allgather",  "MPI_Alltoall",
                                     "MPI_Ibarrier", "MPI_Iallreduce", "MPI_Iallgather", "MPI_Ialltoall"};
  return kind == Place::Kind::kFinalize || std::ranges::find(kNames, name) != kNames.end();
}

// Whether a rank has left the end state behind. Of a run that was stopped: before that, as far as is known.
bool has_ended(const EndState& end_state, const RankState& state) {
  if (!state.recorded() || state.recording_stopped()) return false;
  for (const ThreadState& thread : state.threads)
    if (thread.in_flight) return false;
  const bool finalized =
      std::ranges::any_of(state.threads, [](const ThreadState& t) { return t.last && t.last->name == "MPI_Finalize"; });
  if (finalized) return true;
  if (end_state.stopped) return state.ended && *state.ended < *end_state.stopped;
  return state.end != "still running";
}

class Judgement {
 public:
  Judgement(const EndState& end_state, WaitGraph& graph) : s_(end_state), g_(graph) {}

  void judge() {
    for (std::uint32_t rank = 0; rank < s_.ranks.size(); ++rank)
      if (has_ended(s_, s_.ranks[rank])) g_.ended.insert(rank);
    match();
    for (std::uint32_t rank = 0; rank < s_.ranks.size(); ++rank)
      for (std::size_t i = 0; i < s_.ranks[rank].threads.size(); ++i)
        if (s_.ranks[rank].threads[i].in_flight) g_.threads.push_back(judge(rank, i));
    find_stuck();
    find_circles();
    meet();
  }

 private:
  // ---- Messages: which posted receives have one coming. In the order of their posting, as MPI matches.

  Ranks other_members(std::uint32_t comm, std::uint32_t own) const {
    if (comm >= s_.comms.size()) return {};
    Ranks ranks = s_.comms[comm].ranks;
    std::erase(ranks, own);
    return ranks;
  }

  // Whether a message waits that this receive takes; then it is taken.
  bool take(std::uint32_t rank, const Receive& receive) {
    for (const Channel& channel : waiting_[rank]) {
      if (channel.comm != receive.comm || receive.source.value_or(channel.source) != channel.source) continue;
      if (receive.tag.value_or(channel.tag) != channel.tag) continue;
      const auto left = g_.unreceived.find(channel);
      if (left == g_.unreceived.end()) continue;
      if (--left->second == 0) g_.unreceived.erase(left);
      return true;
    }
    return false;
  }

  void match() {
    for (const auto& [channel, traffic] : s_.channels) {
      if (traffic.sent <= traffic.received) continue;
      g_.unreceived[channel] = traffic.sent - traffic.received;
      waiting_[channel.dest].push_back(channel);
    }
    for (std::uint32_t rank = 0; rank < s_.ranks.size(); ++rank) {
      const RankState& state = s_.ranks[rank];
      for (const auto& [request, receive] : state.receives) met_[&receive] = take(rank, receive);
      for (const ThreadState& thread : state.threads) {  // calls in flight come after what was posted before
        if (!thread.in_flight || thread.in_flight->is_wait) continue;
        for (const Need& need : thread.in_flight->needs)
          if (const auto* receive = std::get_if<Receive>(&need)) met_[receive] = take(rank, *receive);
      }
    }
  }

  bool is_met(std::uint32_t rank, const Need& need, const Receive& receive) const {
    const auto& posted = s_.ranks[rank].receives;
    const auto request = posted.find(receive.request);
    return met_.at(request != posted.end() ? &request->second : std::get_if<Receive>(&need));
  }

  // Sends that have not completed are the last ones of their channel; with fewer messages left over than that, the
  // receiver has, or has posted a receive for, the first of them.
  bool is_met(std::uint32_t rank, const Send& send) const {
    return !g_.unreceived.contains({send.comm, rank, send.dest, send.tag});
  }

  // ---- Collectives

  bool has_come(std::uint32_t rank, const Collective& collective) const {
    const RankState& state = s_.ranks[rank];
    if (collective.number != 0) {
      const auto reached = state.reached.find(collective.place);
      return reached != state.reached.end() && reached->second >= collective.number;
    }
    return std::ranges::any_of(state.threads, [&](const ThreadState& thread) {
      if (!thread.in_flight) return false;
      return std::ranges::any_of(thread.in_flight->needs, [&](const Need& need) {
        const auto* other = std::get_if<Collective>(&need);
        return other != nullptr && other->place == collective.place && other->comm == collective.comm;
      });
    });
  }

  const Ranks& missing(const Collective& collective) {
    const auto [entry, is_new] = missing_.try_emplace({collective.place, collective.number});
    Ranks& ranks = entry->second;
    if (!is_new || collective.comm >= s_.comms.size()) return ranks;
    for (const std::uint32_t member : s_.comms[collective.comm].ranks)
      if (member < s_.ranks.size() && !has_come(member, collective)) ranks.push_back(member);
    std::ranges::sort(ranks);
    return ranks;
  }

  // ---- Threads

  ThreadWait judge(std::uint32_t rank, std::size_t thread) {
    const CallInFlight& call = *s_.ranks[rank].threads[thread].in_flight;
    ThreadWait wait{rank, thread, {}, call.any, false};
    for (const Need& need : call.needs) wait.needs.push_back(judge(rank, call, need));
    add_standard_sends(call, wait);
    const auto holds = [](const Judged& judged) { return !judged.conditions.empty(); };
    wait.waits_for_ranks = !call.polls && call.inner.empty() && !wait.needs.empty() &&
                           (call.any ? std::ranges::all_of(wait.needs, holds) : std::ranges::any_of(wait.needs, holds));
    return wait;
  }

  Judged judge(std::uint32_t rank, const CallInFlight& call, const Need& need) {
    Judged judged{need, false, {}, {}};
    if (const auto* receive = std::get_if<Receive>(&need)) {
      judged.is_met = is_met(rank, need, *receive);
      if (judged.is_met) return judged;
      if (receive->source)
        judged.conditions.push_back({{*receive->source}, false});
      else
        judged.conditions.push_back({other_members(receive->comm, rank), true});
    } else if (const auto* send = std::get_if<Send>(&need)) {
      judged.is_met = is_met(rank, *send);
      const bool is_the_call = !call.is_wait && !call.name.starts_with("MPI_Sendrecv");
      if (!judged.is_met && (send->synchronous || is_the_call)) judged.conditions.push_back({{send->dest}, false});
    } else if (const auto* collective = std::get_if<Collective>(&need)) {
      judged.missing = missing(*collective);
      judged.is_met = judged.missing.empty();
      if (!judged.is_met && synchronises(collective->name, collective->place.kind))
        for (const std::uint32_t other : judged.missing) judged.conditions.push_back({{other}, false});
      else if (!judged.is_met)
        judged.conditions.push_back({judged.missing, true});
    }
    return judged;
  }

  // A wait that nothing else keeps waits for one of its standard sends at least, as MPI_Sendrecv does.
  static void add_standard_sends(const CallInFlight& call, ThreadWait& wait) {
    if (call.polls) return;
    Condition one{{}, true};
    Judged* first = nullptr;
    for (Judged& judged : wait.needs) {
      if (!judged.conditions.empty()) return;
      const auto* send = std::get_if<Send>(&judged.need);
      if (send == nullptr || judged.is_met) {
        if (!judged.is_met) return;  // a file, or something unknown
        continue;
      }
      if (first == nullptr) first = &judged;
      one.ranks.push_back(send->dest);
    }
    if (first != nullptr) first->conditions.push_back(one);
  }

  // ---- Stuck: who stays when everybody that can be helped has been.

  using Free = std::vector<char>;

  static bool can_be_met(const Condition& condition, const Free& is_free) {
    const auto free = [&](std::uint32_t rank) { return rank < is_free.size() && is_free[rank] != 0; };
    return condition.one_is_enough ? std::ranges::any_of(condition.ranks, free)
                                   : std::ranges::all_of(condition.ranks, free);
  }
  static bool can_go_on(const ThreadWait& wait, const Free& is_free) {
    const auto met = [&](const Judged& judged) {
      return std::ranges::all_of(judged.conditions, [&](const Condition& c) { return can_be_met(c, is_free); });
    };
    return wait.any ? std::ranges::any_of(wait.needs, met) : std::ranges::all_of(wait.needs, met);
  }

  void find_stuck() {
    Free is_free(s_.ranks.size(), 1);
    for (const std::uint32_t rank : g_.ended) is_free[rank] = 0;
    for (const ThreadWait& wait : g_.threads)
      if (wait.waits_for_ranks) candidates_[wait.rank].push_back(&wait);
    std::erase_if(candidates_,
                  [&](const auto& entry) { return entry.second.size() != s_.ranks[entry.first].threads.size(); });
    for (const auto& [rank, waits] : candidates_) is_free[rank] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [rank, waits] : candidates_) {
        if (is_free[rank] != 0) continue;
        if (std::ranges::none_of(waits, [&](const ThreadWait* wait) { return can_go_on(*wait, is_free); })) continue;
        is_free[rank] = 1;
        changed = true;
      }
    }
    for (const auto& [rank, waits] : candidates_)
      if (is_free[rank] == 0) g_.stuck.insert(rank);
  }

  // ---- Circles among the stuck: the shortest one through the lowest rank of each knot.

  Ranks waited_for(std::uint32_t rank) const {
    Ranks ranks;
    for (const ThreadWait* wait : candidates_.at(rank))
      for (const Judged& judged : wait->needs)
        for (const Condition& condition : judged.conditions)
          for (const std::uint32_t other : condition.ranks)
            if (g_.stuck.contains(other) && !contains(ranks, other)) ranks.push_back(other);
    return ranks;
  }

  // From a rank back to itself; empty when there is no way.
  Ranks circle_through(std::uint32_t first) const {
    std::map<std::uint32_t, std::uint32_t> before;
    std::deque<std::uint32_t> next{first};
    while (!next.empty()) {
      const std::uint32_t rank = next.front();
      next.pop_front();
      for (const std::uint32_t other : waited_for(rank)) {
        if (other == first) {
          Ranks circle{rank};
          while (circle.back() != first) circle.push_back(before.at(circle.back()));
          std::ranges::reverse(circle);
          return circle;
        }
        if (before.try_emplace(other, rank).second) next.push_back(other);
      }
    }
    return {};
  }

  void find_circles() {
    constexpr std::size_t kMost = 16;
    std::set<std::uint32_t> told;
    for (const std::uint32_t rank : g_.stuck) {
      if (told.contains(rank) || g_.circles.size() == kMost) continue;
      const Ranks circle = circle_through(rank);
      if (circle.empty() || std::ranges::any_of(circle, [&](std::uint32_t r) { return told.contains(r); })) continue;
      told.insert(circle.begin(), circle.end());
      g_.circles.push_back(circle);
    }
  }

  // ---- Meetings

  void meet() {
    std::map<std::pair<Place, std::uint64_t>, Meeting> meetings;
    for (const ThreadWait& wait : g_.threads) {
      for (const Judged& judged : wait.needs) {
        const auto* collective = std::get_if<Collective>(&judged.need);
        if (collective == nullptr) continue;
        Meeting& meeting = meetings[{collective->place, collective->number}];
        meeting.collective = *collective;
        meeting.missing = judged.missing;
        if (collective->comm < s_.comms.size()) meeting.comm = s_.comms[collective->comm].name;
        meeting.inside[collective->name].push_back(wait.rank);
      }
    }
    for (auto& [key, meeting] : meetings)
      if (!meeting.missing.empty() || meeting.inside.size() > 1) g_.meetings.push_back(std::move(meeting));
  }

  const EndState& s_;
  WaitGraph& g_;
  std::map<std::uint32_t, std::vector<Channel>> waiting_;  // with messages to a rank that it has not received
  std::map<const Receive*, bool> met_;                     // of what was posted: a message will come to it
  std::map<std::pair<Place, std::uint64_t>, Ranks> missing_;
  std::map<std::uint32_t, std::vector<const ThreadWait*>> candidates_;  // ranks of which every thread waits for ranks
};

}  // namespace

WaitGraph wait_graph(const EndState& end_state) {
  WaitGraph graph;
  Judgement(end_state, graph).judge();
  return graph;
}

std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < ranks.size(); ++shown) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    if (shown == 12) return "ranks " + text + "..";
    text += std::to_string(ranks[i]);
    if (last > i) text += (last > i + 1 ? "-" : ", ") + std::to_string(ranks[last]);
    i = last + 1;
  }
  return (ranks.size() == 1 ? "rank " : "ranks ") + text;
}

}  // namespace plumbline::record
