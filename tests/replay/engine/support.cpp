#include "support.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "replay/program/text/text.hpp"

namespace plumbline::replay::test {
namespace {

// Fast enough that nothing here takes a picosecond, slow enough to be a rate.
constexpr std::uint64_t kNoTime = 1'000'000'000'000'000'000U;

hw::Platform make(std::uint32_t nodes, std::int64_t microsecond, std::uint64_t rate) {
  hw::Platform p;
  p.name = "star";
  for (std::uint32_t i = 0; i < nodes; ++i) {
    hw::Node& node = p.nodes.emplace_back();
    node.name = fmt::format("n{}", i);
    node.memory_rate = node.interface_rate = {{rate}, 0, ""};
  }
  p.switches.push_back({"s", {{rate}, 0, ""}});
  for (std::uint32_t i = 0; i < nodes; ++i)
    p.edges.push_back({fmt::format("c{}", i), i, nodes, {microseconds(microsecond), 0, ""}, {{rate}, 0, ""}, false});
  p.packets = {Bytes{1'000'000}, Bytes{0}};
  hw::MessageRange eager;
  eager.upto = Bytes{1000};
  eager.send.value = microseconds(microsecond);
  eager.receive.value = microseconds(2 * microsecond);
  hw::MessageRange rendezvous = eager;
  rendezvous.upto.reset();
  rendezvous.protocol = hw::Protocol::kRendezvous;
  p.inside.ranges = {eager, rendezvous};
  eager.latency.value = rendezvous.latency.value = microseconds(3 * microsecond);
  p.between.ranges = {eager, rendezvous};
  hw::FileSystem data;
  data.name = "data";
  data.paths = {"/data"};
  data.cached_write = {{microseconds(10 * microsecond), 0, ""}, {{rate}, 0, ""}};
  data.cached_read = {{microseconds(5 * microsecond), 0, ""}, {{rate}, 0, ""}};
  data.device_write = {{microseconds(100 * microsecond), 0, ""}, {{rate}, 0, ""}};
  data.device_read = {{microseconds(50 * microsecond), 0, ""}, {{rate}, 0, ""}};
  data.open.value = microseconds(20 * microsecond);
  data.close.value = microseconds(4 * microsecond);
  data.sync.value = microseconds(30 * microsecond);
  p.file_systems.push_back(data);
  return p;
}

template <class Use>
testing::AssertionResult same_points(const std::vector<std::string>& names,
                                     const std::optional<hw::StepHistory<Use>>& one,
                                     const std::optional<hw::StepHistory<Use>>& other) {
  if (one.has_value() != other.has_value()) return testing::AssertionFailure() << "only one was recorded";
  if (!one) return testing::AssertionSuccess();
  if (one->step() != other->step())
    return testing::AssertionFailure() << "steps of " << one->step().ps << " and " << other->step().ps << " ps";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [a, b] = std::ranges::mismatch(one->of(i), other->of(i));
    if (a == one->of(i).end() && b == other->of(i).end()) continue;
    const std::uint32_t step = a == one->of(i).end() ? b->step : a->step;
    return testing::AssertionFailure() << names[i] << " differs at " << (one->end_of(step) - Time{}).ps << " ps";
  }
  return testing::AssertionSuccess();
}

}  // namespace

Program program_of(const std::string& text) {
  static std::atomic<int> number = 0;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("plumbline-engine-test-{}-{}", getpid(), ++number);
  Program program = parse_program(text, "program.txt", file);
  std::filesystem::remove(file);  // stays mapped
  return program;
}

hw::Platform star(std::uint32_t nodes) { return make(nodes, 1, 1'000'000'000); }

hw::Platform one_cable() {
  hw::Platform p = star(2);
  for (hw::Node& node : p.nodes) node.interface_rate.value = {4'000'000'000};
  p.switches.clear();
  p.edges.resize(1);
  p.edges.front().to = 1;
  p.packets.granularity = Bytes{1000};
  return p;
}

hw::Platform free_of_cost(std::uint32_t nodes) { return make(nodes, 0, kNoTime); }

std::string one_rank_per_node(std::uint32_t ranks, const std::string& body) {
  std::string text = fmt::format("ranks {}\n", ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) text += fmt::format("node n{0} ranks {0}-{0} cores 1\n", rank);
  return text + body;
}

Program two_ranks(const std::string& of_first, const std::string& of_second) {
  return program_of(one_rank_per_node(2, "rank 0\n" + of_first + "rank 1\n" + of_second));
}

ReplayResult run(const Program& program, const hw::Platform& platform, Mode mode, Form form, hw::CacheCase cache) {
  return replay::replay(program, platform, {.mode = mode, .form = form, .cache = cache, .compute = 1.0});
}

std::string stuck_text(const Program& program, const hw::Platform& platform) {
  try {
    run(program, platform);
  } catch (const Error& error) {
    return error.problems().front().what;
  }
  return "";
}

testing::AssertionResult same_use(const hw::UseRecord& one, const hw::UseRecord& other) {
  const testing::AssertionResult network = same_points(one.names, one.history, other.history);
  if (!network) return network;
  const testing::AssertionResult servers =
      same_points(one.storage.servers, one.storage.server_use, other.storage.server_use);
  if (!servers) return servers;
  const testing::AssertionResult caches =
      same_points(one.storage.caches, one.storage.cache_use, other.storage.cache_use);
  if (!caches) return caches;
  return same_points(one.storage.devices, one.storage.device_use, other.storage.device_use);
}

}  // namespace plumbline::replay::test
