/* One rank, two more threads; each sends itself messages on a communicator of its own. With an argument they test for
 * completion instead of waiting. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { kMessages = 20000 };
static MPI_Comm comms[2];
static int tests;
static pthread_barrier_t all_done; /* one that ended early would leave its location to the other */

static void* work(void* number) {
  MPI_Comm comm = comms[*(int*)number];
  int in, out = 0;
  MPI_Request requests[2];
  for (int i = 0; i < kMessages; ++i) {
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, comm, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 1, comm, &requests[1]);
    for (int done = 0; tests && !done;) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    if (!tests) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  pthread_barrier_wait(&all_done);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, numbers[2] = {0, 1};
  pthread_t threads[2];
  tests = argc > 1;
  pthread_barrier_init(&all_done, NULL, 2);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) printf("no threads\n");
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
