#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {

void barrier_dissemination(MPI_Comm comm) {
  const Place here(comm);
  for (int distance = 1; distance < here.size; distance *= 2) exchange({}, here.beyond(distance), {}, here.beyond(-distance), comm);
}

void barrier_linear(MPI_Comm comm) {
  const Place here(comm);
  if (here.rank != 0) {
    send({}, 0, comm);
    return receive({}, 0, comm);
  }
  for (int other = 1; other < here.size; ++other) receive({}, other, comm);
  for (int other = 1; other < here.size; ++other) send({}, other, comm);
}

}  // namespace plumbline::bench::algorithms
