// All ranks write one line each into one file by one collective call, and read their neighbour's back.
//   mpirun -n 4 hello_io-openmpi [FILE]
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kLine = 32 };

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* path = argc > 1 ? argv[1] : "hello_io.out";

  char line[kLine + 1];
  snprintf(line, sizeof line, "%-*s\n", kLine - 1, "");
  char text[kLine];
  const int length = snprintf(text, sizeof text, "hello from rank %d", rank);
  memcpy(line, text, (size_t)length);

  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
    fprintf(stderr, "hello_io: cannot open %s\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_File_write_at_all(file, (MPI_Offset)rank * kLine, line, kLine, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  const int neighbour = (rank + 1) % ranks;
  MPI_File_read_at(file, (MPI_Offset)neighbour * kLine, line, kLine, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  int end = kLine - 1;
  while (end > 0 && line[end - 1] == ' ') --end;
  if (rank == 0) printf("%d rank%s; my neighbour says: %.*s\n", ranks, ranks == 1 ? "" : "s", end, line);
  return MPI_Finalize();
}
