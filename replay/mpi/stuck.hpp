#pragma once
// Who waits for whom when a replay cannot go on.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/mpi/matching/communicators.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

struct StuckRank {
  std::uint32_t rank = 0, operation = 0;
  bool gathers = false;                     // in a collective file access..
  std::vector<std::uint32_t> missing = {};  // ..to which these ranks have not come
  std::string waits_for = {};               // something else than a rank
};

// That of a replay that cannot go on.
class Stuck : public Error {
 public:
  using Error::Error;
};

// Throws Stuck: a circle of ranks if there is one, then every stuck rank with what it waits for. `next` is the
// operation of every rank, in hand or to begin; as many as it has when it has finished. `windows`: may be null.
[[noreturn]] void throw_stuck(const Program& program, const mpi::Engine& engine, const mpi::rma::Windows* windows,
                              std::span<const StuckRank> stuck, std::span<const std::uint32_t> next);

}  // namespace plumbline::replay
