#pragma once
// One size of one collective, measured by any of its candidates on the same data.

#include <memory>

#include "bench/choose/arguments.hpp"

namespace plumbline::bench::choose {

// What is called: one of ours, or a function of the program's or of the library's.
struct Candidate {
  std::string_view name;
  const algorithms::Implementation* ours = nullptr;
  const plumbline_candidate* functions = nullptr;
};

// An error of MPI, or MPI_SUCCESS.
int call(const Candidate& candidate, const Arguments& arguments, MPI_Comm comm);

// Reductions add doubles: their size is rounded up to whole ones.
class Trial {
 public:
  // Collective; throws MpiFailure{MPI_ERR_NO_MEM} on every rank where one has no memory for it.
  Trial(plumbline_collective collective, std::size_t bytes, int root, MPI_Comm comm);

  // Collective: the median, in seconds, the same on every rank; infinite where no repetition was valid.
  double measure(const Candidate& candidate, const plumbline_settings& settings);

 private:
  Arguments arguments_;
  MPI_Comm comm_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> send_, receive_;
};

}  // namespace plumbline::bench::choose
