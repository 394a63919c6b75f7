/* A layer in C alone. */
#include <mpi.h>
#include <stdio.h>

static int exchanges;

int MPI_Sendrecv(const void* out, int sent, MPI_Datatype out_type, int to, int out_tag, void* in, int room,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  ++exchanges;
  return PMPI_Sendrecv(out, sent, out_type, to, out_tag, in, room, in_type, from, in_tag, comm, status);
}
__attribute__((destructor)) static void tell(void) { printf("%d exchanges\n", exchanges); }
