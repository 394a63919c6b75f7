/* One rank: exchanges and accesses to files that end in different ways (preload_outcomes_test.cpp). */
#include <mpi.h>
#include <string.h>

static int out[8], in[8];

static int exchange(int send, int dest, int room, int source, int tag, MPI_Status* status) {
  return MPI_Sendrecv(out, send, MPI_INT, dest, 5, in, room, MPI_INT, source, tag, MPI_COMM_SELF, status);
}

static int exchanges(void) {
  MPI_Status status;
  int failed = 0;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  exchange(3, 0, 8, 0, 5, &status);
  exchange(3, 0, 8, MPI_ANY_SOURCE, 5, MPI_STATUS_IGNORE);
  exchange(3, 0, 8, 0, MPI_ANY_TAG, &status);
  exchange(3, 0, 8, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_STATUS_IGNORE);
  exchange(3, MPI_PROC_NULL, 8, MPI_PROC_NULL, MPI_ANY_TAG, &status);
  failed += exchange(3, 0, 8, 99, 5, &status) != MPI_SUCCESS; /* no such rank */
  return failed;
}

static int accesses(const char* path) {
  MPI_File file;
  MPI_Status status;
  MPI_Request request;
  int failed = 0;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, 0, out, 6, MPI_INT, &status);
  MPI_File_write_at(file, 0, out, 6, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, 16, in, 8, MPI_INT, &status); /* 8 bytes are left */
  MPI_File_read_at(file, 16, in, 8, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iread_at(file, 16, in, 2, MPI_INT, &request); /* Open MPI 4.1.4 never ends one beyond the end */
  MPI_Wait(&request, &status);
  failed += MPI_File_write_at(file, 0, out, -1, MPI_INT, &status) != MPI_SUCCESS;
  MPI_File_close(&file);
  return failed;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = exchanges() + accesses(argv[1]);
  MPI_Finalize();
  return failed == 2 ? 0 : 1;
}
