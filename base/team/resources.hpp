#pragma once
// What this process may use of the machine.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace plumbline {

// Processors that its threads may run on, by their affinity and by the quotas of its control groups; at least one.
// `root` holds proc and sys.
std::uint32_t usable_processors(const std::filesystem::path& root = "/");

// Bytes of memory that can be had without taking them from anybody: MemAvailable of the kernel, and what the limits of
// its control groups leave, where what is kept of files counts as free. Nothing where neither is told.
std::optional<std::uint64_t> available_memory(const std::filesystem::path& root = "/");

}  // namespace plumbline
