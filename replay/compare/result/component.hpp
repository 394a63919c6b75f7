#pragma once
// The part of hardware and stack that a row's time hangs on.

#include <string>

#include "replay/compare/result/comparison.hpp"

namespace plumbline::replay {

// "/scratch"; "of unnamed files" without a name.
std::string directory_of(const std::string& file);

// "storage /scratch", "transport inside a node", "the library's local calls".
std::string component_of(const Row& row);

}  // namespace plumbline::replay
