/* One rank, one more thread. What the one posts the other completes, both ways, a hundred times each. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { kRounds = 100 };
static MPI_Request requests[3];
static MPI_Comm comm;
static int in, out = 7, wrong;
static pthread_barrier_t turn;

static void post(void) {
  in = 0;
  MPI_Irecv(&in, 1, MPI_INT, 0, 1, comm, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, 0, 1, comm, &requests[1]);
  MPI_Ibarrier(comm, &requests[2]);
}

static void complete(void) {
  MPI_Status status[3];
  MPI_Waitall(3, requests, status);
  wrong += in != out || status[0].MPI_TAG != 1;
}

/* Posts in the even rounds or in the odd ones, and completes in the others. */
static void take_turns(int odd) {
  for (int i = 0; i < 2 * kRounds; ++i) {
    if (i % 2 == odd) post();
    pthread_barrier_wait(&turn);
    if (i % 2 != odd) complete();
    pthread_barrier_wait(&turn);
  }
}

static void* other(void* unused) {
  take_turns(1);
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) printf("no threads\n");
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  pthread_barrier_init(&turn, NULL, 2);
  pthread_create(&thread, NULL, other, NULL);
  take_turns(0);
  pthread_join(thread, NULL);
  printf("wrong %d\n", wrong);
  MPI_Finalize();
  return 0;
}
