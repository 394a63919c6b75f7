#include "replay_bench.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "base/files/unfinished.hpp"

namespace plumbline::perf {
namespace {

using namespace replay;

constexpr BytesPerSecond kRate{12'500'000'000};
constexpr std::size_t kBlock = 16;  // what malloc takes for itself, at most

double anonymous_mib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == "RssAnon:") {
      double kib = 0;
      status >> kib;
      return kib / 1024;
    }
  return 0;
}

// The system does not keep the largest anonymous memory so far, so a thread looks every few milliseconds.
class MemorySampler {
 public:
  MemorySampler() : thread_([this] { sample(); }) {}
  ~MemorySampler() { finish(); }

  double finish() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
    return largest_;
  }

 private:
  void sample() {
    while (!over_) {
      largest_ = std::max(largest_, anonymous_mib());
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
  }

  double largest_ = 0;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

Time last_end(const ReplayResult& result) {
  Time last;
  for (const auto& rank : result.times)
    if (!rank.empty()) last = std::max(last, rank.back().end);
  return last;
}

hw::Parameter<Duration> duration(Duration value) { return {value, 0, ""}; }
hw::Parameter<BytesPerSecond> rate(BytesPerSecond value) { return {value, 0, ""}; }

hw::Platform nodes_alone(std::uint32_t count) {
  hw::Platform p;
  for (std::uint32_t i = 0; i < count; ++i) {
    hw::Node node;
    node.name = fmt::format("n{}", i);
    node.memory_rate = rate({20'000'000'000});
    node.interface_rate = rate({50'000'000'000});
    p.nodes.push_back(node);
  }
  hw::MessageRange eager;
  eager.upto = Bytes{64 * 1024};
  eager.send.value = eager.receive.value = nanoseconds(300);
  hw::MessageRange rendezvous = eager;
  rendezvous.upto.reset();
  rendezvous.protocol = hw::Protocol::kRendezvous;
  p.inside.ranges = p.between.ranges = {eager, rendezvous};
  return p;
}

void add_switch(hw::Platform& platform, const std::string& name) {
  hw::Switch device;
  device.name = name;
  device.rate = rate({1'000'000'000'000});
  platform.switches.push_back(device);
}

std::uint32_t add_cable(hw::Platform& platform, std::uint32_t from, std::uint32_t to) {
  hw::Edge edge;
  edge.name = fmt::format("e{}", platform.edges.size());
  edge.from = from;
  edge.to = to;
  edge.latency = duration(microseconds(1));
  edge.rate = rate(kRate);
  platform.edges.push_back(edge);
  return static_cast<std::uint32_t>(platform.edges.size() - 1);
}

}  // namespace

void RankWriter::post(OpKind kind, std::uint32_t peer, std::uint32_t tag, std::uint64_t bytes, std::uint32_t slot) {
  Operation op{.kind = kind};
  op.call = builder_.call(kind == OpKind::kIsend ? "MPI_Isend" : "MPI_Irecv");
  op.comm = 0;
  op.peer = static_cast<std::int32_t>(peer);
  op.tag = static_cast<std::int32_t>(tag);
  op.extra = slot;
  op.bytes = bytes;
  put(op, nanoseconds(300));
}

void RankWriter::wait_all(std::uint32_t slots) {
  std::vector<std::uint32_t> all(slots);
  std::iota(all.begin(), all.end(), 0U);
  Operation op{.kind = OpKind::kWait};
  op.call = builder_.call("MPI_Waitall");
  op.extra = builder_.add_requests(all);
  put(op, microseconds(4));
}

void RankWriter::sendrecv(std::uint32_t to, std::uint32_t from, std::uint32_t tag, std::uint64_t bytes) {
  Operation op{.kind = OpKind::kSendrecv};
  op.call = builder_.call("MPI_Sendrecv");
  op.comm = 0;
  op.peer = static_cast<std::int32_t>(to);
  op.tag = static_cast<std::int32_t>(tag);
  op.bytes = bytes;
  op.extra = builder_.add(SendrecvTail{static_cast<std::int32_t>(from), static_cast<std::int32_t>(tag), bytes});
  put(op, microseconds(2));
}

void RankWriter::allreduce(std::uint64_t bytes) {
  Operation op{.kind = OpKind::kCollective};
  op.call = builder_.call("MPI_Allreduce");
  op.comm = 0;
  op.tag = static_cast<std::int32_t>(Collective::kAllreduce);
  op.bytes = bytes;
  CollectiveTail tail;
  tail.received = bytes;
  op.extra = builder_.add(tail);
  put(op, microseconds(20));
}

void RankWriter::put(const Operation& op, Duration duration) {
  builder_.add(op, {now_, now_ + duration});
  now_ += duration;
}

namespace {

Program write_to(const std::filesystem::path& file, std::uint32_t ranks, std::uint32_t request_slots,
                 const std::function<void(RankWriter&)>& write) {
  ProgramBuilder builder(file);
  std::vector<std::uint32_t> world(ranks);
  std::iota(world.begin(), world.end(), 0U);
  builder.comm(world);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    builder.begin_rank(builder.node(fmt::format("n{}", rank)), 1);
    RankWriter writer(builder, rank);
    write(writer);
    builder.end_rank(request_slots);
  }
  return builder.finish();
}

}  // namespace

void write_program(const std::filesystem::path& file, std::uint32_t ranks, std::uint32_t request_slots,
                   const std::function<void(RankWriter&)>& write) {
  write_to(file, ranks, request_slots, write);
}

Program program_of(std::uint32_t ranks, std::uint32_t request_slots, const std::function<void(RankWriter&)>& write) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("plumbline-bench-{}.program", getpid());
  remove_unfinished_when_ended();
  const double begin = cpu_seconds();
  Program program = write_to(file, ranks, request_slots, write);
  fmt::print("{} ranks: program of {:.1f} MiB written in {:.2f} CPU s\n", ranks,
             static_cast<double>(std::filesystem::file_size(file)) / (1 << 20), cpu_seconds() - begin);
  std::filesystem::remove(file);  // stays mapped
  malloc_trim(0);
  return program;
}

hw::Platform star(std::uint32_t nodes) {
  hw::Platform p = nodes_alone(nodes);
  p.name = "star";
  add_switch(p, "s");
  for (std::uint32_t node = 0; node < nodes; ++node) add_cable(p, node, nodes);
  return p;
}

hw::Platform fat_tree() {
  constexpr std::uint32_t kLeaves = 16, kDown = 16, kSpines = 8, kNodes = kLeaves * kDown;
  hw::Platform p = nodes_alone(kNodes);
  p.name = "fat tree";
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf) add_switch(p, fmt::format("leaf{}", leaf));
  for (std::uint32_t spine = 0; spine < kSpines; ++spine) add_switch(p, fmt::format("spine{}", spine));
  for (std::uint32_t node = 0; node < kNodes; ++node) add_cable(p, node, kNodes + node / kDown);
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf)
    for (std::uint32_t spine = 0; spine < kSpines; ++spine) add_cable(p, kNodes + leaf, kNodes + kLeaves + spine);
  const auto up = [&](std::uint32_t leaf, std::uint32_t spine) { return kNodes + leaf * kSpines + spine; };
  for (std::uint32_t from = 0; from < kNodes; ++from)
    for (std::uint32_t to = 0; to < kNodes; ++to)
      if (from / kDown != to / kDown)
        p.routes.push_back({from, to, {from, up(from / kDown, to % kSpines), up(to / kDown, to % kSpines), to}});
  return p;
}

hw::Platform loggp(std::uint32_t nodes) {
  hw::Platform p = nodes_alone(nodes);
  p.name = "LogGP";
  p.network = hw::NetworkKind::kLogGP;
  for (hw::MessageRange& range : p.between.ranges) {
    range.latency.value = microseconds(2);
    range.gap.value = nanoseconds(300);
    range.gap_rate = rate(kRate);
  }
  return p;
}

hw::Platform sampled(std::uint32_t nodes) {
  constexpr int kKnots = 30;
  hw::Platform p = loggp(nodes);
  p.name = "sampled";
  p.network = hw::NetworkKind::kSampled;
  for (hw::Transport* transport : {&p.inside, &p.between})
    for (hw::MessageRange& range : transport->ranges)
      for (const std::uint64_t size : {8ULL, 1024ULL, 4096ULL, 65536ULL, 1ULL << 20})
        for (const std::uint32_t in_flight : {1U, 16U, 256U}) {
          hw::MessageTimes times{Bytes{size}, in_flight, 0, "", {}};
          const Duration least = microseconds(3) + transfer_time(Bytes{size * in_flight}, kRate);
          for (int i = 0; i <= kKnots; ++i) {
            const double share = static_cast<double>(i) / kKnots;
            times.quantiles.push_back({share, duration_from_seconds(least.seconds() * (1 + 0.1 / (1.01 - share)))});
          }
          range.times.push_back(times);
        }
  return p;
}

void measure(const std::string& name, const Program& program, const hw::Platform& platform,
             const ReplayOptions& options, int runs) {
  double best = std::numeric_limits<double>::max();
  std::string line;
  for (int run = 0; run < runs; ++run) {
    const double begin = cpu_seconds();
    const ReplayResult result = replay::replay(program, platform, options);
    const double seconds = cpu_seconds() - begin;
    if (seconds >= best) continue;
    best = seconds;
    line = fmt::format(
        "{}, {}: {} messages, {} events in {:.3f} CPU s: {:.2f} M messages/s, {:.1f} M events/s, "
        "simulated {:.6f} s, {} late starts",
        platform.name, name, result.messages, result.events, seconds,
        static_cast<double>(result.messages) / seconds * 1e-6, static_cast<double>(result.events) / seconds * 1e-6,
        last_end(result).seconds(), result.late_starts);
  }
  malloc_trim(0);
  const double before = anonymous_mib();
  MemorySampler sampler;
  double results = 0;
  {
    const ReplayResult result = replay::replay(program, platform, options);
    for (const auto& rank : result.times)
      results += static_cast<double>(sizeof rank + kBlock + rank.size() * sizeof(OperationTimes)) / (1 << 20);
  }
  const double memory = sampler.finish() - before;
  fmt::print("{}; {:.1f} MiB beside the program, {:.1f} of it results; {:.0f} bytes a rank without them\n", line,
             memory, results, (memory - results) * (1 << 20) / program.ranks());
}

}  // namespace plumbline::perf
