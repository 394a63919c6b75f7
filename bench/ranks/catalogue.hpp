#pragma once
// The families, one span a file. Their order is that of docs/reference/operations.md.

#include "bench/ranks/family.hpp"

namespace plumbline::bench {

std::span<const Family> point_to_point_families();

// For families that only the library does.
inline constexpr std::string_view kOnlyLibrary[] = {"library"};

}  // namespace plumbline::bench
