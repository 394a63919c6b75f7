#pragma once
// Measurements <-> HDF5. Form (docs/reference/measurements.md): /environment has one attribute per field; /notes has
// `count` and texts named 0, 1, ...; /series/NAME has an attribute `unit` and columns size, round, rank, value of equal
// length.

#include <filesystem>

#include "base/files/output.hpp"
#include "bench/results/measurements.hpp"

namespace plumbline::bench {

void write_measurements(const Measurements& measurements, const std::filesystem::path& path, Overwrite overwrite);

// Throws Error when the file is missing, truncated or not one of ours.
Measurements read_measurements(const std::filesystem::path& path);

}  // namespace plumbline::bench
