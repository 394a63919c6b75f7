#include "tests/bench/library/witness.hpp"

#include <mpi.h>

#include <utility>

#include "bench/library/mpi_calls.hpp"

namespace plumbline::test {
namespace {

using bench::now_ns;
using What = Seen::What;

std::vector<Seen> seen;
bool watching = false;

template <class Call>
int noted(What what, Call call) {
  const std::int64_t begin = now_ns();
  const int code = call();
  if (watching) seen.push_back({what, begin, now_ns()});
  return code;
}

}  // namespace

void begin_to_watch() {
  seen.clear();
  seen.reserve(100'000);
  seen.push_back({What::kOtherCall, now_ns(), now_ns()});
  watching = true;
}

std::vector<Seen> end_to_watch() {
  watching = false;
  return std::exchange(seen, {});
}

void watch_operation(const std::function<void()>& operation) {
  noted(What::kOperation, [&] {
    operation();
    return MPI_SUCCESS;
  });
}

}  // namespace plumbline::test

// The wrappers: what the library calls next to an operation, and next to the barriers that it measures.
using plumbline::test::noted;
using plumbline::test::What;

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
  return noted(What::kBarrier, [&] { return PMPI_Barrier(comm); });
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return noted(What::kOtherCall, [&] { return PMPI_Bcast(data, count, type, root, comm); });
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return noted(What::kOtherCall, [&] {
    return PMPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  });
}

int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag, void* receive,
                 int receive_count, MPI_Datatype receive_type, int from, int receive_tag, MPI_Comm comm,
                 MPI_Status* status) {
  return noted(What::kOtherCall, [&] {
    return PMPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, receive_count, receive_type, from,
                         receive_tag, comm, status);
  });
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return noted(What::kOtherCall, [&] { return PMPI_Send(data, count, type, to, tag, comm); });
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return noted(What::kReceive, [&] { return PMPI_Recv(data, count, type, from, tag, comm, status); });
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return noted(What::kOtherCall, [&] { return PMPI_Reduce(send, receive, count, type, op, root, comm); });
}

}  // extern "C"
