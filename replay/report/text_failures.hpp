#pragma once
// Calls that failed, as text: for the report, and for whoever describes a recording.

#include <cstddef>
#include <string>
#include <vector>

#include "replay/program/failed_calls.hpp"

namespace plumbline::replay {

// "3 calls failed, most often MPI_Send (MPI_ERR_RANK)"; "" where none has.
std::string failed_calls_sentence(const std::vector<FailedCalls>& failed);

// A line for each way in which calls failed, at most so many and one that counts the others: "MPI_Send
// (MPI_ERR_RANK), 3 times, at exchange (jacobi.c:88), rank 0".
std::vector<std::string> failed_call_lines(const std::vector<FailedCalls>& failed, std::size_t most);

}  // namespace plumbline::replay
