// Each rank writes a file of its own with POSIX calls, piece by piece, and syncs it.
//   mpirun -n 2 posix_writer-openmpi PREFIX [PIECES [BYTES]]
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* prefix = argc > 1 ? argv[1] : "posix_writer";
  const int pieces = argc > 2 ? atoi(argv[2]) : 64;
  const size_t bytes = argc > 3 ? (size_t)atol(argv[3]) : 4096;

  char path[4096];
  snprintf(path, sizeof path, "%s.%d", prefix, rank);
  char* data = malloc(bytes);
  const int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0666);
  if (fd < 0 || !data) {
    perror(path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  memset(data, 'a' + rank % 26, bytes);
  long written = 0;
  for (int i = 0; i < pieces; ++i) written += pwrite(fd, data, bytes, (off_t)(i * (off_t)bytes));
  fsync(fd);
  lseek(fd, 0, SEEK_SET);
  const long again = read(fd, data, bytes);
  close(fd);
  free(data);

  long mine[2] = {written, again}, all[2] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld bytes written, %ld read\n", all[0], all[1]);
  return MPI_Finalize();
}
