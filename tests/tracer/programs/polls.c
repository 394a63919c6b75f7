/* Polls of every kind, in parts: each begins with a message to nobody whose tag is its number. Rank 1 only answers. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kTimes = 1000 };
static MPI_Comm other;
static int flag, indx, count, value;

static void part(int number) { MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, number, MPI_COMM_WORLD); }

static double cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* So much, whoever else wants the core. */
static void compute(double seconds) {
  const double end = cpu_time() + seconds;
  while (cpu_time() < end) continue;
}

static void let_answer(int seconds_1000) { MPI_Send(&seconds_1000, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); }

/* Eight questions in turn, which nobody answers. */
static void several(void) {
  MPI_Request requests[2], none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Message message;
  MPI_Irecv(&value, 1, MPI_INT, 0, 90, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&value, 1, MPI_INT, 0, 91, MPI_COMM_WORLD, &requests[1]);
  part(1);
  for (int i = 0; i < kTimes; ++i) {
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Iprobe(MPI_ANY_SOURCE, 2, other, &flag, MPI_STATUS_IGNORE);
    MPI_Improbe(1, MPI_ANY_TAG, other, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Testsome(2, requests, &count, (int[2]){0, 0}, MPI_STATUSES_IGNORE);
    MPI_Testany(2, none, &indx, &flag, MPI_STATUS_IGNORE);
    MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
  }
  part(2);
  for (int i = 0; i < 2; ++i) {
    MPI_Cancel(&requests[i]);
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

static void many_questions(void) {
  part(3);
  for (int i = 0; i < kTimes; ++i) MPI_Iprobe(0, i, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/* One of two is answered, after some ms. */
static void answered(void) {
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
  let_answer(30);
  part(4);
  do {
    MPI_Iprobe(1, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  } while (!flag);
}

static void pauses(void) {
  part(5);
  for (int i = 0; i < 50; ++i, usleep(2000)) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  part(6);
  for (int i = 0; i < 50; ++i, compute(3e-3)) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  part(7);
  for (int i = 0; i < kTimes; ++i, compute(6e-6)) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/* The same answer again and again. */
static void old_news(void) {
  MPI_Request request, idle;
  MPI_Send_init(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &idle);
  MPI_Isend(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  part(8);
  for (int i = 0; i < kTimes; ++i) MPI_Iprobe(0, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  part(9);
  for (int i = 0; i < kTimes; ++i) MPI_Test(&idle, &flag, MPI_STATUS_IGNORE);
  part(10);
  for (int i = 0; i < kTimes; ++i) MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Request_free(&idle);
}

static void switched(void) {
  part(11);
  for (int i = 0; i < 300; ++i) {
    if (i == 100 || i == 200) MPI_Pcontrol(i == 200);
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
  part(12);
}

/* More requests than fit on the stack of a test, of which one is answered. */
static void crowd(void) {
  enum { kRequests = 200 };
  MPI_Request requests[kRequests];
  static int values[kRequests];
  for (int i = 0; i < kRequests; ++i)
    MPI_Irecv(&values[i], 1, MPI_INT, i == 150 ? 1 : 0, i == 150 ? 2 : 1000 + i, MPI_COMM_WORLD, &requests[i]);
  let_answer(10);
  part(13);
  do MPI_Testany(kRequests, requests, &indx, &flag, MPI_STATUS_IGNORE);
  while (!flag);
  part(14);
  for (int i = 0; i < kRequests; ++i) {
    if (i == indx) continue;
    MPI_Cancel(&requests[i]);
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

static void answer(void) {
  int ms = 1;
  while (ms > 0) {
    MPI_Recv(&ms, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep((useconds_t)ms * 1000);
    if (ms > 0) MPI_Send(&ms, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int rank, provided;
  const int threads = argc > 1 && strcmp(argv[1], "threads") == 0;
  MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if (rank == 0) {
    several();
    many_questions();
    answered();
    pauses();
    old_news();
    switched();
    crowd();
    let_answer(0);
  } else {
    answer();
  }
  MPI_Comm_free(&other);
  MPI_Finalize();
  if (rank == 0) printf("asked, index %d\n", indx);
  return 0;
}
