#pragma once
// The worst of many operations: those that a reader is sent to.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

inline constexpr std::size_t kMostInstances = 20;

// A judged operation. `begin` is that of the run.
Instance instance_of(const Program& observed, const Expected& expected, ReferenceRun reference, Time begin,
                     std::uint32_t rank, std::size_t operation);

// Largest own excess first; of equal ones by rank and operation.
bool is_worse(const Instance& a, const Instance& b);

// Puts `instance` where it belongs in `worst`, which is in that order and keeps no more than kMostInstances.
void keep_worst(std::vector<Instance>& worst, const Instance& instance);

}  // namespace plumbline::replay
