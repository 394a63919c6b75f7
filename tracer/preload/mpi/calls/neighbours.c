/* Who the neighbours in a communicator's topology are: asked and defined once, at its first neighbourhood collective.
 */
#include "tracer/preload/mpi/mpi_side.h"

enum { kMostNeighbours = 60000 }; /* that a record has room for */

static int count_neighbours(MPI_Comm comm, const struct pl_comm* c, int topology, int* to, int* from) {
  int weighted = 0, dimensions = 0, result = MPI_ERR_TOPOLOGY;
  if (topology == MPI_CART) {
    result = pl_mpi.Cartdim_get(comm, &dimensions);
    *to = *from = 2 * dimensions;
  } else if (topology == MPI_GRAPH) {
    result = pl_mpi.Graph_neighbors_count(comm, c->rank, to);
    *from = *to;
  } else if (topology == MPI_DIST_GRAPH) {
    result = pl_mpi.Dist_graph_neighbors_count(comm, from, to, &weighted);
  }
  return result == MPI_SUCCESS;
}

/* MPI 4.0, 8.6: per dimension the neighbour below, then the one above, to both send to and receive from. */
static void list_grid(MPI_Comm comm, int dimensions, int* to, int* from) {
  for (int d = 0; d < dimensions; ++d) {
    int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
    pl_mpi.Cart_shift(comm, d, 1, &below, &above);
    to[2 * d] = from[2 * d] = below;
    to[2 * d + 1] = from[2 * d + 1] = above;
  }
}

static void list_neighbours(MPI_Comm comm, const struct pl_comm* c, int topology, int n_to, int* to, int n_from,
                            int* from, int* weights) {
  if (topology == MPI_CART) {
    list_grid(comm, n_to / 2, to, from);
  } else if (topology == MPI_GRAPH) {
    pl_mpi.Graph_neighbors(comm, c->rank, n_to, to);
    for (int i = 0; i < n_to; ++i) from[i] = to[i];
  } else {
    pl_mpi.Dist_graph_neighbors(comm, n_from, from, weights, n_to, to, weights + n_from);
  }
}

static void define(struct pl_thread* t, const struct pl_comm* c, int n_to, int n_from, const int* ranks,
                   uint64_t begin) {
  unsigned n = (unsigned)(n_to + n_from), words = 2 + (n + 1) / 2;
  uint64_t* payload = pl_define(t, words);
  PL_FILL(payload, def_neighbours, .comm = c->id, .n_to = (uint32_t)n_to, .n_from = (uint32_t)n_from);
  uint32_t* listed = (uint32_t*)(void*)(payload + 2);
  for (unsigned i = 0; i < n; ++i) listed[i] = pl_peer(ranks[i]);
  if (n % 2 != 0) listed[n] = 0;
  pl_defined(t, payload, PL_DEF_NEIGHBOURS, words, begin);
}

PL_COLD struct pl_neighbours pl_ask_neighbours(struct pl_thread* t, MPI_Comm comm, const struct pl_comm* c) {
  const struct pl_neighbours none = {0, 0, 0};
  int topology = MPI_UNDEFINED, n_to = 0, n_from = 0;
  uint64_t begin = pl_ticks();
  if (c->id == PL_COMM_NULL || pl_mpi.Topo_test(comm, &topology) != MPI_SUCCESS) return none;
  if (!count_neighbours(comm, c, topology, &n_to, &n_from)) return none;
  if (n_to > kMostNeighbours - n_from) {
    pl_lose(1);
    return none;
  }
  size_t n = (size_t)(n_to + n_from), bytes = (2 * n + 1) * sizeof(int);
  int* ranks = pl_map(bytes);
  if (ranks == NULL) return none;
  list_neighbours(comm, c, topology, n_to, ranks, n_from, ranks + n_to, ranks + n);
  define(t, c, n_to, n_from, ranks, begin);
  pl_unmap(ranks, bytes);
  struct pl_comm* known = (struct pl_comm*)(uintptr_t)c; /* only pl_comm_none is constant */
  known->neighbours = (struct pl_neighbours){1, (unsigned)n_to, (unsigned)n_from};
  return known->neighbours;
}
