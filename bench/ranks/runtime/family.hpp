#pragma once
// What the ranks can measure. A family is one name in a campaign's `operation`, and a function that all ranks call: it
// measures, and gives cells. Families are listed in bench/ranks/families.cpp. The program of the ranks prints them as
// JSON with --describe, without MPI: what the host knows of them, and docs/reference/operations.md, are made from that.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/library/mpi_calls.hpp"
#include "bench/library/plumbline/bench.h"
#include "bench/results/campaign.hpp"
#include "bench/results/plan.hpp"

namespace plumbline::bench {

// Where the ranks of MPI_COMM_WORLD are: the same on every rank.
struct Places {
  std::vector<std::uint32_t> node_of;  // [ranks]
  std::vector<std::string> hosts;      // [nodes]
  bool share_cores = false;            // some of them, on a machine that has fewer for them than they are
};

struct Context {
  MPI_Comm world;
  const Places& places;
  std::uint64_t seed;  // of this run: the same on every rank
  // Rank 0 keeps it; others may call it as well, which does nothing. run, position and began_s are filled in.
  std::function<void(Cell)> give;
  std::function<void(std::string_view)> note;  // likewise
  bool loopback = false;                       // ranks of one node were kept from shared memory
  // How long nothing may come of a request that goes well, s: by what messages take here. Rank 0 keeps it.
  std::function<void(double)> expect = {};
};

// What users may set for a family, beside size and settings of measuring.
struct FamilyParameter {
  std::string_view name, summary;
  std::string_view by_default;  // a number, or a word; empty: must be given
  bool is_word = false;
};

struct Family {
  std::string_view name;                              // "bcast"
  std::string_view summary;                           // one line
  std::string_view bytes;                             // what the size is the size of; empty: the family has no sizes
  std::span<const std::string_view> implementations;  // "library" first
  std::span<const FamilyParameter> parameters;
  std::uint32_t least_ranks = 1;
  // Called on all ranks of context.world. Throws MpiFailure, or Error for what the user can mend.
  void (*measure)(const Context& context, const Request& request) = nullptr;
  std::span<const std::string_view> phases = {};  // words kPhase of its cells, where one request gives several
};

// All families, by name.
std::span<const Family* const> families();
const Family* find_family(std::string_view name);

// Measures one size by the library (bench.h) on `comm`, whose first rank is rank 0 of MPI_COMM_WORLD or sends it what
// it saw, and fills what a cell has from it; `cell` has the names. Collective over `comm` only; the answer is on its
// first rank. What the catalogue's families of one operation are made of.
Cell measure_cell(MPI_Comm comm, const plumbline_operation& operation, const Effort& effort, Cell cell);

}  // namespace plumbline::bench
