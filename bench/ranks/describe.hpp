#pragma once
// The catalogue as JSON: {"mpi": "openmpi", "families": [{"name", "summary", "bytes", "implementations", "least_ranks",
// "parameters": [{"name", "summary", "default", "is_word"}]}]}. "default" is a text, of numbers too.

#include <string>

namespace plumbline::bench {

std::string describe_families();

}  // namespace plumbline::bench
