#pragma once
// What the storage of a directory costs per call and per byte, in the page cache and on the device.

#include <filesystem>
#include <functional>

#include "bench/results/measurements.hpp"

namespace plumbline::bench {

// Takes about `seconds` and at most 128 MiB in `directory`; removes its files. Throws Error (kCannotRunHere) when there
// is no space. `progress` is told the share of the time that is over.
void measure_storage(const std::filesystem::path& directory, double seconds,
                     const std::function<void(double)>& progress, Measurements& into);

}  // namespace plumbline::bench
