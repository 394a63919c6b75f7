/* One rank; one call each of functions that are rarely called. */
#include <mpi.h>
#include <stdio.h>

static void memory(void) {
  int* base;
  MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &base);
  MPI_Free_mem(base);
}

static void communicators(void) {
  int dimensions[1] = {1}, periods[1] = {0}, rank, edges = 1, edge = 0;
  MPI_Comm copy;
  MPI_Info info;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(copy);
  MPI_Info_create(&info);
  MPI_Comm_set_info(copy, info);
  MPI_Info_free(&info);
  MPI_Cart_map(copy, 1, dimensions, periods, &rank);
  MPI_Graph_map(copy, 1, &edges, &edge, &rank);
  MPI_Comm_free(&copy);
}

static void requests(void) {
  int value = 0, received, flag = 0;
  MPI_Request request;
  MPI_Irecv(&received, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 100; ++i) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void files(const char* directory) {
  char name[512], data[16] = {0};
  int flag;
  MPI_Offset where;
  MPI_File file;
  MPI_Request request;
  snprintf(name, sizeof name, "%s/file", directory);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_preallocate(file, 64);
  MPI_File_set_size(file, 32);
  MPI_File_get_atomicity(file, &flag);
  MPI_File_get_byte_offset(file, 8, &where);
  MPI_File_iread_at_all(file, 4, data, 8, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_File_delete(name, MPI_INFO_NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  memory();
  communicators();
  requests();
  files(argv[1]);
  MPI_Finalize();
  return 0;
}
