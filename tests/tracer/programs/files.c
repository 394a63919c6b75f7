/* Two ranks; argument: a directory. MPI-IO with a view, and POSIX calls beside it. */
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank;

static void mpi_io(const char* directory) {
  char name[512], data[4096];
  MPI_File file;
  MPI_Info hints;
  MPI_Datatype column;
  MPI_Request request;
  MPI_Status status;
  memset(data, 'x', sizeof data);
  snprintf(name, sizeof name, "%s/shared", directory);
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "cb_buffer_size", "65536");
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file);
  MPI_File_write_at(file, 1000 * rank, data, 1000, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_Type_vector(16, 2, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_File_set_view(file, 8 * rank, MPI_INT, column, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, data, 32, MPI_INT, &status);
  MPI_File_seek(file, 4, MPI_SEEK_SET);
  MPI_File_read(file, data, 6, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, 0, data, 2, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_File_close(&file);
  MPI_Type_free(&column);
  MPI_Info_free(&hints);
  int result = MPI_File_open(MPI_COMM_SELF, "/no/such/place", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  printf("open %s\n", result == MPI_SUCCESS ? "succeeded" : "failed");
}

static void posix(const char* directory) {
  char name[512], data[100] = {0};
  int ends[2];
  snprintf(name, sizeof name, "%s/own.%d", directory, rank);
  int file = open(name, O_CREAT | O_RDWR, 0600);
  printf("descriptor %s\n", file < 100 ? "small" : "large");
  errno = 77; /* what succeeds leaves it alone */
  if (write(file, data, 100) != 100 || pwrite(file, data, 50, 200) != 50) return;
  lseek(file, 10, SEEK_SET);
  if (read(file, data, 100) != 100) return;
  if (pread(file, data, 10, 245) != 5) return;
  fsync(file);
  printf("errno %d\n", errno);
  int copy = dup(file);
  close(file);
  close(copy);
  errno = 0;
  int missing = open("/no/such/file", O_RDONLY);
  printf("missing: %d %s\n", missing, strerror(errno));
  int device = open("/dev/zero", O_RDONLY);
  if (read(device, data, 100) != 100) return;
  close(device);
  if (pipe(ends) != 0 || write(ends[1], data, 3) != 3) return;
  close(ends[0]);
  close(ends[1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mpi_io(argv[1]);
  posix(argv[1]);
  MPI_Finalize();
  return 0;
}
