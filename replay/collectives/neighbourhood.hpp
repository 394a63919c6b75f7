#pragma once
// Neighbourhood collectives: one round, in which a rank posts all that it exchanges with its neighbours
// (docs/models/replay-collectives.md).

#include <cstdint>
#include <span>
#include <string_view>

#include "replay/collectives/schedules/types.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::collectives {

enum class PostOrder : std::uint8_t { kReceivesFirst, kSendsFirst, kSendsFirstReceivesBackwards };

// Of the library, "openmpi" or "mpich"; of any other as of Open MPI.
PostOrder post_order(std::string_view library, Neighbourhood call);

// What one rank exchanges, ranks of the communicator; the lists live as long as the collective.
struct NeighbourLists {
  std::span<const Neighbour> to, from;
  PostOrder order = PostOrder::kReceivesFirst;
};

// Adds what is posted to the round.
void post_all(const NeighbourLists& lists, schedules::Round& round);

}  // namespace plumbline::replay::collectives
