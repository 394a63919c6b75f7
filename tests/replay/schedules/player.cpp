#include "tests/replay/schedules/player.hpp"

#include <deque>
#include <map>
#include <stdexcept>

#include "replay/collectives/schedules/algorithms.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

struct Post {
  std::uint32_t rank;
  std::uint64_t bytes;
  std::set<std::uint32_t> knows;
};

class Player {
 public:
  explicit Player(const std::vector<Schedule>& schedules)
      : schedules_(schedules), round_(schedules.size()), open_(schedules.size()), learnt_(schedules.size()) {
    played_.received.resize(schedules.size());
    for (std::uint32_t rank = 0; rank < schedules.size(); ++rank) played_.knows.push_back({rank});
  }

  Played run() {
    for (std::uint32_t rank = 0; rank < schedules_.size(); ++rank) post(rank);
    while (played_.fault.empty() && step()) {
    }
    if (played_.fault.empty()) look_for_rests();
    return std::move(played_);
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // from, to

  void post(std::uint32_t rank) {
    if (round_[rank] == schedules_[rank].size()) return;
    for (const Transfer& transfer : schedules_[rank][round_[rank]].posted) {
      ++open_[rank];
      if (transfer.send) {
        sends_[{rank, transfer.peer}].push_back({rank, transfer.bytes, played_.knows[rank]});
      } else {
        receives_[{transfer.peer, rank}].push_back({rank, transfer.bytes, {}});
      }
    }
  }

  bool step() {
    bool moved = false;
    for (auto& [pair, sends] : sends_) {
      std::deque<Post>& receives = receives_[pair];
      while (!sends.empty() && !receives.empty()) {
        match(pair, sends.front(), receives.front());
        sends.pop_front();
        receives.pop_front();
        moved = true;
      }
    }
    for (std::uint32_t rank = 0; rank < schedules_.size(); ++rank) {
      if (round_[rank] == schedules_[rank].size() || open_[rank] > 0) continue;
      played_.knows[rank].insert(learnt_[rank].begin(), learnt_[rank].end());
      ++round_[rank];
      post(rank);
      moved = true;
    }
    return moved;
  }

  void match(const Pair& pair, const Post& send, const Post& receive) {
    if (send.bytes != receive.bytes)
      played_.fault = std::to_string(pair.first) + " sends " + std::to_string(send.bytes) + " B, " +
                      std::to_string(pair.second) + " expects " + std::to_string(receive.bytes);
    played_.bytes += send.bytes;
    played_.received[pair.second] += send.bytes;
    learnt_[pair.second].insert(send.knows.begin(), send.knows.end());
    --open_[pair.first];
    --open_[pair.second];
  }

  void look_for_rests() {
    for (std::uint32_t rank = 0; rank < schedules_.size(); ++rank)
      if (round_[rank] < schedules_[rank].size())
        played_.fault += "rank " + std::to_string(rank) + " waits in round " + std::to_string(round_[rank]) + "; ";
  }

  const std::vector<Schedule>& schedules_;
  std::vector<std::size_t> round_;
  std::vector<std::int64_t> open_;
  std::vector<std::set<std::uint32_t>> learnt_;
  std::map<Pair, std::deque<Post>> sends_, receives_;
  Played played_;
};

}  // namespace

Played play(const std::vector<Schedule>& schedules) { return Player(schedules).run(); }

std::vector<Schedule> schedules_of(const Algorithm& algorithm, const Call& call) {
  std::vector<Schedule> all;
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) all.push_back(schedule_of(algorithm, call, rank));
  return all;
}

Call call_of(Operation operation, std::uint32_t ranks, std::uint64_t count, std::uint64_t type_bytes,
             std::uint32_t root) {
  Call call;
  call.operation = operation;
  call.ranks = ranks;
  call.count = count;
  call.type_bytes = type_bytes;
  call.root = root;
  return call;
}

Algorithm algorithm_named(std::string_view library, Operation operation, std::string_view name) {
  for (const Algorithm& algorithm : algorithms_for(library, operation))
    if (algorithm.name == name) return algorithm;
  throw std::invalid_argument("no algorithm " + std::string(name));
}

}  // namespace plumbline::replay::collectives::schedules
