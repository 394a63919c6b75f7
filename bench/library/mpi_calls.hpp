#pragma once
// Calls of MPI inside of the library: an error ends what is under way.

#include <mpi.h>

#include <cstdint>
#include <ctime>

namespace plumbline::bench {

struct MpiFailure {
  int code = MPI_SUCCESS;
};

inline void must(int code) {
  if (code != MPI_SUCCESS) throw MpiFailure{code};
}

// CLOCK_MONOTONIC, ns. Never MPI_Wtime: Open MPI 4.1 gives each process an origin of its own.
inline std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  must(MPI_Comm_rank(comm, &rank));
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  must(MPI_Comm_size(comm, &size));
  return size;
}

// A duplicate, so that no message of ours meets one of the program's; errors come back to us.
class OwnComm {
 public:
  explicit OwnComm(MPI_Comm of) {
    must(MPI_Comm_dup(of, &comm_));
    must(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  }
  ~OwnComm() { MPI_Comm_free(&comm_); }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;

  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace plumbline::bench
