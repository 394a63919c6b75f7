#pragma once
// What support for threads the ranks of a program asked MPI for.

#include "replay/program/program.hpp"

namespace plumbline::replay {

// Whether MPI has given them MPI_THREAD_MULTIPLE. False also where the recording does not tell.
inline bool has_thread_multiple(const Program& program) {
  const std::string_view level = program.property("thread_level");
  return level == "MPI_THREAD_MULTIPLE" || level.find("multiple") != std::string_view::npos;
}

}  // namespace plumbline::replay
