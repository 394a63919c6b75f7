#pragma once
// Many tests at once.

#include <span>
#include <vector>

namespace plumbline::statistics {

// Benjamini and Hochberg (1995): p-values adjusted so that refusing those <= q keeps the expected share of false
// discoveries at or below q. Same order as the input; monotone in it; at most 1.
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace plumbline::statistics
