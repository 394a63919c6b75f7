#pragma once
// Receives from any rank that the replay itself matches: nobody has recorded which message they took. Each takes, in
// the order in which they were posted, the message under its tag that was there first and that no earlier message of
// its sender still has to precede (MPI 4.0, 3.5). A receive from a named rank is matched without looking at these: of
// two that would fit the same message, it has precedence.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay::mpi {

// Which rank sent the message that an operation received.
struct WildcardMatch {
  std::uint32_t operation = 0, source = 0;

  bool operator==(const WildcardMatch&) const = default;
};

class Wildcards {
 public:
  explicit Wildcards(std::uint32_t ranks) : ranks_(ranks) {}

  struct Posted {
    std::uint32_t request = 0, operation = 0;
    std::uint32_t comm = 0;
    std::int32_t tag = 0;
    bool may_ask = false;  // counted in the rank's `reactive`
  };

  void post(std::uint32_t rank, const Posted& posted) { ranks_[rank].posted.push_back(posted); }
  void arrived(std::uint32_t rank, std::uint32_t message) { ranks_[rank].arrived.push_back(message); }
  // By another receive, if it is there.
  void taken(std::uint32_t rank, std::uint32_t message) { std::erase(ranks_[rank].arrived, message); }

  struct Pair {
    Posted posted;
    std::uint32_t message = 0;
  };
  // The next receive that has a message; both are forgotten. fits(posted, message): of its communicator and tag, and
  // the first of its channel.
  template <class Fits>
  std::optional<Pair> next(std::uint32_t rank, Fits fits) {
    OfRank& own = ranks_[rank];
    for (std::size_t i = 0; i < own.posted.size(); ++i)
      for (std::size_t j = 0; j < own.arrived.size(); ++j) {
        if (!fits(own.posted[i], own.arrived[j])) continue;
        const Pair pair{own.posted[i], own.arrived[j]};
        own.posted.erase(own.posted.begin() + static_cast<std::ptrdiff_t>(i));
        own.arrived.erase(own.arrived.begin() + static_cast<std::ptrdiff_t>(j));
        return pair;
      }
    return std::nullopt;
  }

  void matched(std::uint32_t rank, const WildcardMatch& match) { ranks_[rank].matches.push_back(match); }
  std::vector<WildcardMatch> take_matches(std::uint32_t rank);  // by operation

  std::span<const Posted> posted(std::uint32_t rank) const { return ranks_[rank].posted; }

 private:
  struct OfRank {
    std::vector<Posted> posted;          // and not matched, in order
    std::vector<std::uint32_t> arrived;  // messages that nobody has taken, in order
    std::vector<WildcardMatch> matches;
  };
  std::vector<OfRank> ranks_;
};

}  // namespace plumbline::replay::mpi
