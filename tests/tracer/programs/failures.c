/* Two ranks and calls that fail, by argument (preload_failures_test.cpp, failed_calls_test.cpp of the integration
 * tests). "abort WHICH": by the default error handler, which ends the program inside of the call. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 18 };
static int x, large[LARGE], rank, other;

static void sends(void) {
  if (rank == 0)
    for (int i = 0; i < 3; ++i) MPI_Send(&x, 1, MPI_INT, 999, 0, MPI_COMM_WORLD);
}
static void isend(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(&x, 1, MPI_INT, 999, 0, MPI_COMM_WORLD, &request);
}
static void root(void) { MPI_Bcast(&x, 1, MPI_INT, 77, MPI_COMM_WORLD); }
static void tag(void) {
  if (rank == 0) MPI_Send(large, LARGE, MPI_INT, 1, -5, MPI_COMM_WORLD);
}
static void put(void) {
  MPI_Win window;
  MPI_Win_create(large, sizeof large, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&x, 1, MPI_INT, 999, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}
static void comm(void) { MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL); }
static void type(void) { MPI_Send(&x, 1, MPI_DATATYPE_NULL, other, 0, MPI_COMM_WORLD); }
static void count(void) { MPI_Send(&x, -1, MPI_INT, other, 0, MPI_COMM_WORLD); }
static void truncated(void) {
  if (rank == 0) MPI_Send(large, LARGE, MPI_INT, 1, 3, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(large, 1 << 10, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
/* One receive is too short and one is not. */
static void statuses(void) {
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i)
    if (rank == 0)
      MPI_Isend(large, 100, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Irecv(large + 1000 * i, i == 0 ? 10 : 100, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
/* A persistent receive that is too short, waited for by itself, then started again. */
static void persistent(void) {
  MPI_Request request;
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Send(large, i == 0 ? 100 : 10, MPI_INT, 1, 4, MPI_COMM_WORLD);
    return;
  }
  MPI_Recv_init(large, 10, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2 && request != MPI_REQUEST_NULL; ++i) { /* Open MPI frees one that has failed */
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}
static void any(void) {
  MPI_Request request[1];
  int index;
  if (rank == 0) MPI_Send(large, 100, MPI_INT, 1, 5, MPI_COMM_WORLD);
  if (rank == 1) MPI_Irecv(large, 10, MPI_INT, 0, 5, MPI_COMM_WORLD, request);
  if (rank == 1) MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
}
static void exchange(void) {
  MPI_Sendrecv(large, rank == 0 ? 100 : 10, MPI_INT, other, 6, large + 1000, 10, MPI_INT, other, 6, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}
static void probe(void) {
  MPI_Status status;
  MPI_Probe(99, 0, MPI_COMM_WORLD, &status);
}
static void made(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_NULL, &copy);
}
/* Of files errors return by default. */
static void files(void) {
  MPI_File file;
  for (int i = 0; i < 2; ++i) MPI_File_open(MPI_COMM_WORLD, "/nonexistent/x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_delete("/nonexistent/y", MPI_INFO_NULL);
}
/* Callbacks may return codes of the program's own, and what is no code at all. */
static int code;
static int refuse(MPI_Comm of, int key, void* state, void* in, void* out, int* flag) { return code; }
static void own(void) {
  int class, key;
  MPI_Comm copy;
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  code = 123456;
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
}
static void broadcast(void) { MPI_Bcast(large, rank == 0 ? 1000 : 10, MPI_INT, 0, MPI_COMM_WORLD); }

/* An error handler that leaves the call by a jump; what comes after is recorded, from deeper and from higher frames. */
static jmp_buf back;
static void jump(MPI_Comm* where, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(*code, text, &length);
  longjmp(back, 1);
}
static void message(int depth) {
  volatile char frame[64];
  memset((char*)frame, depth, sizeof frame);
  if (depth > 0)
    message(depth - 1);
  else if (rank == 0)
    MPI_Send(&x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
  else
    MPI_Recv(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void jumps(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(jump, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (volatile int i = 0; i < 4; ++i)
    if (setjmp(back) == 0) MPI_Send(&x, 1, MPI_INT, 999, 0, MPI_COMM_WORLD);
  message(0);
  if (setjmp(back) == 0) MPI_Bcast(&x, 1, MPI_INT, 77, MPI_COMM_WORLD);
  message(5);
  message(0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}
static void give_up(MPI_Comm* where, int* code, ...) { MPI_Abort(*where, 7); }
static void aborts(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(give_up, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  sends();
}
/* Arguments that are none: no tracer may look behind them. */
static void nothing(void) {
  MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE);
  MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE);
  MPI_Isend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, NULL);
  MPI_Gather(&x, 1, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, 5, MPI_COMM_NULL);
  MPI_Alltoallv(NULL, NULL, NULL, MPI_DATATYPE_NULL, NULL, NULL, NULL, MPI_DATATYPE_NULL, MPI_COMM_NULL);
  MPI_Win_fence(0, MPI_WIN_NULL);
  MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL);
  MPI_Comm_split(MPI_COMM_NULL, 0, 0, NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
} kinds[] = {{"sends", sends},
             {"isend", isend},
             {"root", root},
             {"tag", tag},
             {"put", put},
             {"comm", comm},
             {"type", type},
             {"count", count},
             {"truncated", truncated},
             {"statuses", statuses},
             {"persistent", persistent},
             {"any", any},
             {"exchange", exchange},
             {"probe", probe},
             {"made", made},
             {"files", files},
             {"broadcast", broadcast},
             {"own", own},
             {"jumps", jumps},
             {"aborts", aborts},
             {"nothing", nothing}};

int main(int argc, char** argv) {
  int aborts_by_default = argc > 2 && strcmp(argv[1], "abort") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  if (!aborts_by_default) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 1 + aborts_by_default; i < argc; ++i)
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
      if (strcmp(argv[i], kinds[k].name) == 0) kinds[k].run();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
