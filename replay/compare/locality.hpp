#pragma once
// Whether an operation's messages stay on one node: by its peer, by its requests' peers, or by its communicator.

#include <cstdint>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay {

enum class Place : std::uint8_t { kUnknown, kInside, kBetween };

class Localities {
 public:
  explicit Localities(const Program& program);

  void begin_rank(std::uint32_t rank);
  // Ask for every operation of the rank, in order: requests are followed from their start to their wait.
  Place of(const Operation& operation);

 private:
  Place of_peer(std::uint32_t comm, std::int32_t peer) const;
  Place of_neighbours(const Operation& operation);
  Place of_wait(const Operation& wait) const;
  void remember(std::uint32_t slot, Place place);

  const Program& program_;
  std::uint32_t rank_ = 0;
  std::vector<Place> of_comm_;
  std::vector<Place> of_slot_;
};

}  // namespace plumbline::replay
