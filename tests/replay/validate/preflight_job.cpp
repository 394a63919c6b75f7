#include "tests/replay/validate/preflight_job.hpp"

namespace plumbline::replay::validate::test {

node::Facts facts_of(const std::map<std::string, std::string>& values) {
  node::Facts facts;
  for (const auto& [name, value] : values) facts.facts[name] = {value, "/sys/somewhere"};
  return facts;
}

PreFlightInput healthy_job(std::uint32_t nodes, std::uint32_t per_node) {
  PreFlightInput input;
  for (std::uint32_t i = 0; i < nodes * per_node; ++i) {
    node::RankIdentity& rank = input.ranks.emplace_back();
    rank.host = "n" + std::to_string(i / per_node);
    rank.boot_id = "boot of " + rank.host;
    rank.process = 1000 + i;
    rank.world_rank = i;
    rank.world_size = nodes * per_node;
    rank.library = "Open MPI v4.1.4";
    rank.flavour = "openmpi";
    rank.affinity = std::to_string(i % per_node);
    rank.cores = 2 * per_node;
    rank.launched["OMPI_COMM_WORLD_SIZE"] = rank.world_size;
    rank.session_directory = "/tmp/ompi." + rank.host;
    rank.session_type = "ext4";
    rank.session_bytes = rank.session_free_bytes = 1ULL << 30;
    rank.shm_bytes = rank.shm_free_bytes = 1ULL << 30;
    rank.shm_device = 23;
    rank.settings = {{"pml.selected", "ob1", "", "", 0}};
  }
  for (std::uint32_t i = 0; i < nodes; ++i)
    input.nodes.push_back({"n" + std::to_string(i), facts_of({{"net.eth0.mtu_bytes", "9000"},
                                                              {"net.eth0.speed_mbit", "1000"},
                                                              {"net.eth0.duplex", "full"},
                                                              {"net.eth0.driver", "igb"},
                                                              {"kernel.release", "6.1.0"}})});
  return input;
}

std::vector<std::string> ids_of(const std::vector<Observation>& observations) {
  std::vector<std::string> ids;
  for (const Observation& observation : observations) ids.push_back(observation.id);
  return ids;
}

std::vector<std::string> ids_of(const std::vector<Diagnosis>& diagnoses) {
  std::vector<std::string> ids;
  for (const Diagnosis& diagnosis : diagnoses) ids.push_back(diagnosis.id);
  return ids;
}

}  // namespace plumbline::replay::validate::test
