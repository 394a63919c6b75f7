#pragma once
// Which socket of its node a process is bound to.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace plumbline::bench {

// CPUs that this process may use, by their numbers in Linux; empty where the kernel does not tell.
std::vector<std::uint32_t> allowed_cpus();

// The package that all of these CPUs are on, as the kernel numbers it; kNoSocket where they are on several or it does
// not tell (no such file; -1, as some virtual machines have). `cpus_directory` has "cpu0/topology/physical_package_id"
// and so on.
std::uint32_t socket_of_cpus(std::span<const std::uint32_t> cpus,
                             const std::filesystem::path& cpus_directory = "/sys/devices/system/cpu");

}  // namespace plumbline::bench
