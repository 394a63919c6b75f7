// The workload halo2d (a periodic 2-D halo exchange with a sparse allreduce), replayed free and anchored.
//
// usage: halo [PX PY ITERATIONS BYTES COMPUTE_US ALLREDUCE_EVERY]     defaults 8 8 4000 8192 100 10: 1 M messages
//
// PX·PY ranks, one per node, rank r at x = r mod PX, y = r div PX; neighbours k = 0..3: (x−1, y), (x+1, y), (x, y−1),
// (x, y+1). An iteration: four Irecv from neighbour k with tag k xor 1, four Isend to neighbour k with tag k, a
// Waitall, compute; after every ALLREDUCE_EVERY-th an Allreduce of one double. Nodes hang on one switch: 12.5 GB/s, 1
// µs.

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>

#include "replay/replay.hpp"

namespace {

using namespace plumbline;
using namespace plumbline::replay;

struct Workload {
  std::uint32_t px = 8, py = 8, iterations = 4000;
  std::uint64_t bytes = 8192;
  std::int64_t compute_us = 100;
  std::uint32_t allreduce_every = 10;

  std::uint32_t ranks() const { return px * py; }
  std::array<std::uint32_t, 4> neighbours(std::uint32_t rank) const {
    const std::uint32_t x = rank % px, y = rank / px;
    return {y * px + (x + px - 1) % px, y * px + (x + 1) % px, (y + py - 1) % py * px + x, (y + 1) % py * px + x};
  }
};

Workload parse(int argc, char** argv) {
  Workload w;
  const auto number = [&](int i, auto& value) {
    if (i < argc) value = static_cast<std::remove_reference_t<decltype(value)>>(std::strtoull(argv[i], nullptr, 10));
  };
  number(1, w.px), number(2, w.py), number(3, w.iterations), number(4, w.bytes), number(5, w.compute_us);
  number(6, w.allreduce_every);
  return w;
}

class RankWriter {
 public:
  RankWriter(ProgramBuilder& builder, const Workload& w, std::uint32_t rank) : builder_(builder), w_(w), rank_(rank) {}

  void write(std::uint32_t node) {
    builder_.begin_rank(node, 1);
    for (std::uint32_t i = 1; i <= w_.iterations; ++i) {
      iteration();
      now_ += microseconds(w_.compute_us);
      if (i % w_.allreduce_every == 0) allreduce();
    }
    builder_.end_rank(8);
  }

 private:
  void iteration() {
    const std::array<std::uint32_t, 4> peers = w_.neighbours(rank_);
    for (std::uint32_t k = 0; k < 4; ++k) message(OpKind::kIrecv, "MPI_Irecv", peers[k], k ^ 1U, k);
    for (std::uint32_t k = 0; k < 4; ++k) message(OpKind::kIsend, "MPI_Isend", peers[k], k, 4 + k);
    const std::array<std::uint32_t, 8> slots = {0, 1, 2, 3, 4, 5, 6, 7};
    Operation wait{.kind = OpKind::kWait};
    wait.call = builder_.call("MPI_Waitall");
    wait.extra = builder_.add_requests(slots);
    put(wait, microseconds(4));
  }

  void message(OpKind kind, const char* call, std::uint32_t peer, std::uint32_t tag, std::uint32_t slot) {
    Operation op{.kind = kind};
    op.call = builder_.call(call);
    op.comm = 0;
    op.peer = static_cast<std::int32_t>(peer);
    op.tag = static_cast<std::int32_t>(tag);
    op.extra = slot;
    op.bytes = w_.bytes;
    put(op, nanoseconds(300));
  }

  void allreduce() {
    Operation op{.kind = OpKind::kCollective};
    op.call = builder_.call("MPI_Allreduce");
    op.comm = 0;
    op.tag = static_cast<std::int32_t>(Collective::kAllreduce);
    op.bytes = 8;
    CollectiveTail tail;
    tail.received = 8;
    op.extra = builder_.add(tail);
    put(op, microseconds(20));
  }

  void put(const Operation& op, Duration duration) {
    builder_.add(op, {now_, now_ + duration});
    now_ += duration;
  }

  ProgramBuilder& builder_;
  const Workload& w_;
  std::uint32_t rank_;
  Time now_;
};

Program write_program(const Workload& w, const std::filesystem::path& file) {
  ProgramBuilder builder(file);
  std::vector<std::uint32_t> world(w.ranks());
  std::iota(world.begin(), world.end(), 0U);
  builder.comm(world);
  for (std::uint32_t rank = 0; rank < w.ranks(); ++rank)
    RankWriter(builder, w, rank).write(builder.node(fmt::format("n{}", rank)));
  return builder.finish();
}

hw::Platform star(std::uint32_t nodes) {
  hw::Platform p;
  p.name = "star";
  for (std::uint32_t i = 0; i < nodes; ++i) {
    hw::Node& node = p.nodes.emplace_back();
    node.name = fmt::format("n{}", i);
    node.memory_rate.value = {20'000'000'000};
    node.interface_rate.value = {50'000'000'000};
  }
  p.switches.push_back({"s", {{1'000'000'000'000}, 0, ""}});
  for (std::uint32_t i = 0; i < nodes; ++i)
    p.edges.push_back({fmt::format("e{}", i), i, nodes, {microseconds(1), 0, ""}, {{12'500'000'000}, 0, ""}, false});
  hw::MessageRange eager;
  eager.upto = Bytes{64 * 1024};
  eager.send.value = eager.receive.value = nanoseconds(300);
  hw::MessageRange rendezvous = eager;
  rendezvous.upto.reset();
  rendezvous.protocol = hw::Protocol::kRendezvous;
  p.inside.ranges = p.between.ranges = {eager, rendezvous};
  return p;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// Anonymous memory in MiB, so without the mapped program: the largest so far is not kept by the system, so this is what
// is in use when the replay has ended, its result included.
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

Time last_end(const ReplayResult& result) {
  Time last;
  for (const auto& rank : result.times) last = std::max(last, rank.back().end);
  return last;
}

void measure(const Program& program, const hw::Platform& platform, Mode mode, const char* name) {
  const double memory = anonymous_mib(), begin = cpu_seconds();
  ReplayOptions options;
  options.mode = mode;
  const ReplayResult result = replay::replay(program, platform, options);
  const double seconds = cpu_seconds() - begin;
  fmt::print(
      "{}: {} messages, {} events in {:.2f} CPU s: {:.2f} M messages/s, {:.1f} M events/s, {:.1f} MiB, "
      "simulated {:.6f} s, {} late starts\n",
      name, result.messages, result.events, seconds, static_cast<double>(result.messages) / seconds * 1e-6,
      static_cast<double>(result.events) / seconds * 1e-6, anonymous_mib() - memory, last_end(result).seconds(),
      result.late_starts);
}

}  // namespace

int main(int argc, char** argv) {
  const Workload w = parse(argc, argv);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("plumbline-halo-{}.program", getpid());
  const double begin = cpu_seconds();
  const Program program = write_program(w, file);
  fmt::print("{}x{} ranks, {} iterations of {} bytes: program of {:.1f} MiB written in {:.2f} CPU s\n", w.px, w.py,
             w.iterations, w.bytes, static_cast<double>(std::filesystem::file_size(file)) / (1 << 20),
             cpu_seconds() - begin);
  std::filesystem::remove(file);
  const hw::Platform platform = star(w.ranks());
  measure(program, platform, Mode::kFree, "free");
  measure(program, platform, Mode::kAnchored, "anchored");
}
