/* The files of /proc and /sys that are copied of a node: those that the readers of base/node ask for, as far as reading
 * them neither waits nor costs much. Not scaling_cur_freq: kernels before 5.18 sleep in it for each processor. What is
 * likely to explain a slow run comes first, because a reading is bounded. */
#ifndef PLUMBLINE_TRACER_PRELOAD_NODE_PATHS_H
#define PLUMBLINE_TRACER_PRELOAD_NODE_PATHS_H

enum pl_node_part {
  PL_NODE_FILE,
  PL_NODE_HEAD, /* of a list whose entries are alike, its first lines */
  PL_NODE_LINK,
  PL_NODE_NAMES
};

struct pl_node_path {
  const char* directory; /* '*' is any name, '#' any number; a part of a path has one of them at most, at its end */
  const char* names;     /* in it, with blanks between them; none: `directory` is the path */
  int again;             /* at the end too: it counts, or is needed to understand what counts */
  enum pl_node_part part;
};

#define PL_NODE_PROCESSOR "/sys/devices/system/cpu/cpu#/"
#define PL_NODE_PORT "/sys/class/infiniband/*/ports/#/"

static const struct pl_node_path pl_node_paths[] = {
    {"/proc/net/", "snmp netstat softnet_stat", 1, PL_NODE_FILE},
    {"/sys/class/net/*/statistics/",
     "rx_bytes tx_bytes rx_packets tx_packets rx_errors tx_errors rx_dropped tx_dropped collisions rx_crc_errors "
     "rx_frame_errors rx_length_errors rx_fifo_errors rx_missed_errors tx_carrier_errors",
     1, PL_NODE_FILE},
    {"/proc/self/", "cgroup mountinfo", 1, PL_NODE_FILE},
    {"/proc/self/", "mountstats", 1, PL_NODE_FILE},
    {"/proc/", "vmstat", 1, PL_NODE_FILE},
    {"/sys/block/*/", "stat", 1, PL_NODE_FILE},
    {"/sys/devices/system/node/node#/", "numastat", 1, PL_NODE_FILE},
    {PL_NODE_PORT "counters/",
     "symbol_error link_error_recovery link_downed local_link_integrity_errors excessive_buffer_overrun_errors "
     "port_rcv_errors port_xmit_discards port_xmit_wait port_rcv_data port_xmit_data",
     1, PL_NODE_FILE},

    {"/sys/class/net/*/", "speed duplex mtu operstate type tx_queue_len", 0, PL_NODE_FILE},
    {"/sys/class/net/*/", "device", 1, PL_NODE_LINK},
    {"/sys/class/net/*/device/", "driver", 0, PL_NODE_LINK},
    {"/sys/class/net/*/device/", "current_link_speed max_link_speed current_link_width max_link_width numa_node", 0,
     PL_NODE_FILE},
    {"/sys/class/net/*/", "queues", 0, PL_NODE_NAMES},
    {"/sys/class/infiniband/*/", "fw_ver board_id", 0, PL_NODE_FILE},
    {"/sys/class/infiniband/*/device/", "driver", 0, PL_NODE_LINK},
    {"/sys/class/infiniband/*/device/", "current_link_speed max_link_speed current_link_width max_link_width numa_node",
     0, PL_NODE_FILE},
    {PL_NODE_PORT, "state phys_state rate link_layer", 0, PL_NODE_FILE},
    {"/proc/self/", "status uid_map", 0, PL_NODE_FILE},
    {"/proc/", "meminfo cmdline mdstat", 0, PL_NODE_FILE},
    {"/proc/sys/kernel/",
     "osrelease version numa_balancing sched_autogroup_enabled watchdog nmi_watchdog perf_event_paranoid shmmax", 0,
     PL_NODE_FILE},
    {"/proc/sys/kernel/yama/", "ptrace_scope", 0, PL_NODE_FILE},
    {"/proc/sys/vm/",
     "zone_reclaim_mode overcommit_memory dirty_ratio dirty_background_ratio dirty_bytes dirty_background_bytes "
     "dirty_expire_centisecs swappiness max_map_count",
     0, PL_NODE_FILE},
    {"/proc/sys/net/core/",
     "busy_poll busy_read rmem_max wmem_max rmem_default wmem_default somaxconn netdev_max_backlog netdev_budget "
     "netdev_budget_usecs default_qdisc",
     0, PL_NODE_FILE},
    {"/proc/sys/net/ipv4/",
     "tcp_rmem tcp_wmem tcp_mem tcp_congestion_control tcp_available_congestion_control tcp_mtu_probing tcp_sack "
     "tcp_timestamps tcp_window_scaling tcp_moderate_rcvbuf tcp_slow_start_after_idle tcp_autocorking "
     "tcp_max_syn_backlog",
     0, PL_NODE_FILE},
    {"/sys/kernel/mm/transparent_hugepage/", "enabled defrag shmem_enabled", 0, PL_NODE_FILE},
    {"/sys/kernel/mm/hugepages/*/", "nr_hugepages", 0, PL_NODE_FILE},
    {"/sys/kernel/mm/damon/admin/kdamonds/", "nr_kdamonds", 0, PL_NODE_FILE},
    {"/sys/bus/virtio/devices/*/", "device features", 0, PL_NODE_FILE},
    {"/sys/devices/system/node/", "online", 0, PL_NODE_FILE},
    {"/sys/devices/system/node/node#/", "meminfo cpulist", 0, PL_NODE_FILE},
    {"/sys/devices/system/clocksource/clocksource0/", "current_clocksource available_clocksource", 0, PL_NODE_FILE},
    {"/sys/devices/system/cpu/", "online present isolated", 0, PL_NODE_FILE},
    {"/sys/devices/system/cpu/smt/", "active", 0, PL_NODE_FILE},
    {"/sys/devices/system/cpu/intel_pstate/", "no_turbo", 0, PL_NODE_FILE},
    {"/sys/devices/system/cpu/cpufreq/", "boost", 0, PL_NODE_FILE},
    {"/sys/devices/system/cpu/cpuidle/", "current_driver current_governor", 0, PL_NODE_FILE},
    {"/sys/devices/system/cpu/vulnerabilities/*", "", 0, PL_NODE_FILE},
    {"/sys/block/*/", "size", 0, PL_NODE_FILE},
    {"/sys/block/*/device/", "model", 0, PL_NODE_FILE},
    {"/sys/block/*/queue/", "rotational write_cache scheduler nr_requests read_ahead_kb wbt_lat_usec", 0, PL_NODE_FILE},

    {PL_NODE_PROCESSOR "topology/", "core_id physical_package_id", 1, PL_NODE_FILE},
    {PL_NODE_PROCESSOR "thermal_throttle/",
     "core_throttle_count core_throttle_total_time_ms package_throttle_count package_throttle_total_time_ms", 1,
     PL_NODE_FILE},
    {PL_NODE_PROCESSOR "cpufreq/",
     "scaling_governor scaling_driver energy_performance_preference scaling_max_freq cpuinfo_max_freq", 0,
     PL_NODE_FILE},
    {PL_NODE_PROCESSOR "topology/", "thread_siblings_list", 0, PL_NODE_FILE},
    {"/sys/class/net/*/device/", "msi_irqs", 1, PL_NODE_NAMES},
    {"/proc/", "interrupts", 1, PL_NODE_FILE},
    {"/proc/", "cpuinfo", 0, PL_NODE_HEAD},
    {PL_NODE_PROCESSOR "cpuidle/state#/", "name usage time", 1, PL_NODE_FILE},
    {PL_NODE_PROCESSOR "cpuidle/state#/", "latency disable", 0, PL_NODE_FILE},
};

#endif
