/* argument: a directory. Says SECRET wherever a program can say something that ends up in a recording. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static __attribute__((noinline)) void SECRETfunction(const char* directory) {
  char path[512];
  MPI_Comm comm;
  MPI_Info info;
  MPI_File file;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_name(comm, "the SECRETname of it");
  MPI_Barrier(comm);
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  MPI_Info_set(info, "SECRETkey", "SECRETvalue");
  MPI_Info_set(info, "access_style", "SECREThost:1");
  snprintf(path, sizeof path, "%s/SECRETfile.h5", directory);
  MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
  MPI_File_write_at_all(file, 0, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Info_free(&info);
  MPI_Win window;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (MPI_Win_create(path, sizeof path, 1, MPI_INFO_NULL, comm, &window) == MPI_SUCCESS) {
    MPI_Win_set_name(window, "a SECRETwindow");
    MPI_Win_free(&window);
  }
  MPI_Comm_free(&comm);
  char other[512];
  snprintf(path, sizeof path, "%s/SECRETother.txt", directory);
  snprintf(other, sizeof other, "%s/.SECREThidden", directory);
  int fd = open(path, O_CREAT | O_RDWR, 0600);
  if (write(fd, "x", 1) != 1) printf("not written\n");
  close(fd);
  rename(path, other);
  FILE* stream = fopen(other, "r");
  if (stream != NULL && fread(path, 1, 1, stream) == 1) fclose(stream);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  SECRETfunction(argv[1]);
  MPI_Finalize();
  return 0;
}
