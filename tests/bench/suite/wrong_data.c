// Loaded before a program: one byte of what a call of MPI gives is another one. PLUMBLINE_WRONG names the call.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define HERE __attribute__((visibility("default")))

static void spoil(const char* call, void* data) {
  const char* const asked = getenv("PLUMBLINE_WRONG");
  if (asked && strcmp(asked, call) == 0 && data) *(unsigned char*)data ^= 1;
}

HERE int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const int result = PMPI_Recv(data, count, type, from, tag, comm, status);
  if (from != MPI_PROC_NULL) spoil("MPI_Recv", data);
  return result;
}

HERE int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int result = PMPI_Bcast(data, count, type, root, comm);
  if (type == MPI_BYTE) spoil("MPI_Bcast", data);
  return result;
}

HERE int MPI_Scan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int result = PMPI_Scan(from, to, count, type, op, comm);
  spoil("MPI_Scan", to);
  return result;
}

HERE int MPI_Alltoall(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type,
                      MPI_Comm comm) {
  const int result = PMPI_Alltoall(from, count, type, to, to_count, to_type, comm);
  spoil("MPI_Alltoall", to);
  return result;
}

HERE int MPI_File_read_at(MPI_File file, MPI_Offset place, void* data, int count, MPI_Datatype type,
                          MPI_Status* status) {
  const int result = PMPI_File_read_at(file, place, data, count, type, status);
  spoil("MPI_File_read_at", data);
  return result;
}

// An edge that came is another one than was sent.
HERE int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  const char* const asked = getenv("PLUMBLINE_WRONG");
  if (asked && strcmp(asked, "MPI_Irecv") == 0 && type == MPI_DOUBLE) data = (double*)data + 1;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}
