// What plumbline_bench.f90 calls of plumbline/choose.h: communicators, datatypes and operators are numbers there.

#include "bench/library/plumbline/choose.h"

extern "C" {

PLUMBLINE_BENCH_API int plumbline_make_chooser_fortran(MPI_Fint comm, int with_ours, plumbline_chooser** chooser) {
  return plumbline_make_chooser(MPI_Comm_f2c(comm), with_ours, chooser);
}

PLUMBLINE_BENCH_API int plumbline_bcast_fortran(void* data, int count, MPI_Fint type, int root,
                                                plumbline_chooser* chooser) {
  return plumbline_bcast(data, count, MPI_Type_f2c(type), root, chooser);
}

PLUMBLINE_BENCH_API int plumbline_scatter_fortran(const void* send, int send_count, MPI_Fint send_type, void* receive,
                                                  int receive_count, MPI_Fint receive_type, int root,
                                                  plumbline_chooser* chooser) {
  return plumbline_scatter(send, send_count, MPI_Type_f2c(send_type), receive, receive_count,
                           MPI_Type_f2c(receive_type), root, chooser);
}

PLUMBLINE_BENCH_API int plumbline_gather_fortran(const void* send, int send_count, MPI_Fint send_type, void* receive,
                                                 int receive_count, MPI_Fint receive_type, int root,
                                                 plumbline_chooser* chooser) {
  return plumbline_gather(send, send_count, MPI_Type_f2c(send_type), receive, receive_count, MPI_Type_f2c(receive_type),
                          root, chooser);
}

PLUMBLINE_BENCH_API int plumbline_allgather_fortran(const void* send, int send_count, MPI_Fint send_type, void* receive,
                                                    int receive_count, MPI_Fint receive_type,
                                                    plumbline_chooser* chooser) {
  return plumbline_allgather(send, send_count, MPI_Type_f2c(send_type), receive, receive_count,
                             MPI_Type_f2c(receive_type), chooser);
}

PLUMBLINE_BENCH_API int plumbline_alltoall_fortran(const void* send, int send_count, MPI_Fint send_type, void* receive,
                                                   int receive_count, MPI_Fint receive_type,
                                                   plumbline_chooser* chooser) {
  return plumbline_alltoall(send, send_count, MPI_Type_f2c(send_type), receive, receive_count,
                            MPI_Type_f2c(receive_type), chooser);
}

PLUMBLINE_BENCH_API int plumbline_reduce_fortran(const void* send, void* receive, int count, MPI_Fint type, MPI_Fint op,
                                                 int root, plumbline_chooser* chooser) {
  return plumbline_reduce(send, receive, count, MPI_Type_f2c(type), MPI_Op_f2c(op), root, chooser);
}

PLUMBLINE_BENCH_API int plumbline_allreduce_fortran(const void* send, void* receive, int count, MPI_Fint type,
                                                    MPI_Fint op, plumbline_chooser* chooser) {
  return plumbline_allreduce(send, receive, count, MPI_Type_f2c(type), MPI_Op_f2c(op), chooser);
}

}  // extern "C"
