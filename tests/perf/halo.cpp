// The workload halo2d (halo_pattern.hpp), replayed free and anchored.
//
// usage: halo [PX PY ITERATIONS BYTES COMPUTE_US ALLREDUCE_EVERY [RUNS]]     defaults 16 16 1000 8192 100 10 5
//
//        halo --write FILE [PX ..]     only writes the program into a file
//
// On LogGP, measured times, a star and, for 256 ranks, a fat tree oversubscribed 2:1; packets of 4 KiB.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "halo_pattern.hpp"
#include "replay_bench.hpp"

namespace {

using namespace plumbline;
using replay::OpKind;

using perf::Halo;

Halo parse(int argc, char** argv) {
  Halo w;
  const auto number = [&](int i, auto& value) {
    if (i < argc) value = static_cast<std::remove_reference_t<decltype(value)>>(std::strtoull(argv[i], nullptr, 10));
  };
  number(1, w.px), number(2, w.py), number(3, w.iterations), number(4, w.bytes), number(5, w.compute_us);
  number(6, w.allreduce_every), number(7, w.runs);
  return w;
}

void write(const Halo& w, perf::RankWriter& rank) {
  const std::array<std::uint32_t, 4> peers = w.neighbours(rank.rank());
  for (std::uint32_t i = 1; i <= w.iterations; ++i) {
    for (std::uint32_t k = 0; k < 4; ++k) rank.post(OpKind::kIrecv, peers[k], k ^ 1U, w.bytes, k);
    for (std::uint32_t k = 0; k < 4; ++k) rank.post(OpKind::kIsend, peers[k], k, w.bytes, 4 + k);
    rank.wait_all(8);
    rank.compute(microseconds(w.compute_us));
    if (i % w.allreduce_every == 0) rank.allreduce(8);
  }
}

void measure(const Halo& w, const replay::Program& program, hw::Platform platform) {
  platform.packets.granularity = Bytes{4096};
  replay::ReplayOptions options;
  options.mode = replay::Mode::kFree;
  perf::measure("free", program, platform, options, w.runs);
  options.mode = replay::Mode::kAnchored;
  perf::measure("anchored", program, platform, options, w.runs);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "--write") {
    const Halo w = parse(argc - 2, argv + 2);
    perf::write_program(argv[2], w.ranks(), 8, [&](perf::RankWriter& rank) { write(w, rank); });
    return 0;
  }
  const Halo w = parse(argc, argv);
  const replay::Program program = perf::program_of(w.ranks(), 8, [&](perf::RankWriter& rank) { write(w, rank); });
  measure(w, program, perf::loggp(w.ranks()));
  measure(w, program, perf::sampled(w.ranks()));
  measure(w, program, perf::star(w.ranks()));
  if (w.ranks() == 256) measure(w, program, perf::fat_tree());
}
