/* Sparse exchange by non-blocking consensus (Hoefler, Siebert, Lumsdaine, 2010): nobody knows from whom messages come.
 * MPI_Issend to some; MPI_Iprobe for what comes, and MPI_Testall until all have been received; then MPI_Ibarrier, and
 * probes until that is over.
 *   consensus ROUNDS MICROSECONDS      that one rank comes late in each round */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 2 };

static void be_late(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) continue;
}

static int receive_what_is_here(MPI_Comm comm) {
  int found, value;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 5, comm, &found, &status);
  if (!found) return 0;
  MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 5, comm, MPI_STATUS_IGNORE);
  return 1;
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 5;
  const double late = argc > 2 ? atof(argv[2]) * 1e-6 : 1e-3;
  int rank, size, received = 0, sent = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request sends[kMost], barrier = MPI_REQUEST_NULL;
    int all_sent = 0, over = 0;
    if (round % size == rank) be_late(late);
    for (int i = 0; i < kMost; ++i, ++sent)
      MPI_Issend(&rank, 1, MPI_INT, (rank + 1 + (round + i) % (size - 1)) % size, 5, MPI_COMM_WORLD, &sends[i]);
    while (!over) {
      received += receive_what_is_here(MPI_COMM_WORLD);
      if (barrier != MPI_REQUEST_NULL) {
        MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
      } else {
        MPI_Testall(kMost, sends, &all_sent, MPI_STATUSES_IGNORE);
        if (all_sent) MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &received, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d: %d messages sent, %d received by all\n", rank, sent, received);
  MPI_Finalize();
  return 0;
}
