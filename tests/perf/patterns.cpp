// Patterns with many ranks or many messages at once, replayed free on LogGP.
//
// usage: patterns [ALLTOALL_RANKS DISSEMINATION_RANKS BYTES [RUNS]]     defaults 1024 65536 1024 5
//
// alltoall: every rank posts a receive from each of the others, then a send to each of them, beginning behind itself,
// and waits for all. dissemination: in round k rank r sends to r + 2^k and receives from r - 2^k, by MPI_Sendrecv.

#include <bit>
#include <cstdlib>

#include "replay_bench.hpp"

namespace {

using namespace plumbline;
using replay::OpKind;

void alltoall(std::uint32_t ranks, std::uint64_t bytes, perf::RankWriter& rank) {
  const std::uint32_t others = ranks - 1;
  for (std::uint32_t i = 1; i < ranks; ++i)
    rank.post(OpKind::kIrecv, (rank.rank() + ranks - i) % ranks, 0, bytes, i - 1);
  for (std::uint32_t i = 1; i < ranks; ++i)
    rank.post(OpKind::kIsend, (rank.rank() + i) % ranks, 0, bytes, others + i - 1);
  rank.wait_all(2 * others);
}

void dissemination(std::uint32_t ranks, std::uint64_t bytes, perf::RankWriter& rank) {
  const auto rounds = static_cast<std::uint32_t>(std::bit_width(ranks - 1));
  for (std::uint32_t k = 0; k < rounds; ++k) {
    const std::uint32_t distance = 1U << k;
    rank.sendrecv((rank.rank() + distance) % ranks, (rank.rank() + ranks - distance) % ranks, k, bytes);
  }
}

std::uint32_t number(int argc, char** argv, int i, std::uint32_t otherwise) {
  return i < argc ? static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10)) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t many = number(argc, argv, 1, 1024), wide = number(argc, argv, 2, 65536);
  const std::uint32_t bytes = number(argc, argv, 3, 1024);
  const int runs = static_cast<int>(number(argc, argv, 4, 5));
  replay::ReplayOptions options;
  options.mode = replay::Mode::kFree;
  if (many > 1) {
    const replay::Program program =
        perf::program_of(many, 2 * (many - 1), [&](perf::RankWriter& rank) { alltoall(many, bytes, rank); });
    perf::measure("alltoall", program, perf::loggp(many), options, runs);
  }
  if (wide > 1) {
    const replay::Program program =
        perf::program_of(wide, 0, [&](perf::RankWriter& rank) { dissemination(wide, bytes, rank); });
    perf::measure("dissemination", program, perf::loggp(wide), options, runs);
  }
}
