#include "replay/mpi/engine_calls.hpp"

namespace plumbline::replay::mpi {

void catch_up(Engine& engine, std::uint32_t rank) {
  const Ahead& ahead = engine.ahead[rank];
  engine.port.announce(ahead.at, ahead.source, ahead.sequence, kCaughtUp | rank);
}

}  // namespace plumbline::replay::mpi
