#pragma once
// What is read of each subject, one function and one file for each; docs/reference/node-facts.md lists the names.

#include <filesystem>
#include <string>

#include "base/node/facts.hpp"
#include "base/node/source.hpp"

namespace plumbline::node {

void read_cgroup_settings(Source& source);
void read_cpu_settings(Source& source);
void read_cpu_idle_settings(Source& source);
void read_disk_settings(Source& source);
void read_interface_settings(Source& source);
void read_kernel_settings(Source& source);
void read_memory_settings(Source& source, const ReadOptions& options);
void read_process_settings(Source& source);
void read_rdma_settings(Source& source);
void read_sysctl_settings(Source& source);
void read_coalescing(Source& source, const ReadOptions& options);
void read_directories(Source& source, const ReadOptions& options);

void read_cgroup_counters(Source& source);
void read_cpu_counters(Source& source);
void read_cpu_idle_counters(Source& source);
void read_disk_counters(Source& source);
void read_interface_counters(Source& source);
void read_interrupt_counters(Source& source);
void read_memory_counters(Source& source);
void read_nfs_counters(Source& source);
void read_protocol_counters(Source& source);
void read_rdma_counters(Source& source);
void read_softnet_counters(Source& source);

// Where a device hangs on PCI Express: name.pcie_speed_gts, .pcie_speed_max_gts, .pcie_width, .pcie_width_max,
// .numa_node. `device`: its directory in /sys.
void read_pcie(Source& source, const std::string& name, const std::string& device);

}  // namespace plumbline::node
