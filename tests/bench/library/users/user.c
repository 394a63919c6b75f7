/* A user's program in C (and in C++): measures a broadcast and a function of its own. */
#include <plumbline/bench.h>
#include <plumbline/choose.h>
#include <stdio.h>
#include <stdlib.h>

struct message {
  void* data;
  int bytes;
};

static int allocate(void* state, MPI_Comm comm, size_t bytes) {
  struct message* message = (struct message*)state;
  (void)comm;
  message->bytes = (int)bytes;
  message->data = calloc(1, bytes);
  return message->data ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int broadcast(void* state, MPI_Comm comm) {
  struct message* message = (struct message*)state;
  return MPI_Bcast(message->data, message->bytes, MPI_BYTE, 0, comm);
}

static int release(void* state, MPI_Comm comm) {
  (void)comm;
  free(((struct message*)state)->data);
  return MPI_SUCCESS;
}

/* Whether what is chosen adds up. */
static int chooses(int rank) {
  const size_t sizes[] = {8, 4096};
  plumbline_chooser* chooser;
  int total = 0, status = plumbline_make_chooser(MPI_COMM_WORLD, PLUMBLINE_WITH_OURS, &chooser);
  if (status != MPI_SUCCESS) return 0;
  status = plumbline_choose(chooser, PLUMBLINE_ALLREDUCE, sizes, 2, NULL);
  if (status == MPI_SUCCESS) status = plumbline_allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, chooser);
  plumbline_free_chooser(chooser);
  return status == MPI_SUCCESS && total == 1;
}

int main(int argc, char** argv) {
  struct message message;
  plumbline_operation operation;
  plumbline_settings settings = plumbline_default_settings();
  plumbline_measured measured;
  int rank, status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  operation.name = "broadcast";
  operation.initialise = allocate;
  operation.execute = broadcast;
  operation.finalise = release;
  operation.state = &message;
  status = plumbline_measure(MPI_COMM_WORLD, &operation, 1024, &settings, &measured);
  if (status == MPI_SUCCESS && !chooses(rank)) status = -1;
  if (rank == 0 && status == MPI_SUCCESS)
    printf("%u repetitions of %u ranks, %s\n", measured.valid, measured.ranks,
           measured.median > 0 && measured.seconds[0] > 0 ? "with times" : "without");
  plumbline_free_measured(&measured);
  MPI_Finalize();
  return status != MPI_SUCCESS;
}
