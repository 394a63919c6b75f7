// One collective write in two phases, as ROMIO does it, of interleaved blocks.
//
// usage: two_phase [RANKS NODES GIB BLOCK_KIB BUFFER_MIB PACKET_KIB]     defaults 512 16 1024 1024 16 1024: 1 TiB, 4096
// rounds
//
// The ranks are spread evenly over the nodes, each of which has one aggregator (cb_config_list *:1). Rank r writes the
// blocks r, r + RANKS, .. of the file in one MPI_File_write_all. Nodes hang on one switch: 12.5 GB/s, 1 µs; one file
// system: a call 10 µs, 10 GB/s.

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>

#include "base/files/unfinished.hpp"
#include "replay/engine/replay.hpp"
#include "tests/perf/cpu_time.hpp"

namespace {

using namespace plumbline;
using namespace plumbline::replay;

struct Workload {
  std::uint32_t ranks = 512, nodes = 16;
  std::uint64_t gib = 1024, block_kib = 1024, buffer_mib = 16, packet_kib = 1024;
};

Workload parse(int argc, char** argv) {
  Workload w;
  const auto number = [&](int i, auto& value) {
    if (i < argc) value = static_cast<std::remove_reference_t<decltype(value)>>(std::strtoull(argv[i], nullptr, 10));
  };
  number(1, w.ranks), number(2, w.nodes), number(3, w.gib), number(4, w.block_kib), number(5, w.buffer_mib);
  number(6, w.packet_kib);
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
  for (std::uint32_t rank = 0; rank < w.ranks; ++rank) {
    builder.begin_rank(builder.node(fmt::format("n{}", std::uint64_t{rank} * w.nodes / w.ranks)), 1);
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

hw::Platform platform_of(const Workload& w) {
  constexpr BytesPerSecond kNetwork{12'500'000'000}, kMemory{50'000'000'000}, kFiles{10'000'000'000};
  hw::Platform p;
  p.name = "two_phase";
  for (std::uint32_t i = 0; i < w.nodes; ++i) {
    hw::Node& node = p.nodes.emplace_back();
    node.name = fmt::format("n{}", i);
    node.memory_rate.value = kMemory;
    node.interface_rate.value = kNetwork;
    hw::Edge& edge = p.edges.emplace_back();
    edge.name = fmt::format("c{}", i);
    edge.from = i;
    edge.to = w.nodes;
    edge.latency.value = microseconds(1);
    edge.rate.value = kNetwork;
  }
  hw::Switch& one = p.switches.emplace_back();
  one.name = "s";
  one.rate.value = {kNetwork.count * w.nodes};
  p.packets = {Bytes{w.packet_kib << 10U}, Bytes{0}};
  hw::MessageRange range;
  range.upto = Bytes{65536};
  range.send.value = range.receive.value = nanoseconds(500);
  range.latency.value = nanoseconds(500);
  hw::MessageRange large = range;
  large.upto.reset();
  large.protocol = hw::Protocol::kRendezvous;
  p.inside.ranges = p.between.ranges = {range, large};
  hw::FileSystem& files = p.file_systems.emplace_back();
  files.name = "data";
  files.paths = {"/data"};
  for (hw::AccessCost* cost : {&files.cached_read, &files.cached_write, &files.device_read, &files.device_write}) {
    cost->call.value = microseconds(10);
    cost->rate.value = kFiles;
  }
  return p;
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

int main(int argc, char** argv) {
  const Workload w = parse(argc, argv);
  remove_unfinished_when_ended();
  const std::filesystem::path file = std::filesystem::temp_directory_path() / fmt::format("two-phase-{}", getpid());
  const Program program = write_program(w, file);
  std::filesystem::remove(file);
  const hw::Platform platform = platform_of(w);
  const long before = peak_kib();
  for (const Form form : {Form::kAsConfigured, Form::kIdeal}) {
    const double start = perf::cpu_seconds();
    const ReplayResult result = replay::replay(program, platform, {.mode = Mode::kFree, .form = form});
    const double seconds = perf::cpu_seconds() - start;
    Time end;
    for (const auto& times : result.times) end = std::max(end, times.back().end);
    fmt::print(
        "{}: {} ranks, {} aggregators, {} GiB: {:.3f} s, {} messages, {} events, simulated {:.3f} s, peak {} MiB, "
        "{} MiB of it beside the program\n",
        form == Form::kIdeal ? "ideal" : "as configured", w.ranks, w.nodes, w.gib, seconds, result.messages,
        result.events, static_cast<double>(end.ps) / 1e12, peak_kib() / 1024, (peak_kib() - before) / 1024);
  }
  return 0;
}
