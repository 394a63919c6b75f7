#pragma once
// The ideal form of MPI-IO, as plans that the run loop carries out: which rank accesses what, and which bytes travel
// before or after. Pure functions of the accesses (docs/models/replay-files.md).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hwmodels/storage/storage.hpp"
#include "replay/io/footprint.hpp"

namespace plumbline::replay::io {

// `count` calls that share `bytes` evenly; the first at `offset`, each `stride` behind the one before, roughly.
struct Batch {
  hw::Access kind = hw::Access::kWrite;
  std::uint64_t count = 0, bytes = 0;
  std::uint64_t offset = 0, stride = 0;
};

// What is done one after the other; both batches may be empty.
struct Accesses {
  std::array<Batch, 2> batches;

  std::uint64_t operations() const { return batches[0].count + batches[1].count; }
};

// The cheaper of: one call per run; or the whole extent in one call (a write reads it first, to keep what lies between
// the runs). The costs in cache decide, so that both ends of the page-cache bracket do the same thing. On a file system
// of servers: one call with the list of the runs, which moves no other byte.
Accesses best_accesses(const hw::FileSystem& file_system, hw::Access kind, std::span<const ByteRange> runs);

// What one rank of the communicator wants.
struct Part {
  std::uint32_t node = 0;
  Footprint footprint;
};

// A rank of the communicator in the collective access that is its operation of that index.
struct Member {
  std::uint32_t node = 0;
  std::uint32_t world_rank = 0, operation = 0;
};

// What they want. Accesses whose place was not recorded are taken to lie one behind the other, in order of ranks.
std::vector<Part> parts_of(const Program& program, const FileViews& views, std::span<const Member> members);

// Bytes between a rank that has data and an aggregator, both ranks of the communicator; never the same rank.
struct Transfer {
  std::uint32_t rank = 0, aggregator = 0;
  std::uint64_t bytes = 0;
};

// Fills `by_rank` and `first_of_rank`, as below.
void index_by_rank(std::span<const Transfer> transfers, std::size_t ranks, std::vector<std::uint32_t>& by_rank,
                   std::vector<std::uint32_t>& first_of_rank);

struct Domain {
  std::uint32_t aggregator = 0;  // rank of the communicator
  Accesses accesses;
  std::uint32_t first_transfer = 0, transfers = 0;
  std::vector<ByteRange> list = {};  // what `accesses` are, on a file system of servers
};

struct CollectivePlan {
  std::vector<Domain> domains;               // ascending in aggregator
  std::vector<Transfer> transfers;           // by aggregator, then by rank
  std::vector<std::uint32_t> by_rank;        // indices of transfers, by rank, then by aggregator
  std::vector<std::uint32_t> first_of_rank;  // in by_rank; one more than there are ranks

  std::span<const Transfer> of_aggregator(std::uint32_t rank) const;
  std::span<const std::uint32_t> of_rank(std::uint32_t rank) const;
};

// Aggregators: on each node the first rank that wants data. Domains: the touched range of the file cut evenly among
// them, in order. On a file system of servers it is cut where stripes end, and there are no more aggregators than
// stripes: each keeps all servers busy that its stripes lie on, and no stripe has two of them.
CollectivePlan plan_collective(const hw::FileSystem& file_system, hw::Access kind, std::span<const Part> parts);

}  // namespace plumbline::replay::io
