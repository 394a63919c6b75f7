#pragma once
// The kernel's texts about a node as numbers: the values of enum pl_sampled, in its order. What a text does not have is
// PL_NO_VALUE; a text that is cut off or odd gives what can be told, never an error.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "tracer/spool/format/samples_format.h"

namespace plumbline::record {

using NetworkCounters = std::array<std::uint64_t, 13>;
using InterfaceCounters = std::array<std::uint64_t, 8>;
using DiskCounters = std::array<std::uint64_t, 5>;
using MemoryCounters = std::array<std::uint64_t, 2>;

// Of /proc/net/snmp and /proc/net/netstat, whose lines come in pairs: names, then numbers.
NetworkCounters network_counters(std::string_view snmp, std::string_view netstat);

// Of every line of /proc/net/dev that is an interface.
void for_each_interface(std::string_view dev,
                        const std::function<void(std::string_view name, const InterfaceCounters&)>& visit);

// Of every line of /proc/diskstats, partitions too.
void for_each_disk(std::string_view diskstats,
                   const std::function<void(std::string_view name, const DiskCounters&)>& visit);

std::optional<std::uint64_t> steal(std::string_view stat);              // of /proc/stat
std::optional<std::uint64_t> run_delay_ns(std::string_view schedstat);  // of /proc/schedstat
MemoryCounters memory_counters(std::string_view meminfo);

}  // namespace plumbline::record
