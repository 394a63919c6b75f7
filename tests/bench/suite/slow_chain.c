// Loaded before a program: a broadcast, a scatter and a reduction along a chain of ranks that starts or ends at the
// root, each of whose steps takes SLOW_STEP microseconds. What is reduced has 8 bytes an element and is not negative.
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HERE __attribute__((visibility("default")))

enum { kTag = 11 };

typedef struct {
  int place, last;     // in the chain, from the root on
  int before, behind;  // ranks
} Chain;

static Chain chain_of(int root, MPI_Comm comm) {
  int rank, ranks;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  return (Chain){(rank - root + ranks) % ranks, ranks - 1, (rank + ranks - 1) % ranks, (rank + 1) % ranks};
}

static void take_a_step(void) {
  const char* const step = getenv("SLOW_STEP");
  usleep(step ? (useconds_t)atoi(step) : 0);
}

HERE int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Chain chain = chain_of(root, comm);
  if (chain.place > 0) PMPI_Recv(data, count, type, chain.before, kTag, comm, MPI_STATUS_IGNORE);
  if (chain.place == chain.last) return MPI_SUCCESS;
  take_a_step();
  return PMPI_Send(data, count, type, chain.behind, kTag, comm);
}

// Each rank passes everything on.
HERE int MPI_Scatter(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type,
                     int root, MPI_Comm comm) {
  const Chain chain = chain_of(root, comm);
  int size;
  PMPI_Type_size(to_type, &size);
  const size_t part = (size_t)to_count * (size_t)size, all = part * (size_t)(chain.last + 1);
  char* const data = malloc(all);
  if (chain.place == 0)
    memcpy(data, from, all);
  else
    PMPI_Recv(data, (int)all, MPI_BYTE, chain.before, kTag, comm, MPI_STATUS_IGNORE);
  if (chain.place < chain.last) {
    take_a_step();
    PMPI_Send(data, (int)all, MPI_BYTE, chain.behind, kTag, comm);
  }
  memcpy(to, data + part * (size_t)((chain.place + root) % (chain.last + 1)), part);
  free(data);
  (void)count, (void)type;
  return MPI_SUCCESS;
}

HERE int MPI_Reduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  const Chain chain = chain_of(root, comm);
  int64_t* const sums = calloc((size_t)count, sizeof *sums);
  if (chain.place < chain.last) PMPI_Recv(sums, count, type, chain.behind, kTag, comm, MPI_STATUS_IGNORE);
  PMPI_Reduce_local(from, sums, count, type, op);
  if (chain.place > 0) {
    take_a_step();
    PMPI_Send(sums, count, type, chain.before, kTag, comm);
  } else {
    memcpy(to, sums, (size_t)count * sizeof *sums);
  }
  free(sums);
  return MPI_SUCCESS;
}
