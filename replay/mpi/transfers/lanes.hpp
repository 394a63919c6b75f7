#pragma once
// Messages that must not overtake each other: those from one rank to another in one communicator under one tag.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/units.hpp"
#include "replay/mpi/transfers/channels.hpp"

namespace plumbline::replay::mpi {

// A hash table of the lanes with messages under way: others are forgotten when room is needed.
class Lanes {
 public:
  Lanes() : slots_(64) {}

  // A message that departs now and would be there at `arrival`: when it is, behind all that departed before it.
  Time enter(const Channel& lane, Time now, Time arrival);

 private:
  static constexpr Time kNever{std::numeric_limits<std::int64_t>::min()};
  struct Slot {
    Channel lane;
    Time last = kNever;  // arrival
  };

  Slot& find(const Channel& lane);
  void make_room(Time now);

  std::vector<Slot> slots_;  // a power of two, at most half of it in use
  std::size_t used_ = 0;
};

}  // namespace plumbline::replay::mpi
