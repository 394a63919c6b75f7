#pragma once
// Bytes of a collective as this program counts them: sent is what a rank contributes from its buffer in all, received
// what arrives in its buffer in all; of a broadcast every rank has the payload in both
// (docs/internals/program-file.md).

#include <cstdint>
#include <optional>

#include "replay/program/program.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::replay {

// Nothing for operations that are no collective with data or synchronisation of their own.
std::optional<Collective> collective_of(archive::CollectiveOp op);

struct CollectiveSizes {
  std::uint64_t sent = 0, received = 0;
};

struct CollectivePlace {
  std::uint64_t size = 1;  // of the communicator
  std::uint64_t rank = 0;  // in it
  bool is_root = false;
};

// From the fields of a record. Plumbline records what is meant here; Score-P multiplies by the size of the communicator
// (SCOREP_Mpi_Coll.c: "N * count * size"; seen in its archives).
CollectiveSizes collective_sizes(Collective collective, CollectiveSizes recorded, CollectivePlace place,
                                 bool score_p_convention);

}  // namespace plumbline::replay
