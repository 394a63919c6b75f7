// Every rank says where it is; then all write one file together, interleaved in blocks of 4 KiB, read it back and
// compare.
//   core_strided FILE BLOCKS_PER_RANK     exit status 1 when what was read is not what was written
//   core_strided --wait                   waits for ever, the ranks sending to each other
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kBlock = 4096 };

static void wait_for_ever(void) {
  for (;;) MPI_Barrier(MPI_COMM_WORLD);
}

static int write_and_read(char* name, int blocks, int rank, int ranks) {
  const int bytes = blocks * kBlock;
  unsigned char *written = malloc((size_t)bytes), *read = calloc((size_t)bytes, 1);
  if (!written || !read) return 1;
  for (int i = 0; i < bytes; ++i) written[i] = (unsigned char)(i * 31 + rank * 17);

  MPI_Datatype every_nth;
  MPI_Type_vector(blocks, kBlock, kBlock * ranks, MPI_BYTE, &every_nth);
  MPI_Type_commit(&every_nth);
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    return 1;
  MPI_File_set_view(file, (MPI_Offset)rank * kBlock, MPI_BYTE, every_nth, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, written, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all(file, read, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&every_nth);
  const int differs = memcmp(written, read, (size_t)bytes) != 0;
  free(written);
  free(read);
  return differs;
}

int main(int argc, char** argv) {
  int rank, ranks, differs = 0, any = 0;
  char host[64] = "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  gethostname(host, sizeof host - 1);
  printf("rank %d of %d on %s\n", rank, ranks, host);
  fflush(stdout);
  if (argc == 2 && strcmp(argv[1], "--wait") == 0) wait_for_ever();
  if (argc == 3) differs = write_and_read(argv[1], atoi(argv[2]), rank, ranks);
  MPI_Allreduce(&differs, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any;
}
