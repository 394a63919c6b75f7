#pragma once
// The workload halo2d: PX·PY ranks, one per node, rank r at x = r mod PX, y = r div PX; neighbours k = 0..3: (x−1, y),
// (x+1, y), (x, y−1), (x, y+1). An iteration: four Irecv from neighbour k with tag k xor 1, four Isend to neighbour k
// with tag k, a Waitall, compute; after every ALLREDUCE_EVERY-th an Allreduce of one double.

#include <array>
#include <cstdint>

namespace plumbline::perf {

struct Halo {
  std::uint32_t px = 16, py = 16, iterations = 1000;
  std::uint64_t bytes = 8192;
  std::int64_t compute_us = 100;
  std::uint32_t allreduce_every = 10;
  int runs = 5;

  std::uint32_t ranks() const { return px * py; }
  std::array<std::uint32_t, 4> neighbours(std::uint32_t rank) const {
    const std::uint32_t x = rank % px, y = rank / px;
    return {y * px + (x + px - 1) % px, y * px + (x + 1) % px, (y + py - 1) % py * px + x, (y + 1) % py * px + x};
  }
};

}  // namespace plumbline::perf
