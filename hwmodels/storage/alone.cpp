#include "hwmodels/storage/alone.hpp"

#include <vector>

#include "hwmodels/storage/file_servers.hpp"

namespace plumbline::hw::storage {
namespace {

Platform without_clients_costs(Platform platform, std::uint32_t file_system) {
  platform.file_systems[file_system].cached_read = platform.file_systems[file_system].cached_write = {};
  return platform;
}

// Servers and the client are on the first sockets of their nodes.
std::vector<std::uint32_t> endpoints_of(const Platform& platform, const Topology& topology) {
  std::vector<std::uint32_t> endpoints;
  for (const Server& server : platform.servers) endpoints.push_back(topology.endpoint(server.node, 0));
  return endpoints;
}

// The first node on which the first server of the file system is not, or the only one.
std::uint32_t node_of_client(const Platform& platform, std::uint32_t file_system) {
  const std::uint32_t server = platform.file_systems[file_system].distribution.servers.front();
  const bool is_first = platform.servers[server].node == 0;
  return is_first && platform.nodes.size() > 1 ? 1 : 0;
}

class OneClient {
 public:
  OneClient(const Platform& platform, std::uint32_t client)
      : client_(client),
        topology_(platform),
        network_(topology_, platform.packets),
        servers_(platform, network_, static_cast<std::uint32_t>(topology_.components().size()),
                 {Bracket::kAsGiven, endpoints_of(platform, topology_)}) {}

  Duration access(std::uint32_t file_system, Access kind, Bytes bytes) {
    const std::vector<Extent> all{{0, bytes.count}};
    servers_.add_file(0, file_system, "/", {0, {}, {}}, bytes);
    servers_.access({0, client_, 0, topology_.endpoint(client_, 0)}, 0, kind, all, Time{}, queue_);
    std::vector<Completion> done;
    Time now;
    for (servers_.take_completions(done); done.empty() && !queue_.empty(); servers_.take_completions(done)) {
      const sim::Event event = queue_.pop();
      now = event.at;
      handle(event);
    }
    return now - Time{};
  }

 private:
  void handle(const sim::Event& event) {
    if (event.component >= topology_.components().size()) {
      servers_.handle(event, queue_);
      return;
    }
    notes_.clear();
    network_.handle(event, queue_, notes_);
    for (const Notification& note : notes_) servers_.notified(note, event.at, queue_);
  }

  std::uint32_t client_;  // its node
  Topology topology_;
  StoreAndForward network_;
  FileServers servers_;
  sim::EventQueue queue_;
  std::vector<Notification> notes_;
};

}  // namespace

Duration time_alone(const Platform& platform, std::uint32_t file_system, Access kind, Bytes bytes) {
  const Platform bare = without_clients_costs(platform, file_system);
  return OneClient(bare, node_of_client(bare, file_system)).access(file_system, kind, bytes);
}

}  // namespace plumbline::hw::storage
