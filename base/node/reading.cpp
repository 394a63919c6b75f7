#include "base/node/reading.hpp"

#include "base/node/source.hpp"
#include "base/node/subjects.hpp"

namespace plumbline::node {

Facts read_settings(const ReadOptions& options) {
  Facts facts;
  Source source(options, facts);
  read_cgroup_settings(source);
  read_coalescing(source, options);
  read_cpu_settings(source);
  read_cpu_idle_settings(source);
  read_disk_settings(source);
  read_interface_settings(source);
  read_kernel_settings(source);
  read_memory_settings(source, options);
  read_process_settings(source);
  read_rdma_settings(source);
  read_sysctl_settings(source);
  read_directories(source, options);
  return facts;
}

Facts read_counters(const ReadOptions& options) {
  Facts facts;
  Source source(options, facts);
  read_cgroup_counters(source);
  read_cpu_counters(source);
  read_cpu_idle_counters(source);
  read_disk_counters(source);
  read_interface_counters(source);
  read_interrupt_counters(source);
  read_memory_counters(source);
  read_nfs_counters(source);
  read_protocol_counters(source);
  read_rdma_counters(source);
  read_softnet_counters(source);
  return facts;
}

}  // namespace plumbline::node
