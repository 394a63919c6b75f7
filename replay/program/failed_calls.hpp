#pragma once
// Calls of MPI that returned an error. In a program each is an operation that is not judged, and its reason tells the
// class of the error: "failed: MPI_ERR_RANK".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay {

// The reason of an operation that has failed so. `ended`: the process ended in it, by MPI's default error handler.
std::string reason_of_failure(std::string_view error_class, bool ended);

struct Failure {
  std::string_view error_class;  // a part of the reason
  bool ended = false;
};
// Nothing where the reason is another one.
std::optional<Failure> failure_of(std::string_view reason);

// Whether a call that is not modelled is kRefused, by its name and its reason. One on a file looks for the file first.
bool is_refused(std::string_view call, std::string_view reason);

// Calls that failed in the same way at the same place, on all ranks.
struct FailedCalls {
  std::string call, error_class, site;  // site: "" where it is not known
  bool ended = false;                   // the process ended in them
  std::uint64_t times = 0;
  std::vector<std::uint32_t> ranks = {};  // ascending
};

// The most frequent first.
std::vector<FailedCalls> failed_calls(const Program& program);
std::uint64_t count(const std::vector<FailedCalls>& failed);

}  // namespace plumbline::replay
