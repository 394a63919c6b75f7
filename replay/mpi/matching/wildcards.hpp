#pragma once
// Receives from any rank that the replay itself matches: nobody has recorded which message they took. Each takes, in
// the order in which they were posted, the message under its tag that was there first and that no earlier message of
// its sender still has to precede (MPI 4.0, 3.5). A receive from a named rank is matched without looking at these: of
// two that would fit the same message, it has precedence.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
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

  // What messages and receives have to have in common.
  struct Key {
    std::uint32_t comm = 0;
    std::int32_t tag = 0;
    auto operator<=>(const Key&) const = default;
  };

  void post(std::uint32_t rank, const Posted& posted);
  // `is_first`: of its channel; only such a message may be received.
  void arrived(std::uint32_t rank, Key key, std::uint32_t message, bool is_first);
  // The message is received, be it there or not, and `next` is the first of its channel from now on.
  void taken(std::uint32_t rank, Key key, std::uint32_t message, std::optional<std::uint32_t> next);

  struct Pair {
    Posted posted;
    std::uint32_t message = 0;
  };
  // The next receive that has a message. It is forgotten, and so must the message be: taken().
  std::optional<Pair> next(std::uint32_t rank);

  void matched(std::uint32_t rank, const WildcardMatch& match) { ranks_[rank].matches.push_back(match); }
  std::vector<WildcardMatch> take_matches(std::uint32_t rank);  // by operation

  std::vector<Posted> posted(std::uint32_t rank) const;  // and not matched, in order

 private:
  using Number = std::uint64_t;  // of what was posted or arrived at a rank, in turn
  struct OfKey {
    std::deque<std::pair<Number, Posted>> posted;       // and not matched, in order
    std::unordered_map<std::uint32_t, Number> arrived;  // messages that nobody has taken
    std::map<Number, std::uint32_t> ready;              // those of them that are the first of their channel
  };
  struct OfRank {
    std::map<Key, OfKey> by_key;      // those with something in them
    std::map<Number, Key> matchable;  // those with a receive and a message that is ready, by their first receive
    Number last = 0;
    std::vector<WildcardMatch> matches;
  };

  static void look_at(OfRank& own, std::map<Key, OfKey>::iterator entry);

  std::vector<OfRank> ranks_;
};

}  // namespace plumbline::replay::mpi
