#pragma once
// The circumstances of a measurement.

#include <cstdint>
#include <filesystem>
#include <string>

#include "bench/results/measurements.hpp"
#include "bench/storage/mount.hpp"

namespace plumbline::bench {

// Host, time, kernel, processor, cores and load; the directory with its mount point and file system.
Environment describe_environment(const std::filesystem::path& directory);

// Of the kernel that runs, one for each boot of a machine; empty where it does not say.
std::string boot_id();

double load_average();  // of the last minute; 0 when the system does not say

// Processor time of all cores since boot, in ticks.
struct ProcessorTime {
  double all = 0, stolen = 0;
};
ProcessorTime processor_time();

}  // namespace plumbline::bench
