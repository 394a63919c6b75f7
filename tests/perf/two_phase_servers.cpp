// The collective write of two_phase.cpp onto file servers: 512 ranks on 16 nodes, 16 servers on nodes of their own, as
// ROMIO does it, and ideally.
//
// usage: two_phase_servers [RANKS NODES SERVERS GIB BLOCK_KIB BUFFER_MIB PACKET_KIB]     defaults 512 16 16 1024 1024
// 16 1024: 1 TiB, 4096 rounds
//
// Rank r writes the blocks r, r + RANKS, .. of the file in one MPI_File_write_all. Nodes hang on one switch: 12.5 GB/s,
// 1 µs; servers: stripes of 1 MiB, 1 GB of memory, flash of 5 GB/s.

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>

#include "base/files/unfinished.hpp"
#include "replay/engine/replay.hpp"

namespace {

using namespace plumbline;
using namespace plumbline::replay;

struct Workload {
  std::uint64_t ranks = 512, nodes = 16, servers = 16, gib = 1024, block_kib = 1024, buffer_mib = 16, packet_kib = 1024;
};

Workload parse(int argc, char** argv) {
  Workload w;
  std::uint64_t* const numbers[] = {&w.ranks, &w.nodes, &w.servers, &w.gib, &w.block_kib, &w.buffer_mib, &w.packet_kib};
  for (int i = 1; i < argc && i <= 7; ++i) *numbers[i - 1] = std::strtoull(argv[i], nullptr, 10);
  return w;
}

Program write_program(const Workload& w, const std::filesystem::path& file) {
  const std::uint64_t block = w.block_kib << 10U, bytes = (w.gib << 30U) / w.ranks / block * block;
  ProgramBuilder builder(file);
  std::vector<std::uint32_t> world(w.ranks);
  std::iota(world.begin(), world.end(), 0U);
  builder.comm(world);
  builder.property("library", "MPICH 4.0.2");
  const std::uint16_t hints = builder.hints(fmt::format("cb_buffer_size={}", w.buffer_mib << 20U));
  for (std::uint64_t rank = 0; rank < w.ranks; ++rank) {
    builder.begin_rank(builder.node(fmt::format("n{}", rank * w.nodes / w.ranks)), 1);
    IoAccess access;
    access.offset = rank * block;
    access.layout =
        builder.layout(fmt::format("disp={} extent={} size={}: {}@0", rank * block, w.ranks * block, block, block));
    access.comm = 0;
    access.hints = hints;
    Operation write{.kind = OpKind::kIoWrite, .flags = kIoIsMpi | kIoIsCollective};
    write.call = builder.call("MPI_File_write_all");
    write.comm = builder.file("/data/out");
    write.extra = builder.add(access);
    write.bytes = bytes;
    builder.add(write, {Time{}, Time{}});
    builder.end_rank(0);
  }
  return builder.finish();
}

void add_servers(const Workload& w, hw::Platform& p) {
  hw::FileSystem& files = p.file_systems.emplace_back();
  files.name = "data";
  files.paths = {"/data"};
  files.distribution.stripe = Bytes{1U << 20U};
  for (std::uint32_t i = 0; i < w.servers; ++i) {
    hw::Server& server = p.servers.emplace_back();
    server.name = fmt::format("d{}", i);
    server.node = static_cast<std::uint32_t>(w.nodes) + i;
    server.device.flash.emplace();
    server.device.flash->read_latency.value = server.device.flash->write_latency.value = microseconds(20);
    server.device.flash->read_rate.value = server.device.flash->write_rate.value = {5'000'000'000};
    server.device.flash->channels = 8;
    server.cache.concurrent = 8;
    files.distribution.servers.push_back(i);
  }
}

hw::Platform platform_of(const Workload& w) {
  constexpr BytesPerSecond kNetwork{12'500'000'000}, kMemory{50'000'000'000};
  const auto nodes = static_cast<std::uint32_t>(w.nodes + w.servers);
  hw::Platform p;
  p.name = "two_phase_servers";
  for (std::uint32_t i = 0; i < nodes; ++i) {
    hw::Node& node = p.nodes.emplace_back();
    node.name = fmt::format("n{}", i);
    node.memory_rate.value = kMemory;
    node.interface_rate.value = kNetwork;
    hw::Edge& edge = p.edges.emplace_back();
    edge.name = fmt::format("c{}", i);
    edge.from = i;
    edge.to = nodes;
    edge.latency.value = microseconds(1);
    edge.rate.value = kNetwork;
  }
  hw::Switch& one = p.switches.emplace_back();
  one.name = "s";
  one.rate.value = {kNetwork.count * nodes};
  p.packets = {Bytes{w.packet_kib << 10U}, Bytes{0}};
  hw::MessageRange range;
  range.upto = Bytes{65536};
  range.send.value = range.receive.value = nanoseconds(500);
  range.latency.value = nanoseconds(500);
  hw::MessageRange large = range;
  large.upto.reset();
  large.protocol = hw::Protocol::kRendezvous;
  p.inside.ranges = p.between.ranges = {range, large};
  add_servers(w, p);
  return p;
}

double cpu_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

rusage usage_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

}  // namespace

int main(int argc, char** argv) {
  const Workload w = parse(argc, argv);
  remove_unfinished_when_ended();
  const std::filesystem::path file = std::filesystem::temp_directory_path() / fmt::format("two-phase-{}", getpid());
  const Program program = write_program(w, file);
  std::filesystem::remove(file);
  const hw::Platform platform = platform_of(w);
  const long before = usage_now().ru_maxrss;
  for (const Form form : {Form::kAsConfigured, Form::kIdeal}) {
    const double start = cpu_seconds(usage_now());
    const ReplayResult result = replay::replay(program, platform, {.mode = Mode::kFree, .form = form});
    const rusage after = usage_now();
    Time end;
    for (const auto& times : result.times) end = std::max(end, times.back().end);
    fmt::print(
        "{}: {} ranks, {} aggregators, {} servers, {} GiB: {:.3f} s, {} messages, {} events, simulated {:.3f} s, peak "
        "{} "
        "MiB beside the program\n",
        form == Form::kIdeal ? "ideal" : "as configured", w.ranks, w.nodes, w.servers, w.gib,
        cpu_seconds(after) - start, result.messages, result.events, static_cast<double>(end.ps) / 1e12,
        (after.ru_maxrss - before) / 1024);
  }
  return 0;
}
