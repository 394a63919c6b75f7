#include "bench/choose/trial.hpp"

#include <limits>
#include <new>

#include "bench/choose/by_ours.hpp"

namespace plumbline::bench::choose {
namespace {

struct Execution {
  const Candidate& candidate;
  const Arguments& arguments;
};

int execute_trial(void* state, MPI_Comm comm) {
  const auto& [candidate, arguments] = *static_cast<const Execution*>(state);
  return call(candidate, arguments, comm);
}

bool gives_blocks(plumbline_collective collective) {
  return collective == PLUMBLINE_SCATTER || collective == PLUMBLINE_ALLTOALL ||
         collective == PLUMBLINE_REDUCE_SCATTER_BLOCK;
}

bool takes_blocks(plumbline_collective collective) {
  return collective == PLUMBLINE_GATHER || collective == PLUMBLINE_ALLGATHER || collective == PLUMBLINE_ALLTOALL;
}

// Zero, and so that every page is there.
std::unique_ptr<std::byte[]> memory(std::size_t bytes) {
  return std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[bytes]());
}

}  // namespace

int call(const Candidate& candidate, const Arguments& arguments, MPI_Comm comm) {
  if (candidate.ours == nullptr) return call(*candidate.functions, arguments, comm);
  call(*candidate.ours, arguments, comm);
  return MPI_SUCCESS;
}

Trial::Trial(plumbline_collective collective, std::size_t bytes, int root, MPI_Comm comm) : comm_(comm), bytes_(bytes) {
  const std::size_t element = is_reduction(collective) ? sizeof(double) : 1;
  const std::size_t block = (bytes + element - 1) / element * element;
  const auto ranks = static_cast<std::size_t>(size_of(comm));
  send_ = memory(gives_blocks(collective) ? ranks * block : block);
  receive_ = memory(takes_blocks(collective) ? ranks * block : block);
  int has_memory = send_ && receive_ ? 1 : 0;
  must(MPI_Allreduce(MPI_IN_PLACE, &has_memory, 1, MPI_INT, MPI_MIN, comm));
  if (has_memory == 0) throw MpiFailure{MPI_ERR_NO_MEM};
  arguments_.collective = collective;
  arguments_.send = send_.get();
  arguments_.receive = receive_.get();
  arguments_.send_count = arguments_.receive_count = static_cast<int>(block / element);
  arguments_.send_type = arguments_.receive_type = is_reduction(collective) ? MPI_DOUBLE : MPI_BYTE;
  arguments_.op = MPI_SUM;
  arguments_.root = root;
}

double Trial::measure(const Candidate& candidate, const plumbline_settings& settings) {
  Execution execution{candidate, arguments_};
  plumbline_operation operation{};
  operation.name = "candidate";
  operation.execute = execute_trial;
  operation.state = &execution;
  plumbline_measured measured;
  must(plumbline_measure(comm_, &operation, bytes_, &settings, &measured));
  const double median = measured.valid > 0 ? measured.median : std::numeric_limits<double>::infinity();
  plumbline_free_measured(&measured);
  return median;
}

}  // namespace plumbline::bench::choose
