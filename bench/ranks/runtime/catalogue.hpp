#pragma once
// The families, one span a file. Their order is that of docs/reference/operations.md.

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

std::span<const Family> point_to_point_families();
std::span<const Family> burst_families();
std::span<const Family> collective_families();
std::span<const Family> nonblocking_families();
std::span<const Family> neighbourhood_families();
std::span<const Family> topology_families();
std::span<const Family> one_sided_families();
std::span<const Family> file_access_families();
std::span<const Family> metadata_families();
std::span<const Family> local_families();
std::span<const Family> network_families();
std::span<const Family> broadcast_scheme_families();
std::span<const Family> storage_families();  // bench/ranks/storage

// For families that only the library does.
inline constexpr std::string_view kOnlyLibrary[] = {"library"};

}  // namespace plumbline::bench
