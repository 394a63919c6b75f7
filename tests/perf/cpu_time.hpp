#pragma once
// The clock of benchmarks: others may use the machine too.

#include <ctime>

namespace plumbline::perf {

// CPU time of this process, user and system.
inline double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace plumbline::perf
