// File servers: small requests per second, and a large collective write as independent ones. The network does most of
// the work in both.

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "hwmodels/storage/file_servers.hpp"
#include "tests/perf/cpu_time.hpp"

namespace {

using namespace plumbline;

struct Load {
  const char* name;
  std::uint32_t clients, servers;
  std::uint64_t request, requests_of_client, packet;
};

// Clients, then servers, each on a node of its own, all on one switch.
hw::Platform star(const Load& load) {
  hw::Platform platform;
  for (std::uint32_t i = 0; i < load.clients + load.servers; ++i) {
    hw::Node node;
    node.name = std::to_string(i);
    node.interface_rate.value = node.memory_rate.value = {12'500'000'000};
    platform.nodes.push_back(node);
    hw::Edge edge;
    edge.from = i;
    edge.to = load.clients + load.servers;
    edge.latency.value = microseconds(1);
    edge.rate.value = {12'500'000'000};
    platform.edges.push_back(edge);
  }
  platform.switches.push_back({"s0", {{1'000'000'000'000}, 0, ""}});
  platform.packets.granularity = {load.packet};
  hw::FileSystem fs;
  for (std::uint32_t i = 0; i < load.servers; ++i) {
    hw::Server server;
    server.node = load.clients + i;
    server.device.simple = hw::SimpleDevice{{microseconds(20), 0, ""}, {{5'000'000'000}, 0, ""}};
    platform.servers.push_back(server);
    fs.distribution.servers.push_back(i);
  }
  platform.file_systems.push_back(fs);
  return platform;
}

void run(const Load& load) {
  const hw::Platform platform = star(load);
  hw::Topology topology(platform);
  hw::StoreAndForward network(topology, platform.packets);
  sim::EventQueue queue;
  const std::uint32_t ours = static_cast<std::uint32_t>(topology.components().size());
  hw::storage::FileServers servers(platform, network, ours);
  servers.add_file(0, 0, "/file", {0, {}, {}});
  // Call k of client i is number k * clients + i of the file.
  const auto write = [&](std::uint64_t number, Time now) {
    const std::uint32_t client = static_cast<std::uint32_t>(number % load.clients);
    const hw::storage::Extent one[] = {{number * load.request, load.request}};
    servers.access({static_cast<std::uint32_t>(number), client, client}, 0, hw::Access::kWrite, one, now, queue);
  };
  const std::uint64_t all = load.clients * load.requests_of_client;
  const double begin = perf::cpu_seconds();
  for (std::uint32_t client = 0; client < load.clients; ++client) write(client, Time{});
  std::vector<hw::Notification> notes;
  std::vector<hw::storage::Completion> done;
  Time end;
  while (!queue.empty()) {
    const sim::Event event = queue.pop();
    end = event.at;
    if (event.component < ours) {
      notes.clear();
      network.handle(event, queue, notes);
      for (const hw::Notification& note : notes) servers.notified(note, event.at, queue);
    } else {
      servers.handle(event, queue);
    }
    done.clear();
    servers.take_completions(done);
    for (const hw::storage::Completion& completion : done)
      if (completion.request + load.clients < all) write(completion.request + load.clients, event.at);
  }
  const double took = perf::cpu_seconds() - begin;
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  fmt::print(
      "storage, {}: {} requests of {} B from {} clients to {} servers, packets of {} B: {:.2f} s CPU, {:.0f} thousand "
      "requests/s, {:.2f} M services/s, {:.3f} s simulated, {} MB\n",
      load.name, all, load.request, load.clients, load.servers, load.packet, took,
      static_cast<double>(all) / took * 1e-3, static_cast<double>(network.services()) / took * 1e-6, end.seconds(),
      use.ru_maxrss / 1'000);
}

}  // namespace

int main() {
  run({"small writes", 64, 4, 4'096, 4'096, 102'400});
  run({"1 TiB", 512, 16, 16 << 20, 128, 1 << 20});
  run({"1 TiB, as large requests", 512, 16, std::uint64_t{1} << 31, 1, 1 << 20});
}
