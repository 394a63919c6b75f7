/* Three ranks; one-sided communication in every form, with sizes by which preload_rma_test.cpp knows the calls again.
 * Says so on standard output if data does not arrive. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

static void expect(const char* what, int found, int wanted) {
  if (found != wanted) printf("rank %d, %s: %d instead of %d\n", rank, what, found, wanted);
}

static void fences(void) {
  int memory[8] = {10 * rank}, given[2] = {7, 8}, got = -1;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_name(win, "fenced");
  MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win);
  if (rank == 0) {
    MPI_Put(given, 2, MPI_INT, 1, 3, 8, MPI_BYTE, win);
    MPI_Get(&got, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    MPI_Put(given, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, win);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  if (rank == 0) expect("fenced get", got, 20);
  if (rank == 1) expect("fenced put", memory[4], 8);
  MPI_Win_free(&win);
}

static void locks(void) {
  int one = 1, two = 2, before = -1, three[3] = {-1, -1, -1}, *memory;
  MPI_Win win;
  MPI_Win_allocate(16 * sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  memset(memory, 0, 16 * sizeof(int));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Accumulate(&two, 1, MPI_INT, 1, 8, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(1, win);
    MPI_Put(&one, 1, MPI_INT, 1, 12, 1, MPI_INT, win);
    MPI_Win_flush_local(1, win);
    MPI_Win_unlock(1, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, MPI_MODE_NOCHECK, win);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 1, 8, MPI_REPLACE, win);
    MPI_Win_unlock(1, win);
    expect("fetched", before, 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Get_accumulate(NULL, 0, MPI_INT, three, 3, MPI_INT, 1, 8, 3, MPI_INT, MPI_NO_OP, win);
    MPI_Win_flush_local_all(win);
    expect("fetched without change", three[0], 1);
    MPI_Compare_and_swap(&two, &one, &before, MPI_INT, 1, 8, win);
    MPI_Win_flush_all(win);
    expect("compared", before, 1);
  }
  MPI_Win_sync(win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) expect("swapped", memory[2], 2);
  MPI_Win_free(&win);
}

/* World ranks 2 and 0, which are ranks 0 and 1 of the window. */
static void groups(void) {
  int memory[4] = {0}, given = 5, over = 0, other;
  MPI_Comm pair;
  MPI_Group all, peer;
  MPI_Win win;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, -rank, &pair);
  if (rank == 1) return;
  other = rank == 2 ? 1 : 0;
  MPI_Comm_group(pair, &all);
  MPI_Group_incl(all, 1, &other, &peer);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, pair, &win);
  for (int round = 0; round < 2; ++round) {
    if (rank == 0) {
      MPI_Win_start(peer, 0, win);
      MPI_Put(&given, 1, MPI_INT, 0, round, 1, MPI_INT, win);
      MPI_Win_complete(win);
    } else {
      MPI_Win_post(peer, MPI_MODE_NOSTORE, win);
      if (round == 0) MPI_Win_wait(win);
      while (round == 1 && !over) MPI_Win_test(win, &over);
      expect("posted", memory[round], 5);
    }
  }
  MPI_Win_free(&win);
  MPI_Group_free(&peer);
  MPI_Group_free(&all);
  MPI_Comm_free(&pair);
}

static void requests(void) {
  int given[3] = {1, 2, 3}, got[3] = {0}, result[3] = {0}, *memory, next = (rank + 1) % 3;
  MPI_Request request[5];
  MPI_Win win;
  MPI_Win_allocate_shared(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  memset(memory, 0, 16 * sizeof(int));
  MPI_Win_fence(0, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  MPI_Rput(given, 3, MPI_INT, next, 0, 3, MPI_INT, win, &request[0]);
  MPI_Rget(got, 2, MPI_INT, next, 12, 2, MPI_INT, win, &request[1]);
  MPI_Raccumulate(given, 1, MPI_INT, next, 4, 1, MPI_INT, MPI_MAX, win, &request[2]);
  MPI_Rget_accumulate(given, 3, MPI_INT, result, 3, MPI_INT, next, 5, 3, MPI_INT, MPI_SUM, win, &request[3]);
  MPI_Rput(given, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win, &request[4]);
  MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  expect("accumulated", memory[7], 3);
  MPI_Win_free(&win);
}

/* Types that follow one another, perhaps under one handle. */
static void derived(void) {
  int memory[16] = {0}, given[16];
  MPI_Aint addresses[3], own;
  MPI_Datatype type;
  MPI_Win win;
  for (int i = 0; i < 16; ++i) given[i] = i;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_attach(win, memory, sizeof memory);
  MPI_Get_address(memory, &own);
  MPI_Allgather(&own, 1, MPI_AINT, addresses, 1, MPI_AINT, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("address %lld\n", (long long)addresses[1]);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Put(given, 1, type, 1, addresses[1], 2, MPI_INT, win);
    MPI_Put(given, 1, type, 1, addresses[1], 2, MPI_INT, win);
    MPI_Win_flush(1, win);
    MPI_Type_free(&type);
    MPI_Type_vector(2, 2, 4, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Put(given, 4, MPI_INT, 1, addresses[1] + 16, 1, type, win);
    MPI_Win_unlock(1, win);
    MPI_Type_free(&type);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) expect("scattered", memory[1] * 100 + memory[9], 303);
  MPI_Win_detach(win, memory);
  MPI_Win_free(&win);
}

/* What is made while recording is off is known when it goes on. */
static void paused(void) {
  int value = rank, *memory;
  MPI_Win win, lost;
  MPI_Pcontrol(0);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &lost);
  MPI_Win_free(&lost);
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
  MPI_Pcontrol(1);
  MPI_Put(&value, 1, MPI_INT, rank, 2, 1, MPI_INT, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fences();
  locks();
  groups();
  requests();
  derived();
  paused();
  MPI_Finalize();
  return 0;
}
