#pragma once
// What a process says of itself without a message to any other: so it can be read also where every process is rank 0
// of a world of its own.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::node {

// A setting of the MPI library that is in force, and who has set it.
struct RankSetting {
  std::string name, value;  // {"pml", "ob1"}, {"UCX_TLS", "tcp"}
  std::string how;          // "file", "environment", "command line", "set"; empty: the default, or not known
  std::string file;         // of "file"; of "environment" the name of the variable
  std::uint32_t line = 0;   // in the file, from 1; 0: not known

  bool operator==(const RankSetting&) const = default;
};

struct RankIdentity {
  std::string host, boot_id;
  std::uint64_t process = 0;
  std::uint32_t world_rank = 0, world_size = 1;  // size 0: it has not come through MPI_Init, so far
  std::string library;                           // first line of MPI_Get_library_version
  std::string flavour;                           // "openmpi", "mpich"
  std::string thread_level;                      // "single", "funneled", "serialized", "multiple"
  std::string affinity;                          // processors that it may run on: "0-3,8"
  std::uint32_t cores = 0;                       // processors of the node that are online
  double quota_cores = 0;                        // of the control group; 0: none
  // How many processes the launcher says that it has started, by name of the variable: "OMPI_COMM_WORLD_SIZE".
  std::map<std::string, std::uint64_t> launched;
  std::string session_directory, session_type;  // empty: the library has none
  std::uint64_t session_bytes = 0, session_free_bytes = 0;
  bool session_writable = true;
  std::uint64_t shm_bytes = 0, shm_free_bytes = 0;  // of /dev/shm; 0: there is none
  std::uint64_t shm_device = 0;                     // its number: ranks that see the same one share memory by it
  std::string debug;                                // what says that it is a debug build; empty: nothing does
  bool yields = false;                              // who waits gives the processor away
  std::vector<RankSetting> settings;                // of transports

  bool operator==(const RankIdentity&) const = default;
};

// As JSON text, and back. Throws Error where the text is none of ours.
std::string to_json(const RankIdentity& identity);
RankIdentity identity_from_json(std::string_view text, const std::string& name);

}  // namespace plumbline::node
