#include "replay/validate/witness/setting_meanings.hpp"

#include <algorithm>

namespace plumbline::replay::validate {
namespace {

constexpr std::string_view kForced = "mpi.collectives.forced", kEager = "mpi.eager-limit",
                           kChanged = "mpi.setting.changed", kLocks = "io.ompio.lock-algorithm";

// The first that fits counts.
constexpr SettingMeaning kMeanings[] = {
    {"coll_tuned_*_algorithm", kForced, "forces the algorithm of a collective"},
    {"coll_libnbc_*_algorithm", kForced, "forces the algorithm of a non-blocking collective"},
    {"coll_tuned_use_dynamic_rules", kForced, "replaces the rules by which algorithms are chosen"},
    {"coll_tuned_dynamic_rules_filename", kForced, "names a file of rules for algorithms"},
    {"coll_han_*", kForced, "changes hierarchical collectives"},
    {"coll_*_priority", kForced, "changes which component makes the collectives"},
    {"coll", kForced, "limits the components for collectives"},
    {"MPIR_CVAR_*_ALGORITHM", kForced, "forces the algorithm of a collective"},
    {"MPIR_CVAR_*DEVICE_COLLECTIVE*", kForced, "changes whether the device makes the collectives"},
    {"MPIR_CVAR_COLL_*JSON_FILE", kForced, "names a file of rules for algorithms"},
    {"MPIR_CVAR_*COLL_EAGER*", kForced, "changes from which size on collectives use another algorithm"},
    {"MPIR_CVAR_*_MSG_SIZE", kForced, "changes from which size on a collective uses another algorithm"},
    {"MPIR_CVAR_*_MIN_PROCS", kForced, "changes from how many ranks on a collective uses another algorithm"},
    {"MPIR_CVAR_ENABLE_HCOLL", kForced, "gives collectives to hcoll"},
    {"btl_*_rndv_eager_limit", kEager, "changes how much of a large message goes with its announcement"},
    {"btl_*_eager_limit", kEager, "changes up to which size a message goes without asking"},
    {"btl_*_max_send_size", kEager, "changes the pieces in which large messages go"},
    {"btl_*_rdma_pipeline_send_length", kEager, "changes how large messages begin"},
    {"MPIR_CVAR_*EAGER*", kEager, "changes up to which size a message goes without asking"},
    {"MPIR_CVAR_*RNDV*", kEager, "changes how messages go that have to ask"},
    {"UCX_RNDV_*", kEager, "changes from which size on a message asks first"},
    {"UCX_ZCOPY_THRESH", kEager, "changes from which size on a message is not copied"},
    {"btl_vader_single_copy_mechanism", kChanged, "changes how large local messages are copied"},
    {"MPIR_CVAR_CH4_CMA_ENABLE", kChanged, "changes whether large local messages are copied once"},
    {"MPIR_CVAR_CH4_XPMEM_ENABLE", kChanged, "changes whether large local messages are copied once"},
    {"fs_ufs_lock_algorithm", kLocks, "changes what OMPIO locks around each access to a file"},
    {"pml", kChanged, "limits the components for messages"},
    {"mtl", kChanged, "limits the libraries of fast networks"},
    {"btl", kChanged, "limits the transports"},
    {"osc", kChanged, "limits the components for one-sided communication"},
    {"io", kChanged, "chooses between OMPIO and ROMIO"},
    {"fcoll", kChanged, "chooses how OMPIO joins collective access"},
    {"fs", kChanged, "chooses how OMPIO uses the file system"},
    {"fbtl_posix_*_datasieving", kChanged, "changes whether OMPIO reads and writes across gaps"},
    {"io_ompio_num_aggregators", kChanged, "changes how many ranks write for all"},
    {"io_ompio_bytes_per_agg", kChanged, "changes the buffer of collective access"},
    {"io_ompio_cycle_buffer_size", kChanged, "changes how much goes to the file at a time"},
    {"io_ompio_grouping_option", kChanged, "changes how ranks are grouped for collective access"},
    {"btl_tcp_if_*", kChanged, "limits the network interfaces"},
    {"btl_tcp_links", kChanged, "changes how many connections a pair of ranks has"},
    {"btl_tcp_use_nagle", kChanged, "lets small messages wait for an acknowledgement"},
    {"btl_tcp_???buf", kChanged, "fixes a socket buffer, which the kernel would adapt"},
    {"btl_vader_backing_directory", kChanged, "moves the files of shared memory"},
    {"shmem_mmap_backing_file_base_dir", kChanged, "moves the files of shared memory"},
    {"hwloc_base_binding_policy", kChanged, "changes what ranks are bound to"},
    {"mpi_leave_pinned", kChanged, "changes whether buffers stay registered"},
    {"mpi_yield_when_idle", kChanged, "lets ranks that wait give their processor away"},
    {"MPIR_CVAR_NETMOD", kChanged, "chooses the network module"},
    {"MPIR_CVAR_NOLOCAL", kChanged, "takes ranks of one node for distant ones"},
    {"MPIR_CVAR_ODD_EVEN_CLIQUES", kChanged, "takes ranks of one node for distant ones"},
    {"MPIR_CVAR_ASYNC_PROGRESS", kChanged, "gives each rank a thread for progress"},
    {"UCX_TLS", kChanged, "limits the transports"},
    {"UCX_NET_DEVICES", kChanged, "limits the network devices"},
    {"UCX_*_ZCOPY*", kChanged, "changes from which size on a message is not copied"},
    {"UCX_*_SEG_SIZE", kChanged, "changes the pieces in which messages go"},
    {"UCX_TCP_*BUF", kChanged, "fixes a socket buffer, which the kernel would adapt"},
    {"UCX_TCP_NODELAY", kChanged, "lets small messages wait for an acknowledgement"},
    {"UCX_MAX_*_LANES", kChanged, "changes over how many ways a message goes"},
    {"UCX_MAX_*_RAILS", kChanged, "changes over how many ways a message goes"},
    {"FI_PROVIDER", kChanged, "chooses the provider of libfabric"},
    {"HCOLL_*", kChanged, "changes hcoll"},
    {"UCC_*", kChanged, "changes UCC"},
    {"PSM2_*", kChanged, "changes Omni-Path"}};

}  // namespace

std::span<const SettingMeaning> setting_meanings() { return kMeanings; }

const SettingMeaning* meaning_of(std::string_view name) {
  const auto found =
      std::ranges::find_if(kMeanings, [&](const SettingMeaning& meaning) { return fits(name, meaning.pattern); });
  return found == std::end(kMeanings) ? nullptr : &*found;
}

// '?' stands for one character. After Kirk Krauss: a star takes as little as it can, and one more when the rest fails.
bool fits(std::string_view name, std::string_view pattern) {
  std::size_t at = 0, in = 0, star = std::string_view::npos, behind = 0;
  while (at < name.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      behind = at;
    } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == name[at])) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++behind;
    } else {
      return false;
    }
  }
  while (in < pattern.size() && pattern[in] == '*') ++in;
  return in == pattern.size();
}

}  // namespace plumbline::replay::validate
