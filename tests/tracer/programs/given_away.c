/* Requests that leave the program's hands before it has seen their end. usage: given_away CASE BYTES
 * Rank 1 posts, rank 0 sends, later where it matters; both go on and end normally. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char* buffer;
static int bytes, rank;

static void send_late(int tag, int synchronous) {
  usleep(20000);
  if (synchronous)
    MPI_Ssend(buffer, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  else
    MPI_Send(buffer, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
}

static MPI_Request receive(int source, int tag) {
  MPI_Request request;
  MPI_Irecv(buffer, bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD, &request);
  return request;
}

static void until_complete(MPI_Request request) {
  for (int flag = 0; !flag;) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
}

/* Long enough in MPI for a rendezvous of each case. */
static void meet(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run(const char* what) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int sends = rank == 0, posts = rank == 1;
  if (!strcmp(what, "free-receive")) {
    if (sends) send_late(1, 0);
    if (posts) request = receive(0, 1), MPI_Request_free(&request);
  } else if (!strcmp(what, "free-receive-ssend")) {
    if (sends) send_late(1, 1);
    if (posts) request = receive(0, 1), MPI_Request_free(&request);
  } else if (!strcmp(what, "free-any-receive")) {
    if (sends) send_late(1, 1);
    if (posts) request = receive(MPI_ANY_SOURCE, MPI_ANY_TAG), MPI_Request_free(&request);
  } else if (!strcmp(what, "get-status-free")) {
    if (sends) send_late(1, 0);
    if (posts) request = receive(0, 1), until_complete(request), MPI_Request_free(&request);
  } else if (!strcmp(what, "get-status-wait")) {
    if (sends) send_late(1, 0);
    if (posts) request = receive(0, 1), until_complete(request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (!strcmp(what, "get-status-test")) {
    int flag = 0;
    if (sends) send_late(1, 0);
    if (posts) request = receive(0, 1), until_complete(request), MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  } else if (!strcmp(what, "never-waited")) {
    if (sends) send_late(1, 1);
    if (posts) receive(0, 1);
  } else if (!strcmp(what, "free-send")) {
    if (sends) MPI_Isend(buffer, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request), MPI_Request_free(&request);
    if (posts) MPI_Recv(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(what, "free-persistent")) {
    if (sends) send_late(1, 1);
    if (posts) {
      MPI_Recv_init(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
      MPI_Start(&request);
      MPI_Request_free(&request);
    }
  } else if (!strcmp(what, "cancel-free")) { /* the message goes to the receive that follows */
    if (posts) request = receive(0, 1), MPI_Cancel(&request), MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (sends) send_late(1, 0);
    if (posts) MPI_Recv(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(what, "free-then-receive")) { /* two messages: the freed receive takes the first */
    if (sends) send_late(1, 0), send_late(1, 0);
    if (posts) {
      char* second = malloc((size_t)bytes + 1);
      request = receive(0, 1), MPI_Request_free(&request);
      MPI_Recv(second, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      free(second);
    }
  } else if (!strcmp(what, "barrier-not-waited")) {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (!strcmp(what, "reduction-not-waited")) {
    MPI_Ireduce(buffer, buffer + bytes, bytes, MPI_BYTE, MPI_BOR, 1, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (!strcmp(what, "free-persistent-send")) {
    if (sends) {
      MPI_Ssend_init(buffer, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
      MPI_Start(&request);
      MPI_Request_free(&request);
    }
    if (posts) MPI_Recv(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(what, "get-status-twice")) {
    if (sends) send_late(1, 0);
    if (posts) {
      request = receive(0, 1);
      until_complete(request);
      until_complete(request);
      MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    }
  } else if (!strcmp(what, "completed-unrecorded")) {
    if (sends) send_late(1, 1);
    if (posts) {
      request = receive(0, 1);
      MPI_Pcontrol(0);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Pcontrol(1);
    }
  } else if (!strcmp(what, "put-not-waited")) {
    MPI_Win win;
    MPI_Win_create(buffer, (MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (sends) {
      MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
      MPI_Rput(buffer + bytes, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win, &request);
      MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
  } else {
    fprintf(stderr, "no case %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  bytes = atoi(argv[2]);
  buffer = calloc(2, (size_t)bytes + 1);
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  run(argv[1]);
  meet();
  MPI_Finalize(); /* the buffer stays: a receive may still be under way */
  return 0;
}
