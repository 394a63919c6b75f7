#pragma once
// How curves of one picture are told apart.

#include <cstddef>

#include "bench/report/svg.hpp"

namespace plumbline::bench {

inline constexpr std::size_t kMostCurves = 14;  // that can be told apart

// Throws Error (kWrongUse) where there are more. `where`: the option that asked for them; `hint`: how to have fewer.
void require_curves(std::size_t curves, const char* where, const char* hint);

// Of the curve of this number, from 0.
Stroke stroke_of(std::size_t curve);

}  // namespace plumbline::bench
