#include "bench/choose/arguments.hpp"

namespace plumbline::bench::choose {
namespace {

std::size_t bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  must(MPI_Type_size_x(type, &size));
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

}  // namespace

// What is significant on a rank depends on the collective and on whether it is the root.
std::size_t size_of_message(const Arguments& a, int rank) {
  switch (a.collective) {
    case PLUMBLINE_SCATTER:
      if (rank == a.root && is_in_place(a.receive)) return bytes_of(a.send_count, a.send_type);
      break;
    case PLUMBLINE_GATHER:
      if (rank != a.root) return bytes_of(a.send_count, a.send_type);
      break;
    default:
      break;
  }
  return bytes_of(a.receive_count, a.receive_type);
}

int call(const plumbline_candidate& f, const Arguments& a, MPI_Comm comm) {
  switch (a.collective) {
    case PLUMBLINE_BCAST:
      return f.bcast(a.receive, a.receive_count, a.receive_type, a.root, comm);
    case PLUMBLINE_SCATTER:
      return f.scatter(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, a.root, comm);
    case PLUMBLINE_GATHER:
      return f.gather(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, a.root, comm);
    case PLUMBLINE_ALLGATHER:
      return f.allgather(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, comm);
    case PLUMBLINE_ALLTOALL:
      return f.alltoall(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, comm);
    case PLUMBLINE_REDUCE:
      return f.reduce(a.send, a.receive, a.receive_count, a.receive_type, a.op, a.root, comm);
    case PLUMBLINE_ALLREDUCE:
      return f.allreduce(a.send, a.receive, a.receive_count, a.receive_type, a.op, comm);
    case PLUMBLINE_REDUCE_SCATTER_BLOCK:
      return f.reduce_scatter_block(a.send, a.receive, a.receive_count, a.receive_type, a.op, comm);
    case PLUMBLINE_SCAN:
      return f.scan(a.send, a.receive, a.receive_count, a.receive_type, a.op, comm);
  }
  return MPI_ERR_ARG;
}

const plumbline_candidate& library_functions() {
  static constexpr plumbline_candidate kLibrary = {"library",  MPI_Bcast,     MPI_Scatter,
                                                   MPI_Gather, MPI_Allgather, MPI_Alltoall,
                                                   MPI_Reduce, MPI_Allreduce, MPI_Reduce_scatter_block,
                                                   MPI_Scan};
  return kLibrary;
}

bool has_function_for(const plumbline_candidate& f, plumbline_collective collective) {
  switch (collective) {
    case PLUMBLINE_BCAST:
      return f.bcast != nullptr;
    case PLUMBLINE_SCATTER:
      return f.scatter != nullptr;
    case PLUMBLINE_GATHER:
      return f.gather != nullptr;
    case PLUMBLINE_ALLGATHER:
      return f.allgather != nullptr;
    case PLUMBLINE_ALLTOALL:
      return f.alltoall != nullptr;
    case PLUMBLINE_REDUCE:
      return f.reduce != nullptr;
    case PLUMBLINE_ALLREDUCE:
      return f.allreduce != nullptr;
    case PLUMBLINE_REDUCE_SCATTER_BLOCK:
      return f.reduce_scatter_block != nullptr;
    case PLUMBLINE_SCAN:
      return f.scan != nullptr;
  }
  return false;
}

}  // namespace plumbline::bench::choose
